"""The judgement of bots in any book, from values and functions that the book provides.

advice      a book's advice to its bots, question by question
appraisals  how well a side stands: the sum of its terms, until the battle is won
harm        the total harm of several attackers to several targets
leads       the value of a lead with turns to come, and of being near a place
spots       points around a unit to which it might go, the best first
"""
