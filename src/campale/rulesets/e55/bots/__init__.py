"""The judgement of bots.

advice     The worth of answers to a bot that does not look ahead: moves, destinations, facings, charges
appraisal  How well a side stands
fire       Which weapons fire, and at whom
forecast   What units may do to each other from here on
intentions Proposals for a unit's move (towards, into cover, up, away), and for closing up
outlook    The table as such a bot sees it, and what a squad may expect at a place
plans      Where a squad goes in this turn, and whether it runs
powers     Which psychic powers a bot casts, and on which units
posts      Where to deploy a unit, as a player would propose it
"""
