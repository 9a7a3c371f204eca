"""The army lists of the book, for putting a force together: models, and the things bought for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import get_args

from campale.mechanics.armies import picking
from campale.mechanics.titles import in_both
from campale.referee.armies.building import ArmyList, Field, Kind
from campale.referee.offers import Title
from campale.rulesets.ragnarok.armies import arsenal
from campale.rulesets.ragnarok.armies.arsenal import FACTIONS, HERE
from campale.rulesets.ragnarok.armies.profile import Equipment, ExpertField, Profile, Weapon

MOST_MODELS = 40


@lru_cache(maxsize=1)
def army_lists() -> tuple[ArmyList, ...]:
    return picking.army_lists(map(arsenal.army_list, FACTIONS), head, kinds, "models")


def head(of: arsenal.ArmyList) -> dict[str, str]:
    return {"ruleset": "ragnarok", "army_list": of.id}


def kinds(of: arsenal.ArmyList) -> Iterator[Kind]:
    return map(kind, of.profiles.values())


def kind(profile: Profile) -> Kind:
    return Kind(
        id=profile.id,
        title=profile.title,
        row={"profile": profile.id},
        fields=(
            *picking.size(1, MOST_MODELS, "count"),
            *((picking.flag("commander"),) if profile.is_hq else ()),
            *expert(profile),
            *picking.several("weapons", "several", sold(arsenal.weapons().values())),
            *picking.several("equipment", "several", sold(arsenal.equipment().values())),
        ),
        prices=((1, profile.points),),
        profile=profile,
    )


def expert(profile: Profile) -> tuple[Field, ...]:
    """Return the field for the expertise, if the player has to choose it."""
    if profile.expert != "choice":
        return ()
    fields = [one for one in get_args(ExpertField) if one not in ("", "choice")]
    return picking.several("expert", "one", {one: in_both(HERE, f"expert.{one}") for one in fields})


def sold(things: Iterable[Weapon | Equipment]) -> dict[str, Title]:
    """Return the things that have a price, with the price in the title."""
    return {
        one.id: {tongue: f"{title} ({one.cost})" for tongue, title in one.title.items()} for one in things if one.cost
    }
