"""The laboratory over HTTP: a book's questions; an experiment begun, watched, stopped, and downloaded.

Anybody with an experiment's id may watch it and stop it. Each address may run one at a time.
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Path, Request, Response
from starlette.concurrency import run_in_threadpool

from campale.lab.errors import LabError
from campale.lab.templates import FIRST, KINDS, MISSIONS, OPTION, UNIT, Wanted, template, to_spare, written
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.server.battle.draft import TableError, Taken, Unknown
from campale.server.processes.examining import Examined, ExperimentShown
from campale.server.routes.asking import Language
from campale.server.routes.battles import hall_of
from campale.server.routes.catalogue import Book, missions_of, offers_of, playable
from campale.server.routes.openapi import Nothing, answer, body_of, gives, lasting, sends

router = APIRouter(prefix="/api", tags=["laboratory"])
Experiment = Annotated[str, Path(description="The id of an experiment.", max_length=60)]
Kind = Literal["unit", "first", "option", "missions"]
Bot = Literal["script", "greedy"]
Word = Annotated[str, msgspec.Meta(max_length=80)]
MOST_BATTLES, MOST_IN_ALL = 1000, 2000
"""The most battles of one variant, and of all together."""
CHARTS = ("matplotlib", "openskill")


class Spared(msgspec.Struct, frozen=True):
    """An entry that an army may have fewer of: its place, counted from 1, and its title."""

    place: int
    title: str


class Questions(msgspec.Struct, frozen=True):
    """The questions that a book allows."""

    kinds: list[str]


class ExperimentAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question about a book. An empty field gets the first suitable value. ``unit``: a place among the units."""

    book: Word
    kind: Kind
    force: Word = ""
    against: Word = ""
    unit: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    option: Word = ""
    bot: Bot = "script"
    battles: Annotated[int, msgspec.Meta(ge=2, le=MOST_BATTLES)] = 100


@router.get("/books/{book}/questions", **gives(Questions, text="Which questions can be asked of a book."))
def questions(request: Request, book: Book, language: Language) -> Response:
    ruleset = playable(book)
    return lasting(request, msgspec.json.encode(Questions([one for one in KINDS if can_be_asked(ruleset, one)])))


def can_be_asked(ruleset: Ruleset, kind: str) -> bool:
    has = {OPTION: bool(ruleset.switches), MISSIONS: len(missions_of(ruleset, "en")) > 1}
    return has.get(kind, bool(offers_of(ruleset).forces))


@router.get("/books/{book}/forces/{force}/units", **gives(list[Spared], text="What an army may have less of."))
def units(
    request: Request,
    book: Book,
    force: Annotated[str, Path(description="An army's name.", max_length=80)],
    language: Language,
) -> Response:
    if offers_of(playable(book)).force(force) is None:
        raise Unknown("no-army", army=force[:60])
    return lasting(request, spared(book, force, language))


@lru_cache(maxsize=128)
def spared(book: str, force: str, language: str) -> bytes:
    ruleset = load_ruleset(book)
    offers = offers_of(ruleset)
    offered = offers.force(force)
    found = [] if offered is None else to_spare(ruleset, offers, offered)
    return msgspec.json.encode([Spared(place + 1, title[language]) for place, title in found])


# ---------------------------------------------------------------- experiments


@router.post("/experiments", **gives(ExperimentShown, 200, ExperimentAsked, "The experiment, as it has begun."))
async def begin(
    request: Request, asked: Annotated[ExperimentAsked, Depends(body_of(ExperimentAsked, 10_000))], language: Language
) -> Response:
    hall, visitor = hall_of(request), request.client.host if request.client is not None else ""
    check_free(request, visitor)
    source, of = await run_in_threadpool(written_down, asked, language)
    check_free(request, visitor)
    id = hall.keys.battle()
    run = Examined(id, visitor, asked.kind, asked.book, source, of)
    return answer(shown(hall.examining.begin(id, run), language))


def check_free(request: Request, visitor: str) -> None:
    """Raises Taken if this visitor, or enough visitors, already have one running."""
    examining = hall_of(request).examining
    if any(run.is_running and run.visitor == visitor for run in examining.runs.values()):
        raise Taken("experiment-goes-on")
    examining.check_room()


def written_down(asked: ExperimentAsked, language: str) -> tuple[str, int]:
    """The experiment's file, and the number of battles that it wants. Raises TableError."""
    ruleset = playable(asked.book)
    unit = str(asked.unit) if asked.unit and asked.kind == UNIT else ""
    against = "" if asked.kind == FIRST else asked.against
    wanted = Wanted(asked.force, against, unit, asked.option, asked.bot, asked.battles, language)
    try:
        content = template(ruleset, asked.kind, wanted)
    except LabError as error:
        raise TableError(f"lab-{error.key}", 422, **error.values) from None
    variants = [len(values) for values in content.get("vary", {}).values()]
    of = content["battles"] * (variants[0] if variants else 1)
    if of > MOST_IN_ALL:
        raise TableError("experiment-large", 422, count=of, most=MOST_IN_ALL)
    head = f"{content['title'][language]}\ncampale lab run {asked.kind}-{asked.book}.yaml"
    return written(content, head), of


def run_of(request: Request, experiment: str) -> Examined:
    run = hall_of(request).examining.runs.get(experiment)
    if run is None:
        raise Unknown("no-experiment")
    return run


def shown(run: Examined, language: str) -> ExperimentShown:
    found = run.shown(language)
    return found if is_charted() else msgspec.structs.replace(found, has_report=False)


def is_charted() -> bool:
    """Whether the packages for a report are installed."""
    return all(importlib.util.find_spec(package) is not None for package in CHARTS)


@router.get("/experiments/{experiment}", **gives(ExperimentShown, text="An experiment, as far as it has come."))
async def look(request: Request, experiment: Experiment, language: Language) -> Response:
    return answer(shown(run_of(request, experiment), language))


@router.post("/experiments/{experiment}/stop", **gives(ExperimentShown, 200, Nothing, "The experiment is stopped."))
async def stop(
    request: Request,
    experiment: Experiment,
    asked: Annotated[Nothing, Depends(body_of(Nothing))],
    language: Language,
) -> Response:
    run = run_of(request, experiment)
    run.stop()
    return answer(shown(run, language))


TEXT: dict[str, Any] = {"type": "string"}


@router.get("/experiments/{experiment}/file", **sends(TEXT, 200, "The experiment file.", "application/yaml"))
async def file(request: Request, experiment: Experiment) -> Response:
    run = run_of(request, experiment)
    return taken_home(run.source, f"{run.name}.yaml", "application/yaml")


@router.get("/experiments/{experiment}/report", **sends(TEXT, 200, "The report, as a page.", "text/html"))
async def report(request: Request, experiment: Experiment, language: Language) -> Response:
    """The report on the battles played, once the experiment is over."""
    run = run_of(request, experiment)
    if not run.has_report:
        raise Taken("experiment-unfinished")
    if not is_charted():
        raise TableError("no-reports", 501)
    page = await run.report(hall_of(request).examining.pool, language)
    if page is None:
        raise TableError("report-broken", 503)
    return taken_home(page, f"{run.name}.html", "text/html")


def taken_home(text: str, name: str, media: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, media_type=media, headers=headers)
