"""The benchmarks run, and tell nothing of the place they ran in."""

from __future__ import annotations

import getpass
import socket

from benchmarks import e55
from benchmarks.__main__ import machine, page
from benchmarks.battles import run

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
