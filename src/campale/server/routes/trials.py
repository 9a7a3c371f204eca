"""A battle played on many times by bots, over HTTP: begun, watched, stopped.

From a running battle only its players may ask, with what they know, and not if somebody else has joined the other side
by a link: against a person it would be advice. From a finished battle anybody may ask, from any of its moments.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends, Request, Response

from campale.referee.records.record import RefereeError
from campale.screen.replay import Played, hidden_from, stepping
from campale.server.battle.draft import Denied, TableError, Taken
from campale.server.battle.live import Live
from campale.server.processes.trying import MOST_MOMENTS, MOST_TRIALS, NONE, Key, TrialsShown, Tried
from campale.server.routes.afterwards import begun, played_of
from campale.server.routes.asking import Language, Token
from campale.server.routes.battles import Battle, hall_of
from campale.server.routes.openapi import Nothing, answer, body_of, gives
from campale.simulate.trials import Standing

router = APIRouter(prefix="/api/battles/{battle}/trials", tags=["afterwards"])
Bot = Literal["random", "script", "greedy"]
Place = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Begins = list[tuple[int | None, Standing]]


class TrialsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of trials, and the bots by side. ``ats``: moments of a finished battle; empty: from now."""

    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_TRIALS)]
    players: tuple[Bot, Bot] = ("script", "script")
    ats: Annotated[list[Place], msgspec.Meta(max_length=MOST_MOMENTS)] = []


@router.post("", **gives(TrialsShown, 200, TrialsAsked, "The trials, as they have begun."))
async def begin(
    request: Request,
    battle: Battle,
    asked: Annotated[TrialsAsked, Depends(body_of(TrialsAsked))],
    token: Token,
    language: Language,
) -> Response:
    """Play on many times. Trials already running are reported instead."""
    live, side = await begun(request, battle, token)
    key = key_of(live, side)
    hall = hall_of(request)
    run = hall.trying.running(key)
    if run is None:
        moments = await begins(request, live, side, asked)
        seed = hall.keys.seed()
        run = hall.trying.running(key) or hall.trying.begin(key, Tried(moments, asked.players, asked.count, seed))
    return answer(run.shown())


@router.get("", **gives(TrialsShown, text="The trials, as far as they have come."))
async def look(request: Request, battle: Battle, token: Token, language: Language) -> Response:
    live, side = await begun(request, battle, token)
    return answer(shown(request, key_of(live, side)))


@router.post("/stop", **gives(TrialsShown, 200, Nothing, "The trials are stopped."))
async def stop(
    request: Request,
    battle: Battle,
    asked: Annotated[Nothing, Depends(body_of(Nothing))],
    token: Token,
    language: Language,
) -> Response:
    live, side = await begun(request, battle, token)
    key = key_of(live, side)
    hall_of(request).trying.stop(key)
    return answer(shown(request, key))


def shown(request: Request, key: Key) -> TrialsShown:
    run = hall_of(request).trying.runs.get(key)
    return NONE if run is None else run.shown()


def key_of(live: Live, side: int | None) -> Key:
    """The key of the asker's trials. Raises Denied, Taken if nobody may ask for any."""
    if live.battle.stage == "over":
        return live.id, side, True
    if side is None:
        raise Denied("not-yours")
    if live.draft.is_apart:
        raise Taken("trials-against-person")
    return live.id, side, False


async def begins(request: Request, live: Live, side: int | None, asked: TrialsAsked) -> Begins:
    """The positions in which they begin. Raises TableError if there is no such moment."""
    rng = Random(hall_of(request).keys.seed())
    if live.battle.stage != "over":
        if asked.ats:
            raise TableError("no-moment", 422)
        return [(None, await live.look(lambda: standing_now(live, side, rng)))]
    played = await live.look(lambda: played_of(live))
    loop, lookers = asyncio.get_running_loop(), hall_of(request).lookers
    found = await loop.run_in_executor(lookers, standings, played, asked.ats, side, rng)
    if not found:
        raise TableError("no-moment", 422)
    return found


def standing_now(live: Live, side: int | None, rng: Random) -> Standing:
    if live.game is None or live.game.is_over:
        raise Taken("not-begun")
    return Standing.of(live.game, side, rng)


def standings(played: Played, ats: list[int], side: int | None, rng: Random) -> Begins:
    """Positions of a finished battle at moments that its replay for a side counts; the end itself is left out."""
    left, found = sorted(set(ats)), Begins()
    try:
        for length, again in stepping(played):
            if left and length - hidden_from(side, again) >= left[0] and not again.is_over:
                found.append((left.pop(0), Standing.of(again, None, rng)))
    except (ValueError, RefereeError):
        raise TableError("no-moment", 422) from None
    return found
