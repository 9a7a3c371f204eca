"""Scenario files and puzzles: how they are read, set out, played, compared and written."""
