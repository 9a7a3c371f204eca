"""Armies from the lists of other programs.

format   what the files of this game call their parts, as a table
values   characteristics as they are written
weapons  profiles of weapons, and their abilities
abilities  what else a datasheet says: what the referee plays, and what is kept as text
sizes    bases and heights, which no list tells
groups   who carries what in a unit
sheets   a datasheet of what a file carries
matches  units of texts, found among datasheets that are known
reading  a list as an army, with the fate of every line
"""
