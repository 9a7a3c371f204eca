"""What every phase goes by.

units            units, their models, engagement, strength, what a unit has done
coherency        unit coherency
characteristics  the modifiers of characteristics and rolls, in their order
dice             rolls of the book: amounts, roll-offs, leadership tests
sight            who sees whom, and who is fully visible
cover            the benefit of cover
"""
