"""The settings of a server: from its command line, or from environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from ipaddress import ip_network
from typing import Any

PREFIX = "CAMPALE_"
LOGS = ("text", "json")


@dataclass(frozen=True)
class Settings:
    """The settings. Times are in seconds, sizes in bytes.

    ``database``: a URL of SQLAlchemy. ``names``: the names of the server, besides localhost and any number ("*": any
    name, which lets foreign pages in). ``origins``: pages of other addresses that may open sockets and send requests.
    ``proxies``: addresses and networks of proxies whose word about the sender is trusted. ``rate``, ``burst``: requests
    of one address (None: any number); ``lines``: sockets of one address at a time; ``connections``: of all addresses
    together, as far as there are files for them; ``first_lines``, ``whole_body``: the time limits for the first lines
    and the whole of a request; ``making``, ``making_burst``: requests that make battles or play them through;
    ``signing``, ``signing_burst``: requests that check a pass phrase; ``messages``, ``message_burst``: messages of one
    socket. ``hello``: how long a new socket may stay silent. ``lease``: how long a battle belongs to this process
    without a sign of life; ``idle``: after how long a battle without viewers leaves memory, sooner if there are more
    than ``lives``; ``unjoined``: after how long a battle that never began is removed. ``workers``: processes in which
    bots think; ``thinking``: the time limit for one decision, and ``activation`` for a whole activation; ``patience``:
    the extra time before they are stopped. ``is_durable``: whether a commit survives a power cut. ``metrics``: the
    address (HOST:PORT) of the metrics, empty for none; ``log``: the form of the log, "text" or "json"; ``address``:
    where other processes over the same database reach this one (HOST:PORT).
    """

    database: str = "sqlite:///campale.db"
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    rate: float | None = 20.0
    burst: int = 60
    making: float = 0.5
    making_burst: int = 40
    signing: float = 0.2
    signing_burst: int = 10
    largest_body: int = 25_000_000
    lines: int = 1000
    connections: int = 4000
    first_lines: float = 10.0
    whole_body: float = 60.0
    messages: float = 40.0
    message_burst: int = 120
    largest_message: int = 262_144
    hello: float = 10.0
    lease: float = 6.0
    idle: float = 900.0
    lives: int = 300
    unjoined: float = 2_592_000.0
    workers: int = max(1, (os.cpu_count() or 2) - 1)
    thinking: float = 1.0
    activation: float = 3.0
    patience: float = 10.0
    threads: int = 8
    is_durable: bool = True
    metrics: str = ""
    log: str = "text"
    address: str = ""


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings from ``CAMPALE_DATABASE``, ``CAMPALE_ORIGINS`` (separated by blanks) and so on, or defaults."""
    usual = Settings()
    chosen: dict[str, Any] = {
        field.name: read(environment[name], getattr(usual, field.name))
        for field in fields(Settings)
        if (name := PREFIX + field.name.upper()) in environment
    }
    check_proxies(chosen.get("proxies", ()))
    check_log(chosen.get("log", usual.log))
    return Settings(**chosen)


def check_log(log: str) -> None:
    """Raises ValueError for an unknown form of the log."""
    if log not in LOGS:
        raise ValueError(f"the log cannot be '{log}'; choose {' or '.join(LOGS)}")


def address(told: str) -> tuple[str, int]:
    """The host and the port of HOST:PORT. Raises ValueError."""
    host, colon, port = told.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 65536):
        raise ValueError(f"'{told}' is no address like 127.0.0.1:9240")
    return host.strip("[]"), int(port)


def check_proxies(proxies: Sequence[str]) -> None:
    """Raises ValueError with the name of anything that is neither an address nor a network."""
    for one in proxies:
        try:
            ip_network(one)
        except ValueError:
            raise ValueError(
                f"the proxy '{one}' is no address (like 127.0.0.1) and no network (like 10.0.0.0/8); give that of "
                "whatever passes requests on"
            ) from None


def read(text: str, usual: object) -> object:
    """A value of the same type as the default; an empty text means no limit."""
    if isinstance(usual, tuple):
        return tuple(text.split())
    if isinstance(usual, bool):
        return text.casefold() in {"1", "true", "yes", "on"}
    if isinstance(usual, int):
        return int(text)
    return text if isinstance(usual, str) else (float(text) if text else None)
