"""Armies: what every book's forces have in common.

files   forces as files: those that come with a book, by name, and those that players bring
faults  what a book has against a force, row by row
"""
