"""Units told as one: names, moves, losses, rows of events, options by their parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from campale.dice.needs import Part
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.question import Allot, Choose, Form
from campale.referee.refusal import Plain
from campale.referee.ruleset import EXTRA_PACKAGES, Ruleset, Setup, load_ruleset
from campale.referee.telling import naming
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import lines
from campale.referee.telling.words import Words

WORDS = {
    "event.move.unit": "{unit} ({count}): {inches}, about ({x}; {y}).",
    "event.move.one": "{unit}: {inches}.",
    "event.move.charge.unit": "{unit} charges.",
    "event.remove.unit": "{unit} loses {count} ({kinds}).",
    "event.remove.unit.by": "{unit} loses {count} ({kinds}) to {by}.",
    "event.take-off.unit": "{unit} ({count}) go aboard.",
    "event.take-off.off.unit": "{unit} ({count}) leave.",
    "event.faces.all": "Facing: {all}.",
    "event.faces.each": "{unit} → {target}",
    "event.mark.down.on.all": "Down: {all}.",
    "event.mark.down.on.each": "{unit}",
    "event.mark.quiet": "",
    "event.arrivals": "They come: {units}.",
    "event.arrivals.no-units": "",
    "event.join.own": "{model} is alone.",
    "rolled.save": "{who}, save",
    "rolled.to-wound.by": "{by} wounds {target}",
    "act.drive": "{model} drives, {speed}",
    "ask.face": "{unit} faces",
    "ask.face.form": "All face",
}


class Kind(msgspec.Struct, frozen=True):
    id: str
    title: dict[str, str]


KEEPER, WARDEN = Kind("keeper", {"en": "Keeper", "it": "Custode"}), Kind("warden", {"en": "Warden", "it": "Anziano"})


@pytest.fixture(name="raid")
def the_toy_book() -> Iterator[Ruleset]:
    EXTRA_PACKAGES.append("tests.raid")
    yield load_ruleset("raid")
    EXTRA_PACKAGES.remove("tests.raid")


@pytest.fixture
def teller(raid: Ruleset) -> Teller:
    """Rows 0 to 2 are the Keepers, 3 is a captain alone."""
    names = ["Keeper 1", "Keeper 2", "Warden", "Captain"]
    found = Teller(raid, "en", names, ["Gull-eyes", "Captain"], (), [KEEPER, KEEPER, WARDEN, WARDEN], [0, 0, 0, 1])
    found.words = Words("en", {**found.words.messages, **WORDS})
    own = {"target", "by"}
    found.fields = {**found.fields, "model": found.fields["model"] - own, "unit": found.fields["unit"] | own}
    return found


def told(teller: Teller, *events: tuple[str, dict[str, Plain]]) -> list[str]:
    return [line.text for line in lines([Event(kind, values) for kind, values in events], teller)]


def move(row: int, x: float, y: float, **how: Any) -> tuple[str, dict[str, Plain]]:
    return "move", {"model": row, "x": x, "y": y, "facing": 0.0, "path": [[x, y - 3, 0], [x, y, 0]], **how}


def test_the_models_of_a_unit_move_in_one_line(teller: Teller) -> None:
    assert told(teller, move(0, 2, 5), move(1, 4, 5), move(3, 9, 9)) == [
        "Gull-eyes (2): 3, about (3; 5).",
        "Captain: 3.",
    ]
    quiet: tuple[str, dict[str, Plain]] = ("mark-unit", {"unit": 0, "marker": "quiet", "now": 1, "before": 0})
    assert told(teller, move(0, 2, 5), quiet, move(1, 4, 5)) == ["Gull-eyes (2): 3, about (3; 5)."]
    of_another = "mark-unit", {**quiet[1], "unit": 1}
    assert len(told(teller, move(0, 2, 5), of_another, move(1, 4, 5))) == 2
    assert told(teller, move(0, 2, 5, how="charge"), move(1, 4, 5, how="charge")) == ["Gull-eyes charges."]
    assert len(told(teller, move(0, 2, 5), move(1, 4, 5, how="charge"))) == 2


def test_the_ways_of_one_model_are_added_up(teller: Teller) -> None:
    assert told(teller, move(3, 2, 5), move(3, 2, 8)) == ["Captain: 6."]


def test_losses_of_one_cause_are_counted_by_kind(teller: Teller) -> None:
    by: dict[str, Plain] = {"cause": "fire", "by": 1}
    lost = [("remove", {"model": row, **by}) for row in (0, 1, 2)]
    assert told(teller, *lost) == ["Gull-eyes loses 3 (Keeper ×2, Warden) to Captain."]
    assert told(teller, *[("remove", {"model": row, "cause": "bog", "by": -1}) for row in (0, 1)]) == [
        "Gull-eyes loses 2 (Keeper ×2)."
    ]


def test_losses_by_several_models_of_a_unit_are_told_together(teller: Teller) -> None:
    teller.fields = {**teller.fields, "model": teller.fields["model"] | {"by"}, "unit": teller.fields["unit"] - {"by"}}
    by_two = [("remove", {"model": row, "cause": "fire", "by": by}) for row, by in ((0, 1), (1, 2))]
    assert told(teller, *by_two) == ["Gull-eyes loses 2 (Keeper ×2) to Gull-eyes."]
    by_others = [("remove", {"model": row, "cause": "fire", "by": by}) for row, by in ((0, 1), (1, 3))]
    assert len(told(teller, *by_others)) == 2


@pytest.mark.parametrize(("carrier", "said"), [(-1, "Gull-eyes (2) leave."), (3, "Gull-eyes (2) go aboard.")])
def test_who_is_taken_off_leaves_or_goes_aboard(teller: Teller, carrier: int, said: str) -> None:
    gone = [("take-off", {"model": row, "where": 1, "aboard_of": carrier}) for row in (0, 1)]
    assert told(teller, *gone) == [said]


def test_the_last_count_of_a_model_that_goes_is_not_told(teller: Teller) -> None:
    hurt: dict[str, Plain] = {"model": 3, "marker": "wounds", "now": 2, "before": 1}
    gone: dict[str, Plain] = {"model": 3, "cause": "bog", "by": -1}
    assert len(told(teller, ("mark", hurt), ("remove", gone))) == 1
    assert len(told(teller, ("mark", {**hurt, "model": 0}), ("remove", gone))) == 2


def test_of_several_models_hurt_and_removed_in_a_row_only_the_removals_are_told(teller: Teller) -> None:
    hurt = [("mark", {"model": row, "marker": "wounds", "now": 1, "before": 0}) for row in (0, 1, 3)]
    gone = [("remove", {"model": row, "cause": "bog", "by": -1}) for row in (0, 1)]
    assert len(told(teller, *hurt, *gone)) == 2


def test_a_count_that_grows_in_a_row_is_told_once(teller: Teller) -> None:
    wounds = [("mark", {"model": 3, "marker": "wounds", "before": n, "now": n + 1}) for n in range(3)]
    (line,) = told(teller, *wounds)
    assert "3" in line
    healed: tuple[str, dict[str, Plain]] = ("mark", {"model": 3, "marker": "wounds", "before": 3, "now": 1})
    assert len(told(teller, *wounds, healed)) == 2


def test_rows_of_events_are_told_in_one_line(teller: Teller) -> None:
    faces = [("faces", {"unit": 0, "target": 1}), ("faces", {"unit": 1, "target": 0})]
    assert told(teller, *faces) == ["Facing: Gull-eyes → Captain; Captain → Gull-eyes."]
    down = [("mark-unit", {"unit": row, "marker": "down", "now": 1, "before": 0}) for row in (0, 1)]
    assert told(teller, *down) == ["Down: Gull-eyes; Captain."]


def test_dice_for_the_same_thing_are_told_together(teller: Teller) -> None:
    def die(face: int, row: int = 0) -> tuple[str, dict[str, Plain]]:
        return "roll", {"why": "save", "side": 0, "models": [row], "answer": [face], "count": 1, "sides": 6}

    assert told(teller, die(3), die(5), die(2, 3)) == ["Keeper 1, save: 3 5", "Captain, save: 2"]


@pytest.mark.parametrize(("listed", "lines_told"), [("", 3), ("save", 2), ("to-hit", 3)])
def test_a_book_of_models_lists_the_dice_that_are_told_together(teller: Teller, listed: str, lines_told: int) -> None:
    without = {key: text for key, text in teller.words.messages.items() if key != "event.remove.unit"}
    teller.words = Words("en", {**without, "rolled-together": listed})
    dice = [(row, face) for row, face in ((0, 3), (0, 5), (3, 2))]
    rolls: list[tuple[str, dict[str, Plain]]] = [
        ("roll", {"why": "save", "side": 0, "models": [row], "answer": [face], "count": 1, "sides": 6})
        for row, face in dice
    ]
    assert len(told(teller, *rolls)) == lines_told


def test_dice_of_several_models_are_those_of_their_unit(teller: Teller) -> None:
    values: dict[str, Plain] = {"why": "save", "side": 0, "models": [0, 1, 0], "answer": [3, 4, 5], "sides": 6}
    assert told(teller, ("roll", values)) == ["Gull-eyes, save: 3 4 5"]
    wound: dict[str, Plain] = {"why": "to-wound", "side": 0, "target": 1, "by": 0, "answer": [3], "sides": 6}
    assert told(teller, ("roll", wound)) == ["Gull-eyes wounds Captain: 3"]


def test_empty_lists_and_units_of_one_may_have_words_of_their_own(teller: Teller) -> None:
    assert told(teller, ("arrivals", {"units": []}), ("arrivals", {"units": [0]})) == ["They come: Gull-eyes."]
    joins: list[tuple[str, dict[str, Plain]]] = [("join", {"model": 3, "unit": 1}), ("join", {"model": 3, "unit": 0})]
    assert told(teller, *joins) == ["Captain is alone.", "Captain joins Gull-eyes."]


def test_options_are_told_by_the_parts_that_the_ruleset_names(teller: Teller) -> None:
    def parts(profiles: Any, question: Any, key: Any) -> dict[str, Plain] | None:
        return {"model": key[1], "speed": {"en": "fast", "it": "veloce"}} if key[0] == "drive" else None

    teller.ruleset = teller.ruleset.replacing(parts=parts)
    question = Choose(0, "movement", [("drive", 3), ("stay", 3)], "act")
    assert teller.option(question, ("drive", 3)) == "Captain drives, fast"
    assert teller.option(question, ("stay", 3)) == "Stay · 3"


def test_a_form_may_ask_otherwise_than_its_fields(teller: Teller) -> None:
    field = Choose(0, "face", [0, 1], "unit", about={"unit": 0})
    assert teller.question(field) == "Gull-eyes faces"
    assert teller.question(Form(0, "face", lambda filled: None)) == "All face"


def test_a_field_that_asks_has_no_second_mark_behind_it(teller: Teller) -> None:
    teller.words = Words("en", {**teller.words.messages, "ask.shoot": "At B: fire?", "ask.face": "Where to"})
    fields = [Choose(0, "shoot", ["hold"]), Choose(0, "face", ["north"])]
    form = Form(0, "all", lambda filled: fields[len(filled)] if len(filled) < 2 else None)
    assert teller.answer(form, ["hold", "north"]) == "At B: fire? Hold; Where to: North"


@pytest.mark.parametrize(("language", "told"), [("en", "×0.5"), ("it", "×0,5")])
def test_what_a_modifier_does_has_the_comma_of_the_language(teller: Teller, language: str, told: str) -> None:
    teller.words = Words(language, teller.words.messages)
    assert teller.change(Part("halved", 0.5, "multiply")) == told


def test_things_allotted_are_told_as_they_are_written(teller: Teller) -> None:
    allot = Allot(0, "allot", ["4/-", "wound"], [0, 3], lambda given: None, lambda rng: [0, 3])
    assert teller.answer(allot, [0, 3]) == "4/- → Keeper 1; Wound → Captain"


def test_units_and_models_of_one_name_are_numbered(raid: Ruleset) -> None:
    position = Game(raid, Setup("raid")).position.copy()
    first = position.add_unit("Wolves", 0)
    second = position.add_unit("Wolves", 1)
    second.jot("name_it", "Lupi")
    lone = [position.add_unit("Jarl", side) for side in (0, 1)]
    for unit in (first, first, second, *lone):
        name = "Wolf" if unit in (first, second) else "Jarl"
        position.add_model(name, position.profiles[0], unit.side, unit)
    units = naming.unit_names(position, "en")
    assert units[-4:] == ["Wolves 1", "Wolves 2", "Jarl 1", "Jarl 2"]
    assert naming.unit_names(position, "it")[-4:] == ["Wolves", "Lupi", "Jarl 1", "Jarl 2"]
    names = naming.model_names(position, "en", units)
    assert names[-5:] == ["Wolf 1 (Wolves 1)", "Wolf 2 (Wolves 1)", "Wolf 2", "Jarl 1", "Jarl 2"]


def test_a_unit_of_models_bought_with_another_does_not_number_the_other(raid: Ruleset) -> None:
    position = Game(raid, Setup("raid")).position.copy()
    home = position.add_unit("Wolves", 0)
    position.add_model("Wolf", position.profiles[0], 0, home)
    position.add_unit("Wolves", 0)
    assert naming.unit_names(position, "en")[-2:] == ["Wolves", "Wolves"]
    position.add_model("Wolf", position.profiles[0], 0, position.add_unit("Wolves", 1))
    assert naming.unit_names(position, "en")[-3:] == ["Wolves 1", "Wolves", "Wolves 2"]


def test_what_models_carry_is_told_by_its_own_title() -> None:
    class Carrier(msgspec.Struct, frozen=True):
        id: str
        title: dict[str, str]
        weapons: tuple[Kind, ...]

    carrier = Carrier("tank", {"en": "Tank"}, (KEEPER,))
    assert naming.titles([carrier, carrier], "it") == {"tank": "Tank", "keeper": "Custode"}
