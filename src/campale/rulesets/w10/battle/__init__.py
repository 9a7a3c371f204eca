"""Before and after the battle.

layouts     terrain, and tables laid by hand
mission     Attacker and Defender, objective markers, who goes first
deployment  armies deployed unit by unit
only_war    how the mission scores and ends
"""
