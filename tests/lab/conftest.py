"""Small experiments: the toy book where battles must be many, a real one where units are counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from campale.cli.common import language
from campale.lab.keeping import WHOLE, Folder, Kept, Shard
from campale.lab.plan import Plan
from campale.lab.planning import plan_of
from campale.lab.running import Ending, Run
from campale.lab.workers import Crew
from tests.raid.fixture import raid

__all__ = ["raid"]

Write = Callable[..., Path]
Play = Callable[..., Ending]

TOY: dict[str, Any] = {
    "campale": "experiment/1",
    "ruleset": "raid",
    "first": {"force": {"name": "North"}, "player": "random"},
    "second": {"force": {"name": "South"}, "player": "random"},
    "battles": 6,
}
REAL: dict[str, Any] = {
    "campale": "experiment/1",
    "ruleset": "ragnarok",
    "first": {"force": "barrow_host_starter", "player": "random"},
    "second": {"force": "crucible_league_starter", "player": "random"},
    "missions": ["extermination"],
    "battles": 2,
}


@pytest.fixture(autouse=True)
def in_english() -> None:
    language.set("en")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write an experiment of the toy book, or of another file's contents, with some keys changed (None: left out)."""

    def write(of: dict[str, Any] = TOY, name: str = "experiment.yaml", **changes: Any) -> Path:
        content = {key: value for key, value in (of | changes).items() if value is not None}
        path = tmp_path / name
        path.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), encoding="utf-8")
        return path

    return write


@pytest.fixture
def toy(raid: Any, write: Write) -> Plan:
    """Two variants in six battles each."""
    return plan_of(write(vary={"options.short": [False, True]}))


def play(path: Path, plan: Plan, crew: Crew | None = None, shard: Shard = WHOLE, watch: Any = None) -> Ending:
    """A run in a folder, to its end."""
    folder = Folder(path, Kept(plan, shard))
    try:
        run = Run(folder, watch)
        run.play(crew)
        return run.end()
    finally:
        if crew is not None:
            crew.close()
        folder.close()
