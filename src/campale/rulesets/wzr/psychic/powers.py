"""Blessings and hindrances: the action Cast (psychic/blessing, psychic/hindrance, psychic/once-each).

Shooting powers are guns (``armoury.weapons``) and are fired as such.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.mechanics.frames import Frame, Procedure
from campale.mechanics.script_form import fields_of, run
from campale.referee.columns import Effect
from campale.referee.position import Model, Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.eyesight import sees
from campale.rulesets.wzr.abilities.index import About, parts
from campale.rulesets.wzr.armies.profile import Power
from campale.rulesets.wzr.armoury.weapons import note_cast, was_cast
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import needed, passes
from campale.rulesets.wzr.basics.measuring import gap, within

CAST = "cast"
BLESSING, HINDRANCE = "blessing", "hindrance"
RULE_OF = {BLESSING: "psychic/blessing", HINDRANCE: "psychic/hindrance"}


class Casting(NamedTuple):
    power: str
    target: int


@rule("psychic/types", "psychic/once-each")
def castable(model: Model) -> list[Power]:
    """The model's blessings and hindrances that have a target and that its squad has not cast in this turn."""
    powers = [one for one in model.profile.powers if one.kind in RULE_OF and not was_cast(model, one.id)]
    return [one for one in powers if targets_of(model, one)]


@rule("psychic/blessing", "psychic/blessing-engaged", "psychic/hindrance")
def targets_of(model: Model, power: Power) -> list[Model]:
    """Friends for a blessing, any model for a hindrance, in range and in sight. The caster sees himself."""
    side = model.side if power.kind == BLESSING else None
    found = model.position.on_table(side)
    return [one for one in found if one.row == model.row or can_be_cast_at(model, one, power)]


def can_be_cast_at(model: Model, target: Model, power: Power) -> bool:
    return within(gap(model, target), power.range) and sees(model, target)


# ---------------------------------------------------------------- the action


def declaration(model: Model) -> Generator[Question, Any, Casting]:
    """Ask for the power and its target. A hindrance lists enemies before friends."""
    about = {"model": model.row}
    power = yield Choose(model.side, "power", [one.id for one in castable(model)], "power", about=about)
    found = targets_of(model, named(model, str(power)))
    rows = [one.row for one in sorted(found, key=lambda one: is_first(model, one, str(power)))]
    target = yield Choose(model.side, "cast-at", rows, "model", about=about)
    return Casting(str(power), int(target))


def is_first(model: Model, target: Model, power: str) -> bool:
    wanted = model.side if named(model, power).kind == BLESSING else 1 - model.side
    return target.side != wanted


def named(model: Model, power: str) -> Power:
    found: Power = next(one for one in model.profile.powers if one.id == power)
    return found


def cast_fields(model: Model, filled: Sequence[Any]) -> Question | None:
    return fields_of(partial(declaration, model))(list(filled))


def cast_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    casting = run(partial(declaration, model), details)[1]
    return () if casting is None else ((CAST, model.row, *casting),)


def can_cast(model: Model) -> bool:
    return bool(castable(model))


@rule("psychic/once-each")
def why_no_cast(model: Model) -> Fault:
    """A caster has nothing left to cast when its squad has cast all its powers."""
    casts = any(one.kind in RULE_OF for one in model.profile.powers)
    return Fault(model=model.row, rule="psychic/once-each" if casts else "actions/list")


@rule("psychic/once-each")
async def cast(position: Position, row: int, power: str, target: int) -> None:
    """The squad does not cast the power again in this turn, failed or not."""
    model, found = position.model(row), named(position.model(row), power)
    note_cast(model, power)
    await CASTS[found.kind](model, found, target)


@rule("psychic/blessing")
async def bless(model: Model, power: Power, target: int) -> None:
    await affect(model, power, target)


@rule("psychic/hindrance")
async def hinder(model: Model, power: Power, target: int) -> None:
    await affect(model, power, target)


CASTS = {BLESSING: bless, HINDRANCE: hinder}


async def affect(model: Model, power: Power, target: int) -> None:
    """The caster takes a WP test. If it passes, the power affects the target's squad until the turn ends."""
    position = model.position
    position.write("cast", model=model.row, power=power.id, target=target)
    if await passes(model, CAST, needed(model.profile.wp, parts("wp", About(model))), target=target):
        squad = position.unit_of[target]
        position.begin(Effect(RULE_OF[power.kind], squad, model.unit.row, marks.TURN, (power.does,), "unit"))


PROCEDURES: dict[str, Procedure] = {CAST: cast}
CAST_FIELDS, CAST_FRAMES = cast_fields, cast_frames
