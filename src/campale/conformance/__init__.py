"""What every ruleset has to hold: tests that play battles of it at random. ``campale conformance RULESET`` runs them.

``playing`` is how they play, ``budget`` how much. They need pytest (``pip install campale[conformance]``).
"""
