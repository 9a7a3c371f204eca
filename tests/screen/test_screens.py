"""Every ruleset on a screen: what is drawn, asked, proposed, moved and told, and nothing more than may be known."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from tests.toys import ONLY_TESTED

from campale.conformance.playing import SIDES, asked, begun, looks, played
from campale.referee import folding
from campale.referee.game import Game
from campale.referee.lawful import is_ending
from campale.referee.question import Choose, Form, Question
from campale.referee.records.record import grained
from campale.referee.telling import teller, transcript
from campale.referee.telling.words import LANGUAGES, Words
from campale.screen.dragging import rows_of
from campale.screen.journal import Journal, lines
from campale.screen.moving import planned
from campale.screen.orders import AT_FIRST, PASS, kinds, standing_answer
from campale.screen.scene import Scene, changed, eyes, scene
from campale.screen.sheet import after, at_path, check, filled, judged, next_field, sheet
from campale.screen.shown import Line, Sheet

Battle = tuple[str, int]
LOOKS = 25
MOVES = ("move", "place")
MOST_FIELDS = 200


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys for which there were no words."""
    found: list[str] = []
    say, readable = Words.say, teller.readable

    def said(words: Words, key: str, **values: Any) -> str:
        found.extend([key] if not words.has(key) else [])
        return say(words, key, **values)

    def read(key: str) -> str:
        found.extend([key] if readable(key) != key else [])
        return readable(key)

    monkeypatch.setattr(Words, "say", said)
    for module in (teller, transcript, folding):
        monkeypatch.setattr(module, "readable", read, raising=False)
    return found


def shown(game: Game, question: Question, language: str = "en") -> Sheet:
    seen = eyes(game, question.side, language)
    return sheet(question, seen.teller, seen.position)


def through_json(one: Any, kind: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(one), type=kind)


def texts(asked: Sheet) -> Iterator[str]:
    yield from (asked.title, asked.proposal_text, *asked.items, *(rule.title for rule in asked.rules))
    yield from (one.text for one in asked.foretold)
    for option in asked.options:
        yield from (option.text, *([option.refusal.text] if option.refusal else []))
    yield from texts(asked.first) if asked.first is not None else ()


# ---------------------------------------------------------------- questions


def test_every_question_is_asked_in_words_of_both_languages(battle: Battle, untold: list[str]) -> None:
    for game, question, _ in looks(*battle, many=LOOKS):
        for language in LANGUAGES:
            asked = shown(game, question, language)
            assert all(text.strip() for text in (asked.title, asked.proposal_text or "-"))
            assert all("{" not in text for text in texts(asked)), asked
    assert battle[0] in ONLY_TESTED or untold == []


def test_what_is_proposed_is_legal_and_comes_back_from_json(battle: Battle) -> None:
    for game, question, _ in looks(*battle, many=LOOKS):
        asked = shown(game, question)
        again = through_json(asked, Sheet)
        assert judged(question, again.proposal) is None, question.description()
        assert through_json(again, Sheet) == again
        assert shown(game, question) == asked


def test_the_open_options_are_the_lawful_ones_and_the_closed_say_why(battle: Battle) -> None:
    for game, question, _ in looks(*battle, many=LOOKS):
        if isinstance(question, Choose):
            asked = shown(game, question)
            open_ones = [one.key for one in asked.options if one.refusal is None]
            assert open_ones == sorted(question.options(), key=is_ending)
            for one in asked.options:
                assert (check(question, [], one.key) is None) == (one.refusal is None)
                assert one.refusal is None or one.refusal.text


def test_a_form_can_be_walked_through_and_filled_in_whole(battle: Battle) -> None:
    for game, question, rng in looks(*battle, many=LOOKS):
        if isinstance(question, Form):
            walked(game, question, rng)
            seen = eyes(game, question.side, "en")
            whole = filled(question, [], None, -1, seen.teller, seen.position)
            answers = [field.answer for field in whole.fields]
            assert judged(question, answers) is None
            assert next_field(question, [answers], seen.teller, seen.position) is None


def walked(game: Game, form: Form, rng: Random) -> None:
    """Field by field, with an answer at random; then whole, with the same answers and one of them changed."""
    seen = eyes(game, form.side, "en")
    answers: list[Any] = []
    while (asked := next_field(form, [answers], seen.teller, seen.position)) is not None:
        field = after(form, answers)
        assert field is not None
        assert (asked.prompt, asked.kind) == (field.prompt, field.kind)
        assert judged(field, asked.proposal) is None
        answers.append(grained(field.sample(rng)))
        assert len(answers) < MOST_FIELDS
    assert judged(form, answers) is None
    kept = filled(form, [], answers, -1, seen.teller, seen.position)
    assert [field.answer for field in kept.fields] == answers
    spoilt = [*answers[:-1], "no such answer"]
    mended = filled(form, [], spoilt, len(spoilt) - 1, seen.teller, seen.position)
    assert mended.refusal is not None
    assert judged(form, [field.answer for field in mended.fields]) is None


def test_nonsense_is_refused_and_breaks_nothing(battle: Battle) -> None:
    nonsense: list[Any] = [None, True, "x" * 30, 10**9, -1, 1e300, [], [[]], [None], {"a": [1]}, [[[["a"]]]], [1, 2, 3]]
    for game, question, _ in looks(*battle, many=LOOKS // 3):
        seen = eyes(game, question.side, "it")
        for one in nonsense:
            refusal = check(question, [], one)
            assert refusal is None or seen.teller.refusal(refusal)
            assert check(question, [[one]], one) is not None or isinstance(question, Form)
            assert planned(question, seen.position, [[one, one, one, one]]).refusal is not None


def test_a_path_leads_to_the_field_after_its_answers(battle: Battle) -> None:
    for _, question, rng in looks(*battle, many=LOOKS):
        assert at_path(question, []) is question
        if isinstance(question, Form) and (first := question.after([])) is not None:
            assert at_path(question, [[]]) == first
            answer = first.sample(rng)
            assert at_path(question, [[answer]]) == question.field([answer])


# ---------------------------------------------------------------- moves


def moves_in(question: Question, rng: Random) -> Iterator[Question]:
    """The question if it is one of moves or places, or those of a form filled in at random."""
    if question.kind in MOVES:
        yield question
    elif isinstance(question, Form):
        answers = question.sample(rng)
        fields = (question.field(answers[:number]) for number in range(len(answers)))
        yield from (one for one in fields if one is not None and one.kind in MOVES)


def test_models_come_near_to_where_they_are_dragged(battle: Battle) -> None:
    found = 0
    for game, asked_for, rng in looks(*battle, many=LOOKS * 2):
        for question in moves_in(asked_for, rng):
            rows = rows_of(question)
            position = eyes(game, question.side, "en").position
            turn, far = rng.uniform(0.0, 2 * math.pi), rng.uniform(0.5, 6.0)
            start = question.proposals(1)[0] if question.kind == "place" else [[*position.model(r).at] for r in rows]
            wish = [
                [row, at[0] + far * math.sin(turn), at[1] + far * math.cos(turn), None]
                for row, at in zip(rows, start, strict=True)
            ]
            for dragged in (wish, wish[:1]):
                plan = planned(question, position, dragged)
                assert plan.refusal is not None or judged(question, plan.answer) is None
                assert plan == planned(question, position, dragged)
                found += plan.refusal is None
    assert found


# ---------------------------------------------------------------- the table


def test_the_table_is_drawn_in_numbers_that_are_finite(battle: Battle, untold: list[str]) -> None:
    before = None
    for game, _, _ in looks(*battle, many=LOOKS):
        for language in LANGUAGES:
            now = scene(game, None, language)
            assert all(math.isfinite(n) for model in now.models for n in (model.x, model.y, model.z, model.facing))
            assert through_json(now, Scene) == through_json(through_json(now, Scene), Scene)
        before = followed(before, now)
    assert battle[0] in ONLY_TESTED or untold == []


def followed(before: Scene | None, now: Scene) -> Scene:
    """Whoever puts the changes into the scene that he has, has the new one."""
    if before is not None:
        changes = changed(before, now)
        models = {one.row: one for one in before.models} | {one.row: one for one in changes.models}
        assert [models[row] for row in range(len(now.models))] == now.models
        units = {one.row: one for one in before.units} | {one.row: one for one in changes.units}
        assert [units[row] for row in range(len(now.units))] == now.units
        assert (before.tokens if changes.tokens is None else changes.tokens) == now.tokens
        assert changed(now, now).models == []
    return now


def test_wounds_are_told_with_how_many_there_were(battle: Battle) -> None:
    """Where a book tells them: never more are left than there were."""
    if begun(*battle).ruleset.health is not None:
        told = [one.wounds for one in scene(played(*battle), None, "en").models if one.wounds is not None]
        assert all(0 <= left <= full for left, full in told)
        assert told


# ---------------------------------------------------------------- secrets


def test_what_a_side_may_not_know_is_on_none_of_its_screens(battle: Battle) -> None:
    for game, _, rng in looks(*battle, many=LOOKS // 2):
        for side in SIDES:
            other = game.imagined_by(side, rng)
            for language in LANGUAGES:
                assert screens(other, side, language) == screens(game, side, language)
            assert scene(other, None, "en") == scene(game.imagined_by(1 - side, rng), None, "en")


def screens(game: Game, side: int, language: str) -> bytes:
    seen = eyes(game, side, language)
    question = game.question_for(side)
    asked = None if question is None else sheet(question, seen.teller, seen.position)
    orders = None if question is None else standing_answer(question, AT_FIRST, seen.position, seen.teller)
    return msgspec.json.encode([scene(game, side, language), asked, orders])


# ---------------------------------------------------------------- the journal


@pytest.mark.costly
def test_the_journal_grows_as_it_would_be_told_at_once(battle: Battle, untold: list[str]) -> None:
    game = begun(*battle, seed="journal")
    journals = {side: Journal("it", side) for side in (*SIDES, None)}
    told: dict[int | None, list[Line]] = {side: [] for side in journals}
    for number, _ in enumerate(asked(game, Random("journal"))):
        for side, journal in journals.items() if number % 3 == 0 else ():
            cut, new = journal.update(game)
            told[side][cut:] = new
            assert told[side] == journal.lines
    for side, journal in journals.items():
        journal.update(game)
        whole = lines(game, side, "it")
        assert journal.lines == whole
        known = len(game.line) - sum(owner != side for owner in game.unseen.values())
        assert [one.at for one in whole] == sorted(one.at for one in whole)
        assert whole[-1].at <= known
        assert through_json(whole, list[Line]) == whole
    assert battle[0] in ONLY_TESTED or untold == []


def test_what_is_taken_back_is_untold(battle: Battle) -> None:
    game = begun(*battle, seed="undo")
    journal = Journal("en", None)
    taken_back = 0
    for _ in range(60):
        question = game.question
        if question is None:
            break
        assert game.answer(question.side, question.sample(Random(len(game.record)))) is None
        journal.update(game)
        if question.side is not None and game.undo(question.side) is None:
            taken_back += 1
            journal.update(game)
            assert [one.text for one in journal.lines] == [one.text for one in lines(game, None, "en")]
            question = game.question
            assert question is not None
            assert game.answer(question.side, question.sample(Random("again"))) is None
    assert taken_back


# ---------------------------------------------------------------- standing orders


def test_orders_give_legal_answers_or_none(battle: Battle) -> None:
    for game, question, _ in looks(*battle, many=LOOKS):
        seen = eyes(game, question.side, "en")
        acts = {kind.prompt: {"act": [key for key, _ in kind.acts], "within": 1000.0} for kind in kinds(seen.teller)}
        for orders in (AT_FIRST, {question.prompt: PASS}, acts):
            given = standing_answer(question, orders, seen.position, seen.teller)
            assert given is None or judged(question, given[0]) is None
        assert standing_answer(question, {}, seen.position, seen.teller) is None


def test_a_whole_battle_has_lines_for_whoever_looks_on(battle: Battle) -> None:
    told = lines(played(*battle), None, "en")
    assert told
    assert all(line.text for line in told)
    assert any(line.dice is not None for line in told)
