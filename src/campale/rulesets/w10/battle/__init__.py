"""Before and after the battle.

layouts     terrain, and tables laid by hand
mission     Attacker and Defender, objective markers, the first turn
deployment  armies deployed unit by unit
secondary   Secondary Mission cards
only_war    scoring and end of the mission
"""
