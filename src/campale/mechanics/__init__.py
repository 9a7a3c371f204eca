"""What books are made of: what is no rule, and rules that at least two ledgers state. It knows no book.

armies       forces as files, the units in them, and what a book has against one
setup        what every battle has before its first turn: what is agreed on, edges, scenery, deployment, scenario files
queries      the form of queries about odds, their set-up and their answers
steps        steps of forecasts, read off what stages may leave behind
frames       procedures inside procedures, as a stack in the position
phases       phases one after another, and the turns of two sides
judgement    what bots judge by in any book: harm pooled, leads, points to go to
alternation  who acts next, where the sides act in turn
display      what tables show: parts of options, how a battle stands, numbers of cards, why something is barred
contact      groups of those who touch one another
named_files  other files that come with a book, by name: layouts of tables, army lists
titles       titles in every language, from the words of a folder
"""
