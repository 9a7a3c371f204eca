"""Step 8: one melee, fought to its end (base-melee, assault/resolution)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from campale.dice.needs import Need
from campale.dice.stages import through
from campale.mechanics.bases import contacts, touch, within
from campale.mechanics.contact import groups
from campale.mechanics.script_form import alike_or_each, fill_in_script
from campale.referee.ask import ask, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Allot
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Melee
from campale.rulesets.e3m.assault.attacks import attacks_in_contact
from campale.rulesets.e3m.assault.declaring import targets_declared
from campale.rulesets.e3m.assault.moves import ATTACKER, cannot_respond
from campale.rulesets.e3m.battle.scenery import BROKEN, LINEAR
from campale.rulesets.e3m.command.units import (
    IMMOBILISED,
    LEADS,
    SPECIAL,
    STRUCK,
    WOUNDS,
    by_unit,
    distance,
    wounds_left,
)
from campale.rulesets.e3m.fire.wounds import (
    best_save,
    kills_outright,
    remove_the_dead,
    save_need,
    suffer,
    tell_no_save,
    wound_need,
)
from campale.rulesets.e3m.vehicles.damage import Struck, face_towards, is_stunned, speed, strike
from campale.table.sight import crossings
from campale.table.terrain import Ground

NEIGHBOURS = 2.0
STRONGEST = 10
CLEAVED = 4
HITS_AT = {"stationary": 0, "slow": 4, "fast": 6}
Grenade = tuple[int, int]
"""The Strength of a grenade against vehicles, and how many dice it adds to the first one."""
KRAK: Grenade = (6, 0)
FUSION: Grenade = (8, 1)
DENIES_ARMOUR: Melee = "power"
CAUSE = "melee"
BLOWS, GRENADE = "strike", "grenade"
FOUGHT = "fought"
"""The declaration of the melees fought in this turn."""

Target = tuple[str, int]
"""("unit", row), or ("model", row) for a special model or a vehicle."""


class Fight(NamedTuple):
    """The engaged rows of each side, and ``attacker``: the side that made contact.

    ``attacks``: the attacks of models that strike together, counted before any of them struck.
    """

    position: Position
    rows: tuple[frozenset[int], frozenset[int]]
    attacker: int
    attacks: tuple[tuple[int, int], ...] = ()

    def engaged(self, side: int) -> list[Model]:
        """A side's models that were engaged when the melee began, fallen ones included."""
        return [self.position.model(row) for row in sorted(self.rows[side])]

    def models(self, side: int) -> list[Model]:
        """A side's engaged models that still stand."""
        return [m for m in self.engaged(side) if m.is_on_table]


class Blows(NamedTuple):
    """The blows of models of one profile that strike alike at one target."""

    rows: tuple[int, ...]
    target: Target
    weapon: Melee


# ---------------------------------------------------------------- which melees there are


@rule("assault/several-units", "sequence/step-8-melee", "base-vehicle/melee-no-result")
def melees(position: Position) -> list[tuple[int, ...]]:
    """The rows of units linked by contact. A vehicle without Weapon Skill links no units and is its own melee."""
    pairs: list[tuple[int, int]] = []
    against: list[tuple[int, ...]] = []
    for one, other in ((position.model(row), position.model(enemy)) for row, enemy in contacts(position)):
        if one.profile.fights and other.profile.fights:
            pairs.append((one.unit.row, other.unit.row))
        else:
            against.append(tuple(sorted((one.unit.row, other.unit.row))))
    return [*groups(pairs), *dict.fromkeys(against)]


def is_against_vehicle(position: Position, rows: Sequence[int]) -> bool:
    return any(not m.profile.fights for row in rows for m in by_unit(position).get(row, []))


@rule("assault/several-units", "assault/mutual")
def attacking_side(position: Position, rows: Sequence[int]) -> int:
    """The side whose assault made the first contact."""
    units = [Unit(position, row) for row in rows]
    return min(units, key=lambda unit: unit.marks(ATTACKER) or len(position.unit_side) + 1).side


# ---------------------------------------------------------------- base-melee/who-fights


@rule("base-melee/who-fights")
def fight_of(position: Position, rows: Sequence[int]) -> Fight:
    """The fight as it begins: models in contact, and models within 2 inches of a unit-mate in contact."""
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
    """The enemies that were in contact with the model when the melee began."""
    return [enemy for enemy in fight.engaged(1 - model.side) if touch(model, enemy)]


# ---------------------------------------------------------------- base-melee/initiative-order


def best_weapon(model: Model) -> Melee:
    """The kind of blow: that of the model's deadliest close combat weapon."""
    ranking: tuple[Melee, ...] = ("walker-fist", "fist", "power", "rending", "cleaver", "plain", "")
    own = {weapon.melee for weapon in model.profile.weapons}
    return next(kind for kind in ranking if kind in own or kind == "")


@rule("base-melee/initiative-order", "base-weapons/close-combat", "base-melee/defended-cover")
def strikes_at(model: Model, fight: Fight) -> int:
    """The Initiative value at which a model strikes; fists strike at 1.

    Defenders in cover strike before all others, and assaulters with grenades at the same time as they.
    """
    if best_weapon(model) == "fist":
        return 1
    is_early = model.side != fight.attacker or model.profile.carries("frag-grenades")
    return STRONGEST + 1 if is_early and is_defended(fight) else int(model.profile.i)


@rule("base-melee/defended-cover")
def is_defended(fight: Fight) -> bool:
    """Whether defenders stand in broken terrain, or behind a linear obstacle that lies between them and an enemy."""
    return any(is_sheltered(m, fight) for m in fight.engaged(1 - fight.attacker))


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


@rule("base-melee/attacks")
def attacks(model: Model, fight: Fight) -> int:
    """The attacks of a model in contact; another one has only one."""
    if not touched_by(model, fight) and not model.position.options.full_attacks_at_two:
        return 1
    return attacks_in_contact(model)


@rule("base-melee/casualties", "base-melee/who-fights", "base-vehicle/walkers")
def targets_for(model: Model, fight: Fight) -> list[Target]:
    """Enemy units in contact with the model or a neighbour.

    Special models and vehicles without Weapon Skill only if the model itself touches them.
    """
    touching = touched_by(model, fight)
    if touching:
        found = [target_of(enemy) for enemy in touching]
    else:
        mates = [m for m in fight.engaged(model.side) if m.unit == model.unit]
        near = [m for m in mates if within(distance(m, model), NEIGHBOURS)]
        enemies = [enemy for mate in near for enemy in touched_by(mate, fight)]
        found = [target_of(enemy) for enemy in enemies if enemy.profile.fights and not enemy.marks(SPECIAL)]
    return [target for target in dict.fromkeys(found) if victims_of(target, fight)]


def target_of(enemy: Model) -> Target:
    alone = enemy.marks(SPECIAL) or enemy.profile.has_armour
    return ("model", enemy.row) if alone else ("unit", enemy.unit.row)


def victims_of(target: Target, fight: Fight) -> list[Model]:
    """The engaged models that share a target's wounds. Special models are separate targets."""
    kind, row = target
    if kind == "model":
        model = fight.position.model(row)
        return [model] if model.is_on_table else []
    engaged = fight.models(Unit(fight.position, row).side)
    return [m for m in engaged if m.unit.row == row and target_of(m) == target]


@rule("base-melee/casualties", "base-vehicle/melee-no-result")
def targets_elsewhere(model: Model, fight: Fight) -> list[Target]:
    """Enemies in contact with the model whose melee is still to come, because a vehicle has a melee of its own."""
    own, declared = model.unit.row, targets_declared(model.unit)
    over = {row for rows in model.position.declared.get(FOUGHT, ()) if own in rows for row in rows}
    over |= {m.unit.row for m in fight.engaged(1 - model.side)}
    enemies = (m for m in model.position.on_table(1 - model.side) if m.unit.row not in over and touch(model, m))
    return [target_of(enemy) for enemy in enemies if enemy.profile.fights or enemy.unit.row in declared]


@rule("base-melee/casualties")
async def choose_targets(side: int, models: Sequence[Model], fight: Fight) -> list[Blows]:
    """Ask which enemy unit each model strikes, if it has a choice. One that strikes elsewhere gives no blows here."""
    here = {m.row: own for m in models if (own := targets_for(m, fight))}
    options = {m.row: [*here[m.row], *targets_elsewhere(m, fight)] for m in models if m.row in here}
    named = partial(alike_or_each, side, "strikes-at", options, "target")
    wanted = await fill_in_script(side, "strike-at", named, unit=models[0].unit.row)
    found: dict[tuple[Target, Melee, str], list[int]] = {}
    for model in models:
        target = (wanted or {}).get(model.row)
        if target is not None and target in here[model.row]:
            found.setdefault((target, best_weapon(model), model.profile.id), []).append(model.row)
    return [Blows(tuple(rows), target, weapon) for (target, weapon, _), rows in found.items()]


# ---------------------------------------------------------------- to hit, to wound


@rule("base-melee/to-hit", "base-profile/characteristics")
def hit_need(own: int, theirs: int) -> Need | None:
    """The need to hit: 3 if better, 5 if the enemy is more than twice as good, else 4.

    None for Skill 0, which hits nothing; a target of Skill 0 is always hit.
    """
    if own <= 0:
        return None
    if theirs <= 0:
        return Need(1)
    if own > theirs:
        return Need(3)
    return Need(5 if theirs > 2 * own else 4)


@rule("base-melee/to-hit")
def majority_skill(models: Sequence[Model]) -> int:
    """The Weapon Skill of the majority of the engaged enemy models."""
    skills = Counter(m.profile.ws for m in models)
    return max(skills, key=lambda skill: (skills[skill], skill), default=0)


@rule("base-weapons/close-combat")
def strength_of(model: Model, weapon: Melee) -> int:
    """The Strength of a blow. A fist doubles it, up to 10."""
    own = int(model.profile.s)
    return min(STRONGEST, 2 * own) if weapon in ("fist", "walker-fist") else own


@rule("base-melee/wound-and-save", "base-weapons/close-combat", "base-units/great-creatures")
def save_in_melee(model: Model, weapon: Melee, by_great: bool) -> int:
    """The save: full armour unless the weapon denies it, and at best 4 against a cleaver."""
    armour = model.profile.save
    if weapon in ("power", "fist", "walker-fist") or by_great:
        armour = None
    elif weapon == "cleaver" and armour is not None:
        armour = max(armour, CLEAVED)
    return best_save(armour, model.profile.invulnerable)


# ---------------------------------------------------------------- the blows


Inflicted = tuple[int, int]
"""The wounds inflicted by each side."""


@rule("base-melee/sequence", "base-melee/initiative-order")
async def fight_out(position: Position, rows: Sequence[int]) -> tuple[Fight, Inflicted]:
    """Fight in order of Initiative; return the fight and the wounds inflicted by each side."""
    fight = fight_of(position, rows)
    order = order_of_blows(fight)
    inflicted = (0, 0)
    for value in initiatives(order):
        inflicted = added(inflicted, await strike_at(fight, order, value))
    return fight, inflicted


Order = tuple[tuple[int, int], ...]
"""The rows of the strikers, each with its Initiative."""


@rule("base-melee/casualties")
def order_of_blows(fight: Fight) -> Order:
    """The strikers and their Initiative, settled when the melee begins. Whoever has struck elsewhere does not."""
    able = [m for side in (0, 1) for m in fight.models(side) if not m.marks(STRUCK)]
    strikers = [m for m in able if not cannot_respond(m.unit)]
    return tuple((m.row, strikes_at(m, fight)) for m in strikers)


def initiatives(order: Order) -> list[int]:
    return sorted({value for _, value in order}, reverse=True)


def added(one: Inflicted, other: Inflicted) -> Inflicted:
    return one[0] + other[0], one[1] + other[1]


@rule("base-melee/sequence", "base-general/dice-order")
async def strike_at(fight: Fight, order: Order, value: int) -> Inflicted:
    """All blows of one Initiative, the attackers' dice first. The dead are removed after both sides.

    A walker that the others destroy or stun still strikes.
    """
    now = {row for row, one in order if one == value}
    hurt: list[Model] = []
    inflicted = [0, 0]
    together = [[m for m in fight.models(side) if m.row in now] for side in (0, 1)]
    fight = fight._replace(attacks=tuple((m.row, attacks(m, fight)) for models in together for m in models))
    for side in (fight.attacker, 1 - fight.attacker):
        models = together[side]
        for unit in dict.fromkeys(m.unit.row for m in models):
            inflicted[side] += await strike_with([m for m in models if m.unit.row == unit], fight, hurt)
    remove_the_dead(list({m.row: m for m in hurt}.values()), CAUSE)
    return inflicted[0], inflicted[1]


async def strike_with(models: Sequence[Model], fight: Fight, hurt: list[Model]) -> int:
    """The blows of one unit's models. Returns the wounds that they inflict."""
    total = 0
    for blows in await choose_targets(models[0].side, models, fight):
        for row in blows.rows:
            fight.position.model(row).mark(STRUCK, 1, quietly=True)
        if blows.target[0] == "model" and fight.position.model(blows.target[1]).profile.has_armour:
            total += await strike_vehicle(blows, fight)
        else:
            total += await strike_men(blows, fight, hurt)
    return total


class Landed(NamedTuple):
    """How many blows hit or wound, and how many rending ones do so automatically and deny armour."""

    blows: int
    rending: int = 0


async def strike_men(blows: Blows, fight: Fight, hurt: list[Model]) -> int:
    """Resolve the blows up to the wounds lost, and return how many."""
    count = how_many(blows, fight)
    if not count:
        return 0
    stages = tuple(partial(stage, blows, fight) for stage in (hit, wound, save, give_out))
    lost: int = await through((*stages, partial(lose, blows, fight, hurt)), count)
    return lost


def how_many(blows: Blows, fight: Fight) -> int:
    """The number of attacks of all strikers, 0 if no victim is left."""
    strikers = [fight.position.model(row) for row in blows.rows]
    return sum(attacks_now(m, fight) for m in strikers) if victims_of(blows.target, fight) else 0


@rule("base-melee/initiative-order")
def attacks_now(model: Model, fight: Fight) -> int:
    """The model's attacks, counted before any model of its Initiative struck."""
    return dict(fight.attacks)[model.row] if fight.attacks else attacks(model, fight)


@rule("base-melee/to-hit", "base-weapons/close-combat")
async def hit(blows: Blows, fight: Fight, count: int) -> Landed:
    first = fight.position.model(blows.rows[0])
    need = hit_need(int(first.profile.ws), majority_skill(victims_of(blows.target, fight)))
    if need is None:
        return Landed(0)
    rolled = await roll_for(first.side, "melee-hit", [0] * count, need, **about(blows, first))
    rending = sum(face == 6 for face in rolled.faces) if blows.weapon == "rending" else 0
    return Landed(rolled.successes - rending, rending)


@rule("base-melee/wound-and-save", "base-weapons/close-combat")
async def wound(blows: Blows, fight: Fight, landed: Landed) -> Landed:
    first = fight.position.model(blows.rows[0])
    victim = victims_of(blows.target, fight)[0]
    need = wound_need(strength_of(first, blows.weapon), victim.profile.t)
    if need is None or not landed.blows:
        return Landed(0, landed.rending)
    rolled = await roll_for(first.side, "melee-wound", [0] * landed.blows, need, **about(blows, first))
    return Landed(rolled.successes, landed.rending)


def about(blows: Blows, first: Model) -> dict[str, Plain]:
    kind, row = blows.target
    return {"unit": first.unit.row, "target" if kind == "model" else "foe": row}


@rule("base-melee/wound-and-save", "base-general/dice-order", "hierarchy/unit-composition")
async def save(blows: Blows, fight: Fight, wounds: Landed) -> int:
    """The unsaved wounds. All models of a unit save alike; wounds of rending blows are rolled last."""
    first, victim = fight.position.model(blows.rows[0]), victims_of(blows.target, fight)[0]
    great = first.profile.kind == "great"
    unsaved = 0
    for count, weapon in ((wounds.blows, blows.weapon), (wounds.rending, DENIES_ARMOUR)):
        need = save_need(save_in_melee(victim, weapon, great))
        if need is None:
            tell_no_save(fight.position, [victim.unit.row], count)
            unsaved += count
            continue
        rolled = await roll_for(victim.side, "melee-save", [0] * count, need, **about(blows, first))
        unsaved += count - rolled.successes
    return unsaved


@rule("base-melee/casualties")
async def give_out(blows: Blows, fight: Fight, unsaved: int) -> tuple[int, ...]:
    """The rows that take the unsaved wounds, as the owner assigns them. Wounds beyond the engaged models are lost."""
    first, victims = fight.position.model(blows.rows[0]), victims_of(blows.target, fight)
    room = {m.row: room_for(m, strength_of(first, blows.weapon)) for m in victims}
    count = min(unsaved, sum(room.values()))
    if count in (0, sum(room.values())) or not is_told_apart(victims):
        return tuple(in_turn(victims, room, count))
    question = Allot(
        victims[0].side,
        "assign-wounds",
        ["wound"] * count,
        list(room),
        lambda given: too_many(given, victims, room),
        lambda rng: in_turn(shuffled(victims, rng), room, count),
        {"unit": first.unit.row},
    )
    return tuple(await ask(question))


@rule("base-shoot/instant-death")
def room_for(model: Model, strength: int) -> int:
    """How many unsaved wounds a model takes until it is removed."""
    left = max(0, wounds_left(model))
    return min(1, left) if kills_outright(strength, model) else left


def is_told_apart(victims: Sequence[Model]) -> bool:
    """Whether it matters which of the victims take the wounds."""
    return len({m.profile for m in victims}) > 1 or any(m.marks(LEADS) for m in victims)


@rule("base-melee/result", "base-shoot/instant-death")
async def lose(blows: Blows, fight: Fight, hurt: list[Model], rows: tuple[int, ...]) -> int:
    """The wounds lost; a blow that kills outright takes all that are left."""
    first = fight.position.model(blows.rows[0])
    victims = [fight.position.model(row) for row in rows]
    hurt += victims
    return sum(suffer(m, strength_of(first, blows.weapon), CAUSE, first.row) for m in victims)


def shuffled(victims: list[Model], rng: Random | None) -> list[Model]:
    return victims if rng is None else rng.sample(victims, len(victims))


@rule("base-melee/casualties")
def in_turn(victims: Sequence[Model], room: dict[int, int], count: int) -> list[int]:
    """Assign wounds to one wounded model after another, those worth least first."""
    ordered = sorted(victims, key=lambda m: (m.marks(WOUNDS) < 1, m.marks(LEADS), m.profile.points, -m.marks(WOUNDS)))
    return [m.row for m in ordered for _ in range(room[m.row])][:count]


@rule("base-melee/casualties")
def too_many(given: Sequence[int], victims: Sequence[Model], room: dict[int, int]) -> Fault | None:
    """No model takes more than its room, wounded models come first, and only one may be left partly wounded."""
    counts = Counter(given)
    begun = 0
    fresh = next((m for m in victims if counts[m.row] and not m.marks(WOUNDS)), None)
    if fresh is not None and any(m.marks(WOUNDS) and counts[m.row] < room[m.row] for m in victims):
        return Fault(model=fresh.row)
    for model in victims:
        taken, most = counts[model.row], room[model.row]
        if taken > most:
            return Fault(measured=taken, limit=most, model=model.row)
        begun += 0 < taken < most
        if begun > 1:
            return Fault(model=model.row)
    return None


# ---------------------------------------------------------------- base-vehicle/walkers, assaulting-vehicles


@rule("base-vehicle/walkers", "base-vehicle/assaulting-vehicles", "base-general/dice-order")
async def strike_vehicle(blows: Blows, fight: Fight) -> int:
    """Roll all hits first, then resolve each. Against a walker every glancing or penetrating hit is a wound."""
    vehicle = fight.position.model(blows.target[1])
    hits = await hit_vehicle(blows, fight, await blows_at(blows, fight))
    return sum([await strike(vehicle, hit) for hit in hits])


async def blows_at(blows: Blows, fight: Fight) -> tuple[Struck, ...]:
    """The blows of all strikers at a vehicle, or one grenade for each striker that throws one."""
    position, vehicle = fight.position, fight.position.model(blows.target[1])
    strikers = [position.model(row) for row in blows.rows]
    if need_against(strikers[0], vehicle) is None:
        return ()
    thrown = await grenades_thrown(strikers, vehicle)
    struck: list[Struck] = []
    for model in strikers:
        grenade = thrown.get(model.row)
        struck += [blow_at(model, vehicle, blows.weapon, grenade)] * (
            attacks_now(model, fight) if grenade is None else 1
        )
    return tuple(struck)


@rule("base-melee/to-hit", "base-vehicle/assaulting-vehicles")
async def hit_vehicle(blows: Blows, fight: Fight, struck: tuple[Struck, ...]) -> tuple[Struck, ...]:
    """The blows that hit."""
    first = fight.position.model(blows.rows[0])
    need = need_against(first, fight.position.model(blows.target[1]))
    if need is None:
        return ()
    things = [(hit.strength, hit.extra, hit.face) for hit in struck]
    rolled = await roll_for(first.side, "melee-hit", things, need, **about(blows, first))
    return tuple(hit for hit, lands in zip(struck, rolled.hits, strict=True) if lands)


@rule("base-vehicle/walkers", "base-vehicle/assaulting-vehicles", "base-units/great-creatures")
def blow_at(model: Model, vehicle: Model, weapon: Melee, grenade: Grenade | None) -> Struck:
    """How a blow or a grenade strikes: a walker always in front, another vehicle on the side touched."""
    strength, extra = grenade or (strength_of(model, weapon), int(model.profile.kind == "great"))
    face = "front" if vehicle.profile.is_walker else face_towards(vehicle, model.at)
    return Struck(strength, None, face, model.row, is_fire=False, extra=extra)


@rule("base-melee/to-hit", "base-vehicle/assaulting-vehicles", "vehicles/moved-status")
def need_against(model: Model, vehicle: Model) -> Need | None:
    """The need to hit: by Skill against a walker; automatic, 4 or 6 by how fast another vehicle moved."""
    if vehicle.profile.is_walker:
        return hit_need(int(model.profile.ws), int(vehicle.profile.ws))
    return Need(max(1, HITS_AT[speed(vehicle)]))


@rule("base-weapons/grenades")
def grenade_of(model: Model, vehicle: Model) -> Grenade | None:
    """The grenade that the model may use, or None; none against a walker that can move."""
    if vehicle.profile.is_walker and not (is_stunned(vehicle) or vehicle.marks(IMMOBILISED)):
        return None
    if model.profile.carries("fusion-charges"):
        return FUSION
    return KRAK if model.profile.carries("krak-grenades") else None


@rule("base-weapons/grenades")
async def grenades_thrown(strikers: Sequence[Model], vehicle: Model) -> dict[int, Grenade]:
    """The grenades used instead of all attacks, by the rows of the models whose owner chooses so."""
    able = {m.row: grenade for m in strikers if (grenade := grenade_of(m, vehicle)) is not None}
    options: dict[int, list[Plain]] = {row: [GRENADE, BLOWS] for row in able}
    side = strikers[0].side
    thrown = partial(alike_or_each, side, "grenades", options, "part")
    chosen = await fill_in_script(side, "grenades", thrown, models=list(able))
    return {row: grenade for row, grenade in able.items() if (chosen or {}).get(row) == GRENADE}
