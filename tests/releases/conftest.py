"""The package as it is given out, and the interpreters of this machine that it is for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUPPORTED = ("3.11", "3.12", "3.13")
TELLING = "import sys, venv, ensurepip; print(sys.version)"


def interpreters() -> dict[str, str]:
    """By their versions: that of the tests, and the other supported ones that are here."""
    found = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in SUPPORTED:
        on_path = shutil.which(f"python{version}")
        candidates = [*([on_path] if on_path else []), *map(str, sorted(kept.glob(f"{version}.*/bin/python")))]
        for one in candidates if version not in found else ():
            told = subprocess.run([one, "-c", TELLING], capture_output=True, text=True, check=False)
            if told.returncode == 0 and told.stdout.startswith(f"{version}."):
                found[version] = one
                break
    return dict(sorted(found.items()))


def without_node(**more: str) -> dict[str, str]:
    """An environment in which no Node is found, and nothing of this project."""
    usual = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    folders = [one for one in usual["PATH"].split(os.pathsep) if shutil.which("node", path=one) is None]
    return {**usual, "PATH": os.pathsep.join(folders), **more}


@pytest.fixture(scope="session")
def given_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of this very tree."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder
