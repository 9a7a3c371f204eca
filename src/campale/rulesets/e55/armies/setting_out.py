"""The first position: the ground, the agreements, and both armies with nothing on the table yet."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from campale.mechanics.armies.force import add_model, add_unit
from campale.mechanics.setup.agreed import (
    BY_LOT,
    SetupError,
    mission_agreed,
    pieces_agreed,
)
from campale.referee.position import Position, Unit
from campale.referee.reading import meant
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset, Setup
from campale.rulesets.e55.armies import forces
from campale.rulesets.e55.armies.army import ARMIES
from campale.rulesets.e55.armies.forces import Force, UnitSpec
from campale.rulesets.e55.battle import scenery
from campale.rulesets.e55.battle.agreeing import AS_PROPOSED, COVERS, GENERATED, with_cover, with_pieces
from campale.rulesets.e55.battle.missions import MISSIONS
from campale.table.terrain import Ground, Piece, faults

POINTS, MOST_POINTS = 1000, 20_000
MOST_PIECES = 100
AGREED = ("points", "mission", "scenery", "cover")
ROSTER, ROWS, STARTS, RESERVES = "roster", "rows", "starts", "reserves"
"""Names of a side's secrets.

They are its units as texts ("" once a unit is in play), their rows, the number of the unit each starts aboard (-1:
none), and the notes of its reserves.
"""


def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    """Return the first position. Raises SetupError, which names what is wrong."""
    agreed = setup.agreed
    for name in agreed:
        if name not in AGREED:
            raise SetupError(f"there is nothing called '{str(name)[:60]}' to agree on. {meant(str(name), AGREED)}")
    position = Position(ruleset, ground_of(setup))
    position.now.update(phase="scenery", turn=0, scenery=scenery_word(agreed), points=points_agreed(agreed))
    if mission := mission_agreed(agreed, MISSIONS, (BY_LOT,)):
        position.now["mission"] = mission
    take_cover(position, agreed)
    for side, force in ARMIES.fielded(setup):
        muster(position, side, force)
    return position


# ---------------------------------------------------------------- the table


def scenery_word(agreed: dict[str, Plain]) -> str:
    """Return how the scenery is settled; pieces given by the players serve like a layout."""
    wanted = agreed.get("scenery", BY_LOT)
    return wanted if isinstance(wanted, str) else "given"


@rule("10.1/scenery", "3.1.2/terrain-extent")
def ground_of(setup: Setup) -> Ground:
    """Return the bare table, a layout's pieces, or pieces that the players have put together."""
    wanted = setup.agreed.get("scenery", BY_LOT)
    if isinstance(wanted, str):
        layouts = scenery.LAYOUTS.names()
        return with_pieces(pieces_agreed(wanted, (BY_LOT, GENERATED), layouts, scenery.layout_named))
    try:
        pieces = msgspec.convert(wanted, Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=MOST_PIECES)])
        ground = with_pieces(tuple(piece_given(one, k) for k, one in enumerate(pieces, 1)))
    except (msgspec.ValidationError, ValueError) as error:
        raise SetupError(f"scenery: {error}") from None
    if wrong := [f"{one.piece}: {one.reason}" for one in faults(ground)]:
        raise SetupError(f"scenery: {'; '.join(wrong[:10])}. Change that")
    return ground


def piece_given(plain: dict[str, Any], number: int) -> Piece:
    """Return a piece from the players' form, or from that of layouts (``centre``)."""
    name = f"{plain.get('kind', 'piece')}-{number}"
    if "centre" not in plain:
        return scenery.piece_from({"name": name, **plain})
    one = msgspec.convert(plain, scenery.LaidPiece)
    return scenery.laid_piece(one, one.centre, one.turn, name)


# ---------------------------------------------------------------- agreements


def points_agreed(agreed: dict[str, Plain]) -> int:
    written = str(agreed.get("points", POINTS))
    if not (written.isdecimal() and len(written) <= len(str(MOST_POINTS)) and int(written) <= MOST_POINTS):
        raise SetupError(f"points: {written[:60]!r} is not a points limit. Write a whole number, at most {MOST_POINTS}")
    return int(written)


@rule("2.3.1/cover-agreed")
def take_cover(position: Position, agreed: dict[str, Plain]) -> None:
    """Apply the cover agreed beforehand, so that it is not asked: "presets", or values (0: none) of pieces by name."""
    cover = agreed.get("cover")
    if cover is None:
        return
    position.now["cover"] = AS_PROPOSED
    if cover == AS_PROPOSED:
        return
    if not isinstance(cover, dict):
        raise SetupError(f"cover: {str(cover)[:60]!r} is none. Write '{AS_PROPOSED}', or values of pieces by name")
    for name, value in cover.items():
        if not position.ground.has(name) or value not in COVERS:
            raise SetupError(f"cover: {name!r} cannot have {value!r}")
        position.ground = with_cover(position.ground, name, int(value))


# ---------------------------------------------------------------- the armies


@rule("10/armies")
def muster(position: Position, side: int, force: Force) -> None:
    """Hold a side's units in secret: its opponent knows nothing of them before they are placed."""
    position.hold(side, ROSTER, tuple(forces.encode(unit) for unit in force.units))
    position.hold(side, ROWS, (-1,) * len(force.units))
    rides = map(force.ride_of, force.units)
    position.hold(side, STARTS, tuple(-1 if ride is None else ride for ride in rides))


@rule("1.1/unit", "10/armies")
def enlist(position: Position, side: int, spec: UnitSpec) -> Unit:
    """Add a unit that comes into play; its models are not yet placed."""
    unit = add_unit(position, side, spec.title)
    for profile in spec.profiles:
        add_model(unit, profile)
    return unit


# ---------------------------------------------------------------- the roster


def roster(position: Position, side: int) -> dict[int, UnitSpec]:
    """Return the units that a side has still to deploy, by their numbers in its force."""
    return {k: forces.decode(str(text)) for k, text in enumerate(position.hand(side, ROSTER)) if text}


def strike_off(position: Position, side: int, numbers: tuple[int, ...]) -> None:
    """Take units off the roster: they are in play, or noted as reserves."""
    texts = position.hand(side, ROSTER)
    position.hold(side, ROSTER, tuple("" if k in numbers else text for k, text in enumerate(texts)))


def note_row(position: Position, side: int, number: int, unit: Unit) -> None:
    rows = position.hand(side, ROWS)
    position.hold(side, ROWS, tuple(unit.row if k == number else row for k, row in enumerate(rows)))


def row_of(position: Position, side: int, number: int | None) -> int:
    """Return the row of a unit by its number in the force, -1 as long as it has none."""
    rows = position.hand(side, ROWS)
    return int(rows[number]) if number is not None and 0 <= number < len(rows) else -1
