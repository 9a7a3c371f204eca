"""An attack from the roll to hit to the last wound (attack/*).

values       what one stage of an attack leaves to the next
attack       numbers of attacks, rolls to hit and to wound
ignoring     modifiers that the attacker may ignore
unit_save    the Save of a unit in which several are equally common
allocation   which model of the target takes an attack
saves        saving throws
damage       damage, Feel No Pain, mortal wounds
destruction  models destroyed
demise       Deadly Demise
resolve      the stages one after another; the end of a unit's attacks
"""
