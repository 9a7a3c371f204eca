"""Odds over a socket: what a seat is told of its models' shots, of a declaration, and of a form shown whole."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.server.conftest import Serve, draft
from tests.server.page import Page


def asked(pages: list[Page]) -> Page:
    """Whose turn it is to answer."""
    while True:
        pages[0].sync(*pages[1:])
        assert not pages[0].is_over
        for page in pages:
            if page.question:
                return page


def adds_up(forecast: dict[str, Any]) -> bool:
    return all(abs(math.fsum(p for _, p in stage["chances"]) - 1.0) < 1e-12 for stage in forecast["stages"])


def rows(page: Page, side: int) -> list[int]:
    return [row for row, model in page.models.items() if model["side"] == side and model["where"] == "table"]


def of_anybody(page: Page, side: int) -> list[dict[str, Any]]:
    """The first forecasts that a model of a side has against one of the other."""
    for row in rows(page, side):
        for target in rows(page, 1 - side):
            told = page.reply(do="odds", model=row, target=target)
            assert told["is"] == "forecasted"
            if any(one["stages"] for one in told["forecasts"]):
                found: list[dict[str, Any]] = told["forecasts"]
                return found
    return []


@pytest.mark.parametrize(("book", "prompt"), [("ragnarok", "act"), ("e55", "shooting"), ("e3m", "fire.preparatory")])
def test_a_seat_is_told_the_odds(serve: Serve, book: str, prompt: str) -> None:
    server = serve()
    made = server.create(draft(book, "me", "me", is_agreed=True))
    with server.page(made, 0) as one, server.page(made, 1) as other:
        pages = [one, other]
        for page in pages:
            page.until("state")
        found: list[dict[str, Any]] = []
        for _ in range(400):
            page = asked(pages)
            if page.moment["sheet"]["prompt"] == prompt:
                found = of_anybody(page, pages.index(page))
            if found:
                break
            assert page.answer(page.proposal())["is"] == "done"
        assert found
        assert all(adds_up(forecast) and forecast["title"] for forecast in found)
        declared(page, book)


def declared(page: Page, book: str) -> None:
    question = page.question
    if book == "e55":
        told = page.reply(do="fill", question=question)
        units = [field["forecast"] for field in told["fields"] if field["sheet"]["prompt"] == "shots"]
        assert units
        assert all(one["stages"] or one["gap"] for one in units)
    elif book == "e3m":
        told = page.reply(do="fill", question=question)
        assert adds_up(told["forecast"])
    else:
        told = page.reply(do="check", question=question, answer="end")
        assert "forecast" not in told


def test_nothing_is_told_of_what_is_no_model(serve: Serve) -> None:
    server = serve()
    made = server.create(draft("ragnarok", "me", "me", is_agreed=True))
    with server.page(made, 0) as page, server.page(made) as spectator:
        page.until("state")
        for row in (-1, 10_000):
            assert page.reply(do="odds", model=row, target=0)["forecasts"] == []
            assert spectator.reply(do="odds", model=0, target=row)["forecasts"] == []


def field_of(page: Page, path: list[list[Any]]) -> dict[str, Any] | None:
    told = page.reply(do="next", question=page.question, path=path)
    return told.get("sheet") if told["is"] == "next" else None


def targets_of_fire(page: Page) -> tuple[list[list[Any]], dict[str, Any]] | None:
    """The first model of whoever is asked that may fire, with its weapon: the path to its targets, and their sheet."""
    first = page.moment["sheet"]["first"]
    for model in [one["key"] for one in first["options"] if one.get("actors") and "refusal" not in one]:
        actions = field_of(page, [[model]])
        assert actions is not None
        if "fire" in [one["key"] for one in actions["options"] if "refusal" not in one]:
            weapons = field_of(page, [[model, "fire"]])
            assert weapons is not None
            path = [[model, "fire", next(one["key"] for one in weapons["options"] if "refusal" not in one)]]
            targets = field_of(page, path)
            if targets is not None and targets["prompt"] == "target":
                return path, targets
    return None


def test_each_target_is_weighed_as_the_field_is_asked(serve: Serve) -> None:
    server = serve()
    made = server.create(draft("ragnarok", "me", "me", is_agreed=True))
    with server.page(made, 0) as one, server.page(made, 1) as other:
        pages = [one, other]
        for page in pages:
            page.until("state")
        for _ in range(400):
            page = asked(pages)
            found = targets_of_fire(page) if page.moment["sheet"]["prompt"] == "act" else None
            if found and weighs_targets(page, *found):
                return
            assert page.answer(page.proposal())["is"] == "done"
        raise AssertionError("nobody was ever in range")


def weighs_targets(page: Page, path: list[list[Any]], targets: dict[str, Any]) -> bool:
    """Each target is told its odds, those of the card, or why there are none; whether any has odds."""
    assert targets["weighed"]
    assert page.moment["sheet"]["first"].get("weighed") is None
    question, rows = page.question, [one["key"] for one in targets["options"] if "refusal" not in one]
    found = [page.reply(do="weigh", question=question, path=path, answer=row)["forecast"] for row in rows]
    assert all(adds_up(one) and (one["stages"] or one["gap"]) for one in found)
    looked = page.reply(do="odds", model=path[0][0], target=rows[0])["forecasts"]
    assert found[0] in looked
    assert "forecast" not in page.reply(do="weigh", question=question, path=path, answer="nobody")
    assert page.reply(do="weigh", question=question + 1, path=path, answer=rows[0])["is"] == "failed"
    return any(one["stages"] for one in found)
