"""What happens on the table, for a page to play: in every book one is told who goes where, who acts upon whom, dice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.screen.test_replay import begun, replay

from campale.referee.journal import Event
from campale.referee.looks import COUNTED, MOTIONS, Motion
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.referee.telling.words import words
from campale.screen.journal import Journal
from campale.screen.motions import motion, motions
from campale.screen.scene import Eyes, eyes
from campale.screen.shown import MotionShown

BOOKS = [name for name in ruleset_names() if load_ruleset(name).motions]
"""But for the toys, which show nothing of what happens."""
GOLDEN = Path(__file__).parents[1] / "golden"
DEPLOYED = 60
"""After so many answers all who are there from the beginning have their rows."""

TOLD = re.compile(r"  ([a-z-]+) (\{.*\})(?: \(seen by .*\))? <")


def happened(name: str) -> Iterator[Event]:
    """The events of the fixed battle of a book."""
    for line in (GOLDEN / f"{name}.txt").read_text("utf-8").splitlines():
        if (found := TOLD.match(line)) is not None:
            yield Event(found[1], json.loads(found[2]))


class Played(NamedTuple):
    """A book, a battle of it at its beginning, and each event of the fixed battle with what is to be seen of it."""

    name: str
    known: Eyes
    told: list[tuple[Event, MotionShown | None]]


def is_of_somebody_yet_to_come(event: Event, how: Motion, known: Eyes) -> bool:
    """Armies that are secret, and what is summoned, have no rows at first."""
    units, models = len(known.position.unit_names), len(known.position.names)
    for field in (*how.by, *how.at):
        value: Any = event.values.get(field, -1)
        rows = value if isinstance(value, list) else [value]
        if max(rows) >= (units if field in known.teller.fields["unit"] else models):
            return True
    return False


@pytest.fixture(scope="module", params=BOOKS)
def played(request: Any) -> Played:
    known = eyes(begun(request.param, answers=DEPLOYED), 0, "en")
    return Played(request.param, known, [(event, motion(event, known)) for event in happened(request.param)])


def test_every_book_shows_who_acts_upon_whom(played: Played) -> None:
    name, known, told = played
    book = load_ruleset(name)
    acts = [shown for _, shown in told if shown is not None and shown.kind in MOTIONS]
    assert any(one.by for one in acts)
    assert name == "ragnarok" or any(one.by and one.at for one in acts)
    for event, shown in told:
        key = f"roll.{event.values['why']}" if event.kind == "roll" else event.kind
        how = book.motions.get(key)
        if how is None or not how.kind or is_of_somebody_yet_to_come(event, how, known):
            continue
        if shown is not None:
            assert shown.by, event
            assert shown.at or shown.spot or not any(field in event.values for field in how.at), event


def test_a_shot_goes_from_model_to_model_with_its_dice() -> None:
    known = eyes(begun("ragnarok", answers=0), 0, "en")
    rolled = {"why": "to-hit", "answer": [5], "sides": 6, "side": 0, "shooter": 1, "target": 9, "weapon": "musket"}
    shown = motion(Event("roll", {**rolled, "needed": {"base": 4}}), known)
    assert shown is not None
    assert (shown.kind, shown.by, shown.at, shown.counts) == ("shot", [1], [9], "hits")
    assert shown.dice is not None
    assert (shown.dice.faces, shown.dice.met) == ([5], [True])
    corrected = Event("move", {"model": 1, "x": 1.0, "y": 1.0, "facing": 0.0, "corrected": True})
    assert motion(corrected, known) is None


def test_every_book_shows_ways_losses_and_dice(played: Played) -> None:
    told = played.told
    moves = [(event, shown) for event, shown in told if event.kind == "move"]
    assert any(shown is not None and shown.kind == "come" for _, shown in moves)
    for event, shown in moves:
        assert shown is not None
        assert len(shown.way) == len(event.values.get("path", ()))
        if shown.way:
            assert shown.way[-1] == (round(event.values["x"], 2), round(event.values["y"], 2))
    kinds = {shown.kind for _, shown in told if shown is not None}
    assert {"move", "loss", "dice"} <= kinds
    counted = {shown.counts for _, shown in told if shown is not None and shown.dice is not None}
    assert "hits" in counted


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_declared_for_the_table_is_known_to_the_book(name: str) -> None:
    book = load_ruleset(name)
    said = words("en", book.folder / "words").messages
    for key, how in book.motions.items():
        kind, _, why = key.partition(".")
        assert not how.kind or how.kind in MOTIONS
        assert not how.counts or how.counts in COUNTED
        starts = (f"rolled.{why}", f"roll.{why}", why) if kind == "roll" else (f"event.{kind}", kind)
        assert any(one == start or one.startswith(f"{start}.") for one in said for start in starts), key


def test_every_book_that_one_may_play_is_among_these() -> None:
    assert {"ragnarok", "e55", "e3m", "w10", "wzr"} <= set(BOOKS)


def test_frames_tell_each_thing_that_happens_once() -> None:
    game = begun("ragnarok")
    shown = replay(game, 0, "en")
    told = [one for frame in shown.frames for one in frame.motions]
    known = eyes(game, 0, "en")
    journal = Journal("en", 0)
    journal.update(game)
    all_of_them = motions(journal.seen, known)
    assert [one.kind for one in told] == [one.kind for one in all_of_them][-len(told) :]
    assert any(one.kind == "move" and one.way for one in told)


def test_what_is_taken_back_does_not_happen_again() -> None:
    game = begun("ragnarok")
    journal = Journal("en", 0)
    journal.update(game)
    assert journal.fresh
    for side in (0, 1):
        if not game.why_no_undo(side):
            assert game.undo(side) is None
            break
    else:
        pytest.skip("nobody may take anything back here")
    journal.update(game)
    assert not journal.fresh
    journal.update(game)
    assert not journal.fresh
