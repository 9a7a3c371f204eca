"""What a move will entail: ground that slows or endangers it, and the tests that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from campale.referee.looks import Foretold
from campale.referee.position import Model, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import COMBAT_SPEED
from campale.rulesets.e55.movement_phase import rough
from campale.rulesets.e55.movement_phase.terrain import dangerous_pieces, difficult_for
from campale.rulesets.e55.vehicles.legs import Answer, Course, allowance
from campale.table.paths import Path, plan_length
from campale.table.terrain import Piece

D3 = (1, 2, 3)
WORTH_OF_A_TEST = 2.0
"""How many inches short of the goal a unit may stop to avoid dangerous ground: the average of a D3."""

Paths = Mapping[int, Path]


def of_move(
    unit: Unit, paths: Paths, far: tuple[float, float] | None, tests: bool = True, alone: bool = False
) -> list[Foretold]:
    """Return what slows the paths of a unit, and which models they endanger.

    ``far``: the usual length and the longest one, if the ground may slow the move; ``tests``: it may endanger it.
    """
    slowed = slowing(unit, paths, *far) if far is not None else []
    return [*slowed, *(endangering(unit, paths, rough.who_rolls(unit, paths, alone)) if tests else ())]


def of_legs(course: Course, answers: Sequence[Answer]) -> list[Foretold]:
    """Return the same for vehicles: this leg may slow walkers, and endanger the others."""
    unit = course.unit
    paths = {row: leg.path for row, leg in course.legs(answers).items() if plan_length(leg.path) > 0.0}
    usual = allowance(unit, COMBAT_SPEED)
    walking = {row: path for row, path in paths.items() if rough.walks(unit.position.model(row))}
    return [*slowing(unit, walking, usual, usual), *endangering(unit, paths, rough.endangered(unit, paths))]


# ---------------------------------------------------------------- what is foretold


@rule("3.1.2/difficult", "3.1.2/difficult-minimum", "8/move-through-cover")
def slowing(unit: Unit, paths: Paths, usual: float, limit: float) -> list[Foretold]:
    """Return the die taken off everybody's move, and the most it can cost."""
    if not rough.touches_difficult(unit, paths):
        return []
    less = rough.eased(unit, paths)
    costs = [rough.at_most_half(max(0, face - less), limit, usual) for face in D3]
    names = slowing_pieces(unit, paths)
    kind = ("difficult" if names else "heavy-fire") + ("-eased" if less else "")
    rule_of_it = "3.1.2/difficult" if names else "3.1/heavy-fire"
    return [Foretold(kind, rule_of_it, {"piece": names, "most": max(costs)}, sum(costs) / len(costs))]


def slowing_pieces(unit: Unit, paths: Paths) -> list[str]:
    slowed = [model for model in rough.movers(unit, paths) if rough.is_slowed_by_difficult(model)]
    return met(slowed, paths, difficult_for(unit))


@rule("3.1.2/dangerous", "6.2/bike-terrain", "7.2/vehicle-dangerous")
def endangering(unit: Unit, paths: Paths, rolling: Sequence[Model]) -> list[Foretold]:
    """Return which models roll after the move, and for which ground."""
    found: list[Foretold] = []
    if not rolling:
        return found
    dangerous = unit.position.ground.kept(dangerous_pieces)
    touched = rough.endangered(unit, paths)
    names = met(touched, paths, dangerous)
    difficult = [model for model in touched if rough.finds_it_dangerous(model) and not met([model], paths, dangerous)]
    names += [name for name in met(difficult, paths, difficult_for(unit)) if name not in names]
    vehicles = [model.row for model in rolling if is_vehicle(model)]
    under_fire = "" if names else "-fire"
    if len(vehicles) < len(rolling):
        values: dict[str, Plain] = {"piece": names, "count": len(rolling) - len(vehicles)}
        found.append(Foretold(f"dangerous{under_fire}", "3.1.2/dangerous", values, WORTH_OF_A_TEST))
    if vehicles:
        values = {"piece": names, "models": vehicles}
        found.append(Foretold(f"dangerous-vehicle{under_fire}", "7.2/vehicle-dangerous", values, WORTH_OF_A_TEST))
    return found


def met(models: Iterable[Model], paths: Paths, pieces: Sequence[Piece]) -> list[str]:
    """Return the names of the pieces that the paths of some models touch, in the order of the table."""
    moving = list(models)
    return [piece.name for piece in pieces if any(rough.touches(model, paths[model.row], (piece,)) for model in moving)]
