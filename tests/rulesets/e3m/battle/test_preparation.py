"""Chapters "armies" and "setup"."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.setup.agreed import SetupError
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.e3m.armies.army import ARMIES
from campale.rulesets.e3m.armies.forces import FORCES
from campale.rulesets.e3m.armies.lists import LISTS, army_list, profiles, weapons
from campale.rulesets.e3m.armies.offers import offers
from campale.rulesets.e3m.armies.setting_out import set_out, starters
from campale.rulesets.e3m.battle.preparation import (
    candidates,
    fault_of_piece,
    misplaced,
    next_to_deploy,
    pieces_wanted,
)
from campale.rulesets.e3m.battle.scenery import LAYOUTS, PRESETS, layout_named, scenery_piece, table_size
from campale.rulesets.e3m.battle.zones import zone_of
from campale.rulesets.e3m.command.units import COMMANDER, GROUP, LEADS
from campale.rulesets.e3m.movement.sight import NONE, save_of
from tests.rulesets.e3m.kit import piece, squad, table, unit

covers = pytest.mark.covers

WARDENS: dict[str, Any] = FORCES.plain("citadel-wardens-600")


def with_units(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**WARDENS, "units": list(rows), **more}


def rules_against(force: dict[str, Any], cap: int = 1000) -> list[str]:
    return [fault.rule for fault in ARMIES.faults(FORCES.from_plain(force), cap)]


# ---------------------------------------------------------------- armies


@covers("armies/ready-forces", "armies/list-format", "setup/forces")
def test_the_ready_forces_cost_what_the_ledger_says() -> None:
    assert FORCES.named("citadel-wardens-600").cost == 592
    assert FORCES.named("rust-clans-600").cost == 595
    for name in FORCES.names():
        assert ARMIES.faults(FORCES.named(name)) == ()


@covers("armies/citadel-wardens", "armies/levy-regiment")
@covers("armies/rust-clans", "armies/tide-corsairs", "armies/burrow-brood")
@covers("hierarchy/army-lists", "base-profile/characteristics", "base-profile/vehicles")
@pytest.mark.parametrize(
    ("profile", "values"),
    [
        ("citadel-wardens/line-warden", {"ws": 4, "bs": 4, "s": 4, "t": 4, "ld": 8, "save": 3, "points": 21}),
        ("citadel-wardens/biker", {"t": 5, "bare_t": 4, "kind": "light", "gear": "wheeled", "points": 33}),
        (
            "citadel-wardens/gun-tank",
            {"front": 13, "side": 11, "rear": 10, "bs": 4, "points": 104, "main_weapons": (0,)},
        ),
        ("levy-regiment/siege-tank", {"front": 14, "points": 145, "main_weapons": (0,)}),
        ("levy-regiment/lancer", {"kind": "cavalry", "points": 11}),
        ("rust-clans/clan-chief", {"ws": 5, "s": 5, "w": 3, "role": "commander", "points": 50}),
        ("rust-clans/clan-wagon", {"is_open_topped": True, "capacity": 20, "main_weapons": (0,)}),
        ("tide-corsairs/gun-skiff", {"gear": "flying", "points": 104, "main_weapons": (0, 1, 2)}),
        ("burrow-brood/crusher", {"kind": "great", "s": 10, "t": 6, "w": 4, "points": 82}),
    ],
)
def test_profiles_are_those_of_the_lists(profile: str, values: dict[str, Any]) -> None:
    found = profiles()[profile]
    assert {name: getattr(found, name) for name in values} == values


@covers("hierarchy/command-radius-table", "hierarchy/radius-other-armies", "hierarchy/inch-mark")
def test_the_command_radii() -> None:
    radii = {name: army_list(name).radius for name in LISTS.names()}
    assert radii == {
        "citadel-wardens": 12,
        "levy-regiment": 10,
        "rust-clans": 8,
        "tide-corsairs": 12,
        "burrow-brood": 10,
    }


@covers("base-profile/weapons")
@pytest.mark.parametrize(
    ("weapon", "is_heavy"), [("missile-launcher", True), ("battle-rifle", False), ("siege-gun", False)]
)
def test_a_heavy_weapon_is_one_with_a_heavy_line(weapon: str, is_heavy: bool) -> None:
    assert weapons()[weapon].is_heavy is is_heavy


@covers("base-weapons/small-arms-table", "base-weapons/heavy-table", "base-weapons/close-combat")
def test_the_arsenal() -> None:
    found = weapons()
    assert len(found) == 50
    line = found["missile-launcher"].lines
    assert [(one.range, one.strength, one.ap, one.is_marker) for one in line] == [(48, 4, 6, True), (48, 8, 3, False)]
    assert [one for one in found.values() if one.is_heavy and not one.lines] == []
    assert found["siege-gun"].lines[0].is_marker


def in_groups(**sizes: int) -> list[dict[str, Any]]:
    """A captain, and units of scouts in groups of such sizes, each with its leader first."""
    rows: list[dict[str, Any]] = [{"unit": "captain", "id": "captain"}]
    for group, size in sizes.items():
        names = [f"{group}{k}" for k in range(size)]
        rows += [{"unit": "scout", "id": one, "size": 5, "group": group, "leads": one == names[0]} for one in names]
    return rows


def changed(rows: list[dict[str, Any]], id: str, **more: Any) -> list[dict[str, Any]]:
    return [{**row, **more} if row["id"] == id else row for row in rows]


LEGAL = in_groups(A=2, B=2)
CARRIER = {"unit": "carrier", "id": "carrier", "group": "A"}
BULWARKS = {"unit": "bulwark", "id": "bulwarks", "size": 5, "group": "A"}
WARDENS_OF_TEN = {"unit": "line-warden", "id": "wardens", "size": 10, "group": "A"}


@covers("hierarchy/army-composition", "hierarchy/group-composition", "hierarchy/army-lists")
@covers("hierarchy/group-leader", "hierarchy/commander-role")
@covers("hierarchy/unit-composition", "armies/list-format")
@covers("hierarchy/attach-detach", "base-vehicle/transport")
@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (LEGAL, []),
        (LEGAL[1:], [("hierarchy/army-composition", 0, 1)]),
        ([*LEGAL, {"unit": "captain", "id": "second"}], [("hierarchy/army-composition", 2, 1)]),
        (in_groups(A=2), [("hierarchy/army-composition", 1, 2)]),
        (in_groups(A=1, B=2), [("hierarchy/group-composition", 1, 2)]),
        (in_groups(A=4, B=2), []),
        (in_groups(A=5, B=2), [("hierarchy/army-lists", 5, 4)]),
        (changed(LEGAL, "A0", leads=False), [("hierarchy/group-leader", 0, 1)]),
        (changed(LEGAL, "A1", leads=True), [("hierarchy/group-leader", 2, 1)]),
        (changed(in_groups(A=3, B=2), "A2", group=""), [("hierarchy/army-composition", 0, 1)]),
        (changed(LEGAL, "A1", size=10), []),
        (changed(LEGAL, "A1", size=11), [("hierarchy/unit-composition", 11, 10)]),
        (changed(LEGAL, "A1", size=4), [("hierarchy/unit-composition", 4, 5)]),
        ([*LEGAL, {**WARDENS_OF_TEN, "weapons": {"beam-cannon": 2}}], []),
        ([*LEGAL, {**WARDENS_OF_TEN, "weapons": {"beam-cannon": 3}}], [("armies/list-format", 3, 2)]),
        ([*LEGAL, {"unit": "biker", "id": "bikes", "group": "A"}], []),
        (
            [*LEGAL, {"unit": "biker", "id": "bikes", "group": "A", "equipment": ["krak-grenades"]}],
            [("armies/list-format", 1, 0)],
        ),
        (changed(LEGAL, "captain", joins="A0"), []),
        ([*changed(LEGAL, "captain", joins="carrier"), CARRIER], [("hierarchy/attach-detach", 1, 0)]),
        ([*LEGAL, CARRIER, {**BULWARKS, "aboard": "carrier"}], []),
        ([*LEGAL, CARRIER, {**BULWARKS, "size": 6, "aboard": "carrier"}], [("base-vehicle/transport", 12, 10)]),
    ],
)
def test_what_is_wrong_with_a_force(rows: list[dict[str, Any]], found: list[tuple[str, float, float]]) -> None:
    force = FORCES.from_plain(with_units(*rows))
    assert [(one.rule, one.measured, one.limit) for one in ARMIES.faults(force, 2000)] == found


@covers("hierarchy/commander-role")
def test_a_commander_leads_no_group() -> None:
    rows = changed(changed(LEGAL, "captain", group="A", leads=True), "A0", leads=False)
    assert "hierarchy/commander-role" in rules_against(with_units(*rows), 2000)
    assert "hierarchy/commander-role" not in rules_against(with_units(*LEGAL), 2000)


@covers("armies/list-format")
@pytest.mark.parametrize(("guns", "broken"), [(1, []), (2, ["armies/list-format"])])
def test_one_in_ten_scrappers_may_carry_a_rocket_tube(guns: int, broken: list[str]) -> None:
    clans = FORCES.plain("rust-clans-600")
    rows = [
        {**row, "size": 10, "weapons": {"rocket-tube": guns}} if row["unit"] == "scrapper" else row
        for row in clans["units"]
    ]
    first = next(row for row in rows if row["unit"] == "scrapper")
    rows = [row if row is first or row["unit"] != "scrapper" else {**row, "weapons": {}} for row in rows]
    assert rules_against({**clans, "units": rows}, 3000) == broken


@covers("setup/forces")
def test_points_are_what_was_agreed() -> None:
    assert rules_against(WARDENS, 592) == []
    assert rules_against(WARDENS, 591) == ["setup/forces"]
    assert ARMIES.check(WARDENS, {"points": 600}) == []
    assert "591" in str(ARMIES.check(WARDENS, {"points": 591})[0])
    assert "wizard" in str(ARMIES.check(with_units({"unit": "wizard"}), {})[0])


def test_a_set_up_that_cannot_be_is_refused() -> None:
    ruleset = load_ruleset("e3m")
    with pytest.raises(SetupError, match="two armies"):
        set_out(ruleset, Setup("e3m", {}, (WARDENS,)))
    with pytest.raises(SetupError, match="mission"):
        set_out(ruleset, Setup("e3m", {}, (WARDENS, WARDENS), {"mission": "tea"}))
    with pytest.raises(SetupError, match="layout"):
        set_out(ruleset, Setup("e3m", {}, (WARDENS, WARDENS), {"scenery": "moon"}))


@covers("armies/ready-forces")
def test_every_two_armies_of_like_points_meet_in_every_mission() -> None:
    found = sorted((*(force["list"] for force in one.forces), one.agreed["mission"]) for one in starters())
    small = [("citadel-wardens", "rust-clans")]
    large = [("burrow-brood", "levy-regiment"), ("burrow-brood", "tide-corsairs"), ("levy-regiment", "tide-corsairs")]
    assert found == sorted(
        (*pair, mission) for pair in small + large for mission in ("attrition", "centre", "quarters")
    )


@covers("setup/table")
def test_a_battle_begins_on_a_table_of_its_size_with_nobody_on_it() -> None:
    position = set_out(load_ruleset("e3m"), Setup("e3m", {}, (WARDENS, WARDENS), {"scenery": "green-fields"}))
    assert (position.ground.width, position.ground.depth) == (72.0, 48.0)
    assert position.on_table() == []
    assert position.now["turn"] == 0


@covers("hierarchy/unit-leader", "hierarchy/group-leader", "hierarchy/special-models", "armies/ready-forces")
def test_the_first_position_has_groups_leaders_and_attached_models() -> None:
    clans = FORCES.plain("rust-clans-600")
    position = set_out(load_ruleset("e3m"), Setup("e3m", {}, (WARDENS, clans), {"scenery": "green-fields"}))
    assert sum(m.marks(COMMANDER) for m in position.models) == 2
    assert sorted({one.marks(GROUP) for one in position.units}) == [0, 1, 2, 3, 4]
    leaders = [m for m in position.models if m.marks(LEADS)]
    assert [m.name for m in leaders] == ["Line warden", "Leaper", "Champion", "Scrapper"]
    assert leaders[2].unit.name == "Brawler"


# ---------------------------------------------------------------- setup


@covers("setup/terrain-pieces", "terrain/classes", "terrain/cover-saves")
def test_the_starter_pieces() -> None:
    assert table_size() == (72, 48)
    assert len(PRESETS) == 10
    saves = {kind: save_of(scenery_piece(kind, (20.0, 20.0))) for kind in PRESETS}
    assert saves["wood"] == 5
    assert saves["wall"] == saves["ruin"] == 4
    assert saves["building"] == NONE
    assert [len(layout_named(name)) for name in LAYOUTS.names()] == [12, 10, 10]


@covers("setup/table")
@pytest.mark.parametrize(("agreed", "laid"), [({}, 10), ({"pieces": 8}, 8), ({"pieces": 12}, 12)])
def test_as_many_pieces_are_laid_as_was_agreed(agreed: dict[str, Any], laid: int) -> None:
    setup = Setup("e3m", {}, (WARDENS, WARDENS), {"scenery": "lot", **agreed})
    position = set_out(load_ruleset("e3m"), setup)
    assert pieces_wanted(position) == laid
    term = offers().term("pieces")
    assert term is not None
    assert term.allows(laid)


@covers("setup/table")
@pytest.mark.parametrize("many", [7, 13, "ten"])
def test_fewer_than_eight_pieces_or_more_than_twelve_cannot_be_agreed(many: Any) -> None:
    term = offers().term("pieces")
    assert term is not None
    assert not term.allows(many)
    with pytest.raises(SetupError, match="8 to 12 pieces"):
        set_out(load_ruleset("e3m"), Setup("e3m", {}, (WARDENS, WARDENS), {"scenery": "players", "pieces": many}))


@covers("setup/table")
@pytest.mark.parametrize(("at", "faulty"), [((23.5, 20), True), ((24, 20), False), ((2.9, 40), True)])
def test_pieces_lie_on_the_table_six_inches_apart(at: tuple[float, float], faulty: bool) -> None:
    position = table(squad("scout", 1), pieces=[piece("rubble", 12, 20)])
    assert (fault_of_piece(position, piece("rubble", *at)) is not None) is faulty
    for x, y, turn in list(candidates(position, "wood"))[:20]:
        assert fault_of_piece(position, piece("wood", x, y, turn)) is None


@covers("setup/deployment", "base-general/coherency", "base-move/impassable", "base-move/through-models")
def test_a_unit_is_placed_in_its_zone_on_free_ground_together() -> None:
    position = table(
        squad("scout", 2, at=(60, 40)), squad("brawler", 1, side=1, at=(5, 5)), pieces=[piece("building", 40, 6)]
    )
    assert zone_of(position, 0) == (0, 0, 72, 12)
    models = unit(position, 0).models

    def barred(*there: tuple[float, float]) -> str:
        refusal = misplaced(models, [(x, y, 0.0) for x, y in there])
        return "" if refusal is None else refusal.rule

    assert barred((20, 11.5), (21.5, 11.5)) == ""
    assert barred((20, 11.6), (21.5, 11.5)) == "setup/deployment"
    assert barred((21.0, 5), (24.1, 5)) == "base-general/coherency"
    assert barred((20, 5), (20.9, 5)) == "base-move/through-models"
    assert barred((40, 8.9), (41.5, 8.9)) == "base-move/impassable"


@covers("setup/deployment", "vehicles/wheeled-obstacles")
@pytest.mark.parametrize(
    ("name", "kind", "cited"),
    [
        ("clan-buggy", "wood", "vehicles/wheeled-obstacles"),
        ("clan-buggy", "hedge", "vehicles/wheeled-obstacles"),
        ("biker", "wood", "vehicles/wheeled-obstacles"),
        ("clan-buggy", "crops", ""),
        ("clan-buggy", "building", "base-move/impassable"),
        ("gun-tank", "wood", ""),
        ("scout", "wood", ""),
    ],
)
def test_wheels_are_not_deployed_on_obstacles(name: str, kind: str, cited: str) -> None:
    own = squad(name, 1, at=(60, 40))
    position = table(own, squad("brawler", 1, side=1, at=(5, 40)), pieces=[piece(kind, 20, 6)])
    refusal = misplaced(unit(position, 0).models, [(20, 6, 0.0)])
    assert ("" if refusal is None else refusal.rule) == cited


@covers("setup/deployment", "setup/mission")
def test_groups_are_deployed_in_turn_and_special_models_last() -> None:
    clans = FORCES.plain("rust-clans-600")
    position = set_out(load_ruleset("e3m"), Setup("e3m", {}, (WARDENS, clans), {"scenery": "green-fields"}))
    names = [[unit(position, row).name for row in rows] for rows in next_to_deploy(position, 0)]
    assert names == [["Line warden", "Carrier"], ["Leaper", "Scout", "Skimmer"]]
    for one in position.models:
        if one.side == 0 and one.name != "Captain":
            position.move_to(one, 5.0 + one.row, 5.0)
    assert [[unit(position, row).name for row in rows] for rows in next_to_deploy(position, 0)] == [["Captain"]]
