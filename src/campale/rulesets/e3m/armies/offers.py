"""What can be chosen before a battle."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from campale.referee.offers import Choice, Layout, Offered, Offers, Roster, Term, Title
from campale.referee.refusal import Plain
from campale.referee.words import LANGUAGES, words
from campale.rulesets.e3m.armies.army import CAP
from campale.rulesets.e3m.armies.forces import FORCES, UnitSpec
from campale.rulesets.e3m.armies.lists import HERE
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.armies.setting_out import BY_LOT, BY_PLAYERS
from campale.rulesets.e3m.battle.missions import MISSIONS
from campale.rulesets.e3m.battle.scenery import LAYOUTS, layout_named, table_size

SIZES = (600, CAP)


@lru_cache(maxsize=1)
def offers() -> Offers:
    """The small forces first."""
    forces = sorted(map(offered, FORCES.names()), key=lambda one: (one.points, one.name))
    terms = (points(), mission(), scenery())
    return Offers(tuple(forces), tuple(map(laid, LAYOUTS.names())), terms, roster, "mission", "scenery", "points")


def offered(name: str) -> Offered:
    force = FORCES.named(name)
    return Offered(name, force.title, force.points, force.army.id, force.army.title, FORCES.plain(name))


def laid(name: str) -> Layout:
    return Layout(name, LAYOUTS.named(name).name.in_both, *table_size(), layout_named(name))


def points() -> Term:
    choices = tuple(Choice(size, {"en": f"{size} points", "it": f"{size} punti"}) for size in SIZES)
    return Term("points", {"en": "Points", "it": "Punti"}, "setup/forces", choices, SIZES[0], (1, CAP))


def mission() -> Term:
    by_roll = Choice(None, {"en": "By the roll of a die", "it": "Col tiro di un dado"})
    named = tuple(Choice(name, mission_title(name)) for name in MISSIONS)
    return Term("mission", {"en": "Mission", "it": "Missione"}, "setup/mission", (by_roll, *named))


def mission_title(name: str) -> Title:
    return {tongue: words(tongue, HERE / "words").say(f"mission.{name}") for tongue in LANGUAGES}


def scenery() -> Term:
    ready = tuple(Choice(name, LAYOUTS.named(name).name.in_both) for name in LAYOUTS.names())
    others = (
        Choice(BY_LOT, {"en": "Laid by lot", "it": "Disposto a sorte"}),
        Choice(BY_PLAYERS, {"en": "Laid by the players in turn", "it": "Disposto dai giocatori, a turno"}),
    )
    title = {"en": "Scenery", "it": "Elementi scenici"}
    return Term("scenery", title, "setup/table", (*ready, *others), ready[0].value)


def roster(plain: dict[str, Plain]) -> tuple[Title, int, tuple[Roster, ...]]:
    """Unit by unit, models that are alike in one line."""
    force = FORCES.from_plain(plain)
    return force.title, force.cost, tuple(line for unit in force.units for line in lines_of(unit))


def lines_of(unit: UnitSpec) -> list[Roster]:
    alike: dict[bytes, list[Profile]] = {}
    for one in unit.profiles:
        alike.setdefault(msgspec.json.encode(one), []).append(one)
    return [
        Roster(unit.title, several[0].title, len(several), sum(one.points for one in several), several[0])
        for several in alike.values()
    ]
