"""The form of queries about odds: the fire of one unit at another, a charge, a round of a combat."""
