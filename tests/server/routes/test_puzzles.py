"""Puzzles at the table: put there by name or from a file, solved or failed, and told so for good."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from campale.referee.records.saved import load
from campale.referee.ruleset import load_ruleset
from campale.referee.scenarios.puzzle import NO_ANSWERS, judged, read_puzzle
from campale.server.battle.hall import check_shown
from campale.server.battle.live import Live
from campale.server.battle.puzzling import saved_of, shipped
from campale.simulate.solving import Solving
from tests.referee.test_puzzle import AIMING
from tests.server.conftest import Serve, Served
from tests.server.page import Page

NAME = "ragnarok/6-the-last-turn"
BOOKS = ("e3m", "e55", "ragnarok", "w10", "wzr")


def ask(served: Served, method: str = "GET", **how: Any) -> httpx2.Response:
    return httpx2.request(method, f"http://{served.address}/api/puzzles", timeout=60, **how)


def begun(served: Served, **wanted: str) -> tuple[Page, Live, int]:
    """The page of whoever is to solve it, the battle, and the side."""
    made = ask(served, "POST", json=wanted)
    assert made.status_code == 201, made.text
    found = made.json()
    seat = next(one for one in found["seats"] if one["token"])
    page = Page(served.address, found["battle"], seat["token"])
    page.until("state")
    return page, served.call(served.hall.live(found["battle"])), seat["side"]


def shown(page: Page) -> Any:
    return page.moment["puzzle"]


def hear_until(page: Page, verdict: str) -> None:
    while shown(page).get("verdict") != verdict:
        page.hear()


def give(served: Served, live: Live, side: int, answer: Any) -> None:
    def work() -> None:
        assert live.game is not None
        assert live.game.answer(side, answer) is None

    served.call(live.change(work, lambda message: None))


def test_the_puzzles_are_listed_by_book_in_both_languages(serve: Serve) -> None:
    served = serve()
    for language, title in (("en", "The last turn"), ("it", "L'ultimo turno")):
        books = ask(served, headers={"Accept-Language": language}).json()
        assert {one["book"] for one in books} == set(BOOKS)
        for book in books:
            assert [one["name"] for one in book["puzzles"]] == [
                f"{book['book']}/{name}" for name in shipped(load_ruleset(book["book"]))
            ]
        puzzles = next(one["puzzles"] for one in books if one["book"] == "ragnarok")
        assert next(one["title"] for one in puzzles if one["name"] == NAME) == title


def test_its_solution_solves_it_at_the_table(serve: Serve) -> None:
    """The answers are those of the file, the bot's come of themselves."""
    served = serve()
    page, live, side = begun(served, name=NAME)
    told = shown(page)
    assert (told["name"], told["title"], told.get("verdict", "open")) == (NAME, "The last turn", "open")
    assert len(told["hints"]) == 2
    puzzle = read_puzzle(shipped(load_ruleset("ragnarok"))[NAME.partition("/")[2]])
    solving = Solving(puzzle)
    assert solving.solved(puzzle.stage.scenario.solution) == []
    assert side == 1
    for entry in puzzle.game.line:
        if entry.side == side and entry.kind not in NO_ANSWERS:
            give(served, live, side, entry.answer)
    hear_until(page, "solved")
    assert live.game is not None
    assert live.game.line == puzzle.game.line


def test_what_was_failed_stays_so_after_a_restart(serve: Serve) -> None:
    served = serve()
    page, live, side = begun(served, text=AIMING, file="mine.yaml")
    assert (side, shown(page).get("name", "")) == (0, "")
    give(served, live, 0, ["end"])
    hear_until(page, "failed")
    battle, token = live.id, page.token
    page.stack.close()
    served.end()
    again = serve()
    page = Page(again.address, battle, token)
    page.until("state")
    assert shown(page)["verdict"] == "failed"
    assert shown(page)["text"] == "Have Anna aim."


def test_a_goal_that_was_reached_stays_so_when_it_is_taken_back(serve: Serve) -> None:
    served = serve()
    page, live, _ = begun(served, text=AIMING, file="mine.yaml")
    give(served, live, 0, [0, "aim"])
    hear_until(page, "solved")
    assert page.reply(do="undo")["is"] == "done"
    assert live.game is not None
    assert live.game.line == []
    assert live.draft.puzzle is not None
    assert live.draft.puzzle.verdict == "solved"


@pytest.mark.parametrize("name", [f"{book}/{name}" for book in BOOKS for name in shipped(load_ruleset(book))])
def test_every_shipped_puzzle_begins_and_ends_at_the_table_as_in_its_file(name: str) -> None:
    book, _, puzzle = name.partition("/")
    made = read_puzzle(shipped(load_ruleset(book))[puzzle])
    table = load(saved_of(made.stage, made.goal.seed))
    check_shown(table)
    assert table.asked == made.game.asked
    assert Solving(made).solved(made.stage.scenario.solution) == []
    for entry in made.game.line[len(table.line) :]:
        if entry.kind not in NO_ANSWERS:
            assert table.answer(entry.side, entry.answer) is None
    assert table.line == made.game.line
    assert judged(made.goal, table) == "solved"


@pytest.mark.parametrize(
    ("wanted", "status", "word", "told"),
    [
        ({"name": "ragnarok/../../x"}, 404, "no-puzzle", ""),
        ({"name": "nothing/1"}, 404, "no-book", ""),
        ({"text": "", "file": "a.yaml"}, 422, "bad-puzzle", "a.yaml: questo file è vuoto"),
        ({"text": "- &a [*a]", "file": "a.yaml"}, 422, "bad-puzzle", "ancore"),
        ({"text": AIMING.replace("ragnarok", "os.path")}, 422, "bad-puzzle", "there is no ruleset"),
        ({"text": AIMING + "# " + "x" * 262_144}, 422, "bad-puzzle", "256 kB"),
        ({"text": "x" * 600_000}, 413, "too-large", ""),
        ({"text": AIMING, "file": 3}, 422, "bad-body", ""),
    ],
)
def test_what_is_no_puzzle_is_told_why(serve: Serve, wanted: Any, status: int, word: str, told: str) -> None:
    found = ask(serve(), "POST", json=wanted, headers={"Accept-Language": "it"})
    assert (found.status_code, found.json()["word"]) == (status, word), found.text
    assert told in " ".join(found.json()["reasons"])
    assert found.json()["text"] != word
