"""Chapter "setup": the table, the forces, deployment, and what the players agree on."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import yaml

from campale.mechanics.moves.coherency import on_each_other
from campale.mechanics.setup.agreed import SetupError, two_forces
from campale.mechanics.setup.drawing_up import outside
from campale.mechanics.setup.edges import INWARD, USUAL, strip
from campale.referee.ask import ask
from campale.referee.ledger import Loader
from campale.referee.position import RESERVE, Model, Position
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset, Setup, Switch
from campale.referee.spatial import Place
from campale.table.room import Area
from campale.table.terrain import Ground, Piece, rectangle

from .profile import FOLDER, PROFILES

SIZE = 24.0
STRIP = 4.0
MOST_POINTS = 12

Places = list[tuple[float, float, float]]


@dataclass(frozen=True)
class Options:
    """The readings in force. ``wood``: how much of a base must be in the wood."""

    wood: str = "any"


SWITCHES = (Switch("wood", "fire/wood", {"en": "In the wood", "it": "Nel bosco"}, ("any", "whole"), "any"),)


@rule("setup/table")
def ground() -> Ground:
    wood = Piece("wood", "wood", rectangle(SIZE / 2, SIZE / 2, 6.0, 4.0), height=3.0, tags=("wood",))
    return Ground(SIZE, SIZE, (wood,))


def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    """The first position: both forces off the table. Raises SetupError for a force that the book does not allow."""
    position = Position(ruleset, ground())
    for side, force in two_forces(setup):
        faults = check_force(force, setup.agreed)
        if faults:
            raise SetupError(f"the force of side {side + 1}: {'; '.join(faults)}")
        muster(position, side, force)
    position.now.update(phase="deployment", turn=0, side=0)
    return position


def muster(position: Position, side: int, force: dict[str, Plain]) -> None:
    unit = position.add_unit(force["name"]["en"], side)
    for kind in force["models"]:
        position.add_model(kind, PROFILES[kind], side, unit)


@rule("setup/force")
def check_force(force: dict[str, Plain], agreed: dict[str, Plain]) -> list[Any]:
    """What is wrong with a force, in words; nothing when the book allows it."""
    strangers = [kind for kind in force["models"] if kind not in PROFILES]
    if strangers:
        return [f"there is no model '{strangers[0]}' (there are: {', '.join(PROFILES)})"]
    points = sum(PROFILES[kind].points for kind in force["models"])
    if not 0 < points <= MOST_POINTS:
        return [f"it has {points} points; it must have from 1 to {MOST_POINTS}"]
    return []


def force(name: str) -> dict[str, Plain]:
    """A force of the folder ``forces``."""
    path = FOLDER / "forces" / f"{name}.yaml"
    read: dict[str, Plain] = yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)
    return read


def starters() -> tuple[Setup, ...]:
    """Battles that can be begun at once."""
    patrol, picket = force("patrol"), force("picket")
    return (Setup(FOLDER.name, forces=(patrol, picket)), Setup(FOLDER.name, {"wood": "whole"}, (picket, picket)))


@rule("setup/deployment")
async def deploy(position: Position) -> None:
    """The next side sets its models down."""
    side = 0 if position.now["side"] == 0 else 1
    models = in_reserve(position, side)
    question = Place(
        side,
        "deploy",
        refuses=lambda places: misplaced(models, places),
        samples=lambda rng: drawn_up(models, rng),
        suggests=lambda: [drawn_up(models, None)],
        shown={"zone": list(zone(side))},
        about={"models": [m.row for m in models]},
    )
    places: Places = await ask(question)
    for model, (x, y, facing) in zip(models, places, strict=True):
        model.move_to(x, y, facing=facing)


def in_reserve(position: Position, side: int) -> list[Model]:
    return [m for m in position.models if m.side == side and m.where == RESERVE]


def zone(side: int) -> Area:
    """A side's strip along its edge."""
    return strip(ground(), USUAL[side], STRIP)


def misplaced(models: list[Model], places: Places) -> Refusal | None:
    supposed = models[0].position.supposing({m.row: place_of(place) for m, place in zip(models, places, strict=True)})
    return first_refusal(DEPLOYMENT_RESTRICTIONS, [supposed.model(m.row) for m in models])


def place_of(place: tuple[float, float, float]) -> tuple[float, float, float, float]:
    x, y, facing = place
    return x, y, 0.0, facing


@rule("setup/deployment")
def out_of_the_zone(models: list[Model]) -> Fault | None:
    return outside(zone(models[0].side), models, [m.solid for m in models])


@rule("setup/deployment")
def one_on_another(models: list[Model]) -> Fault | None:
    return on_each_other(models, [m.solid for m in models])


DEPLOYMENT_RESTRICTIONS = (out_of_the_zone, one_on_another)


def drawn_up(models: list[Model], rng: Random | None) -> Places:
    """The models in a line, evenly spread; with a generator, each a little out of it."""
    _, south, east, _ = zone(models[0].side)
    wide = east / (len(models) + 1)
    facing = INWARD[USUAL[models[0].side]]
    x_off = [rng.uniform(-0.4, 0.4) if rng else 0.0 for _ in models]
    y_off = [rng.uniform(-1.4, 1.4) if rng else 0.0 for _ in models]
    return [[wide * (k + 1) + x_off[k], south + STRIP / 2 + y_off[k], facing] for k in range(len(models))]  # type: ignore[misc]
