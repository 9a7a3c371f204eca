"""Set-up: what is agreed on, and what can be chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from campale.mechanics.armies.checking import messages_about
from campale.mechanics.armies.faults import ArmyFault, Breach, faults_of
from campale.mechanics.armies.files import ForceFiles
from campale.mechanics.armies.rows import Title
from campale.mechanics.named_files import NamedFiles
from campale.mechanics.setup.agreed import (
    SetupError,
    fieldable,
    mission_agreed,
    pieces_agreed,
    scenery_agreed,
    two_forces,
)
from campale.mechanics.setup.offers import (
    BY_DIE,
    LAID_BY_PLAYERS,
    alike,
    lines_of,
    mission_term,
    offered_forces,
    offered_layouts,
    points_term,
    scenery_term,
)
from campale.referee.offers import Choice
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.referee.ruleset import Setup
from campale.referee.telling.spoken import told
from campale.table.outlines import rectangle
from campale.table.terrain import Piece

WOOD = Piece("wood", "wood", rectangle(5.0, 5.0, 2.0, 2.0))
MISSIONS = ("hold", "raid")


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Title
    points: int
    models: tuple[str, ...]


class Fighter(msgspec.Struct, frozen=True):
    title: dict[str, str]
    points: int


class Host(msgspec.Struct, frozen=True):
    id: str
    title: dict[str, str]
    points: int
    models: tuple[str, ...]

    @property
    def profiles(self) -> tuple[Fighter, ...]:
        return tuple(Fighter({"en": one, "it": one}, len(one)) for one in self.models)


@rule("host/points")
def too_dear(force: Host, points: int | None) -> Iterator[Breach]:
    cost = sum(one.points for one in force.profiles)
    if points is not None and cost > points:
        yield Breach(None, cost, points)


@rule("host/nobody")
def nobody(force: Host, points: int | None) -> Iterator[Breach]:
    if not force.models:
        yield Breach(None)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "words").mkdir()
    for tongue, said, empty in (("en", "costs", "Nobody"), ("it", "costa", "Nessuno")):
        words = {
            "army.too-dear": f"{{who}} {said} {{measured}}.",
            "army.nobody": f"{empty}.",
            "mission.hold": f"hold ({tongue})",
            "mission.raid": f"raid ({tongue})",
        }
        (tmp_path / "words" / f"{tongue}.json").write_text(json.dumps(words), encoding="utf-8")
    for name, points, models in (("great", 20, "[axe, axe, pike]"), ("small", 7, "[pike]"), ("another", 7, "[]")):
        text = f"name: {{en: {name}, it: {name}}}\npoints: {points}\nmodels: {models}\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def forces(book: Path) -> ForceFiles[Shape, Host]:
    def built(shape: Shape, written: Written, name: str) -> Host:
        return Host(name, shape.name.in_both, shape.points, shape.models)

    return ForceFiles(book, Shape, built)


def faults(book: Path, force: Host, points: int | None) -> tuple[ArmyFault, ...]:
    return faults_of(book, (too_dear, nobody), force, points)


# ---------------------------------------------------------------- whether a force may be fielded


def test_what_is_wrong_with_a_force_is_told_under_the_points_agreed_on(forces: Any, book: Path) -> None:
    def about(plain: Any, **agreed: Any) -> list[str]:
        return messages_about(forces, plain, agreed, "host/points", lambda force, cap: faults(book, force, cap))

    great = forces.plain("great")
    assert about(great) == about(great, points=10) == []
    assert about(great, points=9) == ["The army costs 10. [host/points]"]
    assert about(great, points="many") == ["'many' is not a points limit. [host/points]"]
    assert about({"name": 3})[0].startswith("force")
    (message,) = about(forces.plain("another"))
    assert told(message, "it") == "Nessuno. [host/nobody]"


def test_a_force_with_faults_is_not_set_out(forces: Any, book: Path) -> None:
    assert fieldable(forces, forces.plain("great"), lambda force: faults(book, force, 10)).points == 20
    with pytest.raises(SetupError, match=r"^The army costs 10\. \[host/points\]$"):
        fieldable(forces, forces.plain("great"), lambda force: faults(book, force, 9))
    with pytest.raises(SetupError, match="models"):
        fieldable(forces, {"name": {"en": "a", "it": "b"}, "points": 3}, lambda force: ())


# ---------------------------------------------------------------- what is agreed on


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_battle_has_two_forces(count: int) -> None:
    assert list(two_forces(Setup("x", forces=({"a": 1}, {"b": 2})))) == [(0, {"a": 1}), (1, {"b": 2})]
    with pytest.raises(SetupError, match=f"two armies, not {count}"):
        two_forces(Setup("x", forces=({},) * count))


@pytest.mark.parametrize(("agreed", "mission"), [({}, None), ({"mission": "lot"}, None), ({"mission": "raid"}, "raid")])
def test_a_mission_is_agreed_on_or_left_to_the_battle(agreed: Any, mission: str | None) -> None:
    assert mission_agreed(agreed, MISSIONS, ("lot",)) == mission


@pytest.mark.parametrize("mission", ["riad", ["raid"], 3, "lot"])
def test_a_mission_that_there_is_not_is_refused_with_those_there_are(mission: Any) -> None:
    with pytest.raises(SetupError, match=r"there are: hold, raid$"):
        mission_agreed({"mission": mission}, MISSIONS)


def test_the_table_is_bare_or_that_of_a_layout() -> None:
    def pieces(scenery: str) -> tuple[Piece, ...]:
        return pieces_agreed(scenery, ("lot", "players"), ("woods",), lambda name: (WOOD,))

    assert scenery_agreed({}) == "lot"
    assert pieces("lot") == pieces("players") == ()
    assert pieces("woods") == (WOOD,)
    with pytest.raises(SetupError, match="no layout 'wood'; there are: lot, players, woods"):
        pieces("wood")


# ---------------------------------------------------------------- what can be chosen


def test_ready_forces_come_in_order_each_with_its_list(forces: Any) -> None:
    class OfAll:
        id, title = "all", {"en": "All", "it": "Tutti"}

    found = offered_forces(forces, lambda force: OfAll())
    assert [one.name for one in found] == ["another", "small", "great"]
    assert (found[2].points, found[2].army_list, found[2].list_title["it"]) == (20, "all", "Tutti")
    assert found[2].plain == forces.plain("great")
    assert [one.name for one in offered_forces(forces, lambda force: OfAll(), lambda one: one.name)][-1] == "small"


def test_terms_have_the_words_of_the_book_or_those_of_every_book(book: Path) -> None:
    points = points_term("host/points", (750, 1500), 2000)
    assert (points.default, points.between, points.allows(2000), points.allows(2001)) == (750, (1, 2000), True, False)
    assert points.choices[1].title == {"en": "1500 points", "it": "1500 punti"}
    mission = mission_term("host/mission", book, MISSIONS, BY_DIE)
    assert [(one.value, one.title["it"]) for one in mission.choices] == [
        (None, "Casuale"),
        ("hold", "hold (it)"),
        ("raid", "raid (it)"),
    ]
    assert mission.default is None
    other = mission_term("host/mission", book, MISSIONS, Choice("lot", {"en": "By lot", "it": "Casuale"}))
    assert other.default == "lot"


class Plan(msgspec.Struct, frozen=True):
    name: Title


def test_ready_tables_are_offered_and_the_first_is_the_usual_scenery(tmp_path: Path) -> None:
    for name in ("vale", "heath"):
        (tmp_path / f"{name}.yaml").write_text(f"name: {{en: The {name}, it: La {name}}}\n", encoding="utf-8")
    layouts = NamedFiles(tmp_path, Plan, None, "no-layout")
    found = offered_layouts(layouts, (48.0, 36.0), lambda name: (WOOD,) if name == "vale" else ())
    assert [(one.name, one.width, one.depth, len(one.pieces)) for one in found] == [
        ("heath", 48.0, 36.0, 0),
        ("vale", 48.0, 36.0, 1),
    ]
    term = scenery_term("host/table", layouts, LAID_BY_PLAYERS)
    assert [one.value for one in term.choices] == ["heath", "vale", "players"]
    assert (term.default, term.choices[1].title["en"]) == ("heath", "The vale")


def test_models_that_are_alike_stand_in_one_line_of_their_unit() -> None:
    host = Host("a", {"en": "A", "it": "A"}, 9, ("axe", "pike", "axe"))
    found = lines_of((host, host))
    assert [(one.unit["en"], one.title["en"], one.count, one.points) for one in found] == [
        ("A", "axe", 2, 6),
        ("A", "pike", 1, 4),
    ] * 2
    assert list(alike("abca", str.upper)) == [["a", "a"], ["b"], ["c"]]
