"""Answers that go by one's own secrets come one beat after the question, whatever they are."""

from __future__ import annotations

import pytest

from campale.referee.question import Choose
from campale.server.battle.following import BEAT, Beats
from tests.server.conftest import Serve, draft

OWN = {"default": "matter", "watch": "own"}


def closed(*keys: str) -> Choose:
    return Choose(0, "watch", keys, about={"open": False})


class Time:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("keys", [("nobody",), ("nobody", "yes")])
def test_a_beat_is_the_same_with_a_choice_and_without(keys: tuple[str, ...]) -> None:
    time, question = Time(), closed(*keys)
    beats = Beats(time)
    assert not beats.is_pending(0)
    assert beats.is_due(0, question, OWN) is False
    assert beats.soonest() == BEAT
    time.now = BEAT / 2
    assert beats.is_due(0, question, OWN) is False
    assert beats.is_pending(0)
    time.now = BEAT
    assert beats.is_due(0, question, OWN) is True
    assert beats.soonest() is None
    assert not beats.is_pending(0)


def test_each_question_has_a_beat_of_its_own() -> None:
    time = Time()
    beats = Beats(time)
    beats.is_due(0, closed("nobody"), OWN)
    time.now = BEAT
    assert beats.is_due(0, closed("nobody"), OWN) is False
    beats.forget()
    assert beats.soonest() is None


def test_a_beat_that_passes_while_others_are_told_is_due_at_once_and_only_once() -> None:
    time, question = Time(), closed("nobody", "yes")
    beats = Beats(time)
    assert beats.is_due(0, question, OWN) is False
    time.now = 3 * BEAT
    assert beats.soonest() == 0.0
    assert beats.is_due(0, question, OWN) is True
    assert beats.soonest() is None
    assert beats.is_due(0, closed("nobody"), OWN) is False
    time.now = 6 * BEAT
    beats.drop(0)
    assert beats.soonest() is None


def test_what_is_open_or_answered_by_another_policy_needs_no_beat() -> None:
    beats = Beats(lambda: 0.0)
    assert beats.is_due(0, Choose(0, "watch", ["nobody"]), OWN) is None
    assert beats.is_due(0, closed("nobody"), {"default": "matter"}) is None
    assert beats.soonest() is None


def test_edition_3m_begins_with_orders_of_its_own(serve: Serve) -> None:
    server = serve()
    made = server.create(draft("e3m", "me", "me", is_agreed=True))
    with server.page(made, 0) as page:
        orders = page.until("state")["orders"]
    own = dict.fromkeys(("opportunity", "step-end-fire", "path-assault"), "own")
    assert orders == {"default": "matter", **own, "lay-down": "proposed"}


DEPLOYED = {"default": "matter", "deploy-unit": "proposed", "deploy": "proposed"}


def shown_and_answered(serve: Serve, policy: str, most: int) -> tuple[list[str], list[str]]:
    """The prompts of the first questions that a player was shown, and of those that waited for his answer."""
    server = serve()
    made = server.create(draft("wzr", "me", "random", is_agreed=True))
    shown: list[str] = []
    answered: list[str] = []
    with server.page(made, 0) as page:
        page.until("state")
        orders = {**DEPLOYED, "strategy-first": policy, "tactic-own-first": policy}
        assert page.reply(do="standing", orders=orders)["is"] == "done"
        while len(answered) < most:
            while not page.question or page.moment["sheet"]["prompt"] in DEPLOYED:
                page.hear()
            number, prompt = page.question, page.moment["sheet"]["prompt"]
            shown.append(prompt)
            page.rest(2 * BEAT)
            if page.question == number:
                answered.append(prompt)
                assert page.answer(page.proposal())["is"] == "done"
                page.settle()
    return shown, answered


@pytest.mark.parametrize(("policy", "is_asked"), [("worthwhile", False), ("ask", True)])
def test_what_is_answered_by_order_is_not_shown_before(serve: Serve, policy: str, is_asked: bool) -> None:
    shown, answered = shown_and_answered(serve, policy, 8)
    assert shown == answered
    assert not is_asked or "strategy-first" in shown
