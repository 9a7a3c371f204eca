"""Armies: their files and what is built from them.

profile      what a model is
lists        the arsenal and the army lists
forces       forces as they come from their files
army         what the book demands of a force
setting_out  the first position
picking      the lists, for building an army
offers       what players can choose before a battle
"""
