"""What a screen needs of a battle, whoever draws it: the table as a side may see it, questions as they are asked."""
