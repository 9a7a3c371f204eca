"""Where, at what and with what a unit fires, for a bot: areas, heavy weapons, snipers, lines, markers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from campale.mechanics.judgement.advice import About, Advice
from campale.mechanics.script_form import EACH
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.rulesets.e3m.bots.destinations import gain_of_move
from campale.rulesets.e3m.bots.forecast import chance, hits_of_one, share_of_hit, ways_to_fire
from campale.rulesets.e3m.bots.prospects import HOPE, NOW, View, value, view_of
from campale.rulesets.e3m.bots.squads import LEADER
from campale.rulesets.e3m.command.units import LEADS, members
from campale.rulesets.e3m.fire.area import Area, Arm, areas_at, arm_of, base_of, firing_at, good_areas, hit_in
from campale.rulesets.e3m.fire.declaring import standard_weapon
from campale.rulesets.e3m.fire.kinds import KINDS, PREPARATORY, Kind, shots_of
from campale.rulesets.e3m.fire.vehicle_fire import ALL
from campale.rulesets.e3m.fire.volley import hit_need
from campale.rulesets.e3m.movement.sight import NONE
from campale.table.measure import gap, gap_to_point
from campale.table.shapes import Point, rounded

AREAS = 8
"""The number of areas examined, those that reach most first."""
DRAWN = 4
"""The number of them that are also tried nearer to the shooters."""
SPARE = 0.1
"""How far inside such an area its target stays, in inches."""
NARROW = 2.0
"""The width in inches of an area meant for one or two models."""
HALVED = 0.5
IN_AREA, AT_VEHICLE, NOBODY = "area", "vehicle", "nobody"


def worth_of_model(model: Model) -> float:
    return float(model.profile.points) + (LEADER if model.marks(LEADS) else 0.0)


# ---------------------------------------------------------------- fire areas


def which_area(position: Position, question: Question, about: About) -> Advice:
    """The areas that reach most, those drawn nearer, and narrower ones, each with its expected losses in points."""
    assert question.side is not None
    view, kind = view_of(position, question.side), KINDS[str(about["fire"])]
    arms = [arm_of(position.model(row), mount, number, kind) for row, mount, number in about["arms"]]
    against = tuple(about.get("against", ()))
    areas = good_areas(position, arms, against)[:AREAS]
    nearer = [drawn_nearer(area, [arm.model for arm in arms]) for area in areas[:DRAWN]]
    areas += [area for area, _ in areas_at(position, arms, against, nearer) if area not in areas]
    found = []
    for (x, y, wide), firing in zip(areas, firing_at(position, arms, [area[:2] for area in areas]), strict=True):
        for area in dict.fromkeys([(x, y, wide), (x, y, min(wide, NARROW))]):
            found.append((list(area), worth_of_area(view, question.side, firing, kind, area)))
    return found


def drawn_nearer(area: Area, shooters: Sequence[Model]) -> Point:
    """A centre nearer to the shooters whose circle still holds the old one: more of them are within short range."""
    x, y, wide = area
    to_x, to_y = (sum(values) / len(shooters) for values in zip(*(m.at for m in shooters), strict=True))
    far = math.dist((x, y), (to_x, to_y))
    share = min(1.0, (wide / 2.0 - SPARE) / far) if far else 0.0
    return rounded(x + share * (to_x - x)), rounded(y + share * (to_y - y))


def worth_of_area(view: View, side: int, firing: Sequence[Arm], kind: Kind, area: Area) -> float:
    """The expected losses: one hit for each model, cheapest first, and the other hits on the cheapest."""
    hits = hits_by_line(firing, kind, area)
    left = sum(hits.values())
    in_order = sorted(hit_in(view.position, firing, area), key=worth_of_model)
    shares = [share_of_hits(model, hits, cover_of(view, side, firing[0].model, model)) for model in in_order]
    lost = []
    for share in shares:
        lost.append(min(1.0, left) * share)
        left = max(0.0, left - 1.0)
    if lost:
        lost[0] = 1.0 - (1.0 - lost[0]) * (1.0 - shares[0]) ** left
    fallen = sum(share * worth_of_model(model) for model, share in zip(in_order, lost, strict=True))
    return fallen + shocks(view, side, in_order, lost)


def hits_by_line(firing: Sequence[Arm], kind: Kind, area: Area) -> dict[Arm, float]:
    """The expected hits of each weapon line, by the first arm that has it."""
    firsts: dict[tuple[str, int], Arm] = {}
    found: dict[Arm, float] = defaultdict(float)
    for arm in firing:
        shots = shots_of(arm.model, arm.line, gap_to_point(base_of(arm.model), area[0], area[1]), kind)
        hits = shots * chance(hit_need(arm.model, arm.line)) * (HALVED if kind.reduced else 1.0)
        found[firsts.setdefault(arm.key, arm)] += hits
    return found


def share_of_hits(model: Model, hits: Mapping[Arm, float], cover: int) -> float:
    """The share of a model that one of these hits takes off."""
    total = sum(hits.values())
    taken = sum(n * share_of_hit(arm.line, model, cover) * hits_of_one(arm.line, model) for arm, n in hits.items())
    return min(1.0, taken / total) if total else 0.0


def cover_of(view: View, side: int, shooter: Model, target: Model) -> int:
    """The cover of the target's unit against the shooter's unit."""
    ours, theirs = ([one.unit.row for one in some] for some in (view.squads[side], view.squads[1 - side]))
    if shooter.unit.row not in ours or target.unit.row not in theirs:
        return NONE
    k, n = ours.index(shooter.unit.row), theirs.index(target.unit.row)
    return int(view.facing.covers[0][k, n] if side == 0 else view.facing.covers[1][n, k])


def shocks(view: View, side: int, hit: Sequence[Model], lost: Sequence[float]) -> float:
    """What the losses cost the units in addition."""
    total, worths = 0.0, view.worths[1 - side]
    for n, one in enumerate(view.squads[1 - side]):
        share = sum(part for model, part in zip(hit, lost, strict=True) if model.unit.row == one.unit.row) / one.size
        if share:
            with_shock = value(np.array(share), float(worths.points[n]), float(worths.shock[n]))
            total += float(with_shock) - float(worths.points[n]) * share
    return total


# ---------------------------------------------------------------- weapons


def shot(arm: Arm, target: Model) -> float:
    """What one arm takes off a target at its present distance."""
    far = gap(base_of(arm.model), target.solid)
    ways = ways_to_fire(arm.model, arm.line, target, NONE)
    return max((share for limit, share, _ in ways if far <= limit), default=0.0) * worth_of_model(target)


def which_line(position: Position, question: Question, about: About) -> Advice:
    """The ways to fire a weapon, each with the most it does to any enemy."""
    assert isinstance(question, Choose)
    assert question.side is not None
    shooter, eyes = position.model(int(about["models"][0])), eyes_of(position, 1 - question.side)
    arms = [Arm(shooter, *line) for line in question.candidates if line != EACH]
    return [((arm.mount, arm.number), max((shot(arm, eye) for eye in eyes), default=0.0)) for arm in arms]


def which_weapons(position: Position, question: Question, about: About) -> Advice:
    """All weapons of a vehicle that stays, or one of a vehicle that moves, if the move is worth the others."""
    assert isinstance(question, Choose)
    assert question.side is not None
    unit, eyes = Unit(position, int(about["unit"])), eyes_of(position, 1 - question.side)
    vehicle, stays = members(unit)[0], position.now["phase"] == PREPARATORY.name
    found = []
    for how, mounts in question.candidates:
        arms = [Arm(vehicle, mount, 0) for mount in mounts]
        fire = HOPE * NOW * max((sum(shot(arm, eye) for arm in arms) for eye in eyes), default=0.0)
        found.append(((how, mounts), fire + (gain_of_move(unit) if stays and how != ALL else 0.0)))
    return found


def eyes_of(position: Position, side: int) -> list[Model]:
    """One model for each unit of a side that is on the table."""
    return [one.eye for one in view_of(position, side).squads[side] if not one.is_aboard]


def area_or_vehicle(position: Position, question: Question, about: About) -> Advice:
    """A heavy weapon fires where it does most."""
    assert question.side is not None
    shooter, vehicle = position.model(int(about["model"])), position.model(int(about["vehicle"]))
    lines = [(k, n) for k, mount in enumerate(shooter.profile.mounts) for n in range(len(mount.weapon.lines))]
    arms = [Arm(shooter, *line) for line in lines]
    on_foot = [eye for eye in eyes_of(position, 1 - question.side) if not eye.profile.has_armour]
    most = max((shot(arm, eye) for arm in arms for eye in on_foot), default=0.0)
    return [(IN_AREA, most), (AT_VEHICLE, max(shot(arm, vehicle) for arm in arms))]


def whom_to_snipe(position: Position, question: Question, about: About) -> Advice:
    """The victims by their worth to a sniper's shot, against a shot into the area."""
    assert isinstance(question, Choose)
    unit = Unit(position, int(about["unit"]))
    sniper = next(m for m in members(unit) if m.profile.weapons and m.profile.weapons[0].id == standard_weapon(unit))
    line = sniper.profile.weapons[0].lines[0]
    victims = [position.model(row) for row in question.candidates if row != NOBODY]
    worths = [share_of_hit(line, victim, NONE) * worth_of_model(victim) for victim in victims]
    return [(NOBODY, median(worths)), *((victim.row, worth) for victim, worth in zip(victims, worths, strict=True))]


def where_to_mark(position: Position, question: Question, about: About) -> Advice:
    """The models by what a marker on them covers: enemies count for it, own models against it."""
    assert isinstance(question, Choose)
    assert question.side is not None
    found = []
    for row in question.candidates:
        at, radius = position.model(row).at, float(about["radius"])
        near = [m for m in position.on_table() if gap_to_point(m.solid, *at) <= radius]
        points = [(1.0 if m.side != question.side else -1.0) * worth_of_model(m) for m in near]
        found.append((row, sum(points)))
    return found
