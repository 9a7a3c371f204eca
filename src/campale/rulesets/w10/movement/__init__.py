"""The Movement phase.

moves         Normal moves and Advances: what bars a model, what forbids a move
lengths       the length of a path: across, up and down, through the air
falling_back  falling back, Desperate Escape tests
returning     models that return to their unit
repositioned  units taken off and set up again, and units that replace others
phase         units move one after another
"""
