"""Before the first turn: setting out, agreeing on cover, edges, deployment, the first turn, scouts."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.setup.agreed import SetupError
from campale.referee.game import Game
from campale.referee.position import RESERVE, Position
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.e55.armies import forces
from campale.rulesets.e55.armies.forces import UnitSpec
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.armies.setting_out import (
    ROSTER,
    ROWS,
    STARTS,
    enlist,
    roster,
    set_out,
)
from campale.rulesets.e55.battle.agreeing import agree_on_scenery, with_cover
from campale.rulesets.e55.battle.deployment import LEFT, announced, could_board, deploy, outside_zone, place, zone_of
from campale.rulesets.e55.battle.preparation import choose_edges, move_scouts
from campale.rulesets.e55.definitions.units import ALOFT, INCHES, MOVED, SPEED, WAITS
from campale.rulesets.e55.movement_phase.terrain import cover_of
from campale.rulesets.e55.turn.sequence import phases
from tests.rulesets.e55.kit import (
    PROPOSAL,
    Played,
    block,
    model,
    play,
    profile,
    question_after,
    refused,
    squad,
    table,
    unit,
    wall,
    wood,
)

RULESET = load_ruleset("e55")
SMALL = tuple(forces.FORCES.plain(name) for name in forces.FORCES.names() if "750" in name)


def spec(kind: str | Profile, count: int = 1, name: str = "", *adds: str) -> UnitSpec:
    made = profile(kind, adds=adds) if isinstance(kind, str) else kind
    called = name or made.id
    return UnitSpec(called, {"en": called, "it": called}, (made,) * count)


def mustered(position: Position, side: int, *units: UnitSpec, starts: tuple[int, ...] = ()) -> Position:
    """A side's roster."""
    position.hold(side, ROSTER, [forces.encode(one) for one in units])
    position.hold(side, ROWS, [-1] * len(units))
    position.hold(side, STARTS, starts or [-1] * len(units))
    return position


def before_battle(*ours: UnitSpec, theirs: tuple[UnitSpec, ...] = (), **more: Any) -> Position:
    """At the deployment: side 0 begins, its edge is y = 0."""
    position = table(phase="deployment", turn=0, **more)
    del position.now["first"]
    position.now["deploys"] = 0
    mustered(position, 0, *ours)
    return mustered(position, 1, *theirs)


def set_up(**agreed: Any) -> Position:
    return set_out(RULESET, Setup("e55", {}, SMALL[:2], agreed))


# ---------------------------------------------------------------- 10/game-sequence, 10.1


@pytest.mark.covers("10/game-sequence")
def test_a_game_goes_from_the_table_to_the_first_turn_in_the_order_of_the_book() -> None:
    names = list(phases())
    wanted = ["scenery", "mission", "objectives", "edges", "reserves", "deployment", "scouts", "first-facing"]
    assert names[:8] == wanted
    assert names[8] == "start"


@pytest.mark.covers("10.1/table")
def test_the_table_measures_48_by_72() -> None:
    ground = set_up().ground
    assert (ground.width, ground.depth) == (72.0, 48.0)


@pytest.mark.covers("10/armies", "1.1/unit")
def test_nothing_is_on_the_table_and_each_side_holds_its_army() -> None:
    position = set_up()
    assert position.models == []
    for side in (0, 1):
        units = roster(position, side)
        assert len(units) == len(forces.FORCES.from_plain(SMALL[side]).units)
        assert units[0] == forces.FORCES.from_plain(SMALL[side]).units[0]


@pytest.mark.covers("10/armies", "1.1/unit")
def test_a_unit_that_comes_into_play_has_its_models_nowhere_yet() -> None:
    position = table()
    row = enlist(position, 1, spec("veteran", 3, "lions"))
    assert (row.side, row.name) == (1, "lions")
    assert [m.where for m in position.models] == [RESERVE] * 3
    assert {m.unit.row for m in position.models} == {row.row}


@pytest.mark.parametrize(
    "agreed", [{"scenery": "no-such"}, {"mission": "no-such"}, {"scenery": [{"kind": "no-such", "centre": [9, 9]}]}]
)
def test_what_cannot_be_played_is_said(agreed: dict[str, Any]) -> None:
    with pytest.raises(SetupError):
        set_up(**agreed)
    with pytest.raises(SetupError, match="two armies"):
        set_out(RULESET, Setup("e55", {}, SMALL[:1]))


@pytest.mark.covers("10.1/scenery")
def test_a_layout_that_was_agreed_on_lies_there_at_once() -> None:
    name = RULESET.starters()[0].agreed["scenery"]  # type: ignore[misc]
    position = set_up(scenery=name, cover="presets")
    assert position.ground.pieces
    assert play(agree_on_scenery(position)).rolls == []


@pytest.mark.covers("10.1/scenery", "3.1.2/terrain-extent")
def test_players_may_lay_the_pieces_themselves() -> None:
    laid = [{"kind": "woods", "centre": [20, 20]}, {"kind": "ruins", "centre": [50, 20], "cover": 4}]
    position = set_up(scenery=laid)
    assert [piece.kind for piece in position.ground.pieces] == ["woods", "ruins"]
    assert cover_of(position.ground.pieces[1]) == 4
    assert len(position.ground.pieces[0].outline) == 4


@pytest.mark.covers("10.1/scenery")
def test_a_table_may_be_drawn_or_made_up() -> None:
    drawn = set_up(scenery="lot", cover="presets")
    assert play(agree_on_scenery(drawn), dice="0").rolls == ["layout"]
    assert drawn.ground.pieces
    made = set_up(scenery="generated", cover="presets")
    assert play(agree_on_scenery(made), dice="7").rolls == ["table"]
    assert made.ground.pieces


# ---------------------------------------------------------------- 2.3.1/cover-agreed


def with_woods(**more: Any) -> Position:
    return table(pieces=[wood(20, 20, name="wood"), block(40, 20, 4, 4, "open", name="hill")], **more)


@pytest.mark.covers("2.3.1/cover-agreed")
def test_both_players_settle_the_cover_of_the_pieces() -> None:
    position = with_woods()
    played = play(agree_on_scenery(position), answers=[["wood", 4, "hill", 6, "done"], "yes"], position=position)
    assert [question.side for question in played.questions] == [0, 1]
    assert [cover_of(piece) for piece in position.ground.pieces] == [4, 6]
    assert played.cites("2.3.1/cover-agreed")


@pytest.mark.covers("2.3.1/cover-agreed")
def test_where_the_second_player_does_not_agree_it_stays_as_proposed() -> None:
    position = with_woods()
    play(agree_on_scenery(position), answers=[["wood", 0, "done"], "no"])
    assert [cover_of(piece) for piece in position.ground.pieces] == [5, None]


@pytest.mark.covers("2.3.1/cover-agreed")
def test_a_cover_may_be_taken_away() -> None:
    ground = with_woods().ground
    assert cover_of(with_cover(ground, "wood", 0).piece("wood")) is None
    assert with_cover(ground, "wood", 2).piece("wood").outline == ground.piece("wood").outline


@pytest.mark.covers("2.3.1/cover-agreed")
def test_the_proposal_changes_nothing_and_the_second_player_is_not_asked() -> None:
    position = with_woods()
    played = play(agree_on_scenery(position), answers=[PROPOSAL])
    assert played.prompts == ["agree-on-cover"]
    assert [cover_of(piece) for piece in position.ground.pieces] == [5, None]


@pytest.mark.covers("2.3.1/cover-agreed")
def test_what_was_agreed_before_is_not_asked() -> None:
    laid = [{"kind": "woods", "centre": [20, 20]}]
    position = set_up(scenery=laid, cover={"woods-1": 3})
    assert cover_of(position.ground.pieces[0]) == 3
    assert play(agree_on_scenery(position)).prompts == []
    with pytest.raises(SetupError):
        set_up(scenery=laid, cover={"woods-1": 1})


@pytest.mark.covers("2.3.1/cover-agreed")
def test_only_values_of_a_cover_may_be_said() -> None:
    asked = question_after(agree_on_scenery(with_woods()))
    assert refused(asked, ["wood", 6, "done"]) == ""
    assert asked.refusal(["wood", 1, "done"]) is not None
    assert asked.refusal(["wood", 4, "wood", 3, "done"]) is not None


# ---------------------------------------------------------------- 10.3: who begins, and where


@pytest.mark.covers("10.3/deployment-choice", "10.3/pitched-battle")
def test_a_player_drawn_by_lot_says_who_begins_deploying() -> None:
    for drawn in (0, 1):
        position = table()
        played = play(choose_edges(position), dice=str(drawn), answers=[1, "south"], position=position)
        assert [question.side for question in played.questions if not question.is_chance] == [drawn, 1]
        assert position.now["deploys"] == 1
        assert position.now["deployment"] == "pitched-battle"


@pytest.mark.covers("10.3/table-edge")
def test_who_begins_has_the_long_edge_that_he_wants() -> None:
    position = table()
    asked = question_after(choose_edges(position), "0", [0])
    assert asked.options() == ["south", "north"]
    position = table()
    play(choose_edges(position), dice="0", answers=[1, "south"])
    assert (position.hand(1, "edge"), position.hand(0, "edge")) == (("south",), ("north",))


# ---------------------------------------------------------------- 10.3/zone


@pytest.mark.covers("10.3/zone")
@pytest.mark.parametrize(("side", "inside", "outside"), [(0, 11.4, 11.5), (1, 36.6, 36.5)])
def test_a_base_lies_wholly_nearer_than_twelve_inches_to_the_edge(side: int, inside: float, outside: float) -> None:
    position = table(squad("militia", side=side, at=None))
    one = model(position, 0)
    assert outside_zone(one, (30, inside, 0.0)) is None
    found = outside_zone(one, (30, outside, 0.0))
    assert found is not None
    assert (found.measured, found.limit) == (12.0, 12.0)


@pytest.mark.covers("10.3/zone")
def test_a_hull_lies_wholly_in_the_zone_however_it_is_turned() -> None:
    one = model(table(squad("tank", at=None)), 0)
    assert outside_zone(one, (30, 9.4, 0.0)) is None
    assert outside_zone(one, (30, 9.6, 0.0)) is not None
    assert outside_zone(one, (30, 10.4, 90.0)) is None


@pytest.mark.covers("10.3/zone")
def test_the_zone_is_a_strip_along_the_own_edge() -> None:
    position = table()
    assert zone_of(position, 0) == (0.0, 0.0, 72.0, 12.0)
    assert zone_of(position, 1) == (0.0, 36.0, 72.0, 48.0)


def on_the_way(*ours: UnitSpec, **more: Any) -> Position:
    """Side 0's first unit has been named."""
    position = before_battle(*ours, **more)
    play(deploy(position))
    play(deploy(position), answers=[0])
    return position


@pytest.mark.covers("10.3/zone", "3.1.1/coherency")
def test_a_unit_is_deployed_in_its_zone_and_together() -> None:
    position = on_the_way(spec("militia", 3))
    asked = question_after(deploy(position))
    assert refused(asked, [[10, 11.4, 0], [12, 11.4, 0], [14, 11.4, 0]]) == ""
    assert refused(asked, [[10, 11.6, 0], [12, 11.4, 0], [14, 11.4, 0]]) == "10.3/zone"
    assert refused(asked, [[10, 11.4, 0], [12, 11.4, 0], [20, 11.4, 0]]) == "3.1.1/coherency"


# ---------------------------------------------------------------- 10.3/pitched-battle: the order


def deployed(position: Position, most: int = 40) -> list[tuple[int, str]]:
    """Deploy to the end by what is proposed: who was asked what."""
    told: list[tuple[int, str]] = []
    for _ in range(most):
        played = play(deploy(position), accepting=True)
        told += [(int(q.side or 0), q.prompt) for q in played.questions]
        if not played.value:
            return told
    raise AssertionError("no end of the deployment")


def named(told: list[tuple[int, str]]) -> list[int]:
    return [side for side, prompt in told if prompt == "deploy-next"]


@pytest.mark.covers("10.3/pitched-battle")
def test_units_are_placed_one_at_a_time_in_turn() -> None:
    three = (spec("militia", 2), spec("militia", 2), spec("tank"))
    position = before_battle(*three, theirs=three)
    told = deployed(position)
    assert named(told) == [0, 1, 0, 1, 0, 1]
    assert len(position.on_table()) == 10


@pytest.mark.covers("10.3/pitched-battle")
def test_a_unit_is_named_and_then_placed() -> None:
    position = before_battle(spec("militia", 2), spec("tank"))
    play(deploy(position))
    play(deploy(position), answers=[1])
    assert [u.name for u in announced(position)] == ["tank"]
    assert position.now[LEFT] == (1, 0)
    play(deploy(position), answers=[[[20, 6, 90]]])
    assert announced(position) == []
    assert (model(position, 0).x, model(position, 0).facing) == (20, 90)


@pytest.mark.covers("10.3/first-turn")
def test_who_is_ready_first_says_at_once_who_takes_the_first_turn() -> None:
    position = before_battle(spec("militia"), theirs=(spec("militia"), spec("militia"), spec("militia")))
    told = deployed(position)
    assert named(told) == [0, 1, 1, 1]
    assert told.index((0, "first-turn")) == 2
    assert position.now["first"] == 0


@pytest.mark.covers("10.3/first-turn")
def test_he_may_give_it_away() -> None:
    position = on_the_way(spec("militia"))
    play(deploy(position), answers=[PROPOSAL])
    play(deploy(position), answers=[1])
    assert position.now["first"] == 1


@pytest.mark.covers("10.3/first-turn")
def test_with_as_many_units_who_began_is_ready_first() -> None:
    two = (spec("militia"), spec("militia"))
    told = deployed(before_battle(*two, theirs=two))
    assert (0, "first-turn") in told
    assert named(told) == [0, 1, 0, 1]


@pytest.mark.covers("10.3/first-turn")
def test_who_has_nothing_to_deploy_is_ready_at_his_first_placement() -> None:
    told = deployed(before_battle(spec("militia"), spec("militia")))
    assert named(told) == [0, 0]
    assert told.index((1, "first-turn")) < told.index((0, "deploy-next"), 1)
    assert deployed(before_battle(theirs=(spec("militia"),)))[0] == (0, "first-turn")
    assert deployed(before_battle()) == [(0, "first-turn")]


@pytest.mark.covers("10.3/pitched-battle")
def test_a_unit_may_be_placed_aboard_a_transport_that_is_on_the_table() -> None:
    position = before_battle(spec("carrier"), spec("militia", 10), spec("militia", 1))
    for answers in ([], [0], [[[20, 6, 0]]], [], [0], [1]):
        play(deploy(position), answers=answers)
    asked = question_after(deploy(position))
    assert asked.options() == [("table",), ("aboard", 0)]
    play(deploy(position), answers=[["aboard", 0]])
    assert {m.aboard_of.row for m in position.models[1:] if m.aboard_of is not None} == {0}
    play(deploy(position), answers=[2])
    assert question_after(deploy(position)).kind == "place"


@pytest.mark.covers("10.3/pitched-battle")
def test_what_its_list_has_start_aboard_is_proposed_to_be_there() -> None:
    position = before_battle()
    mustered(position, 0, spec("carrier"), spec("militia", 5), starts=(-1, 0))
    for answers in ([], [0], [[[20, 6, 0]]], [], [0], [1]):
        play(deploy(position), answers=answers)
    assert question_after(deploy(position)).suggestions()[0] == ("aboard", 0)


@pytest.mark.covers("7.10/capacity")
def test_only_what_a_transport_takes_may_board_it() -> None:
    position = table(squad("carrier", at=(20, 6)), squad("militia", 10, at=None), squad("biker", at=None))
    militia, biker = position.models[1:11], position.models[11:]
    assert could_board(model(position, 0), militia)
    assert not could_board(model(position, 0), [*militia, militia[0]])
    assert not could_board(model(position, 0), biker)


@pytest.mark.covers("7.14/aircraft-mode")
def test_the_mode_of_an_aircraft_is_declared_as_it_is_deployed() -> None:
    for mode, aloft in (("ground", 0), ("flying", 1)):
        position = on_the_way(spec("aircraft"))
        play(deploy(position), answers=[[[20, 6, 0]], mode])
        assert unit(position, 0).marks(ALOFT) == aloft


@pytest.mark.covers("6.2.1/jetbike-mode", "6.4/flying-infantry-mode")
def test_flying_types_are_deployed_flying() -> None:
    position = on_the_way(spec("jetbiker", 2))
    play(deploy(position), answers=[PROPOSAL])
    assert unit(position, 0).marks(ALOFT) == 1


def test_a_unit_for_which_there_is_no_room_waits_outside() -> None:
    position = on_the_way(spec("militia", 2), pieces=[wall(36, 6, 72, 12)])
    played = play(place(announced(position)[0]))
    assert played.prompts == []
    assert unit(position, 0).marks(WAITS) == 1
    assert announced(position) == []


@pytest.mark.covers("8/independent-character")
def test_a_character_deployed_close_to_a_unit_belongs_to_it() -> None:
    position = before_battle(spec("militia", 2), spec("captain"))
    for answers in ([], [0], [[[20, 6, 0], [22, 6, 0]]], [], [0], [1], [[[24, 6, 0]]], []):
        play(deploy(position), answers=answers)
    assert model(position, 2).unit == unit(position, 0)


# ---------------------------------------------------------------- 8/scouts


def scouting(*squads: Any, first: int = 0, **more: Any) -> Position:
    return table(*squads, phase="scouts", first=first, turn=0, **more)


def scouts(kind: str = "militia", count: int = 2, side: int = 0, at: tuple[float, float] = (20, 10)) -> Any:
    return squad(profile(kind, adds=["scouts"]), count, side, at)


MOVE = [[[[20, 16]], None], [[[22, 16]], None]]


@pytest.mark.covers("8/scouts")
def test_a_unit_of_scouts_makes_a_normal_move_and_has_not_moved() -> None:
    position = scouting(scouts())
    played = play(move_scouts(position), answers=[["scout", 0], MOVE])
    assert played.value is True
    assert [m.y for m in position.models] == [16, 16]
    assert unit(position, 0).marks(MOVED) == 0
    assert play(move_scouts(position)).value is False


@pytest.mark.covers("8/scouts")
def test_they_go_no_farther_than_a_move() -> None:
    asked = question_after(move_scouts(scouting(scouts())), answers=[["scout", 0]])
    assert refused(asked, MOVE) == ""
    assert refused(asked, [[[[20, 16.1]], None], [[[22, 16]], None]]) == "1.1/move"


@pytest.mark.covers("8/scouts")
def test_all_models_must_be_scouts() -> None:
    position = scouting(squad([profile("militia", adds=["scouts"]), profile("militia")], 2))
    assert play(move_scouts(position)).prompts == []


@pytest.mark.covers("8/scouts")
def test_the_first_player_moves_his_scouts_first_and_nobody_has_to() -> None:
    position = scouting(scouts(), scouts(side=1, at=(20, 40)), first=1)
    played = play(move_scouts(position), answers=[["done"]])
    assert [question.side for question in played.questions] == [1]
    played = play(move_scouts(position), answers=[["done"]])
    assert [question.side for question in played.questions] == [0]
    assert play(move_scouts(position)).value is False


@pytest.mark.covers("8/scouts")
def test_a_vehicle_of_scouts_is_stationary_for_every_purpose() -> None:
    position = scouting(scouts("tank", 1))
    coroutine = move_scouts(position)
    played: Played = play(coroutine, answers=[["scout", 0], ["drive", 0, 0, 1], [[[[[20, 16]], None]]]])
    assert played.value is True
    assert model(position, 0).y == 16
    assert (model(position, 0).marks(SPEED), model(position, 0).marks(INCHES)) == (0, 0)
    assert unit(position, 0).marks(MOVED) == 0


# ---------------------------------------------------------------- all of it


@pytest.mark.covers("10/game-sequence")
def test_a_battle_is_prepared_to_its_first_turn() -> None:
    game = Game(RULESET, Setup("e55", {}, SMALL[:2], {"points": 750}), "prepared")
    for _ in range(400):
        if game.position.now.get("turn", 0):
            break
        question = game.question
        assert question is not None
        assert game.answer(question.side, question.suggestions()[0]) is None
    assert game.position.now["turn"] == 1
    kinds = [event.values["phase"] for event in game.journal if event.kind == "phase"]
    assert kinds[:7] == ["mission", "objectives", "edges", "reserves", "deployment", "scouts", "first-facing"]
