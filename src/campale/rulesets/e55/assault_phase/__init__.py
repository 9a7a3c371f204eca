"""Chapter 3.3: charges and melees.

charge       The charge sub-phase (3.3.1)
contact      Moving into contact (3.3.1)
obligations  The contact obligations (3.3.1/charge-contact) of charges and pile-ins, judged by the search that propose
pile_in      Pile-ins
rear         Charges from behind (3.3.2/rear-charge-definition), by where everybody stood when the turn began
combat       Combats (3.3.1/engaged)
melee        The melee sub-phase (3.3.2)
striking     Blows (3.3.2)
fighting     Who may attack whom in a combat, and the choice of weapons and targets (3.3.2, steps 3 to 5)
"""
