"""What can be chosen before a battle, and what of it the other side is not shown."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from campale.referee.offers import Choice, Layout, Offered, Offers, Roster, Term, Title
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.referee.ruleset import Setup
from campale.referee.words import LANGUAGES, words
from campale.rulesets.e55.armies.army_lists import army_list
from campale.rulesets.e55.armies.arsenal import HERE
from campale.rulesets.e55.armies.forces import FORCES, UnitSpec
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.armies.setting_out import MOST_POINTS
from campale.rulesets.e55.battle.agreeing import AS_PROPOSED, BY_LOT, GENERATED
from campale.rulesets.e55.battle.missions import MISSIONS
from campale.rulesets.e55.battle.scenery import LAYOUTS, layout_named, table_size

SIZES = (750, 1500)


@lru_cache(maxsize=1)
def offers() -> Offers:
    """The small forces first."""
    forces = sorted(map(offered, FORCES.names()), key=lambda one: (one.points, one.name))
    layouts = tuple(map(laid, LAYOUTS.names()))
    terms = (points(), mission(), scenery(), cover())
    return Offers(tuple(forces), layouts, terms, roster, "mission", "scenery", "points")


def offered(name: str) -> Offered:
    force = FORCES.named(name)
    title = army_list(force.army_list).title
    return Offered(name, force.title, force.points, force.army_list, title, FORCES.plain(name))


def laid(name: str) -> Layout:
    return Layout(name, LAYOUTS.named(name).name.in_both, *table_size(), layout_named(name))


def points() -> Term:
    choices = tuple(Choice(size, {"en": f"{size} points", "it": f"{size} punti"}) for size in SIZES)
    return Term("points", {"en": "Points", "it": "Punti"}, "10/armies", choices, SIZES[0], (1, MOST_POINTS))


def mission() -> Term:
    by_lot = Choice(BY_LOT, {"en": "By lot", "it": "A sorte"})
    named = tuple(Choice(name, mission_title(name)) for name in MISSIONS)
    return Term("mission", {"en": "Mission", "it": "Missione"}, "10.2/mission-choice", (by_lot, *named), BY_LOT)


def mission_title(name: str) -> Title:
    return {tongue: words(tongue, HERE / "words").say(f"mission.{name}") for tongue in LANGUAGES}


def scenery() -> Term:
    ready = tuple(Choice(name, LAYOUTS.named(name).name.in_both) for name in LAYOUTS.names())
    others = (
        Choice(BY_LOT, {"en": "One of these, by lot", "it": "Uno di questi, a sorte"}),
        Choice(GENERATED, {"en": "Made up by lot", "it": "Composto a sorte"}),
    )
    title = {"en": "Scenery", "it": "Elementi scenici"}
    return Term("scenery", title, "10.1/scenery", (*ready, *others), ready[0].value)


def cover() -> Term:
    choices = (
        Choice(AS_PROPOSED, {"en": "As each kind of scenery usually has it", "it": "Come di solito per ogni tipo"}),
        Choice(None, {"en": "Agreed on piece by piece", "it": "Da concordare pezzo per pezzo"}),
    )
    return Term("cover", {"en": "Cover", "it": "Copertura"}, "2.3.1/cover-agreed", choices, AS_PROPOSED)


# ---------------------------------------------------------------- what a force is made of


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


@rule("10.5/reserve-secrecy")
def setup_seen_by(side: int | None, setup: Setup) -> Setup:
    """Without the forces of others: nobody knows what has not been placed."""
    return msgspec.structs.replace(
        setup, forces=tuple(force if k == side else {} for k, force in enumerate(setup.forces))
    )
