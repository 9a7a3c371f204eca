"""The common parts of the books' queries about odds: fields, profiles, the set-up, decisions, counts."""
