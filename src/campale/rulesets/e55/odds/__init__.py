"""Exact odds, computed from the stages that are played.

fire_odds   The odds of a volley, and of everything else that strikes a unit at one moment
aimed_odds  Hits aimed at single models, such as those of markers and templates
going       Damage to vehicles, without the effects of a destroyed vehicle on others
morale_odds The odds of the morale test after losses
melee_odds  The odds of a combat
outcomes    The positions that a volley may leave
forecasts   Everything this book gives odds for
steps       Steps of forecasts
"""
