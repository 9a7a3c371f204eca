"""The Shooting phase.

eligible  which units may shoot
targets   what may be targeted, and what is true of an attack when its target is selected
declaring who shoots what at whom, as one form
again     units that shoot again, or back
phase     units shoot one after another
"""
