"""The Approach: when it is open, where it leads, how often."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push, run_all
from campale.referee.position import Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.approach import approaches, as_approached
from campale.rulesets.wzr.close_combat.attack import COMBAT, can_attack
from campale.rulesets.wzr.close_combat.engaged import reaches
from campale.rulesets.wzr.turn.sequence import PROCEDURES
from tests.rulesets.wzr.kit import Played, finish, first_question, piece, squad, table
from tests.rulesets.wzr.melee import GRENADE, attacks, facing_off, fields_of, form

covers = pytest.mark.covers


def offered(position: Position, answers: Any = ()) -> Played:
    """The Approach at the start of an activation."""
    push(position, ("approach", 0))
    return finish(position, answers=answers)


def end_of(position: Position, row: int, target: int) -> tuple[float, float]:
    x, y = approaches(position.model(row))[target].points[-1][:2]
    return round(x, 2), round(y, 2)


@covers("close-combat/approach", "close-combat/reach-difference", "close-combat/approach-no-free-strike")
def test_the_shorter_reach_closes_in_as_far_as_it_must() -> None:
    position = facing_off(foe={"base": "medium"}, apart=0.7)
    model, enemy = position.models
    assert not reaches(model, enemy)
    played = offered(position, [[1]])
    assert (played.prompts, played.rolls, reaches(model, enemy)) == (["approach"], [], True)
    assert (round(model.y, 2), model.facing, model.marks(marks.APPROACHED)) == (10.7, 0.0, 1)


@covers("close-combat/approach")
def test_only_into_its_own_reach() -> None:
    position = facing_off({"base": "medium"}, {"base": "large"}, apart=1.6)
    assert end_of(position, 0, 1) == (20.0, 10.6)


@covers("close-combat/approach")
def test_at_its_players_choice_and_once() -> None:
    position = facing_off(foe={"base": "medium"}, apart=0.7)
    offered(position, [["no"]])
    assert position.model(0).y == 10.0
    position.model(0).mark(marks.APPROACHED, 1)
    assert offered(position).prompts == []


@covers("close-combat/approach", "squads/coherency", "squads/out-of-coherency")
@pytest.mark.parametrize(("ld", "asked"), [(16, ["approach"]), (14, []), (12, ["approach"])])
def test_no_approach_leads_out_of_coherency_unless_the_model_is_out_of_it_already(ld: int, asked: list[str]) -> None:
    """It stands 6.8 inches from its Commander and would end 7.5 inches away; coherency is 8, 7 or 6 inches."""
    position = table(squad(2, at=[(20.0, 2.0), (20.0, 10.0)], ld=ld), squad(1, 1, (20.0, 12.1), base="medium"))
    push(position, ("approach", 1))
    assert finish(position, answers=[["no"]] if asked else []).prompts == asked


@covers("close-combat/approach-more", "squads/coherency")
@pytest.mark.parametrize(("ld", "far"), [(16, 0.8), (14, 0.2), (13, 0.2)])
def test_a_model_that_reaches_an_enemy_stops_short_to_stay_in_coherency(ld: int, far: float) -> None:
    """It stands 6.8 inches from its Commander; coherency is 8 or 7 inches."""
    own = squad(2, at=[(20.0, 1.6), (20.0, 10.0)], ld=ld, base="medium")
    position = table(own, squad(1, 1, (20.0, 12.4), base="medium"))
    assert end_of(position, 1, 2) == (20.0, 10.0 + far)


@covers("close-combat/approach")
def test_nobody_unengaged_approaches() -> None:
    assert offered(facing_off(apart=0.7)).prompts == []


@covers("close-combat/approach")
def test_at_the_nearest_and_its_player_breaks_ties() -> None:
    def against(*places: tuple[float, float]) -> list[int]:
        position = table(squad(at=(20, 10)), squad(len(places), side=1, at=places, base="medium"))
        return list(approaches(position.model(0)))

    assert against((20, 12), (22.2, 10)) == [1]
    assert against((20, 12), (22, 10)) == [1, 2]


@covers("close-combat/approach")
def test_the_facing_is_kept() -> None:
    position = facing_off({"facing": 180.0}, {"base": "medium"}, apart=0.7)
    offered(position, [[1]])
    assert position.model(0).facing == 180.0
    assert not can_attack(COMBAT, position.model(0))


@covers("close-combat/approach", "movement/impassable")
@pytest.mark.parametrize("tags", [("impassable",), ("light",)])
def test_not_through_impassable_ground(tags: tuple[str, ...]) -> None:
    corner = piece((20.3, 10.65), (2, 0.3), tags)
    position = facing_off(foe={"base": "medium"}, apart=0.7, pieces=[corner])
    assert list(approaches(position.model(0))) == ([1] if tags == ("light",) else [])


@covers("close-combat/approach")
def test_not_through_a_base() -> None:
    position = table(squad(2, at=[(20, 10), (20.9, 11)], of=[{}, {}]), squad(side=1, at=(20, 12.9), base="large"))
    assert approaches(position.model(0)) == {}


@covers("close-combat/approach", "movement/distance-cap")
def test_it_counts_towards_no_cap() -> None:
    position = facing_off(foe={"base": "medium"}, apart=0.7)
    offered(position, [[1]])
    assert position.model(0).note(marks.MOVED) is None


# ---------------------------------------------------------------- close-combat/approach-more


@covers("close-combat/approach-more", "core/front-rear")
def test_who_reaches_somebody_may_close_in_on_a_front() -> None:
    position = facing_off({"base": "medium"}, {"base": "medium"}, apart=0.7)
    assert end_of(position, 0, 1) == (20.0, 10.7)
    offered(position, [[1, 0.3]])
    assert round(position.model(0).y, 3) == 10.3


@covers("close-combat/approach-more")
@pytest.mark.parametrize(("far", "is_so"), [(0.7, True), (0.75, False), (0.0, False)])
def test_up_to_contact(far: float, is_so: bool) -> None:
    position = facing_off({"base": "medium"}, {"base": "medium"}, apart=0.7)
    push(position, ("approach", 0))
    question = first_question(run_all(position, PROCEDURES))
    assert (question.refusal([1, far]) is None) is is_so


@covers("close-combat/approach-more")
@pytest.mark.parametrize(("facing", "rows"), [(180.0, [1]), (0.0, []), (92.0, [1])])
def test_not_from_behind(facing: float, rows: list[int]) -> None:
    """At an enemy's side its Front begins; from straight behind no line leads to it that does not cross its base."""
    position = facing_off({"base": "medium"}, {"base": "medium", "facing": facing}, apart=0.7)
    assert list(approaches(position.model(0))) == rows


@covers("close-combat/approach-more")
def test_it_stays_engaged_with_all() -> None:
    near, far = (20.0, 12.3), (20.0, 7.4)
    position = table(
        squad(at=(20, 10), base="medium"), squad(2, side=1, at=[near, far], of=[{}, {"base": "medium"}], base="small")
    )
    model = position.model(0)
    assert all(reaches(model, position.model(row)) for row in (1, 2))
    assert list(approaches(model)) == []


# ---------------------------------------------------------------- in a combat action


@covers("close-combat/attack-sequence", "close-combat/approach", "actions/combat")
def test_an_approach_is_the_second_step_of_a_combat_action() -> None:
    position = facing_off(foe={"base": "medium"}, apart=0.7)
    model = position.model(0)
    assert can_attack(COMBAT, model)
    assert fields_of(form(model)) is None
    played = attacks(position, dice="13")
    assert (played.rolls, round(model.y, 2)) == (["cc-test"], 10.7)
    position = facing_off(foe={"base": "medium"}, apart=0.7)
    position.model(0).mark(marks.APPROACHED, 1)
    assert not can_attack(COMBAT, position.model(0))


@covers("close-combat/attack-sequence", "close-combat/approach-more")
def test_who_reaches_somebody_may_leave_it() -> None:
    position = facing_off({"base": "medium"}, {"base": "medium"}, apart=0.7)
    question = form(position.model(0))
    assert fields_of(question).options() == ["no", 1]
    attacks(position, dice="13", details=["no"])
    assert position.model(0).y == 10.0
    attacks(position, dice="13", details=[1, 0.7])
    assert round(position.model(0).y, 2) == 10.7


def test_an_approach_is_thought_through_on_a_copy() -> None:
    position = facing_off(foe={"base": "medium"}, apart=0.7)
    moved = as_approached(position.model(0), (1, float("inf")))
    assert (round(moved.y, 2), position.model(0).y) == (10.7, 10.0)


@covers("close-combat/attack-sequence", "armoury/grenade-antivehicle-melee")
@pytest.mark.parametrize(("far", "is_so"), [(0.7, True), (0.4, False)])
def test_the_approach_of_an_attack_brings_somebody_into_reach(far: float, is_so: bool) -> None:
    """A medium base reaches its enemy; its contact grenade does so in contact alone."""
    position = table(
        squad(at=(20, 10), base="medium", weapons=(GRENADE,)),
        squad(2, side=1, at=[(20, 12.3), (18.6, 10)], of=[{"base": "medium"}]),
    )
    question = form(position.model(0))
    assert fields_of(question).options() == ["bare", "sticky"]
    assert (question.refusal(["sticky", 1, far]) is None) is is_so


@covers("close-combat/approach-more", "close-combat/attack-sequence")
def test_an_approach_that_leaves_nobody_to_strike_is_not_offered() -> None:
    """Only the enemy at hand could be struck, and the line to the other leads away from it."""
    position = table(
        squad(at=(20, 10)), squad(2, side=1, at=[(20, 11.2), (17.2, 10)], of=[{}, {"base": "large"}], facing=90.0)
    )
    assert list(approaches(position.model(0))) == []


@covers("close-combat/approach", "core/levels", "structures/intact")
@pytest.mark.parametrize("z", [3.0, 6.0])
def test_it_keeps_its_level(z: float) -> None:
    house = piece((18, 8), (4, 6), ("intact",), z, floors=(z,))
    position = facing_off({"z": z}, {"base": "medium", "z": z}, apart=0.7, pieces=[house])
    offered(position, [[1]])
    model = position.model(0)
    assert (round(model.y, 2), model.z) == (10.7, z)


@covers("close-combat/approach", "structures/intact")
@pytest.mark.parametrize(("gap", "is_so"), [(0.0, True), (0.6, False)])
def test_not_over_the_edge_of_its_floor(gap: float, is_so: bool) -> None:
    """From one roof at a model on another, as high: across the gap between them there is nothing to stand on."""
    here = piece((18, 8), (4, 2.7), ("intact",), 3.0, floors=(3.0,), name="here")
    there = piece((18, 10.7 + gap), (4, 4), ("intact",), 3.0, floors=(3.0,), name="there")
    whole = piece((18, 8), (4, 6), ("intact",), 3.0, floors=(3.0,), name="whole")
    pieces = [whole] if is_so else [here, there]
    position = facing_off({"z": 3.0}, {"base": "medium", "z": 3.0}, apart=0.9, pieces=pieces)
    assert bool(approaches(position.model(0))) is is_so
