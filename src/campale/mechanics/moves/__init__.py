"""Moves of models and of whole units, as one question and one judgement.

move_paths    the path of one model: what bars it, and what may be wrong with it
barring       what bars the models of a unit, kept until something moves
coherency     whether the models of a unit stand together, or on each other
unit_moves    the paths of a unit's models together: what may be wrong with them
asking        the question for such a move, with samples and suggestions
going         moving models along the answered paths, and where a unit might want to go
placing       models put down: their places judged as one, and the search for room
crowd         models as near as possible to the first one placed
in_turn       the models of a unit go one after another, each judged at its turn
contact_ways  ways of round bases into contact
contact       the search for as many models in contact as possible, and the question for a move that owes it
hull_contact  the same for models of any shape: hulls go straight
gathering     a unit about some of its models whose places are settled
beside        models set down beside something
"""
