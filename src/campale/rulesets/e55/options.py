"""What a club may settle otherwise before the game: the optional rules, and the rulings that name another reading."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.rule import rule
from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """The ledger's readings. ``capturing``: who captures objectives, "missions" or "infantry"."""

    capturing: str = "missions"
    own_turn_mode: bool = False


@rule("6/objective-statement", "6.1.1/own-turn-mode-option")
def switches() -> tuple[Switch, ...]:
    return (
        Switch(
            "capturing",
            "6/objective-statement",
            {"en": "Who captures objectives: by the missions, or infantry only", "it": "Chi conquista gli obiettivi"},
            ("missions", "infantry"),
            "missions",
        ),
        Switch(
            "own_turn_mode",
            "6.1.1/own-turn-mode-option",
            {"en": "Flying units choose their mode in their own turn too", "it": "Modo anche nel proprio turno"},
        ),
    )
