"""Unit coherency (3.1.1): what links the models of a unit, whether it hangs together, and how far it is apart."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.moves.coherency import Places, standing
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_character
from campale.rulesets.e55.definitions.units import APART, members
from campale.table.measure import HALF_GRAIN
from campale.table.shapes import TOLERANCE

LINK, SQUADRON_LINK = 2.0, 4.0


@rule("3.1.1/coherency", "7.17/squadron-coherency")
def link(unit: Unit) -> float:
    """The longest stretch between two models, as it is measured."""
    return SQUADRON_LINK if is_all_vehicles(unit) else LINK


def real_link(unit: Unit) -> float:
    """The gap, as the planners count it, up to which the measured distance does not exceed the link."""
    return link(unit) + 1.0 - 2.0 * TOLERANCE


def reach_of(unit: Unit) -> float:
    """The longest exact distance, to the grain, that measures no more than the link."""
    return link(unit) + 1.0 - HALF_GRAIN


# ---------------------------------------------------------------- 3.1.1/coherency


def keeping(unit: Unit) -> list[Model]:
    """The models that count: all but the characters that have moved off on their own in this phase."""
    return [model for model in members(unit) if not model.marks(APART)]


def linked_groups(unit: Unit, models: Sequence[Model], places: Places | None = None) -> list[list[int]]:
    """The groups, as numbers in ``models``, that the links make."""
    return standing(models, places).groups(reach_of(unit))


@rule("3.1.1/coherency", "8/independent-character")
def is_coherent(unit: Unit, places: Places | None = None) -> bool:
    """Whether one line of short stretches reaches every model; characters lengthen it and are not bound by it."""
    models = keeping(unit)
    if len(models) < 2:
        return True
    found = linked_groups(unit, models, places)
    if len(found) == 1:
        return True
    bound = [group for group in found if not all(is_character(models[k]) for k in group)]
    return len(bound) == 1


@rule("8/independent-character")
def cut_off(unit: Unit, places: Places | None = None, models: Sequence[Model] | None = None) -> list[Model]:
    """The characters that no line links to any other kind of model of their unit."""
    among = keeping(unit) if models is None else models
    if all(is_character(model) for model in among):
        return []
    found = [group for group in linked_groups(unit, among, places) if all(is_character(among[k]) for k in group)]
    return [among[k] for k in sorted(k for group in found for k in group)]


@rule("3.1.1/restore-coherency")
def widest_gap(unit: Unit, places: Places | None = None) -> float:
    """The longest stretch of the shortest line that reaches every model that is bound."""
    return standing([model for model in keeping(unit) if not is_character(model)], places).widest_gap()
