"""Armies that players build or bring with them, and the errors in them."""
