"""Dice, measuring, vision, profiles and conditions of models.

dice       The dice
measuring  Measures and roundings
sight      Sight
physical   Wounds, out of action, lethal hits and fatigue
special    Special rules that say something of a model by itself
night      By night one must spot what one wants to shoot, charge or strike with an ability that needs sight
"""
