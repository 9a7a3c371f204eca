"""The command that opens the table in the browser."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from campale.cli.common import Sorry, say

if TYPE_CHECKING:
    from campale.server.battle.hall import Hall
    from campale.server.settings import Settings

HOST, PORT = "127.0.0.1", 8240
EVERYWHERE = ("0.0.0.0", "::", "")
FAR_TOO_LARGE = 4
"""Messages this many times over the size limit are not read; smaller ones over the limit get an error as an answer."""
PATIENCE = 3
"""Seconds that open connections have when the server stops."""

SILENCE = 3.0
"""Seconds after which a line tells the progress of compiling."""

SWITCH = 0.0005
"""Seconds that a thread computes while another waits: the thread that holds the database must continue soon."""


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: campale serve --port 8240 --open. Ctrl-C ends it; every battle is kept.")(serve)


def serve(
    database: Annotated[
        str, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://...; default: a file of your own.")
    ] = "",
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other computers connect.")] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any free one.")] = PORT,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    proxies: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy-headers",
            metavar="ADDRESS",
            help="The address or network of your own proxy, whose word about callers is trusted. May be repeated.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="A name by which others reach it, like table.example.org. May be repeated.")
    ] = None,
    origin: Annotated[list[str] | None, typer.Option(help="Another page's address that may open sockets.")] = None,
    metrics: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT", help="Where /metrics and /health are told: an address that no stranger reaches."
        ),
    ] = "",
    log: Annotated[str, typer.Option(metavar="text|json", help="How the log is written; default: text.")] = "",
    address: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where other servers over the same database reach this one.")
    ] = "",
) -> None:
    """Open the table in the browser: battles against bots, on one screen, or far apart by a link."""
    typed = {"metrics": metrics, "log": log, "address": address}
    settings = settings_of(database, proxies or [], origin or [], [*(name or []), host, *own_names()], **typed)
    with listening(host, port) as listener:
        check_database(settings)
        run(settings, listener, address_of(host, listener.getsockname()[1]), open_)
    typer.echo(say("served"), err=True)


def own_names() -> list[str]:
    """The names of this machine, alone and with the suffix by which its neighbours find it."""
    name = socket.gethostname()
    return [name, f"{name.partition('.')[0]}.local"] if name else []


def settings_of(
    database: str,
    proxies: Sequence[str] = (),
    origins: Sequence[str] = (),
    names: Sequence[str] = (),
    **typed: str,
) -> Settings:
    """The settings of the environment; typed options take precedence."""
    from dataclasses import replace

    from campale.server.settings import PREFIX, address, check_log, check_proxies, from_environment

    try:
        settings = from_environment()
        chosen: dict[str, Any] = {name: value for name, value in typed.items() if value}
        settings = replace(settings, **chosen)
        check_log(settings.log)
        check_proxies(proxies)
        for one in filter(None, (settings.metrics, settings.address)):
            address(one)
    except ValueError as error:
        raise Sorry(say("bad-settings", error=str(error))) from None
    if not database and f"{PREFIX}DATABASE" not in os.environ:
        database = f"sqlite:///{(data_folder() / 'battles.db').as_posix()}"
    return replace(
        settings,
        database=database or settings.database,
        proxies=(*settings.proxies, *proxies),
        names=(*settings.names, *names),
        origins=(*settings.origins, *origins),
    )


def data_folder() -> Path:
    """The folder of this user's battles; created if missing."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "campale"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Sorry(say("cannot-write", file=folder, error=error.strerror or str(error))) from None
    return folder


def check_database(settings: Settings) -> None:
    """Bring the database to the state that this version needs, before anything is served."""
    from sqlalchemy.exc import SQLAlchemyError

    from campale.server.database.store import Store

    try:
        store = Store(settings.database, settings.is_durable)
        try:
            store.migrate()
        finally:
            store.close()
    except (SQLAlchemyError, OSError, ImportError, TypeError, ValueError) as error:
        raise Sorry(say("no-database", error=str(error).splitlines()[0])) from None


def listening(host: str, port: int) -> socket.socket:
    """The socket, opened at once, so that a taken port is reported before anything is loaded.

    Its protocol is explicitly TCP, because asyncio sends small messages at once only in that case.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise Sorry(say("no-port", host=host, port=port, error=error.strerror or str(error))) from None
    return listener


def address_of(host: str, port: int) -> str:
    name = HOST if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def run(settings: Settings, listener: socket.socket, address: str, opens: bool) -> None:
    """Serve until somebody stops the server."""
    import uvicorn

    from campale.server.app import create_app
    from campale.server.guards.connections import Seldom
    from campale.server.operation import logs

    def begun() -> None:
        typer.echo(say("serving", address=address))
        if opens:
            typer.launch(address)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                begun()

    logs.set_up("json" if settings.log == "json" else "text")
    application = create_app(settings)
    with watched(settings.metrics, application.state.hall):
        compile_meanwhile()
        sys.setswitchinterval(SWITCH)
        config = uvicorn.Config(application, log_config=None, **uvicorn_settings(settings))
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(Seldom(time.monotonic))
        with suppress(KeyboardInterrupt):  # uvicorn has ended in good order, and passes the signal on
            Server(config).run(sockets=[listener])


@contextmanager
def watched(at: str, hall: Hall) -> Iterator[None]:
    """Serve metrics at an address in the meantime, if there is one."""
    from campale.server.operation.metrics import Watched
    from campale.server.settings import address

    if not at:
        yield
        return
    host, port = address(at)
    try:
        server = Watched((host, port), hall)
    except OSError as error:
        raise Sorry(say("no-metrics", host=host, port=port, error=error.strerror or str(error))) from None
    with server.served() as found:
        typer.echo(say("watched", address=address_of(host, found)), err=True)
        yield


def compile_meanwhile() -> None:
    """Compile or load kernels while the page is already served; if that takes long, a line says so."""
    from campale.table.warming import compile_in_background

    begun = told = time.monotonic()

    def tell(done: int, of: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told > SILENCE or (done == of and told > begun):
            typer.echo(say("compiled" if done == of else "compiling", done=done, of=of), err=True)
            told = now

    compile_in_background(tell)


def uvicorn_settings(settings: Settings) -> dict[str, Any]:
    from campale.server.guards.connections import most_connections, timed

    return {
        "http": timed(most_connections(settings.connections), settings.first_lines),
        "log_level": "warning",
        "access_log": False,
        "ws": "websockets-sansio",
        "ws_max_size": FAR_TOO_LARGE * settings.largest_message,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
        "timeout_graceful_shutdown": PATIENCE,
        "server_header": False,
    }
