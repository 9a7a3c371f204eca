"""Before the battle: terrain, edges, deployment, infiltrators, Resource cards (setup/*)."""

from __future__ import annotations

import math
from dataclasses import asdict
from itertools import combinations
from typing import Any

import pytest

from campale.mechanics.setup.agreed import SetupError
from campale.mechanics.setup.drawing_up import deploy_question, standing
from campale.mechanics.setup.edges import edge_of
from campale.mechanics.setup.laying import apart
from campale.mechanics.units import in_reserve
from campale.referee.position import RESERVE, Position
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.wzr.abilities import infiltration
from campale.rulesets.wzr.abilities.infiltration import infiltrate
from campale.rulesets.wzr.armies.forces import FORCES
from campale.rulesets.wzr.armies.setting_out import set_out, setup_seen_by, starters
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle import deployment
from campale.rulesets.wzr.battle.deployment import deploy, drawing_up, in_line
from campale.rulesets.wzr.battle.laying import WANTED, fault_of_piece, lay_scenery, open_kinds
from campale.rulesets.wzr.battle.missions import MISSIONS
from campale.rulesets.wzr.battle.scenery import LAYOUTS, layout_named, piece_from, scenery_piece, table_size
from campale.rulesets.wzr.battle.setup import (
    STAGES,
    choose_mission,
    first_hands,
    objectives,
    pregame_initiative,
    resources,
)
from campale.rulesets.wzr.structures.access import access_points, admits, is_access, is_closed
from campale.rulesets.wzr.structures.pieces import full_ps
from campale.table.measure import overlaps_outline
from campale.table.shapes import Solid
from campale.table.terrain import Ground, Piece, faults
from tests.rulesets.played import PROPOSAL, play, question_after
from tests.rulesets.wzr.worlds import Squad, piece, pieces, squad, table, unit

covers = pytest.mark.covers


def begun(**agreed: Any) -> Position:
    """The two ready armies, off the table."""
    forces = tuple(FORCES.plain(name) for name in ("megacorporation", "dark-legion"))
    return set_out(load_ruleset("wzr"), Setup("wzr", {}, forces, {"points": 500, **agreed}))


def waiting(*squads: Squad, pieces: tuple[Piece, ...] = (), **now: Any) -> Position:
    """These squads, still to be deployed."""
    for k, one in enumerate(squads):
        one.places = [(2.0 + 3.0 * n, 3.0 + 8.0 * k) for n in range(len(one.places))]
    position = table(*squads, pieces=pieces, deploys=0, pregame=0, **now)
    for model in position.models:
        position.take_off(model, RESERVE)
    return position


def refusal(position: Position, row: int, *places: tuple[float, ...]) -> str | None:
    """The rule that forbids to deploy a squad at some places."""
    models = [m for m in position.models if m.unit.row == row]
    spots = [(*at[:2], 0.0, *at[2:]) for at in places]
    found = deployment.misplaced(models, spots)
    return None if found is None else found.rule


# ---------------------------------------------------------------- setup/sequence, setup/table


@covers("setup/sequence")
def test_the_order_of_setting_up() -> None:
    assert tuple(STAGES) == (
        *("mission", "scenery", "objectives", "pregame"),
        *("deployment", "infiltration", "resources", "hands"),
    )


@covers("setup/table")
@pytest.mark.parametrize(("points", "width"), [(1000, 48.0), (1001, 72.0)])
def test_the_table_is_longer_for_more_than_a_thousand_points(points: int, width: float) -> None:
    assert table_size(points) == (width, 48.0)
    assert begun(scenery="lot", points=points).ground.width == width
    laid = begun(scenery="crossroads", points=points).ground
    assert laid.piece("ruins-11").outline[0][0] == width / 2.0 - 2.5, "a layout lies in the middle"


@covers("missions/choose")
def test_a_mission_is_rolled_for_where_none_is_agreed() -> None:
    position = begun()
    play(choose_mission(position), "8", (), position)
    assert position.now["mission"] == "strongpoints"
    settled = begun(mission="breakthrough")
    play(choose_mission(settled), "", (), settled)
    assert settled.now["mission"] == "breakthrough"


@covers("setup/modes")
def test_what_is_offered_of_options_begins_with_what_the_rules_begin_with() -> None:
    book = load_ruleset("wzr")
    assert {one.name: one.default for one in book.switches} == asdict(book.options)
    assert all(one.rule in book.ledger.entries for one in book.switches)


# ---------------------------------------------------------------- setup/terrain


@covers("setup/terrain")
def test_eight_pieces_are_laid_by_lot() -> None:
    position = begun(scenery="lot")
    assert sum(WANTED.values()) == 8
    kinds = ["woods", "woods", "scrub", "scrub", "scrub", "wall", "wall", "brick-building"]
    for kind in kinds:
        places = 0  # the first of the places that are left
        number = open_kinds(position).index(kind)
        play(lay_scenery(position), f"{number} {places}", (), position)
    assert [p.kind for p in position.ground.pieces if ":" not in p.name] == kinds
    assert play(lay_scenery(position), "", (), position).value is False


@covers("setup/terrain")
def test_the_winner_of_a_roll_off_lays_first_and_then_they_take_turns() -> None:
    position = begun(scenery="players")
    first = play(lay_scenery(position), "3 9", [["woods", [24, 24, 0]]], position)
    assert [question.side for question in first.questions if not question.is_chance] == [1]
    second = play(lay_scenery(position), "", [["scrub", [10, 10, 0]]], position)
    assert second.questions[0].side == 0


@covers("setup/terrain")
@pytest.mark.parametrize(("x", "lawful"), [(6.0, True), (5.9, False)])
def test_pieces_lie_three_inches_from_the_edge(x: float, lawful: bool) -> None:
    position = begun(scenery="players")
    assert (fault_of_piece(position, scenery_piece("scrub", (x, 20.0))) is None) is lawful


@covers("setup/terrain")
@pytest.mark.parametrize(("x", "lawful"), [(21.0, True), (20.9, False)])
def test_pieces_lie_three_inches_from_each_other(x: float, lawful: bool) -> None:
    position = table(squad("captain"), pieces=(piece("scrub", 12, 24),))
    assert (fault_of_piece(position, scenery_piece("scrub", (x, 24.0))) is None) is lawful


@covers("setup/terrain", "structures/decide-before", "structures/access-points")
@pytest.mark.parametrize("name", LAYOUTS.names())
def test_layouts_can_be_played_on_and_have_every_feature_settled(name: str) -> None:
    ground = Ground(*table_size(), layout_named(name))
    assert faults(ground) == []
    solid = [one for one in ground.pieces if not is_access(one)]
    assert all(apart(one, other) > 0.0 for one, other in combinations(solid, 2))
    assert all(one.tags for one in ground.pieces)
    for one in ground.pieces:
        assert ("intact" in one.tags) == bool(access_points(ground, one))


@covers("setup/terrain", "structures/intact", "structures/av-table")
def test_buildings_of_the_layouts_have_several_floors() -> None:
    tall = [one for name in LAYOUTS.names() for one in layout_named(name) if "intact" in one.tags]
    assert {len(one.floors) for one in tall} == {1, 2, 3}, "the roof counts as one here"
    office = next(one for one in tall if len(one.floors) == 3)
    assert [floor.z for floor in office.floors] == [3.0, 6.0, 9.0]
    assert full_ps(office) == 8 + 2 * 2


# ---------------------------------------------------------------- structures


@covers("structures/access-points", "structures/no-access")
def test_doors_let_small_and_medium_bases_through_and_windows_none() -> None:
    house, door, other, window, far = pieces("brick-building", 24, 24)
    assert [admits(door, base) for base in ("small", "medium", "large")] == [True, True, False]
    assert not any(admits(window, base) for base in ("small", "medium", "large"))
    ground = Ground(48.0, 48.0, (house, door, other, window, far))
    assert not is_closed(ground, house)
    assert is_closed(Ground(48.0, 48.0, (house,)), house)


@covers("structures/decide-before")
def test_a_scenario_may_draw_a_piece_of_any_form_with_known_features_only() -> None:
    drawn = {"name": "hall", "outline": [[0, 0], [4, 0], [4, 4], [0, 4]], "height": 3, "tags": ["intact", "row-wood"]}
    assert piece_from(drawn).tags == ("intact", "row-wood")
    with pytest.raises(ValueError, match="no tag"):
        piece_from({**drawn, "tags": ["steel"]})


# ---------------------------------------------------------------- setup/pregame-initiative


@covers("setup/pregame-initiative", "core/roll-off")
def test_the_winner_takes_an_edge_and_says_who_deploys_first() -> None:
    position = begun(mission="annihilation")
    played = play(pregame_initiative(position), "5 5 4 11", ["south", 0], position)
    assert [question.side for question in played.questions if not question.is_chance] == [1, 1]
    assert (edge_of(position, 1), edge_of(position, 0)) == ("south", "north")
    assert (position.now["pregame"], position.now["deploys"]) == (1, 0)


# ---------------------------------------------------------------- setup/deployment


@covers("setup/deployment")
def test_one_side_deploys_all_of_its_squads_and_then_the_other() -> None:
    position = waiting(squad("captain"), squad("walker"), squad("nepharite", side=1))
    sides = []
    while (played := play(deploy(position), "", (), position, accepting=True)).value:
        sides += [question.side for question in played.questions]
    assert sides == [0, 0, 0, 1], "the first of two, its place, the place of the other; then the enemy"
    assert all(m.is_on_table for m in position.models)


@covers("setup/deployment")
@pytest.mark.parametrize(("y", "rule"), [(11.4, None), (11.41, "setup/deployment")])
def test_squads_stand_wholly_within_twelve_inches_of_their_edge(y: float, rule: str | None) -> None:
    assert refusal(waiting(squad("captain")), 0, (24, y)) == rule


@covers("setup/deployment", "squads/coherency")
@pytest.mark.parametrize(("x", "rule"), [(18.2, None), (18.21, "squads/coherency")])
def test_squads_are_deployed_in_coherency_with_their_commander(x: float, rule: str | None) -> None:
    position = waiting(squad("riflemen", 2, at=[(1, 1), (3, 1)]))
    assert refusal(position, 0, (10, 5), (x, 5)) == rule, "half of 14 between the bases"


@covers("abilities/scatter", "squads/coherency")
@pytest.mark.parametrize(("x", "rule"), [(25.2, None), (25.21, "squads/coherency")])
def test_scatter_uses_the_whole_ld(x: float, rule: str | None) -> None:
    position = waiting(squad("yard-guard", 2, at=[(1, 1), (3, 1)]))
    assert refusal(position, 0, (10, 5), (x, 5)) == rule


@covers("setup/deployment", "movement/impassable")
@pytest.mark.parametrize(
    ("kind", "rule"),
    [("rock", "movement/impassable"), ("wall", "movement/impassable"), ("woods", None), ("ruins", None)],
)
def test_squads_stand_where_their_models_may(kind: str, rule: str | None) -> None:
    assert refusal(waiting(squad("captain"), pieces=(piece(kind, 24, 6),)), 0, (24, 6)) == rule


@covers("movement/basic", "setup/deployment")
def test_nobody_is_deployed_on_another_base() -> None:
    position = waiting(squad("captain"), squad("walker"))
    position.model(0).move_to(24, 6, None, 0.0, placed=True)
    assert refusal(position, 1, (25.59, 6)) == "movement/basic"
    assert refusal(position, 1, (25.61, 6)) is None


@covers("setup/deployment", "structures/intact", "structures/access-points")
@pytest.mark.parametrize(
    ("name", "at", "rule"),
    [
        ("captain", (24, 6), None),
        ("captain", (24, 6, 3.0), None),
        ("captain", (24, 6, 6.0), None),
        ("captain", (24, 6, 2.0), "structures/intact"),
        ("captain", (20, 6), "structures/intact"),
        ("captain", (20.61, 6), None),
        ("captain", (20.59, 6), "structures/intact"),
        ("behemoth", (24, 6), "structures/intact"),
        ("tank", (24, 6), "structures/intact"),
    ],
)
def test_whoever_gets_through_a_door_may_be_deployed_inside(name: str, at: tuple[float, ...], rule: str | None) -> None:
    position = waiting(squad(name), pieces=pieces("brick-building", 24, 6))
    assert refusal(position, 0, at) == rule


@covers("structures/no-access", "setup/deployment")
def test_nobody_is_deployed_inside_a_structure_without_access_points() -> None:
    house = piece("brick-building", 24, 6)
    assert refusal(waiting(squad("captain"), pieces=(house,)), 0, (24, 6)) == "movement/impassable"
    assert refusal(waiting(squad("captain"), pieces=(house,)), 0, (24, 6, 6.0)) is None, "its roof"


@covers("setup/deployment")
def test_two_squads_may_stand_above_each_other() -> None:
    position = waiting(squad("captain"), squad("medic"), pieces=pieces("brick-building", 24, 6))
    position.model(0).move_to(24, 6, 0.0, 0.0, placed=True)
    assert refusal(position, 1, (24, 6)) == "movement/basic"
    assert refusal(position, 1, (24, 6, 3.0)) is None


@covers("setup/deployment", "structures/intact")
def test_places_on_floors_are_proposed_too() -> None:
    position = waiting(squad("captain"), pieces=pieces("brick-building", 24, 6))
    question = question_after(deploy(position), "", ())
    heights = {spot[3] for answer in question.suggestions() for spot in answer if len(spot) > 3}
    assert heights >= {0.0, 3.0, 6.0}


# ---------------------------------------------------------------- later


@covers("abilities/rapid-deployment-reserve", "setup/deployment")
def test_a_squad_with_rapid_deployment_may_wait_in_reserve() -> None:
    position = waiting(squad("veterans", 4, abilities=["rapid-deployment"]))
    play(deploy(position), "", ["rapid-deployment"], position)
    assert unit(position, 0).marks(marks.HELD_BACK)
    assert play(deploy(position), "", (), position).value is False
    assert all(m.where == RESERVE for m in position.models)


@covers("abilities/infiltrate-when")
def test_infiltrators_come_last_one_squad_each_in_turn_from_the_winner_on() -> None:
    wood = piece("woods", 24, 24)
    mine = [squad("captain", abilities=["infiltration"]) for _ in range(2)]
    position = waiting(*mine, squad("sorcerer", side=1, abilities=["infiltration"]), pieces=(wood,))
    position.now["pregame"] = 1
    for one in position.units:
        one.mark(marks.INFILTRATES, 1)
    sides = []
    while (played := play(infiltrate(position), "", (), position, accepting=True)).value:
        sides.append(played.questions[-1].side)
    assert sides == [1, 0, 0]
    assert all(m.is_on_table for m in position.models)


def infiltrating(at: tuple[float, float], enemy: tuple[float, float] = (24.0, 40.0)) -> str | None:
    wood = piece("woods", 24, 24)
    position = waiting(squad("captain"), squad("nepharite", side=1), pieces=(wood,))
    position.model(1).move_to(*enemy, None, 180.0, placed=True)
    found = infiltration.misplaced([position.model(0)], [(*at, 0.0)])
    return None if found is None else found.rule


@covers("abilities/infiltrate-where")
@pytest.mark.parametrize(("x", "rule"), [(20.0, None), (19.91, None), (19.89, "abilities/infiltrate-where")])
def test_infiltrators_stand_at_least_partly_in_light_or_heavy_terrain(x: float, rule: str | None) -> None:
    assert infiltrating((x, 24)) == rule, "the woods begin at 20.5, and the base is 0.6 wide"


@covers("abilities/infiltrate-where", "movement/terrain-types")
@pytest.mark.parametrize(("kind", "rule"), [("scrub", None), ("ruins", None), ("bunker", "abilities/infiltrate-where")])
def test_a_building_is_no_terrain_to_infiltrate(kind: str, rule: str | None) -> None:
    position = waiting(squad("captain"), pieces=pieces(kind, 24, 24))
    found = infiltration.misplaced([position.model(0)], [(24.0, 24.0, 0.0)])
    assert (None if found is None else found.rule) == rule


@covers("abilities/infiltrate-where")
@pytest.mark.parametrize(("y", "rule"), [(37.41, None), (37.4, "abilities/infiltrate-where")])
def test_infiltrators_keep_more_than_twelve_inches_from_the_enemy(y: float, rule: str | None) -> None:
    assert infiltrating((24, 24), (24, y)) == rule, "12 between bases of 0.6 and 0.8"


@covers("abilities/infiltrate-where")
def test_infiltrators_who_find_no_place_come_to_their_zone() -> None:
    position = waiting(squad("captain"))
    unit(position, 0).mark(marks.INFILTRATES, 1)
    play(infiltrate(position), "", [PROPOSAL], position)
    assert position.model(0).y <= 11.4


# ---------------------------------------------------------------- setup/resources


@covers("setup/resources", "cards/resource-count", "army/warlord")
@pytest.mark.parametrize(
    ("name", "count"), [("captain", 6), ("nepharite", 8), ("works-marshal", 7), ("choirmaster", 8)]
)
def test_the_warlord_decides_how_many_resource_cards_there_are(name: str, count: int) -> None:
    position = table(squad(name), squad("walker", side=1, at=(24, 40)))
    play(resources(position), "", (), position)
    assert [position.holds(side, marks.RESOURCES) for side in (0, 1)] == [count, 0]


@covers("setup/no-loss-of-resources", "setup/resources")
def test_the_loss_of_the_warlord_takes_no_resource_card_away() -> None:
    position = table(squad("captain"), squad("riflemen", 5, at=(10, 20)), squad("walker", side=1, at=(24, 40)))
    play(resources(position), "", (), position)
    position.remove(position.model(0), "shot")
    position.remove(position.model(1), "shot")
    assert position.holds(0, marks.RESOURCES) == 6


@covers("setup/modes", "setup/sequence")
def test_only_the_advanced_game_has_hands() -> None:
    forces = tuple(FORCES.plain(name) for name in ("megacorporation", "dark-legion"))
    book = load_ruleset("wzr").with_options({"advanced": False})
    forces = ({**forces[0], "deck": {}}, forces[1])
    basic = set_out(book, Setup("wzr", {"advanced": False}, forces, {"points": 500}))
    play(first_hands(basic), "", (), basic)
    with pytest.raises(SetupError, match="cards/deck-build"):
        set_out(load_ruleset("wzr"), Setup("wzr", {}, forces, {"points": 500}))
    assert [len(basic.hand(side, marks.HAND)) for side in (0, 1)] == [0, 0]
    assert [len(begun().hand(side, marks.DECK)) for side in (0, 1)] == [35, 35]


@covers("setup/modes", "setup/sequence", "cards/deck-per-player")
def test_the_last_thing_before_an_advanced_battle_is_to_draw_five_cards_each() -> None:
    assert list(STAGES)[-1] == "hands"
    position = begun()
    play(first_hands(position), "0 1 2 3 4 | 4 3 2 1 0", (), position)
    assert [len(position.hand(side, marks.HAND)) for side in (0, 1)] == [5, 5]


@covers("setup/sequence", "missions/strongpoints")
@pytest.mark.parametrize(("mission", "count"), [("strongpoints", 3), ("annihilation", 0)])
def test_markers_lie_before_the_edges_are_chosen_in_one_mission(mission: str, count: int) -> None:
    names = list(STAGES)
    assert names.index("mission") < names.index("scenery") < names.index("objectives") < names.index("pregame")
    position = table(squad("captain"), squad("walker", side=1, at=(24, 40)), mission=mission)
    play(objectives(position), "", (), position)
    assert len(position.tokens) == count


# ---------------------------------------------------------------- the whole


@covers(
    "starter-forces/armies",
    "starter-forces/exercise-one",
    "starter-forces/exercise-two",
    "starter-forces/exercise-three",
)
def test_the_ready_armies_meet_in_every_mission() -> None:
    pairs = (
        ("megacorporation", "dark-legion"),
        ("exercise-megacorporation", "exercise-dark-legion"),
        ("drop-megacorporation", "dark-legion"),
    )
    found = [(one.agreed["mission"], one.forces) for one in starters()]
    assert found == [(name, (FORCES.plain(a), FORCES.plain(b))) for name in MISSIONS for a, b in pairs]
    assert all(len(set_out(load_ruleset("wzr"), one).units) for one in starters())


@covers("army/points", "cards/deck-build")
def test_lists_are_shown_and_decks_are_secret() -> None:
    setup = starters()[1]
    shown = setup_seen_by(1, setup)
    assert "deck" in setup.forces[0]
    assert "deck" not in shown.forces[0]
    assert shown.forces[0]["units"] == setup.forces[0]["units"]
    assert shown.forces[1] == setup.forces[1]


@pytest.mark.parametrize(
    ("kind", "abilities", "shuns"), [("woods", "", True), ("scrub", "", False), ("woods", "ranger", False)]
)
def test_heavy_ground_is_proposed_last_to_whom_it_holds_up(kind: str, abilities: str, shuns: bool) -> None:
    def first(*lying: Piece) -> list[Solid]:
        position = table(
            squad("yard-guard", 3, at=(40, 40), abilities=abilities.split()),
            squad("captain", side=1, at=(5, 5)),
            pieces=lying,
        )
        models = unit(position, 0).models
        question = deploy_question(drawing_up(unit(position, 0), models), "deploy", {})
        return standing(models, question.suggestions()[0], 2.0)

    usual = first()
    thicket = piece(kind, usual[1].x, usual[1].y)
    assert any(overlaps_outline(one, thicket.outline) for one in first(thicket)) is not shuns


@covers("setup/deployment", "squads/coherency")
def test_the_commander_is_proposed_in_the_middle_of_his_squad() -> None:
    position = waiting(squad("riflemen", 9, at=[(1 + 3 * k, 1) for k in range(9)]))
    models = in_reserve(unit(position, 0))
    places = standing(
        models, deploy_question(drawing_up(unit(position, 0), models), "deploy", {}).suggestions()[0], 2.0
    )
    middle = sum(one.x for one in places) / 9, sum(one.y for one in places) / 9
    away = [math.dist((one.x, one.y), middle) for one in places]
    assert away.index(min(away)) == 0
    assert max(away) == pytest.approx(away[1], abs=0.5), "the second model is at the end, where the first was"


@covers("setup/deployment")
def test_the_warlord_and_the_lord_are_proposed_amid_the_others() -> None:
    position = waiting(*(squad(name) for name in ("captain", "walker", "riflemen", "veterans", "captain")))
    for row, slot in enumerate(("warlord", "troop", "troop", "support", "lord")):
        unit(position, row).jot(marks.SLOT, slot)
    assert in_line(position, 0) == [1, 0, 4, 2, 3]
    position.remove(position.model(1), "wounds")
    assert in_line(position, 0) == [2, 0, 4, 3], "the walker is lost"
