"""Queries about odds without a battle: the form, who is in it, where they stand, what is counted."""
