/** As in package.json; a test holds the two together, so that nothing has to be read to answer `--version`. */
export const VERSION: string = '0.1.0';
