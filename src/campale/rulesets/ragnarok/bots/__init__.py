"""The judgement of bots.

advice    The worth of answers to a bot that does not look ahead: who acts and how, targets, reactions
appraisal How well a side stands
prospects What the models of both sides may do to each other from where they stand
posts     Where to place a model, as a player would propose it
shots     The worth of a shot: the weapon, the target, a doubled rate
worths    The worth of a model
"""
