"""Resolving a volley: shots, hits, allocation, wounds, saves, casualties (fire/procedure, 3 to 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from campale.dice.needs import Need, halved
from campale.dice.stages import Stage, through
from campale.mechanics.frames import push
from campale.mechanics.script_form import fill_in_script
from campale.referee.ask import ask, reroll, roll, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Allot
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.command.halt import halt_save
from campale.rulesets.e3m.command.orders import is_halted, show
from campale.rulesets.e3m.command.units import FIRED, GIVEN_AWAY, PREPARED, STATIONARY, wounds_left
from campale.rulesets.e3m.fire import markers
from campale.rulesets.e3m.fire.area import Arm, base_of, hit_in
from campale.rulesets.e3m.fire.declaring import declaration
from campale.rulesets.e3m.fire.kinds import (
    AT_OVERRUN,
    OVERRUN_WITH,
    OVERRUNNING,
    PREPARATORY,
    USED,
    Kind,
    notes_mounts,
    reduced,
    shots_of,
)
from campale.rulesets.e3m.fire.plan import HOLD, VEHICLE, Pool, Volley
from campale.rulesets.e3m.fire.vehicle_fire import models_hit
from campale.rulesets.e3m.fire.wounds import (
    SNIPER_WOUNDS,
    armour_save,
    best_save,
    cover_of,
    kind_of,
    remove_the_dead,
    save_need,
    saves_by_armour,
    suffer,
    tell_no_save,
    wound_need,
)
from campale.rulesets.e3m.vehicles.damage import Struck, face_towards, has_melta, strike
from campale.table.measure import gap, gap_to_point
from campale.table.shapes import Point

SNIPER_HITS = 2
CAUSE = "fire"


class Hit(NamedTuple):
    """A hit on a model without armour values: the line that scored it, and the shooter's row."""

    line: Line
    shooter: int


OnModel = tuple[int, Hit]
"""A hit on the model of this row."""
Hurt = dict[int, Hit]
"""For the row of each model that lost wounds, the last hit that caused it."""


class Hits(NamedTuple):
    """The rows of shooters that hit with one weapon profile, shot by shot, and the rows of those it burnt."""

    rows: tuple[int, ...]
    burnt: tuple[int, ...] = ()


class Scored(NamedTuple):
    """The hits scored.

    ``loose``: to be allocated; ``marked``: hits of markers on models under them; ``burnt``: rows of shooters wounded by
    their own weapons; ``struck``: rows of vehicles under markers, with how they are struck.
    """

    loose: tuple[Hit, ...] = ()
    marked: tuple[OnModel, ...] = ()
    burnt: tuple[int, ...] = ()
    struck: tuple[tuple[int, Struck], ...] = ()


class Dealt(NamedTuple):
    """Hits on models, in the order in which they are rolled for."""

    hits: tuple[OnModel, ...]
    burnt: tuple[int, ...] = ()
    struck: tuple[tuple[int, Struck], ...] = ()


# ---------------------------------------------------------------- the whole volley


@rule("fire/procedure", "hierarchy/fire-by-unit", "fire/kinds")
async def fire(unit: Unit, kind: Kind, against: Sequence[int] = ()) -> bool:
    """Ask how a unit fires and resolve it; return whether it fired."""
    script = partial(declaration, unit, kind, tuple(against))
    about: dict[str, Plain] = {"unit": unit.row, "against": list(against)}
    volley = await fill_in_script(unit.side, f"fire.{kind.name}", script, [HOLD], **about)
    if volley is None:
        return False
    await resolve(volley)
    return True


@rule("fire/procedure", "orders/reveal", "vehicles/overrun-morale")
async def resolve(volley: Volley) -> None:
    """Resolve steps 3 to 7 and push the tests of step 8. In an overrun those for a quarter lost wait until its end."""
    unit, position = volley.unit, volley.unit.position
    show(position, [unit])
    note_firing(volley)
    for row, arms in by_vehicle(volley):
        await hit_vehicle(volley, arms, position.model(row))
        volley = volley._replace(before=counted(volley, arms, position.model(row)))
    hurt: Hurt = {}
    if volley.target is not None and volley.target[0] == "vehicle":
        hurt = await hit_vehicle(volley, volley.arms, position.model(volley.target[1]))
    elif volley.arms:
        hurt = await through(stages_of(volley), Scored())
    if volley.sniper is not None:
        hurt |= await snipe(volley)
    pinned = casualties(position, hurt, unit)
    if volley.kind not in (AT_OVERRUN, OVERRUNNING):
        push(position, ("tests", pinned, 1 - unit.side))
    elif pinned:
        push(position, ("pinning-tests", pinned))


def by_vehicle(volley: Volley) -> list[tuple[int, list[Arm]]]:
    """The heavy weapons that fire at vehicles: those of one profile together, by the row of the vehicle."""
    found: dict[tuple[int, tuple[str, int]], list[Arm]] = {}
    for arm, row in volley.apart:
        found.setdefault((row, arm.key), []).append(arm)
    return [(row, arms) for (row, _), arms in found.items()]


@rule("fire/reduced-strength")
def counted(volley: Volley, arms: Sequence[Arm], vehicle: Model) -> tuple[tuple[tuple[str, int], int], ...]:
    """The shots of each profile counted so far, with those of these arms. Rolled numbers of shots are not counted."""
    fixed = [arm for arm in arms if not arm.line.die]
    shots = sum(shots_of(arm.model, arm.line, gap(base_of(arm.model), vehicle.solid), volley.kind) for arm in fixed)
    found = dict(volley.before)
    found[arms[0].key] = found.get(arms[0].key, 0) + shots
    return tuple(found.items())


def with_apart_counted(volley: Volley) -> Volley:
    """The volley after its heavy weapons have fired at vehicles."""
    for row, arms in by_vehicle(volley):
        volley = volley._replace(before=counted(volley, arms, volley.unit.position.model(row)))
    return volley


def stages_of(volley: Volley) -> tuple[Stage, ...]:
    """The stages of a volley at models without armour values. All but the last leave the position unchanged."""
    stages = (score, lay_out, wound, save, lose)
    return tuple(partial(stage, volley) for stage in stages)


@rule("orders/hidden-lost")
def give_away(unit: Unit) -> None:
    """A halted unit that fires gives itself away for the rest of the turn."""
    if is_halted(unit):
        unit.mark(GIVEN_AWAY, 1)


def note_firing(volley: Volley) -> None:
    """Note what the unit can no longer do in this turn."""
    unit = volley.unit
    unit.mark(FIRED, 1)
    give_away(unit)
    if volley.kind is PREPARATORY:
        unit.mark(PREPARED, 1)
        unit.mark(STATIONARY, int(volley.stays))
    if volley.kind in (PREPARATORY, OVERRUNNING):
        note_mounts(volley)
    goal: dict[str, Plain] = {}
    if volley.area is not None:
        inside = hittable(volley)
        units = dict.fromkeys(m.unit.row for m in inside)
        x, y, diameter = volley.area
        goal = {"x": x, "y": y, "diameter": diameter, "units": list(units), "count": len(inside)}
    elif volley.target is not None:
        goal = {volley.target[0]: volley.target[1]} if volley.target[0] == VEHICLE else {"units": [volley.target[1]]}
    unit.position.write("fires", unit=unit.row, fire=volley.kind.name, **goal)


@rule("vehicles/overrun-fire")
def note_mounts(volley: Volley) -> None:
    """Note the weapons that vehicles use in preparatory fire and in overruns."""
    name = OVERRUN_WITH if volley.kind is OVERRUNNING else USED
    for arm in (*volley.arms, *(arm for arm, _ in volley.apart), *(volley.sniper or ())[:1]):
        if notes_mounts(arm.model):
            arm.model.jot(name, tuple(dict.fromkeys((*arm.model.note(name, ()), arm.mount))))


# ---------------------------------------------------------------- shots and hits


@rule("base-shoot/to-hit", "base-weapons/special")
def hit_need(model: Model, line: Line) -> Need:
    """The need to hit: 7 less the Ballistic Skill, at best 2; 2 for a sniper rifle. A 1 always misses."""
    number = SNIPER_HITS if line.has("sniper") else max(2, 7 - model.profile.bs)
    return Need(number, never=(1,))


@rule("fire/hits-counted-by-shooter", "base-general/dice-order", "base-weapons/special")
async def pool_of(volley: Volley, arms: Sequence[Arm], point: Point | None, target: Model | None = None) -> Pool:
    """The shots of the models with one weapon profile. Dice for the number of shots are rolled first."""
    line, kind = arms[0].line, volley.kind
    rows: list[int] = []
    for arm in arms:
        base = base_of(arm.model)
        far = gap(base, target.solid) if target is not None else gap_to_point(base, *(point or (0.0, 0.0)))
        shots = shots_of(arm.model, line, far, kind)
        if line.die and shots:
            face = (await roll(volley.unit.side, "shots", model=arm.model.row)).total
            shots = halved(face) if line.die == 3 else face
        rows += [arm.model.row] * shots
    options, before = volley.unit.position.options, dict(volley.before).get(arms[0].key, 0)
    count = reduced(before + len(rows), kind, options) - reduced(before, kind, options)
    return Pool(arms[0].key[0], line, tuple(rows[:count]))


@rule("base-shoot/to-hit", "fire/hits-counted-by-shooter", "base-weapons/special")
async def hits_of(volley: Volley, pool: Pool, at: int) -> Hits:
    """The shooters whose shots hit, shot by shot. An overheating weapon may wound a shooter that rolls a 1."""
    position, line = volley.unit.position, pool.line
    hitting: list[int] = []
    burnt: list[int] = []
    models = [position.model(row) for row in pool.rows]
    about = shots_told(volley, pool, at)
    for need in dict.fromkeys(hit_need(model, line) for model in models):
        rows = [m.row for m in models if hit_need(m, line) == need]
        things = [told_by(position, line, row, at) for row in rows]
        rolled = await roll_for(volley.unit.side, "to-hit", things, need, **about)
        if line.has("twin-linked"):
            rolled = await reroll(volley.unit.side, "twin-linked", rolled, "failures", **about)
        if line.has("overheating"):
            burnt += await overheat(
                [position.model(row) for row, face in zip(rows, rolled.faces, strict=True) if face == 1]
            )
        if len(set(things)) > 1:
            hitting += [row for row, is_hit in zip(rows, rolled.hits, strict=True) if is_hit]
        else:
            hitting += rows[: rolled.successes]
    return Hits(tuple(hitting), tuple(burnt))


def shots_told(volley: Volley, pool: Pool, at: int) -> dict[str, Plain]:
    """What the journal says about a roll: who fires what, and the vehicle it is fired at (row ``at``)."""
    about: dict[str, Plain] = {"unit": volley.unit.row, "weapon": pool.weapon}
    return {**about, "target": at} if at >= 0 and volley.unit.position.model(at).profile.has_armour else about


@rule("base-vehicle/facing", "base-weapons/special", "fire/marker-weapons-in-area")
def told_by(position: Position, line: Line, row: int, at: int) -> Plain:
    """What distinguishes a shooter's dice from those of others.

    Its weapon may burn it or lay a marker; at a vehicle (row ``at``), it depends on the side that the shooter sees and
    on whether melta counts.
    """
    if line.has("overheating") or line.is_marker:
        return row
    if at < 0 or not position.model(at).profile.has_armour:
        return 0
    struck = struck_by(position, position.model(at), Hit(line, row))
    return struck.face, has_melta(struck)


@rule("base-weapons/special")
async def overheat(models: Sequence[Model]) -> list[int]:
    """The rows of models wounded by their own weapons, without armour values and with a failed save."""
    return [m.row for m in models if not m.profile.has_armour and not await saves_by_armour(m)]


def burn(position: Position, rows: Sequence[int]) -> None:
    """Wound the models whose own weapons overheated."""
    for shooter in map(position.model, rows):
        suffer(shooter, 0, "overheating", shooter.row)
        remove_the_dead([shooter], "overheating", shooter.row)


def in_order(volley: Volley, arms: Sequence[Arm]) -> list[list[Arm]]:
    """The arms by weapon profile in the announced order, markers and templates first."""
    keys = dict.fromkeys((*volley.order, *(arm.key for arm in arms)))
    found = [[arm for arm in arms if arm.key == key] for key in keys]
    return sorted((group for group in found if group), key=lambda group: not group[0].line.is_marker)


# ---------------------------------------------------------------- at other models


@rule("fire/hit-allocation", "fire/mixed-weapons", "fire/marker-weapons-in-area")
async def score(volley: Volley, begun: Scored) -> Scored:
    """Roll to hit, weapon profile by weapon profile. Markers are laid at once."""
    holders = hittable(volley)
    point = volley.area[:2] if volley.area is not None else None
    marked, loose, burnt, struck = list(begun.marked), list(begun.loose), list(begun.burnt), list(begun.struck)
    for group in in_order(volley, volley.arms):
        line = group[0].line
        nearest = None if point is not None else nearest_of(group[0].model, holders)
        pool = await pool_of(volley, group, point, nearest)
        if line.is_marker:
            rows = tuple(m.row for m in holders)
            for row in await markers.uses_of(volley, pool, hits_of):
                under = await through((partial(markers.lay, volley, line, row),), rows)
                marked += [(victim, Hit(line, row)) for victim in under.men]
                struck += under.vehicles
        else:
            aimed = partial(hits_of, volley, pool)
            hits: Hits = await through((aimed,), holders[0].row if holders else -1)
            loose += [Hit(line, row) for row in hits.rows]
            burnt += hits.burnt
    return Scored(tuple(loose), tuple(marked), tuple(burnt), tuple(struck))


def nearest_of(model: Model, holders: Sequence[Model]) -> Model | None:
    return min(holders, key=lambda m: gap(base_of(model), m.solid), default=None)


def hittable(volley: Volley) -> list[Model]:
    """The models that can be hit: those in the area, or those of a vehicle's one target."""
    position = volley.unit.position
    if volley.area is not None:
        return hit_in(position, volley.arms, volley.area)
    if volley.target is None:
        return []
    rows = {m.row for arm in volley.arms for m in models_hit(arm, volley.target)}
    return [position.model(row) for row in sorted(rows)]


@rule("fire/hit-allocation", "fire/surplus-hits", "fire/mixed-weapons")
async def lay_out(volley: Volley, scored: Scored) -> Dealt:
    """Allocate every hit: those of markers to the models under them, the others as the defender chooses."""
    given = await lay_down(volley, scored.loose, hittable(volley), [row for row, _ in scored.marked])
    hits = [*scored.marked, *zip(given, scored.loose, strict=False)]
    turns = {row: n for n, row in enumerate(dict.fromkeys(row for row, _ in hits))}
    if hits:
        tell_of_hits(volley.unit.position, [row for row, _ in hits])
    return Dealt(tuple(sorted(hits, key=lambda one: turns[one[0]])), scored.burnt, scored.struck)


def tell_of_hits(position: Position, rows: list[int]) -> None:
    """``struck``: a row for each hit."""
    units = list(dict.fromkeys(position.unit_of[row] for row in rows))
    position.write("hits-laid", units=units, count=len(rows), many=len(set(rows)), struck=rows)


async def lay_down(volley: Volley, loose: Sequence[Hit], holders: list[Model], already: list[int]) -> list[int]:
    """The defender allocates each hit to a model that can be hit. There is no question if it cannot matter."""
    rows = [m.row for m in holders]
    if not loose or not rows:
        return []
    if len(rows) == 1:
        return rows * len(loose)
    side = 1 - volley.unit.side
    question = Allot(
        side,
        "lay-down",
        [hit_told(hit.line) for hit in loose],
        rows,
        lambda given: out_of_turn(given, rows, already),
        lambda rng: proposed(len(loose), holders, already, rng),
        {"unit": volley.unit.row, "marked": already},
    )
    if is_all_one(holders, len(loose), already, volley):
        return proposed(len(loose), holders, already, None)
    given: list[int] = await ask(question)
    return given


def hit_told(line: Line) -> Plain:
    return {"hit": line.strength} if line.ap is None else {"hit": line.strength, "ap": line.ap}


@rule("fire/surplus-hits", "fire/mixed-weapons")
def out_of_turn(given: Sequence[int], rows: Sequence[int], already: Sequence[int]) -> Fault | None:
    """No model takes a second hit before every model has one; then further hits go anywhere."""
    hit = set(already) & set(rows)
    for row in given:
        if row in hit and len(hit) < len(rows):
            return Fault(measured=2, limit=1, model=row, rule="fire/surplus-hits")
        hit.add(row)
    return None


def proposed(count: int, holders: Sequence[Model], already: Sequence[int], rng: Random | None) -> list[int]:
    """One hit each, cheapest first, and the rest on the cheapest; with ``rng``, one each in random order."""
    by_worth = sorted(holders, key=lambda m: (m.marks("leads"), m.profile.is_heavy_weapon_model, m.profile.points))
    rows = [m.row for m in by_worth]
    if rng is not None:
        rng.shuffle(rows)
    free = [row for row in rows if row not in already]
    return [*free[:count], *([rows[0]] * max(0, count - len(free)))]


def is_all_one(holders: Sequence[Model], count: int, already: Sequence[int], volley: Volley) -> bool:
    """Whether the allocation cannot matter: each model takes one hit, and all are alike."""
    if count != len(holders) or already:
        return False
    first = holders[0]
    alike = all(m.profile == first.profile and m.unit == first.unit and not m.marks("leads") for m in holders)
    wounds = {wounds_left(m) for m in holders}
    return alike and len(wounds) == 1 and len({cover_of(volley.firing, m) for m in holders}) == 1


@rule("base-shoot/best-save", "base-shoot/cover-save", "orders/halt-save", "base-weapons/template")
def save_of(volley: Volley, target: Model, line: Line) -> int:
    """The model's best save against a hit. Cover and Halt do not help against templates."""
    armour = armour_save(target.profile.save, line.ap)
    if line.is_template:
        return best_save(armour, target.profile.invulnerable)
    cover = cover_of(volley.firing, target)
    return best_save(armour, cover, halt_save(target, cover), target.profile.invulnerable)


@rule("fire/wound-and-save", "base-general/dice-order")
async def wound(volley: Volley, dealt: Dealt) -> Dealt:
    """Roll to wound, model by model in the allocated order, and return the hits that wound."""
    position, side = volley.unit.position, volley.unit.side
    needs = [need_to_wound(position.model(row), hit.line) for row, hit in dealt.hits]
    wounding: list[OnModel] = []
    for need, run in runs(needs):
        if need is not None:
            hits = [dealt.hits[k] for k in run]
            about = {"unit": volley.unit.row, **foe_of(position, hits)}
            rolled = await roll_for(side, "to-wound", told_apart(volley, dealt, hits), need, **about)
            wounding += [one for one, is_hit in zip(hits, rolled.hits, strict=True) if is_hit]
    return dealt._replace(hits=tuple(wounding))


@rule("fire/wound-and-save", "base-general/dice-order")
async def save(volley: Volley, dealt: Dealt) -> Dealt:
    """Roll all saves in the same order, and return the wounds that are not saved."""
    position, side = volley.unit.position, 1 - volley.unit.side
    needs = [save_need(save_of(volley, position.model(row), hit.line)) for row, hit in dealt.hits]
    unsaved: list[OnModel] = []
    for need, run in runs(needs):
        hits = [dealt.hits[k] for k in run]
        if need is not None:
            rolled = await roll_for(side, "save", told_apart(volley, dealt, hits), need, **foe_of(position, hits))
            hits = [one for one, is_saved in zip(hits, rolled.hits, strict=True) if not is_saved]
        else:
            tell_no_save(position, units_of(position, hits), len(hits), **cancelled_by(position, hits))
        unsaved += hits
    return dealt._replace(hits=tuple(unsaved))


def units_of(position: Position, hits: Sequence[OnModel]) -> list[int]:
    return [position.model(row).unit.row for row, _ in hits]


def cancelled_by(position: Position, hits: Sequence[OnModel]) -> dict[str, Plain]:
    """The one AP that cancels the armour of all that is hit, if it is one and all have armour."""
    values = {hit.line.ap if position.model(row).profile.save is not None else None for row, hit in hits}
    (ap,) = values if len(values) == 1 else (None,)
    return {} if ap is None else {"ap": ap}


def foe_of(position: Position, hits: Sequence[OnModel]) -> dict[str, Plain]:
    """The one unit that the hits fall on; empty if there are several."""
    units = set(units_of(position, hits))
    return {"foe": units.pop()} if len(units) == 1 else {}


def told_apart(volley: Volley, dealt: Dealt, hits: Sequence[OnModel]) -> list[Plain]:
    """What distinguishes the dice for hits: the model if it takes several, else its kind and its save."""
    many = Counter(row for row, _ in dealt.hits)
    models = [volley.unit.position.model(row) for row, _ in hits]
    return [
        (m.row if many[m.row] > 1 else -1, *kind_of(m), save_of(volley, m, hit.line), hit.line.strength, hit.line.fire)
        for m, (_, hit) in zip(models, hits, strict=True)
    ]


async def lose(volley: Volley, dealt: Dealt) -> Hurt:
    """Suffer the unsaved wounds. Returns each hurt model's row with its last hit."""
    position = volley.unit.position
    burn(position, dealt.burnt)
    await markers.strike_all(position, dealt.struck)
    return {row: hit for row, hit in dealt.hits if suffer(position.model(row), hit.line.strength, CAUSE, hit.shooter)}


def runs(needs: Sequence[Need | None]) -> list[tuple[Need | None, list[int]]]:
    """Indices of equal consecutive needs, which are rolled together."""
    found: list[tuple[Need | None, list[int]]] = []
    for k, need in enumerate(needs):
        if found and found[-1][0] == need:
            found[-1][1].append(k)
        else:
            found.append((need, [k]))
    return found


@rule("base-shoot/to-wound", "base-weapons/special")
def need_to_wound(model: Model, line: Line) -> Need | None:
    """The need to wound. A sniper rifle wounds on 4+ whatever the Toughness."""
    return Need(SNIPER_WOUNDS) if line.has("sniper") else wound_need(line.strength, model.profile.t)


# ---------------------------------------------------------------- at a vehicle


@rule("fire/area-vehicles", "fire/heavy-weapon-target", "base-vehicle/penetration", "base-general/dice-order")
async def hit_vehicle(volley: Volley, arms: Sequence[Arm], vehicle: Model) -> Hurt:
    """Roll all to-hit dice, then resolve each hit on the side of the vehicle that its shooter sees.

    Returns the other models hurt by a marker that scattered.
    """
    position = volley.unit.position
    scored: Scored = await through((partial(score_at, volley, tuple(arms), vehicle.row),), Scored())
    burn(position, scored.burnt)
    for hit in scored.loose:
        await strike(vehicle, struck_by(position, vehicle, hit))
    await markers.strike_all(position, scored.struck)
    hurt: Hurt = await through(stages_of(volley)[2:], Dealt(scored.marked))
    return hurt


@rule("fire/area-vehicles", "fire/heavy-weapon-target")
async def score_at(volley: Volley, arms: tuple[Arm, ...], row: int, begun: Scored) -> Scored:
    """Roll to hit a vehicle. A marker aimed at it may land elsewhere."""
    position = volley.unit.position
    vehicle = position.model(row)
    loose, marked, burnt, struck = list(begun.loose), list(begun.marked), list(begun.burnt), list(begun.struck)
    for group in in_order(volley, arms):
        pool = await pool_of(volley, group, None, vehicle)
        line = group[0].line
        if line.is_marker:
            for shooter in await markers.uses_of(volley, pool, hits_of):
                under = await through((partial(markers.lay_on_vehicle, volley, line, shooter),), row)
                marked += [(victim, Hit(line, shooter)) for victim in under.men]
                struck += under.vehicles
        else:
            hits: Hits = await through((partial(hits_of, volley, pool),), row)
            loose += [Hit(line, shooter) for shooter in hits.rows]
            burnt += hits.burnt
    return Scored(tuple(loose), tuple(marked), tuple(burnt), tuple(struck))


@rule("base-vehicle/facing", "base-weapons/special")
def struck_by(position: Position, vehicle: Model, hit: Hit) -> Struck:
    """A hit on the side that its shooter sees. A sniper rifle has Strength 0 against armour."""
    base = base_of(position.model(hit.shooter))
    strength = 0 if hit.line.has("sniper") else hit.line.strength
    face = face_towards(vehicle, (base.x, base.y))
    return Struck(strength, hit.line, face, hit.shooter, far=gap(base, vehicle.solid))


# ---------------------------------------------------------------- the sniper, casualties


@rule("fire/sniper-resolution", "base-weapons/special")
async def snipe(volley: Volley) -> Hurt:
    """One shot at the sniper's own Ballistic Skill. A hit strikes the named model and no other.

    A twin-linked weapon may roll a miss again, and one that overheats may wound the sniper.
    """
    assert volley.sniper is not None
    arm, row = volley.sniper
    victim = volley.unit.position.model(row)
    need = hit_need(arm.model, arm.line)
    rolled = await roll(volley.unit.side, "sniper", needed=need, model=arm.model.row, target=row)
    if arm.line.has("twin-linked"):
        side, weapon = volley.unit.side, arm.key[0]
        rolled = await reroll(side, "twin-linked", rolled, "failures", unit=volley.unit.row, weapon=weapon, target=row)
    is_hot = arm.line.has("overheating") and 1 in rolled.faces
    burnt = tuple(await overheat([arm.model])) if is_hot else ()
    hits = ((victim.row, Hit(arm.line, arm.model.row)),) if rolled.successes else ()
    alone = volley._replace(arms=(arm,), area=None)
    found: Hurt = await through(stages_of(alone)[2:], Dealt(hits, burnt)) if hits or burnt else {}
    return found


@rule("fire/casualties-then-morale", "base-shoot/wounds", "base-weapons/pinning")
def casualties(position: Position, hurt: Hurt, by: Unit) -> tuple[int, ...]:
    """Remove models without wounds; return units that lost a model to a sniper rifle or ordnance."""
    pinned: dict[int, None] = {}
    for row, hit in hurt.items():
        model = position.model(row)
        unit = model.unit.row
        if remove_the_dead([model], CAUSE, hit.shooter) and (hit.line.has("sniper") or hit.line.fire == "ordnance"):
            pinned[unit] = None
    return tuple(pinned)
