"""What can be asked of this book without a battle: models that shoot or throw at another, one after another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.dice.odds import first_suggestion
from campale.referee.inquiries import Field, Inquiries, Pick, Policy, Posed, Script, Volley, trouble_of
from campale.referee.inquiries import Part as FormPart
from campale.referee.position import RESERVE, Model, Position
from campale.referee.ruleset import Ruleset
from campale.rulesets.ragnarok import outcomes
from campale.rulesets.ragnarok.actions import fire_weapons, suppressive_weapons
from campale.rulesets.ragnarok.arsenal import HERE
from campale.rulesets.ragnarok.figures import bodyguards, figure, said
from campale.rulesets.ragnarok.fire import FIRE, REACTION, SUPPRESSIVE, Shot
from campale.rulesets.ragnarok.forces import trooper
from campale.rulesets.ragnarok.physical import is_able
from campale.rulesets.ragnarok.profile import Profile
from campale.rulesets.ragnarok.scenery import SCENERY, scenery_piece
from campale.rulesets.ragnarok.staging import STAGE
from campale.rulesets.ragnarok.weapon_rules import PLAIN, doublings, weapon_of
from campale.table.terrain import Ground, Piece

SIZE, FARTHEST = 400.0, 120.0
MIDDLE = SIZE / 2.0
MOST_SHOOTERS = 6
APART = 0.5
INSIDE = 1.0
"""How far behind the edge of its cover the base of the target stands."""
TARGET = 0
"""Its row; those who shoot have the next ones."""
NONE, YES, NO = "none", "yes", "no"
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
"""At which distance each is asked about, unless another is given."""


class Way(NamedTuple):
    """How a weapon is fired: its place among the weapons, and whether its rate is doubled."""

    weapon: int
    doubling: str


class States(NamedTuple):
    """Of those who shoot, and of the target."""

    attacker: Sequence[str]
    fatigue: int
    target: Sequence[str]
    wounds: int
    guard: str


def choice(name: str, part: FormPart, values: Sequence[str], rule: str = "") -> Field:
    return Field(name, said(name), "choice", part, values[0], tuple(Pick(v, said(f"{name}.{v}")) for v in values), rule)


def number(
    name: str, part: FormPart, default: int, most: float, rule: str, least: float = 0.0, unit: str = ""
) -> Field:
    return Field(name, said(name), "number", part, default, (), rule, (least, most), 1.0, unit)


def several(name: str, part: FormPart, values: Sequence[str], rule: str) -> Field:
    return Field(name, said(name), "several", part, [], tuple(Pick(v, said(f"{name}.{v}")) for v in values), rule)


# ---------------------------------------------------------------- the form


def script(ruleset: Ruleset) -> Script:
    """Who shoots at whom or fights with whom, from how far and in what state, and what players decide."""
    kind = yield choice("kind", "attack", KINDS, "fire/sequence")
    actor = yield from figure("attacker", "crucible_league_starter:steam_rifleman")
    of_actor = yield several("attacker-states", "attacker", STATES_OF[kind], "aim/bonus")
    fatigue = yield number("attacker-fatigue", "attacker", 0, 6, "fatigue/effects")
    target = yield from figure("target", "barrow_host_starter:raider")
    states = yield from targets_state(target, of_actor, int(fatigue))
    distance = 0.0
    if kind != MELEE:
        distance = yield number("distance", "table", USUAL[kind], FARTHEST, "fire/range", 1.0, "cm")
    if kind in BY_HAND:
        by_hand: Posed = yield from posed_by_hand(ruleset, actor, target, kind, states, distance)
        return by_hand
    cover = yield cover_field()
    shots = yield from weapon_fields(ruleset, actor, target, kind, states, (distance, cover))
    position, policy = yield from decided(ruleset, actor, target, states, (distance, cover), len(shots))
    volleys = tuple(volley_of(actor, shot, policy) for shot in shots_of(shots, kind, states))
    return posed(position, volleys, policy, kind)


def posed(position: Position, volleys: tuple[Volley, ...], policy: Policy | None, kind: str) -> Posed:
    many = len(rows_of(position))
    policy = outcomes.thrown_at(TARGET, policy or first_suggestion)
    return Posed(position, volleys, policy, counted(position, kind), many, RULES, NOTES)


def posed_by_hand(ruleset: Ruleset, actor: Profile, target: Profile, kind: str, states: States, distance: float) -> Any:
    """A charge, or a melee in which the two stand already."""
    position, policy = yield from decided(ruleset, actor, target, states, (distance, NONE), 1)
    is_charge = kind == CHARGE
    volley = Volley(
        (actor.title,),
        partial(outcomes.forecast_by_hand, is_charge, TARGET + 1, TARGET, policy),
        partial(outcomes.play_by_hand, is_charge, TARGET + 1, TARGET),
    )
    return posed(position, (volley,), policy, kind)


def targets_state(target: Profile, of_shooter: Sequence[str], fatigue: int) -> Any:
    words = ("prone", "alert", *(("shield-lost",) if target.shield is not None else ()))
    states = yield several("target-states", "target", words, "prone/fire-penalty")
    wounds = 0
    if target.wounds > 1:
        wounds = yield number("target-wounds", "target", 0, target.wounds - 1, "wounds/out-of-action")
    guards = tuple(Pick(id, trooper(id).profile.title) for id in bodyguards())
    picks = (Pick(NONE, said("target-guard.none")), *guards)
    guard = yield Field("target-guard", said("target-guard"), "choice", "target", NONE, picks, "special/bodyguard")
    return States(of_shooter, fatigue, states, int(wounds), guard)


def cover_field() -> Field:
    picks = (Pick(NONE, said("cover.none")), *(Pick(one, SCENERY[one].title, said("cover.inside")) for one in IN_COVER))
    return Field("cover", said("cover"), "choice", "table", NONE, picks, "fire/mod-obscured")


def weapon_fields(
    ruleset: Ruleset, shooter: Profile, target: Profile, kind: str, states: States, where: tuple[float, str]
) -> Any:
    """What is shot, each by a model of its own, one after another."""
    position = laid(ruleset, shooter, target, states, *where, 1)
    ways = ways_of(position.model(TARGET + 1), kind)
    if not ways:
        raise trouble_of("attacker", HERE, "nothing-to-fire")
    picks = tuple(Pick(key, title_of(shooter, way)) for key, way in ways.items())
    between = (0.0, float(MOST_SHOOTERS))
    default = [[next(iter(ways)), 1]]
    entries = yield Field("weapons", said("weapons"), "counted", "attack", default, picks, "fire/sequence", between)
    shots = [ways[name] for name, many in entries for _ in range(many)]
    if not 1 <= len(shots) <= MOST_SHOOTERS:
        raise trouble_of("weapons", HERE, "so-many", count=len(shots), most=MOST_SHOOTERS)
    return shots


def decided(
    ruleset: Ruleset, shooter: Profile, target: Profile, states: States, where: tuple[float, str], many: int
) -> Any:
    """The exploration points that somebody has, what becomes of them, and whether a bodyguard is sent."""
    position = laid(ruleset, shooter, target, states, *where, many)
    points = yield number("exploration", "policy", 0, 3, "exploration/points")
    answers: dict[str, Callable[[Any], Any]] = {}
    if points:
        side = yield choice("exploration-of", "policy", ("attacker", "target"), "exploration/points")
        position.gain(0 if side == "attacker" else 1, "exploration", int(points))
        if (yield choice("policy-exploration", "policy", (KEEP, SPEND), "exploration/points")) == SPEND:
            owner = 0 if side == "attacker" else 1
            answers["exploration-points"] = partial(spends, tuple(position.side_of), states.fatigue > 0, owner)
    if states.guard != NONE and (yield choice("policy-bodyguard", "policy", (NO, YES), "special/bodyguard")) == YES:
        answers["bodyguard"] = sends
    return position, policy_by(answers) if answers else None


def ways_of(model: Model, kind: str) -> dict[str, Way]:
    """Every way to shoot or throw at the target, by the weapon's id and what is done with its rate."""
    places = suppressive_weapons(model) if kind == SUPPRESSIVE else fire_weapons(model)
    usable = [k for k in places if not outcomes.comes_to_nothing(model.position, Shot(model.row, TARGET, k, kind))]
    found: dict[str, Way] = {}
    for k in usable:
        weapon = weapon_of(model, k)
        ways = [PLAIN] if kind == REACTION or weapon.kind == "thrown" else doublings(model, weapon)
        for way in ways:
            found.setdefault(weapon.id if way == PLAIN else f"{weapon.id}@{way}", Way(k, way))
    return found


def title_of(shooter: Profile, way: Way) -> dict[str, str]:
    title = shooter.weapons[way.weapon].title
    if way.doubling == PLAIN:
        return title
    more = said(f"doubling.{way.doubling}")
    return {tongue: f"{one}, {more[tongue]}" for tongue, one in title.items()}


# ---------------------------------------------------------------- the table


def laid(
    ruleset: Ruleset, shooter: Profile, target: Profile, states: States, distance: float, cover: str, many: int
) -> Position:
    """The target, and those who shoot on a circle about it, each as far from it as was asked."""
    pieces = () if cover == NONE else (cover_about(target, cover),)
    position = Position(ruleset, Ground(SIZE, SIZE, pieces))
    put(position, "Target", 1, target, (MIDDLE, MIDDLE), 180.0)
    away = distance + shooter.base_radius + target.base_radius
    step = math.degrees(2.0 * math.asin(min(1.0, (2.0 * shooter.base_radius + APART) / (2.0 * away))))
    for k in range(many):
        turned = step * ((k + 1) // 2) * (1 if k % 2 else -1)
        way = math.radians(turned)
        at = MIDDLE + away * math.sin(way), MIDDLE - away * math.cos(way)
        put(position, f"Attacker {k + 1}", 0, shooter, at, -turned % 360.0)
    if states.guard != NONE:
        put_guard(position, target, trooper(states.guard).profile)
    position.now["night"] = int(position.options.night)
    facings = position.facing[:]
    STAGE.prepare(position)
    position.facing = facings
    put_in_state(position, states)
    return position


def cover_about(target: Profile, cover: str) -> Piece:
    """The target stands just inside of it, on the side from which it is shot at."""
    into = target.base_radius + INSIDE
    return scenery_piece(cover, (MIDDLE, MIDDLE - into + SCENERY[cover].depth / 2.0), 0.0, "cover")


def put(position: Position, name: str, side: int, profile: Profile, at: tuple[float, float], facing: float) -> Model:
    model = position.add_model(name, profile, side, position.add_unit(name, side), RESERVE)
    model.move_to(*at, facing=facing)
    return model


def put_guard(position: Position, target: Profile, profile: Profile) -> None:
    """Right behind the model that it protects."""
    behind = MIDDLE + target.base_radius + profile.base_radius + APART
    put(position, "Bodyguard", 1, profile, (MIDDLE, behind), 180.0).jot("ward", TARGET)


def put_in_state(position: Position, states: States) -> None:
    target = position.model(TARGET)
    for mark in states.target:
        target.mark(mark, 1)
    target.mark("wounds", states.wounds)
    for model in (one for one in position.models if one.side == 0):
        model.mark("fatigue", states.fatigue)
        for mark in ("moved", "hidden", "prone"):
            model.mark(mark, int(mark in states.attacker))
    position.forget()


# ---------------------------------------------------------------- what players decide


def policy_by(answers: dict[str, Callable[[Any], Any]]) -> Policy:
    def decide(question: Any) -> Any:
        own = answers.get(question.prompt)
        return first_suggestion(question) if own is None else own(question)

    return decide


def sends(question: Any) -> Any:
    """The first bodyguard that may go."""
    return next(key for key in question.options() if key != "no")


def spends(sides: Sequence[int], is_tired: bool, side: int, question: Any) -> Any:
    """Points are spent as soon as they help the side whose they are: own dice turn out well, the enemy's badly."""
    if is_tired and is_of_one_die(question.about):
        return "no"
    is_own = roller_of(sides, question.about) == side
    helping = [key for key in question.options() if key != "no" and (key[1] > 0) == is_own]
    return min(helping, key=lambda key: abs(key[1]), default="no")


def is_of_one_die(about: Mapping[str, Any]) -> bool:
    """An amount that may be what fatigue takes off a charge, of which less is better: that is left as it is."""
    return "model" in about and about.get("total", MOST_ON_A_DIE + 1) <= MOST_ON_A_DIE


def roller_of(sides: Sequence[int], about: Mapping[str, Any]) -> int:
    """Whose dice they are: an amount names the model that goes, sees or throws so far, or whom an attack suppresses."""
    if "model" in about:
        return int(sides[about["model"]])
    return int(about["roller"]) if "roller" in about else 1 - sides[about["target"]]


# ---------------------------------------------------------------- what is asked


def shots_of(ways: Sequence[Way], kind: str, states: States) -> list[Shot]:
    is_aimed, is_hidden = "aimed" in states.attacker, "hidden" in states.attacker
    return [
        Shot(TARGET + 1 + k, TARGET, way.weapon, kind, way.doubling, is_aimed, is_hidden) for k, way in enumerate(ways)
    ]


def volley_of(shooter: Profile, shot: Shot, policy: Policy | None) -> Volley:
    return Volley(
        (title_of(shooter, Way(shot.weapon, shot.doubling)),),
        partial(outcomes.forecast, shot, policy),
        partial(outcomes.play, shot),
        partial(outcomes.after, shot, policy),
    )


RULES = {
    "out-of-action": "wounds/out-of-action",
    "wounds-left": "wounds/out-of-action",
    "markers": "fire/morale-marker",
    "own-out-of-action": "melee/losers-removed",
}


def counted(position: Position, kind: str) -> dict[str, Callable[[Position], int]]:
    rows = rows_of(position)
    if kind == SUPPRESSIVE:
        return {"markers": partial(markers, rows)}
    if kind in BY_HAND:
        own = [model.row for model in position.models if model.side == 0]
        return {"out-of-action": partial(fallen, rows), "own-out-of-action": partial(fallen, own)}
    left = {"wounds-left": wounds_left} if position.profiles[TARGET].wounds > 1 else {}
    return {"out-of-action": partial(fallen, rows), **left, "markers": partial(markers, rows)}


def rows_of(position: Position) -> list[int]:
    return [model.row for model in position.models if model.side == 1]


def fallen(rows: Sequence[int], position: Position) -> int:
    return sum(not is_able(position.model(row)) for row in rows)


def wounds_left(position: Position) -> int:
    target = position.model(TARGET)
    return max(0, int(target.profile.wounds) - target.marks("wounds")) if target.is_on_table else 0


def markers(rows: Sequence[int], position: Position) -> int:
    return sum(position.model(row).marks("morale") for row in rows)


NOTES = (("no-spill", "wounds/one-at-a-time"),)

INQUIRIES = Inquiries(script)
