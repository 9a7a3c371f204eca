/** Beside this the tab keeps, by the id of a battle, the book of the test table that it was begun at. */
export const TESTED = 'campale.tested.';
