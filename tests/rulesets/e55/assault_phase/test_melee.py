"""Chapter 3.3.2: the melee sub-phase, who attacks whom, in which order, fear."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.assault_phase import melee
from campale.rulesets.e55.assault_phase.fighting import hulls_touched, ways_to_strike
from campale.rulesets.e55.assault_phase.fighting import targets as targets_among
from campale.rulesets.e55.assault_phase.melee import fights, is_frightened
from campale.rulesets.e55.assault_phase.striking import BLOWS, SHOT
from campale.table.shapes import Point
from tests.rulesets.e55.kit import (
    PROPOSAL,
    Played,
    Squad,
    model,
    play,
    profile,
    question_after,
    squad,
    table,
    unit,
)


def men(*places: Point, side: int = 0, kind: Any = "veteran", **more: Any) -> Squad:
    return squad(kind, len(places), side, list(places), **{"combat": 1, **more})


def fought(position: Position, dice: str = "", *answers: Any, accepting: bool = True) -> Played:
    """The whole sub-phase."""

    async def whole() -> None:
        while await melee.melee_phase(position):
            pass

    return play(whole(), dice, answers, position, accepting)


def targets(position: Position, row: int = 0) -> dict[int, list[int]]:
    engaged = tuple(one.row for one in position.units if one.marks("combat"))
    return targets_among(unit(position, row), engaged or (row,))


def steps(position: Position) -> list[int]:
    assert position.journal is not None
    return [event.values["step"] for event in position.journal.events if event.kind == "initiative"]


# ---------------------------------------------------------------- 3.3.2/melee-sequence


@pytest.mark.covers("3.3.2/melee-sequence")
@pytest.mark.parametrize("side", [0, 1])
def test_all_combats_are_fought_in_either_players_turn_in_his_order(side: int) -> None:
    position = table(
        men((30, 24)),
        men((30, 25), side=1),
        men((40, 24), combat=2),
        men((40, 25), side=1, combat=2),
        phase="melee",
        side=side,
    )
    question = question_after(melee.melee_phase(position))
    assert (question.side, question.options()) == (side, [(0, 1), (2, 3)])
    played = fought(position, "1 1 1 1", (2, 3))
    assert [event.values["units"] for event in played.events if event.kind == "fight"] == [(2, 3), (0, 1)]


@pytest.mark.covers("3.3.2/melee-sequence", "3.3.2/attack-steps")
def test_a_round_runs_from_the_blows_to_the_consolidation() -> None:
    position = table(men((30, 24)), men((30, 25), side=1, kind="militia"), phase="melee")
    played = fought(position, "3 | 3 | 1 | 4")
    assert played.rolls == ["to-hit", "to-wound", "save", "consolidation"]
    assert played.kinds.index("combat-result") > played.kinds.index("initiative")
    assert not unit(position, 0).marks("combat")


@pytest.mark.covers("3.3.2/melee-sequence")
def test_the_sub_phase_goes_on_from_what_the_position_says() -> None:
    position = table(men((30, 24)), men((30, 25), side=1, kind="militia"), phase="melee")
    for dice in ("", "", "3 | 3 | 1"):
        assert play(melee.melee_phase(position), dice, [], position).value
        position = type(position).from_bytes(position.ruleset, position.to_bytes())
    assert len(position.on_table(1)) == 0


# ---------------------------------------------------------------- 3.3.2/who-attacks


@pytest.mark.covers("3.3.2/who-attacks", "1.1/distance-comparators")
@pytest.mark.parametrize(("y", "attacks"), [(22.9, True), (21.0, True), (20.1, True), (20.0, False), (19.0, False)])
def test_who_stands_within_two_inches_of_a_friend_in_contact_attacks_too(y: float, attacks: bool) -> None:
    position = table(men((30, 24), (30, y)), men((30, 25), side=1), phase="melee")
    assert targets(position) == ({0: [1], 1: [1]} if attacks else {0: [1]})


@pytest.mark.covers("3.3.2/who-attacks")
def test_the_friend_must_be_of_the_same_unit() -> None:
    position = table(men((30, 24)), men((30, 25), side=1), men((30, 23)), phase="melee")
    assert targets(position, 2) == {}


@pytest.mark.covers("3.3.2/who-attacks")
def test_the_list_stands_when_the_friend_in_contact_falls() -> None:
    own = men((30, 24), (30, 23), kind="militia")
    position = table(own, men((30, 25), side=1), phase="melee")
    played = fought(position, "4 | 5 | 1 | 1 | 1 1", [0])
    struck = [(q.about["unit"], q.description()["count"]) for q in played.questions if q.prompt == "to-hit"]
    assert struck == [(1, 1), (0, 1)]
    assert model(position, 1).is_on_table


# ---------------------------------------------------------------- 3.3.2/initiative-order


@pytest.mark.covers("3.3.2/initiative-order", "3.3.2/attack-steps")
def test_the_quicker_strike_first() -> None:
    position = table(men((30, 24)), men((30, 25), side=1, kind="militia"), phase="melee")
    fought(position, "1 1")
    assert steps(position) == [4, 3]


@pytest.mark.covers("3.3.2/initiative-order")
def test_equals_strike_together_and_both_may_fall() -> None:
    position = table(men((30, 24), kind="militia"), men((30, 25), side=1, kind="militia"), phase="melee")
    played = fought(position, "4 4 | 4 4 | 1 1")
    assert played.rolls == ["to-hit", "to-hit", "to-wound", "to-wound", "save", "save"]
    assert position.on_table() == []


@pytest.mark.covers("1.1/dice-stream", "3.3.2/attack-steps")
@pytest.mark.parametrize("side", [0, 1])
def test_the_active_players_dice_come_first_in_a_step(side: int) -> None:
    position = table(men((30, 24)), men((30, 25), side=1), phase="melee", side=side)
    played = fought(position, "1 1")
    assert [q.side for q in played.questions if q.prompt == "to-hit"] == [side, 1 - side]


@pytest.mark.covers("3.3.2/removed-before-attacking")
def test_who_falls_before_its_turn_does_not_attack() -> None:
    position = table(men((30, 24)), men((30, 25), (31, 26), side=1, kind="militia"), phase="melee")
    played = fought(position, "3 | 3 | 1 | 1 | 1 1", [1])
    first = [event for event in played.events if event.kind == "remove"]
    assert [event.values["model"] for event in first] == [1]
    assert played.questions[[q.prompt for q in played.questions].index("save") + 1].about["unit"] in (0, 1)
    assert played.rolls.count("to-hit") == 2


@pytest.mark.covers("3.3.2/removed-before-attacking")
def test_a_unit_wiped_out_does_not_strike_back() -> None:
    position = table(men((30, 24)), men((30, 25), side=1, kind="militia"), phase="melee")
    assert fought(position, "3 | 3 | 1 | 1").rolls.count("to-hit") == 1


@pytest.mark.covers("1.1/unit-ceases", "3.3.2/combat-result")
def test_a_character_who_outlives_its_unit_is_still_of_the_combat() -> None:
    own = men((30, 24), (31, 24), (29, 24), kind="veteran")
    enemies = men((30, 25), side=1, kind="militia")
    captain = men((31, 25), side=1, kind="captain", combat=0)
    position = table(own, enemies, captain, phase="melee")
    position.join(model(position, 4), unit(position, 1))
    for dice in ("", "", "1 1 1", "3 3 1 | 3 3 | 1 1"):
        play(melee.melee_phase(position), dice, [], position, accepting=True)
    assert not model(position, 3).is_on_table
    assert model(position, 4).unit == unit(position, 2)
    assert position.declared["fight"][0] == (0, 1, 2)


@pytest.mark.covers("3.3.2/initiative-frozen")
def test_the_order_of_the_round_stands_whatever_becomes_of_the_initiative() -> None:
    position = table(men((30, 24)), men((30, 25), side=1, kind="militia"), phase="melee")
    play(melee.melee_phase(position), "", [], position)
    play(melee.melee_phase(position), "", [], position)
    unit(position, 0).mark("charged-rough", 1)
    fought(position, "1 1")
    assert steps(position) == [4, 3]


@pytest.mark.covers("9.2.1/slow", "3.3.2/initiative-order", "3.3.2/one-melee-weapon")
def test_the_weapon_is_chosen_before_the_order_is_set() -> None:
    armed = profile("veteran", "blade", "fist")
    position = table(men((30, 24), kind=armed), men((30, 25), side=1, kind="militia"), phase="melee")
    played = fought(position, "1 | 1 1", [(1, BLOWS, ((1, 2),))])
    assert played.prompts[0] == "strikes"
    assert steps(position) == [3, 1]


# ---------------------------------------------------------------- 3.3.2/split-attacks, one-melee-weapon


@pytest.mark.covers("3.3.2/split-attacks", "1.1/distance-comparators")
@pytest.mark.parametrize(("x", "near"), [(32.9, [1, 2]), (33.0, [1])])
def test_of_several_enemy_units_those_less_than_two_inches_away_may_be_struck(x: float, near: list[int]) -> None:
    position = table(men((30, 24)), men((30, 25), side=1), men((x, 24), side=1), phase="melee")
    assert targets(position) == {0: near}


@pytest.mark.covers("3.3.2/split-attacks")
def test_a_supporter_far_from_all_strikes_whom_his_friend_touches() -> None:
    own = men((30, 24), (30, 21.5))
    position = table(own, men((30, 25), side=1), men((33, 25), side=1), phase="melee")
    assert targets(position)[1] == [1]


@pytest.mark.covers("3.3.2/split-attacks")
def test_against_a_single_unit_no_distance_is_asked() -> None:
    position = table(men((30, 24), (30, 21.5)), men((30, 25), side=1), phase="melee")
    assert targets(position)[1] == [1]


@pytest.mark.covers("3.3.2/split-attacks", "3.3.2/attack-count")
def test_the_attacks_of_one_model_may_be_divided_and_none_withheld() -> None:
    own = men((30, 24), kind=profile("veteran", a=2))
    position = table(own, men((30, 25), side=1), men((31, 24), side=1), phase="melee")
    ways = ways_to_strike(model(position, 0), [1, 2])
    assert sorted(aims for _, _, aims in ways) == [((1, 1), (2, 1)), ((1, 2),), ((2, 2),)]
    played = fought(position, "1 | 1 | 1 1 | 1 1", [(-1, BLOWS, ((1, 1), (2, 1)))])
    assert played.prompts == ["strikes"]
    assert [(q.about["unit"], q.about["target"]) for q in played.questions if q.prompt == "to-hit"] == [
        (0, 1),
        (0, 2),
        (1, 0),
        (2, 0),
    ]


@pytest.mark.covers("3.3.2/one-melee-weapon", "9.1.1/pistol-in-melee")
def test_like_models_choose_together_or_apart() -> None:
    armed = profile("veteran", "blade", "sidearm")
    own = men((30, 24), (31, 24), kind=armed)
    blows, shot = (0, BLOWS, ((1, 2),)), (1, SHOT, ((1, 1),))

    def shots_of(*answer: Any) -> list[int]:
        position = table(own, men((30, 25), (31, 25), side=1, kind="militia"), phase="melee")
        play(melee.melee_phase(position), "", [], position)
        play(melee.melee_phase(position), "", [list(answer)], position)
        return [strike[1] for strike in position.declared["fight"][4] if strike[2][1] == SHOT]

    assert shots_of(blows) == []
    assert shots_of(shot) == [0, 1]
    assert shots_of("apart", blows, shot) == [1]


@pytest.mark.covers("3.3.2/one-melee-weapon", "3.3.2/split-attacks")
def test_who_has_nothing_to_choose_is_not_asked() -> None:
    position = table(men((30, 24)), men((30, 25), side=1, kind="militia"), phase="melee")
    assert fought(position, "1 1").prompts == []


@pytest.mark.covers("3.3.2/split-attacks")
def test_units_of_another_combat_are_not_struck() -> None:
    other = men((31, 25), side=1, combat=2)
    position = table(men((30, 24)), men((30, 25), side=1), other, men((31, 26), combat=2), phase="melee")
    assert targets_among(unit(position, 0), (0, 1)) == {0: [1]}


@pytest.mark.covers("3.3.2/attack-count")
def test_attacks_at_a_unit_that_is_no_more_go_to_another() -> None:
    quick, slow = men((30, 24), kind=profile("captain", a=1)), men((31, 24), kind=profile("veteran", a=1))
    one, two = men((30, 25), side=1, kind="militia"), men((31, 25), side=1, kind="militia")
    position = table(quick, slow, one, two, phase="melee")
    split = [[(-1, BLOWS, ((2, 1),)), (-1, BLOWS, ((2, 1),))]]
    played = fought(position, "3 | 3 | 1 | 3 | 1 | 1 | 1 1", *split)
    struck = [q.about["target"] for q in played.questions if q.prompt == "to-hit" and q.side == 0]
    assert struck == [2, 3]


# ---------------------------------------------------------------- 9.1.1/pistol-in-melee


@pytest.mark.covers("9.1.1/pistol-in-melee", "3.3.2/attack-count")
def test_all_attacks_may_be_given_up_for_a_pistol_shot() -> None:
    own = men((30, 24), kind=profile("veteran", "blade", "sidearm", bs=5))
    position = table(own, men((30, 25), side=1, kind="militia"), phase="melee")
    ways = ways_to_strike(model(position, 0), [1])
    assert {(manner, aims) for _, manner, aims in ways} == {(BLOWS, ((1, 2),)), (SHOT, ((1, 1),))}
    played = fought(position, "2 | 3 | 1 | 1", [(1, SHOT, ((1, 1),))])
    assert played.rolls[:2] == ["to-hit", "to-wound"]
    assert position.on_table(1) == []
    assert steps(position)[0] == 4


# ---------------------------------------------------------------- 3.3.2/rear-charge-effect


@pytest.mark.covers("3.3.2/rear-charge-effect")
def test_who_was_charged_from_behind_has_no_attack_on_that_charger() -> None:
    behind = men((30, 25), side=1, notes={"rear-charged-by": (0,)})
    position = table(men((30, 24), charged=1), behind, men((31, 26)), phase="melee")
    assert targets(position, 1) == {1: [2]}
    assert targets(position, 0) == {0: [1]}
    unit(position, 0).mark("charged", 0)
    assert targets(position, 1) == {1: [0, 2]}


# ---------------------------------------------------------------- 9.2.1/crushing-grip


def against_a_slow_beast(*more: Squad) -> Position:
    """Three in the air round a flying monster that strikes last, which they are about to clip."""
    places = [(30, 21.75), (31.3, 21.4), (28.7, 21.4)]
    beast = squad(profile("winged-beast", i=1), at=(30, 20), combat=1, aloft=1)
    return table(beast, squad("jump-trooper", 3, 1, places, combat=1, aloft=1), *more, phase="melee")


@pytest.mark.covers("6.1.1/clip-wings-engaged")
def test_who_drops_out_with_clipped_wings_makes_no_further_attacks() -> None:
    played = fought(against_a_slow_beast(), "6 6 6 | 6 6 1 | 1 1 | 6 1 | 3 3")
    assert played.rolls[-3:] == ["clip-wings", "consolidation", "consolidation"]
    assert "combat-result" not in played.kinds
    played = fought(against_a_slow_beast(), "6 6 6 | 6 6 1 | 1 1 | 5 1 | 1 1 1 | 1 1")
    assert played.rolls.count("to-hit") == 2


@pytest.mark.covers("6.1.1/clip-wings-engaged", "3.3.2/combat-result")
def test_who_drops_out_with_clipped_wings_counts_for_nothing_in_the_combat() -> None:
    friend = squad(profile("jump-trooper", i=1, t=6), at=[(31.3, 22.4)], combat=1, aloft=1)
    played = fought(against_a_slow_beast(friend), "6 6 6 | 6 6 1 | 1 1 | 6 1 | 3 | 1 | 3 3")
    result = next(event.values for event in played.events if event.kind == "combat-result")
    assert (result["units"], result["totals"]) == ((1, 2), [1, 3])
    assert played.position is not None
    assert [one.marks("combat") for one in played.position.units] == [0, 1, 1]


@pytest.mark.covers("6.1.1/clip-wings-engaged", "3.3.2/attack-count")
def test_blows_meant_for_who_has_dropped_out_go_to_another() -> None:
    late = squad(profile("jump-trooper", i=1), 1, 1, [(29.2, 18.45)], combat=1, aloft=1)
    friend = squad(profile("jump-trooper", i=1), at=[(29.2, 17.45)], combat=1, aloft=1)
    position = against_a_slow_beast(friend, late)
    dice = "6 6 6 | 6 6 1 | 1 1 | 6 1 | 3 | 1 | 1 | 1 1"
    played = fought(position, dice)
    last = [question for question in played.questions if question.prompt == "to-hit"][-1]
    assert (last.about["unit"], last.about["target"]) == (3, 2)


@pytest.mark.covers("9.2.1/crushing-grip")
def test_a_model_that_was_gripped_loses_its_next_attacks_and_no_more() -> None:
    position = table(men((30, 24)), men((30, 25), side=1, kind="militia"), phase="melee")
    model(position, 0).mark("gripped", 1)
    played = fought(position, "1")
    assert [q.about["unit"] for q in played.questions if q.prompt == "to-hit"] == [1]
    assert not model(position, 0).marks("gripped")
    assert fought(position, "1 1").rolls == ["to-hit", "to-hit"]


# ---------------------------------------------------------------- 6.1/fear


@pytest.mark.covers("6.1/fear")
@pytest.mark.parametrize(("test", "skill"), [("4 3", 3), ("4 4", 1)])
def test_who_fails_its_fear_test_has_weapon_skill_one(test: str, skill: int) -> None:
    beast = men((30, 24), kind="great-beast", side=0)
    position = table(beast, men((30, 26.75), side=1, kind="militia"), phase="melee")
    played = fought(position, f"{test} | 1 1 1 1 | 1 1")
    assert played.questions[0].prompt == "fear"
    need = next(q for q in played.questions if q.prompt == "to-hit" and q.side == 0)
    assert need.description()["needed"]["base"] == {3: 3, 1: 2}[skill]


@pytest.mark.covers("6.1/fear")
def test_fear_is_of_enemies_in_the_same_combat_and_frightens_no_walker() -> None:
    beast = men((30, 24), kind="great-beast")
    position = table(beast, men((30, 26.75), side=1), men((50, 24), side=1, combat=2), men((50, 23), combat=2))
    assert is_frightened(unit(position, 1))
    assert not is_frightened(unit(position, 2))
    assert not is_frightened(unit(position, 0))
    walker = table(men((30, 24), kind="great-beast"), men((30, 26.5), side=1, kind="walker"), phase="melee")
    assert "fear" not in fought(walker, "1 1 | 1 1 1").rolls


# ---------------------------------------------------------------- 7.7/attacking-vehicles


def at_a_tank(*more: Squad, **given: Any) -> Position:
    own = squad("veteran", 2, 0, [(30, 24), (30, 22.5)])
    return table(own, squad("tank", 1, 1, (30, 27), facing=180.0), *more, phase="melee", **given)


@pytest.mark.covers("7.7/attacking-vehicles", "7.7/vehicles-not-engaged")
@pytest.mark.parametrize("side", [0, 1])
def test_only_models_in_contact_attack_a_vehicle_in_both_players_turns(side: int) -> None:
    position = at_a_tank(side=side)
    assert fights(position) == [(0,)]
    assert targets(position) == {0: [1]}
    played = fought(position, "1", "yes")
    assert played.prompts == ["attack-vehicle"]
    assert played.rolls == ["to-hit"]
    assert "combat-result" not in played.kinds
    assert not unit(position, 0).marks("combat")


@pytest.mark.covers("7.7/attacking-vehicles", "7.17/squadron-hits")
@pytest.mark.parametrize(("beside", "rolls"), [(40.0, 1), (33.0, 2)])
def test_who_touches_no_vehicle_of_a_squadron_any_more_strikes_none(beside: float, rolls: int) -> None:
    """The quick man wrecks the vehicle that both touch; another of the squadron is within reach only if touched."""
    weak = profile("tank", structure=1)
    position = table(
        squad([profile("veteran", i=5, s=10), profile("veteran")], 2, 0, [(29, 24), (31.5, 24)]),
        squad([weak, weak], 2, 1, [(30, 27), (beside, 27)], facing=180.0),
        phase="melee",
    )
    more = " | 1" if rolls == 2 else ""
    played = fought(position, "2 | 6 | 4" + more, "yes")
    assert played.rolls.count("to-hit") == rolls
    assert not model(position, 2).is_on_table


@pytest.mark.covers("7.7/attacking-vehicles")
def test_a_vehicle_need_not_be_attacked() -> None:
    assert fought(at_a_tank(), "", "no").rolls == []


@pytest.mark.covers("7.7/attacking-vehicles", "7.7/melee-hits-rear")
def test_a_hit_on_a_vehicle_goes_through_its_rear() -> None:
    played = fought(at_a_tank(), "2 | 6 | 1", PROPOSAL)
    assert played.rolls[:2] == ["to-hit", "penetration"]


@pytest.mark.covers("7.7/attacking-vehicles")
def test_who_is_also_engaged_may_choose_the_vehicle() -> None:
    position = at_a_tank(men((29, 24), side=1))
    unit(position, 0).mark("combat", 1)
    assert targets(position, 0)[0] == [2, 1]
    assert fights(position) == [(0, 2)]


@pytest.mark.covers("7.7/attacking-vehicles", "7.7/vehicles-not-engaged")
def test_a_vehicle_itself_attacks_nobody() -> None:
    position = table(squad("tank", 1, 0, (30, 24)), squad("tank", 1, 1, (30, 29)), phase="melee")
    assert fights(position) == []
    assert targets(position, 0) == {}


@pytest.mark.covers("7.16/walker-melee")
def test_a_walker_attacks_and_is_hit_by_chapter_seven() -> None:
    position = table(men((30, 24)), men((30, 25.75), side=1, kind="walker"), phase="melee")
    assert targets(position, 1) == {1: [0]}
    played = fought(position, "4 | 1 1 | 1 | 1 1")
    assert played.rolls == ["to-hit", "to-hit", "penetration", "lost-combat"]


@pytest.mark.covers("7.13/flyer-assault", "7.7/attacking-vehicles")
def test_an_aircraft_that_has_taken_off_is_attacked_only_by_those_who_fly() -> None:
    for kind, aloft, found in (("veteran", 0, [1]), ("veteran", 1, []), ("jump-trooper", 1, [1])):
        position = table(
            squad(kind, 1, 0, (30, 24), aloft=1),
            squad("aircraft", 1, 1, (30, 27), facing=180.0, aloft=aloft),
            phase="melee",
        )
        assert hulls_touched(model(position, 0)) == found
