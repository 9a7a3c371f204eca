"""The Fight phase.

pile_in    pile-in and consolidation moves
declaring  targets and weapons of melee attacks
alone      one model of a unit that fights alone
on_death   models that fight or shoot after they were destroyed
fight      the two steps, and the units that fight in turn
"""
