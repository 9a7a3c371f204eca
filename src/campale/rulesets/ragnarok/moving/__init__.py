"""Moving and placing.

movement  Movement
placing   Setting models down
"""
