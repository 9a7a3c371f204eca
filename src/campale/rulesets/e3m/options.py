"""Rulings that a club may settle differently, agreed before the forces are built."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """The options of a battle. The defaults are the ledger's readings."""

    reveal_all: bool = False
    reduced_as_moved: bool = False
    vehicles_fire_and_move: bool = False
    halt_any_losses: bool = False
    light_overrun: bool = False
    glancing_immobilised_4: bool = False
    full_attacks_at_two: bool = False


SWITCHES = (
    Switch(
        "reveal_all",
        "orders/reveal",
        {"en": "All orders are shown in step 2", "it": "Tutti gli ordini si mostrano nella fase 2"},
    ),
    Switch(
        "reduced_as_moved",
        "fire/reduced-strength",
        {
            "en": "Reduced strength: as having moved, not half the dice",
            "it": "Forza ridotta: come chi ha mosso, non metà dei dadi",
        },
    ),
    Switch(
        "vehicles_fire_and_move",
        "fire/preparatory-vehicles",
        {
            "en": "Vehicles may always move after preparatory fire",
            "it": "I veicoli possono sempre muovere dopo il fuoco preparatorio",
        },
    ),
    Switch(
        "halt_any_losses",
        "orders/forced-halt",
        {"en": "Any losses force a Halt, in melee too", "it": "Ogni perdita impone la Ferma, anche in mischia"},
    ),
    Switch(
        "light_overrun",
        "vehicles/overrun-who",
        {"en": "Light vehicles overrun too", "it": "Anche i veicoli leggeri travolgono"},
    ),
    Switch(
        "glancing_immobilised_4",
        "base-vehicle/glancing-table",
        {
            "en": "Glancing hits: immobilised at 4, weapon destroyed at 5",
            "it": "Colpi di striscio: immobilizzato con 4, arma distrutta con 5",
        },
    ),
    Switch(
        "full_attacks_at_two",
        "base-melee/who-fights",
        {
            "en": "Full attacks for models within 2 inches",
            "it": "Attacchi interi per i modelli entro 2 pollici",
        },
    ),
)
