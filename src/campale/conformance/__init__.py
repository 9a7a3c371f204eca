"""Tests that every ruleset must pass; they play random battles. ``campale conformance RULESET`` runs them.

``playing`` plays the battles, ``budget`` limits their number. They need pytest (``pip install campale[conformance]``).
"""
