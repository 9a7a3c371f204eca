"""Battle formations, Deep Strike, Strategic Reserves (mission/formations, strategic-reserves/*, u/reserves-*)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from campale.referee.position import Position, Token
from campale.rulesets.w10.basics.markers import OBJECTIVE
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.battle.formations import declare_formations, formation
from campale.rulesets.w10.movement.phase import to_move
from campale.rulesets.w10.movement.reserves import areas_of, arrive, may_arrive, misplaced, reinforcements
from tests.rulesets.w10.kit import PROPOSAL, piece, play, question_after, squad, table, unit

covers = pytest.mark.covers

FOOT = 32 / 25.4
DEEP, STRATEGIC = "deep-strike", "strategic"


def waiting(how: str, *others: Any, count: int = 1, round: int = 2, **fields: Any) -> Position:
    """A squad of side 0 that waits in Reserves."""
    kind = "jump-squad" if how == DEEP else "line-squad"
    position = table(
        squad(kind, count, where="reserve", **fields), *others, phase="reinforcements", turn=2 * round - 1, round=round
    )
    unit(position, 0).jot("reserves", how)
    return position


def wrong(position: Position, *places: tuple[float, float], area: str = "") -> str | None:
    """The rule that forbids to be set up so."""
    models = [m for m in position.models if m.unit.row == 0]
    areas = areas_of(unit(position, 0))
    zone = areas[area or next(iter(areas))]
    found = misplaced(models, zone, [(x, y, 0.0) for x, y in places])
    return None if found is None else found.rule


# ---------------------------------------------------------------- when


@covers("strategic-reserves/arrive", "core-abilities/deep-strike", "movement-phase/reinforcements-step")
@pytest.mark.parametrize(("how", "round", "can"), [(DEEP, 1, True), (STRATEGIC, 1, False), (STRATEGIC, 2, True)])
def test_strategic_reserves_come_from_the_second_round_on_deep_strike_at_once(how: str, round: int, can: bool) -> None:
    position = waiting(how, round=round)
    assert may_arrive(unit(position, 0)) is can
    asked = [] if not can else ["reinforcements"]
    answers = ["done"] if can else []
    assert play(reinforcements(position, 0), "", answers, position).prompts == asked


@covers("movement-phase/reinforcements-step", "u/reserves-unit")
def test_only_own_units_that_wait_are_offered_and_none_need_come() -> None:
    position = waiting(DEEP, squad("line-squad", 1, 1, where="reserve"), squad("line-squad"))
    unit(position, 1).jot("reserves", DEEP)
    assert question_after(reinforcements(position, 0)).options() == [0, "done"]


# ---------------------------------------------------------------- where


@covers("d/figure-3", "core-abilities/deep-strike", "movement-phase/reinforcements-distance", "d/horizontal-vertical")
def test_deep_strike_is_anywhere_more_than_nine_inches_from_every_enemy_in_plan() -> None:
    position = waiting(DEEP, squad("line-squad", 1, 1, (30, 30)))
    assert wrong(position, (30, 30 - FOOT - 9.01)) is None
    assert wrong(position, (30, 30 - FOOT - 9.0)) == "core-abilities/deep-strike"
    assert wrong(position, (30, 30 - FOOT - 8.5)) == "core-abilities/deep-strike"
    position.model(1).move_to(30, 30, z=6.0, facing=0.0)
    assert wrong(position, (30, 30 - FOOT - 8.5)) == "core-abilities/deep-strike"
    assert wrong(position, (10, 42)) is None


@covers("core-abilities/deep-strike", "movement-phase/moving-models", "s/set-up")
def test_nor_on_others_nor_off_the_table_nor_on_a_marker_nor_apart() -> None:
    position = waiting(DEEP, squad("line-squad", 1, 0, (20, 20)), count=2)
    position.lay(Token(OBJECTIVE, 40, 20))
    assert wrong(position, (40, 20.5), (42, 20)) == "objectives/marker"
    assert wrong(position, (20.5, 20), (22, 20)) == "movement-phase/moving-models"
    assert wrong(position, (10, 20), (10.5, 20)) == "movement-phase/moving-models"
    assert wrong(position, (10, 20), (13.3, 20)) == "core-concepts/unit-coherency"
    assert wrong(position, (0.5, 20), (2, 20)) is not None
    assert wrong(position, (10, 20), (13.2, 20)) is None


@covers("terrain/debris", "terrain/barricades")
@pytest.mark.parametrize("kind", ["debris", "barricade"])
def test_nobody_arrives_on_an_obstacle(kind: str) -> None:
    position = table(squad("jump-squad", where="reserve"), pieces=[piece(kind, 30, 20)])
    unit(position, 0).jot("reserves", DEEP)
    assert wrong(position, (30, 20)) == "terrain/barricades"
    assert wrong(position, (30, 26)) is None


@covers("strategic-reserves/set-up-round-2", "s/deploy-area", "within/wholly-within")
def test_strategic_reserves_come_wholly_within_six_inches_of_one_edge() -> None:
    position = waiting(STRATEGIC)
    assert wrong(position, (6 - FOOT / 2, 20), area="west") is None
    assert wrong(position, (6 - FOOT / 2 + 0.01, 20), area="west") == "strategic-reserves/set-up-round-2"
    assert wrong(position, (30, 44 - 6 + FOOT / 2), area="west") is not None


@covers("strategic-reserves/set-up-round-2", "strategic-reserves/set-up-round-3")
def test_the_zone_of_the_enemy_is_closed_in_the_second_round_and_open_in_the_third() -> None:
    border = 34.0
    second, third = waiting(STRATEGIC), waiting(STRATEGIC, round=3)
    assert wrong(second, (2, border - FOOT / 2), area="west") is None
    assert wrong(second, (2, border - FOOT / 2 + 0.01), area="west") == "strategic-reserves/set-up-round-2"
    assert wrong(third, (2, 40), area="west") is None
    assert wrong(third, (30, 42), area="north") is None


@covers("strategic-reserves/set-up-round-3", "movement-phase/reinforcements-distance")
@pytest.mark.parametrize("round", [2, 3])
def test_they_keep_more_than_nine_inches_off_too(round: int) -> None:
    position = waiting(STRATEGIC, squad("line-squad", 1, 1, (2, 30)), round=round)
    assert wrong(position, (2, 30 - FOOT - 9.01), area="west") is None
    assert wrong(position, (2, 30 - FOOT - 9.0), area="west") is not None


# ---------------------------------------------------------------- arriving


@covers("u/reserves-normal-move", "movement-phase/reinforcements-act", "a/arriving", "s/set-up")
def test_who_arrives_has_moved_and_does_not_move_again() -> None:
    position = waiting(DEEP, squad("line-squad", 1, 1, (30, 40)))
    play(arrive(unit(position, 0)), "", [[[30, 10, 0]]], position)
    assert [m.at for m in members(unit(position, 0))] == [(30, 10)]
    assert [unit(position, 0).marks(name) for name in ("moved", "stationary", "advanced")] == [1, 0, 0]
    assert to_move(position, 0) == []
    assert unit(position, 0).note("reserves") is None


@covers("strategic-reserves/set-up-round-2")
def test_the_edge_is_chosen_first() -> None:
    question = question_after(arrive(unit(waiting(STRATEGIC), 0)))
    assert question.options() == ["south", "west", "east"]
    third = question_after(arrive(unit(waiting(STRATEGIC, round=3), 0)))
    assert third.options() == ["south", "north", "west", "east"]


# ---------------------------------------------------------------- formations


def filled(form: Generator[Any, Any, Any], *answers: Any) -> tuple[list[Any], Any]:
    """The options of each field of a form that is filled in so, and what it comes to."""
    options, given = [], None
    for answer in answers:
        question = form.send(given)
        options.append(question.options())
        given = answer
    with pytest.raises(StopIteration) as done:
        form.send(given)
    return options, done.value.value


def army(points: int, *costs: int, kind: str = "line-squad", leader: bool = False) -> Position:
    squads = [squad(kind, 1, where="reserve", marks={"points": cost}) for cost in costs]
    if leader:
        squads.append(squad("captain", where="reserve", marks={"points": 80}))
    position = table(*squads, squad("line-squad", 1, 1, where="reserve", marks={"points": 10}))
    position.now["size"] = points
    return position


@covers("strategic-reserves/place", "mission/formations")
def test_a_quarter_of_the_battle_may_begin_in_strategic_reserves() -> None:
    position = army(1000, 250, 251, 150, 100)
    options, found = filled(formation(position, 0), 2, 3)
    assert options == [["none", 0, 2, 3], ["none", 3]]
    assert found.reserves == ((2, STRATEGIC), (3, STRATEGIC))
    assert filled(formation(position, 0), 0)[1].reserves == ((0, STRATEGIC),)
    assert filled(formation(position, 0), "none")[1].reserves == ()


@covers("strategic-reserves/place", "keywords/has")
def test_fortifications_may_not_and_a_single_unit_may() -> None:
    fort = squad("gun-team", where="reserve", keywords=("fortification",), marks={"points": 10})
    other = squad("gun-team", where="reserve", marks={"points": 10})
    position = table(fort, other, squad("line-squad", 1, 1, where="reserve"))
    position.now["size"] = 1000
    options, found = filled(formation(position, 0), 1)
    assert options == [["none", 1]]
    assert found.reserves == ((1, STRATEGIC),)


@covers("strategic-reserves/place", "core-abilities/deep-strike")
def test_those_who_deep_strike_do_not_count() -> None:
    position = army(400, 100, 100, 100, kind="jump-squad")
    options, found = filled(formation(position, 0), DEEP, "table", "table", 1)
    assert options[0] == ["table", DEEP]
    assert found.reserves == ((0, DEEP), (1, STRATEGIC))


@covers("strategic-reserves/place", "aircraft/deploy")
@pytest.mark.parametrize(
    ("keywords", "first", "second"),
    [
        (("aircraft", "fly"), [1, 2, 4, 5, "none"], [2, 5, "none"]),
        (("fly",), [1, 2, 3, 4, 5, "none"], [2, 3, 4, 5, "none"]),
    ],
)
def test_who_starts_aboard_aircraft_counts_unless_it_could_deep_strike(keywords: Any, first: Any, second: Any) -> None:
    flyer = squad("flyer", where="reserve", keywords=keywords, abilities=(), capacity=9, carries=("infantry",))
    foot = [squad("line-squad", 1, where="reserve", marks={"points": points}) for points in (200, 251, 51, 50)]
    jumping = squad("jump-squad", 1, where="reserve", marks={"points": 400})
    position = table(flyer, foot[0], jumping, *foot[1:], squad("line-squad", 1, 1, where="reserve"))
    position.now["size"] = 1000
    form = formation(position, 0)
    assert form.send(None).options() == first
    assert form.send(1).options() == second
    left = form.send("none")
    while left.prompt != "strategic-reserves":
        left = form.send("table")
    assert (4 in (left.options() or ())) is ("aircraft" not in keywords)


@covers("core-abilities/deep-strike", "core-abilities/leader")
def test_a_leader_without_deep_strike_keeps_its_unit_from_it() -> None:
    position = army(400, 100, 100, kind="jump-squad", leader=True)
    options, found = filled(formation(position, 0), 0, "table", "none")
    assert options[0] == [0, 1, "alone"]
    assert options[1] == ["table", DEEP]
    assert found.led == ((2, 0),)


@covers("strategic-reserves/place", "core-abilities/leader")
def test_the_points_of_a_leader_count_with_its_unit() -> None:
    position = army(1000, 180, 170, leader=True)
    options, _ = filled(formation(position, 0), 0, 1)
    assert options[1] == ["none", 1]


@covers("mission/formations", "u/reserves-unit", "core-abilities/leader")
def test_both_sides_note_theirs_at_once_and_then_all_is_known() -> None:
    position = army(1000, 100, 100, leader=True)

    play(declare_formations(position), "", [{0: [1, 0], 1: ["none"]}], position)
    assert unit(position, 0).note("reserves") == STRATEGIC
    assert position.model(2).unit.row == 1
    (event,) = [one for one in position.journal.events if one.kind == "formations" and one.values["side"] == 0]  # type: ignore[union-attr]
    assert (event.values["led"], event.values["reserves"]) == ([1], [0])


# ---------------------------------------------------------------- a/deep-strike-from-strategic-reserves


@covers("a/deep-strike-from-strategic-reserves", "u/reserves-abilities")
def test_who_has_deep_strike_chooses_how_to_arrive_from_strategic_reserves() -> None:
    position = waiting(DEEP)
    unit(position, 0).jot("reserves", STRATEGIC)
    assert set(areas_of(unit(position, 0))) == {"south", "north", "west", "east", DEEP}
    assert wrong(position, (30, 22), area=DEEP) is None
    assert wrong(position, (30, 22), area="south") == "strategic-reserves/set-up-round-2"
    assert wrong(position, (5, 40), area=DEEP) is None, "the enemy zone is no bar to Deep Strike"
    assert wrong(position, (5, 40), area="west") == "strategic-reserves/set-up-round-2"
    assert set(areas_of(unit(waiting(STRATEGIC), 0))) == {"south", "north", "west", "east"}


@covers("a/deep-strike-from-strategic-reserves")
@pytest.mark.parametrize(("round", "can"), [(1, False), (2, True)])
def test_but_when_it_arrives_is_a_matter_of_strategic_reserves(round: int, can: bool) -> None:
    position = waiting(DEEP, round=round)
    unit(position, 0).jot("reserves", STRATEGIC)
    assert may_arrive(unit(position, 0)) is can


@covers("s/deploy-oversize", "strategic-reserves/set-up-round-2", "s/hull")
@pytest.mark.parametrize(
    ("hull", "areas", "facing"),
    [((4.0, 5.5), 4, 0.0), ((4.0, 9.0), 4, 90.0), ((6.0, 9.0), 4, 90.0), ((6.1, 9.0), 1, 0.0)],
)
def test_a_hull_is_too_large_for_the_strip_if_no_turn_fits_it_in(
    hull: tuple[float, float], areas: int, facing: float
) -> None:
    position = waiting(STRATEGIC, squad("line-squad", 1, 1, at=(30, 40)), round=3, hull=hull)
    hulk = unit(position, 0)
    assert may_arrive(hulk)
    assert len(areas_of(hulk)) == areas
    answers: list[Any] = [PROPOSAL] if areas == 1 else ["south", PROPOSAL]
    play(arrive(hulk), answers=answers, position=position)
    assert members(hulk)[0].facing == facing
    assert hulk.marks("shot") == (areas == 1)


@covers("s/deploy-oversize")
@pytest.mark.parametrize(
    ("spot", "is_right"), [((30, 4.51, 0.0), True), ((30, 4.6, 0.0), False), ((30, 3.55, 90.0), True)]
)
def test_a_hull_too_large_for_the_strip_touches_its_edge_however_it_faces(spot: Any, is_right: bool) -> None:
    position = waiting(STRATEGIC, squad("line-squad", 1, 1, at=(30, 40)), hull=(7.1, 9.0))
    zone = areas_of(unit(position, 0))["south"]
    found = misplaced([position.model(0)], zone, [spot])
    assert (found is None) is is_right
    assert is_right or (found is not None and found.rule == "s/deploy-oversize")


@covers("core-abilities/deep-strike", "s/hull")
def test_a_hull_is_turned_to_arrive_between_enemies() -> None:
    """Columns of enemies leave a lane across the table that is narrower than the hull is long."""
    rows = [squad("line-squad", 1, 1, at=(2.0 + 6.0 * k, y)) for k in range(10) for y in (10.5, 36.0)]
    position = waiting(STRATEGIC, *rows, round=3, hull=(3.0, 9.0))
    unit(position, 0).jot("reserves", DEEP)
    assert may_arrive(unit(position, 0))
