"""Windows: the moments at which a player may use a Stratagem, and the Stratagems.

windows           when a window opens, and for whom
stratagem         what a Stratagem is
costs             what one costs, and those of Detachments
stratagems        what the eleven core Stratagems may target, and what they do
reroll            Command Re-roll, offered after a roll
"""
