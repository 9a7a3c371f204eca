"""The Charge phase.

charging  which units charge at whom, the roll, what a charge move must do
phase     units charge one after another
"""
