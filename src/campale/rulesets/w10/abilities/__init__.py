"""Datasheet abilities: data in a closed vocabulary.

vocabulary  what an ability may say, and what is refused
index       the abilities that affect a unit: from Leaders, from auras, without duplicates
acts        the words for effects at a moment, and the moments
effects     what abilities change: rolls, re-rolls, characteristics
allocated   what a model's abilities do to an attack allocated to it
uses        how often abilities have been used
moments     the abilities that may be used at a moment, and the question
by_hand     abilities that the vocabulary cannot express: they are shown, and the players carry them out
"""
