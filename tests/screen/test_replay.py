"""Replays: the frames of a battle add up to what stands at its end, and show nobody more than he may see."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from campale.referee.game import Game
from campale.referee.records.record import Entry
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.screen.journal import lines
from campale.screen.replay import Played, at_moment
from campale.screen.replay import replay as replayed
from campale.screen.report import report
from campale.screen.scene import eyes, scene
from campale.screen.shown import Replay

PLAYED = 160


def begun(name: str, seed: str = "replay", answers: int = PLAYED) -> Game:
    ruleset = load_ruleset(name)
    assert ruleset.starters is not None
    game, rng = Game(ruleset, ruleset.starters()[0], seed), Random(seed)
    for _ in range(answers):
        if game.is_over:
            break
        side = game.asked[0]
        game.answer(side, game.pending[side].sample(rng))
    return game


def replay(game: Game, side: int | None, language: str) -> Replay:
    return replayed(Played.of(game), side, language)


def put_together(shown: Replay) -> dict[str, Any]:
    """The frames one upon the other."""
    models, units = {m.row: m for m in shown.models}, {u.row: u for u in shown.units}
    told, pieces, tokens, standing = list(shown.lines), shown.pieces, shown.tokens, shown.standing
    for frame in shown.frames:
        models |= {m.row: m for m in frame.models}
        units |= {u.row: u for u in frame.units}
        told = [*told[: frame.cut], *frame.lines]
        pieces = frame.pieces if frame.pieces is not None else pieces
        tokens = frame.tokens if frame.tokens is not None else tokens
        standing = frame.standing or standing
    rows = [models[row] for row in sorted(models)]
    return {
        "models": rows, "units": [units[row] for row in sorted(units)], "lines": told,
        "pieces": pieces, "tokens": tokens, "standing": standing,
    }  # fmt: skip


@pytest.mark.parametrize("side", [None, 0, 1])
@pytest.mark.parametrize("name", ruleset_names())
def test_the_frames_add_up_to_the_battle_as_it_stands(name: str, side: int | None) -> None:
    game = begun(name)
    before = game.position.to_bytes(), list(game.line)
    found, now = put_together(replay(game, side, "en")), scene(game, side, "en")
    assert found["models"] == now.models
    assert found["units"] == now.units
    assert (found["pieces"], found["tokens"], found["standing"]) == (now.pieces, now.tokens, now.standing)
    assert found["lines"] == lines(game, side, "en")
    assert (game.position.to_bytes(), game.line) == before


@pytest.mark.parametrize("name", ruleset_names())
def test_the_places_of_the_frames_grow(name: str) -> None:
    places = [frame.at for frame in replay(begun(name), None, "it").frames]
    assert places == sorted(set(places))
    assert 0 < places[-1] <= PLAYED * 4


def test_what_was_undone_is_not_shown_and_a_concession_is() -> None:
    game = begun("ragnarok", answers=60)
    side = next(iter(game.asked))
    assert side is not None
    game.answer(side, game.pending[side].sample(Random(1)))
    length = len(game.line)
    game.undo(side)
    assert len(replay(game, None, "en").frames) <= length
    game.concede(1)
    shown = replay(game, None, "en")
    assert shown.result is not None
    assert shown.frames[-1].at == len(game.line)


def test_a_correction_by_consent_is_shown() -> None:
    game = begun("ragnarok", answers=60)
    model = game.position.on_table()[0]
    moved = ["move", model.row, model.x, model.y, model.z, (model.facing + 90) % 360]
    assert game.propose(0, {"correction": [moved]}) is None
    assert game.consent(1) is None
    found = put_together(replay(game, None, "en"))
    assert found["models"][model.row].facing == (model.facing + 90) % 360
    told = [line.text for line in found["lines"]]
    at = told.index("A correction on the table, proposed by Red and accepted by the opponent:")
    assert told[at + 1].startswith(f"Corrected: {eyes(game, None, 'en').teller.model(model.row)} now stands at (")
    assert "\n- A correction on the table, proposed by " in report(eyes(game, None, "en"), game.journal)


def test_a_corrected_marker_is_told_with_what_it_was_and_older_records_name_nobody() -> None:
    game = begun("e55", answers=60)
    row = game.position.on_table()[0].row
    assert game.propose(1, {"correction": [["mark", row, "wounds", 3]]}) is None
    assert game.consent(0) is None
    teller = eyes(game, None, "en").teller
    told = [line.text for line in lines(game, None, "en")]
    assert f"Corrected: {teller.model(row)}, {teller.word('marker', 'wounds')} 0 → 3." in told
    assert "Una correzione sul tavolo, proposta da Blu" in " ".join(line.text for line in lines(game, None, "it"))
    old = [Entry("correct", None, one.answer) if one.kind == "correct" else one for one in game.line]
    again = Game(game.ruleset, game.setup, game.seed, replaying=old)
    assert "A correction on the table, agreed by both sides:" in [line.text for line in lines(again, None, "en")]


def test_a_clock_that_ran_out_is_shown_and_told_in_the_report() -> None:
    game = begun("ragnarok", answers=60)
    side = next(iter(game.asked))
    assert side is not None
    answer = game.pending[side].sample(Random(1))
    assert game.lapse(side, "reaction", "proposed", answer) is None
    assert game.answer(side, answer) is None
    told = "the time for a reaction has run out."
    assert any(told in line.text for line in put_together(replay(game, None, "en"))["lines"])
    assert told in report(eyes(game, None, "en"), game.journal)
    late = next(one for one in game.asked if one is not None)
    assert game.lapse(late, "battle", "lost") is None
    assert game.concede(late) is None
    last = [line.text for line in replay(game, None, "it").frames[-2].lines]
    assert last == [f"{eyes(game, None, 'it').teller.side(late)}: il tempo per la battaglia è scaduto."]


def test_a_battle_that_goes_on_from_a_boundary_is_shown_from_there() -> None:
    game = begun("ragnarok")
    mark = game.marks[-1]
    later = Game(
        game.ruleset, game.setup, game.seed, None, True, "all", (), False, mark.position.copy(), game.line[: mark.at]
    )
    shown = replay(later, None, "en")
    assert shown.models == scene(later, None, "en").models
    assert shown.frames == []


@pytest.mark.parametrize("name", ruleset_names())
def test_a_moment_is_found_again(name: str) -> None:
    early, late = begun(name, answers=50), begun(name, answers=90)
    again = at_moment(Played.of(late), len(early.line), None if not early.unseen else 0)
    if not early.unseen:
        assert again.position.to_bytes() == early.position.to_bytes()
        assert again.asked == early.asked
    with pytest.raises(ValueError, match="no entry"):
        at_moment(Played.of(early), len(early.line) + 1, None)


def test_a_replay_goes_over_the_wire_and_back() -> None:
    shown = replay(begun("ragnarok"), 0, "en")
    assert msgspec.json.decode(msgspec.json.encode(shown), type=Replay) == shown
