from __future__ import annotations

import base64
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import campale
from campale.dice.sources import ByHand
from campale.referee.fair import Fair, commitment, game_seed
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.records.saved import (
    Report,
    SavedGameError,
    load,
    packed,
    read,
    read_file,
    save,
    save_to,
    unpacked,
    verify,
)
from tests.referee.playing import act, at_random, begun, journal, looks, play
from tests.referee.toy import RULESET

Plain = dict[str, Any]


def changed(data: bytes, change: Callable[[Plain], None]) -> bytes:
    plain = msgspec.json.decode(data)
    change(plain)
    return msgspec.json.encode(plain)


def fought(seed: int = 4, answers: int = 50) -> Game:
    return at_random(begun(f"saved {seed}"), Random(seed), answers)


@pytest.mark.parametrize("seed", range(10))
def test_a_saved_game_is_the_same_game_again(seed: int) -> None:
    game = fought(seed, 7 * seed)
    data = save(game)
    assert verify(data).identical
    for again in (load(data), load(data, judging=False)):
        assert looks(again) == looks(game)
        assert journal(again) == journal(game)
        assert save(again) == data
        assert (again.line, again.marks[-1].at) == (game.line, game.marks[-1].at)


@pytest.mark.parametrize("seed", range(6))
def test_a_loaded_game_plays_on_like_the_one_that_was_saved(seed: int) -> None:
    game = fought(seed, 30)
    again = load(save(game))
    at_random(game, Random(9), 40)
    at_random(again, Random(9), 40)
    assert journal(again) == journal(game)
    assert save(again) == save(game)


def test_a_game_is_loaded_in_the_midst_of_an_activation_with_its_secrets() -> None:
    game = act(play(act(begun(), "card"), 2, "card"), "orders")
    game.answer(1, "charge")
    again = load(save(game))
    assert again.held == {1: "charge"}
    assert list(again.asked) == [0]
    assert looks(again) == looks(game)
    assert game.answer(0, "hold") is again.answer(0, "hold") is None
    assert looks(again) == looks(game)


def test_a_file_is_written_whole_and_read_again(tmp_path: Path) -> None:
    game = fought()
    path = tmp_path / "battle.json"
    save_to(game, path)
    assert read_file(path) == save(game)
    assert [one.name for one in tmp_path.iterdir()] == ["battle.json"]
    with pytest.raises(SavedGameError, match="nowhere"):
        read_file(tmp_path / "nowhere")
    with path.open("r+b") as file:
        file.truncate(20_000_001)
    with pytest.raises(SavedGameError, match="too large"):
        read_file(path)


def test_a_game_without_a_journal_is_verified_too() -> None:
    game = at_random(begun("quiet", journal=False), Random(1), 40)
    again = load(save(game), journal=False)
    assert game.journal == again.journal == []
    assert looks(again) == looks(game)


ELSEWHERE = """
import sys
import zlib
from random import Random
from campale.referee.ruleset import EXTRA_PACKAGES
EXTRA_PACKAGES.append("tests.referee.toy")
from campale.referee.records.saved import load, verify
from tests.referee.playing import journal
data = sys.stdin.buffer.read()
assert verify(data).identical
sys.stdout.buffer.write(journal(load(data)))
"""


def test_a_game_read_again_in_another_process_has_the_same_journal() -> None:
    game = fought(7, 90)
    for seed in ("1", "99"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([os.getcwd(), *sys.path])}
        ran = subprocess.run(
            [sys.executable, "-c", ELSEWHERE], env=env, input=save(game), capture_output=True, check=True
        )
        assert ran.stdout == journal(game)


# ---------------------------------------------------------------------- other versions


def of_before(data: bytes) -> bytes:
    return changed(data, lambda plain: plain.update(campale="0.0.1"))


def test_a_game_of_another_version_goes_on_from_its_last_boundary_and_cannot_be_verified() -> None:
    game = fought(2, 33)
    data = of_before(save(game))
    with pytest.raises(SavedGameError, match=f"0.0.1.*{campale.__version__}.*not verified"):
        verify(data)
    again = load(data)
    assert looks(again) == looks(game)
    assert again.record == game.record
    assert again.line == game.line
    assert len(again.marks) == 1
    at_random(again, Random(3), 30)
    at_random(game, Random(3), 30)
    assert looks(again) == looks(game)
    once_more = load(save(again))
    assert looks(once_more) == looks(game)
    with pytest.raises(SavedGameError, match="not verified"):
        verify(save(again))


def test_answers_that_the_new_version_does_not_allow_are_taken_back_to_the_boundary() -> None:
    game = play(act(begun(), "pass"), 2)
    data = changed(of_before(save(game)), lambda plain: plain["record"][-1].__setitem__(2, 99))
    again = load(data)
    assert again.question is not None
    assert again.question.prompt == "who"
    assert [entry.kind for entry in again.record] == ["choose", "choose", "choose", "undo"]
    assert len(again.line) == 2
    act(again, "pass")
    assert looks(load(save(again))) == looks(again)


def test_undo_after_a_change_of_version_stays_this_side_of_the_boundary() -> None:
    again = load(of_before(save(play(act(begun(), "pass"), 2))))
    assert again.undo(1) is None
    refusal = again.undo(0)
    assert refusal is not None
    assert refusal.word == "undo.nothing"
    refusal = again.propose(0, {"undo": 0})
    assert refusal is not None
    assert looks(load(save(again))) == looks(again)


def test_a_position_that_does_not_hold_together_is_told() -> None:
    def break_it(plain: Plain) -> None:
        plain["boundary"] = base64.b64encode(b"\x80").decode()

    changes: list[Callable[[Plain], None]] = [
        break_it,
        lambda plain: plain.update(boundary="*"),
        lambda plain: plain.update(boundary=""),
        lambda plain: plain.update(boundary_at=-1),
        lambda plain: plain.update(boundary_at=10**6),
    ]
    for change in changes:
        with pytest.raises(SavedGameError):
            load(changed(of_before(save(fought())), change))


# ---------------------------------------------------------------------- tampering


def entry_of(plain: Plain, kind: str) -> list[Any]:
    """The last entry of a kind that still holds."""
    found: list[list[Any]] = [entry for entry in plain["record"] if entry[0] == kind]
    return found[-1]


def other_die(plain: Plain) -> None:
    faces = entry_of(plain, "roll")[2]
    faces[0] = faces[0] % 6 + 1


def other_position(plain: Plain) -> None:
    position = Position.from_bytes(RULESET, unpacked(plain["boundary"]))
    position.mark(position.model(0), "wounds", 99)
    plain["boundary"] = packed(position)


TAMPERED: dict[str, tuple[Callable[[Plain], None], str]] = {
    "another die": (other_die, "dice"),
    "an impossible die": (lambda plain: entry_of(plain, "roll")[2].__setitem__(0, 7), "options"),
    "a die too many": (lambda plain: entry_of(plain, "roll")[2].append(1), "options"),
    "another seed": (lambda plain: plain.update(seed="another"), "dice"),
    "an unlawful answer": (lambda plain: plain["record"][0].__setitem__(2, 3), "options"),
    "an answer of another shape": (lambda plain: plain["record"][0].__setitem__(2, {"a": [None]}), "options"),
    "another side": (lambda plain: plain["record"][0].__setitem__(1, 1), "request"),
    "another kind": (lambda plain: plain["record"][0].__setitem__(0, "number"), "request"),
    "no such kind": (lambda plain: plain["record"].append(["what", 0, 1]), "request"),
    "an entry less": (lambda plain: plain["record"].pop(0), "options"),
    "an entry more": (lambda plain: plain["record"].insert(0, ["concede", 0]), "request"),
    "another hash": (lambda plain: plain["hashes"][1].__setitem__(2, "0" * 16), "state hash"),
    "a hash less": (lambda plain: plain["hashes"].pop(), "state hash"),
    "another position": (other_position, "state hash"),
    "another boundary": (lambda plain: plain.update(boundary_at=0), "state hash"),
    "other forces": (lambda plain: plain["setup"].update(agreed={"models": 1}), "options"),
    "no such forces": (lambda plain: plain["setup"].update(agreed={"models": "x"}), "set-up"),
    "no such option": (lambda plain: plain["setup"].update(options={"x": 1}), "set-up"),
    "no such reading": (lambda plain: plain["setup"].update(options={"fierce": []}), "set-up"),
    "an answer that waits": (lambda plain: plain.update(held={"1": "charge"}), "request"),
}


@pytest.mark.parametrize(("change", "what"), TAMPERED.values(), ids=TAMPERED.keys())
def test_tampering_is_told_by_the_first_thing_that_drifts(change: Callable[[Plain], None], what: str) -> None:
    game = fought(4, 60)
    assert {entry.kind for entry in game.line} >= {"roll", "choose"}
    data = changed(save(game), change)
    report = verify(data)
    assert not report.identical
    assert report.what == what
    assert report.detail
    if report.what != "state hash":
        with pytest.raises(SavedGameError):
            load(data)


def test_the_first_drift_is_told_and_where() -> None:
    game = play(begun("fire"), 0, "fire")
    data = changed(save(game), other_die)
    report = verify(data)
    last = max(at for at, entry in enumerate(game.line) if entry.kind == "roll")
    assert (report.what, report.at) == ("dice", last)
    assert f"recorded is {msgspec.json.decode(data)['record'][last][2]}" in report.detail


def test_an_answer_that_waits_is_judged_too() -> None:
    game = act(begun(), "orders")
    game.answer(1, "charge")
    for held, what in (({"1": "flee"}, "options"), ({"0": "hold", "1": "hold"}, "request"), ({"2": "hold"}, "request")):
        data = changed(save(game), lambda plain, held=held: plain.update(held=held))  # type: ignore[misc]
        assert verify(data).what == what
        with pytest.raises(SavedGameError):
            load(data)


def test_a_record_that_ends_where_dice_must_fall_is_told() -> None:
    game = play(begun(), 0, "fire")
    data = changed(save(game), lambda plain: plain.update(record=plain["record"][:2]))
    assert verify(data).what == "request"
    with pytest.raises(SavedGameError, match="left to chance"):
        load(data)


def test_dice_that_were_typed_in_are_judged_but_said_to_be_so() -> None:
    game = play(act(begun(dice=ByHand()), "fire"), [4, 4, 4, 4], [1, 1, 1, 1], 2)
    report = verify(save(game))
    assert (report.identical, report.dice) == (True, "hand")
    data = changed(save(game), lambda plain: entry_of(plain, "roll")[2].__setitem__(0, 7))
    assert verify(data).what == "options"
    assert verify(save(begun())).dice == "seeded"


# ---------------------------------------------------------------------- what is no saved game


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda plain: plain.update(format="other"), "'other'"),
        (lambda plain: plain.update(version=2), "version 2"),
        (lambda plain: plain.update(dice="loaded"), "'loaded'"),
        (lambda plain: plain.update(ruleset="chess"), "no ruleset 'chess'"),
        (lambda plain: plain.update(record=[["choose", 0, 1]] * 200_001), "200001 entries"),
        (lambda plain: plain.update(record=[["undo", None, 1]]), "entry 0 .* 1, which is no place"),
        (lambda plain: plain.update(record=[["choose", 0, 0], ["undo", None, True]]), "True, which is no place"),
        (lambda plain: plain.update(record=[["propose", 0, {}], ["undo", None, 1]]), "entry 1"),
        (lambda plain: plain.pop("seed"), "seed"),
    ],
)
def test_a_file_that_is_no_saved_game_says_what_is_wrong(change: Callable[[Plain], None], said: str) -> None:
    data = changed(save(fought()), change)
    for function in (load, verify):
        with pytest.raises(SavedGameError, match=said):
            function(data)


def test_a_file_far_too_large_is_not_read() -> None:
    with pytest.raises(SavedGameError, match="too large"):
        read(b" " * 20_000_001)


def test_a_packed_position_that_unpacks_without_end_is_refused() -> None:
    bomb = base64.b64encode(zlib.compress(b"\0" * 100_000_000, 9)).decode()
    with pytest.raises(ValueError, match="far too large"):
        unpacked(bomb)
    with pytest.raises(ValueError, match="damaged"):
        unpacked("AAAA")


# ---------------------------------------------------------------------- what no lawful game could have recorded


def forgery(game: Game, *entries: list[Any], at: int | None = None, **changes: Any) -> Report:
    """What is found of a game's file with entries put in, at the end or before a number, and other fields changed."""

    def forge(plain: Plain) -> None:
        place = len(plain["record"]) if at is None else at
        plain["record"][place:place] = entries
        plain.update(changes)

    return verify(changed(save(game), forge))


def test_typed_dice_come_of_no_seeds() -> None:
    seeds = ("a", "b")
    fair = Fair(commitment("s"), "s", seeds, tuple(map(commitment, seeds)))
    game = play(begun(game_seed("s", seeds)), 0, "fire")
    assert verify(save(game, fair)).identical
    by_hand = changed(save(game, fair), lambda plain: plain.update(dice="hand"))
    assert (verify(by_hand).identical, verify(by_hand).what) == (False, "hand")
    few = msgspec.structs.replace(fair, seals=fair.seals[:1])
    assert verify(save(game, few)).what == "seal"


def test_nobody_takes_back_over_dice_without_the_others_consent() -> None:
    game = play(begun(), 0, "fire")
    length = next(at for at, entry in enumerate(game.line) if entry.kind == "roll")
    report = forgery(game, ["undo", None, length])
    assert (report.identical, report.what, report.at) == (False, "options", len(game.record))
    assert game.propose(0, {"undo": length}) is None
    assert game.consent(1) is None
    assert verify(save(game)).identical


def test_a_decision_may_be_taken_back_alone_where_nothing_lies_after_it() -> None:
    game = act(begun(), "pass")
    assert game.undo(0) is None or game.undo(1) is None
    assert verify(save(game)).identical


@pytest.mark.parametrize(
    ("entries", "what"),
    [
        ([["correct", 0, [["mark", 0, "wounds", 1]]]], "options"),
        ([["correct", None, [["mark", 0, "wounds", 1]]]], "options"),
        ([["draw-agreed", None, None]], "options"),
        ([["consent", 1, None]], "options"),
        ([["decline", 1, None]], "options"),
        ([["propose", 0, {"draw": True}], ["consent", 0, None]], "options"),
        ([["propose", 0, {"draw": False}]], "options"),
        ([["propose", 2, {"draw": True}]], "options"),
        ([["propose", 0, {"draw": True}], ["consent", 1, None]], "request"),
        ([["late", 7, ["battle", "lost", None]]], "options"),
        ([["late", 0, ["sundial", "lost", None]]], "options"),
        ([["roll", 0, [1]]], "request"),
        ([["concede", 0, None], ["concede", 1, None]], "request"),
        ([["concede", None, None]], "options"),
        ([["undo", None, 0]], "options"),
        ([["doubt", 0, [1]]], "options"),
    ],
)
def test_what_nobody_could_have_done_is_found_out_where_it_stands(entries: list[list[Any]], what: str) -> None:
    game = play(begun(), 0, "fire")
    report = forgery(game, *entries)
    assert (report.identical, report.what) == (False, what)
    assert report.at >= len(game.record)


def test_a_correction_that_was_proposed_and_agreed_to_is_lawful() -> None:
    game = play(begun(), 0, "pass", 2)
    assert game.propose(0, {"correction": [["mark", 0, "wounds", 1]]}) is None
    assert game.consent(1) is None
    data = save(game)
    assert verify(data).identical
    at = next(k for k, entry in enumerate(game.record) if entry.kind == "consent")
    assert verify(changed(data, lambda plain: plain["record"].pop(at))).what == "options"


def test_what_was_agreed_and_then_is_not_in_the_record_is_missed() -> None:
    game = play(begun(), 0, "pass")
    game.propose(0, {"draw": True})
    game.consent(1)
    report = verify(changed(save(game), lambda plain: plain["record"].pop()))
    assert (report.identical, report.what) == (False, "request")


def test_a_drift_names_the_entry_of_the_file_though_some_were_undone_or_said() -> None:
    game = act(begun(), "pass")
    assert game.undo(0) is None or game.undo(1) is None
    game.propose(0, {"draw": True})
    game.decline(1)
    play(game, "fire")
    report = verify(changed(save(game), other_die))
    last = max(at for at, entry in enumerate(game.record) if entry.kind == "roll")
    assert (report.what, report.at) == ("dice", last)
    at_random(game, Random(3), 30)
    hashed = verify(changed(save(game), lambda plain: plain["hashes"][-1].__setitem__(2, "0" * 16)))
    assert len(game.record) > len(game.line)
    assert (hashed.what, hashed.at) == ("state hash", game.hashes[-1].at + len(game.record) - len(game.line))


def test_what_a_file_does_not_allow_to_be_checked_is_said() -> None:
    game = play(begun(), 0, "fire")
    assert verify(save(game)).unchecked == ("seeds",)
    seeds = ("a", "b")
    fair = Fair(commitment("s"), "s", seeds)
    played = play(begun(game_seed("s", seeds)), 0, "fire")
    assert verify(save(played, fair)).unchecked == ("seals",)
    sealed = msgspec.structs.replace(fair, seals=tuple(map(commitment, seeds)))
    assert verify(save(played, sealed)).unchecked == ()
    by_hand = play(act(begun(dice=ByHand()), "fire"), [4, 4, 4, 4], [1, 1, 1, 1], 2)
    assert verify(save(by_hand)).unchecked == ("dice",)
    late = begun()
    assert late.question is not None
    assert late.question.side is not None
    late.lapse(late.question.side, "battle", "passed")
    assert verify(save(late)).unchecked == ("seeds", "clocks")
