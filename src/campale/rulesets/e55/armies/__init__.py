"""Forces, army lists, the arsenal, and setting them out.

profile      What a model is
arsenal      The arsenal and the profiles of army lists, as they are written in YAML, and what is made of them
army_lists   Army lists
army         What a force must be
forces       Forces as they come from their files, and the units made of them
points       What a model is worth in points, by one formula for every profile, printed or of the players' own
setting_out  The first position
staging      Scenario files of this book
battles      Battles ready to play
offers       What can be chosen before a battle, and what of it the other side is not shown
"""
