"""Windows: the moments at which a player may use a Stratagem, and the Stratagems.

windows           when a window opens, and for which side
stratagem         the definition of a Stratagem
costs             the costs of Stratagems, and the Stratagems of Detachments
stratagems        targets and effects of the eleven core Stratagems
reroll            Command Re-roll, offered after a roll
"""
