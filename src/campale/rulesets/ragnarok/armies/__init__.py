"""Forces, the arsenal, and setting them out.

profile      What a model is
arsenal      The starter arsenal and the two army lists, read once from their YAML files
army         What the book asks of a force
forces       Forces as they come from their files
setting_out  The first position
staging      Scenario files of this book
offers       What can be chosen before a battle
"""
