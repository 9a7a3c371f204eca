"""What a bot judges by in any book, from values and functions that the book gives.

advice      What a book advises its bots, question by question
appraisals  How well a side stands: the sum of what counts for it, until the battle is won
harm        What several attackers take off several targets together
leads       What a lead is worth while there are turns to come, and how near to a place counts as being there
spots       Points about a unit to which it might go, the best of them first
"""
