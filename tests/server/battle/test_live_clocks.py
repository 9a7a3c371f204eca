"""Clocks run for whoever is asked; a battle is lost by time, a reaction is passed."""

from __future__ import annotations

import time
from typing import Any

import pytest

from campale.referee.lawful import NoAnswer
from campale.server.battle import clocks
from campale.server.battle.clocks import Clocks
from campale.server.battle.draft import Clock
from campale.server.battle.live import Live
from tests.server.conftest import TOY, Serve, draft
from tests.server.page import Page


def test_the_clock_of_who_is_asked_runs_and_gets_its_increment(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True, clock=Clock(100.0, 0.0, 7.0)))
    with server.page(made, 0) as page, server.page(made, 1) as other:
        assert [seat["clock"] for seat in page.until("state")["moment"]["seats"]] == [100.0, 100.0]
        other.until("state")
        time.sleep(0.3)
        assert page.question
        page.answer(page.proposal())
        page.sync(other)
        mine, others = (seat["clock"] for seat in other.moment["seats"])
        assert 100.0 < mine < 106.8
        assert others == 100.0
    server.end()
    again = serve()
    with again.page(made) as page:
        assert page.until("state")["moment"]["seats"][0]["clock"] == mine


def test_whose_time_runs_out_has_lost(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True, clock=Clock(0.4)))
    with server.page(made, 1) as page:
        page.until("state")
        while not page.is_over:
            page.hear()
    game = server.hall.lives[made.battle].game
    assert game is not None
    assert (game.record[-1].kind, game.record[-1].side) == ("concede", 0)
    assert any("the time for the battle has run out" in line["text"] for line in page.lines)


def test_a_reaction_has_a_clock_of_its_own_and_is_passed(serve: Serve) -> None:
    server = serve()
    wanted = draft("ragnarok", "me", "me", is_agreed=True, clock=Clock(1000.0, 0.3))
    made = server.create(wanted)
    with server.page(made, 0) as one, server.page(made, 1) as two:
        for page in (one, two):
            page.until("state")
            page.reply(do="standing", orders={"default": "ask"})
        for _ in range(200):
            one.sync(two)
            reacting = next((page for page in (one, two) if has_reaction(page.moment, page.state["side"])), None)
            if reacting is not None:
                break
            page = one if one.question else two
            if page.moment.get("sheet"):
                page.answer(page.proposal())
        assert reacting is not None
        before, number = reacting.moment["seats"][reacting.state["side"]]["clock"], reacting.question
        side, other = reacting.state["side"], two if reacting is one else one
        while reacting.question == number:
            reacting.hear()
        game = server.hall.lives[made.battle].game
        assert game is not None
        (late,) = [entry for entry in game.record if entry.kind == "late"]
        assert (late.side, late.answer[:2]) == (side, ["reaction", "passed"])
        told = "the time for a reaction has run out. "
        other.sync(reacting)
        for page in (reacting, other):
            assert any(told in line["text"] for line in page.lines)
        assert not reacting.is_over
        assert reacting.moment["seats"][reacting.state["side"]]["clock"] == before


def has_reaction(moment: dict[str, list[dict[str, object]]], side: int) -> bool:
    return bool(moment["question"]) and moment["seats"][side].get("reaction") is not None


def test_without_a_clock_none_runs() -> None:
    assert Clocks(None).reaction(0) is None


def at_a_die(serve: Serve, clock: Clock, wants_reaction: bool = False) -> tuple[Live, list[Page], int]:
    """A battle with real dice, in which somebody is to type some; whose they are."""
    server = serve()
    made = server.create(draft("ragnarok", "me", "me", is_agreed=True, dice="real", clock=clock))
    pages = [server.page(made, side) for side in (0, 1)]
    for page in pages:
        page.until("state")
    live = server.hall.lives[made.battle]
    for _ in range(400):
        question = next(one for side in (0, 1) if (one := live.question_of(side)) is not None)
        if question.is_chance and question.side is not None:
            turn = live.game.position.now.get("side") if live.game is not None else None
            if not wants_reaction or turn == 1 - question.side:
                return live, pages, question.side
        page = next(page for page in pages if page.question)
        page.answer(page.proposal())
        page.sync(*pages)
    raise AssertionError("nobody rolls")


def test_real_dice_are_typed_on_the_clock_of_whoever_rolls_them(serve: Serve) -> None:
    live, pages, side = at_a_die(serve, Clock(1000.0, 30.0))
    assert set(live.clocks.running) == {side}
    assert live.clocks.reaction(side) is None
    for page in pages:
        page.sync(*pages)
        assert [seat.get("is_timed", False) for seat in page.moment["seats"]] == [one == side for one in (0, 1)]
        assert side in page.moment["waiting_for"]


def test_dice_that_are_never_typed_lose_the_battle(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    live, pages, side = at_a_die(serve, Clock(1000.0, 0.1))
    now = live.clocks.now
    live.clocks.now = lambda: now() + 2000.0
    pages[1 - side].ask(do="say", text="well?")
    while not pages[0].is_over:
        pages[0].hear()
    assert live.game is not None
    assert (live.game.record[-1].kind, live.game.record[-1].side) == ("concede", side)
    assert not caplog.records


def test_a_reaction_that_nothing_answers_loses_the_battle_instead_of_ringing_for_ever() -> None:
    told = []

    class Deaf:
        def lapse(self, side: int, *how: object) -> None:
            told.append((side, *how))

        def answer(self, side: int, answer: object) -> str:
            return "refused"

    class Mute:
        prompt = "mute"

        def refusal(self, answer: object) -> str | None:
            return None if answer else "refused"

    question: Any = Mute()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clocks, "passing", lambda question: None)
        patched.setattr(clocks, "proposed", nothing_proposed)
        assert not clocks.is_passed(Deaf(), 0, question, None)  # type: ignore[arg-type]
        patched.setattr(clocks, "passing", lambda question: (1,))
        assert not clocks.is_passed(Deaf(), 0, question, None)  # type: ignore[arg-type]
        assert told == [(0, "reaction", "passed", 1)]
        patched.setattr(clocks, "passing", lambda question: (0,))
        assert not clocks.is_passed(Deaf(), 0, question, None)  # type: ignore[arg-type]
        assert len(told) == 1


def nothing_proposed(*of: object) -> None:
    raise NoAnswer("nothing")
