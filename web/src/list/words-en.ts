/** A separate bundle of the page, with its own name. */
export { default } from './words/en.json';
