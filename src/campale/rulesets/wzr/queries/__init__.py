"""The form for queries about odds: one model's shots or melee attacks at another, one after another."""
