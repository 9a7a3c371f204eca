"""How well a side stands, for bots: points left, the mission, what may follow, and nearness to its goals."""

from __future__ import annotations

import math

from campale.mechanics.judgement.appraisals import by_terms
from campale.referee.position import Model, Position
from campale.rulesets.ragnarok.basics.dice import chance_of_two, needed_on_two
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.battle.missions import (
    HOLDING,
    base_of,
    counts_for_ground,
    felled,
    middles,
    places_wanted,
    score,
)
from campale.rulesets.ragnarok.bots.prospects import prospect
from campale.rulesets.ragnarok.bots.worths import worth_of
from campale.rulesets.ragnarok.morale.psychology import losses, morale_penalty, must_test_command
from campale.rulesets.ragnarok.turn.commander import commander
from campale.rulesets.ragnarok.turn.declaring import points_left
from campale.table.shapes import Point

WORTH_OF_A_POINT = {"extermination": 6.0, "patrol": 12.0, "objectives": 18.0, "bases": 60.0, "assassination": 200.0}
WORTH_OF_NEARNESS = {"extermination": 0.05, "patrol": 0.1, "objectives": 0.15, "bases": 0.1, "assassination": 0.2}
WORTH_OF_A_CLAIM = 70.0
"""The worth of holding the only claim on a base."""
CLOSE, CLOSER_BY_TURN = 8.0, 1.0
"""The distance in cm at which a force counts for a third: at the end, and how much more for each turn to come."""
LONE = 10.0
"""A few points of an army alone near a base are no sure claim: each claim competes with this many points."""
STAKE = 160.0
"""The cost of leaving the field."""
EVE = 0.4
"""The unease of a force that is about to lose more than half of its models."""
TESTS_AHEAD = 3
"""How many command tests are considered: until then much may change."""
WORTH_OF_A_CHARISMA_POINT = 0.02
WON = 10_000.0
"""The worth of a battle won: more than any position."""


def terms(position: Position, side: int) -> dict[str, float]:
    """Return the terms of the appraisal, with their current weights."""
    left = {"left": force_worth(position, side) - force_worth(position, 1 - side)}
    if not position.now.get("turn"):
        return left
    return left | {
        "mission": lead(position, side, str(position.now.get("mission", "extermination"))),
        "nearness": eagerness(position, side) - eagerness(position, 1 - side),
        "unease": STAKE * (unease(position, 1 - side) - unease(position, side)),
        "claims": WORTH_OF_A_CLAIM * claims(position, side),
        "prospect": prospect(position, side),
        "unspent": WORTH_OF_A_CHARISMA_POINT * unspent(position, side),
    }


appraise = by_terms(terms, WON)


def lead(position: Position, side: int, mission: str) -> float:
    scores = score(position)
    return WORTH_OF_A_POINT[mission] * (scores[side] - scores[1 - side])


def force_worth(position: Position, side: int) -> float:
    losses = felled(position, side)
    return sum(worth_of(m) for m in position.models if m.side == side) - 4.0 * losses


def unease(position: Position, side: int) -> float:
    """Return how near a force is to leaving the field: by its losses, and beyond half of it by the tests ahead."""
    if not must_test_command(position, side):
        return EVE * (losses(position, side) / (position.holds(side, "strength") // 2 + 1)) ** 2
    leader = commander(position, side)
    if leader is None:
        return EVE
    held = chance_of_two(needed_on_two(leader.profile.psyche, (morale_penalty(leader),)))
    return 1.0 - (1.0 - EVE) * held ** min(TESTS_AHEAD, (turns_left(position) + 1) // 2)


def turns_left(position: Position) -> int:
    """Return the player turns left after the current one."""
    return 2 * int(position.now["turns"]) - int(position.now["turn"])


def claims(position: Position, side: int) -> float:
    """Return by how much a side's claims on both bases exceed the other's."""
    if position.now["mission"] != "bases" or not all(position.hand(of, "base") for of in (0, 1)):
        return 0.0
    shares = (claimed(position, position.ground.kept(middles)[base_of(position, of)]) for of in (0, 1))
    return sum(share if side == 0 else -share for share in shares)


def claimed(position: Position, at: Point) -> float:
    """Return the first side's surplus of forces near a place, as a share of all; distant forces count less."""
    reach = CLOSE + CLOSER_BY_TURN * turns_left(position)
    forces = [0.0, 0.0]
    for model in position.on_table():
        if counts_for_ground(model):
            far = max(0.0, math.hypot(model.x - at[0], model.y - at[1]) - HOLDING)
            forces[model.side] += float(model.profile.points) * math.exp(-far / reach)
    return (forces[0] - forces[1]) / (sum(forces) + LONE)


def eagerness(position: Position, side: int) -> float:
    """Return a little for every model's nearness to the mission's goals, or to the enemy."""
    wanted = places_wanted(position, side) or [m.at for m in position.on_table(1 - side) if is_able(m)]
    worth = WORTH_OF_NEARNESS[str(position.now["mission"])]
    return (
        sum(worth * nearness(model, wanted) for model in position.on_table(side) if is_able(model)) if wanted else 0.0
    )


def nearness(model: Model, wanted: list[Point]) -> float:
    here_x, here_y = model.at
    nearest = min([(x - here_x) ** 2 + (y - here_y) ** 2 for x, y in wanted])
    return -float(nearest**0.5)


def unspent(position: Position, side: int) -> int:
    """Return the points that a side's models may still spend in this phase; they are lost when it ends."""
    if position.now["phase"] != "tactical" or position.now["side"] != side:
        return 0
    return sum(points_left(model) for model in position.on_table(side) if is_able(model))
