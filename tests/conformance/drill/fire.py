"""Chapter "fire": declared by both at once, resolved target by target, given out by the owner."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from campale.dice.needs import Need, Part
from campale.referee.ask import ask, roll, together
from campale.referee.position import FALLEN, GONE, Model, Position, Unit
from campale.referee.question import Allot, Choose, Form, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.table.shapes import TOLERANCE
from tests.conformance.drill.aboard import lose_those_aboard
from tests.conformance.drill.profile import between, standing, units_of, wounds_left

RANGE = 12.0
NEEDED = 4
TURN_END = "turn-end"


@rule("fire/declare")
async def declare_fire(position: Position) -> None:
    """What was declared becomes data, so that each target is a run of its own."""
    declared = await together({side: declarations(position, side) for side in (0, 1) if units_of(position, side)})
    fire: list[tuple[int, int]] = []
    for side, targets in sorted(declared.items()):
        shooters = [unit.row for unit in units_of(position, side)]
        fire += [(row, target) for row, target in zip(shooters, targets, strict=True) if target is not None]
    position.declare("fire", tuple(fire) or None)
    position.reveal("fire-declared", fire=[list(one) for one in fire])


def declarations(position: Position, side: int) -> Form:
    shooters = units_of(position, side)

    def fields(filled: list[Any]) -> Question | None:
        if len(filled) == len(shooters):
            return None
        shooter = shooters[len(filled)]
        targets: list[Plain] = [unit.row for unit in units_of(position, 1 - side)]
        return Choose(
            side,
            "fire-at",
            [*targets, None],
            "unit",
            lambda key: None if key is None else out_of_range(shooter, Unit(position, key)),
            {"unit": shooter.row},
        )

    return Form(side, "declare-fire", fields, {"units": [unit.row for unit in shooters], "open": False})


@rule("fire/declare")
def out_of_range(shooter: Unit, target: Unit) -> Fault | None:
    far = between(shooter, target)
    return None if far <= RANGE + TOLERANCE else Fault(measured=far, limit=RANGE)


@rule("fire/pool")
async def resolve_next_target(position: Position) -> bool:
    """Resolve the first target that is left; whether there was one."""
    fire: tuple[tuple[int, int], ...] = position.declared.get("fire", ())
    if not fire:
        return False
    target = Unit(position, fire[0][1])
    wounds = 0
    for shooter, at in fire:
        if at == target.row:
            wounds += await wounds_by(Unit(position, shooter), target)
    position.declare("fire", tuple(one for one in fire if one[1] != target.row) or None)
    await allot(target, wounds)
    return True


async def wounds_by(shooter: Unit, target: Unit) -> int:
    shots = len(firing(shooter))
    rolled = await roll(shooter.side, "to-wound", shots, needed=need(target), unit=shooter.row, at=target.row)
    return rolled.successes


@rule("fire/at-once")
def firing(unit: Unit) -> list[Model]:
    """Who fires in it: the fallen too."""
    return standing(unit)


def need(target: Unit) -> Need:
    smoke = in_smoke(target)
    return Need(NEEDED, (Part("hand/smoke", smoke),) if smoke else ())


@rule("hand/smoke")
def in_smoke(unit: Unit) -> int:
    effects = unit.position.effects
    hidden = any(e.rule == "hand/smoke" and e.on == "unit" and e.bearer == unit.row for e in effects)
    return -1 if hidden else 0


@rule("fire/allot")
async def allot(unit: Unit, wounds: int) -> None:
    """The owner gives the wounds out, to those that have not fallen."""
    models = unit.models
    if not models or not wounds:
        return
    taken = [m.row for m in models][:1] * wounds if len(models) == 1 else await ask(allotment(unit, models, wounds))
    for row in taken:
        if unit.position.model(row).is_on_table:
            wound(unit.position.model(row), "fire", fallen=True)


def allotment(unit: Unit, models: list[Model], wounds: int) -> Allot:
    rows = [m.row for m in models]

    def proposal(rng: Random | None) -> list[int]:
        rounds: list[int] = []
        while len(rounds) < wounds:
            rounds += rng.sample(rows, len(rows)) if rng else rows
        return rounds[:wounds]

    return Allot(
        unit.side,
        "allot-wounds",
        list(range(wounds)),
        rows,
        lambda taken: not_in_rounds(taken, rows),
        proposal,
        {"unit": unit.row},
    )


@rule("fire/allot")
def not_in_rounds(taken: list[int], rows: list[int]) -> Fault | None:
    """Somebody would take one more while another has taken fewer."""
    counts: Counter[int] = Counter()
    for row in taken:
        fewest = min(counts[one] for one in rows)
        if counts[row] > fewest:
            return Fault(measured=counts[row] + 1, limit=fewest + 1, model=row)
        counts[row] += 1
    return None


def wound(model: Model, cause: str, fallen: bool = False) -> None:
    model.add("wounds-lost", 1)
    if wounds_left(model) > 0:
        return
    model.position.remove(model, cause, fallen=fallen)
    lose_those_aboard(model)


@rule("fire/at-once", "melee/dead-strike")
def take_the_fallen_away(position: Position) -> None:
    for model in position.models:
        if model.where == FALLEN:
            position.take_off(model, GONE)


@rule("march/opportunity")
async def shoot_at_mover(watcher: Unit, mover: Model) -> None:
    """Every model of the watcher rolls against the mover alone, which is gone at once if it falls."""
    rolled = await roll(watcher.side, "to-wound", len(watcher.models), needed=need(mover.unit), unit=watcher.row)
    for _ in range(min(rolled.successes, wounds_left(mover))):
        wound(mover, "opportunity")
