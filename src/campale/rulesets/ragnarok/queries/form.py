"""The form of queries: the models, the attack, distance and states, and what players decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from campale.dice.odds import first_suggestion
from campale.mechanics.answers import NONE
from campale.mechanics.queries.decisions import answering
from campale.mechanics.queries.fields import Asked
from campale.referee.odds_queries import Pick, Script
from campale.referee.ruleset import Ruleset
from campale.rulesets.ragnarok.armies.forces import trooper
from campale.rulesets.ragnarok.armies.profile import Profile
from campale.rulesets.ragnarok.battle.scenery import SCENERY
from campale.rulesets.ragnarok.queries import attacks
from campale.rulesets.ragnarok.queries.attacks import Way
from campale.rulesets.ragnarok.queries.layout import ATTACKER, Scene, States, set_out
from campale.rulesets.ragnarok.queries.profiles import FIELDS, bodyguards, model_of
from campale.rulesets.ragnarok.shooting.fire import FIRE, REACTION, SUPPRESSIVE

FARTHEST = 120.0
MOST_SHOOTERS, MOST_FATIGUE, MOST_POINTS = 6, 6, 3
YES, NO = "yes", "no"
IN_COVER = ("wood", "ruin", "rubble")
KEEP, SPEND = "keep", "spend"
MOST_ON_A_DIE = 6
CHARGE, MELEE = "charge", "melee"
BY_HAND = (CHARGE, MELEE)
KINDS = (FIRE, SUPPRESSIVE, REACTION, *BY_HAND)
STATES_OF = {
    FIRE: ("aimed", "hidden", "moved"),
    SUPPRESSIVE: ("aimed", "hidden", "moved"),
    REACTION: ("hidden", "moved"),
    CHARGE: ("hidden",),
    MELEE: ("prone",),
}
USUAL = {FIRE: 20, SUPPRESSIVE: 20, REACTION: 20, CHARGE: 8}
"""The usual distance of each kind of query, in cm."""


def form(ruleset: Ruleset) -> Script:
    kind = yield FIELDS.choice("kind", "attack", KINDS, "fire/sequence")
    attacker = yield from model_of("attacker", "crucible_league_starter:steam_rifleman")
    of_attacker = yield FIELDS.several("attacker-states", "attacker", STATES_OF[kind], "aim/bonus")
    fatigue = yield FIELDS.number("attacker-fatigue", "attacker", 0, (0, MOST_FATIGUE), "fatigue/effects")
    target = yield from model_of("target", "barrow_host_starter:raider")
    states = States(of_attacker, int(fatigue), *(yield from targets_state(target)))
    scene = Scene(attacker, target, states)
    if kind != MELEE:
        scene = scene._replace(
            distance=(yield FIELDS.number("distance", "table", USUAL[kind], (1, FARTHEST), "fire/range", "cm"))
        )
    if kind in BY_HAND:
        position, policy = yield from decided(ruleset, scene, 1)
        return attacks.by_hand(position, kind == CHARGE, policy)
    inside = FIELDS.title("cover.inside")
    covers: list[str | Pick] = [NONE, *(Pick(one, SCENERY[one].title, inside) for one in IN_COVER)]
    scene = scene._replace(cover=(yield FIELDS.choice("cover", "table", covers, "fire/mod-obscured")))
    ways = yield from weapons_field(ruleset, scene, kind)
    position, policy = yield from decided(ruleset, scene, len(ways))
    return attacks.by_fire(position, kind, ways, states.attacker, policy)


def targets_state(target: Profile) -> Asked:
    """Ask for the target's states, its wounds, and its bodyguard."""
    words = ("prone", "alert", *(("shield-lost",) if target.shield is not None else ()))
    states = yield FIELDS.several("target-states", "target", words, "prone/fire-penalty")
    wounds = 0
    if target.wounds > 1:
        wounds = yield FIELDS.number("target-wounds", "target", 0, (0, target.wounds - 1), "wounds/out-of-action")
    guards: list[str | Pick] = [NONE, *(Pick(id, trooper(id).profile.title) for id in bodyguards())]
    guard = yield FIELDS.choice("target-guard", "target", guards, "special/bodyguard")
    return states, int(wounds), guard


def weapons_field(ruleset: Ruleset, scene: Scene, kind: str) -> Asked:
    """Ask how each of the attackers shoots, one after another."""
    ways = attacks.ways_of(set_out(ruleset, scene, 1).model(ATTACKER), kind)
    if not ways:
        raise FIELDS.fault("attacker", "nothing-to-fire")
    picks = tuple(Pick(key, attacks.title_of(scene.attacker, way)) for key, way in ways.items())
    first = [[next(iter(ways)), 1]]
    entries = yield FIELDS.counted("weapons", "attack", picks, MOST_SHOOTERS, first, "fire/sequence")
    chosen: list[Way] = [ways[name] for name, many in entries for _ in range(many)]
    if not 1 <= len(chosen) <= MOST_SHOOTERS:
        raise FIELDS.fault("weapons", "so-many", count=len(chosen), most=MOST_SHOOTERS)
    return chosen


# ---------------------------------------------------------------- decisions of players


def decided(ruleset: Ruleset, scene: Scene, many: int) -> Asked:
    """Ask for one side's exploration points, how they are spent, and whether a bodyguard is sent.

    Return the position, and a policy if anything differs from the proposals.
    """
    position = set_out(ruleset, scene, many)
    points = yield FIELDS.number("exploration", "policy", 0, (0, MOST_POINTS), "exploration/points")
    answers: dict[str, Callable[[Any], Any]] = {}
    if points:
        owner = yield FIELDS.choice("exploration-of", "policy", ("attacker", "target"), "exploration/points")
        side = 0 if owner == "attacker" else 1
        position.gain(side, "exploration", int(points))
        if (yield FIELDS.choice("policy-exploration", "policy", (KEEP, SPEND), "exploration/points")) == SPEND:
            answers["exploration-points"] = partial(spends, tuple(position.side_of), scene.states.fatigue > 0, side)
    is_guarded = scene.states.guard != NONE
    if is_guarded and (yield FIELDS.choice("policy-bodyguard", "policy", (NO, YES), "special/bodyguard")) == YES:
        answers["bodyguard"] = sends
    return position, answering(answers, first_suggestion) if answers else None


def sends(question: Any) -> Any:
    """Return the first bodyguard that may go."""
    return next(key for key in question.options() if key != "no")


def spends(sides: Sequence[int], is_tired: bool, side: int, question: Any) -> Any:
    """Spend points as soon as they help their owner: own dice turn out well, the enemy's badly."""
    if is_tired and is_of_one_die(question.about):
        return "no"
    is_own = roller_of(sides, question.about) == side
    helping = [key for key in question.options() if key != "no" and (key[1] > 0) == is_own]
    return min(helping, key=lambda key: abs(key[1]), default="no")


def is_of_one_die(about: Mapping[str, Any]) -> bool:
    """Return whether an amount may be what fatigue takes off a charge. Less of it is better, so it is left as it is."""
    return "model" in about and about.get("total", MOST_ON_A_DIE + 1) <= MOST_ON_A_DIE


def roller_of(sides: Sequence[int], about: Mapping[str, Any]) -> int:
    """Return the side of the dice: that of the model named, or the enemy of the target of suppressive fire."""
    if "model" in about:
        return int(sides[about["model"]])
    return int(about["roller"]) if "roller" in about else 1 - sides[about["target"]]
