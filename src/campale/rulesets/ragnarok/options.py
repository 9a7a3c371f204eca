"""The optional rules: switches that are set by agreement before the forces are built."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.rule import rule
from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """All off by default, each independent of the others."""

    weight: bool = False
    ammunition: bool = False
    jams: bool = False
    reserves: bool = False
    extra_time: bool = False
    night: bool = False


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
