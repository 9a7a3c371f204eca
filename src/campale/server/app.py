"""The application: routes, sockets, the page, and the hall of battles behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import campale
from campale.server import (
    afterwards,
    analysis_http,
    battles_http,
    building_http,
    catalogue,
    compiling,
    laboratory_http,
    limits,
    lists_http,
    moments_http,
    odds_http,
    openapi,
    pages,
    puzzles_http,
    referring,
    scenarios_http,
    sockets,
    trials_http,
)
from campale.server.club import accounts_http, organising_http, seasons_http
from campale.server.hall import Hall
from campale.server.seats import Keys
from campale.server.settings import Settings, from_environment
from campale.server.store import Elsewhere


def create_app(settings: Settings | None = None, keys: Keys | None = None) -> FastAPI:
    """The application under these settings, or under those of the environment."""
    chosen = settings if settings is not None else from_environment()
    hall, reckoner = Hall(chosen, keys), odds_http.Reckoner()

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
    app.include_router(catalogue.router)
    app.include_router(lists_http.router)
    app.include_router(building_http.router)
    app.include_router(compiling.router)
    app.include_router(odds_http.router)
    app.include_router(battles_http.router)
    app.include_router(afterwards.router)
    app.include_router(puzzles_http.router)
    app.include_router(scenarios_http.router)
    app.include_router(moments_http.router)
    app.include_router(trials_http.router)
    app.include_router(analysis_http.router)
    app.include_router(laboratory_http.router)
    app.include_router(accounts_http.router)
    app.include_router(organising_http.router)
    app.include_router(seasons_http.router)
    sockets.add_to(app, hall)
    pages.add_to(app)
    return app
