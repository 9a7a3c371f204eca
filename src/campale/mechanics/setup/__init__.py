"""Set-up: the beginning of every battle, before its first turn.

agreed      reading the agreement for the first position: mission, table, forces
offers      the choices: ready forces and tables, terms, rosters
edges       the edges of the table, their owners, the strips along them
scenery     pieces as files draw them, tables laid by hand, whether a piece lies where it may
laying      scenery and objectives placed by the players in turn, or at random
drawing_up  a unit drawn up in ranks: places for its models, and the question for them
scenarios   scenario files: profiles with changes, the usual moment, impossible positions
"""
