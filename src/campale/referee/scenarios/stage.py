"""Sets out a scenario file: its ruleset, table, models, history and dice."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from campale.dice.sources import Scripted, ScriptError, Source
from campale.referee.game import Game
from campale.referee.position import FALLEN, GONE, RESERVE, TABLE, Effect, Loss, Model, Position, Token, tupled
from campale.referee.reading import FileError, Place, Written, converted, say
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.referee.scenarios.file import ModelSpec, Scenario, SideSpec, UnitSpec
from campale.referee.scenarios.names import Names, checked_numbers
from campale.referee.telling.spoken import Spoken
from campale.table.shapes import rounded
from campale.table.terrain import Ground, Piece

WHERE = {"table": TABLE, "reserve": RESERVE, "fallen": FALLEN, "gone": GONE}
ABOARD_OF = "aboard "
MOST_MODELS, FEWEST_CORNERS = 200, 3
DIE = re.compile(r"-?\d{1,6}(\.\d{1,6})?")


def alike(spec: ModelSpec) -> list[ModelSpec]:
    """The models of one entry: itself, or as many as its count, a step apart."""
    if spec.count is None:
        return [spec]
    return [
        msgspec.structs.replace(
            spec,
            id=f"{spec.id}{k + 1}",
            unit=spec.unit or spec.id,
            at=spec.at and (spec.at[0] + k * spec.step[0], spec.at[1] + k * spec.step[1], *spec.at[2:]),
        )
        for k in range(spec.count)
    ]


class Stage:
    """A scenario set out: the game, and the names in its file. Raises FileError if it cannot be set out.

    ``dice``: dice to use in place of those of the file.
    """

    def __init__(self, scenario: Scenario, written: Written, dice: Source | None = None) -> None:
        checked_numbers(written)
        self.scenario = scenario
        self.written = written
        self.ruleset = self.loaded()
        position = Position(self.ruleset, self.ground())
        self.names = Names(written, self.ruleset, position)
        self.names.rules(scenario.rules, ("rules",))
        self.dice = Scripted(self.script()) if dice is None else dice
        self.set_out(position)
        self.game = self.begun(position)

    def fail(self, place: Place, what: str) -> FileError:
        return FileError(say("differs", at=self.written.where(place), what=what))

    # ------------------------------------------------------------------ the book, the dice, the table

    def loaded(self) -> Ruleset:
        try:
            ruleset = load_ruleset(self.scenario.ruleset)
        except KeyError as error:
            raise self.fail(("ruleset",), f"{error.args[0]}") from None
        except (ImportError, AttributeError) as error:
            raise self.fail(("ruleset",), f"the ruleset cannot be loaded: {error}") from None
        try:
            return ruleset.with_options(self.scenario.options)
        except (TypeError, ValueError) as error:
            raise self.fail(("options",), f"{error}") from None

    def script(self) -> list[float]:
        """The dice as numbers, from a list or from a text separated by spaces or bars."""
        dice = self.scenario.dice
        words = [f"{one:g}" for one in dice] if not isinstance(dice, str) else dice.replace("|", " ").split()
        wrong = next((word for word in words if not DIE.fullmatch(word)), None)
        if wrong is not None:
            raise self.fail(("dice",), f"'{wrong[:20]}' is no die; write numbers with spaces or bars between them")
        return [float(word) if "." in word else int(word) for word in words]

    def ground(self) -> Ground:
        spec = self.scenario.table
        width, depth = self.ruleset.stage.size if self.ruleset.stage is not None else (48.0, 48.0)
        pieces = tuple(self.piece(number, plain) for number, plain in enumerate(spec.pieces))
        names = [piece.name for piece in pieces]
        twice = next((n for n, name in enumerate(names) if name in names[:n]), None)
        if twice is not None:
            raise self.fail(("table", "pieces", twice), say("twice-a-piece", name=names[twice]))
        return Ground(spec.width or width, spec.depth or depth, pieces)

    def piece(self, number: int, plain: dict[str, Any]) -> Piece:
        named = {"name": f"{plain.get('kind', 'piece')}-{number + 1}", **plain}
        try:
            if "outline" in plain or self.ruleset.stage is None:
                return with_room(msgspec.convert({"kind": "piece", **named}, Piece))
            return self.ruleset.stage.piece(named)
        except Exception as error:
            raise self.fail(("table", "pieces", number), say("no-piece", what=told(error))) from None

    # ------------------------------------------------------------------ the models

    def set_out(self, position: Position) -> None:
        """Set out models, units and sides, then everything usual in the book; the file has the last word."""
        scenario = self.scenario
        self.roster = [(place, one) for place, spec in enumerate(scenario.models) for one in alike(spec)]
        if len(self.roster) > MOST_MODELS:
            raise self.fail(("models",), say("too-many-models", count=len(self.roster), most=MOST_MODELS))
        for name, of in scenario.units.items():
            if of.side is not None:
                position.add_unit(name, of.side - 1)
        for place, spec in self.roster:
            self.enlist(position, place, spec)
        for row, (place, spec) in enumerate(self.roster):
            self.station(position.model(row), spec, ("models", place, "where"))
        self.dress_all(position)
        for number, side in scenario.sides.items():
            self.endow(position, number, side)
        self.names.known("now", scenario.now, ("now",))
        position.now.update({key: tupled(self.names.value(one, ("now", key))) for key, one in scenario.now.items()})
        self.add_history(position)
        self.prepare(position)
        self.dress_all(position)
        for number, side in scenario.sides.items():
            fill_pools(position, number, side)

    def prepare(self, position: Position) -> None:
        if self.ruleset.stage is None:
            return
        prepared = position
        if self.scenario.whole:
            prepared = position.copy()
            prepared.forget()
        try:
            self.ruleset.stage.prepare(prepared)
        except Exception as error:
            raise self.fail(("now",), say("no-moment", what=told(error))) from None
        if self.scenario.whole:
            self.take_usual(position, prepared)

    def take_usual(self, position: Position, prepared: Position) -> None:
        """For a whole file: take the usual additions only for the units that the file does not describe fully."""
        units = self.scenario.units
        new = {row for row, name in enumerate(position.unit_names) if name not in units or units[name].side is None}
        models = [model.row for model in position.models if position.bought_with[model.row] in new]
        for row in models:
            position.facing[row] = prepared.facing[row]
        for kept, usual, rows in (
            (position.of_models, prepared.of_models, models),
            (position.of_units, prepared.of_units, sorted(new)),
        ):
            for row in rows:
                kept.take(row, usual)
        position.forget()

    def enlist(self, position: Position, number: int, spec: ModelSpec) -> None:
        place: Place = ("models", number)
        if spec.id in position.names:
            raise self.fail((*place, "id"), say("twice-a-model", name=spec.id))
        profile = self.profile(place, spec.profile)
        units = [self.unit(position, name or spec.id, spec.side) for name in (spec.unit, spec.bought_with or spec.unit)]
        model = position.add_model(spec.id, profile, spec.side - 1, position.units[units[1]], RESERVE)
        if spec.unit is not None and units[0] != units[1]:
            position.join(model, position.units[units[0]])
        if spec.at is not None:
            self.put(model, spec, (*place, "at"))

    def profile(self, place: Place, written: str | dict[str, Any]) -> Any:
        own = self.scenario.profiles.get(written) if isinstance(written, str) else None
        plain = {"profile": written} if isinstance(written, str) else written
        try:
            if own is not None:
                return converted(own, self.ruleset.profile_type)
            if self.ruleset.stage is None:
                return msgspec.convert(plain, self.ruleset.profile_type)
            return self.ruleset.stage.profile(plain, self.scenario.weapons)
        except Exception as error:
            what = say("no-profile-of", book=self.ruleset.name, what=told(error))
            raise self.fail((*place, "profile"), what) from None

    def unit(self, position: Position, name: str, side: int) -> int:
        if name in position.unit_names:
            return position.unit_names.index(name)
        return position.add_unit(name, side - 1).row

    def put(self, model: Model, spec: ModelSpec, place: Place) -> None:
        """Put a model on the table, at the height of the ground if no height is given."""
        x, y, *z = spec.at or (0.0, 0.0)
        ground = model.position.ground
        if not (0 <= x <= ground.width and 0 <= y <= ground.depth):
            raise self.fail(
                place, say("off-table", x=f"{x:g}", y=f"{y:g}", width=f"{ground.width:g}", depth=f"{ground.depth:g}")
            )
        model.move_to(x, y, z[0] if z else None, facing=0.0)

    def station(self, model: Model, spec: ModelSpec, place: Place) -> None:
        position = model.position
        if spec.where.startswith(ABOARD_OF):
            carrier = self.names.model(spec.where.removeprefix(ABOARD_OF), place)
            position.take_off(model, aboard_of=position.model(carrier))
        elif spec.where in ("table", "fallen") and spec.at is None:
            what = "say where it stands (at: [x, y]), or that it is elsewhere (where: reserve)"
            raise self.fail(place[:2], what)
        else:
            position.where[model.row] = WHERE[spec.where]
            position.forget()

    def dress_all(self, position: Position) -> None:
        for row, (place, spec) in enumerate(self.roster):
            self.dress(position.model(row), spec, ("models", place))
        for name, of in self.scenario.units.items():
            self.dress_unit(position, name, of)

    def dress(self, model: Model, spec: ModelSpec, place: Place) -> None:
        """Set a model's marks, notes and facing."""
        self.names.known("marks", spec.marks, (*place, "marks"))
        self.names.known("notes", spec.notes, (*place, "notes"))
        if spec.facing is not None:
            model.position.facing[model.row] = rounded(spec.facing % 360.0)
            model.position.forget()
        for mark, value in spec.marks.items():
            model.mark(mark, value)
        for note, value in spec.notes.items():
            model.jot(note, self.names.value(value, (*place, "notes", note)))

    def dress_unit(self, position: Position, name: str, spec: UnitSpec) -> None:
        unit = position.units[self.names.unit(name, ("units", name))]
        self.names.known("unit-marks", spec.marks, ("units", name, "marks"))
        self.names.known("unit-notes", spec.notes, ("units", name, "notes"))
        for mark, count in spec.marks.items():
            unit.mark(mark, self.names.count(mark, count, ("units", name, "marks", mark)))
        for note, value in spec.notes.items():
            unit.jot(note, self.names.value(value, ("units", name, "notes", note)))

    def endow(self, position: Position, number: str, side: SideSpec) -> None:
        place: Place = ("sides", number)
        self.names.known("pools", side.pools, (*place, "pools"))
        self.names.known("holds", side.holds, (*place, "holds"))
        fill_pools(position, number, side)
        for name, things in side.holds.items():
            position.hold(int(number) - 1, name, self.held(name, things, (*place, "holds", name)))

    def held(self, name: str, things: tuple[Any, ...], place: Place) -> tuple[Any, ...]:
        plain: Any = self.names.value(things, place)
        stage = self.ruleset.stage
        try:
            if self.scenario.whole or stage is None or stage.held is None:
                return tuple(tupled(plain))
            return tuple(tupled(stage.held(name, plain)))
        except Exception as error:
            raise self.fail(place, f"this cannot be held: {told(error)}") from None

    # ------------------------------------------------------------------ what went before

    def add_history(self, position: Position) -> None:
        self.names.known("declared", self.scenario.declared, ("declared",))
        for name, value in self.scenario.declared.items():
            position.declare(name, self.names.value(value, ("declared", name)))
        self.add_effects(position)
        self.add_losses(position)
        for token in self.scenario.tokens:
            x, y, z = (*token.at, 0.0)[:3]
            value = self.names.value(token.value, ("tokens",))
            position.lay(Token(token.kind, x, y, z, (token.side or 0) - 1, value))
        for name, taken in self.scenario.snapshots.items():
            position.snapshots[name] = {
                self.names.model(id_, ("snapshots", name, id_)): (at[0], at[1], at[3] if at[3:] else 0.0, at[2])
                for id_, at in taken.items()
            }

    def add_effects(self, position: Position) -> None:
        for k, effect in enumerate(self.scenario.effects):
            place: Place = ("effects", k)
            self.names.rules([effect.rule], (*place, "rule"))
            on, bearer = self.names.bearer(effect.bearer, effect.on, (*place, "bearer"))
            source = self.names.model(effect.source, (*place, "source")) if effect.source else -1
            value = self.names.value(effect.value, (*place, "value"))
            position.begin(Effect(effect.rule, bearer, source, effect.until, value, on))

    def add_losses(self, position: Position) -> None:
        for k, loss in enumerate(self.scenario.losses):
            place: Place = ("losses", k)
            author = self.names.unit if self.ruleset.authors == "unit" else self.names.model
            by = author(loss.by, (*place, "by")) if loss.by else -1
            row = self.names.model(loss.model, (*place, "model"))
            self.names.known("causes", [loss.cause], (*place, "cause"))
            position.losses.append(Loss(row, loss.cause, by, tupled(loss.moment) or position.moment))

    # ------------------------------------------------------------------ the battle

    def begun(self, position: Position) -> Game:
        ready = self.ruleset.replacing(set_out=lambda _ruleset, _setup: position)
        try:
            game = Game(ready, Setup(self.scenario.ruleset), "scenario", self.dice)
        except ScriptError as error:
            raise self.fail(("dice",), f"{error}") from None
        except Exception as error:
            raise self.fail(("now",), say("breaks-down", what=told(error))) from None
        self.names.position = game.position
        return game


def fill_pools(position: Position, number: str, side: SideSpec) -> None:
    for pool, points in side.pools.items():
        position.of_sides.set(int(number) - 1, pool, points)


def told(error: Exception) -> str:
    """The message of an exception in one line, without Python's quotes round a key; in both languages if it can."""
    if error.args and isinstance(error.args[0], Spoken):
        return error.args[0]
    what = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    return " ".join(what.split())[:400] or type(error).__name__


def with_room(piece: Piece) -> Piece:
    """The piece, if all of its outlines have enough corners to enclose an area."""
    if any(len(one) < FEWEST_CORNERS for one in (piece.outline, *(floor.outline for floor in piece.floors))):
        raise ValueError(f"an outline needs {FEWEST_CORNERS} corners at least")
    return piece
