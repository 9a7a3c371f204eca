"""The table as a side sees it: terrain, models, units, markers, and how the battle stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

import msgspec

from campale.referee.columns import Counters, Effect, Token
from campale.referee.game import Game
from campale.referee.handles import Model
from campale.referee.journal import Event
from campale.referee.looks import IMPASSABLE, SOLID, HeldCard, Likeness
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.ruleset import INCH, Ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import told
from campale.referee.view import seen_position
from campale.screen.shown import (
    XY,
    CardShown,
    ChitShown,
    CommandShown,
    FloorShown,
    HeldShown,
    MarkShown,
    ModelShown,
    PieceShown,
    PlaceShown,
    ShapeShown,
    StandingShown,
    TableShown,
    TokenShown,
    UnitShown,
    WatchShown,
    ZoneShown,
)
from campale.table.shapes import rounded

WHERE = ("table", "reserve", "aboard", "fallen", "gone")
GRID = {INCH: 6.0}
GRID_ELSE = 10.0
MOST_BANDS = 2
ALL_ROUND = (-180.0, 180.0)

Kinds = dict[int, tuple[str, Likeness]]
"""The title of a profile and the look of its models, by the profile's id."""

Lines = Sequence[tuple[str, dict[str, Plain]]]
"""The state of the battle (``Ruleset.standing``)."""

Owners = dict[tuple[str, Plain], Plain]
"""The owners of held places, by kind and number."""

Row = TypeVar("Row", ModelShown, UnitShown)
T = TypeVar("T")


class Eyes(NamedTuple):
    """The view of a side (None: the public), with the teller of a language. It is valid until the game changes."""

    side: int | None
    position: Position
    teller: Teller


def eyes(game: Game, side: int | None, language: str) -> Eyes:
    position = seen_position(game, side)
    return Eyes(side, position, Teller.of(game, language, position))


class Scene(msgspec.Struct, frozen=True):
    """Everything on the table."""

    table: TableShown
    pieces: list[PieceShown]
    models: list[ModelShown]
    units: list[UnitShown]
    tokens: list[TokenShown]
    standing: StandingShown
    result: str | None


class Changes(msgspec.Struct, frozen=True):
    """The differences from an earlier scene: models and units by row, other parts whole (None: unchanged)."""

    pieces: list[PieceShown] | None
    models: list[ModelShown]
    units: list[UnitShown]
    tokens: list[TokenShown] | None
    standing: StandingShown | None


def scene(game: Game, side: int | None, language: str) -> Scene:
    return scene_of(eyes(game, side, language))


def scene_of(seen: Eyes) -> Scene:
    position, teller = seen.position, seen.teller
    lines = lines_of(position)
    standing = standing_of(position, teller, lines)
    return Scene(
        table_of(position),
        [piece_shown(piece, teller) for piece in position.ground.pieces],
        models_of(position, teller),
        units_of(position, teller),
        tokens_of(position, teller, lines),
        standing,
        result_of(position, teller, standing.score is not None),
    )


def changed(old: Scene, new: Scene) -> Changes:
    """The changes for a viewer who knows the old scene. Rows removed by an undo are reported as gone."""
    return Changes(
        None if new.pieces == old.pieces else new.pieces,
        [*differing(old.models, new.models), *map(vanished, old.models[len(new.models) :])],
        [*differing(old.units, new.units), *map(emptied, old.units[len(new.units) :])],
        None if new.tokens == old.tokens else new.tokens,
        None if new.standing == old.standing else new.standing,
    )


def differing(old: Sequence[Row], new: Sequence[Row]) -> list[Row]:
    return [now for now, before in zip_longest(new, old[: len(new)]) if now != before]


def vanished(model: ModelShown) -> ModelShown:
    return msgspec.structs.replace(model, where="gone", marks=[], aboard_of=-1)


def emptied(unit: UnitShown) -> UnitShown:
    return msgspec.structs.replace(unit, models=[], marks=[])


# ---------------------------------------------------------------- the table


def table_of(position: Position) -> TableShown:
    ground, unit = position.ground, position.ruleset.unit
    return TableShown(ground.width, ground.depth, unit, GRID.get(unit, GRID_ELSE))


def piece_shown(piece: Any, teller: Teller) -> PieceShown:
    """A piece of terrain, with those of its tags that the ruleset has words for."""
    tags = [teller.words.say(f"tag.{tag}") for tag in piece.tags if teller.words.has(f"tag.{tag}")]
    floors = [FloorShown(list(floor.outline), floor.z) for floor in piece.floors]
    title = capital(piece_title(piece, teller))
    shape = (list(piece.outline), piece.z, piece.height, floors)
    return PieceShown(piece.name, title, piece.kind, *shape, tags, *facts_of(piece, teller.ruleset))


def facts_of(piece: Any, ruleset: Ruleset) -> tuple[bool, bool, str]:
    """Whether it is impassable, whether it blocks all sight, and its cover, by the book's meaning of its tags."""
    found = [ruleset.terrain[tag] for tag in piece.tags if tag in ruleset.terrain]
    cover = next((one for one in found if one not in (IMPASSABLE, SOLID)), "")
    return IMPASSABLE in found, SOLID in found, cover


def piece_title(piece: Any, teller: Teller) -> str:
    """The word for its name, or for its kind with the number at the end of its name."""
    kind = f"piece.{piece.kind}"
    if teller.words.has(f"piece.{piece.name}") or not teller.words.has(kind):
        return teller.word("piece", piece.name)
    number = piece.name.rpartition("-")[2]
    return f"{teller.words.say(kind)} {number}" if number.isdecimal() else teller.words.say(kind)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def tokens_of(position: Position, teller: Teller, lines: Lines) -> list[TokenShown]:
    """The markers; those in the standing get their numbers and owners from it."""
    owners: Owners = {(kind.partition("-")[0], of["number"]): of[OWNER] for kind, of in lines if OWNER in of}
    count: Counter[str] = Counter()
    found = []
    for token in position.tokens:
        count[token.kind] += 1
        found.append(token_shown(token, position, teller, owners, count[token.kind]))
    return found


def token_shown(token: Token, position: Position, teller: Teller, owners: Owners, number: int) -> TokenShown:
    within = position.ruleset.counts_within
    far = within(position, token) if within is not None else 0.0
    text, is_told = teller.word("token", token.kind), (token.kind, number) in owners
    owner = owners.get((token.kind, number))
    side = int(owner) if isinstance(owner, int) else token.side
    told = f"{text} {number}" if is_told else text
    return TokenShown(token.kind, told, token.x, token.y, side, token.value, far, number if is_told else 0)


# ---------------------------------------------------------------- models and units


def models_of(position: Position, teller: Teller) -> list[ModelShown]:
    marks = all_marks(position.of_models, teller, states_of(position))
    effects = all_effects(position, "model", teller)
    kinds: Kinds = {}
    return [
        model_shown(model, teller, kinds, [*marks[model.row], *effects.get(model.row, ())]) for model in position.models
    ]


def model_shown(model: Model, teller: Teller, kinds: Kinds, marks: list[MarkShown]) -> ModelShown:
    """A model; ``kinds`` keeps the titles of profiles, which many models share, and their looks."""
    position, row = model.position, model.row
    known = kinds.get(id(model.profile)) or kinds.setdefault(id(model.profile), (kind_of(model, teller), drawn(model)))
    kind, likeness = known
    health = None if position.ruleset.health is None else position.ruleset.health(model)
    return ModelShown(
        row,
        model.side,
        position.unit_of[row],
        teller.model(row),
        kind,
        WHERE[position.where[row]],
        position.x[row],
        position.y[row],
        position.z[row],
        position.facing[row],
        shape_shown(position.ruleset.solid(model), bands_of(model)),
        health,
        position.aboard_of[row],
        marks,
        model.is_on_table and health is not None and health[0] <= 0,
        command_shown(model, teller),
        asked_on_table(position.ruleset.points, model),
        watch_shown(model, teller),
        likeness.kind,
        likeness.leads,
        -1 if position.bought_with[row] == position.unit_of[row] else position.bought_with[row],
    )


def asked_on_table(tells: Callable[[Model], T | None] | None, model: Model) -> T | None:
    """The book's answer about a model on the table; None if it has none."""
    return tells(model) if tells is not None and model.is_on_table else None


def watch_shown(model: Model, teller: Teller) -> WatchShown | None:
    found = asked_on_table(model.position.ruleset.watches, model)
    if found is None:
        return None
    text = f"{teller.word('reach', found.kind)} {teller.far(found.reach)}"
    return WatchShown(found.reach, text, found.arc or ALL_ROUND)


def drawn(model: Model) -> Likeness:
    draws = model.position.ruleset.likeness
    return Likeness("") if draws is None else draws(model.profile)


def command_shown(model: Model, teller: Teller) -> CommandShown | None:
    """The command of a leader on the table."""
    found = asked_on_table(model.position.ruleset.commands, model)
    if found is None:
        return None
    text = f"{teller.word('reach', 'command')} {teller.far(found.reach)}"
    return CommandShown(found.reach, text, list(found.units))


def kind_of(model: Model, teller: Teller) -> str:
    """The title of a model's profile, if it has one."""
    return teller.kind_of(model.row) if getattr(model.profile, "title", None) else model.name


def bands_of(model: Model) -> tuple[float, ...]:
    """The parts of a model that sight distinguishes, if they are no more than legs, torso and head."""
    sampling = model.position.ruleset.sampling
    bands = sampling(model).bands if sampling is not None else ()
    return bands if len(bands) <= MOST_BANDS else ()


def shape_shown(solid: Any, bands: Sequence[float] = ()) -> ShapeShown:
    """The base of a solid, by its shape; the parts of its height end at the fractions ``bands``."""
    shape, ends = solid.shape, [rounded(share * solid.height) for share in bands]
    if (radius := getattr(shape, "radius", None)) is not None:
        return ShapeShown(radius=radius, height=solid.height, bands=ends)
    if (corners := getattr(shape, "corners", None)) is not None:
        return ShapeShown(corners=list(corners), height=solid.height, bands=ends, points=points_of(shape))
    half: XY = (shape.half_width, shape.half_length)
    return ShapeShown(half=half, height=solid.height, bands=ends)


def points_of(hull: Any) -> list[tuple[str, float, float]]:
    """The named points of a hull, by the first word of their names."""
    return [(name.partition("-")[0], x, y) for name, (x, y, _) in hull.points.items()]


def units_of(position: Position, teller: Teller) -> list[UnitShown]:
    rows: dict[int, list[int]] = {}
    for row, unit in enumerate(position.unit_of):
        rows.setdefault(unit, []).append(row)
    marks = all_marks(position.of_units, teller, states_of(position))
    effects = all_effects(position, "unit", teller)
    bought = Counter(position.bought_with)
    return [
        UnitShown(
            row,
            side,
            unit_name(row, rows.get(row, []), bought[row], teller),
            rows.get(row, []),
            [*known_of(Unit(position, row), teller), *marks[row], *effects.get(row, ())],
        )
        for row, side in enumerate(position.unit_side)
    ]


def known_of(unit: Unit, teller: Teller) -> list[MarkShown]:
    """What is known of a unit besides its marks, with a sign if the words have one."""
    marks, words = unit.position.ruleset.unit_marks, teller.words
    found = marks(unit) if marks is not None else ()
    return [
        MarkShown(
            one.kind,
            teller.filled(f"marker.{one.kind}", one.values),
            1,
            words.messages.get(f"sign.{one.kind}", ""),
            one.is_secret,
        )
        for one in found
    ]


def unit_name(row: int, models: Sequence[int], bought: int, teller: Teller) -> str:
    """The name of a unit; for a unit of one model that model's name."""
    return teller.model(models[0]) if len(models) == bought == 1 else teller.unit(row)


def states_of(position: Position) -> Mapping[str, str]:
    states = position.ruleset.states
    return {} if states is None else states(position)


def all_marks(counters: Counters, teller: Teller, states: Mapping[str, str]) -> list[list[MarkShown]]:
    """The marks of every row that the words name.

    ``marker.<name>``: a mark; ``shown.<name>``: one that names a unit. The values of those listed under ``uncounted``
    are told to nobody.
    """
    uncounted = teller.words.messages.get("uncounted", "").split()
    marks: list[list[MarkShown]] = [[] for _ in range(counters.rows)]
    for name, column in sorted(counters.columns.items()):
        key = teller.key(f"shown.{name}", f"marker.{name}")
        text = teller.words.say(key) if key is not None else ""
        for row, value in enumerate(column) if text else ():
            if value:
                told = 1 if name in uncounted else value
                shown = mark_shown(name, text, told, key == f"shown.{name}", teller)
                state = states.get(name, "")
                marks[row].append(msgspec.structs.replace(shown, state=state) if state else shown)
    return marks


def mark_shown(name: str, text: str, value: int, names_unit: bool, teller: Teller) -> MarkShown:
    """A mark in words. A value with a meaning of its own has words of its own (``marker.<name>.<value>``)."""
    if teller.words.has(f"marker.{name}.{value}"):
        return MarkShown(name, teller.words.say(f"marker.{name}.{value}"))
    return MarkShown(name, f"{text} {teller.unit(value - 1)}") if names_unit else MarkShown(name, text, value)


def all_effects(position: Position, on: str, teller: Teller) -> dict[int, list[MarkShown]]:
    """The temporary effects on models or on units, by row; several of one kind are counted."""
    found: dict[int, Counter[str]] = {}
    for effect in position.effects:
        if effect.on == on and is_told(effect, teller):
            found.setdefault(effect.bearer, Counter())[effect.rule] += 1
    return {
        row: [MarkShown(rule, teller.word("marker", rule), many) for rule, many in rules.items()]
        for row, rules in found.items()
    }


def is_told(effect: Effect, teller: Teller) -> bool:
    """Whether an effect has words or a rule's title to be named by; empty words pass over it."""
    said = teller.words.messages.get(f"marker.{effect.rule}")
    return effect.rule in teller.ruleset.ledger.entries if said is None else bool(said)


# ---------------------------------------------------------------- the state of the battle

SCORE, LENGTH, TURN, OWNER = "score", "length", "round", "owner"
"""What a scoreboard shows separately: two kinds of lines, and the fields of the turn and of the holder of something."""


def lines_of(position: Position) -> Lines:
    standing = position.ruleset.standing
    return () if standing is None else standing(position)


def standing_of(position: Position, teller: Teller, lines: Lines) -> StandingShown:
    now, side = position.now, position.now.get("side")
    told = [(kind, of, teller.filled(f"standing.{kind}", of)) for kind, of in lines]
    chits, zones, held = chits_of(position, teller), zones_of(position, teller), held_by_sides(position, teller)
    phase, phases = phase_of(now, teller)
    return StandingShown(
        title_of(now, teller),
        side if isinstance(side, int) else None,
        [text for _, _, text in told],
        chits,
        zones,
        held,
        next((two_of(of["score"]) for kind, of, _ in told if kind == SCORE), None),
        next((text for kind, _, text in told if kind == LENGTH), ""),
        phase,
        phases,
        [PlaceShown(text, -1 if of[OWNER] is None else int(of[OWNER])) for _, of, text in told if OWNER in of],
        [text for kind, of, text in told if kind not in (SCORE, LENGTH) and OWNER not in of],
        next((int(of[TURN]) for kind, of, _ in told if kind == LENGTH), None),
    )


def two_of(score: Any) -> tuple[int, int]:
    return int(score[0]), int(score[1])


def phase_of(now: dict[str, Plain], teller: Teller) -> tuple[str, tuple[int, int] | None]:
    """The short name of a phase of the turn, its number, and the number of phases.

    The words list the phases under ``phases``; phases joined by a plus count as one.
    """
    groups = [group.split("+") for group in teller.words.messages.get("phases", "").split()]
    for n, group in enumerate(groups, 1):
        if now.get("phase") in group and (now.get("turn") or now.get("round")):
            return teller.words.say(f"phase-name.{group[0]}"), (n, len(groups))
    return "", None


def held_by_sides(position: Position, teller: Teller) -> list[HeldShown]:
    held = position.ruleset.held
    return [
        HeldShown(
            one.side,
            one.kind,
            teller.words.say(f"held.{one.kind}"),
            one.count,
            one.of,
            [card_shown(card, teller) for card in one.cards],
        )
        for one in (held(position) if held is not None else ())
    ]


def card_shown(card: HeldCard, teller: Teller) -> CardShown:
    text = teller.key(f"card.{card.name}.text")
    on = teller.model(card.model) if card.model >= 0 else teller.unit(card.unit) if card.unit >= 0 else ""
    kind = teller.word("card-kind", card.kind) if card.kind else ""
    told = "" if text is None else teller.words.say(text)
    return CardShown(teller.word("card", card.name), kind, told, card.cost, on)


def chits_of(position: Position, teller: Teller) -> list[ChitShown]:
    chits = position.ruleset.chits
    found = chits(position) if chits is not None else ()
    keys = [f"chit.{'drawn' if one.is_drawn else 'left'}" for one in found]
    told = [teller.filled(key, {"side": one.side}) for key, one in zip(keys, found, strict=True)]
    return [ChitShown(one.side, text, one.is_drawn) for one, text in zip(found, told, strict=True)]


def zones_of(position: Position, teller: Teller) -> list[ZoneShown]:
    zones = position.ruleset.zones
    found = zones(position) if zones is not None else ()
    return [
        ZoneShown(
            one.kind,
            teller.filled(f"zone.{one.kind}", {"side": one.side if one.side >= 0 else None}),
            list(one.outline),
            one.at,
            one.radius,
            one.side,
        )
        for one in found
    ]


def title_of(now: dict[str, Plain], teller: Teller) -> str:
    """The turn or round, and the phase, as in the headings of the journal."""
    named = next((kind for kind in ("turn", "round") if now.get(kind)), None)
    values = {kind: now.get(kind, "") for kind in ("turn", "round", "side")}
    told = [] if named is None else [teller.filled(f"heading.{named}", values)]
    phase = next((key for kind in ("phase", "stage") if teller.words.has(key := f"phase.{now.get(kind)}")), "")
    return " · ".join([*told, *([teller.words.say(phase)] if phase else [])])


def result_of(position: Position, teller: Teller, is_brief: bool = False) -> str | None:
    """How the battle ended, in a sentence; ``is_brief``: without the count behind it, which is shown beside it."""
    result = position.result
    if result is None:
        return None
    counts = {} if is_brief else result.counts
    return told(Event("result", {"winner": result.winner, "counts": counts}), teller)[0]
