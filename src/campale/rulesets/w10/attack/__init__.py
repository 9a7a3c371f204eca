"""An attack from the hit roll to the last wound (attack/*).

values       what one stage of an attack passes on to the next
attack       numbers of attacks, hit rolls and wound rolls
ignoring     modifiers that the attacker may ignore
unit_save    the Save of a unit when several values are equally common
allocation   the model of the target that takes an attack
saves        saving throws
damage       damage, Feel No Pain, mortal wounds
destruction  destroyed models
demise       Deadly Demise
resolve      the stages in sequence; the end of a unit's attacks
"""
