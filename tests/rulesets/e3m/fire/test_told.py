"""What the journal says about hits that no die is rolled for, markers, and those in an area."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.journal import Event
from campale.referee.position import Position
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import actor, lines
from campale.rulesets.e3m.fire.kinds import PREPARATORY
from campale.rulesets.e3m.fire.volley import fire
from tests.rulesets.e3m.kit import play, squad, table, unit

covers = pytest.mark.covers
BOOK = load_ruleset("e3m")


def no_saves(position: Position) -> list[dict[str, Any]]:
    assert position.journal is not None
    return [event.values for event in position.journal.events if event.kind == "no-save"]


def fired(dice: str, save: int | None) -> list[dict[str, Any]]:
    """Two rifles of AP 5 at a unit of two."""
    position = table(squad("line-warden", 2), squad("shock-trooper", 2, side=1, at=(36, 28), save=save))
    play(fire(unit(position, 0), PREPARATORY), dice, [["area", "nobody", [36.6, 28, 2]]], position, True)
    return no_saves(position)


@covers("base-shoot/armour-save", "fire/wound-and-save")
@pytest.mark.parametrize(
    ("dice", "save", "told"),
    [
        ("6 6 | 6 6", 5, [{"units": [1], "count": 2, "ap": 5}]),
        ("6 6 | 6 1", 5, [{"units": [1], "count": 1, "ap": 5}]),
        ("6 6 | 6 6", None, [{"units": [1], "count": 2}]),
        ("6 6 | 6 6 | 1 1", 4, []),
        ("6 6 | 1 1", 5, []),
    ],
)
def test_wounds_without_a_save_are_told_with_the_ap_that_cancels_it(dice: str, save: Any, told: Any) -> None:
    assert fired(dice, save) == told


@pytest.mark.parametrize(
    ("language", "bare", "cancelled"),
    [
        ("en", "Mob: no save against 1 wound.", "Mob: no save against 2 wounds, AP 5 cancels the armour."),
        (
            "it",
            "Mob: nessun tiro salvezza contro 1 ferita.",
            "Mob: nessun tiro salvezza contro 2 ferite, VP 5 annulla l'armatura.",
        ),
    ],
)
def test_the_sentences_of_no_save(language: str, bare: str, cancelled: str) -> None:
    teller = Teller(BOOK, language, ["A", "B"], ["Mob"], unit_of=[0, 0])
    events = [{"units": [0], "count": 1}, {"units": [0], "count": 2, "ap": 5}]
    assert [line.text for values in events for line in lines([Event("no-save", values)], teller)] == [bare, cancelled]


@covers("fire/hit-allocation", "fire/surplus-hits")
@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ("6 6 | 1 1", "Troopers: 2 hits on 2 models (Shock trooper ×2)."),
        ("6 1 | 1", "Troopers: 1 hit on 1 model (Shock trooper)."),
        ("1 1", None),
    ],
)
def test_who_takes_the_hits_is_told(dice: str, told: str | None) -> None:
    position = table(squad("line-warden", 2), squad("shock-trooper", 2, side=1, at=(36, 28)))
    play(fire(unit(position, 0), PREPARATORY), dice, [["area", "nobody", [36.6, 28, 2]]], position, True)
    assert position.journal is not None
    laid = [event for event in position.journal.events if event.kind == "hits-laid"]
    names = position.names, ["Wardens", "Troopers"], (), position.profiles, position.unit_of
    found = [line.text for event in laid for line in lines([event], Teller(BOOK, "en", *names))]
    assert found == ([] if told is None else [told])


@covers("fire/area-diameter")
@pytest.mark.parametrize(("area", "inside"), [([36, 28, 1], 1), ([36.6, 28, 2], 2)])
def test_an_area_is_told_with_the_number_of_models_in_it(area: list[float], inside: int) -> None:
    position = table(squad("line-warden", 2), squad("shock-trooper", 2, side=1, at=(36, 28)))
    play(fire(unit(position, 0), PREPARATORY), "1 1", [["area", "nobody", area]], position, True)
    assert position.journal is not None
    (fires,) = [event for event in position.journal.events if event.kind == "fires"]
    assert fires.values["count"] == inside
    (line,) = lines([fires], Teller(BOOK, "en", position.names, ["Wardens", "Scout"]))
    assert line.text.endswith(f"with {inside} model{'s' if inside > 1 else ''} of Scout in it.")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Models partly under the marker of Warden"),
        ("it", "Modelli in parte sotto il segnalino di Warden"),
    ],
)
def test_the_dice_for_who_is_partly_under_a_marker_name_it_as_the_shooters(language: str, told: str) -> None:
    values = {"side": 0, "why": "partly-under", "model": 0, "answer": [4]}
    assert actor(values, Teller(BOOK, language, ["Warden"], ["Wardens"])) == told


def test_of_like_models_that_a_marker_may_lie_on_one_option_is_shown() -> None:
    for language in ("en", "it"):
        assert "marker-on" in Teller(BOOK, language).words.messages["alike"].split()
