"""The sequence of a battle: what comes before it, rounds, turns, phases."""
