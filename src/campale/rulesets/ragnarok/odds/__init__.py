"""Exact odds, computed from the rules themselves.

shooting_odds The odds of one shooting or throw, from the very stages that are played
thrown_odds   The odds of a throw after its roll to hit
reaction_odds The odds of reactions
melee_odds    The odds of a melee, round after round to its end, and of a charge with its melee
nerve_odds    The positions after a shot, and the tests of nerve in the control phase
forecasts     Everything this book gives odds for
"""
