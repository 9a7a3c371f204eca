"""The guide for authors says the same in both languages, and names what there is."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from campale.referee import ask

ROOT = Path(__file__).parents[2]
ENGLISH = (ROOT / "docs" / "en" / "adding-a-ruleset.md").read_text(encoding="utf-8")
ITALIAN = (ROOT / "docs" / "it" / "aggiungere-un-regolamento.md").read_text(encoding="utf-8")


def steps(text: str) -> list[str]:
    return re.findall(r"^(\d+)\. \*\*", text, re.MULTILINE)


def commands(text: str) -> list[str]:
    return re.findall(r"python -m ([\w.]+)", " ".join(text.split()))


def test_both_guides_have_the_same_steps_and_commands() -> None:
    assert steps(ENGLISH) == steps(ITALIAN) == [str(n) for n in range(1, len(steps(ENGLISH)) + 1)]
    assert commands(ENGLISH) == commands(ITALIAN)


def test_the_commands_of_the_guide_are_there() -> None:
    for module in set(commands(ENGLISH)) - {"pytest"}:
        assert callable(importlib.import_module(module).main)


def test_the_verbs_of_the_guide_are_there() -> None:
    named = re.search(r"with (`choose`[^.]*?), or `ask`", " ".join(ENGLISH.split()))
    assert named is not None
    assert all(hasattr(ask, verb) for verb in re.findall(r"`(\w+)`", named[1]))


def test_the_modules_of_the_guides_are_there() -> None:
    """By their place in the package, in the ring, in the template, among the rulesets, or in the project."""
    source = ROOT / "src" / "campale"
    folders = (source, source / "mechanics", source / "rulesets", source / "rulesets" / "_template", ROOT)
    referee = source / "referee"
    for guide in (ENGLISH, ITALIAN):
        named = set(re.findall(r"`([\w/]+\.py)`", guide))
        assert len(named) > 20
        assert [one for one in named if not any((folder / one).is_file() for folder in (*folders, referee))] == []
