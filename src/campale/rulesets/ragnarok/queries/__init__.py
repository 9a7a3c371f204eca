"""The form of queries about odds: models that shoot or throw at another, one after another, a charge, a melee."""
