"""The form for queries about odds: one unit's volley at another, of any kind of fire, or their melee."""
