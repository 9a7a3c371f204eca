"""Charges, engagement, melee.

charge     Charges
engagement Which models are engaged
melee      The melee
"""
