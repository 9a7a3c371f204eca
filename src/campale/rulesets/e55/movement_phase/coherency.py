"""Unit coherency (3.1.1): the links between the models of a unit, whether all are linked, and the widest gap."""

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
    """Return the longest distance between linked models, in whole inches as measured."""
    return SQUADRON_LINK if is_all_vehicles(unit) else LINK


def real_link(unit: Unit) -> float:
    """Return the largest gap, as the planners count it, whose measured distance does not exceed the link."""
    return link(unit) + 1.0 - 2.0 * TOLERANCE


def reach_of(unit: Unit) -> float:
    """Return the longest exact distance, to the grain, that measures no more than the link."""
    return link(unit) + 1.0 - HALF_GRAIN


# ---------------------------------------------------------------- 3.1.1/coherency


def keeping(unit: Unit) -> list[Model]:
    """Return the models bound to coherency: all except characters that have moved off on their own in this phase."""
    return [model for model in members(unit) if not model.marks(APART)]


def linked_groups(unit: Unit, models: Sequence[Model], places: Places | None = None) -> list[list[int]]:
    """Return the groups of linked models, as indices into ``models``."""
    return standing(models, places).groups(reach_of(unit))


@rule("3.1.1/coherency", "8/independent-character")
def is_coherent(unit: Unit, places: Places | None = None) -> bool:
    """Return whether a chain of links reaches every model. Characters may extend the chain, but need not be in it."""
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
    """Return the characters that no chain links to any other kind of model of their unit."""
    among = keeping(unit) if models is None else models
    if all(is_character(model) for model in among):
        return []
    found = [group for group in linked_groups(unit, among, places) if all(is_character(among[k]) for k in group)]
    return [among[k] for k in sorted(k for group in found for k in group)]


@rule("3.1.1/restore-coherency")
def widest_gap(unit: Unit, places: Places | None = None) -> float:
    """Return the longest stretch of the shortest chain that reaches every model except characters."""
    return standing([model for model in keeping(unit) if not is_character(model)], places).widest_gap()
