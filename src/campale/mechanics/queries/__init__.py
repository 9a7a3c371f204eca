"""What the books' forms of queries about odds have in common: fields, profiles, the set-up, decisions, counts."""
