"""The evening of an author: what the page says to type makes the rulebook that it says, and its experiments run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from tools.readme import ROOT

from tests.cli.test_authors import campale, install, run

PAGES = (ROOT / "docs" / "en" / "for-authors.md", ROOT / "docs" / "it" / "per-chi-scrive-regole.md")
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
QUICK = {"greedy": "random", "battles: 400": "battles: 2", "battles: 200": "battles: 2"}


def blocks(page: Path, language: str) -> list[str]:
    return [text for tongue, text in BLOCK.findall(page.read_text("utf-8")) if tongue == language]


def changed(path: Path, pattern: str, text: str) -> None:
    whole, times = re.subn(pattern, lambda found: text, path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert times == 1, path.name
    path.write_text(whole, "utf-8")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the evening: the rulebook with the rule in it, and the experiments."""
    folder = tmp_path_factory.mktemp("evening")
    campale("new-ruleset", "skirmish", "--folder", str(folder))
    entry, near, far, volley, picket, gunner, even = blocks(PAGES[0], "yaml")
    options, rule, line = blocks(PAGES[0], "python")
    book = folder / "skirmish" / "src" / "skirmish"
    changed(book / "rules.yaml", r"(?=^  - id: fire/wounds$)", entry)
    changed(book / "setup.py", r"^@dataclass.*?^SWITCHES = .*?$", options.rstrip())
    changed(book / "fire.py", r'(?=^@rule\("fire/half-range"\)$)', f"{rule}\n\n")
    changed(book / "fire.py", r"^    needs = \[to_hit.*?$", line.rstrip())
    changed(book / "profiles.yaml", r"^gunner: .*?$", gunner.rstrip())
    (book / "scenarios" / "fire" / "close-volley.yaml").write_text(near, "utf-8")
    (book / "scenarios" / "fire" / "too-far-for-a-volley.yaml").write_text(far, "utf-8")
    for name, text in (("volley", volley), ("picket", picket), ("even", even)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def installed(evening: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return install(evening / "skirmish", tmp_path_factory.mktemp("site"))


def test_both_languages_type_the_same() -> None:
    english, italian = (BLOCK.findall(page.read_text("utf-8")) for page in PAGES)
    assert [one for one in english if one[0]] == [one for one in italian if one[0]]
    typed = [[line for tongue, text in one if not tongue for line in text.splitlines()] for one in (english, italian)]
    commands = [[line.partition("  #")[0].rstrip() for line in lines] for lines in typed]
    assert commands[0] == commands[1]


def test_the_rule_holds_on_both_sides_of_its_limit(evening: Path, installed: str) -> None:
    told = campale("scenario", "check", str(evening / "skirmish" / "src" / "skirmish" / "scenarios"), path=installed)
    assert told.stdout.count("✓") == 3, told.stdout + told.stderr


def test_without_the_rule_the_first_scenario_fails(installed: str, tmp_path: Path) -> None:
    near = blocks(PAGES[0], "yaml")[1]
    (tmp_path / "without.yaml").write_text(near.replace("volley: true", "volley: false"), "utf-8")
    assert campale("scenario", "check", str(tmp_path / "without.yaml"), path=installed).returncode == 1


def test_the_tests_of_the_rulebook_pass(evening: Path, installed: str) -> None:
    told = run("-m", "pytest", "-q", "-p", "no:cacheprovider", path=installed, cwd=evening / "skirmish")
    assert told.returncode == 0, told.stdout


@pytest.mark.parametrize(("name", "variants"), [("volley", 2), ("picket", 3), ("even", 1)])
def test_the_experiments_run(evening: Path, installed: str, name: str, variants: int) -> None:
    text = (evening / f"{name}.yaml").read_text("utf-8")
    for slow, quick in QUICK.items():
        text = text.replace(slow, quick)
    (evening / f"quick-{name}.yaml").write_text(text, "utf-8")
    assert len(next(iter(yaml.safe_load(text)["vary"].values()))) == variants
    words = (f"{evening}/quick-{name}.yaml", "--out", str(evening / name), "--workers", "1")
    told = campale("lab", "run", *words, path=installed)
    assert told.returncode == 0, told.stdout + told.stderr
    assert campale("lab", "report", str(evening / name), path=installed).returncode == 0
