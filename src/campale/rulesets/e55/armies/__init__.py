"""Forces, army lists, the arsenal, and setting up a battle.

profile     What a model is
arsenal     The arsenal and the profiles of army lists, read from YAML
army_lists  Army lists
army        The restrictions on a force
forces      Forces read from their files, and their units
points      The points of a model, by one formula for every profile, printed or made by players
setting_out The first position
staging     Scenario files of this book
battles     Battles ready to play
offers      The choices before a battle, and which of them the other side does not see
"""
