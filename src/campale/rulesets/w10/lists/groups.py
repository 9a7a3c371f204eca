"""The weapons of each model in a unit: its models in groups with the same characteristics and weapons."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from campale.mechanics.lists.fates import Fates
from campale.mechanics.lists.record import MOST_MODELS, Entry, UnitListed
from campale.referee.rule import rule
from campale.rulesets.w10.lists.format import known_format, say
from campale.rulesets.w10.lists.values import tidy
from campale.rulesets.w10.lists.weapons import Arming, Plain

MOST_COPIES = 12
NOBODY = "nobody"


@dataclass
class Models:
    """The models of one entry, and the ids of the weapons of each."""

    entry: Entry
    carried: list[list[str]]

    @property
    def groups(self) -> list[tuple[int, list[str]]]:
        """Runs of neighbouring models with the same weapons, each with its count."""
        return [(len(list(some)), list(ids)) for ids, some in groupby(self.carried, key=tuple)]


@rule("datasheet/wargear-options", "t/wargear-all-models")
def models_of(unit: UnitListed, arming: Arming) -> list[Models]:
    """The models of a unit with their weapons: first their own, then those that the list gives to no model."""
    found = [Models(one, [[] for _ in range(min(one.count, MOST_MODELS))]) for one in unit.models]
    for models in found:
        spread(models, arming.known(models.entry.profiles), models.entry.count, arming, models.entry.line)
        for entry in (inner for one in models.entry.entries for inner in one.all()):
            spread(models, arming.known(entry.profiles), entry.count, arming, entry.line)
    for n, entry in enumerate(inner for one in unit.entries for inner in one.all()):
        lend(found, entry, arming, n)
    spare(unit, found, arming)
    return found


def spread(models: Models, ids: Sequence[str], count: int, arming: Arming, line: int) -> None:
    """Share copies of weapons evenly among models; the rest go to those with the fewest weapons of the kind."""
    each, rest = divmod(count, max(1, len(models.carried)))
    if ids and each + bool(rest) > MOST_COPIES:
        arming.fates.not_understood(line, say("too-many-copies", count=count, models=len(models.carried)))
        return
    melee = {id for id, one in arming.weapons.items() if is_melee(one)}
    for one in ids:
        share_out(models.carried, one, count, melee)


def share_out(carried: list[list[str]], weapon: str, count: int, melee: Collection[str]) -> None:
    """Give out copies of a weapon; those that do not go round go to the first of the models with fewest of the kind."""
    each, rest = divmod(count, max(1, len(carried)))
    some = sorted(carried, key=lambda one: sum((id in melee) == (weapon in melee) for id in one))[:rest]
    for one in (*carried * each, *some):
        one.append(weapon)


def is_melee(weapon: Plain) -> bool:
    first = (*weapon.get("lines", ()), weapon)[0]
    return first.get("range") is None


def lend(found: list[Models], entry: Entry, arming: Arming, n: int) -> None:
    """Give out a weapon of the unit; the file does not say which model carries it."""
    ids = arming.known(entry.profiles)
    if ids and (models := bearer(found, entry.line, f"{arming.owner}.bearer.{n}", entry.name, arming.fates)):
        spread(models, ids, entry.count, arming, entry.line)
        arming.fates.played(entry.line, say("borne-by", name=tidy(models.entry.name)))


def spare(unit: UnitListed, found: list[Models], arming: Arming) -> None:
    """Give out weapon profiles of the unit itself, which may belong to models that the unit could have but has not."""
    armed = [one for one in unit.profiles if one.is_of(known_format().types.weapons)]
    for n, profile in enumerate(armed):
        name = f"{arming.owner}.spare.{n}"
        models = bearer(found, profile.line, name, profile.name, arming.fates, NOBODY)
        if models is not None:
            spread(models, arming.known([profile]), len(models.carried), arming, profile.line)
        else:
            arming.fates.not_understood(profile.line, say("nobody-carries"))


def bearer(
    found: list[Models], line: int, name: str, weapon: str, fates: Fates, default: str | None = None
) -> Models | None:
    """The models that the player chose as bearers, or by default the largest entry (``default``: another choice)."""
    if not found:
        return None
    usual = max(range(len(found)), key=lambda k: len(found[k].carried)) if default is None else default
    choices = [(str(k), tidy(one.entry.name)) for k, one in enumerate(found)]
    if len(found) == 1 and default is None:
        return found[0]
    chosen = fates.choose(name, line, say("bearer", name=tidy(weapon)), [*choices, (NOBODY, say(NOBODY))], str(usual))
    return found[int(chosen)] if chosen.isdecimal() else None
