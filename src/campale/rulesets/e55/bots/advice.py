"""The worth of answers to a bot that does not look ahead: moves, destinations, facings, charges.

It is a judgement, not a rule, and uses what everybody sees on the table. Where this module gives no advice, the order
of the options and the proposals of the questions decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from campale.mechanics.judgement.advice import About, Advice, by_prompt
from campale.referee.looks import Foretold
from campale.referee.position import Position
from campale.referee.question import Question, Spatial
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE, Advised
from campale.rulesets.e55.assault_phase.charge import charge_distance
from campale.rulesets.e55.battle.missions import places_for_objectives
from campale.rulesets.e55.bots.appraisal import UNSEEN
from campale.rulesets.e55.bots.fire import SHOTS_OF, harm_open_to, what_fires
from campale.rulesets.e55.bots.forecast import RUSH, assault, not_saved, salvo
from campale.rulesets.e55.bots.outlook import Outlook, Squad, fired_or_charged, is_vehicle, outlook_of
from campale.rulesets.e55.bots.plans import plan_of
from campale.rulesets.e55.bots.posts import reach_of
from campale.rulesets.e55.bots.powers import does_something, on_whom
from campale.rulesets.e55.definitions.units import COMBAT, SHOT
from campale.rulesets.e55.odds.melee_odds import chance_to_get_there
from campale.rulesets.e55.psychic_powers.psychic import power_of
from campale.rulesets.e55.shooting_phase.shooting import odds_of_fire
from campale.rulesets.e55.turn.acting import DONE_KEY, USUAL, Aimed, Key, OfUnit, menu, refusal_of, unit_of

LEAST_HARM = 1.0
"""The least harm, in points, for which fire is declared."""
WAYS = 3
OTHER_ACTS = ("drive", "disembark", "cast")
"""Other acts of the movement phase, done whenever possible, in this order."""


# ---------------------------------------------------------------- moving


def who_moves(position: Position, question: Question, about: About) -> Advice:
    """Advise the first squad with a reason to move; squads with short-ranged weapons come first."""
    view, side = outlook_of(position), int(position.now["side"])
    for one in sorted((s for s in view.squads.values() if s.side == side), key=longest_reach):
        if refusal_of(position, OfUnit("move", one.unit)) is None and not is_vehicle(one):
            best = plan_of(position, view, one)
            if best is not None:
                hastes = [(key, 3.0) for key in menu(position, "movement") if hastens(position, key)]
                return [*hastes, (OfUnit(best.act, one.unit), 2.0), (OfUnit("move", one.unit), 1.0)]
    return [*other_acts(position, view), (DONE_KEY, 0.0)]


def hastens(position: Position, key: Key) -> bool:
    """Return whether a power would hasten a unit that is about to go somewhere; it has to come before the move."""
    return key[0] == "cast" and power_of(position, key).kind == "haste" and does_something(position, key)


def longest_reach(one: Squad) -> tuple[float, int]:
    return max(reach_of(profile) for profile, _ in one.kinds), one.unit


def other_acts(position: Position, view: Outlook) -> Iterator[Advised]:
    for key in menu(position, "movement"):
        if key[0] == "cast" and not does_something(position, key):
            yield key, WASTE
        elif key[0] in OTHER_ACTS and not (key[0] == "drive" and is_well_placed(position, view, key)):
            yield key, 1.0 / (1.0 + OTHER_ACTS.index(key[0]))


def is_well_placed(position: Position, view: Outlook, key: Key) -> bool:
    """Return whether a vehicle has an enemy in view to fire at, and no passengers to bring forward."""
    one = view.squads.get(key[1])
    if one is None or any(position.aboard_of[row] in one.rows for row in range(len(position.where))):
        return False
    gaps, clear = view.gaps[one.place], view.clear[one.place]
    return any(
        clear[enemy.place] and salvo(one.kinds, enemy.kinds[0][0], int(gaps[enemy.place]), False) > 0.0
        for enemy in view.enemies(one.side)
    )


def where_to(position: Position, question: Question, about: About) -> Advice:
    """Advise the safest of the first lawful paths to the squad's goal; advise staying if the ground would cost more."""
    view = outlook_of(position)
    one = view.squads.get(int(about["unit"]))
    if one is None or not isinstance(question, Spatial) or question.seeks is None:
        return ()
    best = plan_of(position, view, one)
    stays: Plain = [[[], None] for _ in about["models"]]
    if best is None:
        return [(stays, 1.0)]
    risks: list[tuple[float, Plain]] = []
    for way in islice((way for way in question.seeks(best.at) if question.refusal(way) is None), WAYS):
        risks.append((risk_of(one, question.foretold(way)), way))
        if not risks[-1][0]:
            break
    if not risks:
        return ()
    risk, safest = min(risks, key=lambda found: found[0])
    return [(safest if risk < best.gain else stays, 1.0)]


def risk_of(one: Squad, foretold: Sequence[Foretold]) -> float:
    """Return the points that dangerous ground on the path costs a squad on average."""
    profile, rolling = one.kinds[0][0], sum(int(told.values.get("count", 0)) for told in foretold)
    return rolling * not_saved(profile, None) * one.worth / len(one.rows) / 6.0


# ---------------------------------------------------------------- facing, fire, charges


def whom_to_face(position: Position, question: Question, about: About) -> Advice:
    """Advise the enemy that the unit may harm most in this turn."""
    view = outlook_of(position)
    one = view.squads.get(int(about["unit"]))
    if one is None:
        return ()
    gaps, clear = view.gaps[one.place], view.clear[one.place]
    found = []
    for enemy in view.enemies(one.side):
        off, seen = int(gaps[enemy.place]), 1.0 if clear[enemy.place] else UNSEEN
        now = 0.0 if position.of_units.get(enemy.unit, COMBAT) else fired_or_charged(one, enemy, off, seen, False)
        found.append((enemy.unit, now - 0.01 * off))
    return found


def who_shoots(position: Position, question: Question, about: About) -> Advice:
    """Advise the first unit in the menu that reaches an enemy and may harm it; other fire is wasted."""
    units = (key for key in menu(position, "shooting") if key[0] == "shoot" and not position.of_units.get(key[1], SHOT))
    able, wasted = list[Key](), list[Advised]()
    for key in units:
        if odds_of_fire(position, key) >= USUAL and harm_open_to(unit_of(position, key)) >= LEAST_HARM:
            able.append(key)
        else:
            wasted.append((key, WASTE))
    first = next((key for key in able if refusal_of(position, key) is None), None)
    return [(DONE_KEY, 0.0), *([] if first is None else [(first, 1.0)]), *wasted]


def who_charges(position: Position, question: Question, about: About) -> Advice:
    """Advise charges that are near enough and cost the enemy more than the charger."""
    view = outlook_of(position)
    found: list[Advised] = [(DONE_KEY, 0.0)]
    for key in menu(position, "charges"):
        if key[0] == "awaken":
            found.append((key, 0.001))
        elif key[0] == "charge" and (line := Aimed(*key)).unit in view.squads and line.target in view.squads:
            one, enemy = view.squads[line.unit], view.squads[line.target]
            gap, far = view.gaps[one.place][enemy.place], charge_distance(unit_of(position, key))
            if gap > far:
                found.append((key, WASTE))
            elif gap <= RUSH:
                gain = assault(one.kinds, enemy.kinds)
                chance = chance_of_charge(position, line) if gain else 1.0
                found.append((key, (gain * chance or WASTE) if gain else -1.0))
    return found


def chance_of_charge(position: Position, line: Aimed) -> float:
    """Return the chance that a charge reaches its target; cached until something moves."""
    kept, key = position.layout, ("charge", line.unit, line.target)
    if key not in kept:
        kept[key] = chance_to_get_there(position, line.unit, line.target)
    return float(kept[key])


# ---------------------------------------------------------------- before the battle


def where_an_objective_goes(position: Position, question: Question, about: About) -> Advice:
    """Advise the free place nearest to the middle of the table."""
    return [(list(at), 1.0) for at in [next(places_for_objectives(position), None)] if at is not None]


advise = by_prompt(
    {
        "objective": where_an_objective_goes,
        "movement": who_moves,
        "move": where_to,
        "run": where_to,
        "power-target": on_whom,
        "face": whom_to_face,
        "shooting": who_shoots,
        **dict.fromkeys(SHOTS_OF, what_fires),
        "charges": who_charges,
    },
    whole_forms=False,
)
