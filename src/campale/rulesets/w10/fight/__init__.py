"""The Fight phase.

pile_in    pile-in and consolidation moves
declaring  who strikes at whom with what
fight      the two steps, units that fight in turn
"""
