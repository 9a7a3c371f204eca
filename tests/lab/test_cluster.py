"""A cluster that runs elsewhere: workers of other folders, one that is killed and one that joins late."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from campale.lab.plan import Plan
from campale.lab.running import Run
from campale.lab.workers import crew_of
from tests.lab.conftest import play
from tests.lab.test_running import ROOT, same

WAIT = 120


class Elsewhere:
    """A scheduler and its workers, each a process with a working folder of its own."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.stack, self.folder = stack, folder
        self.told = folder / "scheduler.json"
        self.begin("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.told))

    @property
    def address(self) -> str:
        until = time.monotonic() + WAIT
        while not self.told.is_file() or not self.told.read_text():
            assert time.monotonic() < until, "no scheduler"
            time.sleep(0.05)
        return str(json.loads(self.told.read_text())["address"])

    def work(self) -> subprocess.Popen[bytes]:
        return self.begin("worker", self.address, "--nthreads", "1", "--no-nanny")

    def begin(self, *words: str) -> subprocess.Popen[bytes]:
        folder = self.folder / f"{words[0]}-{time.monotonic_ns()}"
        folder.mkdir()
        found = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:], "--no-dashboard"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.stack.callback(found.wait)
        self.stack.callback(found.kill)
        return found


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    with ExitStack() as stack:
        yield Elsewhere(stack, tmp_path)


@pytest.mark.filterwarnings("ignore")
def test_the_workers_of_other_folders_play_the_same_battles_whoever_dies_and_whoever_joins_late(
    toy: Plan, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    play(tmp_path / "here", toy)
    first = elsewhere.work()
    late: list[subprocess.Popen[bytes]] = []

    def relieve(run: Run) -> None:
        if not late:
            first.kill()
            late.append(elsewhere.work())

    play(tmp_path / "there", toy, crew_of(1, elsewhere.address), watch=relieve)
    assert len(late) == 1
    assert first.wait() != 0
    assert late[0].poll() is None
    assert same(tmp_path / "here", tmp_path / "there")
