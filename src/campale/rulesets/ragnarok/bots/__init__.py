"""What bots go by.

advice     What answers are worth to a bot that plays nothing through: who acts, how, at whom, who reacts
appraisal  How well a side stands, for bots
prospects  What the models of both sides may do to each other from where they stand, in the eyes of a bot
posts      Where a model is best posted, as a player would propose it
shots      What a shot is worth to a bot: with which weapon, at whom, with its rate doubled or not
worths     What a model is worth to a bot
"""
