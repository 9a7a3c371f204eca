"""The form of queries: the units, their places and states, what is fired, and how players decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from campale.mechanics.queries.decisions import answering
from campale.mechanics.queries.fields import Asked
from campale.mechanics.queries.layout import ATTACKER, FACINGS, MIDDLE, TARGET
from campale.referee.odds_queries import Pick, Query, Script
from campale.referee.position import Position, Unit
from campale.referee.ruleset import Ruleset
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.battle.scenery import PRESETS, scenery_piece
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import (
    COMBAT_SPEED,
    CRUISING,
    GROUND,
    LOST,
    MOVED,
    SPEED,
    STRUCTURE_LOST,
    members,
)
from campale.rulesets.e55.hits import allocation
from campale.rulesets.e55.movement_phase.terrain import SCREENING
from campale.rulesets.e55.odds.fire_odds import by_proposal
from campale.rulesets.e55.queries import fire, melee
from campale.rulesets.e55.queries.layout import begin, set_out
from campale.rulesets.e55.queries.profiles import FIELDS, models_of
from campale.table.outlines import rectangle
from campale.table.terrain import Piece

FIRE, CHARGE, MELEE = "fire", "charge", "melee"
FARTHEST, FARTHEST_CHARGE = 72.0, 24.0
STOREYS = (0, 3, 6, 9)
NONE, SCREENED, PROPOSED = "none", "screened", "proposed"
ROSTER_ORDER, REVERSE = "roster", "reverse"
FORMS = ("settle-wounds",)
"""Forms whose single fields may be answered differently than usual."""
SAVES = ("armour", "cover", "invulnerable")
SPEEDS = {"stationary": 0, "combat-speed": COMBAT_SPEED, "cruising": CRUISING}


def form(ruleset: Ruleset) -> Script:
    kind = yield FIELDS.choice("kind", "attack", (FIRE, CHARGE, MELEE), "3/phases")
    attackers = yield from models_of("attacker", "lantern-guard-750:keepers")
    moved = (yield from attackers_state(attackers)) if kind == FIRE else []
    targets = yield from models_of("target", "mire-brood-750:reed-folk")
    is_fire = kind == FIRE
    query: Query = yield from (
        by_fire(ruleset, attackers, moved, targets) if is_fire else by_hand(ruleset, kind, attackers, targets)
    )
    return query


def by_hand(ruleset: Ruleset, kind: str, attackers: Sequence[Profile], targets: Sequence[Profile]) -> Asked:
    """Ask for a charge from some distance, or for a combat into which the attacker has charged or not."""
    if kind == CHARGE:
        away = yield FIELDS.number("distance", "table", 6, (1, FARTHEST_CHARGE), "3.3.1/charge-distance", "inch")
        return melee.charge(ruleset, attackers, targets, float(away), (yield from policy_fields()))
    states = yield FIELDS.several("attacker-states", "attacker", ("charged",), "3.3.2/attack-count")
    return melee.combat(ruleset, attackers, targets, bool(states), (yield from policy_fields()))


def by_fire(ruleset: Ruleset, attackers: Sequence[Profile], moved: Any, targets: Sequence[Profile]) -> Asked:
    state = yield from targets_state(targets)
    distance, height, cover = yield from on_the_table()
    position = set_out(ruleset, attackers, targets, distance, state[2], height, tuple(pieces_of(cover)))
    put_in_state(position, moved, *state[:2])
    volleys = yield from fire.volley_fields(position)
    varied = yield from policy_fields()
    return fire.query(position, volleys, varied, partial(fire.closed_up, distance, state[2], height))


def attackers_state(attackers: Sequence[Profile]) -> Asked:
    """Ask whether the attackers have moved, or how fast if they are vehicles."""
    if any(one.type == "vehicle" for one in attackers):
        return (yield FIELDS.choice("attacker-speed", "attacker", tuple(SPEEDS), "7.9/weapons-by-speed"))
    return (yield FIELDS.several("attacker-states", "attacker", ("moved",), "3.1/moved-flag"))


def targets_state(targets: Sequence[Profile]) -> Asked:
    """Ask for the target's wounds lost, whether it is on the ground, and which face of a vehicle is fired at."""
    most = max((one.structure if one.type == "vehicle" else one.w or 1) - 1 for one in targets)
    lost = 0
    if most > 0:
        lost = yield FIELDS.number("target-wounds", "target", 0, (0, most), "2.3.2/unsaved-wound")
    if any(one.type == "vehicle" for one in targets):
        return lost, [], (yield FIELDS.choice("target-face", "target", tuple(FACINGS), "7.1/armour-values"))
    states = yield FIELDS.several("target-states", "target", ("to-ground",), "3.2.4/go-to-ground")
    return lost, states, "front"


def on_the_table() -> Asked:
    """Ask for the target's distance, the attackers' height, and the cover."""
    distance = yield FIELDS.number("distance", "table", 12, (1, FARTHEST), "3.2.1/range", "inch")
    height = yield FIELDS.choice("height", "table", tuple(map(str, STOREYS)), "1.1/measure-height")
    inside = FIELDS.title("cover.inside")
    kinds = [Pick(name, one.title, inside) for name, one in PRESETS.items() if one.cover is not None]
    cover = yield FIELDS.choice("cover", "table", (NONE, SCREENED, *kinds), "2.3.1/cover-granted")
    return distance, float(height), cover


# ---------------------------------------------------------------- the table


def pieces_of(cover: str) -> Iterator[Piece]:
    """Yield a piece around the whole target, or a screen right in front of it."""
    if cover == SCREENED:
        yield Piece("screen", "screen", rectangle(MIDDLE, MIDDLE - 0.3, 200.0, 0.2), 9.0, 0.0, (), (SCREENING,))
    elif cover != NONE:
        yield scenery_piece(cover, (MIDDLE, MIDDLE + 9.9), 0.0, "cover", (72.0, 20.0))


def put_in_state(position: Position, moved: Any, lost: float, states: Sequence[str]) -> None:
    """Set the states from the form, in the shooting phase."""
    begin(position, "shooting")
    attacker, target = Unit(position, ATTACKER), Unit(position, TARGET)
    if isinstance(moved, str):
        for model in members(attacker):
            model.mark(SPEED, SPEEDS[moved])
    if moved in (["moved"], "combat-speed", "cruising"):
        attacker.mark(MOVED, 1)
    if "to-ground" in states:
        target.mark(GROUND, 1)
    wound(target, int(lost))
    position.forget()


def wound(target: Unit, lost: int) -> None:
    """Wound the first of the target's models that survives this many wounds."""
    if not lost:
        return
    able = [one for one in members(target) if is_vehicle(one) or (one.profile.w or 1) > lost]
    able[0].mark(STRUCTURE_LOST if is_vehicle(able[0]) else LOST, lost)


# ---------------------------------------------------------------- decisions of players


def policy_fields() -> Asked:
    """Ask what differs from the usual policy; return None if nothing does."""
    wounds = yield FIELDS.choice("policy-wounds", "policy", (PROPOSED, ROSTER_ORDER, REVERSE), "2.2/allocation")
    save = yield FIELDS.choice("policy-save", "policy", (PROPOSED, *SAVES), "2.3.2/choose-save")
    answers: dict[str, Callable[[Any], Any]] = {}
    if wounds != PROPOSED:
        answers["allot-wounds"] = partial(in_order, wounds == REVERSE)
    if save != PROPOSED:
        answers["choose-save"] = partial(prefers, save)
    return partial(answering, answers, forms=FORMS) if answers else None


def in_order(is_reversed: bool, question: Any) -> list[int]:
    """Give each model a wound in turn, from the first of the roster or from the last."""
    holders = list(question.holders)[:: -1 if is_reversed else 1]
    return allocation.in_turn(len(question.items), holders)


def prefers(kind: str, question: Any) -> Any:
    return kind if kind in question.options() else by_proposal(question)
