"""Fire, thrown weapons, saves.

fire         Fire and Suppressive Fire
thrown       Thrown weapons
bursting     Blasts as they are drawn
saves        Protection rolls
weapon_rules The effects of weapon keywords in shooting
"""
