"""The amount of play in the conformance suite, set only here."""

import os

THOROUGH = os.environ.get("CAMPALE_THOROUGH", "") not in ("", "0")
"""Whether ``CAMPALE_THOROUGH`` in the environment asks for all that can be tried, as ``make nightly`` does."""

SETUPS = 2
"""The number of a ruleset's starters that are played."""

COSTLY = SETUPS if THOROUGH else 1
"""The number of starters with which tests are run that are marked ``costly``."""

BATTLES = 1
"""Whole random battles per set-up, besides four that single tests play, each with its own seed."""

MOST_ANSWERS = 20_000
"""A battle that needs more answers than this counts as endless."""

LOOKS = 40
"""The number of questions of a battle at which costly checks are made."""

LOADS = 3
"""The number of files of a battle that are loaded, besides that of its end."""

TOGETHER = 12
"""The number of moments at which both sides are asked, and at which it is tried what the one learns of the other."""

FURTHER = 12
"""The number of further answers for which a copy is compared with the original."""

OPTIONS = 8
"""The number of options, suggestions and samples of a question that are tried."""

EXHAUSTION_ANSWERS = 6_000
"""The number of answers after which every rule of a small book must have been applied."""
