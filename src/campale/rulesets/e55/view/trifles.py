"""Questions whose answer cannot matter, as far as the side that is asked can see, and fire and charges in vain.

Standing orders answer these questions for a player who wants to be asked only when it can matter, and options in vain
are not proposed to a player. Nothing else uses this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase.charge import charge_distance
from campale.rulesets.e55.bots.advice import chance_of_charge
from campale.rulesets.e55.definitions.measuring import exact_of_models, shot_distance
from campale.rulesets.e55.definitions.units import faced_by, in_play, members, units_on_table
from campale.rulesets.e55.shooting_phase.declaring import is_promising, shots_open_to
from campale.rulesets.e55.shooting_phase.fire import Shot, declared, distances, line_of
from campale.rulesets.e55.shooting_phase.shooting import longest_reach
from campale.rulesets.e55.shooting_phase.targets import Option
from campale.rulesets.e55.turn.acting import DONE_KEY, Aimed, Key, menu, refusal_of, unit_of
from campale.rulesets.e55.weapons.weapon_rules import reaches

SPARE = 1.0
"""The margin in inches by which a target must be out of reach."""


def needless(position: Position, question: Question) -> tuple[Plain] | None:
    """Return the answer that changes nothing, or that is better than all others, if there is one."""
    if isinstance(question, Form):
        return best_saves(question) if question.prompt == "settle-wounds" else None
    told = NEEDLESS.get(question.prompt)
    return told(position, question) if told is not None and isinstance(question, Choose) else None


# ---------------------------------------------------------------- saves


@rule("2.3.2/better-than-2")
def best_save(question: Choose) -> Plain:
    """Return the save with the best number: it averts more, and one better than 2+ is rolled again."""
    values = question.about["values"]
    return question.candidates[values.index(min(values))]


def best_saves(form: Form) -> tuple[Plain] | None:
    """Return the best save for each wound, if nothing else has to be settled."""
    answers: list[Plain] = []
    while (field := form.field(answers)) is not None:
        if not isinstance(field, Choose) or field.prompt != "choose-save":
            return None
        answers.append(best_save(field))
    return (answers,)


# ---------------------------------------------------------------- fire


def no_fire(position: Position, question: Choose) -> tuple[Plain] | None:
    """Return the end of fire if no unit that may shoot has an enemy in reach.

    Firing would only bar it from charging.
    """
    return None if any(can_be_felt(position, key) for key in question.lawful()) else (DONE_KEY,)


def no_need_to_hide(position: Position, question: Choose) -> tuple[Plain] | None:
    """Return the end of going to ground if nothing in the other side's shooting phase can reach a unit."""
    lines = (key for key in menu(position, "shooting") if refusal_of(position, key) is None)
    return None if any(can_be_felt(position, key) for key in lines) else (DONE_KEY,)


def can_be_felt(position: Position, key: Key) -> bool:
    """Return whether a line of the shooting menu may have an effect: fire does if it reaches."""
    if key[0] == "shoot":
        return may_reach(unit_of(position, key))
    return key != DONE_KEY


def may_reach(unit: Unit) -> bool:
    """Return whether an enemy unit is within the longest range of one of its models, on the table or aboard."""
    enemies = units_on_table(unit.position, 1 - unit.side)
    return any(
        (far := longest_reach(model)) > 0.0 and any(shot_distance(model, foe) <= far + SPARE for foe in enemies)
        for model in in_play(unit)
    )


# ---------------------------------------------------------------- fire and charges in vain

About = Mapping[str, Plain]


def vain(position: Position, question: Question, key: Plain) -> bool:
    """Return whether an option is fire that reaches no enemy, or a charge that cannot reach its target.

    It may be declared all the same.
    """
    reaching = REACHING.get(key[0]) if isinstance(key, list | tuple) and key else None
    return reaching is not None and not reaching(position, question.about, tuple(key))


def fire_reaches(position: Position, about: About, key: Key) -> bool:
    """("fire", weapon, line, attacks): some models at the unit that they face."""
    return is_promising(list(about["models"]), Unit(position, int(about["at"])), Option(*key[1:]))


def fire_at_reaches(position: Position, about: About, key: Key) -> bool:
    """("at", target, line, attacks): a weapon of a vehicle."""
    return is_promising([about["model"]], unit_of(position, key), Option(int(about["weapon"]), *key[2:]))


def fire_out_reaches(position: Position, about: About, key: Key) -> bool:
    """("from", model, weapon, line, attacks): out of a fire point of a transport."""
    faced = faced_by(Unit(position, int(about["unit"])))
    return faced is not None and is_promising([key[1]], faced, Option(*key[2:]), int(about["point"]))


def unit_reaches(position: Position, about: About, key: Key) -> bool:
    """("shoot", unit): any shot the unit may declare, from its place or out of its transport."""
    unit = unit_of(position, key)
    return any(is_promising(*shot) for shot in shots_open_to(unit))


REACHING: dict[Plain, Callable[[Position, About, Key], bool]] = {
    "shoot": unit_reaches,
    "fire": fire_reaches,
    "at": fire_at_reaches,
    "from": fire_out_reaches,
    "charge": lambda position, _, key: may_get_there(position, key),
}


# ---------------------------------------------------------------- volleys


def one_volley(position: Position, question: Choose) -> tuple[Plain] | None:
    """Return the first target if the fire at no more than one target reaches it: the order then does not matter."""
    shots = declared(position)
    reached = [row for row in question.lawful() if is_reached(position, row, shots)]
    return (next(question.lawful()),) if len(reached) < 2 else None


def is_reached(position: Position, row: Plain, shots: list[Shot]) -> bool:
    own = [shot for shot in shots if shot.target == row]
    lines = [line_of(position, shot) for shot in own]
    far = distances(position, own, Unit(position, int(str(row))))
    return any(
        line.reach == "template" or reaches(line, shot.attacks, inches)
        for shot, line, inches in zip(own, lines, far, strict=True)
    )


# ---------------------------------------------------------------- charges


def no_charge(position: Position, question: Choose) -> tuple[Plain] | None:
    """Return the end of charges if no charge that may be declared can reach its target."""
    return None if any(may_get_there(position, key) for key in question.lawful()) else (DONE_KEY,)


def may_get_there(position: Position, key: Plain) -> bool:
    """Return whether a line of the menu may have an effect: a charge does if it has a chance to reach its target."""
    if not isinstance(key, tuple) or key[0] != "charge":
        return bool(key != DONE_KEY)
    line = Aimed(*key)
    unit, target = unit_of(position, line), Unit(position, line.target)
    away = exact_of_models(members(unit), members(target))
    return bool(away < charge_distance(unit) + SPARE) and chance_of_charge(position, line) > 0.0


NEEDLESS: dict[str, Callable[[Position, Choose], tuple[Plain] | None]] = {
    "shooting": no_fire,
    "to-ground": no_need_to_hide,
    "volley": one_volley,
    "charges": no_charge,
    "choose-save": lambda _, question: (best_save(question),),
}
