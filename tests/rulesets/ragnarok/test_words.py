"""What players read of this book: in both languages, for everything that is asked and told, with nothing left open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from campale.conformance.playing import an_answer, answered, someone_asked
from campale.dice.needs import Need
from campale.players import GreedyPlayer
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.question import Choose, Order, Question
from campale.referee.refusal import Refusal
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import DICE, lines, transcript, with_facings
from campale.referee.telling.words import LANGUAGES, PLACEHOLDER, Words, words
from campale.rulesets.ragnarok.armies.arsenal import army_list, equipment, weapons
from campale.rulesets.ragnarok.battle.scenery import SCENERY
from campale.simulate import battle

EVERYTHING: dict[str, Any] = {
    "weight": True,
    "ammunition": True,
    "jams": True,
    "reserves": True,
    "extra_time": True,
    "night": True,
}
MOST = 250
BATTLES = [(number, options) for number in range(10) for options in ({}, EVERYTHING)]


@pytest.fixture(name="book", scope="module")
def the_book() -> Ruleset:
    return load_ruleset("ragnarok")


def begun(book: Ruleset, number: int, options: dict[str, Any]) -> Game:
    """One of the ready battles; every other one with the players laying the scenery."""
    setup = book.starters()[number] if book.starters is not None else None
    assert setup is not None
    return Game(book, _with(setup, options, number), f"words {number} {len(options)}", marks="none")


def _with(setup: Any, options: dict[str, Any], number: int) -> Any:
    """The battle with options; those of the heavier forces that the weight forbids are fought without it."""
    agreed = {**setup.agreed, "scenery": "players"} if number % 2 else setup.agreed
    return msgspec.structs.replace(setup, options={**options, "weight": False} if options else {}, agreed=agreed)


def played(game: Game) -> Iterator[Question]:
    """The questions of a battle at random, each looked at before it is answered."""
    rng = Random(str(game.setup.agreed))
    for _ in range(MOST):
        if game.is_over:
            return
        question = someone_asked(game, rng)
        yield question
        answered(game, question, an_answer(question, rng))


class Strict(Words):
    """Words that may leave nothing open."""

    __slots__ = ()

    def say(self, key: str, **values: Any) -> str:
        assert key in self.messages, f"no words for {key}"
        left = set(PLACEHOLDER.findall(self.messages[key])) - set(values)
        assert not left, f"{key} leaves {left} open"
        return super().say(key, **values)


def strict(game: Game, language: str) -> Teller:
    teller = Teller.of(game, language)
    teller.words = Strict(language, teller.words.messages)
    return teller


def messages(book: Ruleset, language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((book.folder / "words" / f"{language}.json").read_text("utf-8"))
    return found


def test_the_same_keys_with_the_same_values(book: Ruleset) -> None:
    english, italian = (messages(book, language) for language in LANGUAGES)
    assert list(english) == list(italian)
    for key, message in english.items():
        assert set(PLACEHOLDER.findall(italian[key])) == set(PLACEHOLDER.findall(message)), key


@pytest.mark.parametrize(("number", "options"), BATTLES)
def test_nothing_is_asked_or_told_without_words(book: Ruleset, number: int, options: dict[str, Any]) -> None:
    game = begun(book, number, options)
    lacking: set[str] = set()
    tellers = [strict(game, language) for language in LANGUAGES]
    for question in played(game):
        for teller in tellers:
            lacking |= set(unasked(teller, question))
    for language in LANGUAGES:
        teller = strict(game, language)
        lacking |= {key for event in game.journal for key in untold(teller, event)}
        assert all(line.text for line in lines(game.journal, teller))
    assert lacking == set()


def unasked(teller: Teller, question: Question) -> Iterator[str]:
    """What there are no words for in a question: its prompt, those of its fields, its options."""
    known = teller.words
    if question.is_chance:
        if not known.has(f"roll.{question.prompt}") and not known.has(question.prompt):
            yield f"roll.{question.prompt}"
        return
    if not known.has(f"ask.{question.prompt}"):
        yield f"ask.{question.prompt}"
    assert teller.question(question)
    for option in getattr(question, "candidates", ()):
        told = teller.option(question, option)
        if isinstance(option, str) and not is_worded(teller, question, option):
            yield f"{question.prompt}.{option} ({told})"
    if question.kind == "form":
        first = question.field(())  # type: ignore[attr-defined]
        yield from unasked(teller, first) if first is not None else ()


def is_worded(teller: Teller, question: Question, option: str) -> bool:
    of = getattr(question, "of", "word")
    of = teller.words.messages.get(f"alias.{of}", of)
    keys = (f"{question.prompt}.{option}", f"option.{option}", f"{of}.{option}", option)
    return teller.key(*keys) is not None or of == "piece"


def untold(teller: Teller, event: Event) -> Iterator[str]:
    """What there are no words for in an event: its kind, and the words among its values."""
    known = teller.words
    if event.kind in DICE:
        if not any(known.has(key) for key in (f"roll.{event.values['why']}", str(event.values["why"]))):
            yield f"roll.{event.values['why']}"
        return
    if not any(known.has(f"{prefix}.{event.kind}") for prefix in ("event", "heading", "subheading")):
        yield f"event.{event.kind}"
    for field in ("marker", "pool", "cause", "action", "reaction", "ability", "phase", "mission", "edge"):
        value = event.values.get(field)
        if isinstance(value, str) and not known.has(f"{field}.{value}") and not known.has(value):
            yield f"{field}.{value}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_carried_or_laid_is_called_by_its_title(book: Ruleset, language: str) -> None:
    known = words(language, book.folder / "words")
    titles = [(key, one.title) for key, one in weapons().items()] + [
        (key, one.title) for key, one in equipment().items()
    ]
    profiles = [one for name in ("barrow_host", "crucible_league") for one in army_list(name).profiles.values()]
    for key, title in titles + [(one.id, one.title) for one in profiles]:
        assert known.say(key) == title[language]
    for kind, row in SCENERY.items():
        assert known.say(kind) == row.title[language].lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_on_a_card_has_words(book: Ruleset, language: str) -> None:
    known = words(language, book.folder / "words")
    game = begun(book, 0, {})
    for model in game.position.models:
        card = book.card(model) if book.card is not None else {}
        assert [field for field in card if not known.has(f"field.{field}")] == []
        for field in ("special_rules", "abilities"):
            assert [one for one in card[field] if not known.has(f"{field}.{one}")] == []
        assert [one for one in (*card["weapons"], *card["equipment"]) if not known.has(one)] == []
        for weapon in model.profile.weapons:
            assert [one.name for one in weapon.rules if not known.has(f"weapon-rule.{one.name}")] == []


def test_a_battle_is_told_by_names_in_either_language(book: Ruleset) -> None:
    setups = book.starters() if book.starters is not None else ()
    game = battle(book, setups[0], {0: GreedyPlayer(1), 1: GreedyPlayer(2)}, "3")
    english, italian = (transcript(game, language) for language in LANGUAGES)
    assert "Armoured Draugr 1" in english
    assert "Draugr corazzato 1" in italian
    assert "Draugr 1 answers" not in italian
    assert "Details" not in english
    assert "{" not in english + italian
    assert len(english.splitlines()) == len(italian.splitlines())


def test_an_option_that_is_a_number_is_told_by_what_it_stands_for(book: Ruleset) -> None:
    teller = Teller.of(begun(book, 0, {}), "it")
    rifleman = next(row for row, name in enumerate(teller.names) if name.startswith("Fuciliere"))
    assert teller.option(Choose(0, "weapon", (0,), "weapon", about={"model": rifleman}), 0) == "Moschetto a vapore"
    assert teller.option(Choose(0, "parry", (0,), "die"), 0) == "dado 1"
    assert teller.option(Choose(0, "base", ("wood-3",), "piece"), "wood-3") == "Bosco 3"
    assert teller.option(Choose(0, "fall-back-to", ([1.5, 2.0],), "place"), [1.5, 2.0]) == "(1,5; 2)"


@pytest.mark.covers("exploration/points")
@pytest.mark.parametrize(
    ("about", "key", "english", "italian"),
    [
        ({"faces": (3, 5)}, (1, -2), "2 points: die 2 from 5 to 3", "2 punti: il dado 2 da 5 a 3"),
        ({"total": 7}, (0, 1), "1 point: from 7 to 8", "1 punto: da 7 a 8"),
        ({"total": 2}, (0, -2), "2 points: from 2 to 0", "2 punti: da 2 a 0"),
        ({"own": 3, "against": 4}, (0, 2), "2 points: from 3 to 5, against 4", "2 punti: da 3 a 5, contro 4"),
    ],
)
def test_an_exploration_point_tells_the_die_it_goes_on_and_what_comes_of_it(
    book: Ruleset, about: dict[str, Any], key: tuple[int, int], english: str, italian: str
) -> None:
    question = Choose(0, "exploration-points", ("no", key), "bend", about=about)
    told = [Teller.of(begun(book, 0, {}), language).option(question, key) for language in LANGUAGES]
    assert told == [english, italian]
    assert Teller.of(begun(book, 0, {}), "en").option(question, "no") == "spend none"


def test_a_refusal_is_a_sentence_with_numbers_and_rule(book: Ruleset) -> None:
    teller = Teller.of(begun(book, 0, {}), "en")
    told = teller.refusal(Refusal("move/allowance", None, 6.4, 6.0))
    assert told == "The model cannot move that far. (6.4 of 6 cm) [move/allowance]"


def test_a_need_is_told_with_its_reasons(book: Ruleset) -> None:
    teller = Teller.of(begun(book, 0, {}), "it")
    need = Need(4).with_part("fire/mod-half-range", -1)
    assert teller.need(need) == "5+ (4+; −1 Oltre metà gittata)"


def test_words_name_only_rules_that_there_are(book: Ruleset) -> None:
    named = [key.removeprefix("refusal.") for key in messages(book, "en") if key.startswith("refusal.")]
    assert [one for one in named if "/" in one and one not in book.ledger.entries] == []
    assert Path(book.folder / "words").is_dir()


def told(book: Ruleset, *events: Event) -> list[str]:
    teller = Teller.of(begun(book, 0, {}), "en")
    return [line.text for line in with_facings(lines(events, teller), events, teller)]


@pytest.mark.parametrize(
    ("language", "asked"),
    [("en", "in which order do the models strike?"), ("it", "in che ordine colpiscono i modelli?")],
)
def test_the_order_of_the_blows_is_asked_of_both_sides_models(book: Ruleset, language: str, asked: str) -> None:
    """The active player orders the enemies too: none of them is called its own."""
    teller = Teller(book, language, players=("Ada", "Bruno"))
    assert teller.question(Order(0, "strike-order", [0, 9])) == f"Ada: {asked}"


def test_a_move_and_the_turn_after_it_are_one_line(book: Ruleset) -> None:
    moved = Event("move", {"model": 0, "x": 3.5, "y": 4.0, "facing": 0.0})
    turned, other = (Event("turn", {"model": row, "facing": 90.0}) for row in (0, 1))
    assert told(book, moved, turned) == ["Crucible Captain moves to (3.5; 4), facing 90°."]
    assert told(book, moved, other)[1] == "Mesmerist turns to 90°."


def test_a_declaration_tells_its_parts(book: Ruleset) -> None:
    fire = {"model": 4, "action": "fire", "details": [0, 9]}
    assert told(book, Event("action", fire)) == ["▶ Steam Rifleman 1 declares fire at Barrow Jarl: Steam musket."]
    steam = Event("action", {**fire, "details": [0, 9, "steam"]})
    assert told(book, steam)[0].endswith("declares fire at Barrow Jarl: Steam musket, full steam, dice doubled.")
    throw = Event("action", {"model": 13, "action": "fire", "details": [1]})
    assert told(book, throw) == ["▶ Raider 1 declares a throw: Throwing axe."]


def test_dice_that_are_added_show_their_sum(book: Ruleset) -> None:
    values = {"why": "charge-distance", "side": 0, "model": 0, "sides": 6, "needed": None, "answer": [4, 3]}
    assert told(book, Event("roll", values)) == ["Crucible Captain, charge distance (cm): 4 + 3 = 7"]


def test_bookkeeping_is_not_told(book: Ruleset) -> None:
    assert told(book, Event("pays", {"model": 0, "price": 1, "left": 2})) == []
    assert told(book, Event("draw", {"why": "scenery-place", "side": None, "answer": [[1.0, 2.0, 0.0]]})) == []


def test_a_move_tells_its_length_and_the_nearest_enemy(book: Ruleset) -> None:
    moved = {"model": 0, "x": 3.5, "y": 4.0, "facing": 0.0, "far": 4.2}
    assert told(book, Event("move", moved)) == ["Crucible Captain moves 4.2 cm."]
    near = moved | {"near": 9, "gap": 7.0}
    assert told(book, Event("move", near)) == ["Crucible Captain moves 4.2 cm, now 7 cm from Barrow Jarl."]
    touching = moved | {"near": 9, "gap": 0.0}
    assert told(book, Event("move", touching)) == ["Crucible Captain moves 4.2 cm, now in contact with Barrow Jarl."]


def test_points_spent_are_told_with_the_minus_sign(book: Ruleset) -> None:
    spent = Event("pool", {"pool": "points", "side": 0, "change": -1, "now": 3})
    assert "−1" in told(book, spent)[0]
