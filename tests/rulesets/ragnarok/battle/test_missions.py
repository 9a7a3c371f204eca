"""The missions: which one is played, what is laid for it, what counts, and how it ends."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.physical import heal
from campale.rulesets.ragnarok.battle import missions, preparation
from campale.rulesets.ragnarok.battle.explored import explored
from campale.rulesets.ragnarok.battle.laying import lay_objective, lay_patrol, quarters, ruin_fault
from campale.rulesets.ragnarok.battle.missions import MISSIONS, check_victory, judge, objective, score
from campale.rulesets.ragnarok.battle.preparation import ORDINARY
from campale.rulesets.ragnarok.close_combat.melee import consolidate
from campale.rulesets.ragnarok.moving.movement import move, walk_along
from campale.rulesets.ragnarok.moving.placing import set_down
from campale.rulesets.ragnarok.turn.sequence import control_phase, end_of_mission
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from campale.table.outlines import box, overlap
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import Figure, a, first_question, piece, play, question_after, table

CAPTAIN, JARL = "crucible_captain", "barrow_jarl"


def leader(profile: str, side: int, at: tuple[float, float] | None, **marks: Any) -> Figure:
    return a(profile, side, at, commander=1, **marks)


def is_decided(position: Position) -> bool:
    return position.result is not None


# ---------------------------------------------------------------- missions/roll, missions/free-choice


@pytest.mark.covers("missions/roll")
@pytest.mark.parametrize(("die", "mission"), list(enumerate(MISSIONS, 1)))
def test_the_die_tells_the_mission(die: int, mission: str) -> None:
    position = table(phase="mission", mission="")
    played = play(preparation.choose_mission(position), dice=str(die), position=position)
    assert position.now["mission"] == mission
    assert (played.rolls, played.prompts) == (["mission"], [])


@pytest.mark.covers("missions/roll")
def test_a_mission_agreed_on_is_not_rolled_for() -> None:
    position = table(phase="mission", mission="bases")
    assert play(preparation.choose_mission(position)).questions == []
    assert position.now["mission"] == "bases"


@pytest.mark.covers("missions/free-choice")
@pytest.mark.parametrize(("dice", "picker"), [("6 | 4 3", 0), ("6 | 2 5", 1), ("6 | 3 3 | 1 2", 1)])
def test_on_a_six_the_winner_of_a_roll_off_picks_one_of_the_other_five(dice: str, picker: int) -> None:
    position = table(phase="mission", mission="")
    played = play(preparation.choose_mission(position), dice=dice, answers=["patrol"], position=position)
    asked = played.questions[-1]
    assert (asked.side, asked.options()) == (picker, list(MISSIONS))
    assert position.now["mission"] == "patrol"


@pytest.mark.covers("missions/free-choice")
def test_free_choice_may_be_agreed_on() -> None:
    position = table(phase="mission", mission="free-choice")
    played = play(preparation.choose_mission(position), dice="1 2", answers=["bases"])
    assert played.rolls == ["free-choice", "free-choice"]


# ---------------------------------------------------------------- missions/length-and-draw


@pytest.mark.covers("missions/length-and-draw")
@pytest.mark.parametrize(("turn", "is_over"), [(1, False), (22, False), (23, False), (24, True)])
def test_the_battle_ends_when_the_second_player_has_ended_its_twelfth_turn(turn: int, is_over: bool) -> None:
    position = table(a("raider"), a("raider", 1), turn=turn)
    assert play(end_of_mission(position)).questions == []
    assert (position.result is not None) is is_over


@pytest.mark.covers("missions/length-and-draw")
@pytest.mark.parametrize(("ours", "theirs", "winner"), [(0, 0, None), (1, 0, 1), (0, 1, 0), (1, 1, None)])
def test_a_battle_without_a_winner_by_then_is_drawn(ours: int, theirs: int, winner: int | None) -> None:
    position = table(a("raider"), a("raider", 1), a("raider", wounds=ours), a("raider", 1, wounds=theirs), turn=24)
    play(end_of_mission(position))
    assert position.result is not None
    assert position.result.winner == winner
    assert position.result.counts == {"score": [theirs, ours]}


# ---------------------------------------------------------------- missions/extermination


@pytest.mark.covers("missions/extermination")
def test_models_removed_and_models_out_of_action_weigh_the_same() -> None:
    position = table(a("raider"), a("raider"), a("raider", 1, wounds=1), a("raider", 1), a("raider", 1))
    assert score(position) == (1, 0)
    for row, cause in ((0, "lost-melee"), (1, "crash"), (3, "flight")):
        position.remove(position.model(row), cause)
    assert score(position) == (2, 2)
    judge(position, "missions/length-and-draw")
    assert position.result is not None
    assert position.result.winner is None


@pytest.mark.covers("missions/extermination")
def test_a_model_healed_back_is_not_counted() -> None:
    position = table(a("raider", 1, wounds=1))
    assert score(position) == (1, 0)
    heal(position.model(0))
    assert score(position) == (0, 0)


@pytest.mark.covers("missions/extermination")
def test_models_in_reserve_are_not_counted_and_summoned_ones_that_are_lost_are() -> None:
    position = table(a("raider", 1, at=None), a("draugr", 1, summoned=1))
    assert score(position) == (0, 0)
    position.remove(position.model(1), "wound")
    assert score(position) == (1, 0)


# ---------------------------------------------------------------- missions/patrol-setup


@pytest.mark.covers("missions/patrol-setup")
def test_a_patrol_is_fought_among_twelve_ruins_and_nothing_else() -> None:
    position = table(pieces=[piece("wood", 60, 60)], phase="scenery", mission="patrol", scenery="lot")
    played = play(preparation.lay_scenery(position), dice="0 " * 12, position=position)
    assert [question.kind for question in played.questions] == ["draw"] * 12
    assert [part.kind for part in position.ground.pieces] == ["ruin"] * 12
    assert {part.height for part in position.ground.pieces} == {6.0}
    assert played.cites("missions/patrol-setup")


@pytest.mark.covers("missions/patrol-setup")
@pytest.mark.parametrize("places", ["0 " * 12, "7 3 5 " * 4])
def test_three_of_them_lie_wholly_in_each_quarter_and_over_no_other(places: str) -> None:
    position = table(phase="scenery", mission="patrol", scenery="lot")
    play(lay_patrol(position), dice=places)
    pieces = position.ground.pieces
    for zone in quarters(position):
        boxes = [box(part.outline) for part in pieces]
        inside = [b for b in boxes if zone[0] <= b[0] and zone[1] <= b[1] and b[2] <= zone[2] and b[3] <= zone[3]]
        assert len(inside) == 3
    assert not any(overlap(one.outline, two.outline) for one in pieces for two in pieces if one is not two)


@pytest.mark.covers("missions/patrol-setup")
def test_the_players_lay_them_in_turn_player_one_first() -> None:
    position = table(phase="scenery", mission="patrol", scenery="players")
    corners = [(0, 0), (60, 0), (0, 60), (60, 60)]
    answers = [[x + dx, y + 10] for x, y in corners for dx in (6, 20, 34)]
    answers[1] = [20, 10, 90]
    played = play(lay_patrol(position), answers=answers)
    assert [question.side for question in played.questions] == [0, 1] * 6
    assert len(position.ground.pieces) == 12
    assert position.ground.pieces[1].outline == piece("ruin", 20, 10, 90).outline


@pytest.mark.covers("missions/patrol-setup")
@pytest.mark.parametrize(
    ("at", "is_legal"),
    [
        ([54, 54, 0], True),
        ([54.01, 54, 0], False),
        ([54, 54.01, 0], False),
        ([6, 6, 0], True),
        ([5.99, 6, 0], False),
        ([6, 5.99, 0], False),
        ([90, 20, 0], False),
        ([6, 20, 45], False),
        ([18, 30, 0], False),
        ([42, 30, 0], True),
    ],
)
def test_a_ruin_of_the_patrol_that_leaves_its_quarter_or_covers_another_is_refused(
    at: list[float], is_legal: bool
) -> None:
    position = table(pieces=[piece("ruin", 30, 30)], phase="scenery", mission="patrol", scenery="players")
    assert (ruin_fault(position, quarters(position)[0], tuple(at)) is None) is (is_legal or at[:2] == [18, 30])
    bare = question_after(lay_patrol(position), "", [[30, 30]])
    close = [18.01, 30, 0] if at == [18, 30, 0] else at
    refusal = bare.refusal(close)
    assert (refusal is None) is is_legal
    assert refusal is None or refusal.rule in ("missions/patrol-setup", "missions/bases-setup")


# ---------------------------------------------------------------- missions/patrol-explore


def patrol(*figures: Figure, kind: str = "ruin") -> Position:
    return table(*figures, pieces=[piece(kind, 60, 60, name="one"), piece(kind, 60, 90, name="two")], mission="patrol")


def way(*points: tuple[float, float]) -> Path:
    return Path(points, 0.0)


@pytest.mark.covers("missions/patrol-explore")
@pytest.mark.parametrize(("x", "owners"), [(67.24, {"one": 0}), (67.25, {})])
def test_a_piece_is_explored_as_soon_as_part_of_the_base_passes_over_its_outline(
    x: float, owners: dict[str, int]
) -> None:
    position = patrol(a("pathfinder", at=(x, 53)))
    played = play(move(position.model(0), way((x, 53), (x, 66))), position=position)
    assert explored(position) == owners
    assert ("explored" in played.kinds) is bool(owners)


@pytest.mark.covers("missions/patrol-explore", "missions/patrol-victory")
def test_an_enemy_that_passes_takes_the_marker_over() -> None:
    position = patrol(a("pathfinder", at=(50, 60)), a("pathfinder", 1, at=(70, 60)))
    walk_along(position.model(0), way((50, 60), (56, 60)))
    assert (explored(position), score(position)) == ({"one": 0}, (1, 0))
    walk_along(position.model(1), way((70, 60), (64, 60)))
    assert (explored(position), score(position)) == ({"one": 1}, (0, 1))


@pytest.mark.covers("missions/patrol-explore")
def test_deployment_alone_explores_nothing_but_a_move_within_the_piece_does() -> None:
    position = patrol(a("pathfinder", at=None))
    model, whole = position.model(0), (0.0, 0.0, 120.0, 120.0)
    play(set_down(model, "deploy", whole, ORDINARY[1:], 0.0), answers=[[[60, 60, 0]]])
    assert explored(position) == {}
    play(move(model, way((60, 60))), position=position)
    assert explored(position) == {}
    play(move(model, way((60, 60), (61, 60))), position=position)
    assert explored(position) == {"one": 0}


@pytest.mark.covers("missions/patrol-explore")
@pytest.mark.parametrize(
    ("end", "dice", "owners"),
    [((60, 75), "", {}), ((60, 60), "4 4", {"one": 0}), ((60, 90), "4 4", {"two": 0}), ((60, 60), "1 1", {})],
)
def test_a_flight_explores_only_where_it_ends_and_not_when_it_crashes(
    end: tuple[float, float], dice: str, owners: dict[str, int]
) -> None:
    position = patrol(a("iron_raven", at=(60, 45), rules=["flyer 60"]))
    play(move(position.model(0), way((60, 45), end), flies=True), dice=dice, position=position)
    assert explored(position) == owners


@pytest.mark.covers("missions/patrol-explore")
def test_a_flyer_that_lifts_off_and_does_not_move_explores_nothing() -> None:
    position = patrol(a("iron_raven", at=(60, 60)))
    play(move(position.model(0), way((60, 60)), flies=True), dice="4 4 | 4 4", position=position)
    assert explored(position) == {}


@pytest.mark.covers("missions/patrol-explore")
def test_consolidation_explores_too() -> None:
    position = patrol(a("pathfinder", at=(60, 50)))
    play(consolidate(position.model(0)), dice="3 3", answers=["yes", [[[60, 56]], 0]], position=position)
    assert explored(position) == {"one": 0}


@pytest.mark.covers("missions/patrol-explore")
def test_nothing_is_explored_in_other_missions() -> None:
    position = patrol(a("pathfinder", at=(60, 50)))
    position.now["mission"] = "bases"
    walk_along(position.model(0), way((60, 50), (60, 60)))
    assert explored(position) == {}


@pytest.mark.covers("missions/patrol-explore", "missions/holding-models")
@pytest.mark.parametrize(("marks", "owners"), [({"prone": 4, "suppressed": 1}, {"one": 0}), ({"wounds": 1}, {})])
def test_a_fallen_model_explores_nothing(marks: dict[str, Any], owners: dict[str, int]) -> None:
    position = patrol(a("pathfinder", at=(60, 50), **marks))
    walk_along(position.model(0), way((60, 50), (60, 60)))
    assert explored(position) == owners


# ---------------------------------------------------------------- missions/patrol-victory


@pytest.mark.covers("missions/patrol-victory")
@pytest.mark.parametrize(
    ("owners", "points", "winner"),
    [((), (0, 0), None), ((0, 1), (1, 1), None), ((0, 0, 1), (2, 1), 0), ((1,), (0, 1), 1)],
)
def test_the_side_that_has_explored_more_pieces_wins(
    owners: tuple[int, ...], points: tuple[int, int], winner: int | None
) -> None:
    position = table(a("raider"), a("raider", 1), mission="patrol", turn=24)
    position.declare("explored", tuple((f"ruin-{n}", side) for n, side in enumerate(owners)) or None)
    assert score(position) == points
    play(end_of_mission(position))
    assert position.result is not None
    assert position.result.winner == winner


# ---------------------------------------------------------------- missions/objectives-setup


@pytest.mark.covers("missions/objectives-setup")
@pytest.mark.parametrize(("die", "count"), [(1, 4), (4, 5), (6, 6)])
@pytest.mark.parametrize(("off", "first"), [("5 2", 0), ("2 5", 1), ("3 3 1 6", 1)])
def test_three_and_a_d3_objectives_are_laid_in_turn_by_the_winner_of_a_roll_off_first(
    die: int, count: int, off: str, first: int
) -> None:
    position = table(phase="objectives", mission="objectives")
    answers = [[20 + 15 * n, 60] for n in range(count)]
    played = play(preparation.lay_objectives(position), dice=f"{die} | {off}", answers=answers, position=position)
    assert [(q.about["number"], q.about["count"]) for q in played.questions if not q.is_chance] == [
        (number, count) for number in range(1, count + 1)
    ]
    assert [event.values["count"] for event in played.events if event.kind == "objectives"] == [count]
    assert [q.side for q in played.questions if not q.is_chance] == [first, 1 - first, first, 1 - first, first, 1][
        : min(count, 5)
    ] + [1 - first] * (count - 5)
    assert [(token.kind, token.x, token.y) for token in position.tokens] == [("objective", x, y) for x, y in answers]


@pytest.mark.covers("missions/objectives-setup")
@pytest.mark.parametrize("mission", ["extermination", "patrol", "bases", "assassination"])
def test_no_objectives_are_laid_in_other_missions(mission: str) -> None:
    position = table(phase="objectives", mission=mission)
    assert play(preparation.lay_objectives(position)).questions == []


@pytest.mark.covers("missions/objectives-setup")
@pytest.mark.parametrize(
    ("at", "why"),
    [
        ((10, 10), None),
        ((110, 110), None),
        ((9.99, 60), ("objective-near-edge", 9.99, 10)),
        ((110.01, 60), ("objective-near-edge", 9.99, 10)),
        ((60, 9.99), ("objective-near-edge", 9.99, 10)),
        ((60, 110.01), ("objective-near-edge", 9.99, 10)),
        ((45, 30), None),
        ((44.99, 30), ("objective-near-another", 14.99, 15)),
        ((60, 60), ("objective-on-impassable", None, None)),
        ((63.1, 60), None),
        ((90, 90), None),
    ],
)
def test_an_objective_lies_off_the_edges_off_the_others_and_outside_impassable_ground(
    at: tuple[float, float], why: tuple[str, float | None, float | None] | None
) -> None:
    position = table(pieces=[piece("boulder", 60, 60), piece("bog", 90, 90)], mission="objectives")
    position.lay(objective((30, 30)))
    refusal = first_question(lay_objective(position, 0, 2, 4)).refusal(list(at))
    assert (None if refusal is None else (refusal.word, refusal.measured, refusal.limit)) == why
    assert refusal is None or refusal.rule == "missions/objectives-setup"


# ---------------------------------------------------------------- missions/objectives-hold, bases-victory


def holding(mission: str, *figures: Figure) -> Position:
    """An objective at (60, 60), or the base of side 1 there and that of side 0 far away."""
    ruins = [piece("ruin", 60, 60, name="theirs"), piece("ruin", 10, 10, name="ours")]
    position = table(*figures, pieces=ruins if mission == "bases" else [], mission=mission, turn=24)
    if mission == "objectives":
        position.lay(objective((60, 60)))
    position.hold(0, "base", ("ours",))
    position.hold(1, "base", ("theirs",))
    return position


EDGE = {"objectives": 60.0, "bases": 66.0}


@pytest.mark.covers("missions/objectives-hold", "missions/bases-victory")
@pytest.mark.parametrize("mission", ["objectives", "bases"])
@pytest.mark.parametrize(("away", "held"), [(6.0, 1), (6.01, 0), (0.0, 1)])
def test_ground_is_held_by_a_model_within_six_centimetres(mission: str, away: float, held: int) -> None:
    position = holding(mission, a("raider", at=(EDGE[mission] + 1.25 + away, 60)))
    assert score(position) == (held, 0)


@pytest.mark.covers("missions/objectives-hold", "missions/bases-victory")
@pytest.mark.parametrize("mission", ["objectives", "bases"])
@pytest.mark.parametrize(("away", "held"), [(6.0, 0), (6.01, 1)])
def test_an_enemy_within_the_same_distance_contests_it(mission: str, away: float, held: int) -> None:
    ours = a("raider", at=(60, 60))
    position = holding(mission, ours, a("raider", 1, at=(EDGE[mission] + 1.25 + away, 60)))
    assert score(position) == (held, 0)


@pytest.mark.covers("missions/objectives-hold", "missions/bases-victory", "missions/holding-models")
@pytest.mark.parametrize("mission", ["objectives", "bases"])
@pytest.mark.parametrize("marks", [{"prone": 4}, {"suppressed": 1, "morale": 9}, {"wounds": 1}])
def test_fallen_models_neither_hold_nor_contest_and_all_others_do(mission: str, marks: dict[str, Any]) -> None:
    counts = "wounds" not in marks
    holder = holding(mission, a("raider", at=(60, 60), **marks))
    assert score(holder) == (int(counts), 0)
    rival = holding(mission, a("raider", at=(60, 60)), a("raider", 1, at=(65, 60), **marks))
    assert score(rival) == (int(not counts), 0)


@pytest.mark.covers("missions/holding-models")
def test_models_in_reserve_hold_nothing() -> None:
    assert not missions.counts_for_ground(table(a("raider", at=None)).model(0))
    assert missions.counts_for_ground(table(a("raider")).model(0))


@pytest.mark.covers("missions/objectives-hold")
def test_the_side_that_holds_more_objectives_at_the_end_wins() -> None:
    position = holding("objectives", a("raider", at=(60, 60)), a("raider", at=(30, 60)), a("raider", 1, at=(90, 60)))
    for x in (30, 90, 15):
        position.lay(objective((x, 60)))
    assert score(position) == (2, 1)
    play(end_of_mission(position))
    assert position.result is not None
    assert position.result.winner == 0


@pytest.mark.covers("missions/objectives-hold")
def test_an_objective_that_was_left_is_no_longer_held() -> None:
    position = holding("objectives", a("raider", at=(60, 60)))
    assert score(position) == (1, 0)
    position.model(0).move_to(60, 70)
    assert score(position) == (0, 0)


@pytest.mark.covers("missions/bases-victory")
@pytest.mark.parametrize(
    ("ours", "theirs", "winner"),
    [((60, 60), (30, 30), 0), ((30, 30), (10, 10), 1), ((60, 60), (10, 10), None), ((30, 30), (90, 30), None)],
)
def test_the_side_that_has_taken_the_enemy_base_wins_and_both_or_neither_is_a_draw(
    ours: tuple[float, float], theirs: tuple[float, float], winner: int | None
) -> None:
    position = holding("bases", a("raider", at=ours), a("raider", 1, at=theirs))
    play(end_of_mission(position))
    assert position.result is not None
    assert position.result.winner == winner


# ---------------------------------------------------------------- missions/bases-setup


def base_battle(*pieces: tuple[str, float, float], explorer: int = 0) -> Position:
    laid = [piece(kind, x, y, name=f"{kind}-{n}") for n, (kind, x, y) in enumerate(pieces)]
    return table(pieces=laid, phase="bases", mission="bases", explorer=explorer)


@pytest.mark.covers("missions/bases-setup")
@pytest.mark.parametrize("explorer", [0, 1])
def test_the_winner_of_the_exploration_picks_its_base_first(explorer: int) -> None:
    pieces = (("wood", 20, 10), ("ruin", 60, 10), ("wood", 20, 110), ("boulder", 60, 110), ("bog", 60, 60))
    position = base_battle(*pieces, explorer=explorer)
    names = [["wood-0", "ruin-1"], ["wood-2", "boulder-3"]]
    picks = [names[explorer][1], names[1 - explorer][0]]
    played = play(preparation.choose_bases(position), answers=picks, position=position)
    assert [question.side for question in played.questions] == [explorer, 1 - explorer]
    assert [question.options() for question in played.questions] == [names[explorer], names[1 - explorer]]
    assert [position.hand(side, "base") for side in (explorer, 1 - explorer)] == [(picks[0],), (picks[1],)]


@pytest.mark.covers("missions/bases-setup")
@pytest.mark.parametrize(("y", "qualifies"), [(20.0, True), (25.99, True), (26.0, False), (60.0, False)])
def test_a_piece_qualifies_when_any_part_of_it_is_in_the_area(y: float, qualifies: bool) -> None:
    position = base_battle(("ruin", 60, y), ("wood", 20, 110))
    if qualifies:
        assert play(preparation.choose_bases(position)).questions == []
        assert position.hand(0, "base") == ("ruin-0",)
    else:
        assert first_question(preparation.choose_bases(position)).prompt == "scenery-place"


@pytest.mark.covers("missions/bases-setup")
def test_a_side_without_a_piece_in_its_area_lays_one_ruin_there() -> None:
    position = base_battle(("wood", 20, 110))
    played = play(preparation.choose_bases(position), answers=[[30, 14, 0]], position=position)
    assert [question.side for question in played.questions] == [0]
    assert [position.hand(side, "base") for side in (0, 1)] == [("base-1",), ("wood-0",)]
    assert position.ground.piece("base-1").outline == piece("ruin", 30, 14).outline


@pytest.mark.covers("missions/bases-setup")
@pytest.mark.parametrize(
    ("at", "is_legal"),
    [([6, 14, 0], True), ([6, 14.01, 0], False), ([5.99, 14, 0], False), ([60, 60, 0], False), ([60, 13, 45], False)],
)
def test_that_ruin_lies_wholly_in_the_area(at: list[float], is_legal: bool) -> None:
    question = first_question(preparation.choose_bases(base_battle(("wood", 20, 110))))
    refusal = question.refusal(at)
    assert (refusal is None) is is_legal
    assert all(question.refusal(one) is None for one in question.suggestions())


@pytest.mark.covers("missions/bases-setup")
def test_that_ruin_overlaps_no_other_piece() -> None:
    position = base_battle(("wood", 20, 110))
    area = preparation.zone(position, 1)
    assert ruin_fault(position, area, (33.5, 110.0, 0.0)) is None
    assert ruin_fault(position, area, (33.48, 110.0, 0.0)) is not None


@pytest.mark.covers("missions/bases-setup")
def test_no_bases_are_picked_in_other_missions() -> None:
    position = base_battle()
    position.now["mission"] = "patrol"
    assert play(preparation.choose_bases(position)).questions == []


# ---------------------------------------------------------------- missions/assassination


def assassination(**marks: Any) -> Position:
    ours, theirs = leader(CAPTAIN, 0, (60, 20)), leader(JARL, 1, (60, 100), **marks)
    return table(ours, theirs, a("raider", 0, (20, 20)), a("raider", 1, (20, 100)), mission="assassination")


@pytest.mark.covers("missions/assassination")
@pytest.mark.parametrize(("wounds", "is_over"), [(0, False), (2, False), (3, True)])
def test_whoever_puts_the_enemy_commander_out_of_action_has_won_at_once(wounds: int, is_over: bool) -> None:
    position = assassination(wounds=wounds)
    check_victory(position)
    assert (position.result is not None) is is_over
    assert position.result is None or (position.result.winner, position.result.rule) == (0, "missions/assassination")


@pytest.mark.covers("missions/assassination")
@pytest.mark.parametrize("cause", ["lost-melee", "flight", "table-edge", "steam"])
def test_any_removal_of_the_commander_counts_for_the_enemy(cause: str) -> None:
    position = assassination()
    position.remove(position.model(0), cause)
    check_victory(position)
    assert position.result is not None
    assert position.result.winner == 1


@pytest.mark.covers("missions/assassination")
def test_two_commanders_felled_at_the_same_moment_are_a_draw() -> None:
    position = assassination(wounds=3)
    position.remove(position.model(0), "wound")
    check_victory(position)
    assert position.result is not None
    assert position.result.winner is None


@pytest.mark.covers("missions/assassination")
def test_with_both_commanders_standing_when_the_turns_run_out_it_is_a_draw() -> None:
    position = assassination()
    position.now["turn"] = 24
    play(end_of_mission(position))
    assert position.result is not None
    assert position.result.winner is None


@pytest.mark.covers("missions/assassination")
def test_a_commander_that_falls_ends_no_other_mission() -> None:
    position = assassination(wounds=3)
    position.now["mission"] = "extermination"
    check_victory(position)
    assert position.result is None


@pytest.mark.covers("missions/assassination")
def test_a_commander_named_while_in_reserve_has_not_fallen() -> None:
    position = table(leader(CAPTAIN, 0, None), leader(JARL, 1, (60, 90)), mission="assassination")
    check_victory(position)
    assert position.result is None


@pytest.mark.covers("missions/assassination")
@pytest.mark.parametrize(("wounds", "is_over"), [(2, True), (1, False)])
def test_no_reaction_is_carried_out_once_the_commander_has_fallen(wounds: int, is_over: bool) -> None:
    """The shot that fells the Jarl ends the battle before anybody reacts to it."""
    ours = (a("steam_rifleman", 0, (60, 80), facing=180), leader(CAPTAIN, 0, (20, 20)))
    jarl = a(JARL, 1, (60, 60), facing=0, commander=1, wounds=wounds)
    position = table(*ours, jarl, a("frost_hunter", 1, (66, 60), facing=0), mission="assassination")
    shot, reactions = [0, "fire", 0, 2, "plain"], ["none", "countermove"]
    answers = [shot, reactions] if is_over else [shot, reactions, "turn", 0]
    played = play(tactical_phase(position), dice="6 1 | 1 3", answers=answers, position=position)
    assert (position.result is not None) is is_over
    assert ("countermove" in played.prompts) is not is_over


@pytest.mark.covers("missions/assassination", "control-phase/tests")
def test_a_commander_that_flees_in_the_control_phase_ends_the_battle_before_the_next_test() -> None:
    ours = leader(CAPTAIN, 0, (60, 20), suppressed=1, wounded=1)
    theirs = leader(JARL, 1, (60, 100), suppressed=1, wounded=1)
    position = table(ours, theirs, mission="assassination")
    played = play(control_phase(position), dice="1 1 | 1 2", answers=[[1, 0], "yes"], position=position)
    assert position.result is not None
    assert position.result.winner == 0
    assert position.model(0).is_on_table
    assert played.rolls == ["suppression-test", "suppression-test"]


# ---------------------------------------------------------------- missions/collapse


@pytest.mark.covers("missions/collapse")
@pytest.mark.parametrize("mission", MISSIONS)
def test_a_side_without_a_model_able_to_fight_has_lost_whatever_the_mission(mission: str) -> None:
    position = holding(mission, leader(CAPTAIN, 0, (60, 60)), a("raider", 1, wounds=1), leader(JARL, 1, (30, 30)))
    check_victory(position)
    assert not is_decided(position)
    position.remove(position.model(2), "flight")
    check_victory(position)
    assert position.result is not None
    assert position.result.winner == 0
    assert position.result.rule == ("missions/assassination" if mission == "assassination" else "missions/collapse")


@pytest.mark.covers("missions/collapse")
def test_a_model_in_reserve_keeps_a_side_in_the_battle_unless_it_can_never_come() -> None:
    position = table(a("raider"), a("raider", 1, wounds=1), a("raider", 1, at=None))
    check_victory(position)
    assert not is_decided(position)
    position.model(2).mark("never-came", 1)
    check_victory(position)
    assert position.result is not None


@pytest.mark.covers("missions/collapse")
@pytest.mark.parametrize(("extra", "winner"), [(0, None), (1, 0)])
def test_two_sides_wiped_out_are_judged_by_the_mission(extra: int, winner: int | None) -> None:
    fallen = [a("raider", 1, (20 + 5 * n, 100), wounds=1) for n in range(1 + extra)]
    position = table(a("raider", 0, (20, 20), wounds=1), *fallen)
    check_victory(position)
    assert position.result is not None
    assert (position.result.winner, position.result.rule) == (winner, "missions/collapse")
