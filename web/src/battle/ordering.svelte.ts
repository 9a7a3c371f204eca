/** Whether the dialog of standing orders is open: both the question and the table's tab lead to it. */
export const ordering = $state({ isOpen: false });
