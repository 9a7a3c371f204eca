"""The turn and its phases.

sequence      The order of the battle
tactical      The tactical phase
declaring     What is declared
actions       The actions
control_area  The control area
commander     The commander
reactions     Reactions
abilities     Abilities
"""
