/** Name and version, as logs and requests carry them. Held to package.json by a test. */
export const PROGRAM = 'rein/0.1.0';
