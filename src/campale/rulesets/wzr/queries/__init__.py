"""The form of queries about odds: shots of a model at another, or its attacks in melee, one after another."""
