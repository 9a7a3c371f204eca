"""The suite itself: it notices what it is there to notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from campale.conformance import playing, test_copies, test_play, test_table, test_views, test_words
from campale.referee import ask
from campale.referee.position import Model, Position
from campale.referee.refusal import first_refusal
from campale.referee.ruleset import everything, load_ruleset
from tests.conformance.drill import RULESET, hand, march, sequence

BATTLE = ("drill", 0)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Battles played under a broken ruleset are not kept."""
    kept = (playing.watched, playing.stops)
    for one in kept:
        one.cache_clear()
    yield
    for one in kept:
        one.cache_clear()


def broken(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """From now on the drill is another."""
    other = RULESET.replacing(**changes)
    for module in (playing, test_copies, test_words):
        monkeypatch.setattr(module, "load_ruleset", lambda name: other if name == "drill" else load_ruleset(name))


def is_noticed(test: Callable[[tuple[str, int]], None]) -> bool:
    """Whether a test of the suite fails on the broken book."""
    try:
        test(BATTLE)
    except AssertionError:
        return True
    return False


def test_a_view_that_shows_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, seen_by=everything)
    assert is_noticed(test_views.test_what_is_imagined_otherwise_is_not_seen)


def test_a_view_that_leaves_out_one_thing_too_few_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def orders_only(side: int | None, position: Position) -> Position:
        hands = [position.hand(other, "hand") for other in (0, 1)]
        position = hand.seen_by(side, position)
        for other in (0, 1):
            position.hold(other, "hand", hands[other])
        return position

    broken(monkeypatch, seen_by=orders_only)
    assert is_noticed(test_views.test_what_is_imagined_otherwise_is_not_seen)


def test_a_window_opened_only_for_who_can_use_it_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def choose(*given: Any, always: bool = False, **named: Any) -> Any:
        return await ask.choose(*given, **named)

    monkeypatch.setattr(hand, "choose", choose)
    broken(monkeypatch, imagine=without_cards)
    assert is_noticed(test_views.test_two_battles_that_differ_in_a_secret_go_on_alike_for_the_other_side)


def without_cards(position: Position, side: int, rng: Random) -> Position:
    """The other side may have put its cards away unseen."""
    position = hand.imagine(position, side, rng)
    position.hold(1 - side, "hand", ())
    return position


def test_a_step_that_remembers_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []

    async def step(position: Position) -> bool:
        runs.append(1)
        position.now["runs"] = len(runs)
        return await sequence.step(position)

    broken(monkeypatch, step=step)
    assert is_noticed(test_copies.test_a_battle_starts_again_at_every_boundary_from_its_bytes)


def test_a_handle_in_what_copies_share_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def step(position: Position) -> bool:
        position.layout["leaders"] = {0: [position.model(0)]}
        return await sequence.step(position)

    broken(monkeypatch, step=step)
    assert is_noticed(test_copies.test_what_copies_share_holds_no_handles)


def test_a_sample_that_is_refused_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(march, "a_way", lambda model, rng: [[[model.x + 50.0, model.y]], None])
    assert is_noticed(test_play.test_what_is_offered_is_accepted)


def test_a_refusal_that_changes_something_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def and_changes(restrictions: Any, model: Model, path: Any) -> Any:
        model.position.gain(model.side, "refusals", 1)
        return first_refusal(restrictions, model, path)

    monkeypatch.setattr(march, "first_refusal", and_changes)
    assert is_noticed(test_play.test_what_is_refused_leaves_no_trace)


@pytest.mark.parametrize(
    ("place", "test"),
    [
        ((4.2, 4.0), test_table.test_no_base_lies_on_another),
        ((0.2, 4.0), test_table.test_no_base_is_off_the_table),
    ],
)
def test_a_model_where_none_may_stand_is_noticed(
    place: tuple[float, float], test: Callable[[tuple[str, int]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def set_out(ruleset: Any, setup: Any) -> Position:
        position = RULESET.set_out(ruleset, setup)
        position.model(1).move_to(*place)
        return position

    broken(monkeypatch, set_out=set_out)
    monkeypatch.setattr(march, "RESTRICTIONS", ())
    monkeypatch.setattr(march, "a_way", lambda model, rng: march.STAY)
    monkeypatch.setattr(march, "ways", lambda model: [march.STAY])
    assert is_noticed(test)


def test_a_battle_without_an_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence, "result", lambda position: None)
    monkeypatch.setattr(playing, "MOST_ANSWERS", 300)
    with pytest.raises(AssertionError, match="no end after 300 answers"):
        test_play.test_random_play_comes_to_an_end(BATTLE, 0)


def test_a_question_without_words_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, folder=RULESET.folder.parent)
    with pytest.raises(AssertionError):
        test_words.test_everything_that_is_asked_and_told_has_words(BATTLE)


def test_what_is_not_broken_passes() -> None:
    assert not is_noticed(test_views.test_two_battles_that_differ_in_a_secret_go_on_alike_for_the_other_side)
    assert not is_noticed(test_copies.test_a_battle_starts_again_at_every_boundary_from_its_bytes)
