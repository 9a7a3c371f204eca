"""Campale: a referee for tabletop miniature battles."""

__version__ = "0.1.0"
