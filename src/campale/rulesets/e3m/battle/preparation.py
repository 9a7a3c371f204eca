"""Before the battle: scenery, mission, edges, deployment (setup/*)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Any

import numpy as np

from campale.mechanics.dice import roll_off
from campale.mechanics.moves.barring import barred_for, touching_all
from campale.mechanics.moves.coherency import beyond_link
from campale.mechanics.phases import Phase
from campale.mechanics.script_form import fill_in_script
from campale.mechanics.setup.agreed import BY_LOT, BY_PLAYERS
from campale.mechanics.setup.drawing_up import (
    DrawingUp,
    Spot,
    barred,
    draw_up,
    on_another,
    outside,
    standing,
)
from campale.mechanics.setup.edges import USUAL, take_edges
from campale.mechanics.setup.laying import (
    apart,
    keeping_off,
    kind_and_place,
    kind_and_place_by_lot,
    lay,
    place_question,
    placed,
)
from campale.mechanics.setup.scenery import is_on_table
from campale.mechanics.units import in_reserve, waiting
from campale.referee.ask import choose, roll
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.question import Aim, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import MOUNTED
from campale.rulesets.e3m.battle.missions import BY_FACE
from campale.rulesets.e3m.battle.scenery import PIECES, PRESETS, scenery_piece
from campale.rulesets.e3m.battle.zones import own_edge, zone_of
from campale.rulesets.e3m.command.groups import command_radius, leader_of
from campale.rulesets.e3m.command.units import COHERENCY, GROUP, SPECIAL
from campale.rulesets.e3m.movement.ground import difficult_areas, impassable
from campale.rulesets.e3m.movement.moves import barred_alike, fence_of
from campale.table import fields
from campale.table.kernels import Floats
from campale.table.outlines import box
from campale.table.shapes import TOLERANCE, Solid
from campale.table.terrain import Piece

APART = 6.0
GRID = 3.0
ASIDE = 1.0
"""How many inches inside its leader's command radius the middle of a unit is first tried."""
INNER = 0.2
"""The share of the front at either end where no group is tried first."""
TURNS = (0.0, 45.0, 90.0, 135.0)
HEIGHT = 2.0


# ---------------------------------------------------------------- setup/table


@rule("setup/table")
async def lay_scenery(position: Position) -> bool:
    """Lay one piece and return whether there was one to lay; by lot or by the players, 6 inches apart."""
    how = position.now.get("scenery")
    if how not in (BY_LOT, BY_PLAYERS) or len(position.ground.pieces) >= pieces_wanted(position):
        return False
    if how == BY_PLAYERS and "lays" not in position.now:
        position.now["lays"] = await roll_off("scenery")
    places = open_places(position)
    if not places:
        return False
    piece = await (piece_by_lot(position, places) if how == BY_LOT else piece_by_player(position, places))
    lay(position, piece)
    return True


async def piece_by_lot(position: Position, places: dict[str, list[Plain]]) -> Piece:
    kind, at = await kind_and_place_by_lot(list(places), lambda kind: places[kind])
    return piece_at(kind, at, name_of(position, kind))


async def piece_by_player(position: Position, places: dict[str, list[Plain]]) -> Piece:
    side = int(position.now["lays"])

    def script() -> Generator[Question, Any, Piece]:
        where = partial(piece_question, position, side, places)
        kind, at = yield from kind_and_place(side, list(places), where)
        return piece_at(kind, at, name_of(position, kind))

    piece = await fill_in_script(side, "scenery", script)
    assert piece is not None
    position.now["lays"] = 1 - side
    return piece


def name_of(position: Position, kind: str) -> str:
    return f"{kind}-{len(position.ground.pieces) + 1}"


def piece_at(kind: str, at: Sequence[float], name: str = "") -> Piece:
    x, y, turn = placed(at)
    return scenery_piece(kind, (x, y), turn, name)


def pieces_wanted(position: Position) -> int:
    return int(position.now.get("pieces", PIECES))


@rule("setup/table")
def fault_of_piece(position: Position, piece: Piece) -> Fault | None:
    """A piece lies wholly on the table, at least 6 inches from every other piece."""
    west, south, _, _ = box(piece.outline)
    at = round(west, 2), round(south, 2)
    if not is_on_table(piece, position.ground):
        return Fault(at)
    away = min((apart(piece, other) for other in position.ground.pieces), default=APART)
    return Fault(at, round(away, 2), APART) if away < APART - TOLERANCE else None


def open_places(position: Position) -> dict[str, list[Plain]]:
    """The grid places, by kind, where a piece of that kind may lie."""
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
    """The grid places where the box of the piece keeps off the boxes of all other pieces."""
    places, boxes = grid_of(kind, position.ground.width, position.ground.depth)
    yield from keeping_off(places, boxes, position.ground.pieces, APART)


@lru_cache(maxsize=256)
def grid_of(kind: str, width: float, depth: float) -> tuple[list[tuple[float, float, float]], Floats]:
    """The grid places (x, y, turn) where a piece lies wholly on the table, and its boxes there (n, 4)."""
    across, along = range(1, int(width / GRID)), range(1, int(depth / GRID))
    spots = [(GRID * column, GRID * row, turn) for column, row in product(across, along) for turn in TURNS[:3:2]]
    boxes = [box(piece_at(kind, spot).outline) for spot in spots]
    inside = [k for k, b in enumerate(boxes) if b[0] >= 0.0 and b[1] >= 0.0 and b[2] <= width and b[3] <= depth]
    return [spots[k] for k in inside], np.array([boxes[k] for k in inside], np.float64).reshape(-1, 4)


def piece_question(position: Position, side: int, places: dict[str, list[Plain]], kind: str) -> Aim:
    def refuses(at: Sequence[float]) -> Fault | None:
        return fault_of_piece(position, piece_at(kind, at))

    return place_question(side, "scenery-place", lambda: places[kind], refuses, piece=kind, apart=APART)


# ---------------------------------------------------------------- setup/mission, setup/deployment


@rule("setup/mission")
async def choose_mission(position: Position) -> bool:
    """The mission agreed on, or one rolled with a die."""
    if "mission" not in position.now:
        position.now["mission"] = BY_FACE[(await roll(0, "mission")).total]
    position.write("mission", mission=position.now["mission"])
    return False


@rule("setup/deployment")
async def choose_edges(position: Position) -> bool:
    """The winner of a roll-off picks a long edge. The other side has the opposite edge and deploys first."""
    winner = await roll_off("edges")
    edge = await choose(winner, "edge", USUAL, of="edge")
    take_edges(position, winner, edge)
    position.now.update(deploys=1 - winner)
    position.write("edges", side=winner, edge=edge)
    return False


# ---------------------------------------------------------------- deploying, group by group


@rule("setup/deployment")
def next_to_deploy(position: Position, side: int) -> list[list[int]]:
    """The rows of the units of each waiting group. Special models come last."""
    groups: dict[int, list[int]] = {}
    for unit in waiting(position, side):
        groups.setdefault(unit.marks(GROUP) or -1 - unit.row, []).append(unit.row)
    ordinary = [rows for group, rows in groups.items() if group > 0 or not is_special(position, rows)]
    return ordinary or list(groups.values())


def is_special(position: Position, rows: Sequence[int]) -> bool:
    return all(m.marks(SPECIAL) for m in position.models if m.unit.row in rows)


@rule("setup/deployment", "turn/leftover-elements")
async def deploy(position: Position) -> bool:
    """Deploy one unit and return whether to go on. A group is finished before the other side's turn."""
    side = int(position.now["deploys"])
    begun = [row for row in position.declared.get("deploying", ()) if waits(Unit(position, row))]
    if not begun:
        left = next_to_deploy(position, side)
        if not left:
            if not waiting(position, 1 - side):
                return False
            position.now["deploys"] = 1 - side
            return True
        groups: list[Plain] = [[rows[0], rows] for rows in left]
        first = await choose(side, "deploy-group", [rows[0] for rows in left], of="waiting", groups=groups)
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
    """The vehicle that the unit begins in, by its list, or None."""
    row = unit.note("begins-aboard")
    return None if row is None else unit_models(Unit(unit.position, int(row)))[0]


@rule("setup/deployment", "base-vehicle/transport")
async def deploy_unit(unit: Unit) -> None:
    """Deploy the unit aboard, if its list allows it, or in its side's zone."""
    models = in_reserve(unit)
    carrier = carried_by(unit)
    if carrier is not None and carrier.is_on_table:
        where = await choose(unit.side, "deploy-where", ("aboard", "table"), of="place", unit=unit.row)
        if where == "aboard":
            for model in models:
                unit.position.take_off(model, aboard_of=carrier)
            return
    await draw_up(unit, drawing_up(unit, models), "no-place", coherency=COHERENCY)


def drawing_up(unit: Unit, models: list[Model]) -> DrawingUp:
    position = unit.position
    zone, edge = zone_of(position, unit.side), own_edge(position, unit.side)
    middle = place_in_line(unit, zone[0], zone[2])
    refuses = partial(misplaced, models)
    stretch = stretch_by_leader(unit)
    return DrawingUp(models, zone, edge, deploy_field(models[0]), refuses, middle, stretch=stretch, shunned=endangering)


def endangering(model: Model) -> Sequence[Piece]:
    """Ground that is dangerous to leave: difficult ground, for mounted, jumping and flying models."""
    profile = model.profile
    is_endangered = profile.kind in MOUNTED or profile.kind == "jump" or profile.gear == "flying"
    return model.position.ground.kept(difficult_areas).pieces if is_endangered else ()


def place_in_line(unit: Unit, west: float, east: float) -> float:
    """The x where a unit is tried first: beside its group, or with the groups side by side."""
    position, group = unit.position, unit.marks(GROUP)
    beside = [m.x for m in position.on_table(unit.side) if m.unit.marks(GROUP) == group]
    if beside:
        return sum(beside) / len(beside)
    groups = list(dict.fromkeys(one.marks(GROUP) for one in position.units if one.side == unit.side))
    return west + (east - west) * (INNER + (1.0 - 2.0 * INNER) * (groups.index(group) + 0.5) / len(groups))


def stretch_by_leader(unit: Unit) -> tuple[float, float] | None:
    """The x range where the unit is in command, if its leader is already on the table, or None."""
    group = unit.marks(GROUP)
    leader = leader_of(unit.position, group) if group else None
    if leader is None or not leader.is_on_table:
        return None
    reach = command_radius(leader) - ASIDE
    return leader.x - reach, leader.x + reach


def deploy_field(model: Model, z: float = 0.0) -> fields.Field:
    """What bars a base during deployment: impassable ground, which to wheels obstacles are too, and other models."""
    return barred_for(model, "deploy", touching_all, fence_of(model), barred_alike(model)).field


def impassable_field(model: Model, z: float = 0.0) -> fields.Field:
    """The same for all alike: impassable ground and other models."""
    return barred_for(model, "deploy-anywhere", touching_all, impassable, model.profile.footprint).field


# ---------------------------------------------------------------- restrictions on places


def misplaced(models: Sequence[Model], there: Sequence[Spot]) -> Refusal | None:
    """Refuses places outside the zone, on impassable ground or another base, or out of coherency."""
    return first_refusal(DEPLOYMENT_RESTRICTIONS, models, standing(models, there, HEIGHT))


@rule("setup/deployment")
def outside_the_zone(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return outside(zone_of(models[0].position, models[0].side), models, solids)


@rule("base-move/impassable")
def on_impassable_ground(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return barred(impassable_field, models, solids, by_base=False)


@rule("vehicles/wheeled-obstacles")
def on_an_obstacle(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Refuses obstacles to wheels, which could not leave them."""
    return barred(deploy_field, models, solids, by_base=False)


@rule("base-move/through-models")
def on_another_base(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return on_another(deploy_field, models, solids)


@rule("base-general/coherency")
def scattered(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return beyond_link(models, solids, COHERENCY)


DEPLOYMENT_RESTRICTIONS = (outside_the_zone, on_impassable_ground, on_an_obstacle, on_another_base, scattered)


STAGES: dict[str, Phase] = {
    "scenery": lay_scenery,
    "mission": choose_mission,
    "edges": choose_edges,
    "deployment": deploy,
}
