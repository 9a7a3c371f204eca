"""Queries about odds without a battle: the form, the units, their layout, and the counts."""
