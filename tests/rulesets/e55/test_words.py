"""What the sources ask, roll, tell and refuse has words, in both languages; options are told by their parts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from random import Random

import pytest

from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Refusal
from campale.referee.rule import BY_CODE
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import told, transcript
from campale.referee.telling.words import LANGUAGES, PLACEHOLDER, Words, words
from campale.referee.view import seen_position
from campale.rulesets.e55.armies.arsenal import arsenal
from campale.rulesets.e55.armies.profile import Line
from campale.rulesets.e55.battle.missions import MISSIONS
from campale.rulesets.e55.battle.scenery import PRESETS
from campale.rulesets.e55.book import BOOK
from campale.rulesets.e55.vehicles.damage import RESULT_WORDS
from campale.rulesets.e55.view import telling
from tests.rulesets.e55.kit import profile

RULESET = load_ruleset("e55")
ASKED = {
    **dict.fromkeys(
        ("choose", "Choose", "fill_in", "Form", "confirm", "order", "Order", "number", "Allot", "allot"), 1
    ),
    **dict.fromkeys(("MoveUnit", "Place", "Aim", "move_unit", "leg_question", "rush_question", "thrown_out"), 1),
    **dict.fromkeys(("place_question", "put_down"), 1),
}
ROLLED = {
    **dict.fromkeys(("roll", "reroll", "pool", "one_die", "sum_of", "d3", "random_direction", "draw", "averted"), 1),
    **dict.fromkeys(("leadership_test", "morale_test", "plain_test", "dangerous_test"), 1),
}
TOLD = {"write": 0, "reveal": 0}
SOURCES = [path for path in sorted(RULESET.folder.rglob("*.py")) if path.parent.name != "queries"]
"""The book's modules; the fields of queries about odds have words of their own."""

UNTOLD = {"at-phase-start", "apart"}
"""Marks that are bookkeeping and no player asks about."""


def keys(where: dict[str, int]) -> set[str]:
    """The plain words that the sources pass to some functions, at their places."""
    found: set[str] = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                place = where.get(name, len(node.args))
                if place < len(node.args) and isinstance(given := node.args[place], ast.Constant):
                    found.add(str(given.value))
    return found


def faults() -> set[str]:
    """The words of refusals."""
    found: set[str] = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fault":
                found |= {
                    str(k.value.value) for k in node.keywords if k.arg == "word" and isinstance(k.value, ast.Constant)
                }
    return found


def marks() -> set[str]:
    """The counts of units and models, by their names in the block where they stand together."""
    text = (RULESET.folder / "definitions" / "units.py").read_text(encoding="utf-8")
    block = text.partition("# Counts of units.")[2].partition("# Notes of")[0]
    return set(re.findall(r'"([a-z-]+)"', block))


@pytest.fixture(params=LANGUAGES)
def known(request: pytest.FixtureRequest) -> Words:
    return words(request.param, RULESET.folder / "words")


def unworded(known: Words, wanted: set[str], *prefixes: str) -> list[str]:
    return [key for key in sorted(wanted) if not any(known.has(f"{prefix}{key}") for prefix in prefixes)]


def test_what_is_asked_rolled_told_and_refused_has_words(known: Words) -> None:
    assert unworded(known, keys(ASKED) | {"movement", "shooting", "charges"}, "ask.") == []
    assert unworded(known, keys(ROLLED) | {"losses", "lost-combat", "overrun"}, "roll.") == []
    assert unworded(known, keys(TOLD), "event.", "heading.", "subheading.") == []
    assert unworded(known, faults(), "refusal.") == []


def test_what_is_named_has_words(known: Words) -> None:
    assert unworded(known, set(BOOK.phases), "phase.") == []
    assert unworded(known, set(BOOK.acts) | {"done", "scout", "to-ground"}, "act.") == []
    assert unworded(known, set(MISSIONS), "mission.") == []
    assert unworded(known, set(PRESETS), "piece.") == []
    assert unworded(known, set(RESULT_WORDS.values()), "effect.") == []
    assert unworded(known, marks() - UNTOLD, "marker.") == []


def test_every_rule_that_refuses_has_a_sentence_or_a_title(known: Words) -> None:
    cited = {marked.ids[0] for marked in BY_CODE.values()} & set(RULESET.ledger.entries)
    assert all(RULESET.ledger.entries[rule].title.get(known.language) for rule in cited)
    refused = {key.removeprefix("refusal.") for key in known.messages if key.startswith("refusal.") and "/" in key}
    own = {rule for rule in refused if rule.split("/")[0][0].isdigit()}
    assert own <= set(RULESET.ledger.entries)


def test_both_languages_fill_in_the_same_values() -> None:
    first, second = (words(language, RULESET.folder / "words").messages for language in LANGUAGES)
    for key, message in first.items():
        assert set(PLACEHOLDER.findall(second[key])) == set(PLACEHOLDER.findall(message)), key


# ---------------------------------------------------------------- options


def options(question: Question) -> Iterator[tuple[Question, object]]:
    """Every key of a choice, the forbidden ones too; of a form those of its fields as it is proposed."""
    if isinstance(question, Choose):
        yield from ((question, key) for key in question.candidates)
    if isinstance(question, Form):
        answers = question.suggestions()[0]
        for place in range(len(answers)):
            field = question.field(answers[:place])
            if field is not None:
                yield from options(field)


@pytest.fixture(scope="module")
def looked_at() -> tuple[Game, list[str], list[str]]:
    """A battle at random, with every option told in both languages."""
    game = Game(RULESET, RULESET.starters()[0], "words") if RULESET.starters is not None else None
    assert game is not None
    rng, told, asked = Random("words"), [], []
    for _ in range(250):
        if game.is_over:
            break
        question = game.pending[rng.choice(game.asked)]
        for language in LANGUAGES if not question.is_chance else ():
            teller = Teller.of(game, language)
            asked.append(teller.question(question))
            told += [teller.option(field, key) for field, key in options(question)]
        answer = rng.choice(question.suggestions()[:3] or [question.sample(rng)])
        assert game.answer(question.side, answer) is None
    return game, told, asked


@pytest.mark.parametrize(
    ("line", "english", "italian"),
    [
        (Line("ranged", 10.5, 4, ap=5), "10.5″ S4 AP5", "10,5″ F4 VP5"),
        (Line("ranged", 24.0, 4), "24″ S4 AP-", "24″ F4 VP-"),
        (Line("template", 0.0, 5, ap=4), "S5 AP4", "F5 VP4"),
    ],
)
def test_the_numbers_of_a_weapon_are_told_as_the_language_writes_them(line: Line, english: str, italian: str) -> None:
    assert telling.numbers(line) == {"en": english, "it": italian}


@pytest.mark.parametrize(
    ("name", "english", "italian"),
    [
        ("ruins-19", "Ruins 19", "rovine 19"),
        ("hide-structure-18", "hide tents 18", "tende di pelle 18"),
        ("old-mill-2", "Old mill 2", "Old mill 2"),
    ],
)
def test_a_piece_is_told_by_its_kind_and_number(name: str, english: str, italian: str) -> None:
    assert [Teller(RULESET, tongue).value("piece", name) for tongue in LANGUAGES] == [english, italian]


def test_options_are_told_without_keys_or_bare_numbers(looked_at: tuple[Game, list[str], list[str]]) -> None:
    _, told, asked = looked_at
    assert len(told) > 200
    assert [one for one in told if not one or one.isdecimal() or "·" in one or "_" in one] == []
    assert [one for one in asked if "  " in one or "{" in one] == []


def test_a_transcript_tells_units_and_no_keys(looked_at: tuple[Game, list[str], list[str]]) -> None:
    game, _, _ = looked_at
    for language in LANGUAGES:
        lines = transcript(game, language).splitlines()
        assert [line for line in lines if line.startswith((":", ",")) or "{" in line or "_" in line] == []
    english = transcript(game, "en").splitlines()
    assert len([line for line in english if "Keepers" in line and "placed about" in line]) <= 1


def test_parts_of_acts_and_shots() -> None:
    captain = RULESET.starters()[0] if RULESET.starters is not None else None
    assert captain is not None
    drive = Choose(0, "movement", [("drive", 3, 7, 2)], "act")
    found = telling.parts([], drive, ("drive", 3, 7, 2))
    assert found == {"word": "drive", "unit": 3, "model": 7, "speed": "cruising-speed"}
    reserve = Choose(0, "reserve", [], "reserve", about={"hosts": {"4": {"en": "Tender", "it": "Lancia"}}})
    assert telling.parts([], reserve, ("with", 4)) == {"word": "with", "host": {"en": "Tender", "it": "Lancia"}}
    assert telling.parts([], reserve, (3, "west")) == {"word": "turn", "turn": 3, "edge": "west"}
    save = Choose(0, "choose-save", ["armour", "cover"], about={"values": [3, 5]})
    assert telling.parts([], save, "cover") == {"word": "save", "save": "cover", "value": 5}
    wound = Choose(0, "order-of-wounds", [0], about={"wounds": ["5/-"], "by": [2]})
    assert telling.parts([], wound, 0) == {"word": "wound", "strength": "5", "ap": "-", "by": 2}
    assert telling.parts([], Choose(0, "face", [1], "unit"), 1) is None


def test_a_power_to_cast_is_offered_with_its_effect_and_its_cost() -> None:
    psyker = profile("veteran", powers=tuple(arsenal().powers[one] for one in ("beacon-ward", "swarming-terror")))
    cast = Choose(0, "movement", [("cast", 0, 0, 0), ("cast", 0, 0, 1)], "act")
    english, italian = (Teller(RULESET, language, ["Witch"], ["Witch"], (), [psyker]) for language in LANGUAGES)
    told = [english.option(cast, key) for key in cast.candidates]
    assert told[0] == "Witch: cast Beacon ward (4+ cover, 1 warp charge)"
    assert told[1] == "Witch: cast Swarming terror (a morale test, 2 warp charges)"
    assert italian.option(cast, ("cast", 0, 0, 0)) == "Witch: lancia Egida del faro (copertura 4+, 1 carica warp)"


def test_how_the_battle_stands_with_the_own_reserves_alone() -> None:
    """Red keeps its last unit back for turn 3: Red reads it, Blue does not."""
    starters = RULESET.starters
    assert starters is not None
    game = Game(RULESET, starters()[0], "standing")
    while not any(question.prompt == "reserves" for question in game.pending.values()):
        question = game.pending[game.asked[0]]
        assert game.answer(question.side, question.suggestions()[0]) is None
    for side in (0, 1):
        form = game.pending[side]
        deployed = form.suggestions()[0]
        kept = [*deployed[:-1], (3, "edge")] if side == 0 else deployed
        assert game.answer(side, kept) is None
    red, blue = (telling.standing(seen_position(game, side)) for side in (0, 1))
    assert [red[0][0], red[-1][0]] == ["score", "mission"]
    assert sum(kind == "objective-worth" for kind, _ in red) == game.position.now["objectives"]
    assert [values["turn"] for kind, values in red if kind == "reserve"] == [3]
    assert [kind for kind, _ in blue if kind == "reserve"] == []
    teller = Teller.of(game, "it")
    (told,) = [teller.filled(f"standing.{kind}", values) for kind, values in red if kind == "reserve"]
    assert told.startswith("Riserva di Rosso: ")
    assert told.endswith(", dal turno di gioco 3, dal proprio bordo del tavolo")


SAID = [
    (Refusal("7.9/weapons-by-speed"), "A velocità di crociera un veicolo non spara."),
    (Refusal("7.10/embark"), "Un modello è troppo lontano da un portellone per salire."),
    (Refusal("7.10/embark", word="done-already"), "Questa unità ha già mosso in questa fase."),
    (Refusal("7.10/disembark", None, 7.0, 6.0), "Questo punto è troppo lontano da un portellone. (7 di 6 pollici)"),
    (Refusal("7.10/disembark", word="no-room"), "Non c'è posto per sbarcare."),
]


@pytest.mark.parametrize(("refusal", "sentence"), SAID)
def test_a_refusal_gives_the_one_reason_that_holds(refusal: Refusal, sentence: str) -> None:
    assert Teller(RULESET, "it").refusal(refusal) == f"{sentence} [{refusal.rule}]"


@pytest.mark.parametrize(
    ("marker", "now", "english", "italian"),
    [
        ("aloft", 1, "Gale jumpers: flying.", "Gale jumpers: in volo."),
        ("aloft", 0, "Gale jumpers: on the ground.", "Gale jumpers: al suolo."),
        ("eliminated", 1, "✗✗ Gale jumpers: unit destroyed.", "✗✗ Gale jumpers: unità eliminata."),
    ],
)
def test_what_becomes_of_a_unit_fits_names_of_any_number_and_gender(
    marker: str, now: int, english: str, italian: str
) -> None:
    event = Event("mark", {"unit": 0, "marker": marker, "now": now, "before": 1 - now})
    said = [told(event, Teller(RULESET, tongue, ["Jumper"], ["Gale jumpers"]))[0] for tongue in LANGUAGES]
    assert said == [english, italian]


def test_dangerous_ground_is_told_alike_of_soldiers_and_of_vehicles() -> None:
    """A 6 wounds the ones and immobilises the others."""
    said = [Teller(RULESET, tongue).words.say("rolled.dangerous-terrain", who="Tender") for tongue in LANGUAGES]
    assert said == ["Tender, dangerous terrain (a 6 does harm)", "Tender, terreno pericoloso (un 6 è un danno)"]


def test_a_test_without_dice_is_told_by_its_outcome() -> None:
    starters = RULESET.starters
    assert starters is not None
    teller = Teller.of(Game(RULESET, starters()[0], "plain"), "en")
    passed, failed = ({"unit": -1, "why": "losses", "passed": value} for value in (True, False))
    assert told(Event("automatic-test", passed), teller)[0].endswith("morale test for losses, passed without rolling.")
    assert told(Event("automatic-test", failed), teller)[0].endswith("morale test for losses, failed without rolling.")
