"""Exact odds: the stages that are played, enumerated."""
