"""Odds asked for without a battle: queries, what comes of them exactly, comparisons, orders of fire, links."""
