"""Everything this book gives odds for, stage by stage: fire of a model at a target, or an answer to a question.

They come from the very stages that are played: fire in ``fire_odds``, combats and charges in ``melee_odds``, the test
for losses in ``morale_odds``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from campale.dice.odds import TooMany
from campale.mechanics.units import NOBODY
from campale.referee.asking import keyed
from campale.referee.looks import Forecast, Step
from campale.referee.position import ABOARD, TABLE, Model, Position, Unit
from campale.referee.question import Question
from campale.referee.refusal import Plain, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Line
from campale.rulesets.e55.assault_phase import charge, combat, melee
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_vehicle
from campale.rulesets.e55.definitions.units import COMBAT, faced_by, handles, is_engaged, members
from campale.rulesets.e55.odds.fire_odds import (
    LOSSES,
    Policy,
    Varied,
    Volley,
    as_proposed,
    damages_told,
    hits_told,
    is_mixed,
    mixed_told,
    wounds_told,
)
from campale.rulesets.e55.odds.melee_odds import CHARGE, charge_forecast, combat_forecast
from campale.rulesets.e55.shooting_phase import declaring, shooting
from campale.rulesets.e55.shooting_phase.fire import POWERS, Shot, line_of
from campale.rulesets.e55.shooting_phase.targets import (
    Option,
    fault_of_faced,
    lawful_options,
    options_of,
    usable_weapons,
)
from campale.rulesets.e55.turn.acting import OfUnit
from campale.rulesets.e55.weapons.weapon_rules import marker_of

# ---------------------------------------------------------------- forecasts of a model at a target


def forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """Return the forecasts of a model's unit against another now.

    The first is of the proposed fire, the others of each of the model's weapons; then comes a combat or charge.
    """
    model, foe = position.model(row), position.model(target)
    if model.side == foe.side or not foe.is_on_table or model.where not in (TABLE, ABOARD):
        return []
    return [*of_fire(model, foe), *by_hand(model, foe)]


def by_hand(model: Model, foe: Model) -> list[Forecast]:
    """Return the forecast of the combat that both units are in, or of a charge that may be declared now."""
    position, unit, other = model.position, model.unit, foe.unit
    if is_engaged(unit) and unit.marks(COMBAT) == other.marks(COMBAT):
        rows = next(rows for rows in combat.combats(position) if unit.row in rows)
        return [combat_forecast(position, model.row, other.row, rows)]
    key = CHARGE, unit.row, other.row
    if position.now.get("phase") != "charges" or key not in charge.candidates(position, model.side):
        return []
    refusal = first_refusal(charge.RESTRICTIONS, position, key)
    return [charge_forecast(position, unit.row, other.row, None, model.row)] if refusal is None else []


def of_fire(model: Model, foe: Model) -> list[Forecast]:
    position, unit = model.position, model.unit
    if first_refusal(shooting.RESTRICTIONS, position, OfUnit("shoot", unit.row)) is not None:
        return []
    whole = at_unit(proposed_fire(unit), foe.unit.row)
    volleys = [shots for shots in volleys_of(model, foe.unit) if shots != whole]
    found = [forecast(position, whole, foe.unit.row, ("all",))] if whole else []
    return found + [forecast(position, shots, foe.unit.row) for shots in volleys]


def at_unit(shots: Iterable[Shot], target: int) -> list[Shot]:
    return [shot for shot in shots if shot.target == target]


def proposed_fire(unit: Unit) -> list[Shot]:
    """Return the shots of a unit if its form is left as proposed."""
    fields, filled = declaring.fields_of(unit), list[Any]()
    while (field := fields(filled)) is not None:
        filled.append(field.understood(as_proposed(field)))
    return declaring.shots_of(unit, filled)


def volleys_of(model: Model, target: Unit) -> list[list[Shot]]:
    """Return the shots of each option of a model, fired by all identical models."""
    unit = model.unit
    if is_vehicle(model):
        lawful = usable_weapons(model)
        options = [one for one in lawful_options(model) if target.row in lawful.get(one.weapon, ())]
        return [[Shot(unit.row, model.row, *one, target.row)] for one in options]
    faced = faced_by(unit)
    if faced is None or faced.row != target.row or model.aboard_of is not None or fault_of_faced(unit) is not None:
        return []
    rows = next((group.rows for group in declaring.groups_of(unit) if model.row in group.rows), ())
    return [[Shot(unit.row, row, *one, target.row) for row in rows] for one in lawful_options(model) if rows]


# ---------------------------------------------------------------- forecasts of an answer


def forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Return the forecast of a complete declaration of fire or one of its fields, of a charge, or of a combat."""
    if question.prompt in BY_HAND:
        return BY_HAND[question.prompt](position, question, keyed(answer))
    shots = DECLARED[question.prompt](position, question, keyed(answer)) if question.prompt in DECLARED else []
    if not shots:
        return None
    target = Counter(shot.target for shot in shots).most_common(1)[0][0]
    return forecast(position, at_unit(shots, target), target)


def of_charge(position: Position, question: Question, answer: Any) -> Forecast | None:
    if answer[0] != CHARGE or answer[2] == NOBODY:
        return None
    return charge_forecast(position, answer[1], answer[2])


def of_combat(position: Position, question: Question, answer: Any, varied: Varied | None = None) -> Forecast | None:
    """Return the forecast of a combat's round (rows of units), from the side of the player asked."""
    own = [unit for unit in handles(position, answer) if unit.side == question.side and members(unit)]
    foes = [unit for unit in handles(position, answer) if unit.side != question.side and members(unit)]
    if not own or not foes:
        return None
    return combat_forecast(position, members(own[0])[0].row, foes[0].row, answer, varied)


def of_strikes(position: Position, question: Question, answer: Any) -> Forecast | None:
    """Return the forecast of the current combat with one side's chosen strikes."""
    fight = melee.in_hand(position)
    if fight is None or fight.is_at_hulls:
        return None

    def as_meant(usual: Policy) -> Policy:
        return lambda asked: answer if (asked.prompt, asked.side) == (question.prompt, question.side) else usual(asked)

    found = of_combat(position, question, fight.units, as_meant)
    return None if found is None else replace(found, decided=tuple(d for d in found.decided if d != question.prompt))


def of_laying(position: Position, question: Question, answer: Any) -> Forecast | None:
    """Return the forecast of one marker or template, laid where the answer says."""
    model, target = position.model(question.about["model"]), question.about["target"]
    lines = ((one, line_of(position, shot_of(model, one, target))) for one in options_of(model))
    options = [one for one, line in lines if lays(line) == question.prompt]
    if not options:
        return None

    def as_laid(usual: Policy) -> Policy:
        return lambda asked: answer if asked.prompt == question.prompt else usual(asked)

    found = forecast(position, [shot_of(model, options[0], target)], target, (), as_laid)
    return replace(found, decided=tuple(one for one in found.decided if one != question.prompt))


def shot_of(model: Model, option: Option, target: int) -> Shot:
    return Shot(model.unit.row, model.row, option.weapon, option.line, 1, target)


def lays(line: Line) -> str:
    """Return whether a weapon is laid on the table as "template" or "marker"; else ""."""
    return TEMPLATE if line.reach == TEMPLATE else MARKER if marker_of(line) is not None else ""


MARKER, TEMPLATE = "marker", "template"

BY_HAND = {"charges": of_charge, "fight-next": of_combat, "strikes": of_strikes, MARKER: of_laying, TEMPLATE: of_laying}


def of_form(position: Position, question: Question, answer: Any) -> list[Shot]:
    """Return all the shots that a unit declares."""
    unit = Unit(position, question.about["unit"])
    fields = declaring.fields_of(unit)
    filled: list[Any] = []
    for one in answer:
        field = fields(filled)
        if field is None:
            return []
        filled.append(field.understood(one))
    return declaring.shots_of(unit, filled) if fields(filled) is None else []


def of_group(position: Position, question: Question, answer: Any) -> list[Shot]:
    about = question.about
    if answer[0] != "fire":
        return []
    option = Option(*answer[1:])
    return [Shot(about["unit"], row, *option, about["at"]) for row in about["models"]]


def of_weapon(position: Position, question: Question, answer: Any) -> list[Shot]:
    about = question.about
    if answer[0] != "at":
        return []
    _, target, line, attacks = answer
    return [Shot(about["unit"], about["model"], about["weapon"], line, attacks, target)]


def of_passenger(position: Position, question: Question, answer: Any) -> list[Shot]:
    unit = Unit(position, question.about["unit"])
    faced = faced_by(unit)
    if answer[0] != "from" or faced is None:
        return []
    row, option = answer[1], Option(*answer[2:])
    return [Shot(unit.row, row, *option, faced.row, question.about["point"])]


DECLARED = {"shots": of_form, "fire": of_group, "fire-at": of_weapon, "fire-out": of_passenger}


# ---------------------------------------------------------------- a forecast


@rule("3.2.2/to-hit", "2/resolution-sequence")
def forecast(
    position: Position,
    shots: Sequence[Shot],
    target: int,
    ways: tuple[str, ...] = (),
    varied: Varied | None = None,
) -> Forecast:
    """Return the forecast of shots at one unit; players decide as proposed, or by the ``varied`` policy."""
    return forecast_by(Volley(position, shots, target, varied), ways)


def forecast_by(fire: Volley, ways: tuple[str, ...] = ()) -> Forecast:
    position, shots, target = fire.position, fire.shots, fire.row
    of = tuple(dict.fromkeys(id_of(position, shot) for shot in shots))
    dice = sum(one.shot.attacks for one in fire.direct)
    steps, gap = stages_of(fire) if fire.aimed else ([], "out-of-range")
    decided = tuple(one for one in fire.decided if one != LOSSES or fire.laid)
    notes: tuple[str, ...] = ("lost-vehicle",) if may_lose_vehicles(steps) else ()
    notes = (*notes, "no-morale") if is_mixed(fire.target) else notes
    return Forecast(shots[0].model, target, of, tuple(steps), ways, dice, decided, gap, notes)


def id_of(position: Position, shot: Shot) -> str:
    profile = position.profiles[shot.model]
    thing = profile.powers[shot.weapon - POWERS] if shot.weapon >= POWERS else profile.mounts[shot.weapon].weapon
    return str(thing.id)


def may_lose_vehicles(steps: Sequence[Step]) -> bool:
    return {"structure", "losses"} <= {one.kind for one in steps if one.mean > 0}


def stages_of(fire: Volley) -> tuple[list[Step], str]:
    """Return the stages as far as they can be computed, and the reason if they are incomplete."""
    steps: list[Step] = []
    try:
        for one in told(fire):
            steps.append(one)
    except TooMany:
        return steps, "too-many"
    return steps, ""


def told(fire: Volley) -> Iterator[Step]:
    yield from hits_told(fire)
    if is_mixed(fire.target):
        yield from mixed_told(fire)
    elif is_all_vehicles(fire.target):
        yield from damages_told(fire.struck)
    else:
        yield from wounds_told(fire)
