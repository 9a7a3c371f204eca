"""Datasheet abilities: data in a closed vocabulary.

vocabulary  what may be said of an ability, and what is refused
index       which abilities fall on whom: by Leaders, by auras, copies resolved
acts        the words for what they do at a moment, and the moments
effects     what they change: rolls, re-rolls, characteristics
allocated   what abilities of a model do to an attack that is allocated to it
uses        how often they have been used
moments     who may use which at a moment, and the question
by_hand     those that the vocabulary cannot say: shown, and played by the players
"""
