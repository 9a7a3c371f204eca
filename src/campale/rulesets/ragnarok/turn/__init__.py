"""The turn and its phases.

sequence     The order of the battle
tactical     The tactical phase
declaring    Declarations
actions      The actions
control_area The control area
commander    The commander
reactions    Reactions
abilities    Abilities
"""
