"""Charges, engagement, melee.

charge      Charge
engagement  Who is engaged
melee       The melee
"""
