"""Datasheet abilities: data in a closed vocabulary.

vocabulary  what may be said of an ability, and what is refused
index       which abilities fall on whom: by Leaders, by auras, copies resolved
effects     what they change: rolls, re-rolls, characteristics
by_hand     those that the vocabulary cannot say: shown, and played by the players
"""
