"""The page on the laboratory: its experiment can be planned, and its queries run on tables as they are written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from campale.lab.keeping import Folder, Kept
from campale.lab.plan import Plan
from campale.lab.planning import plan_of
from campale.lab.running import Run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / "en" / "laboratory.md", ROOT / "docs" / "it" / "laboratorio.md"]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def planned(tmp_path: Path, text: str, **changes: Any) -> Plan:
    file = tmp_path / "raiders.yaml"
    file.write_text(yaml.safe_dump(yaml.safe_load(text) | changes, sort_keys=False), encoding="utf-8")
    return plan_of(file)


@pytest.mark.parametrize("written", PAGES, ids=lambda written: written.stem)
def test_the_experiment_is_what_the_page_says(written: Path, tmp_path: Path) -> None:
    whole, compared, named, precise = blocks(written, "yaml")
    plan = planned(tmp_path, whole)
    assert (len(plan.variants), len(plan.scenes), plan.total) == (3, 3, 1200)
    others = yaml.safe_load(compared)["vary"]
    assert len(planned(tmp_path, whole, vary=others).variants) == 32
    labels = [one.label for one in planned(tmp_path, whole, **yaml.safe_load(named)).variants]
    assert [label.split()[0] for label in labels] in (["Three", "Five"], ["Tre", "Cinque"])
    assert planned(tmp_path, whole, battles=None, **yaml.safe_load(precise)).battles == 4000


def test_both_pages_have_the_same_examples() -> None:
    english, italian = ([yaml.safe_load(text) for text in blocks(page, "yaml")] for page in PAGES)
    for one, other in zip(english, italian, strict=True):
        assert untitled(one) == untitled(other)
    assert blocks(PAGES[0], "python") == blocks(PAGES[1], "python")


def untitled(part: Any) -> Any:
    """An example without its words for people."""
    if isinstance(part, dict):
        return {key: untitled(value) for key, value in part.items() if key not in ("title", "label")}
    return list(map(untitled, part)) if isinstance(part, list) else part


def test_the_queries_run_on_the_tables(tmp_path: Path) -> None:
    """As they stand, by whoever has typed them in."""
    players = {side: {"force": "barrow_host_starter", "player": "random"} for side in ("first", "second")}
    plan = planned(tmp_path, blocks(PAGES[0], "yaml")[0], battles=2, vary={}, most_answers=100, **players)
    folder = Folder(tmp_path / "raiders.lab", Kept(plan))
    run = Run(folder)
    run.play(None)
    run.end()
    folder.close()
    query, aggregate = (run_in(tmp_path, text) for text in blocks(PAGES[0], "python"))
    assert re.search(r"extermination.*NULL.*2", query)
    assert "dealt_per_point" in aggregate
    assert "Barrow Jarl" in aggregate


def run_in(folder: Path, program: str) -> str:
    """What a program prints, run in a folder."""
    told = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    return told.stdout
