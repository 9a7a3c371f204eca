"""The rulings that a club may settle otherwise: agreed on before the armies are mustered."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """The ledger's readings are the defaults."""

    mortal_wounds: str = "all"
    deadly_demise: str = "after-attacks"


SWITCHES = (
    Switch(
        "mortal_wounds",
        "mortal-wounds/normal-first",
        {
            "en": "When mortal wounds of attacks are suffered",
            "it": "Quando si subiscono le ferite mortali",
        },
        ("all", "per-target"),
        "all",
    ),
    Switch(
        "deadly_demise",
        "core-abilities/deadly-demise",
        {"en": "When Deadly Demise is rolled", "it": "Quando si tira per la Fine Letale"},
        ("after-attacks", "at-once"),
        "after-attacks",
    ),
)
