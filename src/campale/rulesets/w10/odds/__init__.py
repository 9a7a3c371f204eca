"""Exact odds: the very stages that are played, enumerated."""
