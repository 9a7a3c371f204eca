"""The Fight phase.

pile_in    pile-in and consolidation moves
declaring  who strikes at whom with what
alone      one model of a unit that fights alone
on_death   models that fight or shoot after they were destroyed
fight      the two steps, units that fight in turn
"""
