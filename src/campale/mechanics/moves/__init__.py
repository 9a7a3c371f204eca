"""Moves of whole units, as one question and one judgement.

unit_moves   the ways of a unit's models together: what may be wrong with them
asking       the question for such a move, with samples and suggestions
contact      the search for as many models in contact as possible
beside       models set down beside something
"""
