"""What the book asks of a roster, each fault on both sides of its boundary (muster/*, datasheet/wargear-options)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from campale.mechanics.setup.agreed import SetupError
from campale.referee.position import RESERVE
from campale.referee.reading import FileError
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.w10.armies.datasheets import OptionRow, profiles, sheets_named
from campale.rulesets.w10.armies.forces import FORCES, Roster, UnitSpec
from campale.rulesets.w10.armies.muster import check_force, faults
from campale.rulesets.w10.armies.setting_out import set_out, starters
from campale.rulesets.w10.battle.layouts import LAYOUTS, layout_named, table_size

covers = pytest.mark.covers

LEADER: dict[str, Any] = {"unit": "captain", "warlord": True}
CARRIER = 85


def roster(*units: Any, points: int = 1000) -> Roster:
    """A Captain as WARLORD and these units: names, or rows."""
    rows = [LEADER, *({"unit": one} if isinstance(one, str) else one for one in units)]
    return drawn(rows, points)


def drawn(rows: list[Any], points: int = 1000) -> Roster:
    plain = {**FORCES.plain("hammer-500"), "points": points, "units": rows}
    found: Roster = FORCES.from_plain(plain)
    return found


def broken(found: Roster, cap: int | None = None) -> list[tuple[str, float, float]]:
    return [(one.rule, one.measured, one.limit) for one in faults(found, cap)]


def with_keywords(found: Roster, name: str, *keywords: str) -> Roster:
    """The same roster, where the units of a name have these keywords."""

    def changed(one: UnitSpec) -> UnitSpec:
        return replace(one, profiles=tuple(replace(profile, keywords=keywords) for profile in one.profiles))

    units = tuple(changed(one) if one.row.unit == name else one for one in found.units)
    return replace(found, units=units)


@covers("muster/sequence", "muster/battle-size", "training/use")
@pytest.mark.parametrize("name", FORCES.names())
def test_the_ready_rosters_are_lawful(name: str) -> None:
    assert faults(FORCES.named(name)) == ()


@covers("muster/battle-size", "t/points-total")
def test_a_roster_costs_no_more_than_the_size_of_the_battle() -> None:
    found = roster({"unit": "line-squad", "size": 10}, points=240)
    assert found.cost == 240
    assert broken(found) == []
    assert broken(found, 239) == [("muster/battle-size", 240, 239)]


@covers("muster/select-units")
def test_three_units_of_a_datasheet_and_six_of_battleline() -> None:
    assert broken(roster(*["scout-team"] * 3)) == []
    assert broken(roster(*["scout-team"] * 4)) == [("muster/select-units", 4, 3)]
    assert broken(roster(*["line-squad"] * 6)) == []
    assert broken(roster(*["line-squad"] * 7)) == [("muster/select-units", 7, 6)]


@covers("muster/select-units")
def test_six_dedicated_transports() -> None:
    four = roster(*["gun-team"] * 4)
    assert broken(four) == [("muster/select-units", 4, 3)]
    assert broken(with_keywords(four, "gun-team", "dedicated-transport")) == []


@covers("muster/select-units")
def test_an_epic_hero_comes_once() -> None:
    two = roster("lieutenant", "lieutenant")
    assert broken(two) == []
    heroes = with_keywords(two, "lieutenant", "character", "epic-hero")
    assert broken(heroes) == [("muster/select-units", 2, 1)]
    one = with_keywords(roster("lieutenant"), "lieutenant", "character", "epic-hero")
    assert broken(one) == []


@covers("muster/sequence", "muster/select-units", "muster/select-warlord", "keywords/has")
def test_an_army_needs_a_character_who_is_its_warlord() -> None:
    squad = {"unit": "line-squad"}
    assert broken(drawn([LEADER, squad])) == []
    assert broken(drawn([squad])) == [("muster/select-units", 0, 1), ("muster/select-warlord", 0, 1)]
    assert broken(drawn([{"unit": "captain"}, squad])) == [("muster/select-warlord", 0, 1)]
    both = drawn([LEADER, {"unit": "lieutenant", "warlord": True}])
    assert broken(both) == [("muster/select-warlord", 2, 1)]
    common = drawn([{"unit": "captain"}, {"unit": "line-squad", "warlord": True}])
    assert [rule for rule, *_ in broken(common)] == ["muster/select-warlord"]


@covers("muster/select-warlord", "keywords/has")
def test_the_warlord_gains_the_keyword() -> None:
    one, other = roster("lieutenant").units
    assert one.profiles[0].has("warlord")
    assert not other.profiles[0].has("warlord")


@covers("core-concepts/unit", "f/starting-strength")
@pytest.mark.parametrize(("size", "nearest"), [(5, None), (10, None), (4, 5), (6, 5), (9, 10), (11, 10)])
def test_a_unit_has_as_many_models_as_its_datasheet_prints(size: int, nearest: int | None) -> None:
    found = broken(roster({"unit": "line-squad", "size": size}))
    assert found == ([] if nearest is None else [("core-concepts/unit", size, nearest)])


@covers("datasheet/wargear-options")
@pytest.mark.parametrize(("size", "guns", "most"), [(5, 1, None), (5, 2, 1), (10, 2, None), (10, 3, 2)])
def test_one_model_in_five_may_have_a_plasma_gun(size: int, guns: int, most: int | None) -> None:
    found = roster({"unit": "line-squad", "size": size, "weapons": {"plasma-gun": guns}})
    assert broken(found) == ([] if most is None else [("datasheet/wargear-options", guns, most)])
    arms = [[weapon.id for weapon in one.weapons] for one in found.units[1].profiles]
    assert arms == [["rifle", "knife"]] * (size - guns) + [["plasma-gun", "knife"]] * guns


@covers("datasheet/wargear-options")
@pytest.mark.parametrize(("guns", "rifles", "is_lawful"), [(3, 2, True), (3, 3, False)])
def test_a_unit_takes_no_more_options_than_it_has_models(guns: int, rifles: int, is_lawful: bool) -> None:
    found = roster({"unit": "line-squad", "size": 5, "weapons": {"plasma-gun": 1}})
    captain, squad = found.units
    option = replace(squad.sheet.options["plasma-gun"], per=1)
    sheet = replace(squad.sheet, options={"plasma-gun": option, "long-rifle": option})
    row = replace(squad.row, weapons={"plasma-gun": guns, "long-rifle": rifles})
    other = replace(found, units=(captain, replace(squad, sheet=sheet, row=row)))
    assert broken(other) == ([] if is_lawful else [("datasheet/wargear-options", guns + rifles, 5)])


@covers("datasheet/wargear-options", "t/wargear-all-models")
@pytest.mark.parametrize(
    ("taken", "is_lawful", "arms"),
    [
        ({"plasma-gun": 1, "axe": 5}, True, [["rifle", "axe"]] * 4 + [["plasma-gun", "axe"]]),
        ({"plasma-gun": 1, "axe": 4}, True, [["plasma-gun", "knife"]] + [["rifle", "axe"]] * 4),
        ({"plasma-gun": 1, "axe": 6}, False, None),
        ({"plasma-gun": 1, "carbine": 4}, True, [["plasma-gun", "knife"]] + [["carbine", "knife"]] * 4),
        ({"plasma-gun": 1, "carbine": 3}, False, None),
        ({"carbine": 5}, True, [["carbine", "knife"]] * 5),
    ],
)
def test_models_may_replace_each_of_their_weapons(taken: dict[str, int], is_lawful: bool, arms: Any) -> None:
    squad = sheets_named("training").units["line-squad"]
    gun, (knife,) = squad.options["plasma-gun"], [one for one in squad.weapons if one.id == "knife"]
    axe = OptionRow("knife", 1, replace(knife, id="axe"))
    carbine = OptionRow("rifle", 1, replace(gun.weapon, id="carbine"), all=True)
    sheet = replace(squad, options={"plasma-gun": gun, "axe": axe, "carbine": carbine})
    plain = {**FORCES.plain("hammer-500"), "points": 1000, "sheets": "training"}
    own = {"units": {"our-squad": msgspec.to_builtins(sheet, str_keys=True)}, "faction": [plain["faction"]]}
    found = FORCES.from_plain(
        {**plain, "own": own, "units": [LEADER, {"unit": "our-squad", "size": 5, "weapons": taken}]}
    )
    assert (faults(found) == ()) == is_lawful
    if arms is not None:
        assert [[weapon.id for weapon in one.weapons] for one in found.units[1].profiles] == arms


@covers("muster/faction-detachment", "muster/select-units", "core-concepts/faction-keywords")
def test_every_unit_has_the_faction_of_the_army() -> None:
    found = roster("line-squad")
    assert broken(found) == []
    other = replace(found, faction="rivals")
    assert [rule for rule, *_ in broken(other)] == ["muster/faction-detachment"] * 2


@covers("muster/sequence")
def test_what_is_not_known_is_refused_with_a_clear_word() -> None:
    for row in ({"unit": "dragon"}, {"unit": "line-squad", "weapons": {"catapult": 1}}):
        with pytest.raises(FileError):
            drawn([LEADER, row])


@covers("muster/sequence", "muster/battle-size")
def test_the_faults_are_told_before_the_battle() -> None:
    assert check_force(FORCES.plain("hammer-500"), {"points": 500}) == []
    assert check_force(FORCES.plain("hammer-500"), {"points": 400}) != []


# ---------------------------------------------------------------- setting out


@covers("mission/sequence", "core-concepts/unit", "a/army", "f/starting-strength")
def test_both_armies_begin_off_the_table_with_what_they_were_bought_with() -> None:
    force = FORCES.plain("spear-500")
    position = set_out(load_ruleset("w10"), Setup("w10", {}, (force, force), {"points": 500}))
    assert {m.where for m in position.models} == {RESERVE}
    assert [one.marks("start") for one in position.units if one.side == 0] == [1, 10, 5, 5, 1]
    assert sum(one.marks("points") for one in position.units if one.side == 1) == FORCES.named("spear-500").cost


@covers("muster/battle-size", "muster/sequence")
def test_a_roster_with_faults_is_not_set_out() -> None:
    force = FORCES.plain("incursion-1000")
    with pytest.raises(SetupError):
        set_out(load_ruleset("w10"), Setup("w10", {}, (force, force), {"points": 500}))


@covers("only-war/setup", "muster/battle-size")
def test_starters_set_rosters_of_the_same_size_against_each_other() -> None:
    for setup in starters():
        assert len({one["points"] for one in setup.forces}) == 1
        assert set_out(load_ruleset("w10"), setup).result is None


@covers("only-war/terrain", "terrain/footprint", "only-war/setup", "core-concepts/battlefield")
def test_every_layout_lies_on_the_table_and_is_the_same_from_both_sides() -> None:
    wide, deep = table_size()
    for name in LAYOUTS.names():
        pieces = layout_named(name)
        corners = [point for piece in pieces for point in piece.outline]
        assert all(0 <= x <= wide and 0 <= y <= deep for x, y in corners)
        assert sorted((round(x, 3), round(y, 3)) for x, y in corners) == sorted(
            (round(wide - x, 3), round(deep - y, 3)) for x, y in corners
        )


@covers("training/use", "datasheet/model-profile", "datasheet/weapon-profile")
def test_one_of_each_training_datasheet_and_the_carrier_are_a_thousand_points() -> None:
    sheets = sheets_named("training").units
    assert {f"training/{name}" for name in sheets} == {name for name in profiles() if name.startswith("training/")}
    others = [one for name, one in sheets.items() if name not in ("carrier", "flyer")]
    assert sum(max(one.sizes.values()) for one in others) == 1000 - CARRIER
