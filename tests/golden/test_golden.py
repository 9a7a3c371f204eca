"""A battle is played today as it was when it was last reviewed."""

from __future__ import annotations

import pytest

from campale.referee.ruleset import load_ruleset, ruleset_names
from tests.golden.transcript import path_of, transcript
from tests.toys import register

register()


@pytest.mark.parametrize("name", ruleset_names())
def test_the_battle_is_played_as_it_was(name: str) -> None:
    path = path_of(name)
    if not path.exists():
        assert not load_ruleset(name).is_complete, f"run: python -m tests.golden.transcript {name}"
        pytest.skip(f"{name} is not complete and has no transcript yet")
    lines, today = path.read_text(encoding="utf-8").splitlines(), transcript(name).splitlines()
    first = next((k for k, (a, b) in enumerate(zip(lines, today, strict=False)) if a != b), min(len(lines), len(today)))
    why = f"from line {first + 1} on; if it should be so: python -m tests.golden.transcript {name}"
    assert lines[first : first + 3] == today[first : first + 3], why
    assert len(lines) == len(today), why
