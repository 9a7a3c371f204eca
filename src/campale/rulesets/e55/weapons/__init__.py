"""Chapter 9: weapons.

weapon_rules  What the rules of a weapon do to its shots (3.2.2, 3.2.3, 9.1.1)
templates     Templates and area markers (9.1/template, 9.1.1/area)
"""
