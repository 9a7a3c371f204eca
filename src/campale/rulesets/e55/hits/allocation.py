"""Wound allocation (2.2): the owner gives out the wounds, one each before a second; identical models (2.3.2)."""

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
"""What a thing (its place among the items) costs a holder (its place among the holders)."""

INSTANT = 2
LONE = -1


# ---------------------------------------------------------------- identical models


def sameness(model: Model) -> Hashable:
    """What models of one unit must have in common to be the same in everything but their place."""
    alone = model.row if special.has(model, "independent-character") else LONE
    effects = tuple((e.rule, e.value) for e in effects_on(model) if e.on == "model")
    return alone, model.profile, wounds_left(model), model.marks(CLIPPED), effects


@rule("2.3.2/identical-models")
def saves_together(model: Model) -> bool:
    """One-wound models save as a group with those identical to them."""
    return characteristics.value(model, "w") == 1


def groups_of(unit: Unit) -> list[list[Model]]:
    """The models of a unit in what is resolved as one: identical one-wound models, else each by itself."""
    found: dict[Hashable, list[Model]] = {}
    for model in members(unit):
        key = sameness(model) if saves_together(model) else model.row
        found.setdefault(key, []).append(model)
    return list(found.values())


# ---------------------------------------------------------------- allotting in rounds


@rule("2.2/allocation-rounds", "7.17/squadron-hits")
def out_of_round(given: Sequence[int], holders: Sequence[int]) -> Fault | None:
    """Somebody has two more than somebody else."""
    counts = Counter(given)
    least, most = min(counts[row] for row in holders), max(counts[row] for row in holders)
    return None if most <= least + 1 else Fault(measured=most, limit=least + 1, model=counts.most_common(1)[0][0])


def judged(given: Sequence[int], holders: Sequence[int]) -> Refusal | None:
    return first_refusal((out_of_round,), given, holders)


def proposed(things: int, holders: Sequence[int], cost: Cost, rng: Random | None = None) -> list[int]:
    """Everything given out in rounds, the costliest things first, each to whom it costs least; or at random."""
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
    """Who dealt hits or wounds, by rows, as far as anybody did."""
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
    """The owner gives things out to holders (rows), one each before a second; ``attackers`` are who dealt them."""

    def fits(given: list[int]) -> Refusal | None:
        return judged(given, holders)

    def proposal(rng: Random | None) -> list[int]:
        return proposed(len(items), holders, cost, rng)

    about: dict[str, Plain] = {"unit": unit, **({"attackers": list(attackers)} if attackers else {})}
    given: list[int] = await ask(Allot(side, prompt, items, holders, fits, proposal, about))
    return given


# ---------------------------------------------------------------- wounds


def label(wound: Wound) -> str:
    """A wound as it is listed: its strength and AP."""
    strength = "-" if wound.strength is None else str(wound.strength)
    return f"{strength}/{'-' if wound.ap is None else wound.ap}"


def kind_of(wound: Wound, model: Model, covers: Covers) -> Hashable:
    """All that tells one wound on a model from another, as numbers go."""
    saves = saves_against(model, wound, covers)
    return wound.strength, wound.ap, wound.rules, wound.cause, wound.cannot_be_saved, saves


def makes_no_difference(models: Sequence[Model], wounds: Sequence[Wound], covers: Covers) -> bool:
    """One model; identical ones that save together; or like wounds of which each gets as many."""
    if len(models) == 1:
        return True
    first, different = models[0], list(dict.fromkeys(wounds))
    if all(saves_together(m) and sameness(m) == sameness(first) for m in models):
        return all(saves_against(m, w, covers) == saves_against(first, w, covers) for m in models for w in different)
    return len(wounds) % len(models) == 0 and all(
        kind_of(w, m, covers) == kind_of(wounds[0], m, covers) for w in different[1:] for m in models
    )


def worth(model: Model) -> float:
    """What a side loses with a model, for proposals: its points, else by what it can do."""
    profile = model.profile
    if profile.points:
        return float(profile.points)
    own = sum(float(getattr(profile, name) or 0) for name in ("ws", "bs", "s", "t", "i", "a", "ld"))
    return own + 5.0 * float(profile.w or 0) + 5.0 * len(profile.mounts)


def cost_of(model: Model, wound: Wound, covers: Covers) -> float:
    """About what a wound on a model costs its side."""
    saves = saves_against(model, wound, covers)
    unsaved = (min(6, max(2, saves[0].value)) - 1) / 6 if saves else 1.0
    left = max(1, characteristics.value(model, "w"))
    kills = left == 1 or is_instant(model, wound)
    return unsaved * worth(model) * (1.0 if kills else 0.4 / left)


@rule("2.3.2/instant-death")
def is_instant(model: Model, wound: Wound) -> bool:
    """The toughness is that of who takes it, without what a bike adds."""
    return wound.strength is not None and wound.strength >= INSTANT * characteristics.value(model, "t")


@rule("2.2/allocation", "2.2/allocation-pool")
async def allocate(unit: Unit, wounds: Sequence[Wound], covers: Covers) -> list[int]:
    """The rows that the wounds of one resolution go to, in their order; whatever is asked is asked of the owner."""
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
