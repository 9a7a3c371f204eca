"""The Shooting phase.

eligible  units that may shoot
targets   legal targets, and what is true of an attack when its target is selected
declaring weapons and targets, declared in one form
again     units that shoot again, or shoot back
phase     units shoot one after another
"""
