"""Turns (3/turns-alternate): whose turn it is, how a turn begins and ends, how long the game lasts."""

from __future__ import annotations

from campale.mechanics.phases import begin_player_turn
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import needed, one_die
from campale.rulesets.e55.definitions.units import (
    AFRAID,
    ARRIVED,
    AT_PHASE_START,
    BARRED_FROM_CHARGE,
    CHARGED,
    CHARGED_ROUGH,
    CHARGED_WHOM,
    DISEMBARKED,
    DONE,
    EMBARKED,
    LOST_BEFORE,
    MOVED,
    RAN,
    REAR_CHARGED_BY,
    SHOT,
    in_play,
)

TURNS, MOST_TURNS = 5, 7
GOES_ON = {5: 3, 6: 5}
"""Game turns after which a die is rolled, and the number it needs for another turn."""

OWN_TURN = (MOVED, RAN, SHOT, BARRED_FROM_CHARGE, DONE, ARRIVED, DISEMBARKED, EMBARKED)
"""Counts of a unit that last until its owner's next turn starts."""

EVERY_TURN = (CHARGED, CHARGED_ROUGH, AFRAID)
"""Counts of a unit that last until any player turn ends."""

NOTES_OF_A_TURN = (CHARGED_WHOM, REAR_CHARGED_BY)
"""Notes of a unit that last until any player turn ends."""


@rule("3/turns-alternate")
def begin_turn(position: Position) -> None:
    """Begin the other player's turn, or the first turn of all."""
    side = begin_player_turn(position)
    forget(position, side, OWN_TURN)
    count_heads(position)


@rule("3.1/moved-flag")
def forget(position: Position, side: int, names: tuple[str, ...]) -> None:
    """Clear what a side's units did in their last turn; until now, a unit that moved counts as moved."""
    for unit in position.units:
        if unit.side == side:
            for name in names:
                unit.mark(name, 0)


@rule("4.1/trigger-casualties")
def count_heads(position: Position) -> None:
    """At the start of a phase, record the size of each unit, and how many models were lost before.

    Casualty percentages refer to that size.
    """
    position.now[LOST_BEFORE] = len(position.losses)
    for unit in position.units:
        unit.mark(AT_PHASE_START, len(in_play(unit)))


async def end_turn(position: Position) -> bool:
    """End the player turn; after the second of a game turn the game may end."""
    position.end_effects(f"turn-{position.now['turn']}")
    for side in (0, 1):
        forget(position, side, EVERY_TURN)
    for unit in position.units:
        for name in NOTES_OF_A_TURN:
            unit.jot(name, None)
    if int(position.now["turn"]) % 2 == 0 and not await goes_on(position):
        from campale.rulesets.e55.battle.missions import judge

        judge(position)
    return False


@rule("10.4/game-length")
async def goes_on(position: Position) -> bool:
    """Return whether another game turn is played: always up to the fifth, on a die roll up to the seventh."""
    played = int(position.now["round"])
    if played < TURNS:
        return True
    if played >= MOST_TURNS:
        return False
    return await one_die(int(position.now["side"]), "another-turn", needed(GOES_ON[played]))
