"""Odds without a battle: queries, exact answers, comparisons, orders of fire, links."""
