"""Before the battle, rounds and phases, objectives, the end (mission/*, only-war/*, objectives/*, battle-round/*)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.referee.game import Game
from campale.referee.position import ABOARD, Position, Token
from campale.referee.ruleset import load_ruleset
from campale.rulesets.w10.armies.setting_out import starters
from campale.rulesets.w10.basics.levels import stand_on_different_levels
from campale.rulesets.w10.basics.markers import OBJECTIVE, check_control, controlled, is_in_range, level, markers
from campale.rulesets.w10.battle.deployment import deploy
from campale.rulesets.w10.battle.deployment import misplaced as misplaced_unit
from campale.rulesets.w10.battle.mission import (
    choose_attacker,
    choose_first,
    misplaced,
    open_places,
    place_markers,
    zone_of,
)
from campale.rulesets.w10.battle.only_war import end_after_rounds, end_if_destroyed, score
from campale.rulesets.w10.battle.pre_battle import at_the_end, scout, scouting, scouts, to_scout
from campale.rulesets.w10.turn.sequence import ACTS, BEFORE, begin, end_of_phase, end_turn
from campale.table import fields
from tests.rulesets.w10.kit import PROPOSAL, model, play, refusal, squad, table, unit, why

covers = pytest.mark.covers

FOOT = 32 / 25.4
REACH = FOOT / 2 + 20 / 25.4 + 3.0
"""From the middle of a marker to that of a model just in range."""


# ---------------------------------------------------------------- before the battle


@covers("mission/sequence", "only-war/setup")
def test_the_steps_come_in_the_order_of_the_book() -> None:
    assert list(BEFORE) == ["attacker", "markers", "formations", "deployment", "redeploy", "first-turn", "scouts"]


@covers("mission/attacker", "only-war/deployment-zones")
@pytest.mark.parametrize(("dice", "attacker"), [("5 3", 0), ("2 3", 1), ("4 4 | 1 6", 1)])
def test_the_winner_of_a_roll_off_is_the_attacker_and_chooses_an_edge(dice: str, attacker: int) -> None:
    position = table(squad("line-squad", where="reserve"))
    played = play(choose_attacker(position), dice, ["north"], position)
    assert (position.now["attacker"], position.now["deploys"]) == (attacker, attacker)
    assert [q.side for q in played.questions if not q.is_chance] == [attacker]
    zones = {side: zone_of(position, side) for side in (0, 1)}
    assert zones[attacker][1::2] == (34.0, 44.0)
    assert zones[1 - attacker][1::2] == (0.0, 10.0)


@covers("only-war/deployment-zones", "t/no-mans-land")
def test_twenty_four_inches_lie_between_the_zones() -> None:
    position = table(squad("line-squad"))
    south, north = zone_of(position, 0), zone_of(position, 1)
    assert (south[0], south[2], north[1] - south[3]) == (0.0, 60.0, 24.0)


@covers("only-war/markers", "objectives/start")
def test_the_winner_of_another_roll_off_places_the_first_of_four_markers_and_then_in_turn() -> None:
    position = table(squad("line-squad"))
    places = [[10, 10], [30, 10], [30, 22], [10, 22]]
    asked = []
    for k, at in enumerate(places):
        played = play(place_markers(position), "2 6" if k == 0 else "", [at], position)
        asked += [q.side for q in played.questions if not q.is_chance]
        assert played.value is (k < 3)
    assert asked == [1, 0, 1, 0]
    assert {token.side for token in markers(position)} == {-1}


@covers("only-war/markers")
def test_markers_keep_six_inches_off_the_edges_and_nine_off_each_other() -> None:
    position = table(squad("line-squad"), markers=[(30, 22)])
    assert misplaced(position, (6.0, 10)) is not None
    assert misplaced(position, (6.01, 10)) is None
    assert misplaced(position, (10, 38.0)) is not None
    assert misplaced(position, (39.0, 22)) is not None
    assert misplaced(position, (39.01, 22)) is None
    for one, other in ((37.99, 28.99), (13.41, 22.41), (36.3, 27.3)):
        assert misplaced(table(squad("line-squad"), markers=[(30, one)]), (30, other)) is not None
    assert all(misplaced(position, place) is None for place in open_places(position))


@covers("only-war/first-turn")
def test_a_last_roll_off_says_who_has_the_first_turn() -> None:
    position = table(squad("line-squad"))
    play(choose_first(position), "1 4", position=position)
    assert position.now["first"] == 1


# ---------------------------------------------------------------- deployment


def armies(*sides: int, **now: Any) -> Position:
    return table(*(squad("line-squad", 1, side, where="reserve") for side in sides), phase="deployment", **now)


@covers("deployment/deploy")
def test_the_sides_deploy_in_turn_from_the_attacker_on_and_who_has_more_goes_on() -> None:
    position = armies(0, 0, 0, 1, deploys=1)
    order = []
    while True:
        played = play(deploy(position), "", [], position, accepting=True)
        order.append(next(q.side for q in played.questions if q.prompt == "deploy"))
        if not played.value:
            break
    assert order == [1, 0, 0, 0]
    assert all(m.is_on_table for m in position.models)


@covers("deployment/deploy", "s/deploy-area", "within/wholly-within", "s/set-up", "core-concepts/unit-coherency")
def test_a_unit_stands_wholly_within_its_zone_together_on_nobody_and_no_marker() -> None:
    position = table(squad("line-squad", 2, where="reserve"), squad("walker", at=(40, 5)), markers=[(20, 5)])

    def wrong(*places: tuple[float, float]) -> str | None:
        found = misplaced_unit([model(position, 0), model(position, 1)], [(x, y, 0.0) for x, y in places])
        return None if found is None else found.rule

    assert wrong((10, 10 - FOOT / 2), (11.5, 9)) is None
    assert wrong((10, 10 - FOOT / 2 + 0.01), (11.5, 9)) == "deployment/deploy"
    assert wrong((10, 5), (13.3, 5)) == "core-concepts/unit-coherency"
    assert wrong((10, 5), (11, 5)) == "movement-phase/moving-models"
    assert wrong((41, 5), (43, 5)) == "movement-phase/moving-models"
    assert wrong((20, 6), (22, 5)) == "objectives/marker"


def infiltrating(y: float, enemy: float | None = None, name: str = "scout-team", **fields: Any) -> str | None:
    """Why a model may not be set up there; with an enemy straight before it."""
    team = squad(name, 1, where="reserve", **fields)
    foes = [] if enemy is None else [squad("line-squad", 1, 1, (30, enemy))]
    position = table(team, *foes, phase="deployment", deploys=0)
    found = misplaced_unit([model(position, 0)], [(30, y, 0.0)])
    return None if found is None else found.rule


@covers("core-abilities/infiltrators", "deployment/deploy")
def test_infiltrators_keep_more_than_nine_inches_from_the_enemy_zone_and_from_enemies() -> None:
    from_zone, from_enemy = 34 - 9 - 14 / 25.4, 24 - 9 - 14 / 25.4 - FOOT / 2
    assert infiltrating(from_zone - 0.01) is None
    assert infiltrating(from_zone) == "core-abilities/infiltrators"
    assert infiltrating(from_enemy - 0.01, enemy=24) is None
    assert infiltrating(from_enemy, enemy=24) == "core-abilities/infiltrators"
    assert infiltrating(9, enemy=12) is None
    assert infiltrating(20, name="line-squad") == "deployment/deploy"


@covers("core-abilities/infiltrators", "c/with-ability-x")
def test_infiltrators_must_all_be() -> None:
    mixed = squad("scout-team", 2, where="reserve")
    mixed.profiles[1] = squad("scout-team", abilities=()).profiles[0]
    position = table(mixed, phase="deployment", deploys=0)
    found = misplaced_unit([model(position, 0), model(position, 1)], [(30, 20, 0.0), (31.5, 20, 0.0)])
    assert found is not None
    assert found.rule == "deployment/deploy"


@covers("core-abilities/infiltrators")
def test_infiltrators_are_proposed_near_a_marker() -> None:
    position = table(squad("scout-team", 5, where="reserve"), phase="deployment", deploys=0, markers=[(20, 20)])
    play(deploy(position), "", [PROPOSAL], position)
    assert all(abs(m.x - 20) < 4 and abs(m.y - 20) < 4 for m in position.on_table())


@covers("deployment/deploy", "terrain/barricades", "terrain/debris")
def test_a_unit_for_which_there_is_no_room_counts_as_destroyed() -> None:
    giant = squad("walker", where="reserve", hull=(11.0, 11.0))
    position = table(giant, squad("line-squad", 1, 1), phase="deployment", deploys=0)
    play(deploy(position), position=position)
    assert [one.cause for one in position.losses] == ["no-room"]


# ---------------------------------------------------------------- Scouts


@covers("core-abilities/scouts", "e/scouts-different")
def test_scouts_needs_every_model_and_goes_by_the_shortest() -> None:
    def both(*abilities: str) -> float:
        mixed = squad("scout-team", 2)
        mixed.profiles = [squad("scout-team", abilities=(one,) if one else ()).profiles[0] for one in abilities]
        return scouts(unit(table(mixed), 0))

    assert both("scouts 6", "scouts 9") == 6.0
    assert both("scouts 9", "scouts 9") == 9.0
    assert both("scouts 9", "") == 0.0


@covers("core-abilities/scouts", "mission/pre-battle")
def test_a_scouts_move_ends_more_than_nine_inches_from_every_enemy() -> None:
    position = table(squad("scout-team", 2, at=(30, 10)), squad("line-squad", 1, 1, (30, 22)))
    size = 28 / 50.8 + FOOT / 2
    movement = scouting(unit(position, 0))
    limit = 22 - size - 9.0
    assert why(position, 0, movement, {0: (30, limit - 0.01)}) is None
    assert refusal(position, 0, movement, {0: (30, limit)}) is not None
    assert refusal(position, 0, movement, {0: (26, 16.1), 1: (27.3, 16)}) is not None
    near = table(squad("scout-team", 2, at=(30, 12)), squad("line-squad", 1, 1, (30, 22)))
    assert why(near, 0, scouting(unit(near, 0)), {0: (30, 11)}) == "core-abilities/scouts"


@covers("core-abilities/scouts")
def test_moves_of_scouts_are_looked_for_where_they_may_end() -> None:
    position = table(squad("scout-team", at=(30, 10)), squad("line-squad", 1, 1, (30, 22)))
    field = at_the_end(model(position, 0)).field
    limit = 22 - 28 / 50.8 - FOOT / 2 - 9.0
    assert fields.is_free(field, 30, limit - 0.02)
    assert not fields.is_free(field, 30, limit)


@covers("core-abilities/scouts", "transports/embark")
def test_scouts_may_embark_after_their_move_and_scout_no_more() -> None:
    position = table(
        squad("scout-team", 2, at=(30, 10)), squad("carrier", at=(34, 10)), squad("line-squad", 1, 1, (30, 40)), first=0
    )
    play(scout(position), "", [0, [[[], None], [[], None]], 2], position)
    assert [m.where for m in unit_models(position, 0)] == [ABOARD] * 2
    assert not unit(position, 0).marks("embarked")
    assert scouts(unit(position, 1)) == 0.0


def unit_models(position: Any, row: int) -> list[Any]:
    return [m for m in position.models if position.unit_of[m.row] == row]


@covers("core-abilities/scouts", "mission/pre-battle")
def test_the_side_with_the_first_turn_scouts_first_with_all_its_units() -> None:
    sides = (0, 1, 1)
    teams = (squad("scout-team", 1, side, (10 + 10 * k, 5 + 30 * side)) for k, side in enumerate(sides))
    position = table(*teams, first=1)
    asked = []
    choices: tuple[Any, ...] = (2, "done", "done")
    for chosen in choices:
        answers: list[Any] = [chosen, [[[], None]]] if chosen != "done" else [chosen]
        played = play(scout(position), "", answers, position)
        asked.append(played.questions[0].side)
    assert asked == [1, 1, 0]
    assert to_scout(position, 0) == to_scout(position, 1) == []


# ---------------------------------------------------------------- objectives


@covers("s/objective-range", "objectives/marker")
@pytest.mark.parametrize(("off", "inside"), [(REACH, True), (REACH + 0.01, False)])
def test_in_range_of_a_marker_is_three_inches_from_its_rim(off: float, inside: bool) -> None:
    position = table(squad("line-squad", at=(30 + off, 22)), markers=[(30, 22)])
    assert is_in_range(model(position, 0), position.tokens[0]) is inside


def contest(mine: int, theirs: int, **fields: Any) -> Position:
    return table(
        squad("line-squad", mine, at=(30, 20), **fields), squad("line-squad", theirs, 1, (30, 24)), markers=[(30.5, 22)]
    )


@covers("l/level-of-control", "c/control-objective", "c/controlled", "c/contested", "objectives/end-of-phase-check")
@pytest.mark.parametrize(("mine", "theirs", "holder"), [(2, 1, 0), (1, 2, 1), (2, 2, -1)])
def test_whoever_has_more_control_holds_a_marker_and_equals_contest_it(mine: int, theirs: int, holder: int) -> None:
    position = contest(mine, theirs)
    assert [level(position, position.tokens[0], side) for side in (0, 1)] == [2 * mine, 2 * theirs]
    check_control(position)
    assert position.tokens[0].side == holder
    assert [controlled(position, side) for side in (0, 1)] == [int(holder == side) for side in (0, 1)]


@covers("l/level-of-control", "command-phase/battle-shocked-effects")
def test_battle_shocked_units_control_nothing() -> None:
    position = contest(2, 1, marks={"shocked": 1})
    check_control(position)
    assert position.tokens[0].side == 1


@covers("c/control-objective", "c/contested")
def test_control_changes_at_the_end_of_a_phase_only_and_an_empty_marker_is_kept_by_nobody() -> None:
    position = table(squad("line-squad", at=(30, 20)), markers=[(30.5, 22)])
    check_control(position)
    model(position, 0).move_to(5, 5, facing=0.0)
    assert controlled(position, 0) == 1
    end_of_phase(position, "shooting")
    assert controlled(position, 0) == 0


@covers("objectives/end-of-phase-check", "f/end-of-phase", "r/end-of-command", "only-war/score")
@pytest.mark.parametrize(("name", "points"), [("command", 1), ("shooting", 0), ("fight", 0)])
def test_control_is_settled_before_scoring_at_the_end_of_the_command_phase(name: str, points: int) -> None:
    position = table(squad("line-squad", at=(30, 20)), markers=[(30, 22)], side=0)
    end_of_phase(position, name)
    assert position.holds(0, "vp") == points


@covers("only-war/score")
@pytest.mark.parametrize(("round", "held", "points"), [(1, 2, 0), (2, 2, 2), (5, 2, 2), (2, 3, 3), (2, 4, 3)])
def test_from_the_second_round_on_each_marker_scores_and_three_at_most(round: int, held: int, points: int) -> None:
    position = table(squad("line-squad"), round=round)
    for k in range(4):
        position.lay(Token(OBJECTIVE, 10.0 * k + 8, 22, side=0 if k < held else 1))
    score(position, 0)
    assert [position.holds(side, "vp") for side in (0, 1)] == [points, 0]


# ---------------------------------------------------------------- rounds and the end


@covers("battle-round/phases", "battle-round/rounds")
def test_the_phases_come_in_the_order_of_the_book() -> None:
    assert list(ACTS) == ["command", "movement", "reinforcements", "shooting", "charge", "fight"]


@covers("battle-round/phases", "battle-round/rounds", "core-concepts/coherency-end-of-turn")
def test_at_the_end_of_a_turn_all_is_forgotten_and_the_other_side_is_next() -> None:
    advanced, other = squad("line-squad", marks={"advanced": 1}), squad("line-squad", 1, 1, (30, 30))
    position = table(advanced, other, turn=3, first=1, side=1)
    play(end_turn(position), position=position)
    assert unit(position, 0).marks("advanced") == 0
    assert [position.now[name] for name in ("turn", "round", "side", "phase")] == [4, 2, 0, "command"]


@covers("i/start-of", "command-phase/command-step", "fight-phase/steps")
def test_what_happens_at_the_start_of_a_phase_happens_in_both_turns() -> None:
    position = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 30)))
    for side in (0, 1):
        play(begin(position, "command", side), position=position)
    assert [position.holds(side, "cp") for side in (0, 1)] == [2, 2]
    play(begin(position, "fight", 0), position=position)
    assert (position.now["step"], position.now["last"]) == (1, -1)


def ended(position: Position) -> Any:
    assert position.result is not None
    return position.result.winner, position.result.rule


@covers("only-war/end", "only-war/victor")
def test_an_army_that_is_destroyed_loses_and_both_draw() -> None:
    position = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 30)))
    end_if_destroyed(position)
    assert position.result is None
    position.gain(1, "vp", 9)
    position.remove(model(position, 1), "shooting")
    end_if_destroyed(position)
    assert ended(position) == (0, "only-war/end")
    both = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 30)))
    for row in (0, 1):
        both.remove(model(both, row), "explosion")
    end_if_destroyed(both)
    assert ended(both) == (None, "only-war/end")


@covers("only-war/end", "u/reserves-destroyed", "only-war/victor")
def test_reserves_keep_an_army_alive_until_the_battle_ends() -> None:
    position = table(squad("line-squad"), squad("line-squad", 1, 1, where="reserve"))
    position.gain(1, "vp", 9)
    end_if_destroyed(position)
    assert position.result is None
    end_after_rounds(position)
    assert ended(position) == (0, "only-war/end")
    assert [one.cause for one in position.losses] == ["never-arrived"]


@covers("only-war/victor", "only-war/end")
@pytest.mark.parametrize(("points", "winner"), [((3, 2), 0), ((2, 3), 1), ((3, 3), None)])
def test_after_the_fifth_round_whoever_has_more_points_wins(points: tuple[int, int], winner: int | None) -> None:
    for turn, over in ((9, False), (10, True)):
        position = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 30)), turn=turn)
        for side in (0, 1):
            position.gain(side, "vp", points[side])
        play(end_turn(position), position=position)
        assert (position.result is not None) is over
        if over:
            assert ended(position) == (winner, "only-war/victor")


# ---------------------------------------------------------------- whole battles


@covers("mission/sequence", "battle-round/rounds", "only-war/end")
@pytest.mark.parametrize("number", range(4))
def test_battles_of_random_players_end_and_break_no_rule_of_the_table(number: int) -> None:
    """Nobody overlaps, and nobody on the table has lost all wounds."""
    ruleset = load_ruleset("w10")
    setups = starters()
    game, rng = Game(ruleset, setups[number % len(setups)], f"w10-{number}", journal=True), Random(number)
    while not game.is_over:
        question = game.pending[rng.choice(game.asked)]
        suggestions = list(question.suggestions())
        answer = question.sample(rng) if rng.random() < 0.7 or not suggestions else rng.choice(suggestions)
        assert game.answer(question.side, answer) is None
        assert_sound(game.position)
    assert game.position.result is not None


def assert_sound(position: Position) -> None:
    models = position.on_table()
    assert all(0 <= m.marks("wounds") < m.profile.w for m in models)
    for k, one in enumerate(models):
        for other in models[k + 1 :]:
            if stand_on_different_levels(one, other):
                continue
            apart = (one.profile.base + other.profile.base) / 50.8
            assert (one.x - other.x) ** 2 + (one.y - other.y) ** 2 >= (apart - 0.01) ** 2
