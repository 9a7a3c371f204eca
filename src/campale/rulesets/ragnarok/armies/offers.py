"""What can be chosen before a battle."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from campale.referee.offers import Choice, Layout, Offered, Offers, Roster, Term, Title
from campale.referee.refusal import Plain
from campale.referee.words import LANGUAGES, words
from campale.rulesets.ragnarok.armies.army import CAP
from campale.rulesets.ragnarok.armies.arsenal import HERE, army_list
from campale.rulesets.ragnarok.armies.forces import FORCES, Trooper
from campale.rulesets.ragnarok.armies.setting_out import BY_LOT, BY_PLAYERS
from campale.rulesets.ragnarok.battle.battlefield import size
from campale.rulesets.ragnarok.battle.missions import FREE_CHOICE, MISSIONS
from campale.rulesets.ragnarok.battle.scenery import LAYOUTS, layout_named

LEAST, MOST = 1, 10_000


@lru_cache(maxsize=1)
def offers() -> Offers:
    """The starter forces first."""
    names = sorted(FORCES.names(), key=lambda name: ("starter" not in name, name))
    return Offers(
        tuple(map(offered, names)),
        tuple(map(laid, LAYOUTS.names())),
        (points(), mission(), scenery()),
        roster,
        "mission",
        "scenery",
        "points",
    )


def offered(name: str) -> Offered:
    force = FORCES.named(name)
    title = army_list(force.army_list).title
    return Offered(name, force.title, force.points, force.army_list, title, FORCES.plain(name))


def laid(name: str) -> Layout:
    return Layout(name, LAYOUTS.named(name).name.in_both, *size(), layout_named(name, *size()))


def points() -> Term:
    title = {"en": "Points", "it": "Punti"}
    choices = (Choice(CAP, {"en": f"{CAP} points", "it": f"{CAP} punti"}),)
    return Term("points", title, "army/points-cap", choices, CAP, (LEAST, MOST))


def mission() -> Term:
    by_roll = Choice(None, {"en": "By the roll of a die", "it": "Col tiro di un dado"})
    named = tuple(Choice(name, mission_title(name)) for name in (*MISSIONS, FREE_CHOICE))
    return Term("mission", {"en": "Mission", "it": "Missione"}, "missions/roll", (by_roll, *named))


def mission_title(name: str) -> Title:
    return {tongue: words(tongue, HERE / "words").say(f"mission.{name}") for tongue in LANGUAGES}


def scenery() -> Term:
    ready = tuple(Choice(name, LAYOUTS.named(name).name.in_both) for name in LAYOUTS.names())
    others = (
        Choice(BY_LOT, {"en": "Laid by lot", "it": "Disposto a sorte"}),
        Choice(BY_PLAYERS, {"en": "Laid by the players in turn", "it": "Disposto dai giocatori, a turno"}),
    )
    title = {"en": "Scenery", "it": "Elementi scenici"}
    return Term("scenery", title, "battlefield/scenery-table", (*ready, *others), ready[0].value)


# ---------------------------------------------------------------- what a force is made of


def roster(plain: dict[str, Plain]) -> tuple[Title, int, tuple[Roster, ...]]:
    """Models that are alike in one line."""
    force = FORCES.from_plain(plain)
    alike: dict[tuple[bytes, str, bool], list[Trooper]] = {}
    for one in force.troopers:
        alike.setdefault((msgspec.json.encode(one.profile), one.name, one.is_commander), []).append(one)
    return force.title, force.cost, tuple(map(line_of, alike.values()))


def line_of(alike: list[Trooper]) -> Roster:
    one = alike[0]
    title = {tongue: one.name or said for tongue, said in one.profile.title.items()}
    return Roster(title, one.profile.title, len(alike), len(alike) * one.profile.points, one.profile)
