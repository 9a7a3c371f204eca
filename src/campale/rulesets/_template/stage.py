"""Scenario files: models of the book, changed where a file says so, in the midst of a turn."""

from __future__ import annotations

from typing import Any

from campale.mechanics.setup import scenarios
from campale.referee.position import Position
from campale.referee.ruleset import Stage
from campale.table.terrain import Piece

from .profile import PROFILES, Profile
from .setup import SIZE, wood


def profile(plain: dict[str, Any], described: scenarios.Described = scenarios.NOTHING) -> Profile:
    """``profile`` names a kind of model; every other key changes a field of it."""
    changes = {key: value for key, value in plain.items() if key != "profile"}
    return scenarios.with_changes(scenarios.profile_known(str(plain["profile"]), PROFILES), changes)


def piece(plain: dict[str, Any]) -> Piece:
    """A wood around ``at``."""
    x, y = plain["at"]
    return wood(str(plain["name"]), (float(x), float(y)))


def prepare(position: Position) -> None:
    """The first side is about to activate a unit in turn 1, unless the file says otherwise."""
    scenarios.take_usual(position, {"phase": "activations", "turn": 1, "side": 0})
    scenarios.take_usual_edges(position)
    scenarios.face_each_other(position)
    scenarios.check_apart(position)


STAGE = Stage(profile, piece, prepare, (SIZE, SIZE), profiles=lambda: PROFILES)
