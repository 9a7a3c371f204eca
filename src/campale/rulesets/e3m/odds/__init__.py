"""Exact odds: the stages that are played, gone through in every way in which the dice can fall."""
