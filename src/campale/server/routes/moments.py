"""A moment of a battle laid on the test table, over HTTP: the position for the beginning of a scenario file.

Like a correction, a scenario begins between two steps of a battle: later answers are left out, and their number is
told. While a battle lasts, only a player who plays it alone may ask, and only if nothing is hidden from anybody.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response

from campale.referee.position import Position
from campale.referee.records.record import RefereeError
from campale.referee.scenarios.writing import scenario_of
from campale.referee.telling.teller import Teller
from campale.screen.kit import LaidOut
from campale.screen.replay import Played, at_moment
from campale.screen.scene import Eyes, scene_of
from campale.server.battle.draft import Denied, TableError
from campale.server.battle.live import Live
from campale.server.battle.moment import may_test
from campale.server.routes.afterwards import begun, played_of
from campale.server.routes.asking import Language, Token
from campale.server.routes.battles import Battle, hall_of
from campale.server.routes.openapi import answer, gives
from campale.server.routes.scenarios import ScenarioAsked, looked_over

router = APIRouter(prefix="/api/battles/{battle}", tags=["afterwards"])
At = Annotated[int | None, Query(ge=0, le=1_000_000, description="A moment as in the replay; none: now.")]
Public = Annotated[bool, Query(description="Whether the moment is counted as anybody sees the battle.")]


@router.get("/scenario", **gives(LaidOut, text="The moment as a scenario, for a test table."))
async def laid(
    request: Request, battle: Battle, token: Token, language: Language, at: At = None, public: Public = False
) -> Response:
    live, side = await begun(request, battle, token)
    is_over = live.battle.stage == "over"
    if not is_over:
        check_alone(live, side)
    played = await live.look(lambda: played_of(live))
    loop, lookers = asyncio.get_running_loop(), hall_of(request).lookers
    counted = None if public else side
    return answer(await loop.run_in_executor(lookers, laid_at, played, at, counted, is_over, language))


def check_alone(live: Live, side: int | None) -> None:
    """Raises Denied unless the side plays there, alone, and against no opponent with secrets."""
    if side is None:
        raise Denied("not-yours")
    if not may_test(live, side):
        raise Denied("test-later")


def laid_at(played: Played, at: int | None, side: int | None, is_over: bool, language: str) -> LaidOut:
    """Lay a moment of a battle. Raises TableError if there is no such moment, or no model to set down."""
    try:
        game = at_moment(played, len(played.line) if at is None else at, None if at is None else side)
    except (ValueError, RefereeError):
        raise TableError("no-moment", 422) from None
    mark = game.marks[-1]
    position = mark.position
    if not is_over and not nothing_hidden(position):
        raise Denied("secrets-here")
    if not position.names:
        raise TableError("nobody-there", 422)
    told = scene_of(Eyes(None, position, Teller.of(game, language, position)))
    scenario = scenario_of(position, played.setup.options, told.standing.title)
    text = msgspec.json.encode(scenario).decode()
    out = looked_over(ScenarioAsked(text), language)
    return msgspec.structs.replace(out, since=len(game.line) - mark.at)


def nothing_hidden(position: Position) -> bool:
    return position.ruleset.seen_by(None, position.copy()).is_like(position)
