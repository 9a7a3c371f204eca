"""The arsenal and profiles: as the ledger prints them, and what cannot be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from campale.mechanics.armies.rows import Title
from campale.referee.ledgers.ledger import read_ledger
from campale.referee.reading import FileError
from campale.rulesets.e55.armies import arsenal as arms
from campale.rulesets.e55.armies import profile
from campale.rulesets.e55.armies.army_lists import (
    army_list,
)
from campale.rulesets.e55.armies.arsenal import LineRow, MountRow, PowerRow, ProfileRow, WeaponRow, arsenal
from campale.rulesets.e55.armies.profile import Profile, SpecialRule
from tests.rulesets.e55 import kit

HERE = Path(arms.__file__).parents[1]
LEDGER = read_ledger(HERE / "rules.yaml").entries
TITLE = {"en": "Test", "it": "Prova"}


# ---------------------------------------------------------------- the arsenal


def printed_weapons() -> list[tuple[str, float, int, int, set[str]]]:
    """The sample weapons as the ledger prints them: name, range (0: template), S, AP, rules."""
    text = LEDGER["9/sample-weapons"].text.partition("AP, rules). ")[2].replace("\n", " ")
    found = []
    for row in (one for one in text.split(". ") if one.strip(" .")):
        name, reach, s, ap, *rules = re.match(r"(\D+?) (\d+|template), (\d+), (\d+), (.+?)\.?$", row.strip()).groups()  # type: ignore[union-attr]
        names = {one.strip().replace(" ", "-", 0) for one in rules[0].split(" and ")}
        found.append((name, 0.0 if reach == "template" else float(reach), int(s), int(ap), names))
    return found


def as_printed(line: profile.Line) -> set[str]:
    return {
        f"{one.name.replace('-', ' ')} {one.value}" if one.value else one.name.replace("-", " ") for one in line.rules
    }


@pytest.mark.covers("9/sample-weapons", "9/weapon-profile")
def test_the_arsenal_holds_the_sample_weapons_as_the_ledger_prints_them() -> None:
    armoury = arsenal.__wrapped__()
    by_name = {one.title["en"]: one for one in armoury.weapons.values()}
    assert len(printed_weapons()) == 11
    for name, reach, strength, ap, rules in printed_weapons():
        (line,) = by_name[name].lines
        assert (line.range, line.strength, line.ap, as_printed(line)) == (reach, strength, ap, rules), name
        assert line.reach == ("ranged" if reach else "template")


@pytest.mark.covers("9.2/power-fist", "9.2/dreadnought-weapon", "9.2/normal-weapon")
def test_the_close_combat_weapons_of_the_book() -> None:
    found = {id: weapon_line(id) for id in ("power-fist", "dreadnought-weapon", "blade")}
    assert [(one.reach, one.of_user, one.strength, one.ap) for one in found.values()] == [
        ("melee", True, 2, 2),
        ("melee", True, 2, 2),
        ("melee", True, 1, None),
    ]
    assert [one.has("slow") for one in found.values()] == [True, False, False]
    assert not any(one.has("two-handed") for one in found.values())


def weapon_line(id: str) -> profile.Line:
    (line,) = arsenal.__wrapped__().weapons[id].lines
    return line


@pytest.mark.covers("9/weapon-profile", "9.2/normal-weapon")
def test_a_weapon_has_range_strength_ap_and_rules() -> None:
    row = WeaponRow(title=Title("Gun", "Arma"), lines=(LineRow(range=24, strength=6, ap=3, rules=("heavy 2",)),))
    made = arms.weapon_from("gun", row)
    assert (made.id, made.title, made.is_ranged) == ("gun", {"en": "Gun", "it": "Arma"}, True)
    assert made.lines[0] == profile.Line("ranged", 24, 6, False, 3, (profile.Rule("heavy", 2),))


@pytest.mark.covers("9/weapon-profile", "9.2/normal-weapon")
@pytest.mark.parametrize(
    ("row", "said"),
    [
        (LineRow(range=24), "either its 'strength' or 'times'"),
        (LineRow(range=24, strength=4, times=2), "either its 'strength' or 'times'"),
        (LineRow(strength=4), "needs a 'range'"),
        (LineRow(range=24, strength=4, rules=("heavy",)), "needs a number from 1 to 20"),
        (LineRow(range=24, strength=4, rules=("heavy x",)), "has no number after its name"),
        (LineRow(range=24, strength=4, rules=("hevy 2",)), "Did you mean 'heavy'"),
    ],
)
def test_a_line_that_cannot_be(row: LineRow, said: str) -> None:
    with pytest.raises(FileError, match=said):
        arms.line_from(row, "gun")


@pytest.mark.parametrize(("charges", "awake"), [(1, None), (0, LineRow(reach="melee", times=2))])
def test_charges_go_with_what_they_switch_on(charges: int, awake: LineRow | None) -> None:
    lines = (LineRow(reach="melee", times=1),)
    with pytest.raises(FileError, match="Give both, or neither"):
        arms.weapon_from("x", WeaponRow(title=Title("A", "B"), lines=lines, charges=charges, awake=awake))


def test_a_template_has_no_range_and_a_blade_strikes_with_the_strength_of_its_user() -> None:
    assert arms.line_from(LineRow(reach="template", range=8, strength=4), "x").range == 0
    blade = arms.line_from(LineRow(reach="melee", times=2), "x")
    assert (blade.of_user, blade.strength) == (True, 2)


@pytest.mark.covers("5/psyker")
def test_a_power_shoots_or_does_what_its_kind_says() -> None:
    title, line = Title("A", "B"), LineRow(range=24, strength=4)
    assert arms.power_from("a", PowerRow(title=title, cost=1, kind="ward", value=4, range=12)).value == 4
    shooting = arms.power_from("a", PowerRow(title=title, cost=1, kind="shooting", shooting=line)).shooting
    assert shooting is not None
    assert shooting.range == 24
    for row in (
        PowerRow(title=title, cost=1, kind="shooting"),
        PowerRow(title=title, cost=1, kind="ward", shooting=line),
    ):
        with pytest.raises(FileError, match="a shooting power, and no other, says what it shoots"):
            arms.power_from("a", row)


@pytest.mark.covers("7.9/arcs")
def test_a_weapon_fires_to_the_front_unless_told_otherwise_and_a_turret_everywhere() -> None:
    armoury = arsenal()
    assert arms.mount_from("rifle", armoury, "x").arcs == ("front",)
    assert arms.mount_from(MountRow("rifle", ("left",)), armoury, "x").arcs == ("left",)
    turret = arms.mount_from(MountRow("rifle", ("left",), True, (0.0, 1.0, 2.0)), armoury, "x")
    assert set(turret.arcs) == set(profile.ARCS)
    assert turret.is_turret
    assert turret.muzzle == (0.0, 1.0, 2.0)
    with pytest.raises(FileError, match="Did you mean 'rifle'"):
        arms.mount_from("rifl", armoury, "x")


def test_keywords_have_their_number_or_their_word() -> None:
    known = get_args(SpecialRule)
    assert arms.keyword("feel-no-pain 5", known, "x") == profile.Rule("feel-no-pain", 5)
    assert arms.keyword("favoured-enemy lantern", known, "x") == profile.Rule("favoured-enemy", 0, "lantern")
    for wrong, said in (
        ("favoured-enemy", "does not say of whom"),
        ("feel-no-pain 7", "needs a number from 2 to 6"),
        ("feel-no-pain", "needs a number"),
        ("flees", "Did you mean 'fleet'"),
    ):
        with pytest.raises(FileError, match=said):
            arms.keyword(wrong, known, "x")


# ---------------------------------------------------------------- profiles

STATS = ("ws", "bs", "s", "t", "w", "i", "a", "ld")


def row(**changes: Any) -> ProfileRow:
    plain = {"title": TITLE, "armour_save": 4, **dict.fromkeys(STATS, 4), **changes}
    return msgspec.convert({name: one for name, one in plain.items() if one is not None}, ProfileRow)


def vehicle(**changes: Any) -> ProfileRow:
    plain = {"title": TITLE, "type": "vehicle", "bs": 4, "front": 12, "side": 11, "rear": 10, "speed": 12, **changes}
    return msgspec.convert({name: one for name, one in plain.items() if one is not None}, ProfileRow)


def made(of: ProfileRow) -> Profile:
    return arms.profile_from("one", of, arsenal())


@pytest.mark.covers("9/sample-units", "1.3/characteristics")
@pytest.mark.parametrize("kind", kit.KINDS)
def test_the_samples_are_the_profiles_that_the_ledger_prints(kind: str) -> None:
    if kind in ("flyer", "aircraft"):
        return
    found = army_list.__wrapped__("samples").profiles[kind]
    expected = kit.profile(kind)
    leave = {"mounts", "points", "title"}
    assert {k: v for k, v in msgspec.to_builtins(found).items() if k not in leave} == {
        k: v for k, v in msgspec.to_builtins(expected).items() if k not in leave
    }


@pytest.mark.covers("9/sample-units")
def test_the_statlines_of_the_ledger() -> None:
    text = LEDGER["9/sample-units"].text.replace("\n", " ")
    known = army_list.__wrapped__("samples").profiles
    rows = re.findall(r"([A-Z][a-z]+(?: [a-z]+)?)(?: \([^)]*\))? ((?:\d+ ){8}\d\+)", text)
    assert len(rows) == 8
    for name, numbers in rows:
        found = known[name.lower().replace(" ", "-")]
        *stats, save = numbers.replace("+", "").split()
        assert [getattr(found, stat) for stat in STATS] == [int(one) for one in stats], name
        assert found.armour_save == int(save)


@pytest.mark.covers("1.3/characteristics", "7.1/subtypes", "7.1/armour-values", "7.1/structure-points")
def test_a_profile_has_what_its_row_says_and_three_structure_points_unless_told() -> None:
    tank = made(vehicle(subtypes=["armoured", "transport"], capacity=5))
    assert (tank.front, tank.side, tank.rear, tank.structure) == (12, 11, 10, 3)
    assert tank.is_a("armoured")
    assert tank.is_a("transport")
    assert not tank.is_a("walker")
    assert made(vehicle(structure=4)).structure == 4
    assert made(row(weapons=["rifle"])).weapons[0].id == "rifle"
    assert made(row(points=7)).points == 7


@pytest.mark.covers("7.1/armour-values")
@pytest.mark.parametrize(("armour", "fits"), [(9, False), (10, True), (14, True), (15, False)])
def test_armour_lies_between_ten_and_fourteen(armour: int, fits: bool) -> None:
    if fits:
        assert made(vehicle(front=armour)).front == armour
    else:
        with pytest.raises(msgspec.ValidationError):
            vehicle(front=armour)


@pytest.mark.covers("1.3/characteristics")
@pytest.mark.parametrize("value", [-1, 11])
def test_characteristics_run_from_nought_to_ten_but_leadership(value: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        row(ws=value)
    assert made(row(ws=0, t=10, ld=11)).ld == 11


@pytest.mark.covers("7.1/missing-characteristic", "6/type-default", "7.16/walker-profile", "7.1/subtypes")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (row(t=None, ld=None), "t, ld missing"),
        (vehicle(side=None), "side missing"),
        (vehicle(subtypes=["walker"]), "ws, s, i, a missing"),
        (vehicle(speed=None), "'speed' missing"),
        (vehicle(subtypes=["aircraft"]), "'flyer_speed' missing"),
        (row(type="bike"), "'x' missing"),
        (row(type="beast"), "'x' missing"),
        (row(subtypes=["flying-infantry"]), "'x' missing"),
        (row(subtypes=["jetbike"], x=12), "'jetbike' is a subtype of bike, not of infantry"),
        (row(subtypes=["walker"]), "'walker' is a subtype of vehicle"),
        (vehicle(subtypes=["flying-monster"]), "'flying-monster' is a subtype of monster"),
    ],
)
def test_a_profile_lacks_what_its_type_needs(wrong: ProfileRow, said: str) -> None:
    with pytest.raises(FileError, match=said):
        made(wrong)


@pytest.mark.covers("1.3/zero-wounds-or-toughness", "5/psyker", "7.10/capacity")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (row(w=0), "w is 0"),
        (row(t=0), "t is 0"),
        (row(powers=["bog-fire"]), "not a psyker"),
        (vehicle(capacity=5), "transports, and no others"),
        (vehicle(subtypes=["transport"]), "transports, and no others"),
    ],
)
def test_a_profile_that_makes_no_sense(wrong: ProfileRow, said: str) -> None:
    with pytest.raises(FileError, match=said):
        made(wrong)
    assert made(row(w=1, t=1, psyker=1, powers=["bog-fire"])).powers[0].kind == "smite"
    assert made(vehicle(subtypes=["transport"], capacity=5)).capacity == 5


@pytest.mark.covers("6/type-default", "7.16/walker-profile")
def test_whoever_states_no_type_is_infantry_and_a_tank_has_no_toughness() -> None:
    assert made(row()).type == "infantry"
    assert made(vehicle()).t is None
    assert made(vehicle(subtypes=["walker"], ws=4, s=6, i=4, a=2)).s == 6
