"""Before and after the battle.

layouts     terrain, and tables laid by hand
mission     Attacker and Defender, objective markers, who goes first
deployment  armies deployed unit by unit
secondary   Secondary Mission cards
only_war    how the mission scores and ends
"""
