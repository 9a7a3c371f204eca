"""How much the conformance suite plays: the only place where that is said."""

SETUPS = 2
"""So many of a ruleset's starters are played."""

BATTLES = 1
"""Whole battles at random of each setup, besides the seven or so that the single tests play, each with its own seed."""

MOST_ANSWERS = 20_000
"""A battle that wants more answers than this has no end."""

LOOKS = 40
"""At about so many questions of a battle a costly look is taken."""

FURTHER = 12
"""So many answers on, a copy is still compared with the original."""

OPTIONS = 8
"""So many options, suggestions and samples of a question are tried."""

EXHAUSTION_ANSWERS = 6_000
"""After so many answers in all, every rule of a small book must have been applied."""
