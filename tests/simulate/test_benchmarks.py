"""The benchmarks run, and tell nothing of the place they ran in."""

from __future__ import annotations

import getpass
import socket
from random import Random

import pytest
from benchmarks import e55
from benchmarks.__main__ import machine, page
from benchmarks.battles import run
from benchmarks.foresight import Gain, come_true, looked_at, slope

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
