"""Set-up: what every battle has before its first turn.

agreed     what is agreed on, as the first position takes it: mission, table, forces
offers     what can be chosen: ready forces and tables, terms, rosters
edges      the edges of the table, whose each is, the strip along it
scenarios  scenario files: profiles with changes, the usual moment, what cannot be
"""
