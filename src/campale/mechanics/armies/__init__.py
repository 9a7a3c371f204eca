"""Armies: what every book's forces have in common.

rows      what lists and forces are written with: titles, ids, things made from rows
files     forces as files: those that come with a book, by name, and those that players bring
declared  a book's armies, declared once: their files, what the book asks of them, their points
force     a force: the head of its file, its units with their models, what it is worth
units     the units of a force file: what they are called, whom they start with, names that are unknown
alike     forces of units whose models are all alike
faults    what a book has against a force, row by row
checking  whether a force may be fielded, in sentences
picking   armies put together from the lists of a book
"""
