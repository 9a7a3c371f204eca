"""The contents of a test table: the profiles, tables and moments of a book; and a scenario as a screen shows it."""

from __future__ import annotations

from typing import Any

import msgspec
import yaml

from campale.referee.game import Game
from campale.referee.handles import Model
from campale.referee.position import RESERVE, Position
from campale.referee.records.record import CHANCE_KINDS
from campale.referee.ruleset import Ruleset, Stage
from campale.referee.scenarios.file import Expect, ModelSpec, Scenario, TableSpec
from campale.referee.scenarios.stage import Stage as SetOut
from campale.referee.scenarios.stage import alike
from campale.referee.scenarios.writing import piece_plain
from campale.referee.telling.teller import Teller
from campale.screen.scene import Eyes, drawn, piece_shown, scene_of, shape_shown, table_of
from campale.screen.shown import ModelShown, PieceShown, ShapeShown, TableShown, TokenShown, UnitShown
from campale.table.terrain import Ground

WIDE = 110
"""The longest line of a written file."""


class ProfileKit(msgspec.Struct, frozen=True):
    """A profile by its name in files. ``likeness``: how its models are drawn."""

    name: str
    title: str
    shape: ShapeShown
    likeness: str


class MomentKit(msgspec.Struct, frozen=True):
    """A phase in which a test may begin, and the ``now`` of a file for it."""

    name: str
    title: str
    now: dict[str, Any]


class TableKit(msgspec.Struct, frozen=True):
    """A table ready to play on: as a file has it, and how its pieces are shown."""

    name: str
    title: str
    table: dict[str, Any]
    pieces: list[PieceShown]


class Kit(msgspec.Struct, frozen=True):
    """``alone``: every model is a unit of its own."""

    book: str
    title: str
    table: TableShown
    alone: bool
    profiles: list[ProfileKit]
    moments: list[MomentKit]
    tables: list[TableKit]


class LaidOut(msgspec.Struct, frozen=True):
    """A scenario on the test table: with every model listed separately, as a file, and its table as shown.

    ``text`` is the file for people; it holds the dice with which it begins, if any. ``asks``: whether any side has a
    question when it begins. ``left_out``: it had steps, expectations or a goal. ``profiles``: those that the file
    describes itself. ``since``: how many answers the battle had between this position and the requested moment.
    ``models``, ``units``, ``tokens``: as a battle shows them, with wounds, states and markers; the models row by row as
    in the file.
    """

    scenario: dict[str, Any]
    text: str
    table: TableShown
    pieces: list[PieceShown]
    asks: bool
    left_out: bool
    profiles: list[ProfileKit] = []
    since: int = 0
    models: list[ModelShown] = []
    units: list[UnitShown] = []
    tokens: list[TokenShown] = []


# ---------------------------------------------------------------- the contents


def kit_of(ruleset: Ruleset, language: str) -> Kit:
    """The test table's contents for a book. Raises LookupError for a book without named profiles."""
    stage = ruleset.stage
    if stage is None or stage.profiles is None:
        raise LookupError(ruleset.name)
    teller = Teller(ruleset, language)
    bare = Position(ruleset, Ground(*stage.size))
    profiles = [profile_kit(bare, *one, language) for one in stage.profiles().items()]
    return Kit(
        ruleset.name,
        ruleset.title[language],
        table_of(bare),
        stage.alone,
        sorted(profiles, key=lambda one: one.title),
        [MomentKit(name, teller.word("phase", name), dict(now)) for name, now in stage.moments.items()],
        tables_of(ruleset, stage, teller),
    )


def profile_kit(bare: Position, name: str, profile: Any, language: str) -> ProfileKit:
    model = stand_in(bare, profile)
    title = getattr(profile, "title", None) or {}
    shape = shape_shown(bare.ruleset.solid(model))
    return ProfileKit(name, title.get(language) or name.replace("_", " "), shape, drawn(model).kind)


def stand_in(bare: Position, profile: Any) -> Model:
    """A model of a profile, outside of any battle."""
    position = Position(bare.ruleset, bare.ground)
    return position.add_model("one", profile, 0, position.add_unit("one", 0), RESERVE)


def tables_of(ruleset: Ruleset, stage: Stage, teller: Teller) -> list[TableKit]:
    """The tables that come with the book."""
    layouts = ruleset.offers().layouts if ruleset.offers is not None else ()
    return [
        TableKit(
            one.name,
            one.title[teller.language],
            plain_of(TableSpec(one.width, one.depth, tuple(piece_plain(piece) for piece in one.pieces))),
            [piece_shown(piece, teller) for piece in one.pieces],
        )
        for one in layouts
    ]


# ---------------------------------------------------------------- the scenario


KEPT = (
    *("campale", "ruleset", "title", "options", "table", "weapons", "profiles", "whole", "units", "sides", "now"),
    *("declared", "effects", "losses", "tokens", "snapshots"),
)
STEPS = ("play", "goal", "solution")


def laid_out(out: SetOut, language: str) -> LaidOut:
    """A scenario that was set out, for the test table."""
    scenario, position = out.scenario, out.game.position
    models = tuple(single(one) for spec in scenario.models for one in alike(spec))
    plain = plain_of(Scenario(models=models, **{name: getattr(scenario, name) for name in KEPT}))
    for one in plain["models"]:
        del one["step"]
    shown, dice = scene_of(Eyes(None, position, Teller.of(out.game, language, position))), dice_of(out.game)
    return LaidOut(
        plain,
        written({**plain, **({"dice": dice} if dice else {})}),
        shown.table,
        shown.pieces,
        any(out.game.question_for(side) is not None for side in (0, 1)),
        scenario.expect != Expect() or any(getattr(scenario, name) for name in STEPS),
        own_profiles(out, language),
        models=shown.models,
        units=shown.units,
        tokens=shown.tokens,
    )


def own_profiles(out: SetOut, language: str) -> list[ProfileKit]:
    """The profiles described by a file and used by its models."""
    own = out.scenario.profiles
    used = {
        spec.profile: row
        for row, (_, spec) in enumerate(out.roster)
        if isinstance(spec.profile, str) and spec.profile in own
    }
    bare, profiles = Position(out.ruleset, out.game.position.ground), out.game.position.profiles
    return [profile_kit(bare, name, profiles[row], language) for name, row in used.items()]


def dice_of(game: Game) -> list[Any]:
    """The dice rolled so far, in the form of a file: a battle may begin with dice."""
    values = [entry.answer for entry in game.line if entry.kind in CHANCE_KINDS]
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def single(spec: ModelSpec) -> ModelSpec:
    return msgspec.structs.replace(spec, count=None, step=(0.0, 0.0))


def plain_of(part: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(part)
    return plain


def written(plain: dict[str, Any]) -> str:
    """A readable file: short parts on one line."""
    how: Any = {"sort_keys": False, "allow_unicode": True, "width": WIDE, "default_flow_style": None}
    text: str = yaml.dump(plain, Dumper=Spelt, **how)
    return text


class Spelt(yaml.SafeDumper):
    """Repeated parts are written twice: a file has no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
