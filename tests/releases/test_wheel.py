"""What is given out works where nothing else is: no Node, no sources, every Python that it is for."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from campale.conformance.budget import THOROUGH
from tests.docs.test_project import pinned
from tests.releases.conftest import ROOT, SUPPORTED, interpreters, without_node
from tests.server.test_serve import address_in, asked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PATIENCE = 900
FOUND = interpreters()
TRIED = FOUND if THOROUGH else {version: path for version, path in FOUND.items() if path == sys.executable}
"""The interpreters that the wheel is installed with: each takes a minute or two of a machine with much else to do."""


def run(*words: str | Path, **env: str) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        env=without_node(**env),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ---------------------------------------------------------------- installed


@pytest.mark.parametrize("version", TRIED)
def test_the_wheel_serves_the_table_in_an_environment_of_its_own(version: str, given_out: Path, tmp_path: Path) -> None:
    python = tmp_path / "env" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(FOUND[version], "-m", "venv", "--without-pip", tmp_path / "env")
    (wheel,) = given_out.glob("*.whl")
    quiet = ("--quiet", "--disable-pip-version-check", "--no-compile", "--only-binary", ":all:")
    run(*pip, "install", *quiet, "-c", ROOT / "constraints.txt", wheel)
    assert run(python, "-c", "import sys; print(*sys.version_info[:2], sep='.')").strip() == version
    campale = python.with_name("campale")
    assert run(campale, "rulesets").count("(campale.rulesets.") == 5
    assert run(*pip, "check").strip() == "No broken requirements found."
    words = [campale, "serve", "--port", "0", "--database", f"sqlite:///{tmp_path}/own.db"]
    server = subprocess.Popen(
        [str(word) for word in words], cwd=tmp_path, env=without_node(), stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = address_in(server.stdout)
        assert asked(address, "/api/health")["database"] is True
        assert fetched(address, "/").startswith("<!doctype html>")
        for part in re.findall(r'(?:src|href)="(/assets/[^"]+)"', fetched(address, "/")):
            assert fetched(address, part)
        assert asked(address, "/api/demo", {})["battle"]
    finally:
        server.terminate()
        server.communicate(timeout=60)


def fetched(address: str, path: str) -> str:
    with urllib.request.urlopen(address + path, timeout=60) as answer:
        return str(answer.read().decode())


def test_an_interpreter_of_each_version_is_looked_for() -> None:
    told = {one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)}
    assert told == set(SUPPORTED)
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in FOUND
    assert PROJECT["requires-python"] == f">={SUPPORTED[0]}"


# ---------------------------------------------------------------- what is in it


def tracked() -> set[str]:
    told = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {line for line in told.stdout.splitlines() if not line.startswith((".ci/", ".github/"))}


def test_the_sdist_has_every_source_and_the_built_page(given_out: Path) -> None:
    (sdist,) = given_out.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        names = {one.name.partition("/")[2] for one in packed.getmembers() if one.isfile()}
    assert tracked() - names == set()
    assert "src/campale/server/page/index.html" in names
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]


def test_the_wheel_is_the_same_whether_made_of_the_tree_or_of_the_sdist(given_out: Path, tmp_path: Path) -> None:
    (sdist,), (wheel,) = given_out.glob("*.tar.gz"), given_out.glob("*.whl")
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "again")]
    done = subprocess.run(command, cwd=unpacked, env=without_node(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (again,) = (tmp_path / "again").glob("*.whl")
    assert contents(again) == contents(wheel)


def contents(wheel: Path) -> dict[str, int]:
    """The files with their checksums; those that say when and of what it was made left aside."""
    with zipfile.ZipFile(wheel) as packed:
        return {one.filename: one.CRC for one in packed.infolist() if not one.filename.endswith("/RECORD")}


def test_the_wheel_says_that_it_is_typed_and_has_all_that_it_reads(given_out: Path) -> None:
    (wheel,) = given_out.glob("*.whl")
    names = set(contents(wheel))
    sources = {name.removeprefix("src/") for name in tracked() if name.startswith("src/")}
    assert sources - names == set()
    assert {"campale/py.typed", "campale/server/page/index.html"} <= names
    assert {name.partition("/")[0] for name in names} == {
        "campale",
        wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info",
    }


# ---------------------------------------------------------------- what it needs


def needed() -> list[Requirement]:
    extras = [one for name, of in PROJECT["optional-dependencies"].items() if name != "dev" for one in of]
    return [Requirement(one) for one in [*PROJECT["dependencies"], *extras]]


@pytest.mark.parametrize("one", needed(), ids=str)
def test_what_may_break_with_a_minor_version_has_an_upper_bound(one: Requirement) -> None:
    """Below 1.0 a library may change with every minor version: no later one is let in than was tried."""
    tried = Version(pinned()[one.name.lower()])
    assert tried in one.specifier
    if tried.major == 0:
        assert Version(f"0.{tried.minor + 1}") not in one.specifier
    assert any(part.operator == ">=" for part in one.specifier)
