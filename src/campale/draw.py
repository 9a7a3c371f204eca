"""A position as a picture: SVG in the ruleset's unit, y upwards, safe for the colour-blind.

The sides differ by colour (Okabe and Ito's) and by shape: side 0 has filled bases, side 1 hatched ones with a dark rim.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from string import ascii_lowercase, ascii_uppercase

from campale.referee.position import Model, Position, Token
from campale.referee.ruleset import INCH
from campale.table.outlines import centre_of, contains, placed
from campale.table.shapes import Circle, Ellipse, Hull, Point, Solid, heading
from campale.table.terrain import Ground, Piece

SIDES = ("#d55e00", "#0072b2", "#009e73", "#cc79a7")
TALL, LOW = "#8c8273", "#d9d2c0"
SCALE = 14
"""Pixels to a hundredth of the table's width, more or less: only the shown size depends on it."""


def svg(position: Position, extras: Iterable[str] = (), title: str = "") -> str:
    """The picture of a position, with further elements (see ``sight_line``, ``distances``) drawn on top."""
    ground = position.ground
    size = text_size(position)
    parts = [*opening(ground, title, size), *grid(ground, position.ruleset.unit)]
    parts += [part for piece in sorted(ground.pieces, key=lambda one: one.top) for part in terrain(piece, ground, size)]
    parts += [label for piece in ground.pieces for label in terrain_label(piece, ground, size)]
    parts += [part for token in position.tokens for part in marker(token, ground, size)]
    parts += [part for model in position.on_table() for part in base(model, size)]
    return "\n".join([*parts, *extras, "</svg>", ""])


def text_size(position: Position) -> float:
    """The height of small letters, so that they can be read at any size of table."""
    return round(max(position.ground.width, position.ground.depth) / 75, 3)


def opening(ground: Ground, title: str, size: float) -> list[str]:
    margin = size * 2
    box = f"{-margin:g} {-margin:g} {ground.width + 2 * margin:g} {ground.depth + 2 * margin:g}"
    high = round(1000 * (ground.depth + 2 * margin) / (ground.width + 2 * margin))
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="1000" height="{high}" '
        f'font-family="sans-serif" font-size="{size:g}" role="img">',
        f"<title>{escape(title or 'Campale')}</title>",
        "<defs>" + "".join(hatching(side, size) for side in range(len(SIDES))) + "</defs>",
        f'<rect x="{-margin:g}" y="{-margin:g}" width="{ground.width + 2 * margin:g}" '
        f'height="{ground.depth + 2 * margin:g}" fill="#ffffff"/>',
        f'<rect width="{ground.width:g}" height="{ground.depth:g}" fill="#f6f4ec" stroke="#333" '
        f'stroke-width="{size / 8:g}"/>',
    ]


def hatching(side: int, size: float) -> str:
    """The fill of a side: plain, hatched, dotted, plain again."""
    step, colour = size * 0.5, SIDES[side]
    plain = f'<rect width="{step:g}" height="{step:g}" fill="{colour}"/>'
    line = f'<rect width="{step * 0.35:g}" height="{step:g}" fill="#ffffff" fill-opacity="0.45"/>'
    return (
        f'<pattern id="side{side}" width="{step:g}" height="{step:g}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)">{plain}{line if side % 2 else ""}</pattern>'
    )


def grid(ground: Ground, unit: str) -> Iterator[str]:
    """Lines every 6 inches or 10 centimetres, numbered along two edges."""
    step = 6 if unit == INCH else 10
    size = max(ground.width, ground.depth) / 75
    for number in range(0, math.floor(max(ground.width, ground.depth)) + 1, step):
        if number <= ground.width:
            yield line((number, 0), (number, ground.depth), ground, 'stroke="#d8d3c4"', size / 16)
            yield text((number, -size * 1.2), str(number), ground, size * 0.8, fill="#666")
        if number <= ground.depth:
            yield line((0, number), (ground.width, number), ground, 'stroke="#d8d3c4"', size / 16)
            yield text((-size, number - size * 0.3), str(number), ground, size * 0.8, fill="#666")


def line(a: Point, b: Point, ground: Ground, style: str, width: float) -> str:
    return (
        f'<line x1="{a[0]:g}" y1="{ground.depth - a[1]:g}" x2="{b[0]:g}" y2="{ground.depth - b[1]:g}" '
        f'{style} stroke-width="{width:g}"/>'
    )


def text(at: Point, words: str, ground: Ground, size: float, fill: str = "#222", halo: bool = False) -> str:
    around = f' stroke="#ffffff" stroke-width="{size / 5:g}" paint-order="stroke"' if halo else ""
    return (
        f'<text x="{at[0]:g}" y="{ground.depth - at[1]:g}" font-size="{size:g}" text-anchor="middle" '
        f'fill="{fill}"{around}>{escape(words)}</text>'
    )


def corners(outline: Sequence[Point], ground: Ground) -> str:
    return " ".join(f"{round(x, 3):g},{round(ground.depth - y, 3):g}" for x, y in outline)


def terrain(piece: Piece, ground: Ground, size: float) -> Iterator[str]:
    """A piece with its floors; the higher the darker."""
    share = min(1.0, piece.top / (0.15 * max(ground.width, ground.depth)))
    about = f"{piece.name} ({piece.kind}), {piece.height:g}" + (f", {', '.join(piece.tags)}" if piece.tags else "")
    yield (
        f'<polygon points="{corners(piece.outline, ground)}" fill="{mixed(LOW, TALL, share)}" fill-opacity="0.85" '
        f'stroke="#5b5446" stroke-width="{size / 10:g}"><title>{escape(about)}</title></polygon>'
    )
    for floor in piece.floors:
        yield (
            f'<polygon points="{corners(floor.outline, ground)}" fill="none" stroke="#5b5446" '
            f'stroke-width="{size / 14:g}" stroke-dasharray="{size / 3:g}"/>'
        )


def terrain_label(piece: Piece, ground: Ground, size: float) -> Iterator[str]:
    x, y = centre_of(piece.outline)
    high = f"{piece.name} ↑{piece.height:g}" if piece.height else piece.name
    floors = ", ".join(f"{floor.z:g}" for floor in piece.floors)
    yield text((x, y), high, ground, size * 0.75, fill="#4a4335", halo=True)
    if floors:
        yield text((x, y - size * 0.9), f"= {floors}", ground, size * 0.65, fill="#4a4335", halo=True)


def mixed(light: str, dark: str, share: float) -> str:
    """A colour between two."""
    pairs = ((int(light[k : k + 2], 16), int(dark[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def marker(token: Token, ground: Ground, size: float) -> Iterator[str]:
    """A token: a diamond with its name."""
    x, y, r = token.x, ground.depth - token.y, size * 0.6
    colour = SIDES[token.side] if 0 <= token.side < len(SIDES) else "#f0e442"
    points = f"{x:g},{y - r:g} {x + r:g},{y:g} {x:g},{y + r:g} {x - r:g},{y:g}"
    yield f'<polygon points="{points}" fill="{colour}" stroke="#222" stroke-width="{size / 12:g}"/>'
    value = "" if token.value is None else f" {token.value}"
    yield text((token.x, token.y - size * 1.3), f"{token.kind}{value}", ground, size * 0.7, halo=True)


def base(model: Model, size: float) -> Iterator[str]:
    """A base with its facing, its row, its name, and everything marked on it as a tooltip."""
    ground, solid = model.position.ground, model.solid
    rim = "#111" if model.side % 2 else "#ffffff"
    style = f'fill="url(#side{model.side % len(SIDES)})" stroke="{rim}" stroke-width="{size / 9:g}"'
    about = f"<title>{escape(tooltip(model))}</title>"
    yield f'<g id="model{model.row}">'
    yield shape(solid, ground, style, about)
    yield nose(solid, ground, size)
    reach = radius(solid)
    letters = min(size * 0.95, reach * 1.1)
    yield text((solid.x, solid.y - letters * 0.36), str(model.row), ground, letters, fill="#ffffff")
    high = f" ↑{solid.z:g}" if solid.z else ""
    yield text((solid.x, solid.y - reach - size * 0.85), f"{label(model)}{high}", ground, size * 0.72, halo=True)
    yield "</g>"


def label(model: Model) -> str:
    """The name of a model; of several of one name in a unit the lowest bears the name of the unit, the others none."""
    standing = model.position.on_table(model.side)
    fellows = [other for other in standing if other.unit.row == model.unit.row and other.name == model.name]
    if len(fellows) == 1:
        return model.name
    lowest = min(fellows, key=lambda other: (other.y, other.row))
    return model.unit.name if lowest.row == model.row else ""


def shape(solid: Solid, ground: Ground, style: str, inside: str = "") -> str:
    x, y = solid.x, ground.depth - solid.y
    if isinstance(solid.shape, Circle):
        return f'<circle cx="{x:g}" cy="{y:g}" r="{solid.shape.radius:g}" {style}>{inside}</circle>'
    if isinstance(solid.shape, Ellipse):
        return (
            f'<ellipse cx="{x:g}" cy="{y:g}" rx="{solid.shape.half_width:g}" ry="{solid.shape.half_length:g}" '
            f'transform="rotate({solid.facing:g} {x:g} {y:g})" {style}>{inside}</ellipse>'
        )
    outline = placed(solid.shape.corners, solid.x, solid.y, solid.facing)
    return f'<polygon points="{corners(outline, ground)}" {style}>{inside}</polygon>'


def radius(solid: Solid) -> float:
    """How far the base reaches ahead of its centre, more or less."""
    if isinstance(solid.shape, Circle):
        return solid.shape.radius
    if isinstance(solid.shape, Ellipse):
        return max(solid.shape.half_length, solid.shape.half_width)
    return max(math.hypot(x, y) for x, y in solid.shape.corners)


def nose(solid: Solid, ground: Ground, size: float) -> str:
    """Where it faces: a wedge ahead of the base."""
    ahead, reach = heading(solid.facing), radius(solid)
    across = (ahead[1], -ahead[0])
    tip = (solid.x + ahead[0] * (reach + size * 0.7), solid.y + ahead[1] * (reach + size * 0.7))
    feet = [
        (solid.x + ahead[0] * reach + across[0] * side, solid.y + ahead[1] * reach + across[1] * side)
        for side in (size * 0.4, -size * 0.4)
    ]
    return f'<polygon points="{corners([tip, *feet], ground)}" fill="#222"/>'


def tooltip(model: Model) -> str:
    """Name, place, and what is marked on it."""
    columns = model.position.of_models.columns
    marked = [f"{name} {column[model.row]}" for name, column in sorted(columns.items()) if column[model.row]]
    where = f"({model.x:g}, {model.y:g}{f', {model.z:g}' if model.z else ''}) {model.facing:g}°"
    return "\n".join([f"{model.row} {model.name}", where, *marked])


# ------------------------------------------------------------------ on top


def sight_line(position: Position, from_: int, to: int) -> tuple[list[str], str]:
    """The sight from one model to another as it is on the table, and a sentence that tells it."""
    from campale.table.sight import eye_of, look

    viewer, target = position.model(from_), position.model(to)
    bodies = [m for m in position.on_table() if m.row not in (from_, to)]
    seen = look(position.ground, eye_of(viewer.solid), target.solid, bodies=[m.solid for m in bodies])
    blockers = [one if isinstance(one, str) else bodies[one].name for one in seen.blockers()]
    free, of = len(seen.free()), len(seen.lines)
    size, start = text_size(position), eye_of(viewer.solid)
    drawn = [
        line(start[:2], one.end[:2], position.ground, rays(bool(one.pieces)), size / 10)
        for one in sorted(seen.lines, key=lambda one: not one.pieces)
    ]
    told = f"{viewer.name} → {target.name}: {free}/{of}" + (f" ({', '.join(blockers)})" if blockers else "")
    drawn.append(text(midway(viewer.at, target.at), told, position.ground, size * 0.9, halo=True))
    return drawn, told


def rays(is_blocked: bool) -> str:
    return 'stroke="#333" stroke-dasharray="0.6 0.9"' if is_blocked else 'stroke="#333"'


def distances(position: Position) -> list[str]:
    """From every model to the nearest of another side, the gap between their edges in plan."""
    from campale.table.measure import gap

    drawn: list[str] = []
    ground, size = position.ground, text_size(position)
    for model in position.on_table():
        others = [other for other in position.on_table() if other.side != model.side]
        if not others:
            continue
        nearest = min(others, key=lambda other: gap(model.solid, other.solid))
        drawn.append(line(model.at, nearest.at, ground, 'stroke="#7a3b69" stroke-dasharray="0.3 0.5"', size / 14))
        told = f"{gap(model.solid, nearest.solid):.1f}"
        drawn.append(text(midway(model.at, nearest.at), told, ground, size * 0.8, fill="#7a3b69", halo=True))
    return drawn


def midway(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


# ------------------------------------------------------------------ in letters


def in_letters(position: Position, columns: int = 72, signs: Mapping[int, str] | None = None) -> str:
    """The table in letters: terrain as ░ (low), ▒ and ▓ (tall), tokens as ◎, models as their row, in brackets for
    side 1; or as the signs of their units (by the row of the unit), hulls as wide as they are.
    """
    ground = position.ground
    rows = max(8, round(columns / 2 * ground.depth / ground.width))
    cells = [
        [terrain_letter(ground, point_of(c, r, ground, columns, rows)) for c in range(columns)] for r in range(rows)
    ]
    for token in position.tokens:
        written(cells, ground, token.x, token.y, "◎")
    for model in position.on_table():
        name = str(model.row) if model.side == 0 else f"({model.row})"
        if signs is not None:
            name = signs.get(model.unit.row, "?")
            filled_in(cells, ground, model.solid, name)
        written(cells, ground, model.x, model.y, name)
    edge = "+" + "-" * columns + "+"
    return "\n".join([edge, *("|" + "".join(row) + "|" for row in cells), edge])


def written(cells: list[list[str]], ground: Ground, x: float, y: float, name: str) -> None:
    """A name about a point."""
    rows, columns = len(cells), len(cells[0])
    r = min(rows - 1, max(0, math.floor((ground.depth - y) / ground.depth * rows)))
    c = math.floor(x / ground.width * columns) if len(name) == 1 else round(x / ground.width * columns - len(name) / 2)
    c = min(columns - len(name), max(0, c))
    cells[r][c : c + len(name)] = name


def filled_in(cells: list[list[str]], ground: Ground, solid: Solid, sign: str) -> None:
    """A sign wherever a hull lies."""
    if not isinstance(solid.shape, Hull):
        return
    outline = placed(solid.shape.corners, solid.x, solid.y, solid.facing)
    for r, row in enumerate(cells):
        for c in range(len(row)):
            if contains(outline, *point_of(c, r, ground, len(row), len(cells))):
                row[c] = sign


def signs_of_units(position: Position) -> dict[int, str]:
    """A letter for every unit on the table: capitals for side 0, small letters for side 1."""
    found: dict[int, str] = {}
    for side, letters in enumerate((ascii_uppercase, ascii_lowercase)):
        rows = dict.fromkeys(model.unit.row for model in position.on_table(side))
        found |= dict(zip(rows, letters, strict=False))
    return found


def point_of(column: int, row: int, ground: Ground, columns: int, rows: int) -> Point:
    return (column + 0.5) * ground.width / columns, ground.depth - (row + 0.5) * ground.depth / rows


def terrain_letter(ground: Ground, at: Point) -> str:
    pieces = ground.pieces_at(*at)
    if not pieces:
        return " "
    share = max(piece.top for piece in pieces) / (0.1 * max(ground.width, ground.depth))
    return "░" if share < 0.3 else ("▒" if share < 0.7 else "▓")
