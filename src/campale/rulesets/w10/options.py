"""The rulings that a club may decide otherwise, agreed before the armies are mustered."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """The choices; the defaults are the readings of the ledger."""

    mortal_wounds: str = "all"
    deadly_demise: str = "after-attacks"
    best_save: str = "as-printed"
    mixed_fly: str = "model"
    damage_zero: str = "first"
    aircraft_minimum: str = "before-pivot"


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
    Switch(
        "best_save",
        "modifiers/improve-ws-bs-sv-ld",
        {"en": "How good a modified Save may be", "it": "Quanto può essere buono un Tiro Salvezza modificato"},
        ("as-printed", "two-plus"),
        "as-printed",
    ),
    Switch(
        "mixed_fly",
        "v/fly",
        {"en": "Who crosses enemies in a unit that can FLY", "it": "Chi supera i nemici in un'unità che può VOLARE"},
        ("model", "unit"),
        "model",
    ),
    Switch(
        "damage_zero",
        "modifiers/damage-zero",
        {"en": "What a change of Damage to 0 goes before", "it": "Su che cosa prevale un Danno cambiato in 0"},
        ("first", "over-replacements"),
        "first",
    ),
    Switch(
        "aircraft_minimum",
        "aircraft/move",
        {"en": "When the 20 inches of AIRCRAFT are judged", "it": "Quando si misurano i 20 pollici degli AEROMOBILI"},
        ("before-pivot", "after-pivot"),
        "before-pivot",
    ),
)
