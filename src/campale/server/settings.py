"""How a server is set up: by its command line, or by variables of the environment."""

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
    """Times are in seconds, sizes in bytes.

    ``database``: a URL of SQLAlchemy. ``names``: by which the server is reached, beside localhost and any number
    ("*": by any name, which lets pages of others in). ``origins``: pages of other addresses that may open sockets
    and send requests. ``proxies``: addresses and networks of proxies, which are believed who asks. ``rate``,
    ``burst``: requests of one address (None: any number); ``lines``: sockets of one address at a time;
    ``connections``: of all addresses together, as far as there are files for them; ``first_lines``, ``whole_body``:
    how long the first lines and the whole of a request may take; ``making``, ``making_burst``: those that make
    battles or play them through; ``signing``, ``signing_burst``: those that judge a pass phrase; ``messages``,
    ``message_burst``: those of one socket. ``hello``: how long one may stay silent at first. ``lease``: how long a
    battle stays this process's own without a sign of life; ``idle``: after how long one that nobody looks at leaves
    memory, sooner where there are more than ``lives``; ``unjoined``: after how long one that was never begun is
    removed. ``workers``: processes in which bots think; ``thinking``: for how long about one decision, and
    ``activation`` about all of an activation; ``patience``: how much longer before they are broken off.
    ``is_durable``: whether what is committed outlives a power cut too.
    ``metrics``: the address (HOST:PORT) at which figures are told, none where it is empty; ``log``: how the log is
    written, as "text" or as "json"; ``address``: where other processes over the same database reach this one
    (HOST:PORT).
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
    """The settings of ``CAMPALE_DATABASE``, ``CAMPALE_ORIGINS`` (separated by blanks) and so on; the rest as usual."""
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
    """Raises ValueError where the log is to be written as nothing that there is."""
    if log not in LOGS:
        raise ValueError(f"the log cannot be '{log}'; choose {' or '.join(LOGS)}")


def address(told: str) -> tuple[str, int]:
    """The host and the port of HOST:PORT. Raises ValueError."""
    host, colon, port = told.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 65536):
        raise ValueError(f"'{told}' is no address like 127.0.0.1:9240")
    return host.strip("[]"), int(port)


def check_proxies(proxies: Sequence[str]) -> None:
    """Raises ValueError naming what is no address and no network."""
    for one in proxies:
        try:
            ip_network(one)
        except ValueError:
            raise ValueError(
                f"the proxy '{one}' is no address (like 127.0.0.1) and no network (like 10.0.0.0/8); give that of "
                "whatever passes requests on"
            ) from None


def read(text: str, usual: object) -> object:
    """A value of the kind that it usually is; nothing at all is no limit."""
    if isinstance(usual, tuple):
        return tuple(text.split())
    if isinstance(usual, bool):
        return text.casefold() in {"1", "true", "yes", "on"}
    if isinstance(usual, int):
        return int(text)
    return text if isinstance(usual, str) else (float(text) if text else None)
