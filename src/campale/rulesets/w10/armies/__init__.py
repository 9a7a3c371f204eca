"""Armies: the contents of the files.

profile      models and their weapons
amounts      numbers that may be dice
datasheets   the datasheets that come with the book
forces       army rosters as read from their files
muster       the requirements on a roster
setting_out  the first position
"""
