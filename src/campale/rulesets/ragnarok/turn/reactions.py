"""Reactions: which models may react, the reactions, and when each is carried out or lost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from campale.mechanics.answers import NONE
from campale.referee.ask import ask, choose, fill_in, order
from campale.referee.position import Model, Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import half, touch
from campale.rulesets.ragnarok.basics.night import spots
from campale.rulesets.ragnarok.basics.physical import is_able, is_exhausted, is_prone
from campale.rulesets.ragnarok.basics.sight import Target, ahead_of, covering_friend, have_in_view, lines_between, sees
from campale.rulesets.ragnarok.basics.special import is_immobile, is_psionic_or_mage
from campale.rulesets.ragnarok.battle.missions import check_commanders
from campale.rulesets.ragnarok.close_combat.charge import (
    COUNTERCHARGED,
    begin_charge,
    charge,
    charge_path,
    charge_question,
    dice_needed,
    farthest,
    reach_target,
)
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged
from campale.rulesets.ragnarok.morale.falling_back import fall_back, would_leave
from campale.rulesets.ragnarok.morale.psychology import doubled, go_prone
from campale.rulesets.ragnarok.moving.movement import (
    movement_left,
    path_of,
    path_question,
    set_facing,
    walk_along,
)
from campale.rulesets.ragnarok.shooting.fire import (
    FIRE,
    REACTION,
    SUPPRESSIVE,
    Losses,
    Shot,
    choose_doubling,
    is_in_a_brawl,
    is_out_of_sight,
    shoot,
)
from campale.rulesets.ragnarok.shooting.thrown import throw
from campale.rulesets.ragnarok.shooting.weapon_rules import doublings, has_fired_salvo, weapon_of, weapon_refusal
from campale.rulesets.ragnarok.turn.abilities import ABILITIES
from campale.rulesets.ragnarok.turn.control_area import controls, sensed_along, stops
from campale.rulesets.ragnarok.turn.declaring import (
    Action,
    Declaration,
    come_out_of_hiding,
    pay,
    points_left,
    too_dear,
)
from campale.table.paths import Path, plan_length, upto
from campale.table.shapes import Point

BEFORE = ("go-prone", "mental-duel")
LIKELY_DICE = 7
"""The average of 2D6."""
SELDOM = 0.1
"""The odds with which a random draw picks a reaction that leads nowhere, relative to others."""


# ---------------------------------------------------------------- tactical/reaction-eligibility


@rule("tactical/reaction-eligibility", "reactions/engaged")
def is_engaged_already(model: Model) -> Fault | None:
    return Fault(model=model.row) if is_engaged(model) else None


@rule("prone/state")
def lies_prone(model: Model) -> Fault | None:
    return Fault(model=model.row) if is_prone(model) else None


@rule("out-of-action/state")
def is_down(model: Model) -> Fault | None:
    return None if is_able(model) else Fault(model=model.row)


@rule("fatigue/limit")
def is_spent(model: Model) -> Fault | None:
    if not is_exhausted(model):
        return None
    return Fault(measured=model.marks("fatigue"), limit=model.profile.constitution, model=model.row)


@rule("special/immobile")
def cannot_move(model: Model) -> Fault | None:
    return Fault(model=model.row) if is_immobile(model) else None


@rule("weapon-profile/classes", "profile/hit-numbers")
def has_nothing_to_shoot(model: Model) -> Fault | None:
    """Return why a model has no weapon to shoot with: what bars the first that it has, if it has any."""
    if usable_weapons(model):
        return None
    why = next((weapon_refusal(model, k) for k in arms(model)), None)
    if why is None:
        return Fault(model=model.row)
    return Fault(measured=why.measured, limit=why.limit, model=model.row, rule=why.rule)


@rule("mental-duel/eligibility")
def is_no_duellist(model: Model) -> Fault | None:
    return None if is_psionic_or_mage(model) else Fault(model=model.row)


REACTOR_RESTRICTIONS = (is_down, lies_prone, is_engaged_already, is_spent)


@rule("profile/hit-numbers")
def arms(model: Model) -> list[int]:
    """Return the indices of the ranged and thrown weapons, for a model that can use them."""
    if model.profile.shooting_skill is None:
        return []
    return [k for k, weapon in enumerate(model.profile.weapons) if weapon.kind != "melee"]


def usable_weapons(model: Model) -> list[int]:
    """Return the indices of the ranged and thrown weapons that could shoot now."""
    return [k for k in arms(model) if weapon_refusal(model, k) is None]


@rule("tactical/reaction-eligibility", "control-area/senses", "tactical/one-reaction-per-action")
def eligible(actor: Model, path: Path) -> list[tuple[Model, bool]]:
    """Return the models that may react to an action, and whether they do so for free.

    A reaction is free if the action entered the model's control area or took place in it.
    """
    fit = [m for m in actor.position.on_table(1 - actor.side) if first_refusal(REACTOR_RESTRICTIONS, m) is None]
    if not fit:
        return []
    sensed = sensed_along(fit, actor, path)
    in_view = seen_along(fit, actor, path)
    return [(m, free) for m, free, view in zip(fit, sensed, in_view, strict=True) if free or view]


@rule("tactical/reaction-eligibility", "move/declared-path")
def seen_along(viewers: Sequence[Model], actor: Model, path: Path) -> list[bool]:
    """For each viewer, return whether it sees the actor at the declaration or on its path, every half centimetre."""
    points = stops(path)
    ends = [points[0], points[-1]] if len(points) > 1 else points
    found = [in_view_at(viewers, actor, ends)] if viewers else [[]]
    seen = [any(row) for row in found[0]]
    left = [k for k, is_seen in enumerate(seen) if not is_seen]
    if left and len(points) > 2:
        outlines = outlines_at(actor, points[1:-1])
        for k, is_seen in zip(left, have_in_view([viewers[k] for k in left], outlines), strict=True):
            seen[k] = is_seen
    return seen


def outlines_at(actor: Model, points: Sequence[Point]) -> list[Target]:
    """Return the outlines of a standing actor at each of these places."""
    position = actor.position
    base, tall = actor.profile.base_radius, actor.profile.height
    return [(*p, position.ruleset.level(position, *p), base, tall) for p in points]


def in_view_at(viewers: Sequence[Model], actor: Model, points: Sequence[Point]) -> list[list[bool]]:
    """For each viewer and place, return whether the actor there is in its field of view with a free line."""
    lines = lines_between(viewers, outlines_at(actor, points))
    return [
        [line.any_free and is_ahead(viewer, actor, p) for line, p in zip(row, points, strict=True)]
        for viewer, row in zip(viewers, lines, strict=True)
    ]


def is_ahead(viewer: Model, actor: Model, point: Point) -> bool:
    return bool(ahead_of(viewer, point) + actor.profile.base_radius >= -0.001)


# ---------------------------------------------------------------- countermove/*


@rule("countermove/move")
async def countermove(reaction: Declaration) -> None:
    """Move up to half of M, or turn; in contact with a charger only turn."""
    model = reaction.model
    may_move = not (in_contact(model) or is_immobile(model) or has_fired_salvo(model))
    ways = ["move", "turn"] if may_move else ["turn"]
    if await choose(model.side, "countermove", ways, model=model.row) == "turn":
        await set_facing(model)
        return
    full = float(model.profile.movement)
    both = model.position.options.countermoves == "both"
    path = path_of(model, await ask(path_question(model, "countermove-path", half(full), faces=both)))
    left = await movement_left(model, path, full) if plan_length(path) else full
    walk_along(model, upto(path, half(left)))
    if both:
        await set_facing(model, path.facing)


def in_contact(model: Model) -> bool:
    return any(is_able(enemy) and touch(model, enemy) for enemy in model.position.on_table(1 - model.side))


# ---------------------------------------------------------------- reaction-fire/*


@rule("reaction-fire/basic", "reaction-fire/against-charge", "tactical/reactions-aim")
async def reaction_fire(reaction: Declaration) -> None:
    """Fire at the acting model with -1; lost without sight of it, or with a friend in the way."""
    model, actor = reaction.model, reaction.details[0]
    weapons = [k for k in usable_weapons(model) if may_shoot_at(model, actor, k)]
    if not actor.is_on_table or not weapons:
        lose(model, "reaction-fire")
        return
    about = {"model": model.row, "target": actor.row, "hidden": reaction.from_hiding}
    weapon = await choose(model.side, "reaction-weapon", weapons, of="weapon", **about)
    shot = Shot(model.row, actor.row, weapon, REACTION, from_hiding=reaction.from_hiding)
    losses: Losses | None
    if weapon_of(model, weapon).kind == "thrown":
        losses = await throw(model.position, shot)
    else:
        ways = doublings(model, weapon_of(model, weapon))
        shot = msgspec.structs.replace(shot, doubling=await choose_doubling(model, shot, ways))
        losses = await shoot(model.position, shot)
    remember_wounds(actor, losses)


def may_shoot_at(model: Model, actor: Model, weapon: int) -> bool:
    arm = weapon_of(model, weapon)
    if is_in_a_brawl(model, actor, arm) or is_out_of_sight(model, actor, arm):
        return False
    return arm.kind == "thrown" or arm.has("indirect") or covering_friend(model, actor) is None


@rule("melee/wound-count", "special/bodyguard")
def wounds_on(actor: Model, losses: Losses | None) -> int:
    """Return the unsaved hits of a shot on the model it was aimed at, one that a bodyguard took for it included."""
    return losses.at_target if losses is not None and losses.shot.target == actor.row else 0


@rule("reaction-fire/against-charge")
def remember_wounds(charger: Model, losses: Losses | None) -> None:
    """Record the wounds of a shot at a charger; they count in the first round of the melee that it enters."""
    wounds = wounds_on(charger, losses)
    if charger.row in charger.position.declared.get("charging", ()) and wounds > 0:
        charger.add("shot-in-charge", wounds, quietly=True)


@rule("tactical/lost-reactions")
def lose(model: Model, reaction: str) -> None:
    model.position.write("reaction-lost", model=model.row, reaction=reaction)


# ---------------------------------------------------------------- countercharge/*


@rule("countercharge/basic", "countercharge/against-charge")
async def countercharge(reaction: Declaration) -> None:
    """Charge the acting model; the target of a charge that succeeded stays, and counts as having charged."""
    model, actor = reaction.model, reaction.details[0]
    if not is_able(actor):
        lose(model, "countercharge")
    elif actor.row in actor.position.declared.get("charging", ()) and touch(model, actor):
        begin_charge(model)
        reach_target(model, actor, model.at, False, reaction.from_hiding, COUNTERCHARGED)
    elif not (controls(model, actor) or sees(model, actor)):
        lose(model, "countercharge")
    else:
        await charge_back(model, actor, reaction.from_hiding)


@rule("countercharge/basic")
async def charge_back(model: Model, actor: Model, from_hiding: bool) -> None:
    """Charge along a path shown now; beyond M + 12 cm move M along the shortest path, without charge dice."""
    begin_charge(model)
    if charge_path(model, actor, farthest(model)) is not None:
        question = charge_question(model, actor, farthest(model), "countercharge-path")
        await charge(model, actor, path_of(model, await ask(question)), from_hiding, COUNTERCHARGED)
        return
    far = charge_path(model, actor)
    if far is None or not (controls(model, actor) or await spots(model, actor)):
        lose(model, "countercharge")
        return
    full = float(model.profile.movement)
    step = upto(far, full)
    walk_along(model, upto(step, await movement_left(model, step, full)))
    await set_facing(model)


# ---------------------------------------------------------------- prone/reaction


@rule("prone/reaction", "prone/not-cumulative")
async def throw_itself_down(reaction: Declaration) -> None:
    go_prone(reaction.model)


@rule("mental-duel/timing")
async def stand_ready(reaction: Declaration) -> None:
    """Stand ready: the duel is fought within the action, if its ability test is passed; nothing follows later."""
    reaction.model.position.write("duellist", model=reaction.model.row)


# ---------------------------------------------------------------- the list


@rule("reactions/list")
def reactions() -> dict[str, Action]:
    found = (
        Action("countermove", 2, (), countermove),
        Action("fall-back", 2, (cannot_move, has_fired_salvo), fall_back),
        Action("reaction-fire", 2, (has_nothing_to_shoot,), reaction_fire),
        Action("countercharge", 2, (cannot_move, has_fired_salvo), countercharge),
        Action("go-prone", 2, (), throw_itself_down),
        Action("mental-duel", 2, (is_no_duellist,), stand_ready),
    )
    return {one.name: one for one in found}


REACTIONS = reactions()


# ---------------------------------------------------------------- declaring and carrying out


AIMED = {"fire": 1, "suppressive-fire": 1, "charge": 0}
"""The index, among an action's details, of the model that it is aimed at."""
SHOTS = (FIRE, SUPPRESSIVE)


class Offer(NamedTuple):
    """The reactions that a model may declare, and whether they are free."""

    model: Model
    is_free: bool
    names: list[str]


@rule("tactical/resolution-order", "tactical/points-spent", "tactical/reactions-aim")
async def declared_reactions(act: Declaration, path: Path) -> list[Declaration]:
    """Ask for all reactions to an action, declared together and paid; a hidden model that reacts is revealed."""
    actor = act.model
    able = eligible(actor, path)
    offers = [Offer(m, free, offered(m, free, act)) for m, free in able]
    offers = [offer for offer in offers if offer.names]
    if not offers:
        return []
    fields = reaction_fields(offers, actor, path.points[-1][:2])
    shown = declaration_shown(act, path)
    about: dict[str, Plain] = {"actor": actor.row, "action": act.action, "hidden": act.from_hiding, "shown": shown}
    about |= {"shot": [*act.details, act.is_aimed]} if "aims" in shown and act.action in SHOTS else {}
    filled = await fill_in(1 - actor.side, "reactions", fields, None, **about)
    declared = []
    for offer, chosen in zip(offers, filled, strict=True):
        if chosen != NONE:
            declared.append(declare(offer.model, offer.is_free, chosen, actor))
    return declared


def declaration_shown(act: Declaration, path: Path) -> dict[str, Plain]:
    """Return what a screen draws of the action: its declared path, and its target."""
    shown: dict[str, Plain] = {}
    if len(path.points) > 1:
        shown |= {"route": [list(point[:2]) for point in path.points], "movers": [act.model.row]}
    place = AIMED.get(act.action, len(act.details))
    target = act.details[place] if place < len(act.details) else None
    if isinstance(target, int):
        shown["aims"] = [[act.model.row, target]]
    return shown


def offered(model: Model, free: bool, act: Declaration) -> list[str]:
    """Return the reactions that a model may declare to an action."""
    cost_of = {name: 0 if free else one.cost for name, one in book_of(model.position).items()}
    names = [n for n, one in book_of(model.position).items() if one.refusal(model) is None]
    names = [n for n in names if too_dear(model, cost_of[n]) is None]
    return [n for n in names if n != "mental-duel" or may_duel(model, act)]


def barred(model: Model, no_shot: Refusal | None) -> dict[Plain, Fault | Refusal | None]:
    """Return why a model may not declare each reaction; duels are barred for most models, and left out."""
    found: dict[Plain, Fault | Refusal | None] = {
        name: one.refusal(model) for name, one in book_of(model.position).items() if name != "mental-duel"
    }
    return found | {"reaction-fire": found["reaction-fire"] or no_shot}


@rule("mental-duel/eligibility")
def may_duel(model: Model, act: Declaration) -> bool:
    """Return whether a model may duel with an ability: psionic or magic; by the other ruling, only of its own kind."""
    art = ABILITIES[act.details[0]].art if act.action == "ability" else ""
    return bool(art) and (model.position.options.duels == "either" or model.profile.has(art))


def book_of(position: Position) -> dict[str, Action]:
    reactions: dict[str, Action] = position.ruleset.book.reactions
    return reactions


def reaction_fields(offers: Sequence[Offer], actor: Model, end: Point) -> Any:
    """Return the form's fields: for every model that may react, none or one of its reactions.

    ``end`` is where the actor will be.
    """

    def fields(filled: list[Any]) -> Question | None:
        if len(filled) == len(offers):
            return None
        model, free, names = offers[len(filled)]
        no_shot = first_refusal((too_few_shots,), model, filled)
        names = [name for name in names if no_shot is None or name != "reaction-fire"]
        about: dict[str, Plain] = {"model": model.row, "free": free, "left": points_left(model)}
        about["price"] = price_of_reaction(model, free, names)
        odds, closed = odds_of(model, actor, end), partial(barred, model, no_shot)
        return Choose(model.side, "reaction", [NONE, *names], "reaction", about=about, odds=odds, closed=closed)

    return fields


@rule("tactical/points-spent", "suppression/effect", "control-area/free-reaction")
def price_of_reaction(model: Model, free: bool, names: Sequence[str]) -> int:
    """Return the points that the dearest of these reactions would cost a model."""
    costs = [one.cost for name, one in book_of(model.position).items() if name in names]
    return 0 if free else doubled(model, max(costs, default=0))


def odds_of(model: Model, actor: Model, end: Point) -> dict[Plain, float]:
    """Return low odds for falling back off the table, and for charging an actor likely to be out of reach."""
    odds: dict[Plain, float] = {}
    if would_leave(model):
        odds["fall-back"] = SELDOM
    if dice_needed(model, end, actor.profile.base_radius) > LIKELY_DICE:
        odds["countercharge"] = SELDOM
    return odds


@rule("opt-ammo/spending")
def shots_allowed(model: Model) -> int:
    """Return how many shots may be declared together: as many as the ammunition left."""
    return model.position.holds(model.side, "ammunition") if model.position.options.ammunition else 1_000


@rule("opt-ammo/spending")
def too_few_shots(model: Model, filled: list[Any]) -> Fault | None:
    """Refuse one more shot if those declared already use up the ammunition."""
    left = shots_allowed(model) - sum(chosen == "reaction-fire" for chosen in filled)
    return Fault(measured=left, limit=1, model=model.row) if left < 1 else None


@rule("tactical/points-spent", "control-area/free-reaction")
def declare(model: Model, free: bool, name: str, actor: Model) -> Declaration:
    """Pay for a reaction; a free one costs nothing."""
    pay(model, 0 if free else book_of(model.position)[name].cost)
    from_hiding = bool(model.marks("hidden"))
    come_out_of_hiding(model)
    model.position.write("reaction", model=model.row, reaction=name, free=free, actor=actor.row)
    return Declaration(model, name, [actor], from_hiding)


@rule("tactical/resolution-order", "prone/reaction")
async def carry_out_first(declared: Sequence[Declaration]) -> None:
    """Carry out Go Prone before the action; duellists stand ready for it."""
    for reaction in declared:
        if reaction.action in BEFORE:
            await book_of(reaction.model.position)[reaction.action].carry_out(reaction)


@rule("tactical/resolution-order", "tactical/lost-reactions")
async def carry_out_last(declared: Sequence[Declaration]) -> None:
    """Carry out the other reactions, one by one in the order of the side that reacts.

    Those of models that the action has taken down are lost, and not put in order.
    """
    later = {r.model.row: r for r in declared if r.action not in BEFORE}
    for reaction in later.values():
        if not is_able(reaction.model):
            lose(reaction.model, reaction.action)
    rows = [row for row, reaction in later.items() if is_able(reaction.model)]
    if not rows:
        return
    for row in await order(later[rows[0]].model.side, "reaction-order", rows):
        reaction = later[row]
        if check_commanders(reaction.model.position):  # missions/assassination
            return
        if is_able(reaction.model):
            await book_of(reaction.model.position)[reaction.action].carry_out(reaction)
        else:
            lose(reaction.model, reaction.action)
