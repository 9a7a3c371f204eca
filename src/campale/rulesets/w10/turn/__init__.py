"""The sequence of a battle: the steps before it, rounds, turns, phases."""
