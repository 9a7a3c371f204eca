"""The training datasheets are those of the ledger, number by number (training/*)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from campale.referee.ledgers.ledger import read_ledger
from campale.rulesets.w10.armies.datasheets import HERE, sheets_named
from campale.rulesets.w10.armies.forces import FORCES
from campale.rulesets.w10.armies.profile import Line

SHEETS = sheets_named("training")
NAMES = tuple(SHEETS.units)
STATS = re.compile(r"M (\d+)\+?\"\+? T (\d+) SV (\d)\+ W (\d+) LD (\d)\+ OC (\d)|M (\d+)\+\" T")
WEAPON = re.compile(
    r"(Melee|\d+\"|sweep -) ?A (\w+) (?:WS|BS) (\d\+|N/A) S (\d+) AP (-?\d+) D (\w+)(?: \[([^\]]*)\])?", re.IGNORECASE
)


def told(name: str) -> str:
    """What the ledger says of a datasheet."""
    return read_ledger(Path(HERE / "rules.yaml")).entries[f"training/{name}"].text


def line_of(line: Line) -> tuple[object, ...]:
    far = "melee" if line.range is None else f'{line.range:g}"'
    skill = "N/A" if line.skill is None else f"{line.skill}+"
    return far, str(line.a), skill, line.s, line.ap, str(line.d), frozenset(line.abilities)


def lines_in(text: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for far, a, skill, s, ap, d, abilities in WEAPON.findall(text):
        names = frozenset(
            re.sub(r" (?=[A-Z])", "-", one.strip()).lower() for one in abilities.split(",") if one.strip()
        )
        found.append(("melee" if not far[0].isdigit() else far, a, skill, int(s), int(ap), d, names))
    return found


@pytest.mark.covers(
    "training/captain",
    "training/lieutenant",
    "training/line-squad",
    "training/jump-squad",
    "training/scout-team",
    "training/seer",
    "training/gun-team",
    "training/carrier",
    "training/walker",
    "training/beast",
    "training/flyer",
)
@pytest.mark.parametrize("name", NAMES)
def test_a_datasheet_has_the_numbers_of_its_entry(name: str) -> None:
    text, profile, sheet = told(name), SHEETS.profiles[name], SHEETS.units[name]
    plain = text.replace('20+"', '20"')
    match = STATS.search(plain)
    assert match is not None, name
    assert tuple(map(int, match.groups()[:6])) == (
        *(profile.m, profile.t, profile.sv, profile.w, profile.ld, profile.oc),
    )
    costs = re.findall(
        r"(\d+) models? (?:or )?,? ?(\d+) points|(\d+) models?, (\d+) points|or (\d+) models (\d+)", text
    )
    assert sheet.sizes == {int(a or c or e): int(b or d or f) for a, b, c, d, e, f in costs}
    words = re.search(r"Keywords ([A-Z, ]+)\.", text)
    assert words is not None
    assert {one.strip().lower().replace(" ", "-") for one in words[1].split(",")} == set(profile.keywords)
    own = [line for weapon in profile.weapons for line in weapon.lines]
    own += [line for option in sheet.options.values() for line in option.weapon.weapon.lines]
    assert sorted(map(repr, map(line_of, own))) == sorted(map(repr, lines_in(text)))


@pytest.mark.covers("training/use")
def test_one_of_each_with_ten_in_the_line_squad_and_without_the_flyer_is_a_thousand_points() -> None:
    costs = {name: max(sheet.sizes.values()) for name, sheet in SHEETS.units.items() if name != "flyer"}
    assert sum(costs.values()) == 1000
    assert FORCES.named("mounted-1000").cost <= 1000
