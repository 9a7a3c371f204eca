"""Building blocks of books: code that states no rule, and rules that at least two ledgers state. It knows no book.

armies       forces as files, the units in them, and a book's objections to a force
setup        the beginning of every battle: agreement, edges, scenery, deployment, scenario files
queries      the form of queries about odds, their set-up and their answers
units        the remaining models of a unit, its reserves, distances between units, the choice of an enemy
attacks      the needs of many dice, and dice of the same need rolled together
wounds       wounds taken off one model of a unit after another
missions     the winner: by points, by survivors, by holding a place
answers      the words of answers that every book has
secrets      a word that each side writes in secret and reveals later
forecasts    odds by playing on copies, and of what a unit chooses to do to another
steps        steps of forecasts, read off the possible results of stages
frames       procedures inside procedures, as a stack in the position
phases       phases one after another, and the turns of two sides
judgement    what bots judge by in any book: harm pooled, leads, points to go to
alternation  which side acts next when the sides alternate
display      display on tables: parts of options, the state of a battle, numbers of cards, reasons for restrictions
contact      groups of models that touch one another
named_files  other files that come with a book, by name: layouts of tables, army lists
titles       titles in every language, from the words of a folder
"""
