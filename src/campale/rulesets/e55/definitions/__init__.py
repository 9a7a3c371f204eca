"""Chapter 1: definitions, types of models, characteristics.

types           Chapter 6
characteristics Characteristics (1.3)
dice            The dice
units           Units, their models, and the state that is kept for each unit
measuring       Measuring (1.1)
sight           Line of sight (1.1/los-*)
footprints      Footprints and heights (1.1)
"""
