"""Basics that every phase uses.

units            units, their models, engagement, strength, what a unit has done
coherency        unit coherency
modifiers        the modifiers of characteristics and rolls, in their order
characteristics  Toughness, Leadership, OC after all changes
persisting       abilities that are given for a while, and when they end
flying           models that cross enemies in units of which only some can FLY
attached         Leaders attached to units
markers          objective markers and their control
dice             rolls of the book: amounts, roll-offs, leadership tests
levels           floors of ruins, tops of hills, and the models that may stand there
sight            visibility and full visibility
cover            the benefit of cover
across           melees across a barricade
"""
