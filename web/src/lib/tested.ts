/** Under this key and the id of a battle the tab keeps the book of the test table that the battle began at. */
export const TESTED = 'campale.tested.';
