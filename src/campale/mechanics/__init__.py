"""Mechanisms that at least two ledgers state, as functions with parameters."""
