"""What lists and forces are written with, and the units of a force file."""

from __future__ import annotations

import msgspec
import pytest

from campale.mechanics.armies.rows import Title, looked_up, made_from
from campale.mechanics.armies.units import Bought, BoughtUnit, number_of, unknown_names
from campale.referee.reading import FileError, Written

TITLE = Title("Riders", "Cavalieri")


class Row(msgspec.Struct, frozen=True, kw_only=True):
    title: Title
    speed: int
    source: str = ""


class Made(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: dict[str, str]
    speed: int
    rules: tuple[str, ...] = ()


@pytest.mark.parametrize("italian", ["due\nrighe", "campana\a", "tab\tulato"])
def test_a_title_stands_in_one_line_of_signs_that_can_be_shown(italian: str) -> None:
    assert msgspec.convert({"en": "One line", "it": "Una riga"}, Title).in_both == {"en": "One line", "it": "Una riga"}
    with pytest.raises(msgspec.ValidationError, match="cannot be shown"):
        msgspec.convert({"en": "One line", "it": italian}, Title)


@pytest.mark.parametrize("english", ["", "x" * 81])
def test_a_title_has_one_to_eighty_letters(english: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"en": english, "it": "x" * 80}, Title)


def test_what_is_made_of_a_row_has_its_fields_and_others_in_their_place() -> None:
    row = Row(title=TITLE, speed=6, source="page 3")
    assert made_from(row, Made, id="riders") == Made(id="riders", title=TITLE.in_both, speed=6)
    assert made_from(row, Made, id="riders", speed=9, rules=("fast",)).speed == 9


def test_what_is_not_known_is_told_with_what_is_near_it() -> None:
    known = {"pike": 1, "sword": 2}
    assert looked_up("pike", known, "There is no weapon.") == 1
    with pytest.raises(FileError, match=r"^There is no weapon 'pkie'\. Did you mean 'pike'\?$"):
        looked_up("pkie", known, "There is no weapon 'pkie'.")


# ---------------------------------------------------------------- units

KINDS = {"riders": ("banner", "horn"), "cart": ()}


def unit(kind: str, **more: str) -> BoughtUnit:
    return BoughtUnit(unit=kind, **more)  # type: ignore[arg-type]


def test_a_unit_is_called_by_its_id_or_else_by_its_kind_and_the_first_counts() -> None:
    units = (unit("cart"), unit("riders", id="left"), unit("cart", id="cart"))
    assert [number_of(id, units) for id in ("cart", "left", "riders", "")] == [0, 1, None, None]


def messages(*units: BoughtUnit, names: tuple[str, ...] = ()) -> list[str]:
    written = Written("mine", {}, {})
    return list(unknown_names(units, written, KINDS, lambda row: Bought("options", names, KINDS[row.unit])))


def test_names_that_are_known_are_no_fault() -> None:
    assert messages(unit("cart"), unit("riders", aboard="cart"), names=()) == []
    assert messages(unit("riders"), names=("horn", "banner")) == []


def test_each_name_that_is_not_known_is_told_where_it_stands() -> None:
    found = messages(unit("carts", aboard="nobody"), unit("riders", aboard="carts", joins="left"), names=("hron",))
    assert [one.split(": ", 1)[1] for one in found] == [
        "there is no unit 'carts'. Did you mean 'cart'?",
        "'hron' is not an option of riders. Did you mean 'horn'?",
        "no other unit is called 'left'. Known: carts, riders.",
    ]
    assert [one.split(":")[0].rpartition(" ")[2] for one in found] == [
        "units[1].unit",
        "units[2].options.hron",
        "units[2].joins",
    ]


def test_nobody_starts_with_himself() -> None:
    assert len(messages(unit("riders", joins="riders"))) == 1
    assert messages(unit("riders", id="left"), unit("riders", joins="left")) == []
