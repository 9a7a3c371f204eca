"""By which names a server is reached: a page whose own name leads here is not let in."""

from __future__ import annotations

import socket
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from campale.cli import serving
from campale.server.guards.names import is_known, name_in
from campale.server.settings import from_environment
from tests.server.conftest import TOY, Serve, draft
from tests.server.http import client
from tests.server.test_serve import served

HOSTILE = "rebound.example.net"


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost:8240", "localhost"),
        ("Table.Example.ORG.:80", "table.example.org"),
        ("192.168.1.20", "192.168.1.20"),
        ("[::1]:8240", "::1"),
        ("[fe80::1]", "fe80::1"),
        ("a:b", "a:b"),
    ],
)
def test_a_host_is_a_name_and_a_port(host: str, name: str) -> None:
    assert name_in(host) == name


@pytest.mark.parametrize("host", ["", "localhost", "LOCALHOST:1", "me.localhost", "10.0.0.7:8240", "[::1]:8240"])
def test_localhost_and_numbers_are_always_known(host: str) -> None:
    assert is_known(host, ())


@pytest.mark.parametrize(
    "host",
    [
        HOSTILE,
        f"{HOSTILE}:8240",
        "127.0.0.1.example.net",
        "localhost.example.net",
        "127.0.0.1@example.net",
        "[::1",
        "x y",
    ],
)
def test_any_other_name_must_be_told(host: str) -> None:
    assert not is_known(host, ("table.example.org",))
    assert is_known(host, ("*",))


def test_a_name_that_was_told_is_known_with_any_port_and_nothing_below_it() -> None:
    names = ("Table.example.org:443", "club")
    assert all(is_known(host, names) for host in ("table.example.org", "TABLE.example.org:8240", "club:80"))
    assert not any(is_known(host, names) for host in ("x.table.example.org", "example.org", "club.example"))


def test_whoever_comes_by_another_name_is_told_what_to_do(tmp_path: Path) -> None:
    with client(tmp_path, names=("table.example.org",)) as http:
        for path in ("/", "/api/health", "/api/books", "/openapi.json", "/nothing"):
            assert http.get(path, headers={"Host": HOSTILE}).status_code == 421
            assert http.get(path, headers={"Host": "table.example.org"}).status_code != 421
        told = http.get("/api/health?lang=it", headers={"Host": f"{HOSTILE}:8240"}).json()
        assert told["word"] == "unknown-name"
        assert f"`campale serve --name {HOSTILE}`" in told["text"]
        assert "Questo server" in told["text"]
        page = http.get("/b/x", headers={"Host": "<b>.example", "Accept": "text/html"})
        assert page.status_code == 421
        assert "campale serve --name &lt;b&gt;.example" in page.text
        assert page.headers["Content-Security-Policy"]
        made = http.post("/api/demo", json={}, headers={"Host": HOSTILE, "Origin": f"http://{HOSTILE}"})
        assert made.status_code == 421


def test_a_page_whose_name_leads_here_opens_no_socket(serve: Serve) -> None:
    server = serve(names=("table.example.org",))
    made = server.create(draft(TOY, "me", "me"))
    number, _, port = server.address.partition(":")

    def opened(host: str) -> None:
        url = f"ws://{host}:{port}/api/battles/{made.battle}/socket"
        raw = socket.create_connection((number, int(port)))
        with raw, connect(url, sock=raw, origin=Origin(f"http://{host}:{port}")):
            pass

    opened("table.example.org")
    opened("localhost")
    with pytest.raises(InvalidStatus) as refused:
        opened(HOSTILE)
    assert refused.value.response.status_code == 403


def test_the_command_knows_the_names_it_is_told_and_its_machines_own(tmp_path: Path) -> None:
    told = ("--name", "table.example.org", "--name", "club.example")
    with served(tmp_path, *told, CAMPALE_NAMES="third.example fourth.example") as (address, _):
        for host in ("table.example.org", "club.example", "fourth.example", *serving.own_names()):
            request = urllib.request.Request(f"{address}/api/health", headers={"Host": host})
            with urllib.request.urlopen(request, timeout=60) as answer:
                assert answer.status == 200
        with pytest.raises(HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(address, headers={"Host": HOSTILE}), timeout=60)
        assert refused.value.code == 421
        refused.value.close()
    assert from_environment({"CAMPALE_NAMES": "a b"}).names == ("a", "b")
