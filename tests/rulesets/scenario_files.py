"""The scenario files that come with a book, as the tests of every book take them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from campale.referee.ledgers.trace import named_in
from campale.referee.reading import read_file
from campale.referee.ruleset import Ruleset
from campale.referee.scenarios.file import SCHEMA, Scenario
from campale.referee.scenarios.scenario import files_in

LANGUAGES = {"en", "it"}


def files_of(ruleset: Ruleset) -> list[Path]:
    return list(files_in(ruleset.folder / "scenarios"))


def cases(ruleset: Ruleset) -> list[Any]:
    """One parameter for each file, named as it is in its folder, with the rules that it covers."""
    return [
        pytest.param(
            path,
            id=path.relative_to(ruleset.folder / "scenarios").with_suffix("").as_posix(),
            marks=pytest.mark.covers(*named_in(path)),
        )
        for path in files_of(ruleset)
    ]


def without_header(ruleset: Ruleset) -> list[str]:
    """The names of the files that name no rule, or have no title in both languages."""
    found = [(path.name, read_file(path, Scenario, SCHEMA)[0]) for path in files_of(ruleset)]
    return [
        name
        for name, scenario in found
        if not scenario.rules or not isinstance(scenario.title, dict) or not set(scenario.title) >= LANGUAGES
    ]
