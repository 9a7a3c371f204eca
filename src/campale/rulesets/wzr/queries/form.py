"""The form of queries: attacker, target, attack, distance, weapons and cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from campale.mechanics.queries.fields import Asked
from campale.mechanics.queries.layout import TARGET
from campale.mechanics.titles import in_both
from campale.referee.odds_queries import Pick, Query, Script, Title
from campale.referee.position import Position
from campale.referee.ruleset import Ruleset
from campale.rulesets.wzr.armies.lists import HERE
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.attack import COMBAT
from campale.rulesets.wzr.close_combat.charging import of_no_charging_kind
from campale.rulesets.wzr.queries import fire, melee
from campale.rulesets.wzr.queries.fire import NO_LOCATION, Manner
from campale.rulesets.wzr.queries.layout import NEAREST, Scene, set_out
from campale.rulesets.wzr.queries.profiles import FIELDS, model_of
from campale.rulesets.wzr.shooting.plan import RAPID, SHOOT

FARTHEST, USUAL = 72, 12
MOST_ATTACKS, MOST_PIECES, MOST_CARDS = 4, 2, 5
AIMED, BURNED, CHARGED, HELD = "aimed", "burned", "charged", "held"
KINDS = (SHOOT, RAPID, COMBAT)

T = TypeVar("T")


def form(ruleset: Ruleset) -> Script:
    kind = yield FIELDS.choice("kind", "attack", KINDS, "actions/list")
    attacker = yield from model_of("attacker", "riflemen")
    target = yield from model_of("target", "undead")
    scene = Scene(attacker, target)
    face = yield FIELDS.choice("target-face", "target", ("front", "rear"), "core/front-rear")
    scene = scene._replace(face=face, wounds=(yield from wounds_field(target)))
    query: Query = yield from (by_hand if kind == COMBAT else by_fire)(ruleset, kind, scene)
    return query


def wounds_field(target: Profile) -> Asked:
    """Ask for the wounds that the target has lost."""
    if target.is_vehicle or target.w < 2:
        return 0
    return int((yield FIELDS.number("target-wounds", "target", 0, (0, target.w - 1), "core/wound-effect")))


def states_field(ruleset: Ruleset, others: Sequence[str]) -> Asked:
    """Ask what the attacker has done, and whether it burns a Resource."""
    return (yield FIELDS.several("attacker-states", "attacker", (*others, BURNED), "cards/burn-rof"))


# ---------------------------------------------------------------- shots


def by_fire(ruleset: Ruleset, kind: str, scene: Scene) -> Asked:
    states = yield from states_field(ruleset, (AIMED,))
    manner = Manner(kind, AIMED in states, BURNED in states)
    if manner.aimed and scene.target.is_vehicle:
        manner = manner._replace(location=(yield from location_field(scene.target)))
    rule = "core/measuring"
    far = yield FIELDS.number("distance", "table", USUAL, (NEAREST, FARTHEST), rule, "inch")
    light = yield FIELDS.number("cover-light", "table", 0, (0, MOST_PIECES), "shooting/cover-types")
    heavy = yield FIELDS.number("cover-heavy", "table", 0, (0, MOST_PIECES), "shooting/cover-types")
    position = set_out(ruleset, scene._replace(distance=float(far), light=int(light), heavy=int(heavy)))
    fire.pay(position, MOST_CARDS)
    guns = fire.guns(position, kind)
    chosen = yield from weapons_field(guns, {key: fire.title_of(gun) for key, gun in guns.items()})
    return fire.query(position, manner, chosen)


def location_field(target: Profile) -> Asked:
    assert target.vehicle is not None
    picks = [Pick(one.name, one.title.in_both) for one in target.vehicle.locations]
    return (yield FIELDS.choice("target-location", "target", (NO_LOCATION, *picks), "actions/aim"))


def weapons_field(known: Mapping[str, T], titles: Mapping[str, Title]) -> Asked:
    """Ask for the weapons, each used once or several times."""
    if not known:
        raise FIELDS.fault("attacker", "nothing-to-use")
    picks = tuple(Pick(key, titles[key]) for key in known)
    first = [[next(iter(known)), 1]]
    entries = yield FIELDS.counted("weapons", "attack", picks, MOST_ATTACKS, first, "shooting/sequence")
    chosen = [known[name] for name, many in entries for _ in range(many)]
    if not 1 <= len(chosen) <= MOST_ATTACKS:
        raise FIELDS.fault("weapons", "so-many", count=len(chosen), most=MOST_ATTACKS)
    return chosen


# ---------------------------------------------------------------- melee


def by_hand(ruleset: Ruleset, kind: str, scene: Scene) -> Asked:
    position = set_out(ruleset, scene)
    charges = of_no_charging_kind(position.model(0)) is None
    states = yield from states_field(ruleset, (CHARGED,) if charges else ())
    held = yield FIELDS.several("target-states", "target", (HELD,), "close-combat/hold-small")
    position.model(TARGET).mark(marks.HELD, int(HELD in held))
    name = yield from action_field(position)
    fire.pay(position, 1)
    able = melee.able(position, name)
    titles = {id: melee.title_of(position.model(0), one) for id, one in able.items()}
    chosen = yield from weapons_field(able, titles)
    attacks = [melee.declared(position, name, one, CHARGED in states, BURNED in states) for one in chosen]
    return melee.query(position, attacks)


def action_field(position: Position) -> Asked:
    """Ask for Combat or a Special Combat Action."""
    names = melee.actions(position)
    if not names:
        raise FIELDS.fault("attacker", "no-melee")
    picks = [Pick(name, in_both(HERE, f"action.{name}")) for name in names]
    return (yield FIELDS.choice("action", "attack", picks, "close-combat/special-general"))
