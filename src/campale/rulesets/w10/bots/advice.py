"""How a bot that plays nothing through values answers: moves, targets, charges, Stratagems.

This is judgement, not rule. Where there is no advice, the order of the options and the proposals of the question
decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from campale.dice.needs import Need
from campale.mechanics.judgement.advice import About, Advice, by_prompt
from campale.mechanics.moves.move_paths import end_of
from campale.referee.position import Model, Position, Token, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE, Advised
from campale.rulesets.w10.abilities.effects import added_to
from campale.rulesets.w10.basics.levels import path_meant
from campale.rulesets.w10.basics.markers import REACH, level, markers
from campale.rulesets.w10.basics.units import SHOCKED, distance, engaged_with, members, price_of, units_of, wounds_left
from campale.rulesets.w10.bots.abilities import ADVICE
from campale.rulesets.w10.bots.prospects import (
    WAYS,
    blow_value,
    melee_value,
    share,
    shooting_values,
    taken,
    values_of,
)
from campale.rulesets.w10.movement.falling_back import ESCAPES
from campale.rulesets.w10.movement.moves import move_of
from campale.rulesets.w10.odds.charges import of_charge
from campale.rulesets.w10.shooting.eligible import Gun, guns_of
from campale.rulesets.w10.shooting.targets import why_not

DONE, HOLD, SPLIT, NOBODY, NONE_LEFT, PASS, KEEP, AGAIN = (
    "done",
    "hold",
    "split",
    "nobody",
    "none",
    "pass",
    "no",
    "again",
)
STAY, NORMAL, ADVANCE, FALL_BACK = "stay", "normal", "advance", "fall-back"
SHARE = 0.125
"""The value of a Stratagem, as a share of the points of the unit it helps."""
PER_CP = 12.0
"""The least value, in points of an army, that a Stratagem needs for each command point."""
PER_MARKER = 30.0
UPSTAIRS, PLUNGING = 1.0, 2.5
"""The value of shooting from more than 2 inches up, and from 6 inches up, in inches of movement."""
LOW, HIGH = 2.0, 6.0
RETURNED = 0.7
"""The weight of own losses relative to those of the enemy."""


def options(question: Question) -> list[Plain]:
    assert isinstance(question, Choose)
    return question.candidates


# ---------------------------------------------------------------- movement


def how_to_move(position: Position, question: Question, about: About) -> Advice:
    """A unit that loses in melee falls back; one with nothing to shoot at and far to go advances."""
    unit = Unit(position, int(about["unit"]))
    foes = engaged_with(unit)
    if foes:
        gain = max(melee_value(unit, foe) for foe in foes)
        loss = sum(melee_value(foe, unit) for foe in foes)
        return [(STAY, gain), (FALL_BACK, RETURNED * (loss - escape_losses(unit)))]
    fire = max(shooting_values(unit).values(), default=0.0)
    far = distance_to_goal(unit) - move_of(unit)
    return [
        (NORMAL, 1.0 + fire),
        (ADVANCE, min(far, 7.0)),
        (STAY, 0.5 + fire if far + move_of(unit) <= REACH else -1.0),
    ]


def escape_losses(unit: Unit) -> float:
    """The points that a battle-shocked unit is expected to lose as it falls back: each of its models takes a test."""
    return worth_of(unit) * (1.0 - share(Need(ESCAPES))) if unit.marks(SHOCKED) else 0.0


def distance_to_goal(unit: Unit) -> float:
    goal = goal_of(unit)
    return 0.0 if goal is None else gap_to(unit, goal)


def gap_to(unit: Unit, token: Token) -> float:
    return float(min(((m.x - token.x) ** 2 + (m.y - token.y) ** 2) ** 0.5 for m in members(unit)))


def goal_of(unit: Unit) -> Token | None:
    """The marker that a unit makes for: near, not yet claimed by closer friends, and held by the enemy."""
    found = markers(unit.position)
    return max(found, key=lambda token: pull(unit, token), default=None)


def pull(unit: Unit, token: Token) -> float:
    position, side = unit.position, unit.side
    closer = [
        one for one in units_of(position, side) if one.row != unit.row and gap_to(one, token) < gap_to(unit, token)
    ]
    theirs = level(position, token, 1 - side)
    return PER_MARKER / (1.0 + len(closer)) + 2.0 * theirs - gap_to(unit, token)


def where_to(position: Position, question: Question, about: About) -> Advice:
    """Move towards the unit's marker, and nearer to the enemy if it fights better than it shoots."""
    unit = Unit(position, int(about["unit"]))
    goal, models = goal_of(unit), members(unit)
    foes = position.on_table(1 - unit.side)
    hunts = bool(foes) and is_fighter(unit)
    found: list[Advised] = []
    for answer in question.suggestions():
        ends = [end_of(path_meant(m, one[0])) for one, m in zip(answer, models, strict=True)]
        worth = 0.0 if goal is None else -away(ends, (goal.x, goal.y))
        if hunts:
            worth -= 0.5 * min(away(ends, (m.x, m.y)) for m in foes)
        else:
            worth += height_value(ends)
        found.append((answer, worth))
    return found


def away(ends: Sequence[Sequence[float]], at: Sequence[float]) -> float:
    """The mean distance in inches of some places from a point."""
    return float(sum(((x[0] - at[0]) ** 2 + (x[1] - at[1]) ** 2) ** 0.5 for x in ends)) / max(1, len(ends))


def height_value(ends: Sequence[Sequence[float]]) -> float:
    """The value of height for a unit that shoots, in inches of movement: cover, and Plunging Fire from 6 inches up."""
    worth = (PLUNGING if z >= HIGH else UPSTAIRS if z > LOW else 0.0 for _, _, z in ends)
    return sum(worth) / max(1, len(ends))


def is_fighter(unit: Unit) -> bool:
    """True if the unit's melee weapons outdo its guns by a factor of 1.5 in raw strength."""
    melee = ranged = 0.0
    for model in members(unit):
        for weapon in model.profile.weapons:
            line = weapon.lines[0]
            worth = line.attacks.mean * line.s * line.damage.mean * (1.0 - line.ap / 3.0)
            melee, ranged = (melee + worth, ranged) if weapon.is_melee else (melee, ranged + worth)
    return melee > 1.5 * ranged


# ---------------------------------------------------------------- shooting


def who_shoots(position: Position, question: Question, about: About) -> Advice:
    """Advise the unit with the highest expected damage."""
    found: list[Advised] = [(DONE, 0.0)]
    for key in options(question):
        if isinstance(key, int):
            found.append((key, 0.1 + max(shooting_values(Unit(position, key)).values(), default=0.0)))
    return found


def at_whom(position: Position, question: Question, about: About) -> Advice:
    unit = Unit(position, int(about["unit"]))
    return [(HOLD, 0.0), *((row, 0.1 + worth) for row, worth in shooting_values(unit).items())]


def weapon_at_whom(position: Position, question: Question, about: About) -> Advice:
    unit = Unit(position, int(about["unit"]))
    guns = [gun for gun in guns_of(unit) if gun.carried.id == about["weapon"]]
    found: list[Advised] = [(HOLD, 0.0)]
    for row in options(question):
        if isinstance(row, int):
            target = Unit(position, row)
            able = [gun for gun in guns if why_not(gun, target) is None]
            found.append((row, values_of(position, able, target)))
    return found


# ---------------------------------------------------------------- charges and fights


def charge_value(unit: Unit, foe: Unit) -> float:
    """The expected gain of a charge, less the expected losses, times the chance that it succeeds.

    ``WASTE`` for one that cannot succeed.
    """
    chance = WAYS.get(charge_needed(unit, foe), 0.0)
    if chance <= 0.0:
        return WASTE
    gain = charge_gain(unit, foe)
    if gain > 0.0:
        chance = chance_to_arrive(unit, foe)
    return chance * gain if chance > 0.0 else WASTE


def chance_to_arrive(unit: Unit, foe: Unit) -> float:
    """The chance that a charge finds a way to an enemy unit; kept until something moves."""
    kept, key = unit.position.layout, ("charge-chance", unit.row, foe.row)
    if key not in kept:
        main = of_charge(unit, (foe.row,)).main
        kept[key] = 0.0 if main is None else main.mean
    return float(kept[key])


def charge_needed(unit: Unit, foe: Unit) -> int:
    """The least total of two dice with which a charge comes within an inch of an enemy unit in a straight line."""
    near = min(distance(one, other) for one in members(unit) for other in members(foe))
    return max(2, -int(-(near - 1.0 - added_to(unit, "charge")) // 1))


def charge_gain(unit: Unit, foe: Unit) -> float:
    """The points that a charge that succeeds is expected to take off an enemy, less those it costs."""
    return melee_value(unit, foe) - RETURNED * melee_value(foe, unit) + (4.0 if is_fighter(unit) else -8.0)


def who_charges(position: Position, question: Question, about: About) -> Advice:
    found: list[Advised] = [(DONE, 0.0)]
    for key in options(question):
        if isinstance(key, int):
            unit = Unit(position, key)
            found.append((key, max(charge_value(unit, foe) for foe in units_of(position, 1 - unit.side))))
    return found


def whom_to_charge(position: Position, question: Question, about: About) -> Advice:
    unit = Unit(position, int(about["unit"]))
    foes = [row for row in options(question) if isinstance(row, int)]
    return [(NOBODY, 0.0), *((row, charge_value(unit, Unit(position, row))) for row in foes)]


def nobody_else(position: Position, question: Question, about: About) -> Advice:
    return [(NONE_LEFT, 1.0)]


def who_fights(position: Position, question: Question, about: About) -> Advice:
    """Advise the unit with the highest melee value to fight first."""
    found: list[Advised] = []
    for row in options(question):
        unit = Unit(position, int(str(row)))
        found.append((row, max((melee_value(unit, foe) for foe in engaged_with(unit)), default=0.0)))
    return found


def which_weapon(position: Position, question: Question, about: About) -> Advice:
    model = position.model(int(about["model"]))
    foes = engaged_with(model.unit)
    if not foes:
        return ()
    keys = [key for key in options(question) if not isinstance(key, str)]
    return [(key, max(blow_value(model, foe, key) for foe in foes)) for key in keys]


def whom_to_strike(position: Position, question: Question, about: About) -> Advice:
    unit = position.model(int(about["models"][0])).unit
    rows = [row for row in options(question) if isinstance(row, int)]
    return [(row, melee_value(unit, Unit(position, row))) for row in rows]


# ---------------------------------------------------------------- Stratagems


def whether_to_overwatch(position: Position, question: Question, about: About) -> Advice:
    """Advise the shots, of which only sixes hit, that are worth more than a command point."""
    mover = Unit(position, int(about["mover"]))
    found: list[Advised] = [(PASS, PER_CP)]
    for key in options(question):
        if key != PASS:
            found.append((key, shooting_values(Unit(position, int(key[1])), [mover], snap=True).get(mover.row, 0.0)))
    return found


def whether_to_answer(position: Position, question: Question, about: About) -> Advice:
    """Answer for units that are worth several command points."""
    found: list[Advised] = [(PASS, 6.0 * PER_CP)]
    for key in options(question):
        if key != PASS:
            found.append((key, worth_of(Unit(position, int(key[1])))))
    return found


def whether_to_use(position: Position, question: Question, about: About) -> Advice:
    """Value a Stratagem as a share of its unit's points."""
    found: list[Advised] = [(PASS, PER_CP)]
    for key in options(question):
        if key != PASS:
            found.append((key, SHARE * worth_of(Unit(position, int(key[1])))))
    return found


def worth_of(unit: Unit) -> float:
    return sum(price_of(m) for m in members(unit))


def keep(position: Position, question: Question, about: About) -> Advice:
    return [(KEEP, 1.0), (AGAIN, 0.0)]


def charge_again(position: Position, question: Question, about: About) -> Advice:
    """Re-roll a charge that is too short, for what it would gain times the chance that the second roll is enough."""
    unit, targets = Unit(position, int(about["unit"])), [Unit(position, int(row)) for row in about["targets"]]
    needed = max(charge_needed(unit, foe) for foe in targets)
    chance = WAYS.get(needed, 0.0) if int(about["rolled"]) < needed else 0.0
    return [(KEEP, PER_CP), (AGAIN, chance * sum(charge_gain(unit, foe) for foe in targets))]


def attacks_again(position: Position, question: Question, about: About) -> Advice:
    """Re-roll a number of attacks below the average, for what the missing attacks would take off the target."""
    model, target = position.model(int(about["model"])), Unit(position, int(about["target"]))
    amount = model.profile.weapons[int(about["weapon"])].lines[0].attacks
    missing = (amount.mean - int(about["rolled"])) / amount.mean
    value = weapon_value(model, int(about["weapon"]), target, bool(about.get("snap")))
    return [(KEEP, PER_CP), (AGAIN, missing * value)]


def weapon_value(model: Model, weapon: int, target: Unit, snap: bool) -> float:
    """The points that a weapon is expected to take off a target, in shooting or in melee; 0 for that of a passenger.

    ``snap``: only sixes hit.
    """
    if not model.is_on_table:
        return 0.0
    if model.profile.weapons[weapon].is_melee:
        return blow_value(model, target, (weapon, 0))
    return values_of(model.position, [Gun(model, weapon, 0)], target, snap)


def damage_again(position: Position, question: Question, about: About) -> Advice:
    """Re-roll damage below the average, for the wounds that the target would lose more."""
    target, average = Unit(position, int(about["target"])), float(about["average"])
    left = float(wounds_left(members(target)[0]))
    more = taken(target, min(left, average)) - taken(target, min(left, float(about["rolled"])))
    return [(KEEP, PER_CP), (AGAIN, more)]


def model_again(position: Position, question: Question, about: About) -> Advice:
    """Re-roll when a model worth more than two command points is at stake."""
    models = members(Unit(position, int(about["unit"])))
    return [(KEEP, PER_CP), (AGAIN, max((price_of(m) for m in models), default=0.0) / 2.0)]


def in_front(position: Position, question: Question, about: About) -> Advice:
    """Advise the first option: Leaders lead, and units begin on the table."""
    return [(options(question)[0], 1.0)]


advise = by_prompt(
    {
        **ADVICE,
        "leads": in_front,
        "begins": in_front,
        "strategic-reserves": in_front,
        "how-to-move": how_to_move,
        "normal-move": where_to,
        "advance": where_to,
        "scout": where_to,
        "shooting-unit": who_shoots,
        "shoot-at": at_whom,
        "weapon-at": weapon_at_whom,
        "charging-unit": who_charges,
        "charge-target": whom_to_charge,
        "charge-target-too": nobody_else,
        "fighting-unit": who_fights,
        "melee-weapon": which_weapon,
        "strike-at": whom_to_strike,
        "enemy-moves": whether_to_overwatch,
        "targets-chosen": whether_to_answer,
        "has-fought": whether_to_answer,
        "charge-ends": whether_to_answer,
        "chosen-to-fight": whether_to_use,
        "movement-ends": whether_to_use,
        "test-failed": whether_to_use,
        "reroll-advance": keep,
        "reroll-attacks": attacks_again,
        "reroll-damage": damage_again,
        "reroll-desperate-escape": model_again,
        "reroll-hazardous": model_again,
        "reroll-plain-to-hit": keep,
        "reroll-plain-to-wound": keep,
        "reroll-save": model_again,
        "reroll-to-hit": keep,
        "reroll-to-wound": keep,
        "reroll-charge": charge_again,
    }
)
