"""Wound allocation (2.2): the owner assigns wounds, one to each model before a second; identical models (2.3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from random import Random

from msgspec.structs import replace

from campale.referee.ask import ask
from campale.referee.position import Model, Unit
from campale.referee.question import Allot
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.characteristics import effects_on
from campale.rulesets.e55.definitions.types import living
from campale.rulesets.e55.definitions.units import CLIPPED, members, wounds_left
from campale.rulesets.e55.hits.attacks import Covers, Hit, Wound
from campale.rulesets.e55.hits.saves import saves_against
from campale.rulesets.e55.unit_types import special
from campale.rulesets.e55.view import labels

Cost = Callable[[int, int], float]
"""The cost of an item (by index) to a holder (by index)."""

INSTANT = 2
LONE = -1


# ---------------------------------------------------------------- identical models


def sameness(model: Model) -> Hashable:
    """Return what models of one unit must share to be identical in everything but their place."""
    alone = model.row if special.has(model, "independent-character") else LONE
    effects = tuple((e.rule, e.value) for e in effects_on(model) if e.on == "model")
    return alone, model.profile, wounds_left(model), model.marks(CLIPPED), effects


@rule("2.3.2/identical-models")
def saves_together(model: Model) -> bool:
    """Return whether a model has one wound: such models save as a group with those identical to them."""
    return characteristics.value(model, "w") == 1


def groups_of(unit: Unit) -> list[list[Model]]:
    """Group a unit's models as they are resolved: identical one-wound models together, every other model alone."""
    found: dict[Hashable, list[Model]] = {}
    for model in members(unit):
        key = sameness(model) if saves_together(model) else model.row
        found.setdefault(key, []).append(model)
    return list(found.values())


# ---------------------------------------------------------------- allotting in rounds


@rule("2.2/allocation-rounds", "7.17/squadron-hits")
def out_of_round(given: Sequence[int], holders: Sequence[int]) -> Fault | None:
    """Refuse an allotment in which one holder has two more than another."""
    counts = Counter(given)
    least, most = min(counts[row] for row in holders), max(counts[row] for row in holders)
    return None if most <= least + 1 else Fault(measured=most, limit=least + 1, model=counts.most_common(1)[0][0])


def judged(given: Sequence[int], holders: Sequence[int]) -> Refusal | None:
    return first_refusal((out_of_round,), given, holders)


def proposed(things: int, holders: Sequence[int], cost: Cost, rng: Random | None = None) -> list[int]:
    """Assign all items in rounds, the costliest first, each to the holder it costs least; or at random with ``rng``."""
    order = list(range(things))
    if rng is not None:
        rng.shuffle(order)
    else:
        order.sort(key=lambda item: -max((cost(item, h) for h in range(len(holders))), default=0.0))
    given, waiting = [0] * things, list(range(len(holders)))
    for item in order:
        waiting = waiting or list(range(len(holders)))
        chosen = rng.choice(waiting) if rng is not None else min(waiting, key=lambda h: (cost(item, h), h))
        waiting.remove(chosen)
        given[item] = holders[chosen]
    return given


def in_turn(things: int, holders: Sequence[int]) -> list[int]:
    return [holders[item % len(holders)] for item in range(things)]


def attackers_of(dealt: Iterable[Hit | Wound]) -> list[int]:
    """Return the rows of the models that dealt hits or wounds, where known."""
    return sorted({one.by_model for one in dealt if one.by_model >= 0})


async def allot(
    side: int,
    prompt: str,
    items: Sequence[Plain],
    holders: Sequence[int],
    cost: Cost,
    unit: int,
    attackers: Sequence[int] = (),
) -> list[int]:
    """Let the owner assign items to holders (rows), one to each before a second.

    ``attackers`` are the rows of the models that dealt the items.
    """

    def fits(given: list[int]) -> Refusal | None:
        return judged(given, holders)

    def proposal(rng: Random | None) -> list[int]:
        return proposed(len(items), holders, cost, rng)

    about: dict[str, Plain] = {"unit": unit, **({"attackers": list(attackers)} if attackers else {})}
    given: list[int] = await ask(Allot(side, prompt, items, holders, fits, proposal, about))
    return given


# ---------------------------------------------------------------- wounds


def label(wound: Wound) -> str:
    """Return a wound's label: its strength and AP."""
    strength = "-" if wound.strength is None else str(wound.strength)
    return f"{strength}/{'-' if wound.ap is None else wound.ap}"


def kind_of(wound: Wound, model: Model, covers: Covers) -> Hashable:
    """Return everything that distinguishes one wound on a model from another in numbers."""
    saves = saves_against(model, wound, covers)
    return wound.strength, wound.ap, wound.rules, wound.cause, wound.cannot_be_saved, saves


def makes_no_difference(models: Sequence[Model], wounds: Sequence[Wound], covers: Covers) -> bool:
    """Return whether the allocation makes no difference to the numbers.

    This is so for one model, for identical models that save together, and for like wounds in equal shares.
    """
    if len(models) == 1:
        return True
    first, different = models[0], list(dict.fromkeys(wounds))
    if all(saves_together(m) and sameness(m) == sameness(first) for m in models):
        return all(saves_against(m, w, covers) == saves_against(first, w, covers) for m in models for w in different)
    return len(wounds) % len(models) == 0 and all(
        kind_of(w, m, covers) == kind_of(wounds[0], m, covers) for w in different[1:] for m in models
    )


def worth(model: Model) -> float:
    """Return the loss of a model to its side, for proposals: its points, else an estimate from its profile."""
    profile = model.profile
    if profile.points:
        return float(profile.points)
    own = sum(float(getattr(profile, name) or 0) for name in ("ws", "bs", "s", "t", "i", "a", "ld"))
    return own + 5.0 * float(profile.w or 0) + 5.0 * len(profile.mounts)


def cost_of(model: Model, wound: Wound, covers: Covers) -> float:
    """Return the approximate cost of a wound on a model to its side."""
    saves = saves_against(model, wound, covers)
    unsaved = (min(6, max(2, saves[0].value)) - 1) / 6 if saves else 1.0
    left = max(1, characteristics.value(model, "w"))
    kills = left == 1 or is_instant(model, wound)
    return unsaved * worth(model) * (1.0 if kills else 0.4 / left)


@rule("2.3.2/instant-death")
def is_instant(model: Model, wound: Wound) -> bool:
    """Return whether a wound kills outright, by the toughness of the model that takes it, without a bike's bonus."""
    return wound.strength is not None and wound.strength >= INSTANT * characteristics.value(model, "t")


@rule("2.2/allocation", "2.2/allocation-pool")
async def allocate(unit: Unit, wounds: Sequence[Wound], covers: Covers) -> list[int]:
    """Return the rows that the wounds of one resolution go to, in the order of the wounds; the owner decides."""
    models = living(unit)
    rows = [model.row for model in models]
    if not wounds or not rows:
        return []
    if makes_no_difference(models, wounds, covers):
        return in_turn(len(wounds), rows)
    kinds = [replace(wound, by_model=LONE) for wound in wounds]
    costs = {wound: [cost_of(model, wound, covers) for model in models] for wound in dict.fromkeys(kinds)}
    named = {wound: labels.of_wound(wound, models, covers) for wound in dict.fromkeys(wounds)}
    items = [named[wound] for wound in wounds]
    by = attackers_of(wounds)
    return await allot(unit.side, "allot-wounds", items, rows, lambda w, m: costs[kinds[w]][m], unit.row, by)
