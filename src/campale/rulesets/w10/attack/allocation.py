"""Which model of the target takes an attack (attack/allocate)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.ask import choose, order
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.attack.values import Attack
from campale.rulesets.w10.basics.attached import bodyguard, leaders
from campale.rulesets.w10.basics.sight import sees
from campale.rulesets.w10.basics.units import ATTACKED, WOUNDS, members, wounds_left

NORMAL = "normal-allocation"
QUEUE = "queue"
"""The models of a target in the order in which their owner lets them take attacks."""


@rule("attack/allocate")
def bound(models: Sequence[Model]) -> Model | None:
    """Whoever must take the next attack: attacked this phase, or wounded; of several the one with fewest wounds."""
    attacked = [m for m in models if m.marks(ATTACKED)]
    hurt = [m for m in models if m.marks(WOUNDS)]
    return min(attacked or hurt, key=wounds_left, default=None)


@rule("core-abilities/leader-protected")
def may_take(unit: Unit) -> list[Model]:
    """The bodyguard of an attached unit, while any of it is left."""
    return bodyguard(unit) or members(unit)


@rule("attack/allocate")
async def takes(unit: Unit) -> Model | None:
    """The model that takes the next attack; its owner says in which order the others do. None: nobody is left."""
    models = may_take(unit)
    found = bound(models)
    if found is None and models:
        found = await first_of_queue(unit, models)
    if found is not None:
        found.mark(ATTACKED, 1, quietly=True)
    return found


@rule("weapon-abilities/precision", "u/precision-several-characters")
async def picked_out(unit: Unit, attack: Attack) -> Model | None:
    """The CHARACTER to whom the attacker lets a PRECISION attack be allocated, of those that its model sees."""
    if not attack.line.has("precision") or not bodyguard(unit):
        return None
    position = unit.position
    attacker = position.model(attack.by)
    seen = [m.row for m in leaders(unit) if m.profile.has("character") and sees(attacker, m)]
    if not seen:
        return None
    row = await choose(attacker.side, "precision", [*seen, NORMAL], of="model", unit=unit.row, odds={NORMAL: 0.3})
    if row == NORMAL:
        return None
    position.model(int(row)).mark(ATTACKED, 1, quietly=True)
    return position.model(int(row))


async def first_of_queue(unit: Unit, models: Sequence[Model]) -> Model:
    """The owner is asked once for each unit that attacks."""
    position = unit.position
    queue = [row for row in position.declared.get(QUEUE, ()) if row in {m.row for m in models}]
    if not queue:
        proposed = [m.row for m in sorted(models, key=lambda m: (worth(m), m.row))]
        queue = await order(unit.side, "who-takes", proposed, of="model", unit=unit.row)
        position.declare(QUEUE, tuple(queue))
    return position.model(queue[0])


def worth(model: Model) -> float:
    """What its weapons may do: the plain ones are spent first."""
    lines = [line for weapon in model.profile.weapons for line in weapon.lines]
    return float(sum(line.s * line.attacks.mean * line.damage.mean for line in lines))


def close_queue(position: Position) -> None:
    position.declare(QUEUE, None)


@rule("attack/allocate")
def forget_attacked(position: Position) -> None:
    """At the end of a phase."""
    for model in position.models:
        model.mark(ATTACKED, 0, quietly=True)
