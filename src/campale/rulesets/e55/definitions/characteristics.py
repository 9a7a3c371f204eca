"""Characteristics (1.3): their current values, the value of a unit, their limits, and characteristic tests."""

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
"""The effect that changes a characteristic. Its value is (name, change) or (name, change, kind of part)."""

OF_STATE = ("w", "ws")
"""Characteristics that something other than an effect may change: by wounds already lost, and by fear."""

MULTIPLYING = ("set", "divide", "multiply")


@rule("1.3/characteristic-limits")
def limited(value: int, name: str = "s") -> int:
    """Clamp a characteristic, or the strength of a hit, to its limits after all modifiers."""
    return max(LEAST, value) if name in UNLIMITED else max(LEAST, min(MOST, value))


@rule("1.1/dice-modifier-order")
def modified(base: int, parts: Sequence[Part]) -> int:
    """Return a number after its modifiers: multiplications first, additions last. Fractions are rounded down."""
    value = Fraction(base)
    for part in parts:
        if part.kind in MULTIPLYING:
            value = changed(value, part)
    return int(value) + sum(int(part.value) for part in parts if part.kind == "add")


@rule("1.3/characteristics")
def value(model: Model, name: str) -> int:
    """Return a model's current characteristic; 0 if its profile does not have it."""
    printed = int(getattr(model.profile, name) or 0)
    if name not in OF_STATE and not model.position.effects:
        return limited(printed, name)
    parts = parts_of(model, name)
    return limited(modified(printed, parts) if parts else printed, name)


def parts_of(model: Model, name: str) -> list[Part]:
    """List what changes a characteristic now: wounds already lost, fear, and effects on the model or its unit."""
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
    """Return the effects on a model: its own and those of its unit."""
    position: Position = model.position
    if not position.effects:
        return []
    unit = position.unit_of[model.row]
    return [e for e in position.effects if e.bearer == (model.row if e.on == "model" else unit)]


@rule("7.1/missing-characteristic")
def is_missing(model: Model, name: str) -> bool:
    """Return whether a vehicle lacks this characteristic. A printed 0 is not missing."""
    return is_vehicle(model) and getattr(model.profile, name) is None


@rule("1.3/unit-characteristic")
def unit_value(unit: Unit, name: str) -> int:
    """Return the most frequent value among the models of a unit; of equally frequent values, the lowest."""
    models = [model for model in members(unit) or aboard(unit) if not is_missing(model, name)]
    return most_frequent([value(model, name) for model in models])


def most_frequent(values: Sequence[int]) -> int:
    return min(values, key=lambda one: (-values.count(one), one), default=0)


@rule("1.3/characteristic-test-natural", "1.1/auto-success-failure")
def at_most(number: int) -> Need:
    """Return the need of a characteristic test: roll the number or less; a 6 always passes, a 1 never."""
    return Need(number, always=(6,), never=(1,), at_most=True)


@rule("1.3/characteristic-zero")
def fails_unrolled(number: int) -> bool:
    return number == 0


@rule("1.3/characteristic-test")
async def test(tested: Unit | Model, name: str, why: str, **about: Plain) -> bool:
    """Test a model or a whole unit on anything but leadership, and return whether it passes."""
    models = [tested] if isinstance(tested, Model) else members(tested)
    if models and all(is_missing(model, name) for model in models):
        return True
    number = value(tested, name) if isinstance(tested, Model) else unit_value(tested, name)
    if fails_unrolled(number):
        return False
    return await one_die(tested.side, why, at_most(number), **about)
