"""A volley resolved: shots, hits, who takes them, wounds, saves, casualties (fire/procedure, 3 to 8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from campale.dice.needs import Need, halved
from campale.mechanics.frames import push
from campale.mechanics.script_form import fill_in_script
from campale.referee.ask import ask, reroll, roll, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Allot
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.command.halt import halt_save
from campale.rulesets.e3m.command.orders import show
from campale.rulesets.e3m.command.units import FIRED, PREPARED, STATIONARY, members, wounds_left
from campale.rulesets.e3m.fire import markers
from campale.rulesets.e3m.fire.area import Arm, base_of, hit_in
from campale.rulesets.e3m.fire.declaring import declaration
from campale.rulesets.e3m.fire.kinds import OVERRUNNING, PREPARATORY, Kind, has_changed_place, reduced, shots_of
from campale.rulesets.e3m.fire.plan import HOLD, Pool, Volley
from campale.rulesets.e3m.fire.vehicle_fire import USED, models_hit
from campale.rulesets.e3m.fire.wounds import (
    SNIPER_WOUNDS,
    armour_save,
    best_save,
    remove_the_dead,
    save_need,
    saves_by_armour,
    suffer,
    wound_need,
)
from campale.rulesets.e3m.movement.sight import NONE, covers, save_against, sights
from campale.rulesets.e3m.vehicles.damage import Struck, face_towards, strike
from campale.table.measure import gap, gap_to_point
from campale.table.shapes import Point

SNIPER_HITS = 2
CAUSE = "fire"


class Hit(NamedTuple):
    """A hit on a man: with which line it was scored, and by whom."""

    line: Line
    shooter: int


# ---------------------------------------------------------------- the whole


@rule("fire/procedure", "hierarchy/fire-by-unit")
async def fire(unit: Unit, kind: Kind, against: Sequence[int] = ()) -> bool:
    """Ask how a unit fires, and carry it out; whether it fired."""
    script = partial(declaration, unit, kind, tuple(against))
    volley = await fill_in_script(unit.side, f"fire.{kind.name}", script, [HOLD], unit=unit.row, open=False)
    if volley is None:
        return False
    await resolve(volley)
    return True


@rule("fire/procedure", "orders/hidden-lost", "orders/reveal")
async def resolve(volley: Volley) -> None:
    """Steps 3 to 7; the tests of step 8 are put in hand."""
    unit, position = volley.unit, volley.unit.position
    show(position, [unit])
    note_firing(volley)
    hurt: dict[int, Hit] = {}
    for arm, vehicle in volley.apart:
        await hit_vehicle(volley, [arm], position.model(vehicle))
    if volley.target is not None and volley.target[0] == "vehicle":
        await hit_vehicle(volley, volley.arms, position.model(volley.target[1]))
    elif volley.arms:
        await hit_models(volley, hurt)
    if volley.sniper is not None:
        await snipe(volley, hurt)
    pinned = casualties(position, hurt, unit)
    push(position, ("tests", pinned, 1 - unit.side))


def note_firing(volley: Volley) -> None:
    """What the unit can no longer do this turn."""
    unit = volley.unit
    unit.mark(FIRED, 1)
    if volley.kind is PREPARATORY:
        unit.mark(PREPARED, 1)
        unit.mark(STATIONARY, int(volley.stays))
    vehicle = members(unit)[0]
    if vehicle.profile.has_armour:
        name = "overrun-mounts" if volley.kind is OVERRUNNING else USED
        if volley.kind in (PREPARATORY, OVERRUNNING):
            used = dict.fromkeys((*vehicle.note(name, ()), *(arm.mount for arm in volley.arms)))
            vehicle.jot(name, tuple(used))
    unit.position.write("fires", unit=unit.row, fire=volley.kind.name)


# ---------------------------------------------------------------- shots and hits


@rule("base-shoot/to-hit", "base-weapons/special")
def hit_need(model: Model, line: Line) -> Need:
    """7 less the Ballistic Skill, 2 at best; a sniper rifle hits on 2 or more. A 1 always misses."""
    number = SNIPER_HITS if line.has("sniper") else max(2, 7 - model.profile.bs)
    return Need(number, never=(1,))


@rule("fire/hits-counted-by-shooter", "base-general/dice-order", "base-weapons/special")
async def pool_of(volley: Volley, arms: Sequence[Arm], point: Point | None, target: Model | None = None) -> Pool:
    """The shots of the models with one weapon profile; a die for their number is rolled first."""
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
    as_moved = volley.unit.position.options.reduced_as_moved and any(has_changed_place(arm.model) for arm in arms)
    count = len(rows) if line.is_marker and len(rows) == 1 else reduced(len(rows), kind, as_moved)
    return Pool(line, tuple(rows[:count]))


@rule("base-shoot/to-hit", "fire/hits-counted-by-shooter", "base-weapons/special")
async def hits_of(volley: Volley, pool: Pool, at: int) -> list[int]:
    """The rows of the shooters whose shots hit, shot by shot. Overheating wounds whoever rolls a 1."""
    position, line = volley.unit.position, pool.line
    if not pool.rows:
        return []
    models = [position.model(row) for row in pool.rows]
    hits: list[int] = []
    for need in dict.fromkeys(hit_need(model, line) for model in models):
        rows = [m.row for m in models if hit_need(m, line) == need]
        things = rows if line.has("overheating") or line.is_marker else [0] * len(rows)
        rolled = await roll_for(volley.unit.side, "to-hit", things, need, unit=volley.unit.row, target=at)
        if line.has("twin-linked"):
            rolled = await reroll(volley.unit.side, "twin-linked", rolled, "failures")
        if line.has("overheating"):
            await overheat([position.model(row) for row, face in zip(rows, rolled.faces, strict=True) if face == 1])
        kept = zip(rows, rolled.hits, strict=True) if line.is_marker else None
        hits += [row for row, is_hit in kept if is_hit] if kept is not None else rows[: rolled.successes]
    return hits


@rule("base-weapons/special")
async def overheat(models: Sequence[Model]) -> None:
    for model in models:
        if model.profile.has_armour or await saves_by_armour(model):
            continue
        suffer(model, 0, "overheating", model.row)
        remove_the_dead([model], "overheating", model.row)


def in_order(volley: Volley, arms: Sequence[Arm]) -> list[list[Arm]]:
    """The arms by weapon profile in the announced order, those of markers and templates first."""
    keys = dict.fromkeys((*volley.order, *(arm.key for arm in arms)))
    found = [[arm for arm in arms if arm.key == key] for key in keys]
    return sorted((group for group in found if group), key=lambda group: not group[0].line.is_marker)


# ---------------------------------------------------------------- at men


@rule("fire/hit-allocation", "fire/surplus-hits", "fire/mixed-weapons", "fire/marker-weapons-in-area")
async def hit_models(volley: Volley, hurt: dict[int, Hit]) -> None:
    """Roll, lay the hits out, wound and save, model by model."""
    position = volley.unit.position
    holders = hittable(volley)
    point = volley.area[:2] if volley.area is not None else None
    marked: list[tuple[int, Hit]] = []
    loose: list[Hit] = []
    for group in in_order(volley, volley.arms):
        line = group[0].line
        nearest = None if point is not None else nearest_of(group[0].model, holders)
        pool = await pool_of(volley, group, point, nearest)
        if line.is_marker:
            for row in await markers.uses_of(volley, pool, hits_of):
                under = await markers.lay(volley, line, position.model(row), holders)
                marked += [(victim, Hit(line, row)) for victim in under]
        else:
            loose += [Hit(line, row) for row in await hits_of(volley, pool, holders[0].row if holders else -1)]
    given = await lay_down(volley, loose, holders, marked)
    await wound_all(volley, [*marked, *zip(given, loose, strict=False)], hurt)


def nearest_of(model: Model, holders: Sequence[Model]) -> Model | None:
    return min(holders, key=lambda m: gap(base_of(model), m.solid), default=None)


def hittable(volley: Volley) -> list[Model]:
    """The models that can be hit: in the area, or of a vehicle's one target."""
    position = volley.unit.position
    if volley.area is not None:
        return hit_in(position, volley.arms, volley.area)
    if volley.target is None:
        return []
    rows = {m.row for arm in volley.arms for m in models_hit(arm, volley.target)}
    return [position.model(row) for row in sorted(rows)]


@rule("fire/hit-allocation", "fire/surplus-hits", "fire/mixed-weapons")
async def lay_down(
    volley: Volley, loose: list[Hit], holders: list[Model], marked: Sequence[tuple[int, Hit]]
) -> list[int]:
    """The defender gives each hit to a model that can be hit; nothing is asked where it cannot matter."""
    rows = [m.row for m in holders]
    if not loose or not rows:
        return []
    already = [row for row, _ in marked]
    if len(rows) == 1:
        return rows * len(loose)
    side = 1 - volley.unit.side
    question = Allot(
        side,
        "lay-down",
        [hit.line.strength for hit in loose],
        rows,
        lambda given: out_of_turn(given, rows, already),
        lambda rng: proposed(len(loose), holders, already, rng),
        {"unit": volley.unit.row, "marked": already},
    )
    if is_all_one(holders, len(loose), already, volley):
        return proposed(len(loose), holders, already, None)
    given: list[int] = await ask(question)
    return given


@rule("fire/surplus-hits", "fire/mixed-weapons")
def out_of_turn(given: Sequence[int], rows: Sequence[int], already: Sequence[int]) -> Fault | None:
    """No model takes a second hit before every one has one; then the surplus goes anywhere."""
    hit = set(already) & set(rows)
    for row in given:
        if row in hit and len(hit) < len(rows):
            return Fault(measured=2, limit=1, model=row, rule="fire/surplus-hits")
        hit.add(row)
    return None


def proposed(count: int, holders: Sequence[Model], already: Sequence[int], rng: Random | None) -> list[int]:
    """One each, those worth least first, and the rest on the cheapest; at random one each in any order."""
    by_worth = sorted(holders, key=lambda m: (m.marks("leads"), m.profile.is_heavy_weapon_model, m.profile.points))
    rows = [m.row for m in by_worth]
    if rng is not None:
        rng.shuffle(rows)
    free = [row for row in rows if row not in already]
    return [*free[:count], *([rows[0]] * max(0, count - len(free)))]


def is_all_one(holders: Sequence[Model], count: int, already: Sequence[int], volley: Volley) -> bool:
    """Whether it comes to the same who takes which hit: everybody takes one, and all are alike."""
    if count != len(holders) or already:
        return False
    first = holders[0]
    alike = all(m.profile == first.profile and m.unit == first.unit and not m.marks("leads") for m in holders)
    wounds = {wounds_left(m) for m in holders}
    return alike and len(wounds) == 1 and len({cover_of(volley, m) for m in holders}) == 1


@rule("terrain/in-cover", "base-shoot/cover-save")
def cover_of(volley: Volley, target: Model) -> int:
    """The cover save of a target against those of the firing models that see it."""
    models = [arm.model for arm in volley.arms]
    seen = sights(target.position, models, [target])[:, 0]
    saves = covers(target.position, models, [target])[:, 0]
    return save_against([int(save) for save, is_seen in zip(saves, seen, strict=True) if is_seen])


@rule("base-shoot/best-save", "base-shoot/cover-save", "orders/halt-save", "base-weapons/template")
def save_of(volley: Volley, target: Model, line: Line) -> int:
    """The best save of a model against a hit; cover and Halt are of no use against templates."""
    armour = armour_save(target.profile.save, line.ap)
    if line.is_template:
        return best_save(armour, target.profile.invulnerable)
    cover = cover_of(volley, target) if volley.arms else NONE
    return best_save(armour, cover, halt_save(target, cover), target.profile.invulnerable)


@rule("fire/wound-and-save", "base-general/dice-order")
async def wound_all(volley: Volley, hits: Sequence[tuple[int, Hit]], hurt: dict[int, Hit]) -> None:
    """All to-wound dice, model by model in the order laid down; then all saves in the same order."""
    position, side = volley.unit.position, volley.unit.side
    wounds: list[tuple[Model, Hit]] = []
    men = [(position.model(row), hit) for row, hit in hits]
    needs = [need_to_wound(model, hit.line) for model, hit in men]
    for need, run in runs(needs):
        if need is None:
            continue
        rolled = await roll_for(side, "to-wound", [men[k][0].profile.id for k in run], need, unit=volley.unit.row)
        wounds += [men[k] for k, is_hit in zip(run, rolled.hits, strict=True) if is_hit]
    saves = [save_need(save_of(volley, model, hit.line)) for model, hit in wounds]
    for save, run in runs(saves):
        failed = list(run)
        if save is not None:
            things = [wounds[k][0].profile.id for k in run]
            rolled = await roll_for(1 - side, "save", things, save, unit=volley.unit.row)
            failed = [k for k, is_saved in zip(run, rolled.hits, strict=True) if not is_saved]
        for model, hit in (wounds[k] for k in failed):
            if suffer(model, hit.line.strength, CAUSE, hit.shooter):
                hurt[model.row] = hit


def runs(needs: Sequence[Need | None]) -> list[tuple[Need | None, list[int]]]:
    """Numbers of equal needs that follow on each other: they are rolled together."""
    found: list[tuple[Need | None, list[int]]] = []
    for k, need in enumerate(needs):
        if found and found[-1][0] == need:
            found[-1][1].append(k)
        else:
            found.append((need, [k]))
    return found


@rule("base-shoot/to-wound", "base-weapons/special")
def need_to_wound(model: Model, line: Line) -> Need | None:
    """A sniper rifle wounds on 4 or more whatever the Toughness."""
    return Need(SNIPER_WOUNDS) if line.has("sniper") else wound_need(line.strength, model.profile.t)


# ---------------------------------------------------------------- at a vehicle


@rule("fire/area-vehicles", "fire/heavy-weapon-target", "base-vehicle/penetration", "base-general/dice-order")
async def hit_vehicle(volley: Volley, arms: Sequence[Arm], vehicle: Model) -> None:
    """All to-hit dice, then hit by hit; every hit goes on the vehicle, on the side that its shooter sees."""
    position = volley.unit.position
    scored: list[Hit] = []
    for group in in_order(volley, arms):
        pool = await pool_of(volley, group, None, vehicle)
        line = group[0].line
        if line.is_marker:
            for row in await markers.uses_of(volley, pool, hits_of):
                strength = await markers.on_vehicle(line, position.model(row), vehicle)
                scored += [] if strength is None else [Hit(replace(line, strength=strength), row)]
        else:
            scored += [Hit(line, row) for row in await hits_of(volley, pool, vehicle.row)]
    for hit in scored:
        shooter = position.model(hit.shooter)
        base = base_of(shooter)
        far = gap(base, vehicle.solid)
        strength = 0 if hit.line.has("sniper") else hit.line.strength
        await strike(vehicle, Struck(strength, hit.line, face_towards(vehicle, (base.x, base.y)), hit.shooter, far=far))


# ---------------------------------------------------------------- the sniper, casualties


@rule("fire/sniper-resolution")
async def snipe(volley: Volley, hurt: dict[int, Hit]) -> None:
    """One shot at his own Ballistic Skill; a hit goes on the model that he named and no other."""
    assert volley.sniper is not None
    arm, row = volley.sniper
    victim = volley.unit.position.model(row)
    need = hit_need(arm.model, arm.line)
    rolled = await roll(volley.unit.side, "sniper", needed=need, model=arm.model.row, target=row)
    if rolled.successes:
        alone = volley._replace(arms=(arm,), area=None)
        await wound_all(alone, [(victim.row, Hit(arm.line, arm.model.row))], hurt)


@rule("fire/casualties-then-morale", "base-shoot/wounds", "base-weapons/pinning")
def casualties(position: Position, hurt: dict[int, Hit], by: Unit) -> tuple[int, ...]:
    """Remove whoever has no wounds left; the units that lost a model to a sniper rifle or to ordnance."""
    pinned: dict[int, None] = {}
    for row, hit in hurt.items():
        model = position.model(row)
        unit = model.unit.row
        if remove_the_dead([model], CAUSE, hit.shooter) and (hit.line.has("sniper") or hit.line.fire == "ordnance"):
            pinned[unit] = None
    return tuple(pinned)
