"""The form of queries: attacker, target, kind of attack, distance, states and weapons."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.answers import NONE
from campale.mechanics.queries.fields import Asked
from campale.mechanics.queries.layout import ATTACKER, TARGET
from campale.referee.odds_queries import Pick, Script
from campale.referee.position import Position, Unit
from campale.referee.ruleset import Ruleset
from campale.rulesets.w10.basics.units import ADVANCED, CHARGED, GROUNDED, SMOKE, STATIONARY, WOUNDS, members
from campale.rulesets.w10.battle.layouts import CRATERS, KINDS, RUINS, WOODS
from campale.rulesets.w10.queries.attacks import MELEE, OVERWATCH, query, weapons_field
from campale.rulesets.w10.queries.layout import Scene, set_out
from campale.rulesets.w10.queries.profiles import FIELDS, Party, party_of

FARTHEST, USUAL = 72, 18
SHOOTING = "shooting"
KINDS_OF_ATTACK = (SHOOTING, OVERWATCH, MELEE)
STATES = {SHOOTING: ("stationary", "advanced"), OVERWATCH: (), MELEE: ("charged",)}
MARKS = {
    "stationary": STATIONARY,
    "advanced": ADVANCED,
    "charged": CHARGED,
    "gone-to-ground": GROUNDED,
    "smoke": SMOKE,
}


def form(ruleset: Ruleset) -> Script:
    kind = yield FIELDS.choice("kind", "attack", KINDS_OF_ATTACK, "attack/sequence")
    attackers = yield from party_of("attacker", "line-squad")
    states = yield from attackers_states(kind)
    targets = yield from party_of("target", "line-squad")
    lost = yield from wounds_field(targets)
    states += yield FIELDS.several("target-states", "target", ("gone-to-ground", "smoke"), "stratagems/go-to-ground")
    scene = Scene(attackers, targets)
    if kind != MELEE:
        far = yield FIELDS.number("distance", "table", USUAL, (2, FARTHEST), "core-concepts/measuring", "inch")
        scene = scene._replace(distance=float(far), cover=(yield from cover_field()))
    position = set_out(ruleset, scene)
    put_in_state(position, states, lost)
    return query(position, kind, (yield from weapons_field(position, kind)))


def attackers_states(kind: str) -> Asked:
    if not STATES[kind]:
        return []
    return list((yield FIELDS.several("attacker-states", "attacker", STATES[kind], "weapon-abilities/catalogue")))


def wounds_field(targets: Party) -> Asked:
    """Ask for the wounds that the first model has lost."""
    most = targets.models[0].w - 1
    if most < 1:
        return 0
    return int((yield FIELDS.number("target-wounds", "target", 0, (0, most), "attack/allocate")))


def cover_field() -> Asked:
    inside = FIELDS.title("cover.inside")
    kinds = [Pick(name, KINDS[name].title, inside) for name in (RUINS, WOODS, CRATERS)]
    return (yield FIELDS.choice("cover", "table", (NONE, *kinds), "terrain/benefit-of-cover"))


def put_in_state(position: Position, states: Sequence[str], lost: int) -> None:
    attacker, target = Unit(position, ATTACKER), Unit(position, TARGET)
    for name in states:
        unit = target if MARKS[name] in (GROUNDED, SMOKE) else attacker
        unit.mark(MARKS[name], 1)
    members(target)[0].mark(WOUNDS, lost)
    position.forget()
