"""Exact odds, from the rules themselves.

volley_odds  The odds of a volley
wound_odds   The odds of what hits on a unit of living models come to
mixed_odds   The odds of hits on a unit of living models and vehicles together
melee_odds   The odds of a combat
hull_odds    The odds of hits on vehicles
morale_odds  The odds of the morale test that losses call for
fates        What the blows of one step of a combat make of a unit, model by model
hull_fates   What the blows of one step of a combat make of vehicles
outcomes     What a volley may leave of its target
forecasts    What this book tells the odds of
"""
