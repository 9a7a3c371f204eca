"""The rulesets that only tests play."""

from __future__ import annotations

from campale.referee.ruleset import EXTRA_PACKAGES

PACKAGES = ("tests.conformance.drill", "campale.rulesets._template")
ONLY_TESTED = ("drill", "_template")


def register() -> None:
    """Let them be found."""
    EXTRA_PACKAGES.extend(package for package in PACKAGES if package not in EXTRA_PACKAGES)
