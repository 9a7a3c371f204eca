"""Scenery, preparation, missions.

battlefield The battlefield
scenery     The scenery table, the pieces made from it, and prepared layouts
laying      Laying scenery and objectives
preparation Before the battle
missions    The six missions
explored    Patrol
"""
