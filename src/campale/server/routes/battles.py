"""Battles over HTTP: made, joined, listed, exported, imported. Playing them is the sockets' part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

import campale
from campale.referee.records.saved import SavedGameError
from campale.referee.ruleset import load_ruleset
from campale.server.battle import agreement, proposed
from campale.server.battle.draft import Created, Invitation, Joined, Mine, Summary, TableError, Taken
from campale.server.battle.proposed import ForceAsked, NewBattle, unusable
from campale.server.routes.asking import LONGEST_TOKEN, Language, Token
from campale.server.routes.openapi import answer, body_of, gives
from campale.server.sockets.wire import PROTOCOL, State
from campale.server.told import called

if TYPE_CHECKING:
    from campale.server.battle.hall import Hall

VIEW, VIEW_VERSION = "campale-view", 1
MOST_TOKENS = 200

router = APIRouter(prefix="/api", tags=["battles"])
Battle = Annotated[str, Path(description="The id of a battle.", max_length=60)]
Code = Annotated[str, Path(description="The code of an invitation.", max_length=60)]


# ---------------------------------------------------------------- records


class Health(msgspec.Struct, frozen=True):
    """``database``: whether it can be reached. ``protocol``: the protocol version of the sockets."""

    version: str
    protocol: int
    database: bool


class JoinAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to join by a link; with a force if the seat has none."""

    code: str
    name: str = ""
    force: ForceAsked = None


class TokensHeld(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tokens of seats, and of a session for the battles of its account."""

    tokens: list[str]


class DemoAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``now``: the shortest ready battle, with both sides deployed, at its first turn."""

    book: str = ""
    lang: str = ""
    now: bool = False


class InvitationShown(msgspec.Struct, frozen=True):
    """The battle of an invitation. ``name``: for whom the seat is reserved ("": anybody).

    ``lines`` are what is agreed (title, value, rule); ``agreed`` the same, plainly.
    """

    battle: str
    side: int
    book: str
    title: str
    by: str
    name: str
    is_open: bool
    needs_force: bool
    lines: list[tuple[str, str, str]]
    agreed: dict[str, Any]


class ViewExported(msgspec.Struct, frozen=True):
    """A running battle as one seat may see it. It is not a saved game: secrets stay secret."""

    format: str
    version: int
    campale: str
    state: State


def hall_of(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


# ---------------------------------------------------------------- the server


@router.get("/health", **gives(Health, text="The server is well."))
async def health(request: Request) -> Response:
    is_well = await hall_of(request).is_well()
    return answer(Health(campale.__version__, PROTOCOL, is_well), 200 if is_well else 503)


# ---------------------------------------------------------------- making and joining


@router.post("/battles", **gives(Created, 201, NewBattle, "The battle was made."))
async def create(
    request: Request, asked: Annotated[NewBattle, Depends(body_of(NewBattle))], language: Language
) -> Response:
    draft = await run_in_threadpool(proposed.draft_of, asked, language)
    return answer(await told_as_unusable(hall_of(request).create(draft)), 201)


@router.post("/demo", **gives(Created, 201, DemoAsked, "A battle against a bot was made."))
async def demo(
    request: Request, asked: Annotated[DemoAsked, Depends(body_of(DemoAsked))], language: Language
) -> Response:
    spoken = asked.lang if asked.lang in ("en", "it") else language
    draft = await run_in_threadpool(proposed.demo, asked.book, spoken, asked.now)
    return answer(await hall_of(request).create(draft, asked.now), 201)


@router.get("/join/{code}", **gives(InvitationShown, text="What one would join."))
async def invitation(request: Request, code: Code, language: Language) -> Response:
    found = await hall_of(request).invitation(code)
    return answer(await run_in_threadpool(shown, found, language))


def shown(found: Invitation, language: str) -> InvitationShown:
    draft = found.draft
    return InvitationShown(
        found.battle,
        found.side,
        draft.book,
        load_ruleset(draft.book).title[language],
        called(found.by, 1 - found.side, language),
        found.name,
        found.is_open,
        draft.forces[found.side] is None,
        agreement.lines(draft, found.side if found.is_open else None, language),
        draft.agreed,
    )


@router.post("/join", **gives(Joined, 200, JoinAsked, "A seat was taken."))
async def join(
    request: Request, asked: Annotated[JoinAsked, Depends(body_of(JoinAsked))], language: Language
) -> Response:
    name = proposed.name_of(asked.name)
    found = await hall_of(request).invitation(asked.code[:LONGEST_TOKEN])
    force = await run_in_threadpool(proposed.brought, found, asked.force, language)
    joined = hall_of(request).join(asked.code[:LONGEST_TOKEN], name, force)
    return answer(await told_as_unusable(joined))


# ---------------------------------------------------------------- lists of battles


@router.post("/battles/mine", **gives(list[Mine], 200, TokensHeld, "The battles in which the tokens sit."))
async def mine(
    request: Request, held: Annotated[TokensHeld, Depends(body_of(TokensHeld))], language: Language
) -> Response:
    tokens = [one for one in dict.fromkeys(held.tokens) if 0 < len(one) <= LONGEST_TOKEN][:MOST_TOKENS]
    return answer(await hall_of(request).mine(tokens, language))


@router.get("/battles/{battle}", **gives(Summary, text="What anybody may know of a battle."))
async def summary(request: Request, battle: Battle, language: Language) -> Response:
    return answer(await hall_of(request).summary(battle, language))


# ---------------------------------------------------------------- files


@router.get("/battles/{battle}/export", **gives(dict[str, Any], text="The saved game; while it lasts, one's own view."))
async def export(request: Request, battle: Battle, token: Token, language: Language) -> Response:
    hall = hall_of(request)
    side = await hall.side_of(battle, token)
    kept = await hall.kept(battle)
    if not kept.saved:
        raise Taken("not-begun")
    if kept.stage == "over" and side is not None:
        return as_file(kept.saved, f"campale-{battle}.json")
    state = await hall.view(battle, side, language)
    exported = msgspec.json.encode(ViewExported(VIEW, VIEW_VERSION, campale.__version__, state))
    return as_file(exported, f"campale-{battle}-view.json")


def as_file(body: bytes, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, media_type="application/json", headers=headers)


@router.post("/import", **gives(Created, 201, dict[str, Any], "The saved game is on the table."))
async def import_game(
    request: Request,
    play: Annotated[bool, Query(description="To play it on, from both sides; else to look at.")] = False,
) -> Response:
    data = await request.body()
    try:
        return answer(await hall_of(request).imported(data, play), 201)
    except SavedGameError as error:
        raise unusable("bad-game", error=str(error)[:1000]) from None


async def told_as_unusable(made: Any) -> Any:
    """The result; errors of the book are answered as such."""
    try:
        return await made
    except TableError:
        raise
    except ValueError as error:
        raise unusable("bad-setup", error=str(error)[:1000]) from None
