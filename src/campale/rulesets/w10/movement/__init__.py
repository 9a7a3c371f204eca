"""The Movement phase.

moves         Normal moves and Advances: what bars a model, what forbids a move
lengths       how long a way is: across, up and down, through the air
falling_back  falling back, Desperate Escape tests
returning     models that come back to their unit
repositioned  units that are taken off and set up again, and units that others replace
phase         units move one after another
"""
