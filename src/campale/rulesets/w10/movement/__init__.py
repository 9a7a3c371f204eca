"""The Movement phase.

moves         Normal moves and Advances: what bars a model, what forbids a move
falling_back  falling back, Desperate Escape tests
phase         units move one after another
"""
