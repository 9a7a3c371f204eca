"""Set-up: what every battle has before its first turn.

agreed  what is agreed on, as the first position takes it: mission, table, forces
offers  what can be chosen: ready forces and tables, terms, rosters
"""
