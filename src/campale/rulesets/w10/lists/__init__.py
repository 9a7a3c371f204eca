"""Armies from the lists of other programs.

format   the names that files of this game use, as a table
values   characteristics as they are written
weapons  profiles of weapons, and their abilities
abilities  other abilities of a datasheet: played by the referee, or kept as text
sizes    bases and heights, which no list contains
groups   the weapons of each model in a unit
sheets   a datasheet made from what a file contains
matches  units of texts, looked up among known datasheets
reading  a list as an army, with the fate of every line
"""
