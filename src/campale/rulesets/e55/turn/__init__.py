"""Chapter 3: the turn, phase by phase.

sequence       Chapter 3 and 10
turns          Turns (3/turns-alternate)
start_of_turn  3/start-of-turn
acting         What a side may choose to do while a phase is its own
"""
