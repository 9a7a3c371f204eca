"""Dice, measuring, vision, profiles and conditions of models.

dice      The dice
measuring Measures and roundings
sight     Sight
physical  Wounds, out of action, lethal hits and fatigue
special   Special rules about a model by itself
night     Spotting at night: needed to shoot, to charge, or to use an ability that needs sight
"""
