"""What every phase goes by.

units            units, their models, engagement, strength, what a unit has done
coherency        unit coherency
modifiers        the modifiers of characteristics and rolls, in their order
characteristics  Toughness, Leadership, OC after all that changes them
persisting       abilities that are given for a while, and when they end
flying           who crosses enemies in units of which only some can FLY
attached         Leaders attached to units
markers          objective markers, who controls them
dice             rolls of the book: amounts, roll-offs, leadership tests
levels           floors of ruins and tops of hills, who may stand where
sight            who sees whom, and who is fully visible
cover            the benefit of cover
across           who fights whom across a barricade
"""
