"""Set-up: what every battle has before its first turn.

agreed      what is agreed on, as the first position takes it: mission, table, forces
offers      what can be chosen: ready forces and tables, terms, rosters
edges       the edges of the table, whose each is, the strip along it
scenery     pieces as files draw them, tables laid by hand, whether a piece lies where it may
laying      scenery and objectives laid by the players in turn, or by lot
drawing_up  a unit drawn up in ranks: places for its models, and the question for them
scenarios   scenario files: profiles with changes, the usual moment, what cannot be
"""
