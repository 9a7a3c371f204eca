"""The data that any screen needs of a battle: the table as a side may see it, and the questions."""
