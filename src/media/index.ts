export { fitImage } from './fit-image.ts';
