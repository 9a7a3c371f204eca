"""A unit about some of its models whose places are settled: the others bridge the gaps between them, then follow.

The places tried lie round the bases already placed, 16 to a ring, at four distances up to the link. A model goes where
it joins groups that are apart, or else as near as possible to where the others lead it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from campale.mechanics.moves.contact import ContactSearch, Place
from campale.mechanics.moves.move_paths import answer_of
from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.table import fields
from campale.table.formations import groups, links
from campale.table.kernels import Flags, Floats
from campale.table.measure import bounding_radius
from campale.table.paths import Path
from campale.table.shapes import Point, heading

FAN = 16
TURNS = np.array([heading(360.0 * k / FAN) for k in range(FAN)], np.float64)
APART = (0.003, 0.35, 0.7, 0.98)
"""The distances from a base already placed, as shares of the link."""
CLEAR = 0.0005
FEW = 12
"""How many of the best places of a model are examined."""

Allows = Callable[[Model, Point], bool]


class Standing(NamedTuple):
    """The models already placed: x, y and radius of each (n, 3), and the number of its group (n)."""

    discs: Floats
    group: Floats

    @property
    def is_apart(self) -> bool:
        return bool(self.group.max() > 0.0)


def gathered(search: ContactSearch, settled: Mapping[int, Place], allows: Allows) -> Plain | None:
    """An answer in which the settled models go to their places and all others near them; None if they find no way.

    ``allows``: whether a model may end at a new place.
    """
    position = search.unit.position
    ways = {row: search.reachable(position.model(row), place) for row, place in settled.items()}
    if not ways or None in ways.values():
        return None
    placed = {m.row: m.at for m in search.models if m.row in search.movement.fixed}
    placed |= {row: (place[0], place[1]) for row, place in settled.items()}
    lead = led_by(search, settled)
    rest = [m for m in search.free if m.row not in settled]
    while rest:
        found = next_way(search, rest, standing(search, placed), lead, allows)
        if found is None:
            return None
        model, way = found
        rest.remove(model)
        ways[model.row] = way
        placed[model.row] = way.points[-1][0], way.points[-1][1]
    told = {row: answer_of(way) for row, way in ways.items() if way is not None}
    return [told.get(m.row, [[], None]) for m in search.models]


def led_by(search: ContactSearch, settled: Mapping[int, Place]) -> Point:
    """The average shift of the settled models."""
    model = search.unit.position.model
    steps = [(x - model(row).x, y - model(row).y) for row, (x, y, *_) in settled.items()]
    return sum(x for x, _ in steps) / len(steps), sum(y for _, y in steps) / len(steps)


def standing(search: ContactSearch, placed: Mapping[int, Point]) -> Standing:
    sizes = {m.row: bounding_radius(m.solid.shape) for m in search.models}
    at, radii = list(placed.values()), [sizes[row] for row in placed]
    group = np.zeros(len(at))
    for number, several in enumerate(groups(links(at, radii, search.movement.link))):
        group[several] = number
    return Standing(np.array([(x, y, radius) for (x, y), radius in zip(at, radii, strict=True)]), group)


def next_way(
    search: ContactSearch, rest: Sequence[Model], those: Standing, lead: Point, allows: Allows
) -> tuple[Model, Path] | None:
    """The next model and its way, to the best of all their places."""
    tried = [(rank, model, spot) for model in rest for rank, spot in best_spots(search, model, those, lead)]
    for _, model, spot in sorted(tried, key=lambda one: (one[0], one[1].row)):
        if spot == model.at:
            return model, Path((spot,), model.facing)
        way = search.reachable(model, spot) if allows(model, spot) else None
        if way is not None:
            return model, way
    return None


def best_spots(
    search: ContactSearch, model: Model, those: Standing, lead: Point
) -> list[tuple[tuple[float, ...], Point]]:
    """Free places about the models placed, ranked by joining groups, then by enough companions, then by the lead."""
    size, link = bounding_radius(model.solid.shape), search.movement.link
    spots = round_about(those.discs, size, link, model.at)
    gaps = np.hypot(spots[:, None, 0] - those.discs[:, 0], spots[:, None, 1] - those.discs[:, 1])
    gaps -= those.discs[:, 2] + size
    far = np.hypot(spots[:, 0] - model.x, spots[:, 1] - model.y)
    good = (gaps >= CLEAR).all(axis=1) & (gaps <= link).any(axis=1) & (far <= (search.movement.limit or 0.0))
    spots, gaps = spots[good], gaps[good]
    free = fields.all_free(search.movement.at_the_end(model).field, np.column_stack((spots, np.zeros(len(spots)))))
    spots, gaps = spots[free], gaps[free]
    if not len(spots):
        return []
    near = gaps <= link
    company = np.minimum(near.sum(axis=1), min(search.movement.companions, len(those.discs)))
    wanted = np.hypot(spots[:, 0] - model.x - lead[0], spots[:, 1] - model.y - lead[1])
    joined = between(gaps, near, those.group) if those.is_apart else np.zeros(len(spots))
    order = np.lexsort((wanted, -company, joined))[:FEW].tolist()
    ranks = [(float(joined[k]), -float(company[k]), float(wanted[k])) for k in order]
    return [(rank, (float(spots[k, 0]), float(spots[k, 1]))) for rank, k in zip(ranks, order, strict=True)]


def round_about(discs: Floats, size: float, link: float, own: Point) -> Floats:
    """Places (n, 2) round bases, and the model's own."""
    found = [discs[:, None, :2] + (discs[:, 2] + size + share * link)[:, None, None] * TURNS for share in APART]
    return np.vstack((np.round(np.concatenate(found).reshape(-1, 2), 4), np.array(own, np.float64)))


def between(gaps: Floats, near: Flags, group: Floats) -> Floats:
    """The distance of each place from the nearest group that it does not link; 0 if it links two."""
    linked = np.column_stack([near[:, group == number].any(axis=1) for number in range(int(group.max()) + 1)])
    least = np.column_stack([gaps[:, group == number].min(axis=1) for number in range(int(group.max()) + 1)])
    others = np.where(linked, math.inf, least).min(axis=1)
    return np.where(linked.sum(axis=1) > 1, 0.0, others)
