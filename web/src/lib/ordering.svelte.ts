/** Whether the dialog of standing orders is open: the question leads to it, and so does the tab of the table. */
export const ordering = $state({ isOpen: false });
