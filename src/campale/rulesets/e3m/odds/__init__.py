"""Exact odds: the stages of play, run through every way in which the dice can fall."""
