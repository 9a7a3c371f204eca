"""What somebody finds who opens the project for the first time: what is named there is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml
from tools.readme import ROOT

from campale.cli import app
from campale.referee.ruleset import ruleset_names

GUIDES = ("CONTRIBUTING.md", "CONTRIBUTING.it.md", "SECURITY.md")
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
WORKFLOW: dict[Any, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text("utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def quoted(text: str) -> list[str]:
    """What stands in backticks, on one line or two, and the lines of blocks."""
    blocks = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    rest = re.sub(r"^```\n.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    spans = [" ".join(one.split()) for one in re.findall(r"`([^`]+)`", rest)]
    return [*spans, *(line.partition("#")[0].strip() for block in blocks for line in block.splitlines())]


@pytest.mark.parametrize("name", GUIDES)
def test_what_it_links_to_and_names_is_there(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", text):
        assert (ROOT / target).exists(), target
    for one in quoted(text):
        if one.startswith(("src/", "tests/", "docs/", "web/", "tools/")):
            assert (ROOT / one).exists(), one
        if found := re.search(r"^make ([a-z]+)$", one):
            assert re.search(rf"^{found[1]}:", MAKEFILE, re.MULTILINE), one
        if found := re.search(r"python -m (?:pytest -n 0 )?([\w./]+)", one):
            assert is_there(found[1]), one


def is_there(module: str) -> bool:
    """A test file, a module of the project, or a tool that the tests need."""
    if module.endswith(".py"):
        return (ROOT / module).is_file()
    path = ROOT / module.replace(".", "/")
    tools = (ROOT / "constraints.txt").read_text("utf-8")
    return path.with_suffix(".py").is_file() or path.is_dir() or f"\n{module}==" in tools


@pytest.mark.parametrize("name", GUIDES)
def test_the_commands_are_ones_that_there_are(name: str) -> None:
    known = set(getattr(typer.main.get_command(app), "commands"))  # noqa: B009
    text = (ROOT / name).read_text("utf-8")
    used = {found[1] for one in quoted(text) if (found := re.match(r"campale ([a-z-]+)", one))} - {"--version"}
    assert used <= known
    assert used or name == "CONTRIBUTING.md"


@pytest.mark.parametrize("name", GUIDES)
def test_there_are_no_addresses_in_it(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert not re.search(r"://|mailto:|\w@\w", text)


def test_both_languages_say_as_much() -> None:
    english, italian = ((ROOT / name).read_text("utf-8") for name in GUIDES[:2])
    for pattern in (r"^## ", r"^- ", r"^\d\. ", r"^\| `"):
        assert len(re.findall(pattern, english, re.MULTILINE)) == len(re.findall(pattern, italian, re.MULTILINE))


@pytest.mark.parametrize("name", GUIDES[:2])
def test_every_room_is_on_the_map(name: str) -> None:
    told = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    paths = [Path(one) for one in told]
    rooms = {"/".join(path.parts[:3]) for path in paths if path.parts[:2] == ("src", "campale") and len(path.parts) > 3}
    rooms |= {path.parts[0] for path in paths if len(path.parts) > 1} - {"src", ".ci", ".github"}
    named = re.findall(r"`([\w/]+)`", (ROOT / name).read_text("utf-8"))
    assert rooms - set(named) == set()


# ---------------------------------------------------------------- forms


@pytest.mark.parametrize("path", [path for path in FORMS if path.name != "config.yml"], ids=lambda path: path.stem)
def test_a_form_is_one_that_the_forge_takes(path: Path) -> None:
    form = yaml.safe_load(path.read_text("utf-8"))
    assert {"name", "description", "body"} <= set(form)
    assert set(form) <= {"name", "description", "title", "labels", "body"}
    fields = [one for one in form["body"] if one["type"] != "markdown"]
    assert fields
    ids = [one["id"] for one in fields]
    assert len(set(ids)) == len(ids)
    for one in form["body"]:
        assert one["type"] in {"markdown", "input", "textarea", "dropdown"}
        assert ("value" if one["type"] == "markdown" else "label") in one["attributes"]
        assert set(one) <= {"type", "id", "attributes", "validations"}
    assert any(one.get("validations") == {"required": True} for one in fields)


def test_the_form_of_a_ruling_knows_the_books() -> None:
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / "ruling.yml").read_text("utf-8"))
    (book,) = (one for one in form["body"] if one.get("id") == "book")
    shipped = {path.parent.name for path in (ROOT / "src" / "campale" / "rulesets").glob("[!_]*/rules.yaml")}
    assert set(book["attributes"]["options"]) == shipped
    assert shipped <= set(ruleset_names())


# ---------------------------------------------------------------- the workflow


def steps() -> list[dict[str, Any]]:
    return [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_the_workflow_runs_what_make_knows() -> None:
    run = [step["run"] for step in steps() if "run" in step]
    made = {found[1] for line in run if (found := re.fullmatch(r"make ([a-z]+)", line))}
    assert made == {"test", "docs", "nightly"}
    for target in made:
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]) for step in steps() if "uses" in step)
    assert all(job["timeout-minutes"] for job in WORKFLOW["jobs"].values())


def test_the_workflow_tests_every_python_that_it_is_for() -> None:
    classifiers = re.findall(r":: (3\.\d+)\"", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python"] == classifiers
