"""Rolls of the book: random characteristics, roll-offs, Leadership tests."""

from __future__ import annotations

from campale.dice.needs import Need, Part, halved, telling_sums
from campale.referee.ask import roll
from campale.referee.position import Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import added_to
from campale.rulesets.w10.armies.amounts import Amount
from campale.rulesets.w10.basics.characteristics import leadership


@rule("core-concepts/d3")
def read(face: int, sides: int) -> int:
    """The value of a D6 face as a die of so many sides; on a D3 half of it, rounded up."""
    return halved(face) if sides == 3 else face


@rule("core-concepts/dice", "datasheet/random-characteristics")
async def rolled(side: int, why: str, amount: Amount, **about: Plain) -> int:
    """An amount, rolled if it has dice."""
    if not amount.is_rolled:
        return amount.plus
    faces = (await roll(side, why, amount.count, **about)).ascending
    return amount.plus + sum(read(face, amount.sides) for face in faces)


@rule("t/leadership-test", "c/unit-leadership")
async def leadership_test(unit: Unit, why: str) -> bool:
    """Roll two dice; the test is passed on the Leadership of the unit or more."""
    parts = leadership_parts(unit, why)
    need = Need(leadership(unit, why), parts)
    rolled = await roll(unit.side, why, 2, tells=telling_sums(need), total=True, unit=unit.row, needed_of=need.base)
    return need.is_met_by(rolled.total)


@rule("modifiers/roll-after-rerolls")
def leadership_parts(unit: Unit, why: str) -> tuple[Part, ...]:
    """Modifiers of the two dice."""
    more = added_to(unit, why)
    return (Part("modifiers/roll-after-rerolls", more),) if more else ()
