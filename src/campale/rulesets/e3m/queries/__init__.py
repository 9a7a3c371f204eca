"""The form of queries about odds: a volley of one unit at another of any kind of fire, or a melee of both."""
