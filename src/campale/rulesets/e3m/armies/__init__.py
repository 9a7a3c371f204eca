"""Armies: what stands in the files.

profile      what a model is
lists        the arsenal and the army lists
forces       forces as they come from their files
army         what the book asks of a force
setting_out  the first position
picking      its lists as armies are put together from them
offers       what can be chosen before a battle
"""
