"""Exact odds, from the rules themselves.

shooting_odds  The odds of one shooting or throw, from the very stages that are played
thrown_odds    The odds of what is about to be thrown
reaction_odds  The odds of reactions
melee_odds     The odds of a melee, round after round to its end, and of a charge with the melee that it brings about
nerve_odds     What a shot leaves behind, and the tests of nerve in the control phase that it may bring upon those who
forecasts      What this book tells the odds of
"""
