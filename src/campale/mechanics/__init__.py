"""What books are made of: what is no rule, and rules that at least two ledgers state. It knows no book.

armies       forces as files, the units in them, and what a book has against one
setup        what every battle has before its first turn: what is agreed on, edges, scenery, deployment, scenario files
queries      the form of queries about odds, their set-up and their answers
units        who is left of a unit, who has yet to come, how far units are apart, the choice of an enemy
attacks      what each of many dice needs, and dice of the same need rolled together
wounds       wounds taken off one model of a unit after another
missions     who has won: by points, by who is left, by who holds a place
answers      the words of answers that every book has
secrets      a word that each side writes in secret and turns up later
forecasts    the odds of what is played on copies, and of what a unit chooses to do to another
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
