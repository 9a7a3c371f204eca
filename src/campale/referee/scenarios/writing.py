"""Writes a position as a complete scenario file: setting out the file gives the same position again.

Models and units keep their rows, because counts and notes of a ruleset may refer to them by number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from campale.referee.columns import Counters, Effect, Loss, Token
from campale.referee.handles import Model
from campale.referee.position import ABOARD, Position
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset
from campale.referee.scenarios.file import (
    EffectSpec,
    LossSpec,
    ModelSpec,
    Scenario,
    SideSpec,
    TableSpec,
    TokenSpec,
    Told,
    UnitSpec,
)
from campale.referee.scenarios.stage import ABOARD_OF, WHERE
from campale.table.terrain import Piece

WHERES = {number: name for name, number in WHERE.items()}
MOST_LETTERS = 50
CAPITAL = re.compile(r"[A-ZÀ-Þ]")


def scenario_of(position: Position, options: dict[str, Any], title: Told) -> Scenario:
    """The scenario of a whole position; the reader of the file checks the limits on its size."""
    return Writing(position).scenario(options, title)


def piece_plain(piece: Piece) -> dict[str, Any]:
    """A piece by its outline, as files of every book may have it, with its height and floors if any."""
    plain: dict[str, Any] = msgspec.to_builtins(piece)
    return {name: value for name, value in plain.items() if value or name == "kind"}


class Writing:
    """One position, with the names that its models, units and profiles have in the file."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.ids = distinct([name if CAPITAL.match(name) else f"M {name}" for name in position.names])
        self.units = distinct(position.unit_names)
        self.written: dict[int, str] = {}
        self.profiles: dict[str, dict[str, Any]] = {}

    def scenario(self, options: dict[str, Any], title: Told) -> Scenario:
        position, ground = self.position, self.position.ground
        models = tuple(self.model(model) for model in position.models)
        return Scenario(
            campale="scenario/1",
            ruleset=position.ruleset.name,
            title=title,
            whole=True,
            models=models,
            profiles=self.profiles,
            options=options,
            table=TableSpec(ground.width, ground.depth, tuple(piece_plain(one) for one in ground.pieces)),
            units={name: self.unit(row) for row, name in enumerate(self.units)},
            sides={str(side + 1): self.side(side) for side in range(position.of_sides.rows)},
            now=self.values(position.now),
            declared=self.values(position.declared),
            effects=tuple(self.effect(one) for one in position.effects),
            losses=tuple(self.loss(one) for one in position.losses),
            tokens=tuple(self.token(one) for one in position.tokens),
            snapshots={name: self.places(taken) for name, taken in position.snapshots.items()},
        )

    # ------------------------------------------------------------------ models, units, sides

    def model(self, model: Model) -> ModelSpec:
        row, position = model.row, self.position
        units = self.units[position.unit_of[row]], self.units[position.bought_with[row]]
        at = (position.x[row], position.y[row], position.z[row])
        return ModelSpec(
            self.ids[row],
            self.profile(position.profiles[row]),
            position.side_of[row] + 1,
            at if any(at) or position.where[row] == WHERE["table"] else None,
            facing=position.facing[row],
            where=self.where(model),
            unit=units[0],
            bought_with=None if units[0] == units[1] else units[1],
            marks=counts(position.of_models, row),
            notes=self.notes(position.of_models, row),
        )

    def where(self, model: Model) -> str:
        carrier = model.aboard_of
        return ABOARD_OF + self.ids[carrier.row] if model.where == ABOARD and carrier else WHERES[model.where]

    def profile(self, profile: Any) -> str:
        """The profile's name if the ruleset makes the same profile of it; else a new name, described in the file."""
        if id(profile) not in self.written:
            self.written[id(profile)] = listed(self.position.ruleset, profile) or self.own(profile)
        return self.written[id(profile)]

    def own(self, profile: Any) -> str:
        plain = msgspec.to_builtins(profile, str_keys=True)
        known = next((name for name, one in self.profiles.items() if one == plain), None)
        if known is not None:
            return known
        title = getattr(profile, "title", None) or {}
        name = distinct([*self.profiles, title.get("en") or "Profile"])[-1]
        self.profiles[name] = plain
        return name

    def unit(self, row: int) -> UnitSpec:
        kept = self.position.of_units
        return UnitSpec(dict(counts(kept, row)), self.notes(kept, row), self.position.unit_side[row] + 1)

    def side(self, side: int) -> SideSpec:
        kept = self.position.of_sides
        holds: dict[str, Any] = {name: self.value(of[side]) for name, of in kept.notes.items() if of.get(side)}
        return SideSpec(counts(kept, side), holds)

    def notes(self, kept: Counters, row: int) -> dict[str, Plain]:
        return {name: self.value(of[row]) for name, of in kept.notes.items() if row in of}

    # ------------------------------------------------------------------ what went before

    def effect(self, one: Effect) -> EffectSpec:
        names = {"model": self.ids, "unit": self.units}.get(one.on)
        bearer = str(one.bearer + 1) if names is None else names[one.bearer]
        source = None if one.source < 0 else self.ids[one.source]
        on: Any = one.on
        return EffectSpec(one.rule, bearer, source, one.until, self.value(one.value), on)

    def loss(self, one: Loss) -> LossSpec:
        authors = self.units if self.position.ruleset.authors == "unit" else self.ids
        moment: Any = self.value(one.moment)
        return LossSpec(self.ids[one.model], one.cause, None if one.by < 0 else authors[one.by], moment)

    def token(self, one: Token) -> TokenSpec:
        side = None if one.side < 0 else one.side + 1
        return TokenSpec(one.kind, (one.x, one.y, one.z), side, self.value(one.value))

    def places(self, taken: dict[int, tuple[float, float, float, float]]) -> dict[str, Any]:
        return {self.ids[row]: (x, y, facing, z) for row, (x, y, z, facing) in taken.items()}

    # ------------------------------------------------------------------ free values

    def values(self, values: dict[str, Plain]) -> dict[str, Plain]:
        return {name: self.value(one) for name, one in values.items()}

    def value(self, value: Plain) -> Plain:
        """A value as it is; a text that is also the name of a model is marked as a text."""
        if isinstance(value, str):
            return {"text": value} if value in self.ids else value
        if isinstance(value, list | tuple):
            return [self.value(one) for one in value]
        if isinstance(value, dict):
            return {key: self.value(one) for key, one in value.items()}
        return value


def counts(kept: Counters, row: int) -> dict[str, int]:
    return {name: column[row] for name, column in kept.columns.items() if column[row]}


def listed(ruleset: Ruleset, profile: Any) -> str:
    """The name by which a file finds exactly this profile; empty if there is none."""
    stage = ruleset.stage
    if stage is None or stage.profiles is None:
        return ""
    return next((name for name, one in stage.profiles().items() if one == profile and same(ruleset, name, profile)), "")


def same(ruleset: Ruleset, name: str, profile: Any) -> bool:
    try:
        return bool(ruleset.stage is not None and ruleset.stage.profile({"profile": name}, {}) == profile)
    except (KeyError, TypeError, ValueError):
        return False


def distinct(names: Sequence[str]) -> list[str]:
    """The names made distinct: a repeated name gets a number after it."""
    found: list[str] = []
    for name in names:
        found.append(next(one for one in numbered(name[:MOST_LETTERS]) if one not in found))
    return found


def numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name} ({number})"
        number += 1
