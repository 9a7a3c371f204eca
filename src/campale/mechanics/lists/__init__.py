"""Army lists of other programs, read without knowing any book.

record    the content of a list from any program: units, models, entries, profiles, and its lines
reading   the format of a file or a text, and its reader
nodes     rosters in XML and JSON as one tree, with limits against hostile files
zipped    a roster in a zip
rosters   the tree as a record
texts     plain texts as players paste them, as a record
headings  the first lines of a text: army, faction, detachment, points
matching  equivalent names, and the most similar of the others
fates     the fate of each line, and what the reader still needs to be told
"""
