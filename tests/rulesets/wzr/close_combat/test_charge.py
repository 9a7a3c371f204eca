"""The Charge: at whom, along which line, counter-charges, its end, what it brings."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest

from campale.mechanics.frames import push
from campale.mechanics.moves.move_paths import answer_of
from campale.mechanics.script_form import form_of
from campale.referee.position import Model, Position
from campale.referee.question import Along, Form
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.charge import (
    bent_ways,
    cannot_charge_at,
    charge_bonus,
    charge_line,
    charge_script,
    drop_bonus,
    may_stop,
    ray,
    straight_to,
)
from campale.rulesets.wzr.close_combat.charging import charge_attack, charge_frames, may_counter
from campale.rulesets.wzr.close_combat.engaged import engaged, is_engaged
from campale.rulesets.wzr.movement.moves import RUN, walk_fields
from campale.rulesets.wzr.turn.menu import cannot_take
from campale.table.paths import plan_length
from tests.rulesets.wzr.kit import Played, finish, first_question, piece, play, squad, table, vehicle
from tests.rulesets.wzr.melee import begin, blade, facing_off, fields_of, gone, needs

covers = pytest.mark.covers


def against(
    *others: Any, at: tuple[float, float] = (20.0, 10.0), foe: Any = None, pieces: Any = (), **own: Any
) -> Position:
    """A charger of side 0 at (20, 10), M 5, and its target ahead of it at (20, 16)."""
    return table(squad(at=at, **own), squad(**{"side": 1, "at": (20.0, 16.0), **(foe or {})}), *others, pieces=pieces)


def form(model: Model) -> Form:
    return form_of(model.side, "act", partial(charge_script, model))


def charges(position: Position, dice: str = "", details: Iterable[Any] = (1,), answers: Iterable[Any] = ()) -> Played:
    """The charge of the first model, and all that comes of it."""
    model = position.model(0)
    question, filled = form(model), list(details)
    refusal = question.refusal(filled)
    assert refusal is None, refusal
    begin(model, 0)
    push(position, *charge_frames(model, question.understood(filled)))
    return finish(position, dice, answers)


def pair_of(position: Position) -> tuple[Model, Model]:
    return position.model(0), position.model(1)


def bonus_of(position: Position, freed: bool = False) -> tuple[int, int]:
    return charge_bonus(position.model(0), position.model(1), freed)


def refused(position: Position, target: int = 1) -> str:
    found = cannot_charge_at(position.model(0), target)
    return "" if found is None else found.rule


@covers("morale/pinned-effects", "core/stunned", "actions/sentry-reaction", "actions/charge")
@pytest.mark.parametrize(("state", "rolls"), [("", ["cc-test"]), (marks.PINNED, []), (marks.STUN, [])])
def test_a_charger_pinned_or_stunned_by_a_sentry_stays_where_it_is(state: str, rolls: list[str]) -> None:
    position = against()
    model, question = position.model(0), form(position.model(0))
    begin(model, 0)
    push(position, charge_frames(model, question.understood([1]))[-1])
    if state:
        model.mark(state, 1)
    played = finish(position, "" if state else "13", ())
    assert played.rolls == rolls
    assert (model.at == (20.0, 10.0)) is bool(state)


# ---------------------------------------------------------------- declared


@covers("actions/charge", "close-combat/charge-end", "movement/rotation")
def test_it_ends_in_contact_facing_along_its_line_and_fights_for_nothing() -> None:
    position = against()
    played = charges(position, dice="13")
    model = position.model(0)
    assert (model.at[0], round(model.y, 2), model.facing, played.rolls) == (20.0, 14.8, 0.0, ["cc-test"])
    assert is_engaged(model)
    assert model.note(marks.DONE) == ("combat",)
    assert round(model.note(marks.MOVED), 2) == 4.8


@covers("actions/charge", "movement/distance-cap", "core/measuring")
@pytest.mark.parametrize(("y", "rule"), [(21.2, ""), (21.21, "actions/charge")])
def test_up_to_twice_m(y: float, rule: str) -> None:
    assert refused(against(foe={"at": (20.0, y)})) == rule


@covers("actions/charge", "movement/distance-cap")
def test_within_what_is_left_of_the_cap() -> None:
    position = against()
    position.model(0).jot(marks.MOVED, 5.2)
    assert refused(position) == ""
    position.model(0).jot(marks.MOVED, 5.3)
    assert refused(position) == "movement/distance-cap"


@covers("actions/charge", "core/line-of-sight", "abilities/hunter")
@pytest.mark.parametrize(("abilities", "rule"), [((), "actions/charge"), (("hunter",), "")])
def test_it_sees_its_target_at_the_start_but_for_a_hunter(abilities: tuple[str, ...], rule: str) -> None:
    behind = against(foe={"at": (20.0, 4.0)}, abilities=abilities)
    assert refused(behind) == rule
    assert refused(against(foe={"at": (20.0, 4.0)}, facing=180.0)) == ""


@covers("actions/charge")
@pytest.mark.parametrize(("y", "measured"), [(21.2, None), (21.3, 10.1)])
def test_that_nobody_can_be_charged_is_told_with_the_inches_to_the_nearest(y: float, measured: float | None) -> None:
    position = against(squad(side=1, at=(20.0, 40.0)), foe={"at": (20.0, y)})
    begin(position.model(0))
    found = cannot_take(position.model(0), "charge")
    assert (None if found is None else (found.rule, found.model, found.measured, found.limit)) == (
        None if measured is None else ("actions/charge", 1, measured, 10.0)
    )


@covers("actions/charge", "close-combat/charge-end", "movement/terrain-penalty", "squads/coherency")
@pytest.mark.parametrize(
    ("position", "found"),
    [
        (against(pieces=[piece((15, 12), (10, 1), ("light",))], foe={"at": (20.0, 19.2)}), None),
        (
            against(pieces=[piece((15, 12), (10, 1), ("light",))], foe={"at": (20.0, 19.3)}),
            ("movement/terrain-penalty", 8.1, 8.0, ""),
        ),
        (
            against(squad(side=1, at=(20.0, 12.0)), foe={"at": (20.0, 13.3)}),
            ("close-combat/charge-end", None, None, "no-free-line"),
        ),
        (
            table(squad(2, at=((20.0, 10.0), (21.5, 10.0))), squad(side=1, at=(21.5, 20.0))),
            ("squads/coherency", 7.73, 7, ""),
        ),
    ],
)
def test_a_charge_that_is_near_enough_and_yet_impossible_tells_why(position: Position, found: Any) -> None:
    model = position.model(1 if position.side_of[1] == 0 else 0)
    target = next(one for one in position.models if one.side == 1)
    why = cannot_charge_at(model, target.row)
    assert (why and (why.rule, why.measured, why.limit, why.word)) == found


@covers("actions/charge", "close-combat/engaged-ap")
def test_two_points_by_the_unengaged() -> None:
    position = against()
    begin(position.model(0))
    assert cannot_take(position.model(0), "charge") is None
    begin(position.model(0), 1)
    found = cannot_take(position.model(0), "charge")
    assert found is not None
    assert found.rule == "turn/action-points"
    engaged_one = facing_off()
    begin(engaged_one.model(0))
    found = cannot_take(engaged_one.model(0), "charge")
    assert found is not None
    assert found.rule == "close-combat/engaged-ap"


@covers("core/friendly-fire", "actions/charge")
def test_only_enemies_are_charged() -> None:
    position = table(squad(2, at=[(20, 10), (20, 14)]), squad(side=1, at=(40, 40)))
    model = position.model(0)
    assert form(model).after([]).candidates == [2]  # type: ignore[union-attr]


# ---------------------------------------------------------------- where it ends


@covers("close-combat/charge-end", "close-combat/ccwr-definition")
@pytest.mark.parametrize(("far", "is_so"), [(3.6, True), (4.6, True), (4.2, True), (3.5, False), (4.7, False)])
def test_from_the_first_point_in_reach_up_to_contact(far: float, is_so: bool) -> None:
    """A medium base of reach 1: in reach after 3.6 inches, in contact after 4.6."""
    position = against(base="medium")
    assert (form(position.model(0)).refusal([1, far]) is None) is is_so


@covers("close-combat/charge-end", "close-combat/reach-difference")
def test_the_longer_reach_may_stay_out_of_the_shorter() -> None:
    position = against(base="medium")
    charges(position, dice="13", details=[1, 3.6], answers=[["combat", "no"]])
    assert round(position.model(0).y, 2) == 13.6
    assert engaged(*position.models)


@covers("close-combat/charge-end", "actions/charge")
def test_a_model_on_the_shortest_line_forces_it_on_to_the_next() -> None:
    free = charge_line(*pair_of(against()))
    past = against(squad(side=1, at=(19.2, 13)))
    line = charge_line(*pair_of(past))
    assert free is not None
    assert line is not None
    assert plan_length(line.path) > plan_length(free.path)
    end = line.path.points[-1]
    clear = math.dist((19.2, 13), closest(line.path.points[0][:2], end[:2], (19.2, 13)))
    assert clear == pytest.approx(1.2, abs=0.1)


def closest(a: Any, b: Any, p: tuple[float, float]) -> tuple[float, float]:
    t = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / math.dist(a, b) ** 2
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


@covers("close-combat/charge-end", "movement/impassable")
def test_where_no_straight_line_is_free_there_is_no_charge() -> None:
    wall = piece((15, 13), (10, 0.5), ("impassable",))
    assert refused(against(pieces=[wall])) == "close-combat/charge-end"
    friends = squad(3, at=[(18.8, 13), (20.0, 13), (21.2, 13)])
    assert refused(against(friends)) == "close-combat/charge-end"


@covers("close-combat/rear-engage", "close-combat/rear-bonus")
def test_into_the_rear() -> None:
    position = against(foe={"facing": 0.0})
    assert needs(charges(position, dice="17", answers=[["combat"]]), "cc-test") == [16]


@covers("close-combat/charge-end", "close-combat/ccwr-definition")
def test_not_through_a_wall_with_its_reach() -> None:
    wall = piece((15, 14.9), (10, 0.2), ("impassable",))
    assert charge_line(*pair_of(against(base="large", foe={"base": "medium"}, pieces=[wall]))) is None


@covers("movement/terrain-penalty", "actions/charge")
@pytest.mark.parametrize(
    ("tags", "y", "abilities", "rule"),
    [
        (("light",), 19.2, (), ""),
        (("light",), 19.3, (), "movement/terrain-penalty"),
        (("heavy",), 17.2, (), ""),
        (("heavy",), 17.3, (), "movement/terrain-penalty"),
        (("heavy",), 21.2, ("ranger",), ""),
    ],
)
def test_ground_on_its_way_shortens_it(tags: tuple[str, ...], y: float, abilities: tuple[str, ...], rule: str) -> None:
    wood = piece((0, 12), (48, 1), tags)
    assert refused(against(foe={"at": (20.0, y)}, pieces=[wood], abilities=abilities)) == rule


# ---------------------------------------------------------------- abilities/hunter, abilities/berserk-actions


@covers("abilities/hunter", "actions/charge-bonus")
def test_a_hunters_charge_may_bend_without_strength() -> None:
    wall = piece((17.5, 12.5), (4, 0.5), ("impassable",))
    position = against(pieces=[wall], abilities=("hunter",))
    assert straight_to(*pair_of(position)) is None
    (way, *_) = sorted(bent_ways(*pair_of(position)), key=plan_length)
    assert len(way.points) > 2
    assert plan_length(way) <= 10.0
    played = charges(position, dice="5 12", details=(1, answer_of(way)))
    assert needs(played, "armour") == [12]
    straight = charges(against(abilities=("hunter",)), dice="5 11", details=(1, "straight"))
    assert needs(straight, "armour") == [11]


@covers("abilities/hunter", "close-combat/charge-end")
def test_a_hunter_bends_its_charge_as_it_likes() -> None:
    """Round to the rear of an enemy whom it could charge straight, and no farther than twice M."""
    position = against(foe={"at": (20.0, 13.0)}, abilities=("hunter",))
    model = position.model(0)
    question = form(model)
    assert question.after([1, "bent"]) is not None
    behind = [[21.8, 13.0], [21.6, 14.6], [20.0, 14.2]]
    assert question.refusal([1, "bent", [behind, None]]) is None
    assert why_bent(position, [[21.8, 13.0], [21.6, 14.6], [20.0, 14.3]]) == "close-combat/charge-end", "out of reach"
    assert why_bent(position, [[21.8, 13.0], [21.6, 14.2]]) == "close-combat/charge-end", "not there"
    assert why_bent(position, [[24.4, 13.0], *behind[1:]]) == "abilities/hunter", "more than 10 inches"
    played = charges(position, details=(1, "bent", [behind, None]), dice="5 12", answers=[["combat"]])
    assert (model.x, model.y, model.facing) == (20.0, 14.2, 255.9638)
    assert needs(played, "armour") == [12], "without its St bonus"


@covers("abilities/hunter", "close-combat/charge-end")
@pytest.mark.parametrize(("width", "rule"), [(4.0, ""), (20.0, "close-combat/charge-end")])
def test_a_hunter_charges_nobody_round_whom_no_way_is_short_enough(width: float, rule: str) -> None:
    wall = piece((20.0 - width / 2, 12.5), (width, 0.5), ("impassable",))
    assert refused(against(pieces=[wall], abilities=("hunter",))) == rule


def why_bent(position: Position, points: Any) -> str:
    refusal = form(position.model(0)).refusal([1, "bent", [points, None]])
    return "" if refusal is None else refusal.rule


@covers("abilities/hunter")
def test_nobody_else_is_asked_whether_it_bends() -> None:
    both = [against(base="medium", foe={"at": (20.0, 17.0)}, abilities=able) for able in ((), ("hunter",))]
    asked = [form(position.model(0)).after([1]) for position in both]
    assert [one.prompt for one in asked if one is not None] == ["charge-length", "charge-way"]


@covers("close-combat/counter-charge-trigger", "close-combat/ccwr-definition")
def test_the_reaches_that_matter_to_a_charge_are_told_with_it() -> None:
    """Its own round the target, and those of the others who are near enough."""
    aside, far = squad(side=1, at=(23, 14), base="large"), squad(side=1, at=(45, 45))
    position = against(aside, far, base="medium", foe={"at": (20.0, 17.0)})
    question = form(position.model(0)).after([1])
    assert isinstance(question, Along)
    assert question.shown["reaches"] == [[1, 1.0], [2, 2.0]]
    (start, end), movers = question.shown["route"], question.shown["movers"]
    assert (start, end[0], movers) == ([20.0, 10.0], 20.0, [0])


@covers("abilities/hunter")
@pytest.mark.parametrize(("freed", "bonus"), [(False, (3, 1)), (True, (0, 1))])
def test_a_freed_hunter_keeps_the_avv(freed: bool, bonus: tuple[int, int]) -> None:
    position = facing_off({"base": "large", "abilities": ("hunter",)})
    assert bonus_of(position, freed) == bonus


@covers("abilities/berserk-actions")
def test_a_berserker_charges_the_nearest_that_it_can() -> None:
    position = against(squad(side=1, at=(23, 13)), abilities=("berserk",), models={marks.BERSERK: 1})
    assert (refused(position), refused(position, 2)) == ("abilities/berserk-actions", "")
    behind = against(squad(side=1, at=(20, 7)), abilities=("berserk",), models={marks.BERSERK: 1})
    assert refused(behind) == ""
    begin(position.model(0))
    found = {name: cannot_take(position.model(0), name) for name in ("walk", "shoot", "charge", "run", "pass")}
    assert {name for name, one in found.items() if one is None} == {"charge", "run", "pass"}


# ---------------------------------------------------------------- Fear


@covers("abilities/fear")
@pytest.mark.parametrize(("die", "number"), [(12, 12), (13, 6)])
def test_who_charges_somebody_fearsome_tests_as_it_declares(die: int, number: int) -> None:
    position = against(foe={"abilities": ("fear 2",)})
    played = charges(position, dice=f"{die} 13")
    assert (played.rolls, needs(played, "cc-test")) == (["fear", "cc-test"], [number])


# ---------------------------------------------------------------- counter-charges


ASIDE = squad(side=1, at=(21.9, 13), base="medium", ld=11)
"""Its reach of 1 inch covers the line of the charge from (20, 12.2) or so on."""


@covers("close-combat/counter-charge-trigger", "squads/model-ld")
@pytest.mark.parametrize(("die", "y"), [(11, 12.08), (12, 14.8)])
def test_whose_reach_is_entered_may_test_ld_to_halt_it(die: int, y: float) -> None:
    position = against(ASIDE)
    played = charges(position, dice=f"{die} 13", answers=["yes", *(["yes"] if die == 11 else [])])
    assert played.rolls == ["counter-charge", "cc-test"]
    assert position.model(0).y == pytest.approx(y, abs=0.15)
    assert engaged(position.model(0), position.model(2)) is (die == 11)
    assert engaged(position.model(0), position.model(1)) is (die == 12)


@covers("close-combat/counter-charge-trigger", "close-combat/disengage-free-strike")
def test_its_owner_decides_and_without_success_it_passes_unhindered() -> None:
    position = against(ASIDE)
    played = charges(position, dice="13", answers=["no"])
    assert (played.prompts, played.rolls) == (["counter-charge"], ["cc-test"])
    assert round(position.model(0).y, 2) == 14.8


@covers("close-combat/counter-charge-trigger", "actions/sentry", "close-combat/counter-charge-effect")
def test_on_sentry_no_die_is_rolled_and_the_sentry_ends() -> None:
    position = against(squad(side=1, at=(21.9, 13), base="medium", models={marks.SENTRY: 1}))
    played = charges(position, dice="13", answers=[["nothing"], "yes", "no"])
    assert (played.prompts[:2], played.rolls) == (["reactions", "counter-charge"], ["cc-test"])
    assert position.model(2).marks(marks.SENTRY) == 0


@covers("close-combat/counter-charge-effect", "actions/charge-bonus")
def test_halted_it_fights_with_its_bonus_whom_it_has_before_it() -> None:
    """An Approach brings the one that halted it into reach; the two are not in contact."""
    position = against(ASIDE)
    played = charges(position, dice="11 5 10", answers=["yes", "yes"])
    assert played.rolls == ["counter-charge", "cc-test", "armour"]
    assert needs(played, "armour") == [11]
    assert 200.0 < position.model(2).facing < 260.0
    turn = next(q for q in played.questions if q.prompt == "turn-to-face")
    assert (turn.about["was"], turn.about["facing"]) == (180, round(position.model(2).facing))


@covers("close-combat/counter-charge-effect", "vehicles/rotation")
@pytest.mark.parametrize(("x", "prompts"), [(24.69, []), (24.0, ["turn-to-face"])])
def test_a_hull_that_would_turn_out_of_its_own_reach_does_not_turn(x: float, prompts: list[str]) -> None:
    """3 by 3 inches and askew: a corner is 2.12 inches from the middle, a side 1.5; it reaches 2 inches."""
    biped = squad(1, 1, (x, 20.0), facing=45.0, vehicle=vehicle("biped"), hull=(3.0, 3.0))
    position = table(squad(1, at=(20.0, 20.0)), biped)
    assert engaged(*position.models)
    push(position, ("turns-to", 1, 0))
    assert finish(position, answers=["no"] * len(prompts)).prompts == prompts


@covers("close-combat/counter-charge-trigger")
def test_each_in_the_order_met_and_after_a_success_no_other() -> None:
    farther = squad(side=1, at=(17.9, 14), base="medium", ld=11)
    position = against(ASIDE, farther)
    played = charges(position, dice="12 11 13", answers=["yes", "yes", "no"])
    assert played.rolls == ["counter-charge"] * 2 + ["cc-test"]
    assert [q.about["model"] for q in played.questions if q.prompt == "counter-charge" and not q.is_chance] == [2, 3]
    position = against(ASIDE, farther)
    played = charges(position, dice="11 13", answers=["yes", "no"])
    assert played.rolls == ["counter-charge", "cc-test"]


@covers("close-combat/counter-charge-bans", "close-combat/counter-charge-trigger")
@pytest.mark.parametrize(
    ("own", "foe", "is_so"),
    [
        ({}, {}, True),
        ({"base": "medium"}, {}, True),
        ({"base": "large"}, {"base": "medium"}, False),
        ({"base": "large"}, {"base": "large"}, True),
        ({"base": "medium", "vehicle": vehicle("bike")}, {"base": "medium"}, False),
        ({}, {"models": {marks.PINNED: 1}}, False),
        ({}, {"models": {marks.STUN: 1}}, False),
        ({}, {"marks": {marks.ROUTED: 1}}, False),
    ],
)
def test_who_may_not(own: dict[str, Any], foe: dict[str, Any], is_so: bool) -> None:
    position = against(squad(**{"side": 1, "at": (25, 13), **foe}), **own)
    assert may_counter(position.model(2), position.model(0)) is is_so


@covers("close-combat/counter-charge-bans")
def test_nobody_engaged() -> None:
    position = against(ASIDE, squad(at=(23.3, 13)))
    assert not may_counter(position.model(2), position.model(0))
    assert charges(position, dice="13").prompts == []


@covers("close-combat/counter-charge-trigger")
def test_the_target_itself_does_not_counter() -> None:
    assert charges(against(foe={"base": "large"}), dice="13").prompts == []


# ---------------------------------------------------------------- looked at again


def goes(position: Position, target: int = 1, y: float = 14.8, dice: str = "", answers: Iterable[Any] = ()) -> Played:
    """What a declared charge comes to after the Sentries have acted."""
    push(position, ("charge-goes", 0, target, ((20.0, 10.0, 0.0), (20.0, y, 0.0)), False))
    return finish(position, dice, answers)


@covers("actions/sentry-reaction", "close-combat/charge-end")
def test_if_its_target_is_gone_the_charge_ends() -> None:
    position = against()
    position.remove(position.model(1), "shooting")
    assert goes(position).rolls == []
    assert position.model(0).y == 10.0


@covers("actions/sentry-reaction")
def test_if_the_charger_is_gone_the_charge_ends() -> None:
    position = against()
    position.remove(position.model(0), "shooting")
    assert goes(position).prompts == []


@covers("actions/sentry-reaction")
def test_out_of_reach_it_runs_the_whole_length_without_attack() -> None:
    position = against()
    position.model(1).move_to(25, 16)
    played = goes(position)
    assert played.rolls == []
    assert ("charge", "actions/sentry-reaction") in played.moves
    assert round(position.model(0).y, 2) == 14.8


@covers("actions/sentry-reaction", "movement/no-accidental-engagement")
def test_and_stops_before_any_engagement() -> None:
    position = against(ASIDE)
    position.model(1).move_to(25, 16)
    goes(position)
    assert 11.5 < position.model(0).y < 12.2
    assert not is_engaged(position.model(0))


@covers("actions/charge", "close-combat/special-general", "close-combat/special-by-base")
@pytest.mark.parametrize(
    ("base", "names"),
    [("medium", ["combat", "brutal-attack", "cleave", "throw"]), ("large", ["combat", "crush", "hurl"])],
)
def test_it_ends_with_a_combat_action_or_a_special_one_of_the_base(base: str, names: list[str]) -> None:
    position = facing_off({"base": base})
    asked = first_question(charge_attack(position, 0, 1, False, 0.0))
    assert isinstance(asked, Form)
    assert asked.prompt == "charge-attack"
    assert fields_of(asked).options() == names
    played = play(charge_attack(position, 0, 1, False, 0.0), answers=[[names[-1]]], position=position)
    assert position.model(0).note(marks.DONE) == (names[-1],)
    assert played.prompts == ["charge-attack"]


@covers("actions/charge", "close-combat/special-by-base")
def test_a_charge_on_a_small_base_ends_with_combat_alone() -> None:
    """From the front there is no Backstab, so nothing is asked."""
    position = facing_off()
    assert play(charge_attack(position, 0, 1, False, 0.0), position=position).prompts == []
    assert position.model(0).note(marks.DONE) == ("combat",)


# ---------------------------------------------------------------- what it brings


@covers("actions/charge-bonus")
@pytest.mark.parametrize(("base", "bonus"), [("small", (1, 0)), ("medium", (2, 0)), ("large", (3, 1))])
def test_by_the_base(base: str, bonus: tuple[int, int]) -> None:
    assert bonus_of(facing_off({"base": base}), False) == bonus


@covers("abilities/ferocity", "actions/charge-bonus")
def test_ferocity_is_one_more() -> None:
    assert bonus_of(facing_off({"abilities": ("ferocity",)}), False) == (2, 0)


@covers("abilities/ferocity", "armoury/pistols-no-charge-bonus", "armoury/heavy")
def test_ferocity_needs_a_bonus_to_add_to() -> None:
    position = against(abilities=("ferocity",), blades=(blade(),))
    assert needs(charges(position, dice="5 10"), "armour") == [10]


@covers("vehicles/charge-bonus", "vehicles/charge-limits")
@pytest.mark.parametrize(
    ("kind", "moved", "bonus"),
    [
        ("bike", 5.0, (2, 1)),
        ("walker", 5.0, (4, 2)),
        ("biped", 5.0, (6, 3)),
        ("jetbike", 5.0, (2, 1)),
        ("walker", 4.9, (0, 0)),
    ],
)
def test_vehicles_have_a_table_of_their_own(kind: str, moved: float, bonus: tuple[int, int]) -> None:
    position = facing_off({"vehicle": vehicle(kind), "base": "large"})
    position.model(0).jot(marks.MOVED, moved)
    assert bonus_of(position, False) == bonus


@covers("close-combat/charge-from-above", "core/rounding")
@pytest.mark.parametrize(
    ("base", "drop", "bonus"),
    [
        ("small", 3.0, (3, 0)),
        ("medium", 3.0, (6, 0)),
        ("large", 3.0, (9, 3)),
        ("small", 2.9, (2, 0)),
        ("large", 0.9, (0, 0)),
    ],
)
def test_each_complete_inch_from_above(base: str, drop: float, bonus: tuple[int, int]) -> None:
    assert drop_bonus(facing_off({"base": base}).model(0), drop, freed=False) == bonus


@covers("vehicles/charge")
@pytest.mark.parametrize(
    ("kind", "rule"), [("walker", ""), ("bike", ""), ("tank", "vehicles/charge"), ("air-tank", "vehicles/charge")]
)
def test_which_vehicles_charge(kind: str, rule: str) -> None:
    position = against(vehicle=vehicle(kind), base="large", cc=12, blades=(blade(),))
    begin(position.model(0), 3)
    found = cannot_take(position.model(0), "charge")
    assert ("" if found is None else found.rule) == rule


# ---------------------------------------------------------------- heights


def roof(z: float, at: tuple[float, float] = (18.0, 14.0)) -> Any:
    return piece(at, (4, 4), ("intact",), z, floors=(z,), name="roof")


@covers("close-combat/charge-from-above", "close-combat/charge-above-jump", "movement/jump", "movement/climb")
@pytest.mark.parametrize(("z", "rolls"), [(3.0, ["cc-test"]), (4.0, ["landing", "cc-test"])])
def test_down_from_a_roof(z: float, rolls: list[str]) -> None:
    """The height costs nothing; above 3 inches there is a Con test; the first test has 1 St more an inch."""
    position = against(at=(20.0, 10.0), z=z, pieces=[roof(z, (18.0, 8.0))])
    played = charges(position, dice="12 " * (len(rolls) - 1) + "13")
    assert (played.rolls, position.model(0).z) == (rolls, 0.0)


@covers("close-combat/charge-from-above", "close-combat/attack-strength")
def test_strength_from_above() -> None:
    position = against(z=3.0, pieces=[roof(3.0, (18.0, 8.0))], blades=(blade(roa=2),), foe={"w": 3})
    played = charges(position, dice="5 5 | 8 11")
    assert needs(played, "armour") == [12 - 1 - 3, 12 - 1]


@covers("close-combat/charge-above-jump", "movement/fall")
def test_a_fall_may_end_it() -> None:
    position = against(z=4.0, pieces=[roof(4.0, (18.0, 8.0))])
    played = charges(position, dice="13 13")
    assert (played.rolls, gone(position)) == (["landing", "armour"], [0])


@covers("close-combat/different-levels", "movement/climb", "actions/charge")
@pytest.mark.parametrize(("y", "rule"), [(10.81, ""), (10.78, "movement/climb")])
def test_up_onto_a_roof(y: float, rule: str) -> None:
    """3 inches of height cost 6; it must stand on the enemy's level."""
    position = against(at=(20.0, y), foe={"z": 3.0}, pieces=[roof(3.0)])
    assert refused(position) == rule
    if not rule:
        charges(position, dice="13")
        assert position.model(0).z == 3.0
        assert is_engaged(position.model(0))


@covers("close-combat/different-levels")
def test_without_room_on_that_level_there_is_no_charge() -> None:
    small_roof = piece((19.3, 15.3), (1.4, 1.4), ("intact",), 3.0, floors=(3.0,), name="roof")
    assert refused(against(at=(20.0, 12.0), foe={"z": 3.0}, pieces=[small_roof])) == "close-combat/charge-end"


@covers("abilities/berserk-actions", "actions/run")
@pytest.mark.parametrize(("end", "is_so"), [((20.0, 18.0), True), ((20.0, 17.5), False), ((22.0, 18.0), False)])
def test_a_berserker_runs_as_near_as_it_can(end: tuple[float, float], is_so: bool) -> None:
    """Up to 2 inches before an enemy whose reach it may not enter."""
    position = against(foe={"at": (20.0, 20.45), "base": "medium"}, abilities=("berserk",), models={marks.BERSERK: 1})
    question = walk_fields(RUN, position.model(0), [])
    assert question is not None
    assert (question.refusal([[list(end)], None]) is None) is is_so
    assert question.suggestions()
    position.model(0).mark(marks.BERSERK, 0)
    calm = walk_fields(RUN, position.model(0), [])
    assert calm is not None
    assert calm.refusal([[list(end)], None]) is None


@covers("squads/coherency", "actions/charge")
@pytest.mark.parametrize(("apart", "may"), [(8.2, True), (8.3, False)])
def test_no_charge_ends_out_of_coherency_with_the_commander(apart: float, may: bool) -> None:
    """LD 14: seven inches. The charger would end so far from its Commander, base to base with its target."""
    mates = squad(2, at=[(10.0, 10.0), (13.0, 10.0)], facing=90.0)
    position = table(mates, squad(side=1, at=(10.0 + apart + 1.2, 10.0)))
    assert (cannot_charge_at(position.model(1), 2) is None) is may


# ---------------------------------------------------------------- vehicles


def driving(kind: str, at: tuple[float, float], **own: Any) -> Position:
    """A vehicle at (20, 10) that faces up, and an enemy somewhere."""
    return table(
        squad(at=(20, 10), vehicle=vehicle(kind), base="large", blades=(blade(st=14),), **own), squad(side=1, at=at)
    )


@covers("vehicles/charge", "vehicles/rotation", "vehicles/bike-turn")
@pytest.mark.parametrize(
    ("kind", "at", "rule"),
    [
        ("walker", (26.0, 11.0), ""),
        ("biped", (23.0, 13.5), ""),
        ("biped", (27.0, 10.5), "close-combat/charge-end"),
        ("bike", (20.0, 16.0), ""),
        ("bike", (21.5, 16.0), ""),
        ("bike", (24.5, 15.0), "close-combat/charge-end"),
        ("jetbike", (26.0, 11.0), ""),
    ],
)
def test_a_vehicle_turns_as_its_kind_does_before_it_charges(kind: str, at: tuple[float, float], rule: str) -> None:
    assert refused(driving(kind, at)) == rule


@covers(
    "vehicles/charge", "close-combat/counter-charge-bans", "vehicles/terrain-walker-light", "vehicles/charge-limits"
)
def test_a_walkers_charge_ends_with_the_test_of_its_legs() -> None:
    position = table(
        squad(at=(20, 10), vehicle=vehicle("walker"), base="large", blades=(blade(st=14),)),
        squad(2, side=1, at=[(20, 19), (22, 13)]),
        pieces=[piece((0, 12), (48, 1), ("light",))],
    )
    played = charges(position, dice="12 | 5 20", details=[1, 7.4])
    assert (played.rolls[0], needs(played, "armour")) == ("av-test", [12 + 10 - 14 - 4])


@covers("close-combat/different-levels", "vehicles/charge")
def test_vehicles_neither_climb_nor_jump() -> None:
    position = table(
        squad(at=(20, 10), vehicle=vehicle("walker"), base="large"),
        squad(side=1, at=(20, 16), z=3.0),
        pieces=[roof(3.0)],
    )
    assert refused(position) == "close-combat/charge-end"


@covers("close-combat/charge-end", "core/measuring")
@pytest.mark.parametrize("places", [[(19.2, 13.0)], [(20.9, 13.5)], [(19.0, 14.0), (21.45, 12.6)]])
def test_the_shortest_free_line_is_found_to_a_tenth_of_an_inch(places: list[tuple[float, float]]) -> None:
    """Past others on the way to a large base, against a fan of ten thousand lines."""
    position = against(squad(len(places), side=1, at=places), foe={"base": "large"})
    line = charge_line(*pair_of(position))
    assert line is not None
    best = shortest_by_hand(position)
    assert best - 0.01 <= line.first <= best + 0.1
    assert best > 4.41


def shortest_by_hand(position: Position) -> float:
    """How far along the best of the lines the target is met."""
    model, target, *others = position.models
    wide = 0.6 + target.profile.shape.radius
    found = math.inf
    for k in range(-5000, 5001):
        aim = math.radians(k * 0.004)
        x, y = math.sin(aim), math.cos(aim)
        along = (target.x - model.x) * x + (target.y - model.y) * y
        aside = wide**2 - (math.dist(model.at, target.at) ** 2 - along**2)
        if aside < 0:
            continue
        far = along - math.sqrt(aside)
        clear = all(
            math.dist(one.at, closest(model.at, (model.x + far * x, model.y + far * y), one.at)) >= 1.2
            for one in others
        )
        found = min(found, far) if clear else found
    return found


@covers("close-combat/charge-end", "close-combat/ccwr-definition", "core/front-rear")
def test_past_its_target_it_stops_while_it_reaches_it() -> None:
    """One in the way forces a large base aside: farther along that line the target would be out of reach again."""
    foe = {"at": (18.375, 14.113)}
    position = against(squad(side=1, at=(19.859, 11.922)), base="large", m=6, foe=foe)
    model, enemy = pair_of(position)
    line = straight_to(model, enemy)
    assert line is not None
    whole = plan_length(line.path)
    assert 1.0 < whole - line.first < 3.0
    assert may_stop(model, enemy, line.path)
    assert not may_stop(model, enemy, ray(model, line.path.facing or 0.0, whole + 0.2))


@covers("close-combat/charge-end", "movement/obstacles")
@pytest.mark.parametrize(("far", "is_so"), [(3.85, True), (4.0, False), (5.2, False), (5.4, True)])
def test_it_does_not_stop_on_a_wall(far: float, is_so: bool) -> None:
    """A wall half an inch high from 14.5 to 14.7 lies between the first point in reach and contact."""
    wall = piece((15, 14.5), (10, 0.2), ("linear",), 0.5)
    position = against(pieces=[wall], base="small", blades=(blade(ccwr=4),), m=6, foe={"at": (20.0, 19.0)})
    assert (form(position.model(0)).refusal([1, far]) is None) is is_so


@covers("close-combat/charge-above-jump", "close-combat/counter-charge-effect", "movement/jump")
@pytest.mark.parametrize(("z", "rolls"), [(3.0, ["cc-test"]), (4.0, ["landing", "cc-test"])])
def test_halted_below_it_lands_first(z: float, rolls: list[str]) -> None:
    aside = squad(side=1, at=(22.3, 15.0), base="medium")
    position = against(aside, z=z, foe={"at": (20.0, 18.0)}, pieces=[roof(z, (18.0, 8.0))])
    played = charges(position, dice="5 " + "12 " * (len(rolls) - 1) + "13", answers=["yes", "no"])
    assert (played.rolls, position.model(0).z) == (["counter-charge", *rolls], 0.0)


@covers("close-combat/charge-above-jump", "actions/sentry-reaction", "movement/jump")
@pytest.mark.parametrize(("z", "rolls"), [(3.0, []), (4.0, ["landing"])])
def test_out_of_reach_it_lands_as_well(z: float, rolls: list[str]) -> None:
    position = against(z=z, foe={"at": (27.0, 16.0)}, pieces=[roof(z, (18.0, 8.0))])
    way = ((20.0, 10.0, z), (20.0, 12.7, z), (20.0, 12.7, 0.0), (20.0, 14.8, 0.0))
    push(position, ("charge-goes", 0, 1, way, False))
    assert finish(position, "12 " * len(rolls)).rolls == rolls


@covers("close-combat/special-general", "actions/charge")
@pytest.mark.parametrize("done", ["combat", "brutal-attack", "trample"])
def test_whoever_has_fought_does_not_charge(done: str) -> None:
    position = against(base="medium")
    begin(position.model(0))
    assert cannot_take(position.model(0), "charge") is None
    position.model(0).jot(marks.DONE, (done,))
    found = cannot_take(position.model(0), "charge")
    assert found is not None
    assert (found.rule, found.word) == ("actions/charge", "one-attack")


@covers("vehicles/charge", "vehicles/location-drive")
@pytest.mark.parametrize(("lost", "rule"), [(1, ""), (2, "vehicles/location-drive")])
def test_no_vehicle_charges_without_its_drive(lost: int, rule: str) -> None:
    position = against(vehicle=vehicle("walker"), base="large", m=6)
    model = position.model(0)
    begin(model, 3)
    model.mark("ps-lost-drive", lost)
    found = cannot_take(model, "charge")
    assert ("" if found is None else found.rule) == rule


@covers("actions/sentry-reaction", "structures/intact")
@pytest.mark.parametrize(("y", "z"), [(11.33, 4.0), (14.8, 0.0)])
def test_stopped_over_an_edge_it_stays_on_its_floor(y: float, z: float) -> None:
    """The roof ends at 12; an enemy on another roof comes within reach of whoever goes past 11.43."""
    beyond = roof(4.0, (23.0, 12.0))
    foes = squad(side=1, at=(23.6, 13.6), z=4.0, blades=(blade(ccwr=3),)) if z else squad(side=1, at=(40.0, 40.0))
    position = against(foes, z=4.0, foe={"at": (30.0, 16.0)}, pieces=[roof(4.0, (18.0, 8.0)), beyond])
    way = ((20.0, 10.0, 4.0), (20.0, 12.7, 4.0), (20.0, 12.7, 0.0), (20.0, 14.8, 0.0))
    push(position, ("charge-goes", 0, 1, way, False))
    finish(position, "" if z else "12")
    model = position.model(0)
    assert model.y == pytest.approx(y, abs=0.01)
    assert model.z == z
