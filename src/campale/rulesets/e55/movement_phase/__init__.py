"""Chapter 3.1: moving, coherency, terrain, facing.

movement   The movement phase (3.1, 3.1.3)
ways       The path of one model: its length, its levels, and what bars it (1.1/move and 3.1)
unit_moves The move of a whole unit as one question (3.1)
coherency  Unit coherency (3.1.1)
terrain    Terrain (3.1.2, 10.1/terrain-data)
rough      Difficult and dangerous terrain (3.1.2), heavy fire that counts as such (3.1), and their cost to a mover
dangerous  The test of dangerous ground (3.1.2, 7.2)
facing     Facing (3.1.4)
placing    Placing a whole unit on the table
tracks     Armoured vehicles (7.11)
"""
