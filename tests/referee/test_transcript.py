"""The journal, the questions and the refusals as sentences, in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import campale
from campale.dice.needs import Need, Part
from campale.players import RandomPlayer
from campale.referee.chance import Direction, Draw, Roll
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.question import Choose, Number, Order, Question
from campale.referee.refusal import Refusal
from campale.referee.ruleset import EXTRA_PACKAGES, Ruleset, Setup, load_ruleset
from campale.referee.telling.teller import Teller, changing, in_a_row, readable
from campale.referee.telling.transcript import lines, transcript
from campale.referee.telling.words import PLACEHOLDER
from campale.simulate import battle

WORDS = [Path(campale.__file__).parent / part / "words" for part in ("referee", "cli")]


@pytest.fixture(name="raid")
def the_toy_book() -> Iterator[Ruleset]:
    EXTRA_PACKAGES.append("tests.raid")
    yield load_ruleset("raid")
    EXTRA_PACKAGES.remove("tests.raid")


@pytest.fixture
def game(raid: Ruleset) -> Game:
    return battle(raid, Setup("raid"), {0: RandomPlayer(3), 1: RandomPlayer(4)}, "3")


@pytest.fixture
def teller(raid: Ruleset) -> Teller:
    return Teller(raid, "en", ["A1", "A2", "B1", "B2"], ["guards", "raiders"])


@pytest.fixture
def italian(raid: Ruleset) -> Teller:
    return Teller(raid, "it", ["A1", "A2", "B1", "B2"], ["guards", "raiders"], ("Ada", "2"))


def told(teller: Teller, kind: str, **values: Any) -> str:
    (line,) = lines([Event(kind, values)], teller)
    return line.text


def test_angles_are_whole_degrees(teller: Teller, italian: Teller) -> None:
    assert told(teller, "turn", model=0, facing=329.55) == "A1 turns to 330°."
    assert told(italian, "turn", model=0, facing=359.7) == "A1 si volta a 0°."
    assert teller.standing([1.25, 2.0, 44.4]) == "(1.25; 2) 44°"
    assert teller.way([[[1.25, 2.0]], 359.4]) == "(1.25; 2) 359°"


def test_a_place_is_told_to_a_tenth_of_an_inch() -> None:
    teller = Teller(load_ruleset("wzr"), "it", ["Uno"], ["Squadra"])
    line = told(teller, "fire", model=0, weapon="incendiary", x=22.07, y=32.0)
    assert line == "Uno mira al punto (22,1; 32): Incendiary."


def test_a_sentence_keeps_abbreviations_and_has_one_mark_at_its_end() -> None:
    wzr = load_ruleset("wzr")
    teller = Teller(wzr, "it", ["Uno", "Due"], ["Squadra"])
    die = {"side": 0, "count": 1, "sides": 20, "model": 0, "needed": None, "answer": [3]}
    assert told(teller, "roll", why="will", **die).startswith("Uno, WP al posto dell'Armatura")
    assert told(teller, "roll", why="armour", **die).startswith("Uno, test Armatura")
    assert told(teller, "action", model=0, action="fire") == "Uno: Fuoco!"
    assert told(teller, "action", model=0, action="aim") == "Uno: Mirare."


def test_a_card_is_told_with_what_it_does() -> None:
    teller = Teller(load_ruleset("wzr"), "it", ["Uno"], ["Squadra"])
    line = told(teller, "card-played", side=0, card="medical-supplies", unit=0)
    assert line == "✦ Rosso gioca Scorte mediche su Squadra – Squadra propria senza veicoli: Cura (2)."


def test_a_marker_is_told_by_its_number(teller: Teller, italian: Teller) -> None:
    told_of = {"token": "mine", "number": 2, "x": 1.0, "y": 2.5, "side": -1}
    assert "2" in told(teller, "token", **told_of).partition("(")[0]
    assert "2" in told(italian, "token", **told_of).partition("(")[0]


@pytest.mark.parametrize("folder", WORDS, ids=lambda folder: folder.parent.name)
def test_both_languages_have_the_same_keys_and_placeholders(folder: Path) -> None:
    english, italian = (json.loads((folder / f"{language}.json").read_text("utf-8")) for language in ("en", "it"))
    assert list(english) == list(italian)
    for key, message in english.items():
        assert set(PLACEHOLDER.findall(message)) == set(PLACEHOLDER.findall(italian[key])), key


def test_every_event_of_the_referee_has_words() -> None:
    known = json.loads((WORDS[0] / "en.json").read_text("utf-8"))
    written = {"move", "turn", "mark", "mark-unit", "pool", "remove", "take-off", "join", "effect", "effect-ends"}
    written |= {"token", "terrain", "result", "undo"}
    assert {f"event.{kind}" for kind in written} <= set(known)


def test_a_whole_battle_is_told_in_both_languages(game: Game) -> None:
    english, italian = transcript(game), transcript(game, "it")
    assert "A1 moves to (" in english
    assert "A1 muove in (" in italian
    assert "[setup/deploy]" in english
    assert "The battle is over" in english
    assert "La battaglia è finita" in italian
    assert len(english.splitlines()) == len(italian.splitlines()) == len(game.journal)


def test_a_side_reads_only_what_it_may_know(game: Game) -> None:
    game.position.write("bids", seen_by=(0,), bids=[1, 2])
    assert "The bids are 1, 2." in transcript(game, side=0)
    for others in (transcript(game, side=1), transcript(game, public=True)):
        assert "The bids are 1, 2." not in others


def test_a_roll_shows_need_modifiers_and_dice(teller: Teller, italian: Teller) -> None:
    need = {"base": 4, "parts": [{"rule": "fire/far", "value": -1}]}
    values = {"why": "to-hit", "side": 0, "model": 0, "answer": [3, 5], "count": 2, "sides": 6, "needed": need}
    (line,) = lines([Event("roll", values, ("turn/sequence", "fire/shoot"))], teller)
    assert line.as_text() == "A1, to hit: 5+ (4+; −1 Far away) → 3 5 ✓  [fire/shoot, fire/far]"
    assert told(italian, "roll", **values) == "A1, per colpire: 5+ (4+; −1 Lontano) → 3 5 ✓"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"answer": [4], "needed": {"base": 4}}, "Red, to hit: 4+ → 4 ✓"),
        ({"answer": [3], "needed": {"base": 4}}, "Red, to hit: 4+ → 3 ✗"),
        ({"answer": [3, 4], "needed": {"base": 7, "at_most": True}, "total": True}, "Red, to hit: ≤7 → 3 + 4 = 7 ✓"),
        ({"answer": [6, 4], "needed": {"base": 7, "at_most": True}, "total": True}, "Red, to hit: ≤7 → 6 + 4 = 10 ✗"),
        ({"answer": [2, 6]}, "Red, to hit: 2 6"),
        ({"answer": [14], "sides": 20}, "Red, to hit: D20 14"),
    ],
)
def test_dice_of_every_sort(teller: Teller, values: dict[str, Any], expected: str) -> None:
    assert told(teller, "roll", **{"why": "to-hit", "side": 0, "sides": 6, "needed": None, **values}) == expected


@pytest.mark.parametrize(("language", "card"), [("en", "Quarter"), ("it", "Quarto")])
def test_what_is_drawn_is_told_in_words(language: str, card: str) -> None:
    teller = Teller(load_ruleset("w10"), language)
    assert told(teller, "draw", why="card", side=1, answer=["quarter"]).endswith(f": {card}")
    assert told(teller, "draw", why="card", side=1, answer=None).endswith(f": {teller.words.say('chance.hidden')}")


def test_directions_and_draws(teller: Teller) -> None:
    assert told(teller, "direction", why="drift", side=1, answer=90.0) == "Blue, drift: 90°"
    assert told(teller, "direction", why="drift", side=1, answer=329.55) == "Blue, drift: 330°"
    assert told(teller, "draw", why="card", side=1, answer=["ace", "king"]) == "Blue, card: Ace, King"
    assert told(teller, "draw", why="card", side=1, answer=None) == "Blue, card: drawn face down"


def test_markers_come_go_and_count(teller: Teller) -> None:
    assert told(teller, "mark", model=0, marker="acted", before=0, now=1) == "A1: has acted."
    assert told(teller, "mark", model=0, marker="acted", before=1, now=0) == "A1: no longer has acted."
    assert told(teller, "mark", model=0, marker="wounds", before=1, now=3) == "A1: Wounds 1 → 3."
    assert told(teller, "mark-unit", unit=1, marker="wounds", before=0, now=2) == "raiders: Wounds 0 → 2."


def test_pools_losses_and_results(teller: Teller, italian: Teller) -> None:
    assert told(teller, "pool", side=0, pool="points", now=3, change=2) == "Red gains 2 points (now 3)."
    assert told(teller, "pool", side=0, pool="points", now=1, change=-2) == "Red: points −2 (now 1)."
    assert told(teller, "remove", model=0, cause="shot", by=2) == "A1 is lost to B1: shot."
    assert told(teller, "remove", model=0, cause="fled", by=-1) == "A1 is lost: Fled."
    assert told(italian, "result", winner=0, counts={}) == "La battaglia è finita: vince Ada."
    assert told(italian, "result", winner=None, counts={}) == "La battaglia è finita: pareggio."


def test_a_number_for_each_side_is_told_with_whose_it_is(teller: Teller, italian: Teller) -> None:
    score = [2.5, 3.0]
    assert told(teller, "score", score=score) == "Score: Score (2.5; 3)."
    teller.of_both = italian.of_both = frozenset({"score"})
    assert told(teller, "score", score=score, totals=[1, 2]) == "Score: Score Red 2.5, Blue 3, Totals 1, 2."
    assert italian.value("score", [4, 6]) == "Ada 4, Blu 6"


def test_a_list_of_nothing_is_told_as_none(teller: Teller, italian: Teller) -> None:
    assert (teller.value("reserves", []), italian.value("reserves", [])) == ("none", "nessuno")


def test_an_event_makes_a_heading_where_its_words_say_so(raid: Ruleset) -> None:
    teller = Teller(raid)
    teller.words.messages["heading.new-turn"] = "Turn {turn}"
    teller.words.messages["subheading.new-phase"] = "{phase}"
    try:
        first, second = lines([Event("new-turn", {"turn": 2}), Event("new-phase", {"phase": "bid"})], teller)
    finally:
        del teller.words.messages["heading.new-turn"], teller.words.messages["subheading.new-phase"]
    assert (first.as_text(), second.as_text()) == ("\n# Turn 2", "\n## Bids")


def test_what_has_no_words_is_told_as_it_stands(teller: Teller) -> None:
    assert (
        told(teller, "sky-falls", model=2, where=[1.5, 2.0], big=True)
        == "Sky falls: model B1, Where (1.5; 2), Big yes."
    )
    assert told(teller, "sky-falls") == "Sky falls."
    assert readable("fire/mod-half_range") == "Mod half range"


def test_questions_and_options(teller: Teller, italian: Teller) -> None:
    act = Choose(0, "act", ("move", "shoot"), about={"model": 1})
    assert teller.question(act) == "Red: what does A2 do?"
    assert italian.question(act) == "Ada: che cosa fa A2?"
    assert [teller.option(act, key) for key in act.options()] == ["move", "shoot"]
    assert teller.option(Choose(0, "who-acts", (2,), "model"), 2) == "B1"
    assert teller.option(Choose(0, "which", (1,), "unit"), 1) == "raiders"
    assert teller.option(Choose(0, "which", ((1, "shoot"),), "model"), (1, "shoot")) == "A2 · Shoot"
    assert teller.option(Choose(0, "sure", ("yes", "no")), "no") == "no"
    assert italian.option(Choose(0, "sure", ("yes", "no")), "yes") == "sì"
    assert teller.question(Number(0, "how-many", 1, 2, {"model": 3})) == "How many (B2)"


def test_questions_to_chance(teller: Teller) -> None:
    need = Need(4, (Part("fire/far", -1),))
    assert teller.question(Roll(0, "to-hit", 2, 6, need)) == "to hit: 2D6, 5+ (4+; −1 Far away)"
    assert teller.question(Direction(0, "drift", 18)) == "Drift: a direction in degrees, in steps of 18"
    assert teller.question(Draw(0, "card", ["a", "b"], 1)) == "Card: draw 1 of 2"


def test_answers_of_every_kind(raid: Ruleset, teller: Teller) -> None:
    asked: dict[str, tuple[Question, Any]] = {}

    def keep(game: Game) -> None:
        for question in game.pending.values():
            asked[question.kind] = (question, question.suggestions()[0])

    battle(raid, Setup("raid"), {0: RandomPlayer(5), 1: RandomPlayer(6)}, "5", each=keep)
    said = {kind: teller.answer(*pair) for kind, pair in asked.items()}
    assert said["place"] == "B1 (5; 17) 180°; B2 (15; 17) 180°"
    assert said["form"].startswith("Bid: 0; Order: ")
    assert said["move"].startswith("(")
    assert said["along"] == "passes"
    assert said["aim"] == "(1; 1)"
    assert said["allot"].startswith("Wound → ")
    assert teller.answer(Order(0, "order", [1, 0]), [1, 0]) == "A2, A1"
    assert in_a_row(["S 4, AP 5", "S 4, AP 5", "S 8"]) == "S 4, AP 5 ×2; S 8"


def test_a_refusal_says_rule_numbers_unit_and_place(teller: Teller, italian: Teller) -> None:
    refusal = Refusal("move/allowance", (3.0, 4.5), 6.4, 6.0, 0)
    assert teller.refusal(refusal) == "How far a model moves (6.4 of 6 inches, A1, at (3; 4.5)) [move/allowance]"
    assert italian.refusal(refusal) == "Quanto si muove (6,4 di 6 pollici, A1, in (3; 4,5)) [move/allowance]"
    assert teller.refusal(Refusal("", word="answer.not-offered")) == "This is not one of the options."
    assert (
        teller.refusal(Refusal("move/allowance", measured=3.0)) == "How far a model moves (3 inches) [move/allowance]"
    )
    limited = Refusal("move/allowance", limit=6.5)
    assert teller.refusal(limited) == "How far a model moves (limit 6.5 inches) [move/allowance]"
    assert italian.refusal(limited) == "Quanto si muove (limite 6,5 pollici) [move/allowance]"
    one, more = Refusal("move/allowance", limit=1.0), Refusal("move/allowance", measured=1.0, limit=1.01)
    assert teller.refusal(one) == "How far a model moves (limit 1 inch) [move/allowance]"
    assert italian.refusal(one) == "Quanto si muove (limite 1 pollice) [move/allowance]"
    assert teller.refusal(more) == "How far a model moves (1 of 1.01 inches) [move/allowance]"
    assert italian.refusal(more) == "Quanto si muove (1 di 1,01 pollici) [move/allowance]"
    assert teller.refusal(Refusal("not/known")) == "not/known [not/known]"


def test_numbers_that_the_sentence_tells_are_no_lengths(teller: Teller, italian: Teller) -> None:
    """And are told once; a sentence that wants numbers is not told without them."""
    beyond = Refusal("", measured=9, limit=3, word="answer.beyond")
    assert teller.refusal(beyond) == "Too much: 9, the limit is 3."
    assert italian.refusal(beyond) == "Troppo: 9, il limite è 3."
    bare = Refusal("move/allowance", measured=9, word="answer.beyond")
    assert teller.refusal(bare) == "How far a model moves (9 inches) [move/allowance]"


def test_modifiers_of_every_kind() -> None:
    kinds = [("add", -1), ("add", 2), ("set", 4), ("divide", 2), ("multiply", 3), ("cap", 1)]
    assert [changing(kind, value) for kind, value in kinds] == ["−1", "+2", "=4", "÷2", "×3", "max ±1"]


def test_sides_without_a_name_have_a_colour(teller: Teller, italian: Teller) -> None:
    assert (teller.side(0), teller.side(1), teller.side(None)) == ("Red", "Blue", "nobody")
    assert (italian.side(0), italian.side(1)) == ("Ada", "Blu")
    assert teller.side(4) == "5"
