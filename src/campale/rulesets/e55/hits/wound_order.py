"""The order of wounds (2.3/wound-order): when it can change the outcome, and the question to its owner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from campale.referee.position import Unit
from campale.referee.question import Order
from campale.referee.rule import rule
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits.allocation import is_instant, label
from campale.rulesets.e55.hits.attacks import Wound
from campale.rulesets.e55.hits.saves import Borne, Lot
from campale.rulesets.e55.shooting_phase import heavy_fire

# ---------------------------------------------------------------- among models and groups


@rule("2.3/wound-order")
def matters_among(lots: Sequence[Lot]) -> bool:
    """Return whether the order of the lots matters.

    It does if a model of a group also has wounds of its own, or if the choice of a group's losses may come before or
    after other rolls.
    """
    return any(
        shares_models(lot, other) or (leaves_a_choice(lot) and is_open(other))
        for lot in lots
        for other in lots
        if lot.together and other is not lot
    )


def shares_models(lot: Lot, other: Lot) -> bool:
    return not set(lot.rows).isdisjoint(other.rows)


@rule("2.3.2/identical-models")
def leaves_a_choice(lot: Lot) -> bool:
    """Return whether the owner may have to choose which models of a group fall: not all of them are sure to."""
    return lot.together and sum(not may_be_averted(one) for one in lot.borne) < len(lot.rows)


def is_open(lot: Lot) -> bool:
    """Return whether dice still decide the outcome of a lot."""
    return any(map(may_be_averted, lot.borne))


def may_be_averted(borne: Borne) -> bool:
    return borne.save is not None or borne.pain is not None


def proposed(lots: Sequence[Lot]) -> list[Lot]:
    """Sort single models first: the losses of a group are best chosen when the fate of the others is known."""
    groups = [lot for lot in lots if lot.together]
    return sorted(lots, key=lambda lot: lot.together or any(shares_models(lot, group) for group in groups))


def of_lots(unit: Unit, lots: Sequence[Lot]) -> Order:
    about = {"unit": unit.row, "models": [list(lot.rows) for lot in lots]}
    return Order(unit.side, "order-of-models", list(range(len(lots))), "number", about)


# ---------------------------------------------------------------- on one model


@rule("2.3/wound-order")
def matters_within(unit: Unit, lot: Lot, lots: Sequence[Lot]) -> bool:
    """Return whether the order matters: wounds that may kill the model differ, or it matters who gets the credit."""
    if lot.together or not may_die(unit, lot):
        return False
    return are_unlike(unit, lot) or account_matters(unit, lot, lots)


def may_die(unit: Unit, lot: Lot) -> bool:
    model = unit.position.models[lot.rows[0]]
    enough = len(lot.borne) >= characteristics.value(model, "w")
    return enough or any(is_instant(model, one.wound) for one in lot.borne)


def are_unlike(unit: Unit, lot: Lot) -> bool:
    """Return whether the same dice would give another result in another order."""
    model = unit.position.models[lot.rows[0]]
    falls_at_once = characteristics.value(model, "w") == 1
    kinds = {(one.save, one.pain, falls_at_once or is_instant(model, one.wound)) for one in lot.borne}
    return len(kinds) > 1


@rule("3.1/heavy-fire-losses")
def account_matters(unit: Unit, lot: Lot, lots: Sequence[Lot]) -> bool:
    """Return whether it matters which unit is credited with the loss.

    It does if the loss may make one unit's fire heavy, and the target has other models left.
    """
    by = {one.wound.by_unit for one in lot.borne}
    if len(by) == 1 or len(members(unit)) == 1:
        return False
    return not by.isdisjoint(heavy_fire.may_become_heavy(unit, at_most_lost_to(unit, lots)))


def at_most_lost_to(unit: Unit, lots: Sequence[Lot]) -> Counter[int]:
    """Return how many models each unit whose fire is being resolved may yet kill."""
    found: Counter[int] = Counter()
    for lot in lots:
        wounds = Counter(wound.by_unit for wound in wounds_of(lot) if heavy_fire.is_of_fire(unit, *account(wound)))
        found.update({by: min(number, len(lot.rows)) for by, number in wounds.items()})
    return found


def wounds_of(lot: Lot) -> list[Wound]:
    return [one.wound for one in lot.borne]


def account(wound: Wound) -> tuple[str, int]:
    return wound.cause, wound.by_unit


def of_wounds(unit: Unit, lot: Lot) -> Order:
    wounds = wounds_of(lot)
    about = {"model": lot.rows[0], "wounds": [label(w) for w in wounds], "by": [w.by_unit for w in wounds]}
    return Order(unit.side, "order-of-wounds", list(range(len(wounds))), "number", about)
