"""The rulings that a club may settle otherwise: agreed on before the forces are built."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """The ledger's readings are the defaults."""

    advanced: bool = True
    resources_once: bool = False


SWITCHES = (
    Switch(
        "advanced",
        "setup/modes",
        {
            "en": "Advanced game, with a deck of cards for each player",
            "it": "Gioco avanzato, con un mazzo per giocatore",
        },
    ),
    Switch(
        "resources_once",
        "setup/resources",
        {
            "en": "Burned Resource cards are never turned up again",
            "it": "Le carte Risorsa accese non si rigirano più",
        },
    ),
)
