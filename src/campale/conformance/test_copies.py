"""A battle copied, restarted, saved, loaded, and played elsewhere is the same battle."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from campale.conformance.budget import COSTLY, FURTHER, LOADS
from campale.conformance.elsewhere import fingerprint, fingerprint_of_play
from campale.conformance.handles import handle_in
from campale.conformance.playing import (
    SIDES,
    answered,
    begun,
    looks,
    played,
    restarted,
    setups_of,
    someone_asked,
    spread,
    watched,
)
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.records.saved import load, save, verify
from campale.referee.ruleset import EXTRA_PACKAGES, load_ruleset

pytestmark = pytest.mark.costly

Battle = tuple[str, int]


def test_a_clone_is_the_original(battle: Battle) -> None:
    for game, _, rng in looks(*battle):
        seed = rng.random()
        one, two = game.clone(), game.clone()
        assert one.pending == game.pending
        assert one.position.to_bytes() == game.position.to_bytes()
        for clone in (one, two):
            went_on(clone, Random(seed))
        assert one.pending == two.pending
        assert one.position.to_bytes() == two.position.to_bytes()


def went_on(game: Game, rng: Random) -> None:
    for _ in range(FURTHER):
        if game.is_over:
            return
        question = someone_asked(game, rng)
        answered(game, question, question.sample(rng))


def test_a_clone_changes_nothing_in_the_original(battle: Battle) -> None:
    for game, _, rng in looks(*battle, many=10):
        before = game.position.to_bytes(), len(game.line), game.pending
        went_on(game.clone(), rng)
        assert (game.position.to_bytes(), len(game.line), game.pending) == before


def test_a_battle_starts_again_at_every_boundary_from_its_bytes(battle: Battle) -> None:
    """The step in progress is dropped at every boundary: what comes next is found from the position alone."""
    game = played(*battle)
    for number in range(len(game.marks) - 1):
        again = restarted(load_ruleset(battle[0]), game, number).marks[1].position
        there = game.marks[number + 1].position
        assert again.to_bytes() == there.to_bytes(), f"boundary {number}, at {there.now}"


def test_a_restarted_battle_asks_the_same_question(battle: Battle) -> None:
    for game, question, _ in looks(*battle):
        again = restarted(load_ruleset(battle[0]), game, len(game.marks) - 1)
        assert again.pending.get(question.side) == question or game.held


def test_a_position_goes_to_bytes_and_back(battle: Battle) -> None:
    game = played(*battle)
    for mark in game.marks:
        data = mark.position.to_bytes()
        assert Position.from_bytes(game.ruleset, data).to_bytes() == data


def test_what_a_bot_thinks_of_a_position_hangs_on_the_position_alone(battle: Battle) -> None:
    """Earlier measurements and offers on the position change nothing."""
    for game, question, rng in looks(*battle):
        question.sample(rng)
        question.suggestions()
        afresh = Position.from_bytes(game.ruleset, game.position.to_bytes())
        for side in SIDES:
            assert game.ruleset.appraise(game.position, side) == game.ruleset.appraise(afresh, side)


def test_what_a_bot_thinks_is_the_sum_of_its_terms(battle: Battle) -> None:
    """For books that tell the terms of their appraisal."""
    terms = load_ruleset(battle[0]).terms
    if terms is None:
        return
    for game, _, _ in looks(*battle):
        for side in SIDES if game.position.result is None else ():
            assert game.ruleset.appraise(game.position, side) == pytest.approx(sum(terms(game.position, side).values()))


def test_what_copies_share_holds_no_handles(battle: Battle) -> None:
    """``layout``, ``cache`` and ``roster`` name models by their rows; only ``own`` may hold handles."""
    for game, question, rng in looks(*battle):
        question.sample(rng)
        question.suggestions()
        for side in SIDES:
            game.ruleset.appraise(game.position, side)
        for name in ("layout", "cache", "roster"):
            for key, value in getattr(game.position, name).items():
                assert handle_in((key, value)) is None, f"{name} keeps a handle under {key!r}"


def test_a_saved_battle_loads_to_the_same_journal(battle: Battle) -> None:
    whole, _, saves = watched(*battle)
    for length in spread(list(saves), LOADS):
        again, game = load(saves[length]), whole.at(length, journal=True)
        assert again.journal == game.journal
        assert again.position.to_bytes() == game.position.to_bytes()
        assert again.pending == game.pending


def test_a_saved_battle_is_verified(battle: Battle) -> None:
    report = verify(save(played(*battle)))
    assert report.identical, report


def test_battles_are_the_same_in_another_process_with_another_hash_seed(name: str, tmp_path: Path) -> None:
    numbers = range(len(setups_of(name)[:COSTLY]))
    paths = [tmp_path / f"{number}.json" for number in numbers]
    for number, path in zip(numbers, paths, strict=True):
        path.write_bytes(save(played(name, number)))
    told = subprocess.run(
        [sys.executable, "-m", "campale.conformance.elsewhere", ",".join(EXTRA_PACKAGES), name, *map(str, paths)],
        env={**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    here = [(fingerprint(played(name, number)), fingerprint_of_play(name, number)) for number in numbers]
    assert [tuple(line.split()) for line in told.stdout.splitlines()] == here


def test_two_battles_in_one_process_do_not_meet(battle: Battle) -> None:
    alone = fingerprint_of_play(*battle)
    one, two = begun(*battle, seed="elsewhere"), begun(*battle, seed="other")
    first, second = Random("elsewhere"), Random("other")
    while not one.is_over:
        for game, rng in ((one, first), (two, second)):
            if not game.is_over:
                question = someone_asked(game, rng)
                answered(game, question, question.sample(rng))
    assert fingerprint(one) == alone
