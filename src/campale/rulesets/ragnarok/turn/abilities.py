"""Abilities: the action, the test, the duels, and the effect of each ability."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple

from campale.dice.needs import Part
from campale.referee.ask import choose, order
from campale.referee.position import GONE, RESERVE, Effect, Model
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.arsenal import army_list
from campale.rulesets.ragnarok.armies.profile import ModelType
from campale.rulesets.ragnarok.basics.dice import contest, d3, d6, two_d6
from campale.rulesets.ragnarok.basics.measuring import distance, distance_to_place, gap_between, less_than, within
from campale.rulesets.ragnarok.basics.night import spots
from campale.rulesets.ragnarok.basics.physical import is_able, is_out_of_action, suffer
from campale.rulesets.ragnarok.basics.sight import covering_friend, sees
from campale.rulesets.ragnarok.basics.special import expert
from campale.rulesets.ragnarok.bots.posts import Area
from campale.rulesets.ragnarok.morale.bodyguard import redirected
from campale.rulesets.ragnarok.morale.psychology import ability_test
from campale.rulesets.ragnarok.moving.placing import overlaps_something, set_down
from campale.rulesets.ragnarok.shooting.fire import past_the_screen
from campale.rulesets.ragnarok.shooting.saves import AUTOMATIC, STOPPED, protection
from campale.rulesets.ragnarok.turn.declaring import Declaration, too_dear
from campale.table.shapes import Point

TABLE_OF_SUMMONING: dict[int, ModelType | None] = {
    1: None,
    2: "infantry",
    3: "infantry",
    4: "infantry",
    5: "infantry",
    6: "heavy_infantry",
}


class Ability(NamedTuple):
    """An ability.

    ``targets`` returns the models it may name (None: it names none), ``spared`` those of the same side that it may
    not, with the reasons; ``art`` is its special rule, if any.
    """

    name: str
    cost: int
    effect: Callable[[Model, Model | None], Awaitable[None]]
    targets: Callable[[Model], list[Model]] | None = None
    art: str = ""
    spared: Callable[[Model], dict[Plain, Fault | Refusal | None]] = lambda _user: {}


@rule("abilities/general")
def reach(user: Model) -> int:
    return int(user.profile.senses) * 10


@rule("abilities/general")
def friends_within(user: Model) -> list[Model]:
    """Return friends within the distance now, the user included; the effect stays with them if they move away."""
    friends = user.position.on_table(user.side)
    return [m for m in friends if within(distance(user, m), reach(user))]


# ---------------------------------------------------------------- abilities/rallying-call


@rule("abilities/rallying-call")
def is_not_suppressed(user: Model, friend: Model) -> Fault | None:
    return None if friend.marks("suppressed") else Fault(model=friend.row, word="not-suppressed")


@rule("abilities/rallying-call")
def is_out_of_call(user: Model, friend: Model) -> Fault | None:
    """Refuse a model beyond SN x 10 cm."""
    away = distance(user, friend)
    return None if within(away, reach(user)) else Fault(friend.at, away, reach(user), friend.row)


RALLYING_RESTRICTIONS = (is_not_suppressed, is_out_of_call)


@rule("abilities/rallying-call")
def suppressed_friends(user: Model) -> list[Model]:
    friends = user.position.on_table(user.side)
    return [m for m in friends if first_refusal(RALLYING_RESTRICTIONS, user, m) is None]


def spared_a_call(user: Model) -> dict[Plain, Fault | Refusal | None]:
    return {m.row: first_refusal(RALLYING_RESTRICTIONS, user, m) for m in user.position.on_table(user.side)}


@rule("abilities/rallying-call")
async def rallying_call(user: Model, target: Model | None) -> None:
    del user
    if target is not None:
        target.mark("suppressed", 0)


# ---------------------------------------------------------------- abilities/furious-charge, abilities/supersteam


@rule("abilities/furious-charge")
async def furious_charge(user: Model, target: Model | None) -> None:
    """Grant +1 AT and a second try at the charge distance until the end of the turn; it is not cumulative."""
    del target
    for friend in friends_within(user):
        if not user.position.effects_on(friend, "abilities/furious-charge"):
            user.position.begin(Effect("abilities/furious-charge", friend.row, user.row, "turn"))


@rule("abilities/supersteam")
async def supersteam(user: Model, target: Model | None) -> None:
    """Grant Steam without its danger, and 2D6 cm more range, rolled once for all, until the end of the turn."""
    del target
    longer = await two_d6(user.position, user.side, "supersteam", model=user.row)
    for friend in friends_within(user):
        user.position.begin(Effect("abilities/supersteam", friend.row, user.row, "turn", longer))


# ---------------------------------------------------------------- abilities/spear-of-odin


@rule("abilities/spear-of-odin")
def is_out_of_the_spears_range(user: Model, target: Model) -> Fault | None:
    """Refuse a target beyond SN x 10 cm."""
    away = distance(user, target)
    return None if within(away, reach(user)) else Fault(target.at, away, reach(user), target.row)


@rule("abilities/spear-of-odin", "vision/geometry")
def is_unseen(user: Model, target: Model) -> Fault | None:
    return None if sees(user, target) else Fault(target.at, model=target.row, word="out-of-sight")


@rule("overlap/friend-covers", "abilities/spear-of-odin")
def is_behind_a_friend(user: Model, target: Model) -> Fault | None:
    friend = covering_friend(user, target)
    return None if friend is None else Fault(friend.at, model=friend.row)


SPEAR_RESTRICTIONS = (is_out_of_the_spears_range, is_unseen, is_behind_a_friend)


@rule("abilities/spear-of-odin")
def spear_targets(user: Model) -> list[Model]:
    """Return the enemies in view within SN x 10 cm, with no friend in the way."""
    enemies = user.position.on_table(1 - user.side)
    found = [m for m in enemies if first_refusal(SPEAR_RESTRICTIONS, user, m) is None]
    return sorted(found, key=lambda one: not is_able(one))


def spared_a_spear(user: Model) -> dict[Plain, Fault | Refusal | None]:
    return {m.row: first_refusal(SPEAR_RESTRICTIONS, user, m) for m in user.position.on_table(1 - user.side)}


@rule("abilities/spear-of-odin", "overlap/enemy-covers")
async def spear_of_odin(user: Model, target: Model | None) -> None:
    """Cause D3 automatic hits, each with its protection rolls; never lethal, and without a morale marker."""
    if target is None:
        return
    struck, _ = await past_the_screen(user, target)
    wounds = []
    for _ in range(await d3(user.position, user.side, "spear", model=user.row, target=struck.row)):
        taker = await redirected(struck)
        wounds.append((taker, await protection(taker, AUTOMATIC, magic=True, lethal=False)))
    for taker, wound in wounds:
        if wound != STOPPED:
            suffer(taker, (wound,), user.row, "spear-of-odin")


# ---------------------------------------------------------------- abilities/summoning


@rule("abilities/summoning")
async def summoning(user: Model, target: Model | None) -> None:
    """Read a D6 on a table: nothing, Infantry, or Heavy Infantry of the mage's own list."""
    del target
    die = await d6(user.position, user.side, "summoning", model=user.row)
    wanted = TABLE_OF_SUMMONING[min(6, max(1, die))]
    if wanted is not None:
        await summon(user, wanted)


@rule("abilities/summoning", "models/factions")
async def summon(user: Model, wanted: ModelType) -> None:
    """Summon any profile of that type, with its basic gear; it has its full charisma and may act this turn."""
    profiles = {profile.id: profile for profile in army_list(user.profile.faction).of_type(wanted)}
    chosen = profiles[await choose(user.side, "summon", list(profiles), of="profile", model=user.row)]
    position = user.position
    unit = position.add_unit(chosen.title["en"], user.side)
    model = position.add_model(f"{chosen.title['en']} (summoned)", chosen, user.side, unit, RESERVE)
    model.jot("name_it", f"{chosen.title['it']} (evocato)")
    model.mark("summoned", 1, quietly=True)
    model.mark("charisma", chosen.charisma, quietly=True)
    restrictions = (partial(is_too_far, user), overlaps_something, stands_too_near)
    bound = (user.at,), reach(user) + user.profile.base_radius
    if await set_down(model, "summon-at", around(user), restrictions, user.facing, (bound,)):
        position.write("summoned", model=model.row, by=user.row)
    else:
        position.take_off(model, GONE)


def around(user: Model) -> Area:
    ground, far = user.position.ground, reach(user) + 3.0
    return (
        max(0.0, user.x - far),
        max(0.0, user.y - far),
        min(ground.width, user.x + far),
        min(ground.depth, user.y + far),
    )


@rule("abilities/summoning")
def is_too_far(user: Model, model: Model, at: Point) -> Fault | None:
    """Refuse a place beyond SN x 10 cm of the summoner."""
    away = distance_to_place(user, at, model.profile.base_radius)
    return None if within(away, reach(user)) else Fault(at, away, reach(user), model.row)


@rule("abilities/summoning", "move/one-cm")
def stands_too_near(model: Model, at: Point) -> Fault | None:
    """Refuse a place within 1 cm of enemies."""
    for enemy in model.position.on_table(1 - model.side):
        away = gap_between(at, model.profile.base_radius, enemy.at, enemy.profile.base_radius)
        if less_than(away, 1.0) and not is_out_of_action(enemy):
            return Fault(at, away, 1.0, enemy.row)
    return None


ABILITIES = {
    one.name: one
    for one in (
        Ability("rallying_call", 1, rallying_call, suppressed_friends, spared=spared_a_call),
        Ability("furious_charge", 1, furious_charge),
        Ability("supersteam", 1, supersteam),
        Ability("spear_of_odin", 1, spear_of_odin, spear_targets, "mage", spared_a_spear),
        Ability("summoning", 2, summoning, None, "mage"),
    )
}

# ---------------------------------------------------------------- ability-action/*


@rule("ability-action/cost", "tactical/charisma-limit")
def cannot_use(model: Model, name: str) -> Fault | None:
    """Refuse an ability of another art, one that is too dear, or one without a target."""
    ability = ABILITIES[name]
    if is_closed_to(model, ability):
        return Fault(model=model.row, rule="special/psionic-mage")
    if ability.targets is not None and not ability.targets(model):
        return Fault(model=model.row)
    return too_dear(model, ability.cost)


@rule("special/psionic-mage")
def is_closed_to(model: Model, ability: Ability) -> bool:
    """Return whether the ability belongs to an art the model lacks: magic is for Mages, psionics for Psionics."""
    return ability.art != "" and not model.profile.has(ability.art)


def usable(model: Model) -> list[str]:
    return [name for name in model.profile.abilities if cannot_use(model, name) is None]


@rule("ability-action/cost")
def ability_fields(model: Model, filled: list[Any]) -> Question | None:
    """Ask for the ability, and for the target that it names."""
    if not filled:
        names = list(model.profile.abilities)
        return Choose(model.side, "ability", names, "ability", lambda name: first_refusal((cannot_use,), model, name))
    ability = ABILITIES[filled[0]]
    if len(filled) > 1 or ability.targets is None:
        return None
    rows, closed = [m.row for m in ability.targets(model)], partial(ability.spared, model)
    return Choose(model.side, "ability-target", rows, "model", closed=closed)


@rule("ability-action/cost", "mental-duel/timing", "dice/order")
async def use_ability(act: Declaration) -> None:
    """Carry out an ability: spotting at night, the test, the duels, then the effect."""
    user = act.model
    ability = ABILITIES[act.details[0]]
    target = user.position.model(act.details[1]) if len(act.details) > 1 else None
    if ability.name == "spear_of_odin" and target is not None and not await spots(user, target):
        return
    concentration = concentrated(act)
    if not await ability_test(user, concentration):
        return
    if ability.art and await is_blocked(user, act, concentration):
        return
    user.position.write("ability", model=user.row, ability=ability.name)
    await ability.effect(user, target)


@rule("concentrate/bonus")
def concentrated(act: Declaration) -> Part:
    return Part("concentrate/bonus", 1 if act.is_concentrated else 0)


# ---------------------------------------------------------------- mental-duel/*


@rule("mental-duel/resolution", "mental-duel/timing")
async def is_blocked(caster: Model, act: Declaration, concentration: Part) -> bool:
    """Let the duellists, one after the other in their owner's order, try to block; return whether one does."""
    rows = [reactor.row for reactor, name in act.reactors if name == "mental-duel" and is_able(reactor)]
    if not rows:
        return False
    for row in await order(1 - caster.side, "duel-order", rows):
        if not await wins_duel(caster, caster.position.model(row), concentration):
            caster.position.write("blocked", model=caster.row, by=row)
            return True
    return False


@rule("mental-duel/resolution", "special/expert")
async def wins_duel(caster: Model, duellist: Model, concentration: Part) -> bool:
    """Return whether the caster wins a roll-off with the printed CAR of both; it must be higher, and a tie loses."""
    mine = duelling(caster) + int(concentration.value)
    theirs = duelling(duellist)
    bonuses = (mine, theirs) if caster.side == 0 else (theirs, mine)
    return await contest(caster.position, "mental-duel", caster.side, bonuses) > 0


@rule("mental-duel/resolution", "special/psionic-mage")
def duelling(model: Model) -> int:
    talisman = 1 if model.profile.carries("rune_talisman") else 0
    return int(model.profile.charisma + expert(model, "mind").value + talisman)
