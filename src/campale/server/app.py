"""The application: routes, sockets, the page, and the hall of battles behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import campale
from campale.server.battle.hall import Hall
from campale.server.battle.seats import Keys
from campale.server.club import accounts_http, organising_http, seasons_http
from campale.server.database.store import Elsewhere
from campale.server.guards import limits
from campale.server.operation import referring
from campale.server.routes import (
    afterwards,
    analysis,
    battles,
    building,
    catalogue,
    compiling,
    laboratory,
    lists,
    moments,
    odds,
    openapi,
    pages,
    puzzles,
    scenarios,
    trials,
)
from campale.server.settings import Settings, from_environment
from campale.server.sockets import serving as sockets

ROUTES = (
    *(catalogue, lists, building, compiling, odds),
    *(battles, afterwards, puzzles, scenarios, moments),
    *(trials, analysis, laboratory),
    *(accounts_http, organising_http, seasons_http),
)


def create_app(settings: Settings | None = None, keys: Keys | None = None) -> FastAPI:
    """The application under these settings, or under those of the environment."""
    chosen = settings if settings is not None else from_environment()
    hall, reckoner = Hall(chosen, keys), odds.Reckoner()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with hall.metrics.watching(hall):
            await hall.open()
            yield
            await hall.close()
        reckoner.close()

    app = FastAPI(title="Campale", version=campale.__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.hall, app.state.reckoner = hall, reckoner
    limits.add_to(app, chosen)
    app.add_exception_handler(Elsewhere, referring.pass_on)
    openapi.add_to(app)
    for one in ROUTES:
        app.include_router(one.router)
    sockets.add_to(app, hall)
    pages.add_to(app)
    return app
