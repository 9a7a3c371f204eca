"""Army lists of other programs, read without knowing any book.

record    what a list says, whatever program wrote it: units, models, entries, profiles, and its lines
reading   which format a file or a text has, and the reader for it
nodes     rosters as XML and as JSON, made into one tree, with limits on all that a stranger's file can be
zipped    a roster in a zip
rosters   the tree as a record
texts     plain texts as players paste them, as a record
headings  what the first lines of a text say: army, faction, detachment, points
matching  names that mean the same, and the nearest of those that do not
fates     what has become of each line, and what the reader would have to be told
"""
