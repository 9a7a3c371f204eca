"""Chapter 3.2: shooting.

declaring  A unit's declaration of fire as one form
targets    Legal targets (3.2/legal-target, 7.9), and the shots each model can fire now
fire       Declared shots
heavy_fire Heavy fire (3.1/heavy-fire-losses)
shooting   The shooting phase (3.2)
volley     Resolving shots (3.2.1 to 3.2.3)
"""
