"""Step 8: one melee, fought to its end (base-melee, assault/resolution)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from random import Random
from typing import NamedTuple

from campale.dice.needs import Need
from campale.dice.stages import through
from campale.mechanics.contact import groups
from campale.referee.ask import ask, choose, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Allot
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Melee
from campale.rulesets.e3m.assault.moves import ATTACKER, CHARGED_IN, cannot_respond
from campale.rulesets.e3m.battle.scenery import BROKEN, LINEAR
from campale.rulesets.e3m.command.units import IMMOBILISED, SPECIAL, by_unit, distance, within, wounds_left
from campale.rulesets.e3m.fire.area import touch
from campale.rulesets.e3m.fire.wounds import best_save, kind_of, remove_the_dead, save_need, suffer, wound_need
from campale.rulesets.e3m.vehicles.damage import Struck, face_towards, is_stunned, speed, strike
from campale.table.sight import crossings
from campale.table.terrain import Ground

NEIGHBOURS = 2.0
STRONGEST = 10
CLEAVED = 4
HITS_AT = {"stationary": 0, "slow": 4, "fast": 6}
KRAK, FUSION = (6, 0), (8, 1)
"""Strength of a grenade against vehicles, and how many dice it adds to the one."""
CAUSE = "melee"
BLOWS, GRENADE = "strike", "grenade"

Target = tuple[str, int]
"""("unit", row), or ("model", row) of a special model or a vehicle."""


class Fight(NamedTuple):
    """Who is engaged, by side; ``attacker``: the side that made the contact."""

    position: Position
    rows: tuple[frozenset[int], frozenset[int]]
    attacker: int

    def models(self, side: int) -> list[Model]:
        """Those of a side who are engaged and still stand."""
        return [m for row in sorted(self.rows[side]) if (m := self.position.model(row)).is_on_table]


class Blows(NamedTuple):
    """The blows of models of one profile that strike alike at one target."""

    rows: tuple[int, ...]
    target: Target
    weapon: Melee


# ---------------------------------------------------------------- which melees there are


@rule("assault/several-units", "sequence/step-8-melee", "base-vehicle/melee-no-result")
def melees(position: Position) -> list[tuple[int, ...]]:
    """The rows of units linked by contact; a vehicle without Weapon Skill links nobody, and is a melee by itself."""
    pairs: list[tuple[int, int]] = []
    against: list[tuple[int, ...]] = []
    for one in position.on_table(0):
        for other in position.on_table(1):
            if not touch(one, other):
                continue
            if one.profile.fights and other.profile.fights:
                pairs.append((one.unit.row, other.unit.row))
            else:
                against.append(tuple(sorted((one.unit.row, other.unit.row))))
    return [*groups(pairs), *dict.fromkeys(against)]


def is_against_vehicle(position: Position, rows: Sequence[int]) -> bool:
    return any(not m.profile.fights for row in rows for m in by_unit(position).get(row, []))


@rule("assault/several-units", "assault/mutual")
def attacking_side(position: Position, rows: Sequence[int]) -> int:
    """The side that made the assault that began the contact."""
    units = [Unit(position, row) for row in rows]
    return next((unit.side for unit in units if unit.marks(ATTACKER)), units[0].side)


# ---------------------------------------------------------------- base-melee/who-fights


@rule("base-melee/who-fights")
def fight_of(position: Position, rows: Sequence[int]) -> Fight:
    """Settled when the melee begins: who is in contact, and who is within 2 inches of one of his unit who is."""
    found: list[set[int]] = [set(), set()]
    for row in rows:
        models = [m for m in by_unit(position).get(row, []) if m.is_on_table]
        side = Unit(position, row).side
        touching = [m for m in models if is_touching(m, rows)]
        near = [m for m in models if any(within(distance(m, one), NEIGHBOURS) for one in touching)]
        found[side] |= {m.row for m in near}
    return Fight(position, (frozenset(found[0]), frozenset(found[1])), attacking_side(position, rows))


def is_touching(model: Model, rows: Iterable[int]) -> bool:
    position = model.position
    enemies = [m for row in rows for m in by_unit(position).get(row, []) if m.side != model.side and m.is_on_table]
    return any(touch(model, enemy) for enemy in enemies)


def touched_by(model: Model, fight: Fight) -> list[Model]:
    return [enemy for enemy in fight.models(1 - model.side) if touch(model, enemy)]


# ---------------------------------------------------------------- base-melee/initiative-order


def best_weapon(model: Model) -> Melee:
    """What a model strikes with: the deadliest of its close combat weapons."""
    ranking: tuple[Melee, ...] = ("walker-fist", "fist", "power", "rending", "cleaver", "plain", "")
    own = {weapon.melee for weapon in model.profile.weapons}
    return next(kind for kind in ranking if kind in own or kind == "")


@rule("base-melee/initiative-order", "base-weapons/close-combat", "base-melee/defended-cover")
def strikes_at(model: Model, fight: Fight) -> int:
    """The Initiative value at which a model strikes; fists at 1, defenders in cover before everybody."""
    if best_weapon(model) == "fist":
        return 1
    defended = is_defended(fight)
    if defended and model.side != fight.attacker:
        return STRONGEST + 1
    return int(model.profile.i)


@rule("base-melee/defended-cover", "base-weapons/grenades")
def is_defended(fight: Fight) -> bool:
    """Whether the defenders stand in broken terrain or behind a linear obstacle, and the assaulters lack grenades."""
    attackers, defenders = fight.models(fight.attacker), fight.models(1 - fight.attacker)
    if any(m.profile.carries("frag-grenades") for m in attackers):
        return False
    return any(is_sheltered(m, fight) for m in defenders)


def is_sheltered(model: Model, fight: Fight) -> bool:
    ground = model.position.ground
    if any(BROKEN in piece.tags for piece in ground.pieces_at(*model.at)):
        return True
    linear = Ground(ground.width, ground.depth, tuple(p for p in ground.pieces if LINEAR in p.tags))
    enemies = touched_by(model, fight)
    if not linear.pieces or not enemies:
        return False
    starts = [(*enemy.at, 0.0) for enemy in enemies]
    lengths, _ = crossings(linear, starts, [(*model.at, 0.0)] * len(starts), in_plan=True)
    return bool((lengths > 1e-6).any())


# ---------------------------------------------------------------- base-melee/attacks


@rule("base-melee/attacks", "base-melee/charge-bonus", "base-weapons/close-combat", "base-vehicle/walkers")
def attacks(model: Model, fight: Fight) -> int:
    """Attacks, one more for two weapons, one more for having charged; one alone for whoever is not in contact."""
    if model.profile.has_armour and (is_stunned(model) or model.marks(IMMOBILISED)):
        return 1
    if not touched_by(model, fight) and not model.position.options.full_attacks_at_two:
        return 1
    charge = int(bool(model.unit.marks(CHARGED_IN)))
    return int(model.profile.a) + int(has_two_weapons(model)) + charge


@rule("base-weapons/close-combat", "base-weapons/pistol")
def has_two_weapons(model: Model) -> bool:
    """Two one-handed weapons, a pistol being one; beside a fist only another fist counts."""
    own = [weapon.melee for weapon in model.profile.weapons if weapon.melee]
    fists = sum(kind == "fist" for kind in own)
    return fists > 1 if fists else len(own) > 1


@rule("base-melee/casualties", "base-melee/who-fights")
def targets_for(model: Model, fight: Fight) -> list[Target]:
    """The enemy units that it or its neighbour is in contact with; special models only where it touches them."""
    touching = touched_by(model, fight)
    if touching:
        return list(dict.fromkeys(target_of(enemy) for enemy in touching))
    friends = [m for m in fight.models(model.side) if m.unit == model.unit and within(distance(m, model), NEIGHBOURS)]
    found = [target_of(enemy) for friend in friends for enemy in touched_by(friend, fight)]
    return list(dict.fromkeys(target for target in found if target[0] == "unit"))


def target_of(enemy: Model) -> Target:
    alone = enemy.marks(SPECIAL) or enemy.profile.has_armour
    return ("model", enemy.row) if alone else ("unit", enemy.unit.row)


@rule("base-melee/casualties")
async def choose_targets(side: int, models: Sequence[Model], fight: Fight) -> list[Blows]:
    """At which enemy unit the models of a unit strike, where there is a choice."""
    options = {m.row: targets_for(m, fight) for m in models}
    several = list(dict.fromkeys(target for row in options for target in options[row]))
    wanted = several[0] if several else None
    if len(several) > 1 and any(len(one) > 1 for one in options.values()):
        wanted = await choose(side, "strike-at", several, of="target", unit=models[0].unit.row)
    found: dict[tuple[Target, Melee, str], list[int]] = {}
    for model in models:
        own = options[model.row]
        if own:
            target = wanted if wanted in own else own[0]
            assert target is not None
            found.setdefault((target, best_weapon(model), model.profile.id), []).append(model.row)
    return [Blows(tuple(rows), target, weapon) for (target, weapon, _), rows in found.items()]


# ---------------------------------------------------------------- to hit, to wound


@rule("base-melee/to-hit", "base-profile/characteristics")
def hit_need(own: int, theirs: int) -> Need | None:
    """3 if better, 5 if the enemy is more than twice as good, 4 otherwise. Skill 0 hits nothing, and is always hit."""
    if own <= 0:
        return None
    if theirs <= 0:
        return Need(1)
    if own > theirs:
        return Need(3)
    return Need(5 if theirs > 2 * own else 4)


@rule("base-melee/to-hit")
def majority_skill(models: Sequence[Model]) -> int:
    """That of the majority of the engaged enemy models."""
    skills = Counter(m.profile.ws for m in models)
    return max(skills, key=lambda skill: (skills[skill], skill), default=0)


@rule("base-weapons/close-combat")
def strength_of(model: Model, weapon: Melee) -> int:
    """Doubled by a fist, up to 10."""
    own = int(model.profile.s)
    return min(STRONGEST, 2 * own) if weapon in ("fist", "walker-fist") else own


@rule("base-melee/wound-and-save", "base-weapons/close-combat", "base-units/great-creatures")
def save_in_melee(model: Model, weapon: Melee, by_great: bool) -> int:
    """Armour in full unless the weapon denies it; never better than 4 against a cleaver."""
    armour = model.profile.save
    if weapon in ("power", "fist", "walker-fist") or by_great:
        armour = None
    elif weapon == "cleaver" and armour is not None:
        armour = max(armour, CLEAVED)
    return best_save(armour, model.profile.invulnerable)


# ---------------------------------------------------------------- the blows


Inflicted = tuple[int, int]
"""The wounds that each side inflicted."""


@rule("base-melee/sequence", "base-melee/initiative-order")
async def fight_out(position: Position, rows: Sequence[int]) -> tuple[Fight, Inflicted]:
    """Initiative by initiative; the wounds that each side inflicted."""
    fight = fight_of(position, rows)
    order = order_of_blows(fight)
    inflicted = (0, 0)
    for value in initiatives(order):
        inflicted = added(inflicted, await strike_at(fight, order, value))
    return fight, inflicted


Order = tuple[tuple[int, int], ...]
"""Who strikes: rows of models with the Initiative at which they do."""


def order_of_blows(fight: Fight) -> Order:
    """Settled when the melee begins."""
    strikers = [m for side in (0, 1) for m in fight.models(side) if not cannot_respond(m.unit)]
    return tuple((m.row, strikes_at(m, fight)) for m in strikers)


def initiatives(order: Order) -> list[int]:
    return sorted({value for _, value in order}, reverse=True)


def added(one: Inflicted, other: Inflicted) -> Inflicted:
    return one[0] + other[0], one[1] + other[1]


@rule("base-melee/sequence", "base-general/dice-order")
async def strike_at(fight: Fight, order: Order, value: int) -> Inflicted:
    """All blows of one Initiative, the attackers' dice first; the dead are removed after both."""
    now = {row for row, one in order if one == value}
    hurt: list[Model] = []
    inflicted = [0, 0]
    for side in (fight.attacker, 1 - fight.attacker):
        models = [m for m in fight.models(side) if m.row in now]
        for unit in dict.fromkeys(m.unit.row for m in models):
            inflicted[side] += await strike_with([m for m in models if m.unit.row == unit], fight, hurt)
    remove_the_dead(list({m.row: m for m in hurt}.values()), CAUSE)
    return inflicted[0], inflicted[1]


async def strike_with(models: Sequence[Model], fight: Fight, hurt: list[Model]) -> int:
    """The blows of the models of one unit; the wounds that they inflict."""
    total = 0
    for blows in await choose_targets(models[0].side, models, fight):
        if blows.target[0] == "model" and fight.position.model(blows.target[1]).profile.has_armour:
            total += await strike_vehicle(blows, fight)
        else:
            total += await strike_men(blows, fight, hurt)
    return total


def victims_of(target: Target, fight: Fight, side: int) -> list[Model]:
    """The engaged models among which the wounds of a target are given out."""
    if target[0] == "model":
        model = fight.position.model(target[1])
        return [model] if model.is_on_table else []
    enemies = [m for m in fight.models(side) if m.unit.row == target[1] and not m.profile.has_armour]
    return [m for m in enemies if not m.marks(SPECIAL)] or enemies


class Landed(NamedTuple):
    """How many blows hit or wound, and how many of the rending ones do so by themselves and deny armour."""

    blows: int
    rending: int = 0


Wound = tuple[int, Melee]
"""A wound on the model of a row, by a weapon."""


async def strike_men(blows: Blows, fight: Fight, hurt: list[Model]) -> int:
    """Blow by blow up to the wounds that models lose; how many."""
    strikers = [fight.position.model(row) for row in blows.rows]
    count = sum(attacks(m, fight) for m in strikers)
    if not count or not victims_of(blows.target, fight, 1 - strikers[0].side):
        return 0
    stages = tuple(partial(stage, blows, fight) for stage in (hit, wound, give_out, save))
    lost: int = await through((*stages, partial(lose, blows, fight, hurt)), count)
    return lost


@rule("base-melee/to-hit", "base-weapons/close-combat")
async def hit(blows: Blows, fight: Fight, count: int) -> Landed:
    first = fight.position.model(blows.rows[0])
    need = hit_need(int(first.profile.ws), majority_skill(victims_of(blows.target, fight, 1 - first.side)))
    if need is None:
        return Landed(0)
    rolled = await roll_for(first.side, "melee-hit", [0] * count, need, **about(blows, first))
    rending = sum(face == 6 for face in rolled.faces) if blows.weapon == "rending" else 0
    return Landed(rolled.successes - rending, rending)


@rule("base-melee/wound-and-save", "base-weapons/close-combat")
async def wound(blows: Blows, fight: Fight, landed: Landed) -> Landed:
    first = fight.position.model(blows.rows[0])
    victim = victims_of(blows.target, fight, 1 - first.side)[0]
    need = wound_need(strength_of(first, blows.weapon), victim.profile.t)
    if need is None or not landed.blows:
        return Landed(0, landed.rending)
    rolled = await roll_for(first.side, "melee-wound", [0] * landed.blows, need, **about(blows, first))
    return Landed(rolled.successes, landed.rending)


def about(blows: Blows, first: Model) -> dict[str, Plain]:
    return {"unit": first.unit.row, "target": blows.target[1]}


@rule("base-melee/casualties", "base-weapons/close-combat")
async def give_out(blows: Blows, fight: Fight, landed: Landed) -> tuple[Wound, ...]:
    """The owner gives the wounds out, those of rending blows last."""
    first = fight.position.model(blows.rows[0])
    victims = victims_of(blows.target, fight, 1 - first.side)
    taken = await assign(landed.blows + landed.rending, victims, first.unit)
    return tuple((m.row, blows.weapon if k < landed.blows else "power") for k, m in enumerate(taken))


@rule("base-melee/wound-and-save", "base-general/dice-order")
async def save(blows: Blows, fight: Fight, wounds: tuple[Wound, ...]) -> tuple[Wound, ...]:
    """The wounds that are not saved."""
    first = fight.position.model(blows.rows[0])
    great = first.profile.kind == "great"
    many = Counter(row for row, _ in wounds)
    unsaved: list[Wound] = []
    for need, run in groupby(wounds, lambda one: save_need(save_in_melee(fight.position.model(one[0]), one[1], great))):
        some = list(run)
        if need is not None:
            things = [(row if many[row] > 1 else -1, *kind_of(fight.position.model(row))) for row, _ in some]
            rolled = await roll_for(1 - first.side, "melee-save", things, need, **about(blows, first))
            some = [one for one, is_saved in zip(some, rolled.hits, strict=True) if not is_saved]
        unsaved += some
    return tuple(unsaved)


@rule("base-melee/result", "base-shoot/instant-death")
async def lose(blows: Blows, fight: Fight, hurt: list[Model], wounds: tuple[Wound, ...]) -> int:
    """The wounds lost, all that were left where it kills outright."""
    first = fight.position.model(blows.rows[0])
    victims = [fight.position.model(row) for row, _ in wounds]
    hurt += victims
    return sum(suffer(m, strength_of(first, blows.weapon), CAUSE, first.row) for m in victims)


@rule("base-melee/casualties")
async def assign(count: int, victims: list[Model], by: Unit) -> list[Model]:
    """The owner assigns the wounds among the engaged models; what exceeds them is lost."""
    room = sum(max(0, wounds_left(m)) for m in victims)
    count = min(count, room)
    if not count:
        return []
    rows = [m.row for m in victims]
    if len({m.profile for m in victims}) == 1 and not any(m.marks("leads") for m in victims):
        return [by_row(victims, row) for row in in_turn(victims, count)]
    question = Allot(
        victims[0].side,
        "assign-wounds",
        ["wound"] * count,
        rows,
        lambda given: too_many(given, victims),
        lambda rng: in_turn(shuffled(victims, rng), count),
        {"unit": by.row},
    )
    return [by_row(victims, row) for row in await ask(question)]


def shuffled(victims: list[Model], rng: Random | None) -> list[Model]:
    return victims if rng is None else rng.sample(victims, len(victims))


def by_row(victims: Sequence[Model], row: int) -> Model:
    return next(m for m in victims if m.row == row)


@rule("base-melee/casualties")
def in_turn(victims: Sequence[Model], count: int) -> list[int]:
    """One wounded model completed before another is started, those worth least first."""
    ordered = sorted(victims, key=lambda m: (m.marks("leads"), m.profile.points, -m.marks("wounds")))
    return [m.row for m in ordered for _ in range(max(0, wounds_left(m)))][:count]


@rule("base-melee/casualties")
def too_many(given: Sequence[int], victims: Sequence[Model]) -> Fault | None:
    """No model takes more than it has, and only one is left with some of its wounds."""
    counts = Counter(given)
    begun = 0
    for model in victims:
        left = wounds_left(model)
        if counts[model.row] > left:
            return Fault(measured=counts[model.row], limit=left, model=model.row)
        begun += 0 < counts[model.row] < left
        if begun > 1:
            return Fault(model=model.row)
    return None


# ---------------------------------------------------------------- base-vehicle/walkers, assaulting-vehicles


@rule("base-vehicle/walkers", "base-vehicle/assaulting-vehicles", "base-weapons/grenades")
async def strike_vehicle(blows: Blows, fight: Fight) -> int:
    """Blows or one grenade each at a vehicle; against a walker every glancing or penetrating hit is a wound."""
    position, vehicle = fight.position, fight.position.model(blows.target[1])
    strikers = [position.model(row) for row in blows.rows]
    side, scored = strikers[0].side, 0
    throwers = await who_throws(side, [m for m in strikers if grenade_of(m, vehicle) is not None])
    for model in strikers:
        grenade = grenade_of(model, vehicle) if model in throwers else None
        count = 1 if grenade is not None else attacks(model, fight)
        need = need_against(model, vehicle)
        if need is None or not vehicle.is_on_table:
            continue
        rolled = await roll_for(side, "melee-hit", [0] * count, need, model=model.row, target=vehicle.row)
        for _ in range(rolled.successes):
            strength, extra = grenade or (strength_of(model, blows.weapon), int(model.profile.kind == "great"))
            face = "front" if vehicle.profile.is_walker else face_towards(vehicle, model.at)
            scored += await strike(vehicle, Struck(strength, None, face, model.row, is_fire=False, extra=extra))
    return scored


@rule("base-melee/to-hit", "base-vehicle/assaulting-vehicles", "vehicles/moved-status")
def need_against(model: Model, vehicle: Model) -> Need | None:
    """Skill against a walker; automatically, on 4, or on 6 by how far another vehicle went."""
    if vehicle.profile.is_walker:
        return hit_need(int(model.profile.ws), int(vehicle.profile.ws))
    return Need(max(1, HITS_AT[speed(vehicle)]))


@rule("base-weapons/grenades")
def grenade_of(model: Model, vehicle: Model) -> tuple[int, int] | None:
    """The grenade that it may use: none against a walker that can move."""
    if vehicle.profile.is_walker and not (is_stunned(vehicle) or vehicle.marks(IMMOBILISED)):
        return None
    if model.profile.carries("fusion-charges"):
        return FUSION
    return KRAK if model.profile.carries("krak-grenades") else None


@rule("base-weapons/grenades")
async def who_throws(side: int, able: list[Model]) -> list[Model]:
    """The owner says whether those who have grenades use them, in place of all their attacks."""
    if not able:
        return []
    rows: Plain = [m.row for m in able]
    chosen = await choose(side, "grenades", (GRENADE, BLOWS), of="part", models=rows)
    return able if chosen == GRENADE else []
