"""Moving and placing.

movement Movement
placing  Placing models
"""
