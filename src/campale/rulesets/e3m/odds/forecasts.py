"""The odds that this book offers: the fire that a unit may open now, a volley being declared, a melee."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from campale.dice.odds import OddsError
from campale.mechanics.script_form import as_proposed
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.melee import melees
from campale.rulesets.e3m.assault.result import left_to_fight, name_of
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.fire.area import Arm
from campale.rulesets.e3m.fire.declaring import can_fire, declaration
from campale.rulesets.e3m.fire.kinds import (
    ADVANCING,
    DEFENSIVE,
    KINDS,
    OPPORTUNITY,
    PREPARATORY,
    Kind,
    can_fire_close,
    may_advance,
    may_prepare,
    may_watch,
)
from campale.rulesets.e3m.fire.plan import Volley
from campale.rulesets.e3m.fire.volley import hittable
from campale.rulesets.e3m.odds.assault_odds import of_assault, of_declaration, overrun_forecasts
from campale.rulesets.e3m.odds.melee_odds import of_melee
from campale.rulesets.e3m.odds.states import Policy
from campale.rulesets.e3m.odds.volley_odds import Firing, hull_of

NOW: tuple[tuple[Kind, Callable[[Unit], bool]], ...] = (
    (PREPARATORY, may_prepare),
    (OPPORTUNITY, may_watch),
    (ADVANCING, may_advance),
    (DEFENSIVE, can_fire_close),
)
"""The kinds of fire, and which units may use them now."""


@rule("fire/kinds")
def forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """The odds of what a model's unit may do to another unit now: each kind of fire, an overrun, their melee."""
    model, aim = position.model(row), position.model(target)
    if model.side == aim.side or not aim.is_on_table:
        return []
    own, foe = model.unit, aim.unit
    return [*fire_forecasts(own, foe), *overrun_forecasts(own, foe), *melee_forecasts(position, own, foe)]


# ---------------------------------------------------------------- fire


def fire_forecasts(unit: Unit, target: Unit) -> list[Forecast]:
    """Each kind of fire that the unit may use now, declared as the form first proposes."""
    kinds = [kind for kind, may in NOW if may(unit) and can_fire(unit, kind, (target.row,))]
    volleys = [as_proposed(partial(declaration, unit, kind, (target.row,))) for kind in kinds]
    return [of_volley(volley, target) for volley in volleys if volley is not None]


def of_volley(volley: Volley, target: Unit | None = None, policy: Policy | None = None) -> Forecast:
    """The odds of a volley, for ``target`` or else for the vehicle hit or the first unit in the area."""
    firing = Firing(volley, policy)
    arms, row = hull_of(volley) or (all_arms(volley), -1)
    at = victim_of(volley, row) if target is None else members(target)[0].row
    weapons = tuple(dict.fromkeys(arm.model.profile.mounts[arm.mount].weapon.id for arm in arms))
    begun = Forecast(members(volley.unit)[0].row, at, weapons, (), (volley.kind.name,))
    try:
        steps = tuple(firing.steps())
    except OddsError:
        return replace(begun, gap="too-many")
    others = {at for _, at in volley.apart} - {row}
    passed_over = others or (row >= 0 and volley.sniper is not None)
    notes = (*(("lost-vehicle",) if row >= 0 else ()), *(("other-targets",) if passed_over else ()))
    return replace(begun, steps=steps, decided=tuple(firing.decided), notes=notes)


def all_arms(volley: Volley) -> tuple[Arm, ...]:
    return (*volley.arms, volley.sniper[0]) if volley.sniper is not None else volley.arms


def victim_of(volley: Volley, hull: int) -> int:
    """The row of the model that stands for a volley's target."""
    if hull >= 0:
        return hull
    if volley.arms:
        return min(m.row for m in hittable(volley))
    assert volley.sniper is not None
    return volley.sniper[1]


# ---------------------------------------------------------------- melee


def melee_forecasts(position: Position, unit: Unit, target: Unit) -> list[Forecast]:
    both = [rows for rows in melees(position) if unit.row in rows and target.row in rows]
    return [of_melee(position, rows, unit, target) for rows in both]


# ---------------------------------------------------------------- forecasts of an answer


def forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """The odds of a volley being declared, filled in as proposed, or of a melee that is picked or assaulted into."""
    if question.prompt == "next-melee":
        return of_picked(position, question.side, answer)
    if question.prompt == "declare-assault":
        return of_declaration(position, int(question.about["unit"]), answer)
    if question.prompt == "assault-move":
        return of_assault(position, int(question.about["unit"]), answer)
    if question.prompt in ("who-watches", "step-end-fire"):
        return of_watcher(position, answer, question.about.get("unit"))
    form, _, name = question.prompt.partition(".")
    if form != "fire" or name not in KINDS or not isinstance(answer, list | tuple):
        return None
    unit, against = Unit(position, question.about["unit"]), tuple(question.about.get("against", ()))
    volley = as_proposed(partial(declaration, unit, KINDS[name], against), answer)
    return None if volley is None else of_volley(volley)


def of_watcher(position: Position, answer: Plain, mover: int | None) -> Forecast | None:
    """The odds of the opportunity fire of a unit that may be named: at the mover where it stands now, or at anybody."""
    against = () if mover is None else (mover,)
    if not isinstance(answer, int) or not can_fire(Unit(position, answer), OPPORTUNITY, against):
        return None
    volley = as_proposed(partial(declaration, Unit(position, answer), OPPORTUNITY, against))
    found = None if volley is None else of_volley(volley)
    return found if found is None or mover is None else replace(found, notes=(*found.notes, "where-it-stands"))


def of_picked(position: Position, side: int | None, answer: Plain) -> Forecast | None:
    left = left_to_fight(position)
    rows = next((one for one in left if name_of(one, left) == answer), None)
    if rows is None:
        return None
    units = [Unit(position, row) for row in rows]
    own = next((unit for unit in units if unit.side == (side or 0)), None)
    foe = next((unit for unit in units if unit.side != (side or 0)), None)
    return of_melee(position, rows, own, foe) if own is not None and foe is not None else None
