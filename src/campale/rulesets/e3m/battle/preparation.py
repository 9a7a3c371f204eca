"""Before the battle: scenery, mission, edges, deployment (setup/*)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

import numpy as np

from campale.mechanics.moves.unit_moves import is_together
from campale.mechanics.script_form import fill_in_script
from campale.referee.ask import ask, choose, draw, roll
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.question import Aim, Choose, Place
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.battle.missions import BY_FACE
from campale.rulesets.e3m.battle.scenery import PRESETS, scenery_piece
from campale.rulesets.e3m.battle.zones import INWARD, NORTH, OPPOSITE, SOUTH, edge_of, zone_of
from campale.rulesets.e3m.command.units import COHERENCY, GROUP, SPECIAL
from campale.rulesets.e3m.movement.ground import impassable
from campale.table import fields
from campale.table.kernels import Floats
from campale.table.measure import bounding_radius, extent, gap
from campale.table.outlines import box
from campale.table.shapes import TOLERANCE, Circle, Hull, Point, Solid
from campale.table.terrain import Piece

PIECES = 10
APART = 6.0
GRID = 3.0
INNER = 0.2
"""The share of the front to either side on which no group is placed first."""
TURNS = (0.0, 45.0, 90.0, 135.0)
STEP = 0.5
SPARE = 0.05

Spot = tuple[float, float, float]
Stage = Callable[[Position], Coroutine[Any, Any, bool]]


async def roll_off(position: Position, why: str) -> int:
    """The side that rolls higher; repeated on ties (base-general/dice)."""
    while True:
        one = (await roll(0, why)).total
        other = (await roll(1, why)).total
        if one != other:
            return int(other > one)


# ---------------------------------------------------------------- setup/table


@rule("setup/table")
async def lay_scenery(position: Position) -> bool:
    """A stored map, or pieces laid by lot or by the players in turn, 6 inches from each other; one a run."""
    if position.now.get("scenery") not in ("lot", "players") or len(position.ground.pieces) >= pieces_wanted(position):
        return False
    if position.now["scenery"] == "players" and "lays" not in position.now:
        position.now["lays"] = await roll_off(position, "scenery")
    places = open_places(position)
    if not places:
        return False
    if position.now["scenery"] == "lot":
        kind = str((await draw(None, "scenery-kind", list(places)))[0])
        at = (await draw(None, "scenery-place", places[kind]))[0]
    else:
        side = int(position.now["lays"])
        kind, at = await ask_for_piece(position, side, places)
        position.now["lays"] = 1 - side
    name = f"{kind}-{len(position.ground.pieces) + 1}"
    piece = scenery_piece(kind, (at[0], at[1]), at[2], name)
    position.change_ground(position.ground.with_piece(piece), piece=name, piece_kind=kind)
    return True


def pieces_wanted(position: Position) -> int:
    return int(position.now.get("pieces", PIECES))


@rule("setup/table")
def fault_of_piece(position: Position, piece: Piece) -> Fault | None:
    """Wholly on the table, at least 6 inches from every other piece."""
    west, south, east, north = box(piece.outline)
    ground = position.ground
    if west < 0.0 or south < 0.0 or east > ground.width or north > ground.depth:
        return Fault((round(west, 2), round(south, 2)))
    for other in ground.pieces:
        away = apart(piece, other)
        if away < APART - TOLERANCE:
            return Fault((round(west, 2), round(south, 2)), round(away, 2), APART)
    return None


def apart(one: Piece, other: Piece) -> float:
    a, b = Solid(Hull(one.outline), 0.0, 0.0), Solid(Hull(other.outline), 0.0, 0.0)
    return gap(a, b)


def open_places(position: Position) -> dict[str, list[Plain]]:
    """By kind, the places of a grid at which a piece of it may lie."""
    kept = position.own
    if "open-places" not in kept:
        found: dict[str, list[Plain]] = {}
        for kind in PRESETS:
            places = [list(one) for one in candidates(position, kind)]
            if places:
                found[kind] = places
        kept["open-places"] = found
    places_by_kind: dict[str, list[Plain]] = kept["open-places"]
    return places_by_kind


def candidates(position: Position, kind: str) -> Iterator[tuple[float, float, float]]:
    """Of the places of the grid those whose box keeps off the boxes of all pieces."""
    places, boxes = grid_of(kind, position.ground.width, position.ground.depth)
    free = np.ones(len(places), np.bool_)
    for west, south, east, north in (box(piece.outline) for piece in position.ground.pieces):
        aside = (west >= boxes[:, 2] + APART) | (east <= boxes[:, 0] - APART)
        free &= aside | (south >= boxes[:, 3] + APART) | (north <= boxes[:, 1] - APART)
    yield from (places[k] for k in np.flatnonzero(free).tolist())


@lru_cache(maxsize=256)
def grid_of(kind: str, width: float, depth: float) -> tuple[list[tuple[float, float, float]], Floats]:
    """The places of a grid at which a piece lies wholly on the table, each with its turn; and its boxes there."""
    across, along = range(1, int(width / GRID)), range(1, int(depth / GRID))
    spots = [(GRID * column, GRID * row, turn) for column, row in product(across, along) for turn in TURNS[:3:2]]
    boxes = [box(scenery_piece(kind, (x, y), turn).outline) for x, y, turn in spots]
    inside = [k for k, b in enumerate(boxes) if b[0] >= 0.0 and b[1] >= 0.0 and b[2] <= width and b[3] <= depth]
    return [spots[k] for k in inside], np.array([boxes[k] for k in inside], np.float64).reshape(-1, 4)


async def ask_for_piece(position: Position, side: int, places: dict[str, list[Plain]]) -> tuple[str, Plain]:
    def script() -> Any:
        kind = yield Choose(side, "scenery-kind", list(places), "scenery")
        at = yield piece_question(position, side, kind, places[kind])
        return kind, at

    found = await fill_in_script(side, "scenery", script)
    assert found is not None
    kind, at = found
    return str(kind), (*at, 0.0)[:3]


def piece_question(position: Position, side: int, kind: str, places: list[Plain]) -> Aim:
    def refuses(at: Sequence[float]) -> Fault | None:
        turn = at[2] if len(at) > 2 else 0.0
        return fault_of_piece(position, scenery_piece(kind, (at[0], at[1]), turn))

    def samples(rng: Random) -> Plain:
        return rng.choice(places)

    return Aim(side, "scenery-place", refuses, samples, lambda: iter(places), {"piece": kind, "apart": APART})


# ---------------------------------------------------------------- setup/mission, setup/deployment


@rule("setup/mission")
async def choose_mission(position: Position) -> bool:
    """Agreed on, or by a die."""
    if "mission" not in position.now:
        position.now["mission"] = BY_FACE[(await roll(0, "mission")).total]
    position.write("mission", mission=position.now["mission"])
    return False


@rule("setup/deployment")
async def choose_edges(position: Position) -> bool:
    """The winner of a roll-off picks a long edge; the other has the opposite one, and deploys first."""
    winner = await roll_off(position, "edges")
    edge = str(await choose(winner, "edge", (SOUTH, NORTH), of="edge"))
    position.hold(winner, "edge", (edge,))
    position.hold(1 - winner, "edge", (OPPOSITE[edge],))
    position.now.update(deploys=1 - winner)
    position.write("edges", side=winner, edge=edge)
    return False


# ---------------------------------------------------------------- deploying, group by group


def waiting(position: Position, side: int) -> list[Unit]:
    """The units of a side that are not yet anywhere."""
    rows = dict.fromkeys(m.unit.row for m in position.models if m.side == side and m.where == RESERVE)
    return [Unit(position, row) for row in rows]


@rule("setup/deployment")
def next_to_deploy(position: Position, side: int) -> list[list[int]]:
    """The rows of the units of each group that waits; special models last."""
    groups: dict[int, list[int]] = {}
    for unit in waiting(position, side):
        groups.setdefault(unit.marks(GROUP) or -1 - unit.row, []).append(unit.row)
    ordinary = [rows for group, rows in groups.items() if group > 0 or not is_special(position, rows)]
    return ordinary or list(groups.values())


def is_special(position: Position, rows: Sequence[int]) -> bool:
    return all(m.marks(SPECIAL) for m in position.models if m.unit.row in rows)


@rule("setup/deployment", "turn/leftover-elements")
async def deploy(position: Position) -> bool:
    """One unit a run; the group that was begun is finished before the other side's turn."""
    side = int(position.now["deploys"])
    begun = [row for row in position.declared.get("deploying", ()) if waits(Unit(position, row))]
    if not begun:
        left = next_to_deploy(position, side)
        if not left:
            if not waiting(position, 1 - side):
                return False
            position.now["deploys"] = 1 - side
            return True
        first = await choose(side, "deploy-group", [rows[0] for rows in left], of="unit")
        begun = next(rows for rows in left if rows[0] == first)
        begun.sort(key=lambda row: carried_by(Unit(position, row)) is not None)
    row = int(await choose(side, "deploy-unit", begun[:1], of="unit"))
    await deploy_unit(Unit(position, row))
    rest = [one for one in begun if one != row]
    position.declare("deploying", tuple(rest) or None)
    if not rest:
        position.now["deploys"] = 1 - side
    return True


def waits(unit: Unit) -> bool:
    return any(m.where == RESERVE for m in unit_models(unit))


def unit_models(unit: Unit) -> list[Model]:
    position = unit.position
    return [m for m in position.models if position.unit_of[m.row] == unit.row]


def carried_by(unit: Unit) -> Model | None:
    """The vehicle in which a unit begins, by its list."""
    row = unit.note("begins-aboard")
    return None if row is None else unit_models(Unit(unit.position, int(row)))[0]


@rule("setup/deployment", "base-vehicle/transport")
async def deploy_unit(unit: Unit) -> None:
    """Aboard, where the list says so, or on the ground in the zone of its side."""
    models = [m for m in unit_models(unit) if m.where == RESERVE]
    carrier = carried_by(unit)
    if carrier is not None and carrier.is_on_table:
        where = await choose(unit.side, "deploy-where", ("aboard", "table"), of="place", unit=unit.row)
        if where == "aboard":
            for model in models:
                unit.position.take_off(model, aboard_of=carrier)
            return
    if next(find_places(unit, models), None) is None:
        for model in models:
            unit.position.remove(model, "no-place")
        return
    there = await ask(deploy_question(unit, models))
    for model, (x, y, facing) in zip(models, there, strict=True):
        model.move_to(x, y, facing=facing, placed=True)


def deploy_question(unit: Unit, models: list[Model]) -> Place:
    def refuses(there: Sequence[Spot]) -> Fault | None:
        return misplaced(unit, models, there)

    def samples(rng: Random) -> Plain:
        return next(find_places(unit, models, rng), None) or next(find_places(unit, models))

    def suggests() -> Iterator[Plain]:
        return find_places(unit, models)

    about: dict[str, Plain] = {"models": [m.row for m in models], "unit": unit.row}
    shown: dict[str, Plain] = {"area": list(zone_of(unit.position, unit.side)), "coherency": COHERENCY}
    return Place(unit.side, "deploy", refuses, samples, suggests, shown, about)


def standing(model: Model, spot: Sequence[float]) -> Solid:
    return Solid(model.profile.shape, spot[0], spot[1], 0.0, spot[2], 2.0)


@rule("setup/deployment", "base-general/coherency", "base-move/impassable", "base-move/through-models")
def misplaced(unit: Unit, models: Sequence[Model], there: Sequence[Spot]) -> Fault | None:
    """Outside the zone, on impassable ground or another base, or apart."""
    west, south, east, north = zone_of(unit.position, unit.side)
    solids = [standing(m, spot) for m, spot in zip(models, there, strict=True)]
    for k, (model, one) in enumerate(zip(models, solids, strict=True)):
        at = round(one.x, 2), round(one.y, 2)
        w, s, e, n = extent(one)
        if min(w - west, s - south, east - e, north - n) < -TOLERANCE:
            return Fault(at, model=model.row)
        if not fields.is_free(deploy_field(model), one.x, one.y, one.facing):
            return Fault(at, model=model.row)
        if any(gap(one, other) <= 0.0 for other in solids[:k]):
            return Fault(at, model=model.row)
    return None if len(solids) < 2 or is_together(solids, COHERENCY) else Fault(limit=COHERENCY, model=models[0].row)


def deploy_field(model: Model) -> fields.Field:
    """What bars a base while the armies deploy: impassable ground, and whoever stands already."""
    position = model.position
    kept, key = position.layout, ("deploy", model.profile.footprint)
    if key not in kept:
        others = position.on_table()
        kept[key] = fields.field(
            position.ground,
            model.profile.shape,
            [m.solid for m in others],
            [0.0] * len(others),
            position.ground.kept(impassable),
        )
    found: fields.Field = kept[key]
    return found


def find_places(unit: Unit, models: Sequence[Model], rng: Random | None = None) -> Iterator[Plain]:
    """Places for a unit, in ranks facing the enemy; at random, or along the front of the zone from the middle."""
    facing = INWARD[edge_of(unit.position, unit.side)]
    for centre in centres(unit, rng):
        for wide in (5, 8, 3):
            spots = ranks(models, centre, facing, wide)
            free = fields.all_free(deploy_field(models[0]), np.array(spots, np.float64))
            if free.all() and misplaced(unit, models, spots) is None:
                yield [list(spot) for spot in spots]
                break


def centres(unit: Unit, rng: Random | None) -> list[Point]:
    west, south, east, north = zone_of(unit.position, unit.side)
    xs = [west + 2.0 * k for k in range(1, int((east - west) / 2.0))]
    middle = place_in_line(unit, west, east)
    at_south = edge_of(unit.position, unit.side) == SOUTH
    ys = [(north - d) if at_south else (south + d) for d in (2.0, 4.5, 7.0, 9.5)]
    found = [(x, y) for y in ys for x in sorted(xs, key=lambda x: abs(x - middle))]
    if rng is not None:
        rng.shuffle(found)
    return found


def place_in_line(unit: Unit, west: float, east: float) -> float:
    """Where along the front a unit would stand: by the others of its group, or the groups side by side."""
    position, group = unit.position, unit.marks(GROUP)
    beside = [m.x for m in position.on_table(unit.side) if m.unit.marks(GROUP) == group]
    if beside:
        return sum(beside) / len(beside)
    groups = list(dict.fromkeys(one.marks(GROUP) for one in position.units if one.side == unit.side))
    return west + (east - west) * (INNER + (1.0 - 2.0 * INNER) * (groups.index(group) + 0.5) / len(groups))


def ranks(models: Sequence[Model], centre: Point, facing: float, wide: int) -> list[Spot]:
    """Rows of models, so many abreast, as close as their bases and a little more."""
    size = max(2.0 * bounding_radius(m.profile.shape) for m in models) + SPARE
    if not isinstance(models[0].profile.shape, Circle):
        size += STEP
    found = []
    count = len(models)
    for k in range(count):
        row, column = divmod(k, wide)
        across = (column - (min(wide, count - row * wide) - 1) / 2.0) * size
        back = row * size * (1.0 if facing == INWARD[NORTH] else -1.0)
        found.append((round(centre[0] + across, 4), round(centre[1] + back, 4), facing))
    return found


STAGES: dict[str, Stage] = {
    "scenery": lay_scenery,
    "mission": choose_mission,
    "edges": choose_edges,
    "deployment": deploy,
}


def after(stage: str) -> str | None:
    """The stage that follows, None where the battle begins."""
    names = list(STAGES)
    number = names.index(stage) + 1
    return names[number] if number < len(names) else None
