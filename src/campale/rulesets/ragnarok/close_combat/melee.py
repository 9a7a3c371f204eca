"""The melee: its groups, the simultaneous blows of a round, winners, losers, consolidation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from campale.dice.needs import Need, Part
from campale.mechanics.units import NOBODY
from campale.referee.ask import ask, choose, confirm, order, roll, roll_for
from campale.referee.position import Model, Position
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.profile import Weapon, limited_melee_dice
from campale.rulesets.ragnarok.basics.dice import EVERY_FACE, Die, bent, d3, needed_on_one, richest, two_d6
from campale.rulesets.ragnarok.basics.measuring import distance, within
from campale.rulesets.ragnarok.basics.physical import fatigue_to_hit, is_able, is_prone, suffer
from campale.rulesets.ragnarok.basics.special import expert, is_immobile
from campale.rulesets.ragnarok.battle.missions import check_commanders
from campale.rulesets.ragnarok.close_combat.charge import COUNTERCHARGED, Onset, forget_charge, onsets
from campale.rulesets.ragnarok.close_combat.engagement import melees, opponents
from campale.rulesets.ragnarok.morale.bodyguard import redirected
from campale.rulesets.ragnarok.moving.movement import path_of, path_question, set_facing, walk_along
from campale.rulesets.ragnarok.shooting.saves import STOPPED, lose_shield, protection
from campale.rulesets.ragnarok.shooting.weapon_rules import has_fired_salvo


class Blow(NamedTuple):
    """The hits of a fighter: fighter and target (rows), the weapon (its id), and the natural faces that hit."""

    fighter: int
    target: int
    weapon: str
    faces: tuple[int, ...]


class Attack(msgspec.Struct):
    """What the modifiers depend on."""

    fighter: Model
    target: Model
    weapon: Weapon
    onsets: list[Onset]


# ---------------------------------------------------------------- melee/modifiers: to hit


@rule("charge/rear-bonus")
def rear_charge(attack: Attack) -> Part:
    """+1 against the model that the fighter charged in the rear, and no other."""
    came = any(o.charger == attack.fighter.row and o.target == attack.target.row and o.in_rear for o in attack.onsets)
    return Part("charge/rear-bonus", 1 if came else 0)


@rule("charge/sheltered-bonus")
def charged_in_shelter(attack: Attack) -> Part:
    """+1 for a sheltered model against the enemy that charged it."""
    came = any(
        o.charger == attack.target.row and o.target == attack.fighter.row and o.is_sheltered for o in attack.onsets
    )
    return Part("charge/sheltered-bonus", 1 if came else 0)


@rule("hide/bonus")
def out_of_hiding(attack: Attack) -> Part:
    return Part("hide/bonus", 1 if attack.fighter.marks("from-hiding") else 0)


@rule("weapon-rules/long")
def long_weapon(attack: Attack) -> Part:
    return Part("weapon-rules/long", 1 if meets_charge_with_long(attack) else 0)


@rule("weapon-rules/long", "vision/front-rear")
def meets_charge_with_long(attack: Attack) -> bool:
    """Return whether the long weapon is chosen, and an enemy has charged the model on its front."""
    on_front = any(o.target == attack.fighter.row and not o.in_rear for o in attack.onsets)
    return attack.weapon.has("long") and on_front


def expertise(attack: Attack) -> Part:
    return expert(attack.fighter, "martial_arts")


@rule("countercharge/basic", "melee/charge-modifiers-last")
def countercharging(attack: Attack) -> Part:
    return Part("countercharge/basic", -1 if attack.fighter.marks("charged") == COUNTERCHARGED else 0)


@rule("weapon-rules/unarmed")
def unarmed(attack: Attack) -> Part:
    return Part("weapon-rules/unarmed", -1 if attack.weapon.has("unarmed") else 0)


@rule("prone/melee-penalty")
def prone(attack: Attack) -> Part:
    return Part("prone/melee-penalty", -1 if is_prone(attack.fighter) else 0)


def fatigue(attack: Attack) -> Part:
    return fatigue_to_hit(attack.fighter)


TO_HIT_MODIFIERS = (
    rear_charge,
    charged_in_shelter,
    out_of_hiding,
    long_weapon,
    expertise,
    countercharging,
    unarmed,
    prone,
    fatigue,
)


@rule("melee/modifiers", "profile/hit-numbers")
def to_hit(attack: Attack) -> Need:
    parts = tuple(modifier(attack) for modifier in TO_HIT_MODIFIERS)
    return needed_on_one(attack.fighter.profile.melee_skill, parts)


# ---------------------------------------------------------------- melee/modifiers: number of dice


@rule("weapon-rules/hand-weapon")
def second_hand(attack: Attack) -> int:
    """Return 1 for a hand weapon combined with another or with a pistol, however many are carried."""
    if not attack.weapon.has("hand_weapon"):
        return 0
    others = [w for w in attack.fighter.profile.weapons if w is not attack.weapon]
    others += [w for w in attack.fighter.profile.weapons if w is attack.weapon][1:]
    return 1 if any(w.has("hand_weapon") or w.pistol for w in others) else 0


@rule("weapon-rules/long", "control-area/off-when-engaged")
def comrades(attack: Attack) -> int:
    """Return one die for each able friend with the same long weapon within SN x 2, even while engaged."""
    if not meets_charge_with_long(attack):
        return 0
    fighter, reach = attack.fighter, attack.fighter.profile.senses * 2
    friends = [m for m in fighter.position.on_table(fighter.side) if m is not fighter and is_able(m)]
    armed = [m for m in friends if m.profile.carries(attack.weapon.id)]
    return sum(within(distance(fighter, m), reach) for m in armed)


@rule("abilities/furious-charge")
def fury(attack: Attack) -> int:
    return 1 if attack.fighter.position.effects_on(attack.fighter, "abilities/furious-charge") else 0


@rule("charge/attack-bonus", "melee/charge-modifiers-last")
async def charge_dice(fighter: Model) -> int:
    """Return D3 bonus dice, rolled when the charger first fights, and kept for the whole melee."""
    if not fighter.marks("charged"):
        return 0
    if not fighter.marks("charge-d3"):
        rolled = await d3(fighter.position, fighter.side, "charge-bonus", model=fighter.row)
        fighter.mark("charge-d3", rolled + 1, quietly=True)
    return fighter.marks("charge-d3") - 1


DICE_MODIFIERS = (second_hand, comrades, fury)


@rule("melee/attack", "profile/limits")
async def number_of_dice(attack: Attack) -> int:
    bonus = await charge_dice(attack.fighter)
    return limited_melee_dice(attack.fighter.profile.attacks + bonus + sum(more(attack) for more in DICE_MODIFIERS))


# ---------------------------------------------------------------- melee/attack


@rule("melee/attack")
async def strike(fighter: Model, enemies: Sequence[Model]) -> list[tuple[int, str]]:
    """Roll the blow, then its saves hit by hit; return the unsaved hits as (row that takes it, wound or lethal)."""
    dealt = await blow(fighter, enemies)
    found = [await save(fighter.position, dealt, face) for face in dealt.faces]
    return [one for one in found if one[1] != STOPPED]


@rule("melee/attack")
async def blow(fighter: Model, enemies: Sequence[Model]) -> Blow:
    """Choose weapon and target, then roll the dice."""
    attack = await chosen_attack(fighter, enemies)
    return Blow(fighter.row, attack.target.row, attack.weapon.id, tuple(await faces_that_hit(attack)))


@rule("melee/attack", "fire/saves", "weapon-rules/shield-puller")
async def save(position: Position, blow: Blow, face: int) -> tuple[int, str]:
    """Return the model that takes a hit (a bodyguard may take one of them), and the result of its saves."""
    arms = position.model(blow.fighter).profile.melee_weapons
    weapon = next(one for one in arms if one.id == blow.weapon)
    taker = await redirected(position.model(blow.target))
    if weapon.has("shield_puller"):
        lose_shield(taker)
    return taker.row, await protection(taker, face, weapon.value("piercing"), weapon.has("magic"))


async def chosen_attack(fighter: Model, enemies: Sequence[Model]) -> Attack:
    weapons = {weapon.id: weapon for weapon in fighter.profile.melee_weapons}
    ways = ways_to_fight(fighter)
    weapon = weapons[await choose(fighter.side, "melee-weapon", ways, of="weapon-id", model=fighter.row)]
    rows = [enemy.row for enemy in enemies]
    target = fighter.position.model(await choose(fighter.side, "melee-target", rows, of="model", model=fighter.row))
    fighter.mark("parries", int(weapon.has("parry") or parries_beside(fighter, weapon)), quietly=True)
    return Attack(fighter, target, weapon, onsets(fighter.position))


async def faces_that_hit(attack: Attack) -> list[int]:
    """Return the natural faces of the dice that hit; they may break the target's shield."""
    dice = await melee_dice(attack)
    break_shield(attack, dice)
    return [die.face for die in dice if die.passed]


@rule("weapon-rules/unarmed")
def armed_with(fighter: Model) -> list[str]:
    """Return the fighter's melee weapons; bare hands only if it has none."""
    ids = list(dict.fromkeys(weapon.id for weapon in fighter.profile.melee_weapons))
    return [one for one in ids if one != "bare_hands"] or ids


@rule("weapon-rules/parry")
def ways_to_fight(fighter: Model) -> list[str]:
    """Return the weapons to choose from; a fighter that parried in this round must use what it parried with."""
    ids = armed_with(fighter)
    if not fighter.marks("parried"):
        return ids
    parrying = [w.id for w in fighter.profile.melee_weapons if w.has("parry") or parries_beside(fighter, w)]
    return [one for one in ids if one in parrying]


@rule("weapon-rules/parry")
def parries_beside(fighter: Model, chosen: Weapon) -> bool:
    """Return whether a parrying hand weapon is combined with the chosen hand weapon."""
    beside = (w for w in fighter.profile.weapons if w is not chosen and w.has("parry"))
    return chosen.has("hand_weapon") and any(w.has("hand_weapon") for w in beside)


@rule("melee/attack", "weapon-rules/magic-melee", "dice/order")
async def melee_dice(attack: Attack) -> list[Die]:
    """Roll all dice to hit, then the re-rolls of a magic weapon, then apply the target's parry."""
    count = await number_of_dice(attack)
    need = to_hit(attack)
    fighter, position = attack.fighter, attack.fighter.position
    tells = EVERY_FACE if richest(position) is not None else telling_blows(attack, need)
    about: dict[str, Plain] = {"fighter": fighter.row, "target": attack.target.row, "weapon": attack.weapon.id}
    rolled = await roll_for(fighter.side, "melee-to-hit", [None] * count, needed=need, tells=tells, **about)
    if attack.weapon.has("magic"):
        for place in [k for k, hit in enumerate(rolled.hits) if not hit]:
            again = await roll(fighter.side, "melee-to-hit", needed=need, again=True, **about)
            rolled = rolled.with_face(place, again.faces[0])
    return await parried(attack, need, await bent(position, rolled, need, fighter.side))


def telling_blows(attack: Attack, need: Need) -> tuple[tuple[int, ...], ...]:
    """Return the groups of faces with the same result: hit or miss, a 6, a broken shield, a parry."""
    breaks, may_be_parried = attack.weapon.has("shield_breaker"), has_parry(attack.target)
    groups: dict[tuple[bool, ...], list[int]] = {}
    for face in range(1, 7):
        lower = (need.is_met_by(face - 1), face == 6) if may_be_parried else ()
        groups.setdefault((need.is_met_by(face), face == 6, breaks and face >= 5, *lower), []).append(face)
    return tuple(tuple(group) for group in groups.values())


@rule("weapon-rules/parry", "lethal/condition")
async def parried(attack: Attack, need: Need, dice: list[Die]) -> list[Die]:
    """Let the target take 1 off one die, which then counts as that face; a 1 stays 1."""
    target = attack.target
    places = [k for k, die in enumerate(dice) if die.face > 1 and (die.passed or die.face == 6)]
    if not has_parry(target) or not places or not is_able(target):
        return dice
    faces = [die.face for die in dice]
    chosen = await choose(target.side, "parry", ["no", *places], of="die", model=target.row, faces=faces)
    if chosen == "no":
        return dice
    target.mark("parried", 1, quietly=True)
    lower = dice[chosen].face - 1
    return [Die(lower, need.is_met_by(lower)) if k == chosen else die for k, die in enumerate(dice)]


@rule("weapon-rules/parry")
def has_parry(model: Model) -> bool:
    """Return whether a weapon chosen in this round, or the one combined with it, parries.

    Before the choice, any melee weapon that parries counts.
    """
    choice = model.marks("parries")
    return bool(choice) if model.marks("has-struck") else any(w.has("parry") for w in model.profile.melee_weapons)


@rule("weapon-rules/shield-breaker")
def break_shield(attack: Attack, dice: Sequence[Die]) -> None:
    """Break a shield on a natural 5 or 6 that hits, even a single one, before the saves of the same attack."""
    if attack.weapon.has("shield_breaker") and any(die.passed and die.face >= 5 for die in dice):
        lose_shield(attack.target)


# ---------------------------------------------------------------- a round


@rule("melee/simultaneous", "dice/order")
async def fight_round(position: Position, group: Sequence[int]) -> tuple[int, int]:
    """Let every able fighter strike in the active player's order, apply all wounds at once, and return them by side."""
    dealt: list[Dealt] = []
    for row in await strikers(position, group):
        fighter = position.model(row)
        dealt.append((row, await strike(fighter, opponents_in(position, row, group))))
        fighter.mark("has-struck", 1, quietly=True)
    fall(position, dealt)
    return wounds_dealt(position, dealt)


Dealt = tuple[int, Sequence[tuple[int, str]]]
"""The row of a fighter, and its unsaved hits: the row that takes each, and its kind."""


async def strikers(position: Position, group: Sequence[int]) -> list[int]:
    """Return the models that strike in this round, in the active player's order."""
    fighters = [row for row in group if is_able(position.model(row)) and opponents_in(position, row, group)]
    for row in fighters:
        for mark in ("has-struck", "parried"):
            position.model(row).mark(mark, 0, quietly=True)
    return await order(int(position.now["side"]), "strike-order", fighters)


@rule("melee/simultaneous")
def fall(position: Position, dealt: Sequence[Dealt]) -> None:
    for row, wounds in dealt:
        for taker, wound in wounds:
            suffer(position.model(taker), (wound,), row, "melee")


@rule("melee/wound-count")
def wounds_dealt(position: Position, dealt: Sequence[Dealt]) -> tuple[int, int]:
    """Return the wounds dealt by each side."""
    counts = [sum(len(w) for row, w in dealt if position.side_of[row] == side) for side in (0, 1)]
    return counts[0], counts[1]


def opponents_in(position: Position, row: int, group: Sequence[int]) -> list[Model]:
    return [enemy for enemy in opponents(position.model(row)) if enemy.row in group]


# ---------------------------------------------------------------- the melee


@rule("melee-phase/all-fight")
async def melee_phase(position: Position) -> bool:
    """Fight one melee, chosen by the active player; return False when none is left."""
    found = melees(position)
    if not found:
        return False
    keys = [list(group) for group in found]
    chosen = await choose(int(position.now["side"]), "which-melee", [tuple(key) for key in keys], of="group")
    await fight(position, tuple(chosen))
    return True


@rule("melee/tie", "melee/winner", "melee/multiple-sum")
async def fight(position: Position, group: tuple[int, ...]) -> None:
    """Fight rounds until one side has won, or no fighters are left."""
    join(position, group)
    extra = shots_at_chargers(position, group)
    while True:
        wounds = await fight_round(position, group)
        outcome = winner(position, group, (wounds[0] + extra[0], wounds[1] + extra[1]))
        extra = (0, 0)
        if is_over(position, group, outcome):
            break
    if outcome in (0, 1):
        await win(position, group, int(outcome))
    end_melee(position, group)


@rule("melee/groups")
def join(position: Position, group: tuple[int, ...]) -> None:
    """Tell who fights in this melee."""
    position.write("melee", models=list(group))


@rule("melee/tie")
def is_over(position: Position, group: Sequence[int], outcome: int | None) -> bool:
    """Return whether no round follows one with this outcome."""
    return outcome is not None or not still_touching(position, group) or check_commanders(position)


@rule("reaction-fire/against-charge", "melee/wound-count")
def shots_at_chargers(position: Position, group: Sequence[int]) -> tuple[int, int]:
    """Return the wounds of reaction fire at the chargers of this melee, by the side that dealt them."""
    shots = [(position.side_of[row], position.model(row).marks("shot-in-charge")) for row in group]
    return sum(n for side, n in shots if side == 1), sum(n for side, n in shots if side == 0)


@rule("melee/winner", "melee/all-down")
def winner(position: Position, group: Sequence[int], wounds: tuple[int, int]) -> int | None:
    """Return the side that has won; NOBODY if all are down; None for a tie."""
    able = [any(is_able(position.model(row)) for row in group if position.side_of[row] == side) for side in (0, 1)]
    if not any(able):
        return NOBODY
    if not all(able):
        return 0 if able[0] else 1
    if wounds[0] == wounds[1]:
        return None
    return 0 if wounds[0] > wounds[1] else 1


@rule("melee/tie")
def still_touching(position: Position, group: Sequence[int]) -> bool:
    return any(opponents_in(position, row, group) for row in group if is_able(position.model(row)))


@rule("melee/winner", "melee/multiple-sum")
def tell_winner(position: Position, side: int) -> None:
    position.write("melee-won", side=side)


@rule("melee/losers-removed", "melee/multiple-sum", "missions/assassination")
async def win(position: Position, group: Sequence[int], side: int) -> None:
    """Remove every model of the losing side in the group; unless that ends the battle, the victors may consolidate."""
    tell_winner(position, side)
    victors = [row for row in group if position.side_of[row] == side and is_able(position.model(row))]
    for row in group:
        model = position.model(row)
        if model.side != side and model.is_on_table:
            position.remove(model, "lost-melee", through=victors)
    if check_commanders(position):
        return
    for row in await order(side, "consolidation-order", victors):
        await consolidate(position.model(row))


@rule("melee/consolidation", "prone/after-melee", "special/immobile", "weapon-rules/salvo")
async def consolidate(model: Model) -> None:
    """Move up to 2D6 cm in any direction, if the owner wants; a model that was prone is prone again afterwards.

    An Immobile model, or one that shot a Salvo in this turn, only turns.
    """
    if is_immobile(model) or has_fired_salvo(model):
        await set_facing(model)
        return
    if not await confirm(model.side, "consolidate", model=model.row):
        return
    reach = await two_d6(model.position, model.side, "consolidation", model=model.row)
    path = path_of(model, await ask(path_question(model, "consolidation-path", float(reach), is_rolled=True)))
    walk_along(model, path)
    await set_facing(model, path.facing)


@rule("melee/charge-modifiers-last")
def end_melee(position: Position, group: Sequence[int]) -> None:
    """Clear the marks of charges and of this melee."""
    for row in group:
        model = position.model(row)
        forget_charge(model)
        for mark in ("charge-d3", "parries", "parried", "has-struck"):
            model.mark(mark, 0, quietly=True)
