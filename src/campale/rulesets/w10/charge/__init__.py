"""The Charge phase.

charging  which units charge at whom, the roll, what a charge move must do
reaching  the search for a charge that reaches all its targets
contact   what the models of a move owe: contact, or nearness; for pile-ins and consolidations too
phase     units charge one after another
"""
