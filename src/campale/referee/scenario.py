"""Scenario files: a position, dice, decisions, and what must come of them; the test mode of the referee.

``check(path)`` runs a file and tells what does not hold. A model is named by its ``id`` everywhere in the file, also in
answers; sides are 1 and 2. Every message says file, line, what and why. The format is documented in
``docs/en/scenarios.md`` and by ``scenario.schema.json``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from campale.dice.sources import Scripted
from campale.referee.game import Game, RefereeError
from campale.referee.position import ABOARD, FALLEN, GONE, RESERVE, TABLE, Effect, Loss, Model, Position, Token
from campale.referee.question import Choose, Form, Question
from campale.referee.reading import FileError, Written, read_file
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.table.terrain import Ground, Piece

SCHEMA = Path(__file__).parent / "scenario.schema.json"
WHERE = {"table": TABLE, "reserve": RESERVE, "fallen": FALLEN, "gone": GONE}
NEAR = 0.01

SideNumber = Annotated[int, msgspec.Meta(ge=1, le=2)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a scenario file; keys that it does not know are refused."""


class TableSpec(Part, frozen=True):
    """The size of the table, and what lies on it: pieces in the ruleset's own terms, or prisms by their outline."""

    width: float | None = None
    depth: float | None = None
    pieces: tuple[dict[str, Any], ...] = ()


class ModelSpec(Part, frozen=True):
    """A model: its profile in the ruleset's own terms, where it is, and its marks and notes."""

    id: Name
    profile: str | dict[str, Any]
    side: SideNumber = 1
    at: tuple[float, float] | None = None
    facing: float | None = None
    where: str = "table"
    unit: str = ""
    marks: dict[str, int] = {}
    notes: dict[str, Any] = {}


class SideSpec(Part, frozen=True):
    """What a side holds: pools of points, and things (cards, an edge) under a name."""

    pools: dict[str, int] = {}
    holds: dict[str, tuple[Any, ...]] = {}


class EffectSpec(Part, frozen=True):
    rule: str
    bearer: Name
    source: str = ""
    until: str = ""
    value: Any = None


class LossSpec(Part, frozen=True):
    model: Name
    cause: str
    by: str = ""


class TokenSpec(Part, frozen=True):
    kind: str
    at: tuple[float, float]
    side: int = 0
    value: Any = None


class Asked(Part, frozen=True):
    """Who must be asked now; without ``side`` nobody may be (the battle is over)."""

    side: int | None = None
    prompt: str = ""
    kind: str = ""


class Offers(Part, frozen=True):
    """The choices that a question must have and must not have; of a form, those of the field after ``filled``."""

    filled: tuple[Any, ...] = ()
    has: tuple[Any, ...] = ()
    lacks: tuple[Any, ...] = ()


class ModelExpected(Part, frozen=True):
    at: tuple[float, float] | None = None
    facing: float | None = None
    where: str | None = None
    marks: dict[str, int] = {}


class Expect(Part, frozen=True):
    """What must hold at this moment."""

    asked: Asked | None = None
    offers: tuple[Offers, ...] = ()
    models: dict[str, ModelExpected] = {}
    pools: dict[str, dict[str, int]] = {}
    now: dict[str, Any] = {}
    cites: tuple[str, ...] = ()
    cites_not: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    events_not: tuple[str, ...] = ()
    winner: int | Literal["nobody"] | None = None
    dice_left: int | None = None


class Refused(Part, frozen=True):
    """An answer that must be refused, by which rule, and with which numbers."""

    answer: Any
    rule: str
    measured: float | None = None
    limit: float | None = None
    model: str | None = None


class Step(Part, frozen=True):
    """One moment of play: an answer, a try that is refused, or a look at what holds."""

    by: SideNumber = 1
    answer: Any = msgspec.UNSET
    refused: Refused | None = None
    expect: Expect | None = None


class Scenario(Part, frozen=True):
    """A whole file."""

    campale: Literal["scenario/1"]
    ruleset: Name
    title: str | dict[str, str]
    models: tuple[ModelSpec, ...]
    rules: tuple[str, ...] = ()
    options: dict[str, Any] = {}
    table: TableSpec = TableSpec()
    sides: dict[str, SideSpec] = {}
    now: dict[str, Any] = {}
    declared: dict[str, Any] = {}
    effects: tuple[EffectSpec, ...] = ()
    losses: tuple[LossSpec, ...] = ()
    tokens: tuple[TokenSpec, ...] = ()
    dice: str | tuple[float, ...] = ""
    play: tuple[Step, ...] = ()
    expect: Expect = Expect()


def schema() -> dict[str, Any]:
    """The JSON Schema of scenario files."""
    made = msgspec.json.schema(Scenario)
    made["title"] = "Campale scenario"
    return made


# ---------------------------------------------------------------- setting it out


class Stage:
    """A scenario set out: the game, the rows of its models, and what was found amiss."""

    def __init__(self, scenario: Scenario, written: Written) -> None:
        self.scenario = scenario
        self.written = written
        self.problems: list[str] = []
        self.rows = {spec.id: row for row, spec in enumerate(scenario.models)}
        self.ruleset = self.loaded()
        self.dice = Scripted(dice_of(scenario.dice))
        self.game = self.begun()

    def fail(self, place: tuple[str | int, ...], what: str) -> FileError:
        return FileError(f"{self.written.where(place)}: {what}")

    def loaded(self) -> Ruleset:
        try:
            return load_ruleset(self.scenario.ruleset).with_options(self.scenario.options)
        except (KeyError, ValueError) as error:
            raise self.fail(("options",), str(error.args[0])) from None

    def begun(self) -> Game:
        position = self.position()
        ready = self.ruleset.replacing(set_out=lambda _ruleset, _setup: position)
        try:
            return Game(ready, Setup(self.scenario.ruleset), "scenario", self.dice)
        except Exception as error:
            raise self.fail(("play",), f"the battle breaks down at its start: {error}") from None

    def position(self) -> Position:
        scenario = self.scenario
        position = Position(self.ruleset, self.ground())
        for row, spec in enumerate(scenario.models):
            self.enlist(position, row, spec)
        for number, side in scenario.sides.items():
            self.endow(position, number, side)
        position.now.update(scenario.now)
        if self.ruleset.stage is not None:
            self.ruleset.stage.prepare(position)
        for row, spec in enumerate(scenario.models):
            self.dress(position.model(row), spec)
        self.add_history(position)
        return position

    def ground(self) -> Ground:
        spec = self.scenario.table
        stage = self.ruleset.stage
        width, depth = stage.size if stage is not None else (48.0, 48.0)
        pieces = tuple(self.piece(number, plain) for number, plain in enumerate(spec.pieces))
        return Ground(spec.width or width, spec.depth or depth, pieces)

    def piece(self, number: int, plain: dict[str, Any]) -> Piece:
        try:
            if "outline" in plain or self.ruleset.stage is None:
                return msgspec.convert({"name": f"piece-{number + 1}", "kind": "piece", **plain}, Piece)
            return self.ruleset.stage.piece({"name": f"piece-{number + 1}", **plain})
        except (KeyError, TypeError, ValueError) as error:
            raise self.fail(("table", "pieces", number), f"this is no piece of terrain: {error}") from None

    def enlist(self, position: Position, row: int, spec: ModelSpec) -> None:
        if self.rows[spec.id] != row:
            raise self.fail(("models", row), f"there are two models called '{spec.id}'; give one another id")
        plain = {"profile": spec.profile} if isinstance(spec.profile, str) else spec.profile
        try:
            profile = self.profile(plain)
        except (KeyError, TypeError, ValueError) as error:
            raise self.fail(("models", row, "profile"), f"this is no profile of {self.ruleset.name}: {error}") from None
        name = spec.unit or spec.id
        known = position.unit_names.index(name) if name in position.unit_names else None
        unit = position.add_unit(name, spec.side - 1) if known is None else position.units[known]
        model = position.add_model(spec.id, profile, spec.side - 1, unit, RESERVE)
        if spec.at is not None:
            position.move_to(model, *spec.at, facing=spec.facing or 0.0)

    def profile(self, plain: dict[str, Any]) -> Any:
        if self.ruleset.stage is None:
            return msgspec.convert(plain, self.ruleset.profile_type)
        return self.ruleset.stage.profile(plain)

    def endow(self, position: Position, number: str, side: SideSpec) -> None:
        if number not in ("1", "2"):
            raise self.fail(("sides", number), "a side is 1 or 2")
        for pool, points in side.pools.items():
            position.of_sides.set(int(number) - 1, pool, points)
        for name, things in side.holds.items():
            position.hold(int(number) - 1, name, things)

    def dress(self, model: Model, spec: ModelSpec) -> None:
        """Marks, notes, facing and whereabouts, after what the ruleset gives every model."""
        position = model.position
        if spec.facing is not None:
            position.facing[model.row] = float(spec.facing) % 360.0
        for mark, value in spec.marks.items():
            position.of_models.set(model.row, mark, value)
        for note, value in spec.notes.items():
            position.of_models.set_note(model.row, note, self.meant(value))
        if spec.where.startswith("aboard "):
            position.where[model.row] = ABOARD
            position.aboard_of[model.row] = self.row_of(spec.where[7:], ("models", model.row, "where"))
        elif spec.where in WHERE:
            position.where[model.row] = WHERE[spec.where] if spec.at is not None or spec.where != "table" else RESERVE
        else:
            known = ", ".join((*WHERE, "aboard ID"))
            raise self.fail(("models", model.row, "where"), f"'{spec.where}' is no place; there are: {known}")

    def add_history(self, position: Position) -> None:
        scenario = self.scenario
        for name, value in scenario.declared.items():
            position.declare(name, self.meant(value))
        for k, effect in enumerate(scenario.effects):
            bearer = self.row_of(effect.bearer, ("effects", k))
            source = self.row_of(effect.source, ("effects", k)) if effect.source else -1
            position.effects.append(Effect(effect.rule, bearer, source, effect.until, effect.value))
        for k, loss in enumerate(scenario.losses):
            by = self.row_of(loss.by, ("losses", k)) if loss.by else -1
            position.losses.append(Loss(self.row_of(loss.model, ("losses", k)), loss.cause, by))
        position.tokens.extend(Token(t.kind, *t.at, side=t.side - 1, value=t.value) for t in scenario.tokens)

    def row_of(self, name: str, place: tuple[str | int, ...]) -> int:
        if name not in self.rows:
            raise self.fail(place, f"there is no model '{name}'; there are: {', '.join(self.rows)}")
        return self.rows[name]

    def meant(self, value: Plain) -> Plain:
        """A value with the names of models as their rows."""
        if isinstance(value, str):
            return self.rows.get(value, value)
        if isinstance(value, list | tuple):
            return tuple(self.meant(one) for one in value)
        return value

    # ------------------------------------------------------------ playing it

    def play(self) -> None:
        for number, step in enumerate(self.scenario.play):
            if not self.take(("play", number), step):
                return
        self.look(("expect",), self.scenario.expect)
        left = self.scenario.expect.dice_left or 0
        if len(self.dice.left) != left:
            self.amiss(("dice",), f"{len(self.dice.left)} dice are left over, {left} were expected: {self.dice.left}")

    def amiss(self, place: tuple[str | int, ...], what: str) -> None:
        self.problems.append(f"{self.written.where(place)}: {what}")

    def take(self, place: tuple[str | int, ...], step: Step) -> bool:
        """One step; whether play can go on."""
        if step.refused is not None:
            self.try_refused((*place, "refused"), step.by - 1, step.refused)
        if step.answer is not msgspec.UNSET and not self.answer((*place, "answer"), step.by - 1, step.answer):
            return False
        if step.expect is not None:
            self.look((*place, "expect"), step.expect)
        return True

    def answer(self, place: tuple[str | int, ...], side: int, answer: Plain) -> bool:
        try:
            refusal = self.game.answer(side, self.meant(answer))
        except RefereeError as error:
            self.amiss(place, f"play breaks down: {error}")
            return False
        if refusal is not None:
            numbers = "" if refusal.measured is None else f" ({refusal.measured} of {refusal.limit})"
            self.amiss(place, f"refused by {refusal.rule or refusal.word}{numbers}; {self.open_question()}")
        return refusal is None

    def open_question(self) -> str:
        question = self.game.question
        if question is None:
            return "nobody is asked anything"
        side = "chance" if question.side is None else f"side {question.side + 1}"
        return f"asked is {side}: {question.kind} '{question.prompt}'"

    def try_refused(self, place: tuple[str | int, ...], side: int, refused: Refused) -> None:
        question = self.game.question_for(side)
        if question is None:
            self.amiss(place, f"side {side + 1} is not asked anything; {self.open_question()}")
            return
        refusal = question.refusal(self.meant(refused.answer))
        if refusal is None:
            self.amiss(place, f"the answer is allowed, {refused.rule} was to refuse it")
        elif refusal.rule != refused.rule:
            self.amiss(place, f"refused by {refusal.rule or refusal.word}, not by {refused.rule}")
        else:
            self.compare(place, {"measured": refusal.measured, "limit": refusal.limit}, refused)

    def compare(self, place: tuple[str | int, ...], found: dict[str, float | None], refused: Refused) -> None:
        for name, value in found.items():
            wanted = getattr(refused, name)
            if wanted is not None and (value is None or abs(value - wanted) > NEAR):
                self.amiss((*place, name), f"{name} is {value}, {wanted} was expected")

    # ------------------------------------------------------------ looking at it

    def look(self, place: tuple[str | int, ...], expect: Expect) -> None:
        for problem_place, what in self.differences(place, expect):
            self.amiss(problem_place, what)

    def differences(self, place: tuple[str | int, ...], expect: Expect) -> Iterator[tuple[tuple[str | int, ...], str]]:
        yield from self.asked_otherwise((*place, "asked"), expect.asked)
        for k, offers in enumerate(expect.offers):
            yield from self.offered_otherwise((*place, "offers", k), offers)
        for name, wanted in expect.models.items():
            model = self.game.position.model(self.row_of(name, (*place, "models")))
            yield from ((((*place, "models", name)), what) for what in stands_otherwise(model, wanted))
        yield from self.counts_otherwise(place, expect)
        yield from self.told_otherwise(place, expect)

    def asked_otherwise(
        self, place: tuple[str | int, ...], asked: Asked | None
    ) -> Iterator[tuple[tuple[str | int, ...], str]]:
        question = self.game.question
        if asked is None:
            return
        if asked.side is None or question is None:
            if asked.side is not None or question is not None:
                yield place, self.open_question()
            return
        fits = question.side == asked.side - 1
        fits = fits and asked.prompt in ("", question.prompt) and asked.kind in ("", question.kind)
        if not fits:
            yield place, self.open_question()

    def offered_otherwise(
        self, place: tuple[str | int, ...], offers: Offers
    ) -> Iterator[tuple[tuple[str | int, ...], str]]:
        question: Question | None = self.game.question
        if isinstance(question, Form):
            question = question.field(self.meant(offers.filled))
        if not isinstance(question, Choose):
            yield place, "there is no choice to look at here"
            return
        keys = question.options()
        for key in offers.has:
            if self.meant(key) not in keys:
                yield (*place, "has"), f"'{key}' is not offered; offered are {keys}"
        for key in offers.lacks:
            if self.meant(key) in keys:
                yield (*place, "lacks"), f"'{key}' is offered"

    def counts_otherwise(
        self, place: tuple[str | int, ...], expect: Expect
    ) -> Iterator[tuple[tuple[str | int, ...], str]]:
        position = self.game.position
        for number, pools in expect.pools.items():
            for pool, points in pools.items():
                found = position.holds(int(number) - 1, pool)
                if found != points:
                    yield (*place, "pools"), f"side {number} holds {found} of {pool}, not {points}"
        for name, value in expect.now.items():
            if position.now.get(name) != value:
                yield (*place, "now"), f"{name} is {position.now.get(name)!r}, not {value!r}"
        if expect.winner is not None and (wrong := wrong_winner(position, expect.winner)):
            yield (*place, "winner"), wrong

    def told_otherwise(
        self, place: tuple[str | int, ...], expect: Expect
    ) -> Iterator[tuple[tuple[str | int, ...], str]]:
        cited = {rule for event in self.game.journal for rule in event.rules}
        if self.game.question is not None:
            cited.update(self.game.question.rules)
        kinds = {event.kind for event in self.game.journal}
        for wanted, found, what in ((expect.cites, cited, "cited"), (expect.events, kinds, "in the journal")):
            yield from (((*place,), f"{one} is not {what}") for one in wanted if one not in found)
        for barred, found, what in ((expect.cites_not, cited, "cited"), (expect.events_not, kinds, "in the journal")):
            yield from (((*place,), f"{one} is {what}") for one in barred if one in found)


def dice_of(dice: str | tuple[float, ...]) -> list[float]:
    """The script of dice: numbers apart by spaces or bars."""
    if not isinstance(dice, str):
        return list(dice)
    try:
        return [float(one) if "." in one else int(one) for one in dice.replace("|", " ").split()]
    except ValueError:
        raise FileError(f"dice: '{dice[:60]}' is not a row of numbers with spaces or bars between them") from None


def stands_otherwise(model: Model, wanted: ModelExpected) -> Iterator[str]:
    if wanted.at is not None and max(abs(model.x - wanted.at[0]), abs(model.y - wanted.at[1])) > NEAR:
        yield f"stands at {model.x:g}, {model.y:g}, not at {wanted.at[0]:g}, {wanted.at[1]:g}"
    if wanted.facing is not None and abs((model.facing - wanted.facing + 180) % 360 - 180) > NEAR:
        yield f"faces {model.facing:g}, not {wanted.facing:g}"
    if wanted.where is not None and model.where != WHERE.get(wanted.where, ABOARD):
        places = {number: name for name, number in WHERE.items()}
        yield f"is {places.get(model.where, 'aboard')}, not {wanted.where}"
    for mark, value in wanted.marks.items():
        if model.marks(mark) != value:
            yield f"has {model.marks(mark)} of {mark}, not {value}"


def wrong_winner(position: Position, wanted: int | str) -> str:
    if position.result is None:
        return "the battle is not over"
    winner = "nobody" if position.result.winner is None else position.result.winner + 1
    return "" if winner == wanted else f"the winner is {winner}, not {wanted}"


# ---------------------------------------------------------------- from outside


def read_scenario(path: Path) -> Stage:
    """A scenario file set out and ready to play. Raises FileError saying where and what."""
    scenario, written = read_file(path, Scenario, SCHEMA)
    return Stage(scenario, written)


def check(path: Path) -> list[str]:
    """What does not hold in a scenario file; nothing when all of it does."""
    try:
        stage = read_scenario(path)
        stage.play()
    except FileError as error:
        return list(error.messages)
    return stage.problems
