"""The result of a melee: the loser, the step back, the test, the occupied ground."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

from campale.mechanics.bases import touch
from campale.mechanics.frames import push
from campale.mechanics.moves.barring import MORE_THAN
from campale.mechanics.moves.coherency import is_together
from campale.mechanics.moves.unit_moves import path_of
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Place
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.declaring import targets_declared
from campale.rulesets.e3m.assault.melee import FOUGHT, Fight, fight_out, is_against_vehicle, melees
from campale.rulesets.e3m.assault.moves import CHARGED_IN
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import COHERENCY, IMMOBILISED, members, note_gone
from campale.rulesets.e3m.fire.wounds import TRAPPED, lose_model
from campale.rulesets.e3m.morale.morale import break_unit, passes
from campale.rulesets.e3m.morale.retreat import clamped, facing_along
from campale.rulesets.e3m.movement.moves import ENEMY_GAP, at_the_end
from campale.rulesets.e3m.movement.routes import begin_route
from campale.rulesets.e3m.vehicles import driving
from campale.table import fields
from campale.table.formations import put_down, spots
from campale.table.measure import bounding_radius, gap, nearest_point
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Circle, Point, Solid, facing_towards, heading, rounded

BACK, FINE = 6.0, 0.01
NEAR_THEM = 1.0
COUNTS_AS = 10
TURNS = tuple(sign * step for step in range(0, 181, 10) for sign in ((1, -1) if 0 < step < 180 else (1,)))
SPOTS, APART = 700, 0.25

Spot = tuple[float, float, float]


# ---------------------------------------------------------------- the next melee


def left_to_fight(position: Position) -> list[tuple[int, ...]]:
    fought = {tuple(one) for one in position.declared.get(FOUGHT, ())}
    left = [one for one in melees(position) if one not in fought and not any(set(one) <= set(f) for f in fought)]
    return [one for one in left if not is_against_vehicle(position, one) or is_assaulted(position, one)]


@rule("vehicles/assault-outside-movement", "base-vehicle/melee-no-result")
def is_assaulted(position: Position, rows: Sequence[int]) -> bool:
    """Whether the assault on a vehicle was declared in this turn. Contact left by an earlier one gives no blows."""
    return any(set(targets_declared(Unit(position, row))) & set(rows) for row in rows)


def name_of(one: tuple[int, ...], left: Sequence[tuple[int, ...]]) -> int:
    """The row of the first unit that is in no other melee left; a unit may also strike at a vehicle."""
    own = (row for row in one if sum(row in other for other in left) == 1)
    return next(own, one[0])


@rule("initiative/melee-order", "sequence/step-8-melee")
async def next_melee(position: Position) -> bool:
    """The holder of the fourth chit picks the first melee, then the sides alternate. Returns whether one was left."""
    left = left_to_fight(position)
    if not left:
        return False
    side = position.now["first"] if position.now["last"] < 0 else 1 - position.now["last"]
    chosen = left[0]
    if len(left) > 1:
        names: list[Plain] = [name_of(one, left) for one in left]
        named = await choose(int(side), "next-melee", list(dict.fromkeys(names)), of="unit")
        chosen = next(one for one in left if name_of(one, left) == named)
    position.now["last"] = int(side)
    position.declare(FOUGHT, (*position.declared.get(FOUGHT, ()), tuple(chosen)))
    push(position, ("melee", tuple(chosen)))
    return True


@rule("assault/resolution", "assault/one-turn", "base-vehicle/melee-no-result")
async def melee(position: Position, rows: tuple[int, ...]) -> None:
    """Fight one melee, once. A melee against a vehicle without Weapon Skill has no winner."""
    position.remember("melee")
    fight, inflicted = await fight_out(position, rows)
    position.write("melee", units=list(rows), wounds=list(inflicted), attacker=fight.attacker)
    rows = with_those_left_alone(fight, rows)
    position.declare(FOUGHT, tuple(dict.fromkeys((*position.declared.get(FOUGHT, ()), rows))))
    push(position, ("after-melee",))
    if position.options.halt_any_losses:
        push(position, ("tests", (), 1 - fight.attacker))
    if not is_against_vehicle(position, rows):
        settle(fight, rows, inflicted)


@rule("base-characters/attached", "assault/several-units", "assault/one-turn")
def with_those_left_alone(fight: Fight, rows: tuple[int, ...]) -> tuple[int, ...]:
    """The units of a melee with the special models whose units have fallen in it."""
    engaged = (m for side in (0, 1) for m in fight.engaged(side))
    return tuple(dict.fromkeys((*rows, *(m.unit.row for m in engaged))))


# ---------------------------------------------------------------- base-melee/result


@rule("base-melee/result", "assault/tie-to-defender", "assault/wiped-out")
def winner_of(fight: Fight, inflicted: Sequence[int]) -> int | None:
    """The side with more unsaved wounds; a tie (also 0 to 0) goes to the defender. A side without models has lost."""
    attacker = fight.attacker
    left = [any(members(m.unit) for m in fight.engaged(side)) for side in (0, 1)]
    if not all(left):
        return None if not any(left) else int(left[1])
    return attacker if inflicted[attacker] > inflicted[1 - attacker] else 1 - attacker


@rule("assault/several-units", "assault/defender-loses", "assault/attacker-loses", "assault/wiped-out")
def settle(fight: Fight, rows: Sequence[int], inflicted: Sequence[int]) -> None:
    """Every losing unit suffers the result of its role; then a winning attacker occupies the ground."""
    position, winner = fight.position, winner_of(fight, inflicted)
    if winner is None:
        return
    units = [Unit(position, row) for row in rows]
    losers = [unit.row for unit in units if unit.side != winner and members(unit)]
    winners = [unit.row for unit in units if unit.side == winner and members(unit)]
    worse = int(is_outnumbered(fight, 1 - winner))
    steps: list[tuple[Plain, ...]] = [("lose", row, int(winner == fight.attacker), worse) for row in losers]
    if winner == fight.attacker and not has_stuck_walker(position, losers):
        held = tuple(one.row for one in units if one.side != winner)
        steps += [("occupy", row, held) for row in winners if not has_stuck_walker(position, [row])]
    elif has_stuck_walker(position, losers):
        steps += [("set-back", row, 0, 0) for row in winners if not has_stuck_walker(position, [row])]
    push(position, *steps)


@rule("base-morale/modifiers")
def is_outnumbered(fight: Fight, loser: int) -> bool:
    """Whether the loser has fewer models left in the melee. Great creatures and walkers count as ten."""
    counts = [
        sum(COUNTS_AS if m.profile.kind == "great" or m.profile.is_walker else 1 for m in fight.models(side))
        for side in (0, 1)
    ]
    return counts[loser] < counts[1 - loser]


def has_stuck_walker(position: Position, rows: Sequence[int]) -> bool:
    models = [m for row in rows for m in members(Unit(position, row))]
    return any(m.profile.is_walker and m.marks(IMMOBILISED) for m in models)


# ---------------------------------------------------------------- the losers


@rule("assault/defender-loses", "assault/attacker-loses", "base-vehicle/walkers")
async def lose(position: Position, row: int, to_attacker: int, worse: int) -> None:
    """The unit moves back, then tests, and retreats if it fails.

    Walkers that are stuck stay; routed units take no test.
    """
    unit = Unit(position, row)
    models = [m for m in members(unit) if m.is_on_table]
    if not models:
        return
    if not is_routed(unit):
        push(position, ("lost-test", row, worse))
    if any(m.profile.is_walker and m.marks(IMMOBILISED) for m in models):
        return
    if to_attacker:
        fall_back(unit, models)
    else:
        go_back(unit, models)


@rule("assault/defender-loses", "assault/attacker-loses", "base-morale/failure", "base-morale/modifiers")
async def lost_test(position: Position, row: int, worse: int) -> None:
    """Test morale, unless fire on the way back has routed the unit already."""
    unit = Unit(position, row)
    if not members(unit) or is_routed(unit):
        return
    if not await passes(unit, "melee-lost", outnumbered=bool(worse)):
        break_unit(unit)


@rule("assault/fall-back-direction")
def fall_back(unit: Unit, models: list[Model]) -> None:
    """Move 6 inches straight away from the middle of the attackers in contact, turning as little as needed."""
    position = unit.position
    enemies = [e for e in position.on_table(1 - unit.side) if any(touch(m, e) for m in models)]
    if not enemies:
        enemies = position.on_table(1 - unit.side)[:1]
    ex, ey = mean([e.at for e in enemies]) if enemies else (0.0, 0.0)
    x, y = mean([m.at for m in models])
    away = facing_towards((ex, ey), (x, y))
    for far in (BACK, 4.0, 2.0):
        for turn in TURNS:
            dx, dy = heading(rounded((away + turn) % 360.0))
            places = [clamped(m, m.x + far * dx, m.y + far * dy) for m in models]
            found = stand(models, places, 1)
            if found is not None:
                begin_route(unit, "fall-back", "fall-back", found)
                return
    for model in models:
        if not is_clear(model, model.at):
            lose_model(model, TRAPPED)


def mean(points: Sequence[Point]) -> Point:
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def barred_at(model: Model) -> fields.Field:
    return (driving.at_the_end if model.profile.drives else at_the_end)(model).field


def is_clear(model: Model, at: Point) -> bool:
    return fields.is_free(barred_at(model), *at, model.facing)


def stand(models: Sequence[Model], places: Sequence[Point], tries: int) -> dict[int, Path] | None:
    """Ways to the places or to free spots near them, by row; None if none are found."""
    if not all(isinstance(m.profile.shape, Circle) for m in models):
        return ways_of_hulls(models, places, tries)
    goings = [barred_at(m).plans for m in models]
    found = put_down(goings, places, tries)
    return None if found is None else {m.row: path_of(m, [at]) for m, at in zip(models, found, strict=True)}


def ways_of_hulls(models: Sequence[Model], places: Sequence[Point], tries: int) -> dict[int, Path] | None:
    """The same for light vehicles, which face along their way and end clear of each other."""
    found: dict[int, Path] = {}
    ends: list[Solid] = []
    for model, place in zip(models, places, strict=True):
        tried = (facing_along(model, at) for at in spots(place, APART, tries))
        free = (one for one in tried if fields.is_free(barred_at(model), one.x, one.y, one.facing))
        end = next((one for one in free if all(gap(one, other) > 0.0 for other in ends)), None)
        if end is None:
            return None
        ends.append(end)
        found[model.row] = path_of(model, [(end.x, end.y)])
    return found


@rule("assault/attacker-loses")
def go_back(unit: Unit, models: list[Model]) -> None:
    """Each survivor returns to its place before the assault move, or to the nearest free one.

    A unit that made no assault move in this turn gets clear of the enemy where it stands.
    """
    position = unit.position
    has_assaulted = unit.marks("assaulted") or unit.marks(CHARGED_IN)
    before = position.snapshots.get(f"assault-{unit.row}", {}) if has_assaulted else {}
    places = [before[m.row][:2] if m.row in before else m.at for m in models]
    found = stand(models, places, SPOTS)
    if found is not None:
        begin_route(unit, "fall-back", "fall-back", found)


# ---------------------------------------------------------------- the winners


@rule("assault/attacker-occupies", "assault/no-pursuit")
async def occupy(position: Position, row: int, losers: tuple[int, ...]) -> None:
    """Every model moves to within 1 inch of a defender's spot, in coherency, more than 1 inch from enemies."""
    unit = Unit(position, row)
    models = [m for m in members(unit) if m.is_on_table]
    spots_held = spots_of(position, losers)
    if not models or not spots_held:
        return
    best = occupation(models, spots_held)
    if best is None:
        return
    question = occupy_question(unit, models, spots_held, best)
    there = await ask(question)
    for model, (x, y, facing) in zip(models, there, strict=True):
        far = math.dist((x, y), model.at)
        if far > 0.0:
            model.move_to(x, y, facing=facing, placed=True)
            note_gone(model, far)
    push(position, ("closed", row))


def spots_of(position: Position, losers: Sequence[int]) -> list[Solid]:
    """The solids of the defenders where they stood when the melee began."""
    before = position.snapshots.get("melee", {})
    found = []
    for row, (x, y, _, facing) in sorted(before.items()):
        model = position.model(row)
        if position.unit_of[row] in losers or model.bought_with.row in losers:
            found.append(Solid(model.profile.shape, x, y, 0.0, facing))
    return found


def off_spots(model: Model, spot: Spot, held: Sequence[Solid]) -> float:
    """How many inches beyond 1 a base would be from the nearest spot."""
    there = Solid(model.profile.shape, spot[0], spot[1], 0.0, spot[2])
    return max(0.0, min(gap(there, spot) for spot in held) - NEAR_THEM)


@rule("assault/attacker-occupies")
def occupation(models: Sequence[Model], held: Sequence[Solid]) -> list[Spot] | None:
    """Places for all models on the occupied ground or as near as there is room; None if none are found."""
    middle = mean([(spot.x, spot.y) for spot in held])
    ordered = sorted(models, key=lambda m: (m.x - middle[0]) ** 2 + (m.y - middle[1]) ** 2)
    wanted = [(spot.x, spot.y) for spot in held]
    placed: dict[int, Solid] = {}
    for k, model in enumerate(ordered):
        found = place_among(model, wanted[k % len(wanted)], list(placed.values()))
        if found is None:
            return None
        placed[model.row] = found
    return [(placed[m.row].x, placed[m.row].y, m.facing) for m in models]


def place_among(model: Model, wanted: Point, others: Sequence[Solid]) -> Solid | None:
    """The free place nearest to a point, in coherency with the others, or None."""
    field = barred_at(model)
    for x, y in spots(wanted, bounding_radius(model.profile.shape), SPOTS):
        if not fields.is_free(field, x, y, model.facing):
            continue
        there = Solid(model.profile.shape, x, y, 0.0, model.facing)
        gaps = [gap(there, other) for other in others]
        if not gaps or (min(gaps) > 0.0 and min(gaps) <= COHERENCY):
            return there
    return None


def occupy_question(unit: Unit, models: Sequence[Model], held: Sequence[Solid], best: list[Spot]) -> Place:
    limit = sum(off_spots(m, spot, held) for m, spot in zip(models, best, strict=True))

    def refuses(there: Sequence[Spot]) -> Fault | None:
        return not_occupied(models, there, held, limit)

    def samples(rng: Random) -> Plain:
        return [list(spot) for spot in best]

    def suggests() -> Iterator[Plain]:
        yield [list(spot) for spot in best]

    about: dict[str, Plain] = {"models": [m.row for m in models], "unit": unit.row}
    return Place(unit.side, "occupy", refuses, samples, suggests, {"within": NEAR_THEM}, about)


@rule("assault/attacker-occupies", "base-general/coherency", "base-move/one-inch")
def not_occupied(models: Sequence[Model], there: Sequence[Spot], held: Sequence[Solid], limit: float) -> Fault | None:
    """Refuses places that are taken, too near an enemy, out of coherency, or farther from the spots than needed."""
    solids = [Solid(m.profile.shape, x, y, 0.0, facing) for m, (x, y, facing) in zip(models, there, strict=True)]
    for k, (model, one) in enumerate(zip(models, solids, strict=True)):
        is_free = fields.is_free(barred_at(model), one.x, one.y, one.facing)
        if not is_free or any(gap(one, other) <= 0.0 for other in solids[:k]):
            return Fault((round(one.x, 2), round(one.y, 2)), limit=ENEMY_GAP, model=model.row)
    if not is_together(solids, COHERENCY):
        return Fault(limit=COHERENCY, model=models[0].row)
    off = sum(off_spots(m, spot, held) for m, spot in zip(models, there, strict=True))
    return Fault(measured=round(off, 2), limit=round(limit, 2)) if off > limit + TOLERANCE else None


@rule("base-vehicle/walkers")
async def set_back(position: Position, row: int, _: int, __: int) -> None:
    """The winners step back from an immobilised walker that lost, to just over 1 inch."""
    unit = Unit(position, row)
    models = [m for m in members(unit) if m.is_on_table]
    found = stand(models, [just_clear(m) for m in models], SPOTS)
    if found is not None:
        begin_route(unit, "fall-back", "fall-back", found)


@rule("base-vehicle/walkers")
def just_clear(model: Model) -> Point:
    """The first place straight away from the nearest enemy that is more than 1 inch from it; its own if it is."""
    enemies = model.position.on_table(1 - model.side)
    near = min(enemies, key=lambda enemy: gap(model.solid, enemy.solid)).solid
    dx, dy = heading(facing_towards(nearest_point(near, *model.at), model.at))
    steps = [FINE * k for k in range(int(BACK / FINE))]
    places = ((rounded(model.x + step * dx), rounded(model.y + step * dy)) for step in steps)
    clear = (one for one in places if gap(facing_along(model, one), near) > ENEMY_GAP + MORE_THAN)
    return next(clear, model.at)
