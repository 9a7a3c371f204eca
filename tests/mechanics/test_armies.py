"""Forces as files, and faults of armies as rows: what every book has of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from campale.mechanics.armies import picking
from campale.mechanics.armies.declared import Armies
from campale.mechanics.armies.faults import ArmyFault, Breach, faults_of, points_agreed
from campale.mechanics.armies.files import ForceError, ForceFiles, refuse_unknown, unknown
from campale.mechanics.armies.force import BuiltForce, ForceHead
from campale.mechanics.setup.agreed import SetupError
from campale.referee.armies.building import Kind
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.referee.ruleset import Setup
from campale.referee.telling.spoken import told


class Raiders(NamedTuple):
    title: dict[str, str]
    models: int


class Force(NamedTuple):
    units: tuple[Raiders, ...]


@rule("army/size", "army/other")
def too_large(force: Force, most: float) -> Iterator[Breach]:
    for unit in force.units:
        if unit.models > most:
            yield Breach(unit, unit.models, most, {"en": "the wood", "it": "il bosco"})


@rule("army/empty")
def nobody(force: Force, most: float) -> Iterator[Breach]:
    if not force.units:
        yield Breach(None)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A folder with a book's words."""
    (tmp_path / "words").mkdir()
    several = {
        "en": {"army.too-large": "{who}: {measured} of {limit} for {what}.", "army.nobody": "{who}: nobody."},
        "it": {"army.too-large": "{who}: {measured} di {limit} per {what}.", "army.nobody": "{who}: nessuno."},
    }
    for tongue, words in several.items():
        (tmp_path / "words" / f"{tongue}.json").write_text(json.dumps(words), encoding="utf-8")
    return tmp_path


def raiders(models: int) -> Raiders:
    return Raiders({"en": "Raiders", "it": "Predoni"}, models)


@pytest.mark.parametrize(
    ("limit", "english", "italian"),
    [(9.5, "Raiders: 11 of 9.5 for the wood.", "Predoni: 11 di 9,5 per il bosco."), (9, "11 of 9", "11 di 9")],
)
def test_a_fault_says_who_and_by_how_much_with_the_numbers_of_the_language(
    book: Path, limit: float, english: str, italian: str
) -> None:
    (fault,) = faults_of(book, (too_large, nobody), Force((raiders(3), raiders(11))), limit)
    assert fault == ArmyFault("army/size", "Raiders", 11, limit, fault.text)
    assert english in fault.text["en"]
    assert italian in fault.text["it"]
    assert fault.spoken == f"{fault.text['en']} [army/size]"
    assert told(fault.spoken, "it") == f"{fault.text['it']} [army/size]"


def test_faults_come_in_the_order_of_the_restrictions_and_one_of_the_force_is_of_nobody(book: Path) -> None:
    several = Force((raiders(5), raiders(6)))
    assert [fault.measured for fault in faults_of(book, (nobody, too_large), several, 4)] == [5, 6]
    (fault,) = faults_of(book, (too_large, nobody), Force(()), 4)
    assert (fault.rule, fault.who) == ("army/empty", "")
    assert fault.text == {"en": "The army: nobody.", "it": "L'armata: nessuno."}


@pytest.mark.parametrize(
    ("points", "found"), [(None, None), (200, 200), ("200", 200), (" 75 ", 75), ("9" * 9, 10**9 - 1)]
)
def test_points_are_agreed_on_as_a_whole_number(points: Any, found: int | None) -> None:
    assert points_agreed({"points": points}, "army/points") == found
    assert points_agreed({}, "army/points") is None


@pytest.mark.parametrize("points", ["", "many", "-1", 1.5, [200], "9" * 10, True])
def test_what_is_no_number_of_points_is_told_with_the_rule(points: Any) -> None:
    with pytest.raises(ValueError, match=r"is not a points limit\. \[army/points\]") as error:
        points_agreed({"points": points}, "army/points")
    assert told(error.value.args[0], "it").endswith("non è un limite di punti. [army/points]")


# ---------------------------------------------------------------- files


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    units: tuple[str, ...]


KNOWN = ("riders", "pikes")


def built(shape: Shape, written: Written, name: str) -> tuple[str, tuple[str, ...]]:
    refuse_unknown(
        unknown(written.where(("units", k)), "no-unit", unit, KNOWN)
        for k, unit in enumerate(shape.units)
        if unit not in KNOWN
    )
    return name, shape.units


@pytest.fixture
def forces(tmp_path: Path) -> ForceFiles[Shape, tuple[str, tuple[str, ...]]]:
    schema = {**msgspec.json.schema(Shape)}
    (tmp_path / "force.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    (tmp_path / "host.yaml").write_text("units: [riders, pikes]\n", encoding="utf-8")
    return ForceFiles(tmp_path, Shape, built)


def test_a_force_comes_by_name_from_a_path_as_text_and_plain(forces: Any, tmp_path: Path) -> None:
    assert forces.names() == ("host",)
    assert forces.named("host") == ("host", ("riders", "pikes"))
    assert forces.named("host") is forces.named("host")
    assert forces.plain("host") == {"units": ["riders", "pikes"]}
    assert forces.read(tmp_path / "host.yaml") == forces.named("host")
    assert forces.from_text("units: [pikes]", "mine") == ("mine", ("pikes",))
    assert forces.from_plain({"units": ["pikes"]}) == ("force", ("pikes",))


def refused(call: Any, *arguments: Any) -> tuple[list[str], list[str]]:
    with pytest.raises(ForceError) as error:
        call(*arguments)
    return error.value.told("en"), error.value.told("it")


def test_a_name_that_is_not_known_is_told_with_what_is_near_it(forces: Any) -> None:
    (english,), (italian,) = refused(forces.named, "hots")
    assert english == "There is no army 'hots'. Did you mean 'host'?"
    assert italian.startswith("Non c'è un'armata 'hots'. ")
    assert refused(forces.plain, "../../etc/passwd")[0][0].startswith("There is no army")


def test_what_is_wrong_has_its_line_in_a_text_and_none_where_it_is_plain(forces: Any) -> None:
    (english,), (italian,) = refused(forces.from_text, "units:\n- riders\n- rider\n", "mine")
    assert english == "mine, line 3, units[2]: there is no unit 'rider'. Did you mean 'riders'?"
    assert italian.startswith("mine, riga 3, units[2]: non c'è un'unità 'rider'. ")
    (english,), (italian,) = refused(forces.from_plain, {"units": ["rider"]}, "mine")
    assert english.startswith("mine, units[1]: there is no unit 'rider'.")
    assert italian.startswith("mine, units[1]: non c'è un'unità 'rider'.")


@pytest.mark.parametrize("plain", [None, [], "text", 3])
def test_what_is_no_table_is_told(forces: Any, plain: Any) -> None:
    (english,), (italian,) = refused(forces.from_plain, plain, "mine")
    assert english.startswith("mine: this is not a Campale army file.")
    assert italian.startswith("mine: questo non è un file d'armata")


def test_a_thousand_mistakes_are_not_all_told(forces: Any) -> None:
    english, italian = refused(forces.from_plain, {"units": ["nobody"] * 500})
    assert len(english) == len(italian) == 20


def test_a_file_that_cannot_be_opened_is_told(forces: Any, tmp_path: Path) -> None:
    assert "this file does not exist" in refused(forces.read, tmp_path / "none.yaml")[0][0]


# ---------------------------------------------------------------- armies as a book declares them


class Levy(msgspec.Struct, frozen=True):
    title: dict[str, str]
    points: int


class LevyFile(ForceHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    each: tuple[int, ...]


class LevyForce(BuiltForce[Levy], frozen=True):
    of: str


def levied(file: LevyFile, written: Written, name: str) -> LevyForce:
    return LevyForce(name, file.name.in_both, file.points, tuple(Levy({}, one) for one in file.each), "levies")


@rule("army/points")
def too_dear(force: LevyForce, cap: int, *terms: str) -> Iterator[Breach]:
    if force.cost > cap:
        yield Breach(None, force.cost, cap)


@rule("army/few")
def too_few(force: LevyForce, cap: int, *terms: str) -> Iterator[Breach]:
    """Under an optional rule."""
    if "crowds" in terms and len(force.units) < 3:
        yield Breach(None, len(force.units), 3)


@pytest.fixture
def armies(tmp_path: Path) -> Armies[LevyForce]:
    """A book in which 10 points are usual."""
    (tmp_path / "words").mkdir()
    words = {"army.too-dear": "{measured} of {limit} points.", "army.too-few": "{measured} of {limit} units."}
    for tongue in ("en", "it"):
        (tmp_path / "words" / f"{tongue}.json").write_text(json.dumps(words), encoding="utf-8")
    (tmp_path / "forces").mkdir()
    for name, points in (("band", 12), ("host", 12), ("horde", 13)):
        head = json.dumps({"name": {"en": name, "it": name}, "points": points, "each": [6, 5]})
        (tmp_path / "forces" / f"{name}.yaml").write_text(head, encoding="utf-8")
    forces = ForceFiles(tmp_path / "forces", LevyFile, levied)
    return Armies(tmp_path, forces, (too_dear, too_few), "army/points", 10)


def test_a_force_is_worth_its_units_and_judged_by_the_points_agreed_on_or_by_its_own(
    armies: Armies[LevyForce],
) -> None:
    band = armies.forces.named("band")
    assert (band.cost, band.points, band.of) == (11, 12, "levies")
    assert armies.faults(band) == ()
    assert armies.faults(band, 11) == ()
    assert [(one.rule, one.measured, one.limit) for one in armies.faults(band, 10)] == [("army/points", 11, 10)]
    assert [one.rule for one in armies.faults(band, 10, "crowds")] == ["army/points", "army/few"]


def test_what_is_wrong_with_a_file_is_told_under_the_points_agreed_on(armies: Armies[LevyForce]) -> None:
    plain = armies.forces.plain("band")
    assert armies.check(plain, {}) == []
    assert armies.check(plain, {"points": 10}) == ["11 of 10 points. [army/points]"]
    assert armies.check(plain, {}, "crowds") == ["2 of 3 units. [army/few]"]


def test_both_forces_are_fielded_with_their_sides_or_the_book_says_why_not(armies: Armies[LevyForce]) -> None:
    plain = armies.forces.plain("band")
    both = Setup("toy", {}, (plain, plain), {"points": 11})
    assert [(side, force.cost) for side, force in armies.fielded(both)] == [(0, 11), (1, 11)]
    with pytest.raises(SetupError, match="11 of 10 points"):
        list(armies.fielded(Setup("toy", {}, (plain, plain))))  # 10 are usual
    with pytest.raises(SetupError, match="2 of 3 units"):
        list(armies.fielded(both, "crowds"))


def test_ready_forces_of_the_same_points_are_matched(armies: Armies[LevyForce]) -> None:
    assert armies.same_points("band", "host")
    assert not armies.same_points("band", "horde")


def test_lists_are_described_with_what_their_forces_always_say(armies: Armies[LevyForce]) -> None:
    kind = Kind(id="levy", title={}, row={"unit": "levy"}, fields=(), prices=picking.prices((2, 2, 5), 3, 1))
    band = armies.forces.named("band")
    (found,) = picking.army_lists((band,), lambda of: {"list": of.id}, lambda of: (kind,), "models")
    assert (found.id, found.force, found.rows, found.kinds) == ("band", {"list": "band"}, "models", (kind,))
    assert kind.prices == ((2, 7), (5, 16))
