"""A toy book for the tests of players, simulation, screens and commands: every kind of question, few rules."""

from .rules import RULESET as RULESET
