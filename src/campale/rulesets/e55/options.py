"""What a club may settle differently before the game: optional rules, and rulings that name another reading."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.rule import rule
from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """The ledger's readings. ``capturing``: who captures objectives, "missions" or "infantry"."""

    capturing: str = "missions"
    own_turn_mode: bool = False
    arrivals_stay_aboard: bool = False


@rule("6/objective-statement", "6.1.1/own-turn-mode-option", "7.10/disembark")
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
        Switch(
            "arrivals_stay_aboard",
            "7.10/disembark",
            {
                "en": "Who enters from reserve inside a transport stays aboard in that turn",
                "it": "Chi entra dalle riserve in un trasporto resta a bordo in quel turno",
            },
        ),
    )
