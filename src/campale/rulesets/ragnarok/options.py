"""The optional rules, and the rulings that a club may settle differently: agreed on before the forces are built."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.rule import rule
from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """The optional rules, independent of each other and off by default, and the rulings, by default the ledger's."""

    weight: bool = False
    ammunition: bool = False
    jams: bool = False
    reserves: bool = False
    extra_time: bool = False
    night: bool = False
    rerolls: str = "own"
    countermoves: str = "move-or-turn"
    hidden_shots: str = "bonus"
    brawls: str = "barred"
    duels: str = "either"


@rule("options/switches")
def switches() -> tuple[Switch, ...]:
    return (
        Switch("weight", "opt-weight/limit", {"en": "Weight", "it": "Peso"}),
        Switch("ammunition", "opt-ammo/pool", {"en": "Limited ammunition", "it": "Munizioni limitate"}),
        Switch("jams", "opt-jam/when", {"en": "Jamming", "it": "Inceppamento"}),
        Switch("reserves", "opt-reserves/choice", {"en": "Reserves", "it": "Riserve"}),
        Switch("extra_time", "opt-time/extra-turns", {"en": "Extra time", "it": "Il tempo"}),
        Switch("night", "opt-night/choice", {"en": "Night", "it": "La notte"}),
    )


@rule("options/switches")
def rulings() -> tuple[Switch, ...]:
    """Return the rulings on sentences of the book that can be read in two ways; the ledger's reading comes first."""
    return (
        Switch(
            "rerolls",
            "commander/reroll",
            {"en": "The commander repeats its own tests, or those in its radius", "it": "Ritiri del comandante"},
            ("own", "radius"),
            "own",
        ),
        Switch(
            "countermoves",
            "countermove/move",
            {"en": "A Countermove is a move or a turn, or both", "it": "Contromossa: movimento o giro, o entrambi"},
            ("move-or-turn", "both"),
            "move-or-turn",
        ),
        Switch(
            "hidden_shots",
            "hide/bonus",
            {"en": "A shot from hiding has the bonus, or has none", "it": "Bonus al tiro da nascosti"},
            ("bonus", "none"),
            "bonus",
        ),
        Switch(
            "brawls",
            "vision/engaged-targets",
            {"en": "Shots into a melee are barred, or allowed", "it": "Tiri nelle mischie"},
            ("barred", "allowed"),
            "barred",
        ),
        Switch(
            "duels",
            "mental-duel/eligibility",
            {"en": "Mages and psionics block either kind, or their own", "it": "Duelli fra maghi e psionici"},
            ("either", "own-kind"),
            "either",
        ),
    )
