"""``campale serve``: an address that is told, battles that outlive it, and plain sentences for what cannot be."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from typer.testing import CliRunner

from campale.cli import app, serving
from campale.server.database.store import with_driver

WAIT = 60


@contextmanager
def served(folder: Path, *words: str, **env: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server of its own, whose battles are kept below the folder; its address."""
    command = [sys.executable, "-c", "from campale.cli import main; main()", "serve", "--port", "0", *words]
    usual = {"XDG_DATA_HOME": str(folder), "LOCALAPPDATA": str(folder), "HOME": str(folder), "CAMPALE_WORKERS": "1"}
    process = subprocess.Popen(
        command, env={**os.environ, **usual, **env}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield address_in(process.stdout), process
    finally:
        process.kill()
        process.communicate()


def address_in(told: IO[str]) -> str:
    line = told.readline()
    assert "http://" in line, line
    return "http://" + line.partition("http://")[2].partition("/")[0]


JSON = {"Content-Type": "application/json"}


def asked(address: str, path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address + path, data, JSON), timeout=WAIT) as answer:
        return json.load(answer)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_battle_outlives_the_server_which_ends_in_good_order(tmp_path: Path) -> None:
    with served(tmp_path) as (address, process):
        assert asked(address, "/api/health")["database"] is True
        created = asked(address, "/api/demo", {})
        process.send_signal(signal.SIGINT)
        out, told = process.communicate(timeout=WAIT)
        assert (process.returncode, "Traceback" in out + told) == (0, False), told
        assert told.rstrip().endswith("the table is closed; every battle is saved.")
    kept = [path for path in tmp_path.rglob("battles.db*") if "campale" in path.parts]
    assert kept
    with served(tmp_path) as (address, _):
        tokens = [seat["token"] for seat in created["seats"] if seat["token"]]
        (found,) = asked(address, "/api/battles/mine", {"tokens": tokens})
        assert (found["battle"], found["stage"]) == (created["battle"], "playing")


def test_the_address_is_told_in_the_language_asked_for(tmp_path: Path) -> None:
    words = ("--lang", "it", "--database", f"sqlite:///{tmp_path}/club.db")
    with served(tmp_path, *words) as (address, _):
        assert asked(address, "/api/health")["database"] is True
    assert (tmp_path / "club.db").exists()


def test_a_port_that_somebody_has_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        found = CliRunner().invoke(app, ["serve", "--port", str(taken.getsockname()[1])])
    assert found.exit_code == 2
    assert "choose another with --port" in found.stderr


@pytest.mark.parametrize("url", ["chess", "sqlite:////nowhere/at/all.db", "oracle://x", "sqlite://"])
def test_a_database_that_cannot_be_used_is_told(url: str) -> None:
    found = CliRunner().invoke(app, ["serve", "--port", "0", "--database", url])
    assert found.exit_code == 2, found.stderr
    told = found.stderr.splitlines()[-1]
    assert told.startswith("campale: the database cannot be used: ")


def test_a_setting_that_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAMPALE_BURST", "many")
    found = CliRunner().invoke(app, ["serve", "--port", "0"])
    assert (found.exit_code, "many" in found.stderr) == (2, True)


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:7/"), ("0.0.0.0", "http://127.0.0.1:7/"), ("::1", "http://[::1]:7/")],
)
def test_the_address_is_one_that_can_be_opened(host: str, address: str) -> None:
    assert serving.address_of(host, 7) == address


def test_what_is_typed_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("CAMPALE_ORIGINS", "https://one.example")
    usual = serving.settings_of("", [], [])
    assert usual.database.startswith("sqlite:///")
    assert usual.database.endswith("campale/battles.db")
    monkeypatch.setenv("CAMPALE_DATABASE", "sqlite:///club.db")
    assert serving.settings_of("", [], []).database == "sqlite:///club.db"
    monkeypatch.setenv("CAMPALE_PROXIES", "127.0.0.1 ::1")
    chosen = serving.settings_of("sqlite:///mine.db", ["10.0.0.0/8"], ["https://two.example"])
    assert (chosen.database, chosen.proxies) == ("sqlite:///mine.db", ("127.0.0.1", "::1", "10.0.0.0/8"))
    assert chosen.origins == ("https://one.example", "https://two.example")
    assert serving.uvicorn_settings(chosen)["forwarded_allow_ips"] == ["127.0.0.1", "::1", "10.0.0.0/8"]
    assert serving.uvicorn_settings(chosen)["proxy_headers"] is True
    assert serving.uvicorn_settings(usual)["proxy_headers"] is False


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+pg8000"])
def test_a_url_of_postgresql_wants_no_driver_named(scheme: str) -> None:
    assert with_driver(f"{scheme}://me:pw@host/club") == "postgresql+pg8000://me:pw@host/club"
    assert with_driver("sqlite:///club.db") == "sqlite:///club.db"


def test_small_messages_go_out_at_once() -> None:
    """What follows an acknowledgement must not wait until the other end has confirmed that."""
    assert asyncio.run(delays(serving.listening("127.0.0.1", 0))) == [0]


async def delays(listener: socket.socket) -> list[int]:
    """Whether connections that come in there gather small messages: 0 if they do not, by the system's own word."""
    found: list[int] = []

    async def came(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        found.append(int(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 0))
        writer.close()

    async with await asyncio.start_server(came, sock=listener):
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        await reader.read()
        writer.close()
    return found
