"""Chapters 6 and 8: unit types and universal special rules.

flying      The flying types (6.1.1, 6.2.1, 6.4) and aircraft (7.14)
special     Universal special rules (8)
characters  Independent characters (8)
"""
