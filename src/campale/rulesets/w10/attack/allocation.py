"""Choose the model of the target that takes an attack (attack/allocate)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from campale.referee.ask import choose, order
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.attack.values import Attack, Wound
from campale.rulesets.w10.basics.attached import bodyguard, is_attached, leaders
from campale.rulesets.w10.basics.coherency import is_coherent
from campale.rulesets.w10.basics.sight import sees
from campale.rulesets.w10.basics.units import ATTACKED, EPIC, has_all_wounds, members, wounds_left

NORMAL = "normal-allocation"
QUEUE = "queue"
"""The rows of a target's models, in the order in which their owner lets them take attacks."""


@rule("attack/allocate")
def bound(models: Sequence[Model]) -> Model | None:
    """The model that must take the next attack: attacked this phase, or wounded; among several, fewest wounds left."""
    attacked = [m for m in models if m.marks(ATTACKED)]
    hurt = [m for m in models if not has_all_wounds(m)]
    return min(attacked or hurt, key=wounds_left, default=None)


@rule("core-abilities/leader-protected")
def may_take(unit: Unit) -> list[Model]:
    """The models that an attack may be allocated to.

    In an attached unit the CHARACTERS of its Leaders are spared while any of the bodyguard is left, nobody else.
    """
    spared = {m.row for m in leaders(unit) if m.profile.has("character")} if bodyguard(unit) else set[int]()
    return [m for m in members(unit) if m.row not in spared]


@rule("attack/allocate")
async def takes(unit: Unit) -> Model | None:
    """The model that takes the next attack; its owner sets the order if no model is bound. None if no model is left."""
    models = may_take(unit)
    found = bound(models)
    if found is None and models:
        found = await first_of_queue(unit, models)
    if found is not None:
        found.mark(ATTACKED, 1, quietly=True)
    return found


@rule("modifiers/devastating-damage")
def would_take(unit: Unit) -> Model | None:
    """The model that an attack would be allocated to: the bound one, else the first free model in order."""
    models = may_take(unit)
    queue = [row for row in unit.position.declared.get(QUEUE, ()) if row in {m.row for m in models}]
    free = queue or least_missed(unit, models)
    return bound(models) or (unit.position.model(free[0]) if free else None)


@rule("weapon-abilities/precision", "stratagems/epic-challenge")
def is_precise(attack: Attack, attacker: Model) -> bool:
    return attack.line.has("precision") or (attack.line.is_melee and bool(attacker.marks(EPIC)))


@rule("weapon-abilities/precision", "u/precision-several-characters")
def pickable(unit: Unit, attack: Attack) -> list[Plain]:
    """The rows of the CHARACTERS of an attached unit that the attacker sees, if its attack has PRECISION."""
    attacker = unit.position.model(attack.by)
    if not is_precise(attack, attacker) or not is_attached(unit):
        return []
    return [m.row for m in leaders(unit) if m.profile.has("character") and sees(attacker, m)]


@rule("weapon-abilities/precision")
async def picked_out(unit: Unit, attack: Attack) -> Model | None:
    """The CHARACTER that the attacker picks for a PRECISION attack, or None for the normal sequence."""
    rows = pickable(unit, attack)
    if not rows:
        return None
    side, odds = unit.position.side_of[attack.by], {NORMAL: 0.3}
    row = await choose(side, "precision", [*rows, NORMAL], of="model", unit=unit.row, odds=odds)
    if row == NORMAL:
        return None
    found = unit.position.model(int(row))
    found.mark(ATTACKED, 1, quietly=True)
    return found


@rule("u/precision-several-characters")
async def pick_together(position: Position, wounds: tuple[Wound, ...]) -> tuple[Wound, ...]:
    """When several CHARACTERS are in sight, allocate all wounding PRECISION attacks before any saving throw."""
    found: list[Wound] = []
    for wound in wounds:
        unit = Unit(position, wound.attack.target)
        if wound.mortal or len(pickable(unit, wound.attack)) < 2:
            found.append(wound)
            continue
        model = await picked_out(unit, wound.attack)
        found.append(replace(wound, picked=-1 if model is None else model.row))
    return tuple(found)


@rule("attack/allocate", "weapon-abilities/precision", "u/precision-several-characters")
async def target_of(unit: Unit, wound: Wound) -> Model | None:
    """The model that takes an attack, or None if no model is left or the picked CHARACTER is already dead."""
    if wound.picked is None:
        return await picked_out(unit, wound.attack) or await takes(unit)
    if wound.picked < 0:
        return await takes(unit)
    found = unit.position.model(wound.picked)
    return found if found.is_on_table else None


async def first_of_queue(unit: Unit, models: Sequence[Model]) -> Model:
    """The first model of the queue; its owner sets the queue once for each unit that attacks."""
    position = unit.position
    queue = [row for row in position.declared.get(QUEUE, ()) if row in {m.row for m in models}]
    if not queue:
        queue = await order(unit.side, "who-takes", least_missed(unit, models), of="model", unit=unit.row)
        position.declare(QUEUE, tuple(queue))
    return position.model(queue[0])


def least_missed(unit: Unit, models: Sequence[Model]) -> list[int]:
    """The rows of models in the order proposed for losses; kept until something moves.

    Plain models go first, those with abilities of their own last; but a model whose loss would break coherency waits
    while another can go.
    """
    kept, key = unit.position.layout, ("least missed", unit.row, *(m.row for m in models))
    if key not in kept:
        goings = one_by_one(members(unit), sorted(models, key=lambda m: (worth(m), len(m.profile.rules), m.row)))
        kept[key] = [m.row for m in goings]
    found: list[int] = kept[key]
    return found


def one_by_one(left: Sequence[Model], waiting: Sequence[Model]) -> Iterator[Model]:
    while waiting:
        goes = next((one for one in waiting if is_coherent(without(left, one))), waiting[0])
        left, waiting = without(left, goes), without(waiting, goes)
        yield goes


def without(models: Sequence[Model], gone: Model) -> list[Model]:
    return [m for m in models if m.row != gone.row]


def worth(model: Model) -> float:
    """The expected output of a model's weapons; models with a low worth are lost first."""
    lines = [line for weapon in model.profile.weapons for line in weapon.lines]
    return float(sum(line.s * line.attacks.mean * line.damage.mean for line in lines))


def close_queue(position: Position) -> None:
    position.declare(QUEUE, None)


@rule("attack/allocate")
def forget_attacked(position: Position) -> None:
    """Clear the mark of models that were attacked, at the end of a phase."""
    for model in position.models:
        model.mark(ATTACKED, 0, quietly=True)
