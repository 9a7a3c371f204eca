"""Handfuls of dice: their purpose, their sources, and their exact odds.

needs    what a die must show
sources  where dice come from
stages   attacks as stages, played: each thing alone, all together, one after another, in parts
odds     exact odds of one rule, by enumerating its own coroutine
bags     exact odds of the stages of many things; ``tallies``: what is asked about those that are left
chain    exact odds of stages from position to position
counts   chances of numbers, as arrays
"""
