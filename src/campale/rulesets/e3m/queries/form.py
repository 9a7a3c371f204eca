"""The form of queries: attacker, target, attack, places and states, weapons, and decisions."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.answers import NONE
from campale.mechanics.queries.fields import Asked
from campale.mechanics.queries.layout import ATTACKER, FACINGS, TARGET
from campale.referee.odds_queries import Pick, Query, Script
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.battle.scenery import BROKEN, PRESETS
from campale.rulesets.e3m.command.orders import HALT, MARCH, RETREAT
from campale.rulesets.e3m.command.units import FORCED, GIVEN_AWAY, GONE, MOVED, ORDER, WOUNDS, members
from campale.rulesets.e3m.fire.kinds import ADVANCING, DEFENSIVE, KINDS, OPPORTUNITY, OVERRUNNING, PREPARATORY
from campale.rulesets.e3m.queries import fire, melee
from campale.rulesets.e3m.queries.layout import Scene, nearest, set_out
from campale.rulesets.e3m.queries.melee import MELEE
from campale.rulesets.e3m.queries.profiles import FIELDS, models_of
from campale.rulesets.e3m.vehicles.stops import may_be_overrun, may_overrun

FARTHEST = 72.0
ASKED = (PREPARATORY, OPPORTUNITY, DEFENSIVE, ADVANCING, OVERRUNNING)
SNIPER, HAS_MOVED = "sniper", "moved"
ANY, HALT_FIRED, FORCED_HALT = "any", "halt-fired", "forced-halt"
ORDERS_OF = {True: (ANY, MARCH, FORCED_HALT, RETREAT), False: (ANY, HALT, HALT_FIRED, RETREAT)}
"""The orders of the target that matter in a melee (True) and under fire (False)."""
SPEEDS = {"stationary": 0.0, "slow": 3.0, "fast": 12.0}
SPREADS = {"0": 0.0, "half": 0.5, "1": 1.0, "2": 2.0}
USUAL_SPREAD = "half"
CHARGED, STANDS = "charged", "stands"

Profiles = Sequence[Profile]


def form(ruleset: Ruleset) -> Script:
    kind = yield FIELDS.choice("kind", "attack", (*(one.name for one in ASKED), MELEE), "fire/kinds")
    attackers = yield from models_of("attacker", "citadel-wardens-600:line-warden")
    states = yield from attackers_state(kind, attackers)
    targets = yield from models_of("target", "rust-clans-600:scrapper")
    query: Query = yield from (by_hand if kind == MELEE else by_fire)(ruleset, kind, attackers, states, targets)
    return query


def attackers_state(kind: str, attackers: Profiles) -> Asked:
    """Ask whether the attackers have charged or moved, or one of them snipes."""
    if kind == MELEE:
        charge = yield FIELDS.choice("attacker-charge", "attacker", (CHARGED, STANDS), "base-melee/charge-bonus")
        return [CHARGED] if charge == CHARGED else []
    if kind != PREPARATORY.name:
        return (yield FIELDS.several("attacker-states", "attacker", (HAS_MOVED,), "base-weapons/moved-models"))
    if attackers[0].has_armour:
        return []
    return (yield FIELDS.several("attacker-states", "attacker", (SNIPER,), "fire/sniper"))


def by_fire(ruleset: Ruleset, kind: str, attackers: Profiles, states: Sequence[str], targets: Profiles) -> Asked:
    scene = Scene(attackers, targets)
    if targets[0].has_armour:
        scene = scene._replace(face=(yield from face_field()))
    else:
        order = tuple(sorted(SPREADS, key=lambda one: one != USUAL_SPREAD))
        spread = yield FIELDS.choice("target-spread", "target", order, "base-general/coherency")
        scene = scene._replace(apart=SPREADS[spread])
    state = yield from targets_state(kind, targets)
    least = nearest(scene)
    far = yield FIELDS.number("distance", "table", max(12, least), (least, FARTHEST), "fire/area-centre", "inch")
    scene = scene._replace(distance=float(far), cover=(yield from cover_field()))
    position = set_out(ruleset, scene)
    put_in_state(position, HAS_MOVED in states, *state)
    if kind == OVERRUNNING.name:
        check_overrun(position)
    volley = yield from fire.volley_fields(position, KINDS[kind], SNIPER in states)
    return fire.query(position, volley, (yield from fire.policy_field()))


@rule("vehicles/overrun-who")
def check_overrun(position: Position) -> None:
    """Raises a fault if the attacker may not overrun, or the target not be overrun."""
    if not may_overrun(Unit(position, ATTACKER)):
        raise FIELDS.fault("attacker", "no-overrun")
    if not all(map(may_be_overrun, members(Unit(position, TARGET)))):
        raise FIELDS.fault("target", "no-overrun")


def by_hand(ruleset: Ruleset, kind: str, attackers: Profiles, states: Sequence[str], targets: Profiles) -> Asked:
    scene = Scene(attackers, targets, is_melee=True)
    if targets[0].has_armour:
        scene = scene._replace(face=(yield from face_field()))
    state = yield from targets_state(kind, targets)
    position = set_out(ruleset, scene._replace(cover=(yield from cover_field())))
    put_in_state(position, False, *state)
    melee.begin(position, CHARGED in states)
    return melee.query(position, (yield from melee.policy_field(position)))


# ---------------------------------------------------------------- fields of both


def face_field() -> Asked:
    return (yield FIELDS.choice("target-face", "target", tuple(FACINGS), "base-vehicle/facing"))


def targets_state(kind: str, targets: Profiles) -> Asked:
    """Ask for the first target's lost wounds and order, or a vehicle's speed."""
    lost = 0
    if targets[0].has_armour:
        return lost, ANY, (yield FIELDS.choice("target-speed", "target", tuple(SPEEDS), "vehicles/moved-status"))
    if targets[0].w > 1:
        lost = yield FIELDS.number("target-wounds", "target", 0, (0, targets[0].w - 1), "base-shoot/wounds")
    order = yield FIELDS.choice("target-order", "target", ORDERS_OF[kind == MELEE], "orders/one-order")
    return int(lost), order, "stationary"


def cover_field() -> Asked:
    inside = FIELDS.title("cover.inside")
    kinds = [Pick(name, one.title, inside) for name, one in PRESETS.items() if BROKEN in one.tags]
    return (yield FIELDS.choice("cover", "table", (NONE, *kinds), "terrain/cover-saves"))


# ---------------------------------------------------------------- the state


def put_in_state(position: Position, has_moved: bool, lost: int, order: str, speed: str) -> None:
    attacker, target = Unit(position, ATTACKER), Unit(position, TARGET)
    attacker.mark(MOVED, int(has_moved))
    first = members(target)[0]
    first.mark(WOUNDS, lost)
    if first.profile.has_armour:
        first.jot(GONE, SPEEDS[speed])
    if order in (HALT, HALT_FIRED, FORCED_HALT):
        target.jot(ORDER, HALT)
    elif order != ANY:
        target.jot(ORDER, order)
    target.mark(GIVEN_AWAY, int(order == HALT_FIRED))
    target.mark(FORCED, int(order == FORCED_HALT))
    position.forget()
