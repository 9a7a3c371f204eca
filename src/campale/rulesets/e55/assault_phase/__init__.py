"""Chapter 3.3: charges and melees.

charge      The charge sub-phase (3.3.1)
contact     Moving into contact (3.3.1)
obligations The contact obligations (3.3.1/charge-contact), judged by the same search that proposes moves
pile_in     Pile-ins
rear        Charges from behind (3.3.2/rear-charge-definition), by the positions when the turn began
combat      Combats (3.3.1/engaged)
melee       The melee sub-phase (3.3.2)
striking    Blows (3.3.2)
fighting    Legal attacks in a combat, and the choice of weapons and targets (3.3.2, steps 3 to 5)
"""
