"""Wounds and hits as their owner reads them when allocating: weapon, attacker, strength, and the save left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from campale.referee.position import Model, Position
from campale.referee.refusal import Plain
from campale.rulesets.e55.hits.attacks import Covers, Hit, Wound
from campale.rulesets.e55.hits.saves import saves_against

OF_WEAPONS = ("fire", "melee")


def of_wound(wound: Wound, models: Sequence[Model], covers: Covers) -> dict[str, Plain]:
    """Return a wound's label with the saves of the models that may take it."""
    return source(models[0].position, wound) | numbers(wound.strength, wound.ap) | saves_left(wound, models, covers)


def of_hit(position: Position, hit: Hit) -> dict[str, Plain]:
    return source(position, hit) | numbers(hit.strength, hit.ap)


def source(position: Position, by: Wound | Hit) -> dict[str, Plain]:
    """Return the weapon and its unit, or the cause if there is no weapon."""
    if by.cause not in OF_WEAPONS or by.by_unit < 0:
        return {"cause": by.cause}
    weapon = weapon_of(position, by)
    return {"by": by.by_unit} if weapon is None else {"weapon": weapon, "unit": by.by_unit}


def weapon_of(position: Position, by: Wound | Hit) -> str | None:
    """Return the id of the weapon, if only one weapon of the model fits."""
    if by.by_model < 0:
        return None
    lines = [
        (line.strength == by.strength, mount.weapon.id)
        for mount in position.model(by.by_model).profile.mounts
        for line in mount.weapon.lines
        if line.ap == by.ap and (line.reach == "melee") == (by.cause == "melee")
    ]
    as_strong = {weapon for is_as_strong, weapon in lines if is_as_strong}
    found = as_strong or {weapon for _, weapon in lines}
    return found.pop() if len(found) == 1 else None


def numbers(strength: int | None, ap: int | None) -> dict[str, Plain]:
    told: dict[str, Plain] = {} if strength is None else {"strength": strength}
    return told if ap is None else told | {"ap": ap}


def saves_left(wound: Wound, models: Sequence[Model], covers: Covers) -> dict[str, Plain]:
    """Return the best save left: of all models, of the best and the worst off, or of some."""
    found = [saves_against(model, wound, covers) for model in models]
    values = sorted(saves[0].needed for saves in found if saves)
    if not values:
        return {"unsaved": True}
    if len(values) < len(found):
        return {"some": values[0]}
    return {"save": values[0]} if values[0] == values[-1] else {"best": values[0], "worst": values[-1]}


def numbers_told(wounds: Sequence[Wound]) -> Plain:
    """Return the numbers of several wounds, equal ones counted: ``S 4 AP 5 ×2, S 8 AP 1``."""
    return {language: in_short(wounds, *words) for language, words in {"en": ("S", "AP"), "it": ("F", "VP")}.items()}


def in_short(wounds: Sequence[Wound], strength: str, ap: str) -> str:
    counted = Counter((wound.strength, wound.ap) for wound in wounds)
    return ", ".join(
        f"{strength} {shown(hard)} {ap} {shown(through)}{f' ×{many}' if many > 1 else ''}"
        for (hard, through), many in counted.items()
    )


def shown(number: int | None) -> str:
    return "–" if number is None else str(number)
