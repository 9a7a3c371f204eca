"""Armies: the common parts of every book's forces.

rows      the parts of lists and forces: titles, ids, structs made from rows
files     forces as files: those that come with a book, by name, and those that players bring
declared  a book's armies, declared once: their files, the book's restrictions, their points
force     a force: the head of its file, its units with their models, its cost
units     the units of a force file: their names, whom they start with, unknown names
alike     forces of units whose models are all alike
faults    a book's objections to a force, row by row
checking  whether a force may be fielded, in sentences
picking   armies built from the lists of a book
"""
