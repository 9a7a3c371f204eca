"""The documented proxies, as they are: who asks is known by its own address, and battles are played through them."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tools.proxies import told
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.server.conftest import TOY, Serve, draft
from tests.server.page import Page
from tests.server.test_two import reached

DOCS = Path(__file__).parents[2] / "docs" / "proxies"
NAME, PORT = "table.example.org", "8240"
PROXY = "127.0.0.1"
WHOLE_NGINX = """daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {part}
}}
"""
FEW = 3


def free_port() -> int:
    with socket.create_server((PROXY, 0)) as found:
        return int(found.getsockname()[1])


def nginx(folder: Path, port: int, upstream: str) -> list[str]:
    """The documented file on a port of its own, without a certificate."""
    part = (DOCS / "nginx.conf").read_text("utf-8")
    lines = [line for line in part.splitlines() if "ssl_certificate" not in line]
    part = "\n".join(lines).replace("listen 443 ssl;", f"listen {PROXY}:{port};")
    part = part.replace(NAME, "localhost").replace(f"127.0.0.1:{PORT}", upstream)
    (folder / "nginx.conf").write_text(WHOLE_NGINX.format(folder=folder, part=part), "utf-8")
    return ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


def caddy(folder: Path, port: int, upstream: str) -> list[str]:
    part = (DOCS / "Caddyfile").read_text("utf-8").replace(f"127.0.0.1:{PORT}", upstream)
    part = part.replace(f"\n{NAME} {{", f"\nhttp://localhost:{port} {{")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{part}", "utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def club(folder: Path, port: int, upstreams: str) -> list[str]:
    """The file of compose.yaml, with the two processes where they are."""
    part = (DOCS / "Caddyfile.club").read_text("utf-8").replace("table-1:8240 table-2:8240", upstreams)
    part = part.replace("{$CAMPALE_NAME}", f"http://localhost:{port}")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{part}", "utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


Command = Callable[[Path, int, str], list[str]]


@contextmanager
def proxied(command: Command, folder: Path, upstream: str) -> Iterator[int]:
    """A proxy that passes on to a server, on a port."""
    port = free_port()
    with (folder / "out.log").open("wb") as out:
        process = subprocess.Popen(command(folder, port, upstream), stdout=out, stderr=out, cwd=folder)
        try:
            until = time.monotonic() + 60
            while not is_listening(port):
                assert process.poll() is None, (folder / "out.log").read_text("utf-8")
                assert time.monotonic() < until
                time.sleep(0.05)
            yield port
        finally:
            process.terminate()
            process.wait(60)


def is_listening(port: int) -> bool:
    try:
        socket.create_connection((PROXY, port), timeout=1).close()
    except OSError:
        return False
    return True


def asked(port: int, source: str = PROXY, path: str = "/api/health", **headers: str) -> int:
    """The status that somebody with an address gets."""
    line = http.client.HTTPConnection(PROXY, port, timeout=60, source_address=(source, 0))
    try:
        line.request("GET", path, headers={"Host": f"localhost:{port}", **headers})
        return line.getresponse().status
    finally:
        line.close()


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def command(request: pytest.FixtureRequest) -> Command:
    found: Command = request.param
    if shutil.which(found.__name__) is None:
        pytest.skip(told(found.__name__))
    return found


def test_everybody_is_counted_by_his_own_address_whatever_he_says(
    command: Command, serve: Serve, tmp_path: Path
) -> None:
    server = serve(proxies=(PROXY,), rate=1e-9, burst=FEW)
    with proxied(command, tmp_path, server.address) as port:
        for number in range(FEW):
            assert asked(port, "127.0.0.2", **{"X-Forwarded-For": f"192.0.2.{number}"}) == 200
        assert asked(port, "127.0.0.2", **{"X-Forwarded-For": "192.0.2.99"}) == 429
        assert asked(port, "127.0.0.3") == 200


def test_who_is_no_proxy_is_not_believed(serve: Serve) -> None:
    server = serve(proxies=(PROXY,), rate=1e-9, burst=FEW)
    port = int(server.address.rpartition(":")[2])
    for number in range(FEW):
        assert asked(port, "127.0.0.2", **{"X-Forwarded-For": f"192.0.2.{number}"}) == 200
    assert asked(port, "127.0.0.2", **{"X-Forwarded-For": "192.0.2.99"}) == 429
    assert asked(port, PROXY, **{"X-Forwarded-For": "192.0.2.99"}) == 200


def test_battles_are_played_through_it_and_not_from_elsewhere(command: Command, serve: Serve, tmp_path: Path) -> None:
    server = serve(proxies=(PROXY,))
    made = server.create(draft(TOY, "me", "me"))
    with proxied(command, tmp_path, server.address) as port:
        url = f"ws://localhost:{port}/api/battles/{made.battle}/socket"
        with connect(url, origin=Origin(f"http://localhost:{port}")):
            pass
        with pytest.raises(InvalidStatus) as refused, connect(url, origin=Origin("https://evil.example")):
            pass
        assert refused.value.response.status_code == 403


def test_of_two_processes_behind_it_one_may_go(database: str, serve: Serve, tmp_path: Path) -> None:
    if shutil.which("caddy") is None:
        pytest.skip(told("caddy"))
    servers = [reached(serve, database), reached(serve, database)]
    made = servers[0].create(draft(TOY, "me", "me", is_agreed=True))
    with proxied(club, tmp_path, f"{servers[0].address} {servers[1].address}") as port:
        door = f"localhost:{port}"
        with Page(door, made.battle, made.seats[0].token or "") as page, Page(door, made.battle) as onlooker:
            page.until("state")
            onlooker.until("state")
        servers[0].end()
        for _ in range(6):
            assert asked(port) == 200
        with Page(door, made.battle, made.seats[0].token or "") as page:
            assert page.until("state")["moment"]["stage"] == "playing"
    assert made.battle in servers[1].hall.lives
