"""The benchmarks run, and tell nothing of the place they ran in."""

from __future__ import annotations

import getpass
import math
import socket
from pathlib import Path
from random import Random

import pytest
from benchmarks import e55
from benchmarks.__main__ import machine, page
from benchmarks.battles import run
from benchmarks.foresight import Gain, come_true, looked_at, slope
from benchmarks.weights import UNIT, Sample, parted, play, weighed

from campale.referee.ruleset import Ruleset, load_ruleset


def test_the_benchmark_of_battles_gives_its_figures(raid: Ruleset) -> None:
    figures = run(raid, seconds=0.05)
    assert figures["random, simulation mode"]["battles_per_second"] > 0
    assert figures["greedy"]["clone_p99_microseconds"] >= figures["greedy"]["clone_p50_microseconds"] > 0
    assert figures["saved games"]["saved_bytes"] > figures["saved games"]["saved_bytes_compressed"] > 100


def test_the_benchmark_of_parts_measures_moves_and_the_fire_of_armies() -> None:
    book = load_ruleset("e55")
    found = e55.parts(book, e55.of_size(book, 750), seconds=0.0)
    assert all(figures["count"] > 0 and 0.0 < figures["p50"] <= figures["p99"] for figures in found.values())


def test_the_page_names_the_processor_and_the_versions_but_not_the_place() -> None:
    text = page({"machine": machine(), "figures": {"battles": {"random": {"battles_per_second": 3.5}}}})
    assert "## battles" in text
    assert "  - battles per second: 3.5" in text
    assert "- numba: " in text
    assert socket.gethostname() not in text
    assert f"/{getpass.getuser()}" not in text


def test_foresight_tells_how_much_of_a_gain_and_of_each_of_its_terms_comes_true() -> None:
    """Made up: all of the first term comes true, nothing of the second, whatever luck adds."""
    rng = Random(1)
    found = []
    for choice in range(400):
        terms = {"sure": rng.gauss(0.0, 20.0), "vain": rng.gauss(0.0, 20.0)}
        found += [Gain("?", sum(terms.values()), terms["sure"] + rng.gauss(0.0, 30.0), terms, f"{choice}")] * 3
    known = {name: (steep, error) for name, steep, error in come_true(found)}
    assert list(known) == ["sure", "vain"]
    assert abs(known["sure"][0] - 1.0) < 3.0 * known["sure"][1] < 0.4
    assert abs(known["vain"][0]) < 3.0 * known["vain"][1] < 0.4
    assert 0.3 < slope(found)[0] < 0.7


def test_foresight_plays_choices_on_and_knows_their_terms() -> None:
    found = list(looked_at("ragnarok", 1, 2, "1", share=1.0, most=3))
    assert found
    assert all(sum(one.terms.values()) == pytest.approx(one.early, abs=1e-6) for one in found if one.terms)
    assert any(one.terms for one in found)


def test_weights_tell_which_term_says_who_wins_and_by_how_much() -> None:
    """Made up: of two terms of one size the second counts three times as much, and the third says nothing."""
    rng, samples = Random(2), []
    for battle in range(300):
        for _ in range(10):
            terms = {UNIT: rng.gauss(0.0, 60.0), "more": rng.gauss(0.0, 60.0), "vain": rng.gauss(0.0, 60.0)}
            chance = 1.0 / (1.0 + math.exp(-(terms[UNIT] + 3.0 * terms["more"]) / 100.0))
            samples.append(Sample(terms, float(rng.random() < chance), battle))
    found = weighed(samples)
    assert found.rate == pytest.approx(1.0, abs=0.2)
    assert found.as_fitted < found.as_now < 1.0
    for name, weight in ((UNIT, 1.0), ("more", 3.0), ("vain", 0.0)):
        mean, error = found.weights[name]
        assert abs(mean - weight) < 3.0 * error < 1.2


def test_weights_note_the_terms_of_battles_and_go_on_where_they_were(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    rows = play("ragnarok", ("script", "script"), 2, file, 1)
    assert [row["number"] for row in rows] == [0, 1]
    assert all(row["result"] in (0.0, 0.5, 1.0) and row["samples"] for row in rows)
    assert play("ragnarok", ("script", "script"), 2, file, 1) == rows
    assert len(file.read_text("utf-8").splitlines()) == 2
    assert sum(map(len, parted(rows))) == sum(len(row["samples"]) for row in rows)
