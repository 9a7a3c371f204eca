"""Armies: what stands in the files.

profile      what a model is, and its weapons
amounts      numbers that may be dice
datasheets   the datasheets that come with the book
forces       army rosters as they come from their files
muster       what the book asks of a roster
setting_out  the first position
"""
