"""Forces, the arsenal, and setting up a battle.

profile     What a model is
arsenal     The starter arsenal and the two army lists, read once from their YAML files
army        The restrictions on a force
forces      Forces read from their files
setting_out The first position
staging     Scenario files of this book
offers      The choices before a battle
"""
