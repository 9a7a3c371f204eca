"""Numbers of attacks, hit rolls and wound rolls (attack/hit-roll, attack/wound-roll, weapon-abilities/*)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from campale.dice.needs import Need, Part
from campale.mechanics.dice import FACES
from campale.referee.ask import choose, reroll, roll_for
from campale.referee.chance import Rolled
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import Carried, effects_on
from campale.rulesets.w10.abilities.uses import is_left, use_up
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.attack.values import Attack, Hit, Shots, Wound, changes_to
from campale.rulesets.w10.basics.dice import rolled
from campale.rulesets.w10.basics.modifiers import Change, capped, modified
from campale.rulesets.w10.windows.reroll import die_of_attack, may_reroll, wanted

T = TypeVar("T")

CRITICAL = 6
CARRIED = (
    *("target", "parts", "covered", "toughness", "critical", "charged", "snap"),
    *("wounding", "again", "critical_hit", "changes", "succeeds"),
)
"""The fields that an attack copies from its declaration."""
NEVER = (1,)
KEEP, TREAT = "no", "treat"


def line_of(position: Position, shots: Shots) -> Line:
    owner = shots.row if shots.lender < 0 else shots.lender
    found: Line = position.profiles[owner].weapons[shots.weapon].lines[shots.line]
    return found


def told(position: Position, attack: Attack) -> dict[str, Plain]:
    """What the journal records with a roll: the attacking unit and its target."""
    return {"unit": position.unit_of[attack.by], "target": attack.target}


def grouped(things: Iterable[T], key: Callable[[T], Any]) -> list[tuple[Any, list[T]]]:
    """Group things by key, in the order in which each key first appears."""
    found: dict[Any, list[T]] = {}
    for one in things:
        found.setdefault(key(one), []).append(one)
    return list(found.items())


# ---------------------------------------------------------------- the number of attacks


@rule("shooting-phase/number-of-attacks", "weapon-abilities/rapid-fire", "weapon-abilities/blast", "c/attack-profile")
async def attacks_of(position: Position, shots: Sequence[Shots]) -> list[Attack]:
    """Roll the random numbers of attacks, one roll per weapon, then add the attacks of RAPID FIRE and BLAST."""
    found: list[Attack] = []
    for one in shots:
        line = given(line_of(position, one), one)
        if one.count >= 0:
            found += [attack_of(one, line)] * one.count
            continue
        printed = await number_rolled(position, one, line)
        more = (line.number("rapid-fire") if one.near else 0) + one.extra
        changes = (Change("weapon-abilities/rapid-fire", "add", more),) if more else ()
        if not line.has("extra-attacks"):
            changes = (*changes, *changes_to(one, "a"))
        found += [attack_of(one, line)] * modified("a", printed, changes)
    return found


@rule("stratagems/command-reroll", "shooting-phase/number-of-attacks")
async def number_rolled(position: Position, shots: Shots, line: Line) -> int:
    """A random number of attacks; Command Re-roll may roll it again."""
    unit, amount = position.model(shots.row).unit, line.attacks
    found = await rolled(unit.side, "attacks", amount, model=shots.row)
    owner = shots.row if shots.lender < 0 else shots.lender
    about: dict[str, Plain] = {"rolled": found, "model": owner, "weapon": shots.weapon, "target": shots.target}
    about["snap"] = shots.snap
    if found >= amount.most or not may_reroll(unit) or not await wanted(unit, "attacks", **about):
        return found
    return await rolled(unit.side, "command-reroll", amount, model=shots.row)


@rule("duplicate-abilities/core-ability", "c/attack-profile")
def given(line: Line, shots: Shots) -> Line:
    """The profile with the abilities that its attacks were given."""
    new = tuple(one for one in shots.granted if one not in line.abilities)
    return replace(line, abilities=(*line.abilities, *new)) if new else line


def attack_of(shots: Shots, line: Line) -> Attack:
    line = given(line, shots)
    near = shots.near and line.has("melta")
    return Attack(line=line, near=near, by=shots.row, **{name: getattr(shots, name) for name in CARRIED})


# ---------------------------------------------------------------- to hit


@rule("attack/hit-roll", "c/critical-hit", "modifiers/roll-cap", "stratagems/fire-overwatch")
def hit_need(attack: Attack) -> Need | None:
    """The skill with its modifiers, capped at 1 in total; a 6 always hits, a 1 never. None for an automatic hit."""
    if hits_by_itself(attack.line):
        return None
    if attack.snap:
        return Need(CRITICAL, always=(CRITICAL,), never=NEVER)
    always = tuple(range(attack.critical_hit, CRITICAL + 1))
    return Need(skill_of(attack), capped(attack.parts), always=always, never=NEVER)


@rule("modifiers/model-ws", "modifiers/model-bs", "modifiers/worsen-ws-bs-sv-ld")
def skill_of(attack: Attack) -> int:
    """WS or BS after all changes."""
    name = "ws" if attack.line.is_melee else "bs"
    return modified(name, attack.line.skill or CRITICAL, changes_to(attack, name))


@rule("weapon-abilities/torrent", "c/auto-hits", "auto-success/hit", "auto-success/no-roll")
def hits_by_itself(line: Line) -> bool:
    """A TORRENT weapon, or one without a skill, hits without a roll, so it scores no critical hits."""
    return line.skill is None or line.has("torrent")


@rule("attack/hit-roll", "attack/fast-dice")
async def hits_of(position: Position, attacks: Sequence[Attack]) -> list[Hit]:
    """Roll to hit; return the hits, attack by attack. Only dice that may be re-rolled alike are rolled together."""
    found: list[Hit] = []
    for (need, *_), several in grouped(attacks, lambda one: (hit_need(one), one.again, one.line)):
        if need is None:
            found += [Hit(attack) for attack in several]
            continue
        side = position.side_of[several[0].by]
        dice = await roll_for(side, "to-hit", several, need, **told(position, several[0]))
        dice = await by_ability(side, "hit", dice, several[0], told(position, several[0]))
        unit = position.model(several[0].by).unit
        dice = await treated(unit, several[0], await die_of_attack(unit, "to-hit", dice, better_hits(several[0])))
        for attack, face, is_hit in zip(several, dice.faces, dice.hits, strict=True):
            found += hits_by(attack, face) if is_hit else ()
    return found


@rule("c/treated-as-roll", "c/critical-hit")
async def treated(unit: Unit, attack: Attack, dice: Rolled) -> Rolled:
    """The dice, after the owner may have used an ability to treat one hit die as another face.

    That is the first failure; without any, the first plain hit where critical hits are worth more.
    """
    found = treating(unit)
    place = next(places_worse(attack, dice), None) if found else None
    if found is None or place is None:
        return dice
    one, face = found
    if await choose(unit.side, "treat-hit", [KEEP, TREAT], of="reroll", unit=unit.row, face=face) == KEEP:
        return dice
    use_up(unit.position, one)
    unit.position.write("ability", unit=unit.row, ability=one.ability.title.in_both)
    return dice.with_face(place, face)


@rule("c/treated-as-roll", "c/critical-hit")
def places_worse(attack: Attack, dice: Rolled) -> Iterator[int]:
    """The places of the dice that are worth less than a critical hit: failures first, then plain hits."""
    yield from (k for k, is_hit in enumerate(dice.hits) if not is_hit)
    yield from (k for k, face in enumerate(dice.faces) if face < better_hits(attack))


def treating(unit: Unit) -> tuple[Carried, int] | None:
    """The ability that can now treat a hit die of a unit as another face, and that face."""
    for one, effect in effects_on(unit):
        if effect.treat is not None and is_left(unit.position, one):
            return one, effect.treat[1]
    return None


@rule(
    "weapon-abilities/sustained-hits",
    "weapon-abilities/lethal-hits",
    "c/additional-hits",
    "f/auto-wounds",
    "core-concepts/unmodified",
)
def hits_by(attack: Attack, face: int) -> list[Hit]:
    """The hits of one die; a critical hit wounds by itself with LETHAL HITS, and SUSTAINED HITS adds plain hits."""
    if face < first_critical(attack):
        return [Hit(attack)]
    more = attack.line.number("sustained-hits")
    return [Hit(attack, attack.line.has("lethal-hits")), *([Hit(attack)] * more)]


def first_critical(attack: Attack) -> int:
    return CRITICAL if attack.snap else attack.critical_hit


@rule("weapon-abilities/sustained-hits", "weapon-abilities/lethal-hits")
def better_hits(attack: Attack) -> int:
    """The lowest face that is a critical hit, if those are worth more than other hits; otherwise 0."""
    is_better = attack.line.has("lethal-hits") or attack.line.has("sustained-hits")
    return first_critical(attack) if is_better else 0


# ---------------------------------------------------------------- to wound


@rule("attack/wound-roll")
def chart(strength: int, toughness: int) -> int:
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


@rule("attack/wound-roll", "f/critical-wound", "weapon-abilities/anti", "rule-priority/attacker")
def wound_need(attack: Attack) -> Need:
    """The number needed to wound; a critical roll always wounds, and ANTI lowers the face that is critical.

    A target that can be wounded only from some face on does not stop a critical roll: that is the attacker's rule.
    """
    parts = (*lance(attack), *attack.wounding)
    sure, least = attack.succeeds
    always = tuple(range(min(attack.critical, sure), CRITICAL + 1))
    strength = modified("s", attack.line.s, changes_to(attack, "s"))
    never = tuple(range(1, max(NEVER[-1] + 1, min(least, attack.critical))))
    return Need(chart(strength, attack.toughness), capped(parts), always=always, never=never)


@rule("weapon-abilities/lance")
def lance(attack: Attack) -> tuple[Part, ...]:
    """+1 to wound in a turn in which the bearer charged."""
    return (Part("weapon-abilities/lance", 1),) if attack.charged and attack.line.has("lance") else ()


@rule("attack/wound-roll", "attack/fast-dice", "auto-success/wound", "i/scores-a-wound")
async def wounds_of(position: Position, hits: Sequence[Hit]) -> list[Wound]:
    """Roll to wound; return the wounds, hit by hit."""
    found = [Wound(hit.attack) for hit in hits if hit.wounds]
    rolling = [hit.attack for hit in hits if not hit.wounds]
    for (need, *_), several in grouped(rolling, lambda one: (wound_need(one), one.again, one.line)):
        side, about = position.side_of[several[0].by], told(position, several[0])
        dice = await roll_for(side, "to-wound", several, need, **about)
        dice = await again(position, dice, several[0], about)
        dice = await by_ability(side, "wound", dice, several[0], about)
        unit = position.model(several[0].by).unit
        dice = await die_of_attack(unit, "to-wound", dice, better_wounds(several[0]))
        for attack, face, is_wound in zip(several, dice.faces, dice.hits, strict=True):
            if is_wound:
                found += wounds_by(attack, face)
    return found


@rule("modifiers/mortal-wounds-unmodified", "f/critical-wound", "f/wounds-target", "core-concepts/unmodified")
def wounds_by(attack: Attack, face: int) -> list[Wound]:
    """The wounds of one die; a critical wound may inflict mortal wounds in addition to the normal one."""
    found = [Wound(attack, is_devastating(attack, face))]
    extra = attack.line.number("critical-mortal") if face >= attack.critical else 0
    return [*found, Wound(attack, mortal=True, extra=extra)] if extra else found


@rule("weapon-abilities/devastating-wounds", "modifiers/mortal-wounds-unmodified")
def better_wounds(attack: Attack) -> int:
    """The lowest face that is a critical wound, if those are worth more than other wounds; otherwise 0."""
    is_better = attack.line.has("devastating-wounds") or attack.line.has("critical-mortal")
    return attack.critical if is_better else 0


@rule("re-rolls/specific-results", "re-rolls/before-modifiers", "re-rolls/once", "re-rolls/any-of-several")
async def by_ability(side: int, which: str, dice: Rolled, attack: Attack, about: dict[str, Plain]) -> Rolled:
    """Re-roll the dice that an ability allows: any, the failures, or the ones."""
    if f"{which}-any" in attack.again:
        return await any_again(side, which, dice, attack, about)
    if f"{which}-failed" in attack.again:
        return await reroll(side, f"{which}-again", dice, failing(dice), **about)
    return await reroll(side, f"{which}-again", dice, (1,), **about) if f"{which}-ones" in attack.again else dice


@rule("re-rolls/before-modifiers")
def failing(dice: Rolled) -> list[int]:
    """The faces that fail with and without modifiers: a failed roll is judged by its unmodified result."""
    need = dice.needed or Need(1)
    plain = replace(need, parts=())
    return [face for face in FACES if not need.is_met_by(face) and not plain.is_met_by(face)]


@rule("re-rolls/any-of-several", "re-rolls/before-modifiers")
async def any_again(side: int, which: str, dice: Rolled, attack: Attack, about: dict[str, Plain]) -> Rolled:
    """Re-roll the failures; if critical rolls are worth more, the owner may choose all dice that are not critical."""
    first = first_critical(attack) if which == "hit" else attack.critical
    chosen = "failures"
    if better_hits(attack) if which == "hit" else better_wounds(attack):
        chosen = await choose(side, f"re-roll-{which}s", ["failures", "not-critical"], **about)
    faces = "failures" if chosen == "failures" else range(1, first)
    return await reroll(side, f"{which}-again", dice, faces, **about)


@rule("weapon-abilities/twin-linked", "re-rolls/once", "re-rolls/before-modifiers")
async def again(position: Position, dice: Rolled, attack: Attack, about: dict[str, Plain]) -> Rolled:
    """TWIN-LINKED: re-roll failed wound rolls, or every roll short of critical where critical wounds are worth more."""
    if not attack.line.has("twin-linked"):
        return dice
    side, which = position.side_of[attack.by], "failures"
    if better_wounds(attack):
        which = await choose(side, "re-roll-wounds", ["failures", "not-critical"], **about)
    if which == "failures":
        return await reroll(side, "twin-linked", dice, "failures", **about)
    return await reroll(side, "twin-linked", dice, range(1, attack.critical), **about)


@rule("weapon-abilities/devastating-wounds", "f/critical-wound")
def is_devastating(attack: Attack, face: int) -> bool:
    """True if a critical wound with DEVASTATING WOUNDS becomes mortal wounds."""
    return face >= attack.critical and attack.line.has("devastating-wounds")
