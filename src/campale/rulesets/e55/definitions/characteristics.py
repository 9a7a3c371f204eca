"""Characteristics (1.3): their values now, those of a unit, their limits, and tests on them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from campale.dice.needs import Need, Part, changed
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import one_die
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import AFRAID, LOST, aboard, members

LEAST, MOST = 0, 10
UNLIMITED = ("ld",)
CHANGE = "1.3/characteristics"
"""The effect that changes a characteristic: its value is (name, by how much) or (name, by how much, kind of part)."""

OF_STATE = ("w", "ws")
"""What something else than an effect may change: wounds already lost, and fear."""

MULTIPLYING = ("set", "divide", "multiply")


@rule("1.3/characteristic-limits")
def limited(value: int, name: str = "s") -> int:
    """A characteristic, or the strength of a hit, as its modifiers leave it."""
    return max(LEAST, value) if name in UNLIMITED else max(LEAST, min(MOST, value))


@rule("1.1/dice-modifier-order")
def modified(base: int, parts: Sequence[Part]) -> int:
    """A number after its modifiers: what multiplies first, what is added last; a fraction is rounded down."""
    value = Fraction(base)
    for part in parts:
        if part.kind in MULTIPLYING:
            value = changed(value, part)
    return int(value) + sum(int(part.value) for part in parts if part.kind == "add")


@rule("1.3/characteristics")
def value(model: Model, name: str) -> int:
    """A characteristic of a model as it is now; what the profile has not is 0."""
    printed = int(getattr(model.profile, name) or 0)
    if name not in OF_STATE and not model.position.effects:
        return limited(printed, name)
    parts = parts_of(model, name)
    return limited(modified(printed, parts) if parts else printed, name)


def parts_of(model: Model, name: str) -> list[Part]:
    """What changes a characteristic now: wounds already lost, fear, and effects on the model or its unit."""
    parts = [changing(e.rule, e.value) for e in effects_on(model) if e.rule == CHANGE and e.value[0] == name]
    if name == "w" and model.marks(LOST):
        parts.append(Part("2.3.2/unsaved-wound", -model.marks(LOST)))
    if name == "ws" and model.profile.ws is not None and model.unit.marks(AFRAID):
        parts.insert(0, Part("6.1/fear", 1, "set"))
    return parts


def changing(rule_id: str, change: Plain) -> Part:
    return Part(rule_id, change[1], change[2] if len(change) > 2 else "add")


@rule("1.1/unit-effect-scope")
def effects_on(model: Model) -> list[Plain]:
    """The effects that hold a model: its own and those of its unit."""
    position: Position = model.position
    if not position.effects:
        return []
    unit = position.unit_of[model.row]
    return [e for e in position.effects if e.bearer == (model.row if e.on == "model" else unit)]


@rule("7.1/missing-characteristic")
def is_missing(model: Model, name: str) -> bool:
    """Whether a vehicle has no such characteristic; a printed 0 is one."""
    return is_vehicle(model) and getattr(model.profile, name) is None


@rule("1.3/unit-characteristic")
def unit_value(unit: Unit, name: str) -> int:
    """The value that occurs most often among the models of a unit; of several as frequent the lowest."""
    models = [model for model in members(unit) or aboard(unit) if not is_missing(model, name)]
    return most_frequent([value(model, name) for model in models])


def most_frequent(values: Sequence[int]) -> int:
    return min(values, key=lambda one: (-values.count(one), one), default=0)


@rule("1.3/characteristic-test-natural", "1.1/auto-success-failure")
def at_most(number: int) -> Need:
    """The need of a characteristic test: the number or less, but 6 always and 1 never."""
    return Need(number, always=(6,), never=(1,), at_most=True)


@rule("1.3/characteristic-zero")
def fails_unrolled(number: int) -> bool:
    return number == 0


@rule("1.3/characteristic-test")
async def test(tested: Unit | Model, name: str, why: str, **about: Plain) -> bool:
    """A test of a model, or of a unit as a whole, on anything but leadership; whether it is passed."""
    models = [tested] if isinstance(tested, Model) else members(tested)
    if models and all(is_missing(model, name) for model in models):
        return True
    number = value(tested, name) if isinstance(tested, Model) else unit_value(tested, name)
    if fails_unrolled(number):
        return False
    return await one_die(tested.side, why, at_most(number), **about)
