"""Chapters "armies", "setup", "turn", "sequence" and "victory"."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.setup.agreed import SetupError
from campale.mechanics.setup.drawing_up import deploy_question, standing
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.e3m.armies.army import ARMIES
from campale.rulesets.e3m.armies.forces import FORCES
from campale.rulesets.e3m.armies.lists import LISTS, army_list, profiles, weapons
from campale.rulesets.e3m.armies.offers import offers
from campale.rulesets.e3m.armies.setting_out import set_out, starters
from campale.rulesets.e3m.assault import result
from campale.rulesets.e3m.assault.moves import may_assault
from campale.rulesets.e3m.battle.missions import (
    attrition,
    counts,
    end_if_wiped_out,
    quarters_held,
    units_at_the_centre,
)
from campale.rulesets.e3m.battle.missions import (
    finish as end_battle,
)
from campale.rulesets.e3m.battle.preparation import (
    candidates,
    choose_mission,
    drawing_up,
    fault_of_piece,
    misplaced,
    next_to_deploy,
    pieces_wanted,
)
from campale.rulesets.e3m.battle.scenery import LAYOUTS, PRESETS, layout_named, scenery_piece, table_size
from campale.rulesets.e3m.battle.zones import zone_of
from campale.rulesets.e3m.command.units import ACTED, COMMANDER, GROUP, LEADS
from campale.rulesets.e3m.fire.kinds import KINDS
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.movement.sight import NONE, save_of
from campale.rulesets.e3m.turn.sequence import (
    BY_NAME,
    STEPS,
    assaulting,
    begin_declarations,
    begin_recovery,
    defending,
    end_turn,
    preparing,
    step,
    tell_idle,
    to_act,
)
from campale.screen.scene import result_of
from campale.table.measure import overlaps_outline
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Piece
from tests.rulesets.e3m.kit import finish, left, model, piece, play, squad, table, unit
from tests.screen.test_scene import teller_of

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


# ---------------------------------------------------------------- the turn


@covers("sequence/turn-order", "turn/simultaneous-phases")
@covers("initiative/declarations-use-movement", "initiative/third-draw-scope")
def test_the_steps_of_a_turn_and_where_a_chit_is_drawn() -> None:
    assert [one.name for one in STEPS] == [
        *("recovery", "command", "preparatory", "movement", "declarations", "defensive", "advancing"),
        *("assault", "melees"),
    ]
    assert [one.name for one in STEPS if one.draws] == ["preparatory", "movement", "defensive", "assault"]
    assert [one.name for one in STEPS if one.by_group] == ["movement", "declarations", "assault"]


@covers("turn/alternate-elements", "turn/leftover-elements", "turn/eligible-elements", "turn/no-passing")
def test_elements_alternate_and_the_larger_side_finishes_alone() -> None:
    position = table(
        squad("line-warden", 2, at=(10, 20)),
        squad("line-warden", 2, at=(20, 20)),
        squad("scrapper", 2, side=1, at=(15, 30)),
        squad("scrapper", 2, side=1, at=(25, 30), order="ready"),
    )
    row = BY_NAME["preparatory"]
    assert preparing(position, 1) == [2]
    assert to_act(position, row)[1] == 0
    position.now["last"] = 0
    assert to_act(position, row)[1] == 1
    unit(position, 2).mark("acted", 1)
    assert to_act(position, row)[1] == 0
    unit(position, 0).mark("acted", 1)
    unit(position, 1).mark("acted", 1)
    assert to_act(position, row)[1] is None


@covers("initiative/element-chits", "orders/reveal", "turn/no-passing")
def test_the_element_of_a_chit_opens_and_a_unit_named_shows_its_order() -> None:
    position = table(
        squad("line-warden", 2, at=(10, 20), order=None),
        squad("line-warden", 2, at=(20, 20), order="fire"),
        squad("scrapper", 2, side=1, at=(15, 30)),
        opens=0,
    )
    position.declare("secret-0", ((0, "fire"),))
    play(step(position), answers=[0], position=position)
    assert unit(position, 0).note("order") == "fire"
    assert position.declared["doing"] == (("fire", 0, "preparatory"),)
    play(step(position), answers=[["hold"]], position=position)
    assert unit(position, 0).marks("acted") == 1
    assert (position.now["last"], position.now["opens"]) == (0, -1)


@covers("sequence/step-1-recovery", "sequence/recover-from-ground", "sequence/end-of-turn")
def test_halts_are_lifted_and_markers_cleared() -> None:
    position = table(
        squad("scout", 1, order="halt", marks={"moved": 1, "fired": 1}),
        squad("scout", 1, at=(20, 10), order="retreat"),
        squad("scout", 1, at=(30, 10), order="march"),
    )
    end_turn(position)
    assert position.now["turn"] == 3
    assert [unit(position, row).note("order") for row in range(3)] == ["halt", "retreat", None]
    assert unit(position, 0).marks("moved") == 0
    play(begin_recovery(position))
    assert unit(position, 0).note("order") is None
    assert position.declared["doing"] == (("rally", 1),)


# ---------------------------------------------------------------- victory


@covers("setup/game-length")
def test_a_side_without_models_has_lost_at_once_and_after_six_turns_the_mission_decides() -> None:
    position = table(squad("scout", 1), squad("brawler", 1, side=1, at=(10, 40)), mission="attrition", turn=6)
    end_if_wiped_out(position)
    assert not position.result
    end_turn(position)
    assert position.result
    wiped = table(squad("scout", 1), squad("brawler", 1, side=1, at=(10, 40)))
    lose_model(model(wiped, 1), "fire")
    end_if_wiped_out(wiped)
    assert wiped.result is not None
    assert wiped.result.winner == 0


@covers("victory/scoring-units")
def test_which_units_count() -> None:
    position = table(
        squad("scout", 4),
        squad("scout", 2, at=(10, 10), order="retreat"),
        squad("carrier", at=(50, 30), models={"immobilised": 1}),
    )
    assert [counts(unit(position, row)) for row in range(3)] == [True, False, False]
    for row in (0, 1):
        lose_model(model(position, row), "fire")
    assert counts(unit(position, 0))
    lose_model(model(position, 2), "fire")
    assert not counts(unit(position, 0))


@covers("victory/quarters")
def test_a_quarter_is_held_by_a_unit_wholly_inside_without_the_enemy() -> None:
    position = table(
        squad("scout", 1, at=(10, 10)),
        squad("scout", 1, at=(35.9, 40)),
        squad("scout", 1, at=(50, 10)),
        squad("brawler", 1, side=1, at=(60, 10)),
        squad("brawler", 1, side=1, at=(60, 40)),
    )
    assert [quarters_held(position, side) for side in (0, 1)] == [1, 1]


@covers("victory/centre")
def test_units_within_twelve_inches_of_the_centre_count() -> None:
    position = table(
        squad("scout", 1, at=(48.5, 24)), squad("scout", 1, at=(48.6, 30)), squad("brawler", 1, side=1, at=(36, 24))
    )
    assert [units_at_the_centre(position, side) for side in (0, 1)] == [1, 1]


@covers("victory/attrition")
def test_points_of_the_destroyed_the_routed_and_half_of_the_crippled() -> None:
    position = table(
        squad("scout", 1),
        squad("scrapper", 1, side=1, at=(10, 40)),
        squad("scrapper", 3, side=1, at=(20, 40)),
        squad("clan-wagon", side=1, at=(40, 40), models={"immobilised": 1}),
        squad("brawler", 1, side=1, at=(60, 40), order="retreat"),
        mission="attrition",
    )
    for row in (1, 2, 3):
        lose_model(model(position, row), "fire")
    assert attrition(position, 0) == 11 + 33 // 2 + 112 // 2 + 11
    assert left(position, 2) == 1
    end_battle(position)
    assert position.result is not None
    assert position.result.winner == 0


# ---------------------------------------------------------------- what is asked in which step


@covers("sequence/step-2-command", "hierarchy/leader-loss", "orders/secret-orders")
def test_step_2_attaches_replaces_leaders_and_writes_orders() -> None:
    position = table(
        squad("scout", 1, at=(10, 10), order=None, group=1, models={LEADS: 1}),
        squad("brawler", 1, side=1, at=(30, 40), order=None, group=2, models={LEADS: 2}),
        phase="command",
        begun=0,
    )
    play(step(position))
    assert [frame[0] for frame in reversed(position.declared["doing"])] == [
        *("attach", "attach", "leaders", "orders", "orders-given"),
    ]


@covers("fire/opportunity-order", "fire/opportunity-windows")
def test_at_the_end_of_a_step_ready_units_fire_in_turn_until_both_pass() -> None:
    position = table(
        squad("line-warden", 2, at=(20, 20), order="ready"), squad("scrapper", 2, side=1, at=(20, 34), order="ready")
    )
    position.declare("doing", (("step-end", 1, 0),))
    played = finish(position, "1 1", [1, ["area", [20.5, 20.5, 2]], "nobody"])
    assert [question.side for question in played.questions if question.prompt == "step-end-fire"] == [1, 0]
    assert unit(position, 1).marks("watched") == 1
    assert unit(position, 0).marks("watched") == 0


@covers("fire/opportunity-after-melee")
def test_after_a_melee_the_side_with_the_initiative_is_asked_first() -> None:
    position = table(
        squad("line-warden", 2, at=(20, 20), order="ready"),
        squad("scrapper", 2, side=1, at=(20, 34), order="ready"),
        phase="melees",
        first=1,
    )
    position.declare("doing", (("after-melee",),))
    played = finish(position, "", ["nobody", "nobody"])
    assert [(question.prompt, question.side) for question in played.questions] == [
        *(("step-end-fire", 1), ("step-end-fire", 0)),
    ]


@covers("fire/opportunity-once", "fire/opportunity-windows")
def test_a_unit_that_is_named_and_holds_its_fire_is_not_named_again() -> None:
    position = table(
        squad("line-warden", 2, at=(20, 20), order="ready"), squad("scrapper", 2, side=1, at=(20, 34), order="ready")
    )
    position.declare("doing", (("step-end", 1, 0),))
    played = finish(position, "", [1, ["hold"], 0, ["hold"]])
    asked = [(question.prompt, question.side) for question in played.questions]
    assert asked == [("step-end-fire", 1), ("fire.opportunity", 1), ("step-end-fire", 0), ("fire.opportunity", 0)]
    assert [unit(position, row).marks("watched") for row in (0, 1)] == [1, 1]


@covers("initiative/melee-order", "sequence/step-8-melee", "fire/opportunity-after-melee")
def test_melees_are_picked_in_turn_and_ready_units_may_fire_after_each() -> None:
    position = table(
        squad("scout", 1, at=(10, 20)),
        squad("brawler", 1, side=1, at=(10, 21)),
        squad("scout", 1, at=(30, 20)),
        squad("brawler", 1, side=1, at=(30, 21)),
        phase="melees",
        first=1,
        last=-1,
    )
    play(step(position), answers=[2], position=position)
    assert position.now["last"] == 1
    assert position.declared["doing"] == (("melee", (2, 3)),)
    play(step(position), "1 1 | 1 1 1", accepting=True)
    assert ("after-melee",) in position.declared["doing"]
    play(result.next_melee(position))
    assert position.declared["doing"][-1] == ("melee", (0, 1))


@covers("assault/defensive-fire-effects", "orders/forced-halt-limits")
def test_an_assaulter_that_breaks_or_is_halted_drops_its_assault() -> None:
    for dice in ("3 3", "6 6"):
        position = table(
            squad("scout", 4, at=(20, 20), order="assault"), squad("brawler", 2, side=1, at=(20, 26)), phase="defensive"
        )
        position.declare("assaults", ((0, (1,)),))
        lose_model(model(position, 3), "fire")
        position.declare("doing", (("tests", (), 0),))
        finish(position, dice)
        assert not may_assault(unit(position, 0))


@covers("base-general/model-bases", "general/third-edition-base")
@pytest.mark.parametrize(
    ("kind", "radius"), [("line-warden", 0.5), ("bulwark", 0.8), ("lancer", 0.8), ("runner", 0.5), ("crusher", 1.2)]
)
def test_the_bases_of_men_heavy_troops_cavalry_and_great_creatures(kind: str, radius: float) -> None:
    assert model(table(squad(kind, 1)), 0).profile.shape == Circle(radius)


@covers("fire/kinds")
def test_kinds_of_fire_differ_in_strength_and_in_who_takes_part() -> None:
    full = {name for name, kind in KINDS.items() if not kind.reduced}
    assert full == {"preparatory", "opportunity"}
    assert [kind.name for kind in KINDS.values() if kind.snipes] == ["preparatory"]
    assert [kind.name for kind in KINDS.values() if kind.heavy == "none"] == ["advancing"]


# ---------------------------------------------------------------- who can act in the steps of the assault


@covers("turn/eligible-elements", "sequence/step-5-declaration")
@pytest.mark.parametrize(("marks", "able"), [({"stood": 1}, [1]), ({}, []), ({"stood": 1, "acted": 1}, [])])
def test_whoever_stands_under_a_declaration_may_fire_in_defence(marks: dict[str, int], able: list[int]) -> None:
    position = table(
        squad("scout", 3, at=(20, 20), order="assault"), squad("scrapper", 3, side=1, at=(20, 25), marks=marks)
    )
    position.declare("assaults", ((0, (1,)),))
    assert defending(position, 1) == able
    assert defending(position, 0) == []


@covers("turn/eligible-elements", "sequence/step-7-assault")
def test_groups_with_a_unit_that_may_assault_act_in_step_7() -> None:
    position = table(
        squad("scout", 3, at=(20, 20), order="assault", group=1), squad("scout", 3, at=(40, 20), order="fire", group=2)
    )
    assert assaulting(position, 0) == [1]
    unit(position, 0).mark("acted", 1)
    assert assaulting(position, 0) == []


@covers("vehicles/moved-status")
@pytest.mark.parametrize(("gone", "is_fast"), [(0.0, 0), (4.0, 1)])
def test_what_a_vehicle_did_in_the_turn_before_is_forgotten_if_it_stayed(gone: float, is_fast: int) -> None:
    position = table(squad("carrier", at=(20, 20), models={"fast": 1}))
    model(position, 0).jot("gone", gone)
    play(begin_declarations(position))
    assert model(position, 0).marks("fast") == is_fast


@covers("setup/mission")
@pytest.mark.parametrize(("die", "mission"), [("2", "quarters"), ("3", "centre"), ("4", "centre"), ("5", "attrition")])
def test_a_die_chooses_the_mission_where_none_is_agreed_on(die: str, mission: str) -> None:
    position = table(squad("scout", 1))
    position.now.pop("mission", None)
    play(choose_mission(position), die)
    assert position.now["mission"] == mission
    position.now["mission"] = "centre"
    play(choose_mission(position))
    assert position.now["mission"] == "centre"


@covers("setup/mission")
@pytest.mark.parametrize(("side", "winner"), [(0, 0), (1, 1)])
def test_the_mission_decides_who_has_won(side: int, winner: int) -> None:
    near, far = (36, 24), (70, 46)
    position = table(
        squad("scout", 2, at=near if side == 0 else (2, 2)),
        squad("brawler", 2, side=1, at=near if side == 1 else far),
        mission="centre",
    )
    end_battle(position)
    assert position.result is not None
    assert (position.result.winner, position.result.rule) == (winner, "victory/centre")
    assert position.result.counts == {"score": [1 - side, side]}
    assert (
        result_of(position, teller_of(position))
        == f"The battle is over: {['Red', 'Blue'][winner]} wins (score Red {1 - side}, Blue {side})."
    )


@pytest.mark.parametrize(("name", "shuns"), [("scout", False), ("lancer", True), ("leaper", True), ("jetbike", True)])
def test_difficult_ground_is_proposed_last_to_whom_it_is_dangerous(name: str, shuns: bool) -> None:
    def first(*pieces: Piece) -> list[Solid]:
        own = squad(name, 3, at=[(50, 40), (55, 40), (60, 40)])
        position = table(own, squad("brawler", 1, side=1, at=(5, 5)), pieces=pieces)
        models = unit(position, 0).models
        question = deploy_question(drawing_up(unit(position, 0), models), "deploy", {})
        return standing(models, question.suggestions()[0], 2.0)

    usual = first()
    wood = piece("wood", usual[1].x, usual[1].y)
    assert "difficult" in wood.tags
    assert any(overlaps_outline(one, wood.outline) for one in first(wood)) is not shuns


@covers("turn/no-passing")
@pytest.mark.parametrize(
    ("happens", "lost", "told"),
    [(False, (), [(0, 1)]), (True, (), []), (False, (0,), [(1,)]), (False, (0, 1), [])],
)
def test_the_journal_says_who_was_to_act_and_did_nothing(happens: bool, lost: tuple[int, ...], told: list[Any]) -> None:
    position = table(squad("scout", at=(20, 10)), squad("scout", at=(30, 10)), squad("brawler", side=1, at=(20, 40)))
    for row in lost:
        position.remove(position.model(row), "fire")
    position.reveal("goes", side=0, phase="movement")
    for row in (0, 1):
        unit(position, row).mark(ACTED, 1)
    if happens:
        position.write("fires", unit=0, fire="preparatory")
    tell_idle(position)
    tell_idle(position)
    assert position.journal is not None
    found: list[Any] = [event.values["units"] for event in position.journal.events if event.kind == "idle"]
    assert [tuple(rows) for rows in found] == told
