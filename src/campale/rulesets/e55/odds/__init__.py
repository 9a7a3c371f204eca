"""Exact odds, from the stages that are played.

fire_odds    What strikes a unit at one moment, and what it makes of it; the odds of a volley
aimed_odds   Hits aimed at single models, as those of markers and templates
going        Damage to vehicles without what they do to others in going
morale_odds  The odds of the morale test that losses call for
melee_odds   The odds of a combat
outcomes     What a volley may leave of its target
forecasts    What this book tells the odds of
steps        Steps of forecasts
"""
