"""A decision, or an alternative, in few words for the side that decides, answer by answer."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.game import Game
from campale.referee.refusal import Plain
from campale.screen.scene import eyes, title_of
from campale.screen.telling import summary

MOST_TOLD = 4
"""The most answers of a line that are shown."""


def line_told(game: Game, side: int, answers: Sequence[Plain], language: str) -> list[str]:
    """The answers of a side one after another, as long as it has a question. The game advances with them."""
    found: list[str] = []
    for answer in answers[:MOST_TOLD]:
        question = game.question_for(side)
        if question is None or question.refusal(answer) is not None:
            break
        seen = eyes(game, side, language)
        asked = seen.teller.question(question).removesuffix("?")
        told = summary(question, answer, seen.position, seen.teller)
        found.append(told if question.kind == "form" else f"{asked}: {told}")
        game.answer(side, answer)
    return found


def moment_told(game: Game, side: int, language: str) -> str:
    """The current turn and phase of a game."""
    seen = eyes(game, side, language)
    return title_of(seen.position.now, seen.teller)
