"""The analysis of a finished battle over HTTP: begun, watched, stopped. Each seat gets the analysis of its own side.

Nobody else sees a side's decisions, which may depend on secrets. A running battle has no analysis: it would be advice.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from campale.server.battle.draft import Denied, Taken
from campale.server.battle.live import Live
from campale.server.processes.analysing import NONE, AnalysisShown, Study
from campale.server.routes.afterwards import begun
from campale.server.routes.asking import Language, Token
from campale.server.routes.battles import Battle, hall_of
from campale.server.routes.openapi import Nothing, answer, body_of, gives
from campale.simulate.analysis import Analysis, Kept, decisions

router = APIRouter(prefix="/api/battles/{battle}/analysis", tags=["afterwards"])
Asked = Annotated[Nothing, Depends(body_of(Nothing))]


@router.post("", **gives(AnalysisShown, 200, Nothing, "The analysis, as it has begun."))
async def begin(request: Request, battle: Battle, asked: Asked, token: Token, language: Language) -> Response:
    """Look for the decisions that cost this seat most. An analysis in progress is reported instead."""
    live, side = await seated(request, battle, token)
    hall, key = hall_of(request), (live.id, side, True)
    study = hall.studying.running(key)
    if study is None:
        kept = await live.look(lambda: kept_of(live))
        every = await asyncio.get_running_loop().run_in_executor(hall.lookers, decisions, kept, side)
        seed = f"analysis/{kept.seed}"
        study = hall.studying.running(key) or hall.studying.begin(key, Study(Analysis(every, seed)))
    return answer(study.shown(language))


@router.get("", **gives(AnalysisShown, text="The analysis, as far as it has come."))
async def look(request: Request, battle: Battle, token: Token, language: Language) -> Response:
    live, side = await seated(request, battle, token)
    return answer(shown(request, live, side, language))


@router.post("/stop", **gives(AnalysisShown, 200, Nothing, "The analysis is stopped."))
async def stop(request: Request, battle: Battle, asked: Asked, token: Token, language: Language) -> Response:
    live, side = await seated(request, battle, token)
    hall_of(request).studying.stop((live.id, side, True))
    return answer(shown(request, live, side, language))


async def seated(request: Request, battle: str, token: str) -> tuple[Live, int]:
    """A finished battle, and the side of the asker. Raises Denied, Taken."""
    live, side = await begun(request, battle, token)
    if side is None:
        raise Denied("not-yours")
    if live.battle.stage != "over":
        raise Taken("analysis-in-play")
    return live, side


def shown(request: Request, live: Live, side: int, language: str) -> AnalysisShown:
    study = hall_of(request).studying.runs.get((live.id, side, True))
    return NONE if study is None else study.shown(language)


def kept_of(live: Live) -> Kept:
    if live.game is None:
        raise Taken("not-begun")
    return Kept.of(live.game)
