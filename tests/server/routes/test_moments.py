"""A moment of a battle laid on the test table: for whom, when, and that it is that very position."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from campale.server.battle.draft import Created
from tests.server.conftest import Serve, Served, draft
from tests.server.routes.test_afterwards import AGREED, Table
from tests.server.routes.test_scenarios import BOOKS, ask

PLACED = 150


def ended(table: Table) -> None:
    table.do(lambda: table.game.concede(0))


def places(models: list[Any]) -> list[tuple[int, list[float]]]:
    """Who stands on the table, and where, by row."""
    there = [(row, one["at"][:2]) for row, one in enumerate(models) if one.get("where", "table") == "table"]
    return [(row, [round(number, 2) for number in at]) for row, at in there]


def shown(table: Table, at: int) -> list[tuple[int, list[float]]]:
    """The same as the replay shows it."""
    replay = table.ask("replay").json()
    models = {one["row"]: one for one in replay["models"]}
    for frame in replay["frames"]:
        if frame["at"] <= at:
            models |= {one["row"]: one for one in frame.get("models") or []}
    there = [one for one in models.values() if one["where"] == "table"]
    return [(one["row"], [round(one["x"], 2), round(one["y"], 2)]) for one in sorted(there, key=lambda one: one["row"])]


@pytest.mark.parametrize("book", BOOKS)
def test_any_moment_of_a_battle_that_is_over_is_laid_and_played_from(serve: Serve, book: str) -> None:
    table = Table(serve(), book, PLACED)
    ended(table)
    ats = [one["at"] for one in table.ask("replay").json()["frames"]]
    tried = 0
    for at in (ats[len(ats) // 3], ats[2 * len(ats) // 3], ats[-2]):
        found = table.ask(f"scenario?at={at}&public=true")
        if found.status_code == 422 and found.json()["word"] == "nobody-there":
            continue
        assert found.status_code == 200, found.text
        laid = found.json()
        assert laid["scenario"]["whole"] is True
        assert places(laid["scenario"]["models"]) == shown(table, at - laid["since"])
        assert all(one["shape"] for one in laid["profiles"])
        made = ask(table.server, "POST", json={"text": json.dumps(laid["scenario"])})
        assert made.status_code == 201, made.text
        tried += 1
    assert tried


def test_a_running_battle_is_laid_by_who_plays_it_alone(serve: Serve) -> None:
    table = Table(serve(), "ragnarok", PLACED)
    assert table.ask("scenario", 0).status_code == 200
    refused = table.ask("scenario")
    assert (refused.status_code, refused.json()["word"]) == (403, "not-yours")
    assert table.ask("scenario?at=999999", 0).json()["word"] == "no-moment"


def word_for(served: Served, made: Created) -> str:
    """What is said to side 1 of a battle that waits for its first answer."""
    address = f"http://{served.address}/api/battles/{made.battle}/scenario"
    told = httpx2.get(address, headers={"Authorization": f"Bearer {made.seats[0].token}"}, timeout=60)
    return "" if told.status_code == 200 else str(told.json()["word"])


@pytest.mark.parametrize(
    ("book", "rival", "word"),
    [
        ("ragnarok", "random", ""),
        ("ragnarok", "link", "test-later"),
        ("e55", "random", "test-later"),
        ("wzr", "random", "test-later"),
        ("e3m", "random", "test-later"),
    ],
)
def test_against_others_only_what_is_open_to_all_is_laid(serve: Serve, book: str, rival: str, word: str) -> None:
    served = serve()
    made = served.create(draft(book, "me", rival, **AGREED))
    served.call(served.hall.live(made.battle))
    assert word_for(served, made) == word


def test_where_one_side_has_a_secret_nothing_is_laid_while_the_battle_lasts(serve: Serve) -> None:
    """In Edizione 5.5 both seats are one's own, and the army that is still to be deployed is a secret."""
    table = Table(serve(), "e55", 1)
    seen = table.game.ruleset.seen_by(None, table.game.marks[-1].position.copy())
    assert not seen.is_like(table.game.marks[-1].position)
    assert table.ask("scenario", 0).json()["word"] == "secrets-here"
