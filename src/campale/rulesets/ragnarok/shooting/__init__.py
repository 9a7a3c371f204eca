"""Fire, thrown weapons, saves.

fire          Fire and Suppressive Fire
thrown        Thrown weapons
bursting      Blasts as they are drawn
saves         Protection rolls
weapon_rules  What the weapons' keywords do in shooting
"""
