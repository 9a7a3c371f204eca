"""A battle to be played at once: everything before the first turn follows the proposals, for both sides."""

from __future__ import annotations

from campale.referee.game import Game
from campale.referee.lawful import NoAnswer
from campale.screen.proposing import proposed
from campale.screen.scene import eyes
from campale.server.battle.agreeing import begin_unasked
from campale.server.battle.live import Live

MOST_ANSWERS = 400


def begin_set_out(live: Live) -> None:
    """Answer for both sides until the first turn begins.

    A side without a possible proposal gets the question. All of it is committed as one change of the battle.
    """
    begin_unasked(live)
    for _ in range(MOST_ANSWERS):
        if live.game is None or has_begun(live.game) or not answered(live, live.game):
            return


def has_begun(game: Game) -> bool:
    return game.is_over or bool(game.ruleset.turn(game.position))


def answered(live: Live, game: Game) -> bool:
    side = game.asked[0]
    question = None if side is None else game.question_for(side)
    if side is None or question is None:
        return False
    seen = eyes(game, side, live.seats[side].language)
    try:
        answer = proposed(question, seen.teller, seen.position)
    except NoAnswer:
        return False
    return game.answer(side, answer) is None
