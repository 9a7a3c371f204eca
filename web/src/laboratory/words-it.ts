/** A piece of the page of its own, with a name of its own. */
export { default } from './words/it.json';
