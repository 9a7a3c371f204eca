"""Terrain: pieces with an outline, a height, floors and tags, lying on ground of a given size."""

from __future__ import annotations

import msgspec

from campale.table.shapes import Point


class Floor(msgspec.Struct, frozen=True):
    """A level of a piece that one can stand on."""

    outline: tuple[Point, ...]
    z: float


class Piece(msgspec.Struct, frozen=True):
    """A prism: ``outline`` (simple polygon, counter-clockwise), from ``z`` up to ``z + height``.

    ``tags`` say what the ruleset wants to know of it (its class, what it does to sight); the table reads none of them.
    """

    name: str
    kind: str
    outline: tuple[Point, ...]
    height: float = 0.0
    z: float = 0.0
    floors: tuple[Floor, ...] = ()
    tags: tuple[str, ...] = ()
