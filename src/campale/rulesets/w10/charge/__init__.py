"""The Charge phase.

charging  eligible units and targets, the charge roll, the conditions of a charge move
reaching  the search for a charge that reaches all its targets
contact   contact or nearness that the models of a move owe; pile-ins and consolidations use it too
hulls     the search for moves into contact, for bases and for hulls
ramming   what Tank Shock does as a charge move ends
phase     units charge one after another
"""
