"""What abilities may do at a moment, and the moments: only the words (the functions are in ``deeds``)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Moment = Literal[
    "redeploy",
    "command-starts",
    "command",
    "command-ends",
    "movement",
    "movement-ends",
    "attacked",
    "has-shot",
    "has-fought",
    "unsaved",
    "falls",
    "phase-ends",
    "enemy-turn-ends",
    "stratagem-used",
    "shooting-menu",
    "chosen-to-fight",
]
"""Moments of abilities; phases and turns are those of the bearer's side unless stated otherwise.

``redeploy``: both armies are deployed. ``command``, ``movement``: during the phase. ``attacked``: just after an
enemy unit has made its attacks. ``unsaved``: a save has failed. ``falls``: the bearer is destroyed, but not yet
removed. ``phase-ends``: the end of any phase in which the bearer was destroyed. ``stratagem-used``: a Stratagem of
its own side has targeted a unit. The last two are windows of Stratagems.
"""
MENUS = ("movement",)
"""Moments at which an ability is listed among the next actions of a side, for as long as it can be used."""
Once = Literal["battle", "round", "turn", "phase", ""]
Until = Literal["phase", "turn", "own-command"]
Act = Literal[
    "redeploy",
    "shoot-again",
    "fight-alone",
    "fight-on-death",
    "shoot-on-death",
    "shoot-back",
    "move",
    "surge",
    "reserves",
    "set-up-again",
    "replace",
    "keep-marker",
    "no-damage",
    "battle-shock",
]
ATTACKING = ("shoot-again", "fight-alone", "shoot-back")
"""Acts of models still alive that make attacks, and so raise further moments."""
Played = ("act", "heals", "suffers", "returns", "returns_up_to", "comes_back", "cp", "lends", "table")
"""The effects that happen at a moment."""


class Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``more`` extra dice of a roll, and as many dice discarded."""

    roll: Literal["charge"]
    more: Annotated[int, msgspec.Meta(ge=1, le=3)]
    discard: Literal["lowest", "highest"]


class Pick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One unit of a side with a model within so many inches of the bearer; ``keyword``: only units that have it."""

    side: Literal["friendly", "enemy"]
    inches: Annotated[float, msgspec.Meta(gt=0, le=200)]
    keyword: str = ""


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dice rolled for an ability. ``on``: the effects happen only on this result or more (of one die). ``as_tens``: two
    dice are read as tens and units. ``discard``: the dice discarded, one after another; then the effects happen one by
    one for a pair, for three alike, and so on. ``alike``: how many alike the first effect needs.
    """

    count: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    on: Annotated[int, msgspec.Meta(ge=1, le=6)] = 1
    as_tens: bool = False
    discard: Annotated[tuple[Literal["lowest", "highest"], ...], msgspec.Meta(max_length=4)] = ()
    alike: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0


Written = Annotated[str, msgspec.Meta(pattern=r"^(\d{0,2}D[36](\+\d{1,2})?|\d{1,2})$")]
"""A fixed or random number: 1, D3, 2D6+1."""
