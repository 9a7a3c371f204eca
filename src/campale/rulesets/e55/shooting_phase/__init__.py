"""Chapter 3.2: shooting.

declaring   A unit's declaration of fire as one form
targets     At whom one may shoot (3.2/legal-target, 7.9), and which shots each model could fire now
fire        Shots as they are declared
heavy_fire  Heavy fire (3.1/heavy-fire-losses)
shooting    The shooting phase (3.2)
volley      The shots are resolved (3.2.1 to 3.2.3)
"""
