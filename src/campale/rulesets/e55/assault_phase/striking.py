"""Blows (3.3.2): the weapon a model strikes with, how often, when, and how well, and the profile of its hits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from campale.dice.needs import Need
from campale.referee.chance import Rolled
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Line, Weapon
from campale.rulesets.e55.assault_phase.rear import came_from_behind
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.dice import needed, pool_for, second_rolls
from campale.rulesets.e55.definitions.measuring import are_in_contact, rounded_down
from campale.rulesets.e55.definitions.types import is_monster, is_vehicle, is_walker
from campale.rulesets.e55.definitions.units import CHARGED, CHARGED_ROUGH, CHARGED_WHOM, INCHES, handles, members
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.psychic_powers.powers import lines_of
from campale.rulesets.e55.unit_types import special
from campale.rulesets.e55.vehicles.damage import armour, silenced_mounts
from campale.rulesets.e55.weapons import weapon_rules
from campale.table.hulls import sectors_of
from campale.table.measure import nearest_point

BARE = -1
BLOWS, SHOT = "blows", "shot"
MOST_SKILL_OF_VEHICLES = 10
BEST_AP_NEEDED = 2
SLOWEST = 1


class Arm(NamedTuple):
    """What a model attacks with: the number of its weapon (BARE: none), used for blows or for a pistol's shot."""

    mount: int
    manner: str


# ---------------------------------------------------------------- weapons


@rule("3.3.2/unarmed", "9.2/normal-weapon")
def bare_hands() -> Line:
    """The user's strength and no AP; also for a sword, a knife, a rifle butt, or a pistol used as a club."""
    return Line("melee", 0.0, 1, True, None)


@rule("9.1.1/pistol", "9.2/normal-weapon")
def as_club(weapon: Weapon) -> Line | None:
    """Return a pistol's close combat profile, None for any other weapon."""
    return bare_hands() if weapon.is_pistol else None


def melee_line(model: Model, weapon: Weapon) -> Line | None:
    """Return a weapon's current close combat profile; None if it is not a close combat weapon."""
    return next((line for line in lines_of(model, weapon) if line.reach == "melee"), None) or as_club(weapon)


@rule("7.6/weapon-destroyed")
def weapons_of(model: Model) -> list[tuple[int, Weapon]]:
    """Return a model's weapons that still work, each with its number."""
    gone = silenced_mounts(model) if is_vehicle(model) else ()
    return [(number, weapon) for number, weapon in enumerate(model.profile.weapons) if number not in gone]


def line_of(model: Model, arm: Arm) -> Line:
    if arm.mount not in dict(weapons_of(model)):
        return bare_hands()
    weapon: Weapon = model.profile.weapons[arm.mount]
    if arm.manner == SHOT:
        return next(line for line in weapon.lines if line.has("pistol"))
    return melee_line(model, weapon) or bare_hands()


@rule("3.3.2/one-melee-weapon")
def arms(model: Model) -> list[Arm]:
    """Return the weapons of which one has to be chosen; of several that strike alike, the first."""
    found: dict[Any, Arm] = {}
    for number, weapon in weapons_of(model):
        line = melee_line(model, weapon)
        if line is not None:
            signs = tuple(one for one in line.rules if one.name != "two-handed")
            found.setdefault((line.strength, line.of_user, line.ap, signs), Arm(number, BLOWS))
    return [*(found.values() or [Arm(BARE, BLOWS)]), *pistol_shots(model)]


@rule("9.1.1/pistol-in-melee")
def pistol_shots(model: Model) -> list[Arm]:
    """Return one arm for each kind of pistol: a single shot instead of all the attacks."""
    first: dict[Any, Arm] = {}
    for number, weapon in weapons_of(model):
        if weapon.is_pistol:
            first.setdefault(weapon, Arm(number, SHOT))
    return list(first.values())


@rule("9.2.1/two-handed")
def is_one_handed(model: Model, weapon: Weapon) -> bool:
    line = melee_line(model, weapon)
    return line is not None and not line.has("two-handed")


# ---------------------------------------------------------------- how many attacks


@rule("3.3.2/two-weapons")
def for_two_weapons(model: Model) -> int:
    """Return 1 for two or more one-handed weapons, whichever the model strikes with."""
    return 1 if sum(is_one_handed(model, weapon) for _, weapon in weapons_of(model)) > 1 else 0


@rule("3.3.2/charge-attack-bonus")
def for_charging(model: Model) -> int:
    return 1 if has_charged(model) and not is_robbed(model.unit) else 0


@rule("8/crushing-charge")
def for_crushing_charge(model: Model) -> int:
    return 1 if crushes(model) and not is_robbed(model.unit) else 0


def has_charged(model: Model) -> bool:
    """Return whether the model's unit charged in this turn, whether the model is in contact or not."""
    return bool(model.unit.marks(CHARGED))


def crushes(model: Model) -> bool:
    return has_charged(model) and special.has(model, "crushing-charge")


@rule("3.3.2/defensive-grenades", "3.3.2/rear-charge-effect")
def is_robbed(charger: Unit) -> bool:
    """Return whether grenades of a charged unit cancel attacks for charging.

    They do not if the charger came from behind that unit.
    """
    charged = handles(charger.position, charger.note(CHARGED_WHOM) or ())
    return any(has_grenades(unit) and not came_from_behind(unit, charger) for unit in charged)


def has_grenades(unit: Unit) -> bool:
    return any("defensive-grenades" in model.profile.equipment for model in members(unit))


@rule("3.3.2/attack-count")
def attack_count(model: Model, arm: Arm) -> int:
    """Return the number of attacks: as many as the model can make."""
    if arm.manner == SHOT:
        return 1
    own = characteristics.value(model, "a")
    bonuses = for_two_weapons(model) + for_charging(model) + for_crushing_charge(model)
    return max(0, own + bonuses)


# ---------------------------------------------------------------- initiative


@rule("3.3.2/initiative-order")
def initiative(model: Model, arm: Arm) -> int:
    if is_hampered(model) or is_slow(model, arm):
        return min(SLOWEST, characteristics.value(model, "i"))
    return characteristics.value(model, "i")


@rule("9.2.1/slow")
def is_slow(model: Model, arm: Arm) -> bool:
    return arm.manner == BLOWS and line_of(model, arm).has("slow")


@rule("3.3.2/difficult-charge", "6.2/bike-assault-terrain")
def is_hampered(model: Model) -> bool:
    """Return whether the model's unit charged over difficult ground and it has no assault grenades."""
    return bool(model.unit.marks(CHARGED_ROUGH)) and not has_assault_grenades(model)


@rule("3.3.2/assault-grenades")
def has_assault_grenades(model: Model) -> bool:
    return "assault-grenades" in model.profile.equipment


# ---------------------------------------------------------------- to hit


@rule("3.3.2/melee-to-hit")
def number_to_hit(attacker: int, defender: int) -> int:
    """Return the number to hit by the two weapon skills; halves are exact, and equal skills always need 4."""
    if attacker <= defender:
        return 5 if 2 * attacker <= defender and attacker < defender else 4
    return 2 if attacker >= 2 * defender else 3


@rule("7.7/vehicle-weapon-skill")
def skill_of_vehicle(vehicle: Model) -> int:
    """Return the inches that the vehicle moved in its last movement phase, 10 at most."""
    return min(MOST_SKILL_OF_VEHICLES, rounded_down(float(vehicle.marks(INCHES))))


def skill_of_target(striker: Model, target: Unit) -> int:
    """Return the skill of the vehicle touched, by its movement, else of the unit; walkers have their own skill."""
    hull = hull_touched(striker, target)
    if hull is not None and not is_walker(hull):
        return skill_of_vehicle(hull)
    return characteristics.unit_value(target, "ws")


def need_to_hit(model: Model, arm: Arm, target: Unit) -> Need:
    if arm.manner == SHOT:
        return need_of_shot(model)
    return needed(number_to_hit(characteristics.value(model, "ws"), skill_of_target(model, target)))


@rule("9.1.1/pistol-in-melee")
def need_of_shot(model: Model) -> Need:
    """Return the need of a pistol shot: ballistic skill, without the bonus for close range."""
    return weapon_rules.to_hit(characteristics.value(model, "bs"))


def need_again(model: Model, arm: Arm, target: Unit) -> Need | None:
    """Return what a miss needs if a rule allows a re-roll: hatred, the weapon, a pistol shot's high skill."""
    bs = characteristics.value(model, "bs") if arm.manner == SHOT else 0
    return weapon_rules.second_chance(model, target, line_of(model, arm), bs, need_to_hit(model, arm, target))


# ---------------------------------------------------------------- the profile of a hit


@rule("8/crushing-charge")
def strength_for_crushing(model: Model) -> int:
    return 1 if crushes(model) else 0


@rule("8/furious-charge")
def strength_for_fury(model: Model) -> int:
    return 1 if has_charged(model) and special.has(model, "furious-charge") else 0


@rule("9.2/power-fist", "9.2/dreadnought-weapon", "1.1/dice-modifier-order")
def weapon_strength(model: Model, line: Line) -> int:
    """Return the weapon's own strength, or the user's times the weapon's multiplier."""
    return characteristics.value(model, "s") * line.strength if line.of_user else line.strength


@rule("3.3.2/melee-hit-profile")
def strength_of(model: Model, arm: Arm) -> int:
    """Return the strength of a hit; bonuses for charging are added after any doubling."""
    line = line_of(model, arm)
    if arm.manner == SHOT:
        return weapon_rules.strength_at(line, 0)
    bonuses = strength_for_crushing(model) + strength_for_fury(model)
    return characteristics.limited(weapon_strength(model, line) + bonuses)


@rule("6.1/mc-ap2")
def monstrous_ap(model: Model, ap: int | None) -> int | None:
    """Return AP 2 for monstrous creatures unless their own is better; others keep their AP."""
    return ap if not is_monster(model) or (ap is not None and ap < BEST_AP_NEEDED) else BEST_AP_NEEDED


@rule("6.1/mc-penetration")
def dice_against_armour(model: Model, arm: Arm) -> int:
    return 2 if is_monster(model) and arm.manner == BLOWS else 1


@rule("7.17/squadron-hits")
def hull_touched(model: Model, target: Unit) -> Model | None:
    """Return the vehicle that a model strikes: the one it touches, and of several the worst armoured there."""
    hulls = [enemy for enemy in members(target) if is_vehicle(enemy) and are_in_contact(model, enemy)]
    return min(hulls, key=lambda hull: armour(hull, face_touched(model, hull)), default=None)


def face_touched(model: Model, hull: Model) -> str:
    return side_touched(model, hull) if is_walker(hull) else "rear"


@rule("7.7/melee-hits-rear", "7.16/walker-hit-side")
def struck_face(model: Model, target: Unit) -> str:
    """Return the face struck: a vehicle's rear; for a walker, the side touched, or its front if it is not touched."""
    hulls = [enemy for enemy in members(target) if is_vehicle(enemy)]
    touched = hull_touched(model, target)
    if touched is not None:
        return face_touched(model, touched)
    return "" if not hulls else "front" if any(is_walker(hull) for hull in hulls) else "rear"


@rule("7.16/walker-hit-side")
def side_touched(model: Model, walker: Model) -> str:
    return sectors_of(walker.solid, *nearest_point(walker.solid, model.x, model.y))[0]


@rule("3.3.2/melee-hit-profile")
def hit_of(model: Model, arm: Arm, target: Unit) -> Hit:
    """Return a hit with the strength, the AP and the rules of the model's arm."""
    line = line_of(model, arm)
    is_shot = arm.manner == SHOT
    ap = line.ap if is_shot else monstrous_ap(model, line.ap)
    hull = hull_touched(model, target)
    return Hit(
        strength_of(model, arm),
        ap,
        "melee",
        weapon_rules.rules_of_hit(line) if is_shot else tuple(one.name for one in line.rules),
        model.unit.row,
        model.row,
        target=-1 if hull is None else hull.row,
        dice=dice_against_armour(model, arm),
        face=struck_face(model, target),
    )


# ---------------------------------------------------------------- the dice of a step


class Blow(NamedTuple):
    """The attacks of one model against one unit, as plain data: rows, the weapon, and the number."""

    model: int
    arm: Arm
    target: int
    times: int


class Volley(NamedTuple):
    """Blows whose dice are rolled together: of one unit against one other, all with the same need."""

    blows: tuple[Blow, ...]
    need: Need
    again: Need | None

    @property
    def dice(self) -> int:
        return sum(blow.times for blow in self.blows)


def volleys(position: Position, blows: Sequence[Blow]) -> Iterator[Volley]:
    """Group neighbouring blows of one unit against one other with the same need, in the order given."""
    kept: list[Blow] = []
    sign: Any = None
    needs = of_like_blows(position, needs_of)
    for blow in blows:
        this = position.unit_of[blow.model], blow.target, *needs(blow)
        if kept and this != sign:
            yield Volley(tuple(kept), sign[2], sign[3])
            kept = []
        sign = this
        kept.append(blow)
    if kept:
        yield Volley(tuple(kept), sign[2], sign[3])


def needs_of(model: Model, arm: Arm, target: Unit) -> tuple[Need, Need | None]:
    return need_to_hit(model, arm, target), need_again(model, arm, target)


Of = TypeVar("Of")


def of_like_blows(position: Position, found_by: Callable[[Model, Arm, Unit], Of]) -> Callable[[Blow], Of]:
    """Return a function of blows that is computed once for like blows.

    Blows are alike with the same profile, unit, arm and target unit. Where a vehicle strikes or is struck, or an effect
    is in force, no blow is like another.
    """
    known: dict[Any, Of] = {}

    def found(blow: Blow) -> Of:
        model, target = position.model(blow.model), Unit(position, blow.target)
        key = id(model.profile), position.unit_of[blow.model], blow.arm, blow.target
        if key in known:
            return known[key]
        of_blow = found_by(model, blow.arm, target)
        if not (position.effects or is_vehicle(model) or any(map(is_vehicle, members(target)))):
            known[key] = of_blow
        return of_blow

    return found


@rule("3.3.2/melee-to-hit", "1.1/dice-stream")
async def roll_to_hit(position: Position, blows: Sequence[Blow]) -> list[tuple[int, Hit]]:
    """Return the hits of blows struck together, each with the row of its target unit; first rolls precede re-rolls."""
    groups = list(volleys(position, blows))
    made = of_like_blows(position, hit_of)
    hits = [[hit for blow in group.blows for hit in hits_of(blow, made(blow))] for group in groups]
    first = [await first_roll(position, group, struck) for group, struck in zip(groups, hits, strict=True)]
    rolls = [await second_roll(position, group, rolled) for group, rolled in zip(groups, first, strict=True)]
    return [hit for met, struck in zip(rolls, hits, strict=True) for hit in landed(met, struck)]


def landed(met: Sequence[bool], struck: Sequence[tuple[int, Hit]]) -> list[tuple[int, Hit]]:
    return [hit for hit, is_hit in zip(struck, met, strict=True) if is_hit]


def hits_of(blow: Blow, like: Hit) -> list[tuple[int, Hit]]:
    """Return the hits of a blow, made from the hit of a like one."""
    made = like if like.by_model == blow.model else replace(like, by_model=blow.model)
    return [(blow.target, made)] * blow.times


async def first_roll(position: Position, group: Volley, struck: Sequence[tuple[int, Hit]]) -> Rolled:
    model = position.model(group.blows[0].model)
    target = group.blows[0].target
    return await pool_for(model.side, "to-hit", struck, group.need, unit=model.unit.row, target=target)


@rule("8/favoured-enemy", "9.1.1/twin-linked", "1.1/re-roll-once")
async def second_roll(position: Position, group: Volley, rolled: Rolled) -> Sequence[bool]:
    model = position.model(group.blows[0].model)
    about: dict[str, Any] = {"unit": model.unit.row, "target": group.blows[0].target}
    return await second_rolls(model.side, "to-hit-again", rolled, group.again, **about)
