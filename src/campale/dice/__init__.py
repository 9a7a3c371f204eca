"""Handfuls of dice, what is asked of them, where they come from, and their exact odds."""
