"""Chapter 3: the turn, phase by phase.

sequence      Chapter 3 and 10
turns         Turns (3/turns-alternate)
start_of_turn 3/start-of-turn
acting        The menu of acts for the side whose phase it is
"""
