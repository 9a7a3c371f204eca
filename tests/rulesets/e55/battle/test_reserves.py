"""Reserves: writing them down, the roll, entering from an edge, deep strike, and what nobody else learns."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from campale.mechanics.moves.placing import Putting
from campale.referee.position import GONE, RESERVE, Position
from campale.rulesets.e55.armies import forces
from campale.rulesets.e55.armies.forces import UnitSpec
from campale.rulesets.e55.armies.setting_out import roster
from campale.rulesets.e55.battle.deep_strike import fixed_places
from campale.rulesets.e55.battle.holding_back import (
    Note,
    form_for,
    keep_notes,
    may_outflank,
    notes_of,
    write_reserves,
)
from campale.rulesets.e55.battle.reserves import arrivals, coming, within_strip
from campale.rulesets.e55.definitions.units import (
    ALOFT,
    ARRIVED,
    ARRIVES_BY,
    BARRED_FROM_CHARGE,
    DONE,
    MOVED,
    SPEED,
    WAITS,
)
from campale.rulesets.e55.movement_phase.placing import PLACING
from campale.rulesets.e55.unit_types import special
from campale.table.measure import gap
from tests.rulesets.e55.battle.test_preparation import before_battle, spec
from tests.rulesets.e55.kit import (
    PROPOSAL,
    Played,
    Squad,
    model,
    play,
    profile,
    question_after,
    refused,
    squad,
    table,
    unit,
    wall,
)

ROUND_TWO = {"turn": 3, "side": 0, "phase": "start"}


def waiting(
    *units: UnitSpec, way: str = "edge", turn: int = 2, sure: int = 0, squads: tuple[Squad, ...] = (), **more: Any
) -> Position:
    """Side 0's second turn begins; each of its units is noted for a turn of its own."""
    position = table(*squads, **{**ROUND_TWO, **more})
    keep_notes(position, 0, [Note(((forces.encode(one), -1),), turn, way, sure) for one in units])
    return position


def together(*units: tuple[UnitSpec, int], **more: Any) -> Position:
    """Units that are noted together: each with the number of the one that it comes with."""
    position = waiting(**more)
    keep_notes(position, 0, [Note(tuple((forces.encode(one), host) for one, host in units), 2, "edge")])
    return position


def let_in(position: Position, dice: str) -> Played:
    return play(arrivals(position, 0), dice=dice, position=position)


def entered(position: Position, *answers: Any, dice: str = "") -> Played:
    """The unit in turn enters."""
    return play(arrivals(position, 0), dice=dice, answers=answers, position=position)


# ---------------------------------------------------------------- writing them down


def written(position: Position, ours: list[Any], theirs: list[Any] | None = None) -> Played:
    return play(write_reserves(position), answers=[{0: ours, 1: theirs or []}], position=position)


@pytest.mark.covers("10.5/reserves")
def test_any_number_of_units_is_kept_back_each_until_its_turn() -> None:
    position = before_battle(spec("militia", 2), spec("biker", 3), spec("tank"), theirs=(spec("tank"),))
    played = written(position, ["deploy", [2, "edge"], [7, "edge"]], [[3, "edge"]])
    assert [(note.turn, note.way) for note in notes_of(position, 0)] == [(2, "edge"), (7, "edge")]
    assert [unit.id for unit in roster(position, 0).values()] == ["militia"]
    assert roster(position, 1) == {}
    assert played.cites("10.5/reserves")


@pytest.mark.covers("10.5/reserves")
def test_never_until_the_first_turn_and_never_after_the_last() -> None:
    asked = form_for(before_battle(spec("militia")), 0)
    assert refused(asked, [[2, "edge"]]) == ""
    for turn in (1, 8):
        assert asked.refusal([[turn, "edge"]]) is not None


@pytest.mark.covers("10.5/reserves")
def test_the_proposal_is_that_everything_is_deployed() -> None:
    position = before_battle(spec("militia"), spec("tank"))
    assert form_for(position, 0).suggestions()[0] == ["deploy", "deploy"]


@pytest.mark.covers("10.5/reserves")
def test_both_sides_are_asked_together_also_with_nothing_to_keep_back() -> None:
    played = written(before_battle(spec("militia")), ["deploy"], [])
    assert [question.side for question in played.questions] == [0, 1]


@pytest.mark.covers("10.5/outflank", "8/infiltrators", "8/scouts")
@pytest.mark.parametrize("name", ["outflank", "infiltrators", "scouts"])
def test_who_may_outflank_writes_down_a_short_edge(name: str) -> None:
    position = before_battle(spec("militia", 2, "one", name), spec("militia", 2, "two"))
    asked = form_for(position, 0)
    assert refused(asked, [[2, "west"], "deploy"]) == ""
    assert refused(asked, [[3, "east"], "deploy"]) == ""
    assert asked.refusal(["deploy", [2, "west"]]) is not None


@pytest.mark.covers("10.5/outflank")
def test_all_models_must_have_the_rule_to_outflank() -> None:
    scout, other = profile("militia", adds=["scouts"]), profile("militia")
    assert may_outflank(spec(scout, 2))
    assert not may_outflank(UnitSpec("mixed", {"en": "", "it": ""}, (scout, other)))


@pytest.mark.covers("10.5/outflank", "10.5/reserves")
@pytest.mark.parametrize(
    ("rule", "way", "is_allowed"),
    [("", "west", False), ("infiltrators", "west", False), ("scouts", "west", True), ("", "edge", True)],
)
def test_a_character_goes_round_with_a_unit_only_by_a_rule_that_all_have(rule: str, way: str, is_allowed: bool) -> None:
    led = spec(profile("captain", adds=[rule] if rule else []))
    asked = form_for(before_battle(spec("militia", 5, "scouts", "scouts"), led), 0)
    assert refused(asked, [[2, way], ["with", 0]]) == ("" if is_allowed else "10.5/outflank")


@pytest.mark.covers("10.5/outflank", "10.5/reserves")
def test_passengers_come_the_way_of_their_transport() -> None:
    carrier = spec(profile("carrier", adds=["scouts"]))
    position = before_battle(carrier, spec("militia", 5), spec("captain"))
    asked = form_for(position, 0)
    assert refused(asked, [[2, "west"], ["with", 0], ["with", 1]]) == ""
    assert refused(asked, [[2, "west"], "deploy", ["with", 0]]) == ""


@pytest.mark.covers("10.5/reserves")
def test_passengers_and_characters_are_written_down_with_whom_they_come_with() -> None:
    """The form asks for transports first, then units, then characters."""
    position = before_battle(spec("captain"), spec("militia", 9), spec("carrier"))
    written(position, [[3, "edge"], ["with", 2], ["with", 1]])
    (note,) = notes_of(position, 0)
    assert [forces.decode(text).id for text, _ in note.units] == ["carrier", "militia", "captain"]
    assert [host for _, host in note.units] == [-1, 0, 1]
    assert note.turn == 3


@pytest.mark.covers("10.5/reserves", "7.10/capacity")
def test_no_more_come_with_a_transport_than_it_carries() -> None:
    position = before_battle(spec("carrier"), spec("militia", 6), spec("militia", 5), spec("biker"))
    asked = form_for(position, 0)
    assert refused(asked, [[2, "edge"], ["with", 0], "deploy", "deploy"]) == ""
    assert asked.refusal([[2, "edge"], ["with", 0], ["with", 0], "deploy"]) is not None
    assert asked.refusal([[2, "edge"], "deploy", "deploy", ["with", 0]]) is not None
    assert asked.refusal(["deploy", ["with", 0], "deploy", "deploy"]) is not None


@pytest.mark.covers("10.5/reserves")
def test_a_character_comes_with_no_vehicle_that_carries_nobody() -> None:
    asked = form_for(before_battle(spec("tank"), spec("captain")), 0)
    assert asked.refusal([[2, "edge"], ["with", 0]]) is not None


# ---------------------------------------------------------------- the roll


@pytest.mark.covers("10.5/reserve-roll")
@pytest.mark.parametrize(("die", "comes"), [(1, False), (3, False), (4, True), (6, True)])
def test_it_enters_on_four_or_more(die: int, comes: bool) -> None:
    position = waiting(spec("militia", 2))
    played = let_in(position, str(die))
    assert played.rolls == ["reserves"]
    assert bool(coming(position, 0)) is comes
    assert played.value is comes


@pytest.mark.covers("10.5/reserve-roll")
def test_what_failed_enters_in_the_next_turn_without_a_roll() -> None:
    position = waiting(spec("militia", 2))
    let_in(position, "1")
    assert play(arrivals(position, 0)).rolls == []
    assert not coming(position, 0)
    position.now.update(turn=5, round=3)
    assert let_in(position, "").rolls == []
    assert len(coming(position, 0)) == 1


@pytest.mark.covers("10.5/reserve-roll")
def test_before_its_turn_nothing_is_rolled() -> None:
    position = waiting(spec("militia", 2), turn=3)
    assert let_in(position, "").rolls == []
    position.now.update(turn=5, round=3)
    assert let_in(position, "4").rolls == ["reserves"]


@pytest.mark.covers("10.5/reserve-roll")
def test_a_die_for_each_unit() -> None:
    position = waiting(spec("militia", 2), spec("veteran", 2), spec("biker", 2))
    let_in(position, "4 3 5")
    assert [one.name for one in coming(position, 0)] == ["militia", "biker"]


@pytest.mark.covers("10.5/reserves")
def test_in_the_first_game_turn_nobody_comes() -> None:
    position = waiting(spec("militia", 2))
    position.now.update(turn=1, round=1)
    assert play(arrivals(position, 0)).value is False


@pytest.mark.covers("10.5/reserves")
def test_who_comes_together_has_one_roll_and_one_arrival() -> None:
    position = together((spec("carrier"), -1), (spec("militia", 3), 0), (spec("captain"), 1))
    assert let_in(position, "4").rolls == ["reserves"]
    entered(position, [[20, 2.5, 0]])
    assert model(position, 0).is_on_table
    assert [m.aboard_of.row for m in position.models[1:] if m.aboard_of is not None] == [0, 0, 0, 0]
    assert model(position, 4).unit == unit(position, 1)
    assert not coming(position, 0)


@pytest.mark.covers("10.5/reserves")
def test_a_character_enters_as_one_of_the_unit_that_it_comes_with() -> None:
    position = together((spec("militia", 3), -1), (spec("captain"), 0))
    let_in(position, "4")
    entered(position, [[20, 2.5, 0]])
    assert [m.unit.row for m in position.on_table()] == [0, 0, 0, 0]


# ---------------------------------------------------------------- secrecy


def heard(position: Position, side: int) -> list[str]:
    assert position.journal is not None
    return [event.kind for event in position.journal.as_seen_by(side)]


@pytest.mark.covers("10.5/reserve-secrecy")
def test_the_opponent_hears_the_same_whether_a_roll_failed_or_nothing_waited() -> None:
    failed, nothing = waiting(spec("militia", 2)), waiting()
    let_in(failed, "1")
    let_in(nothing, "")
    assert heard(failed, 1) == heard(nothing, 1) == ["arrivals"]
    assert failed.revealed == nothing.revealed == 1


@pytest.mark.covers("10.5/reserve-secrecy")
def test_the_roll_is_one_that_only_its_side_may_know_of() -> None:
    asked = next(q for q in let_in(waiting(spec("militia")), "1").questions if q.is_chance)
    assert asked.about["secret"] is True


# ---------------------------------------------------------------- entering from an edge


def from_the_edge(*units: UnitSpec, **more: Any) -> Position:
    position = waiting(*units, **more)
    let_in(position, " ".join("6" for _ in units))
    return position


@pytest.mark.covers("10.5/reserve-entry", "10.5/reserves")
def test_it_is_placed_within_six_inches_of_its_own_edge() -> None:
    position = from_the_edge(spec("militia", 1))
    asked = question_after(arrivals(position, 0))
    assert refused(asked, [[20, 5.5, 0]]) == ""
    assert refused(asked, [[20, 5.6, 0]]) == "10.5/reserve-entry"


@pytest.mark.covers("10.5/reserve-entry")
def test_the_owner_places_the_first_model_and_the_others_go_near_it() -> None:
    position = from_the_edge(spec("militia", 5))
    entered(position, [[20, 3, 0]])
    first = model(position, 0)
    assert [round(gap(first.solid, m.solid), 2) for m in position.models[1:]] == [0.0] * 4


@pytest.mark.covers("10.5/reserve-entry")
def test_the_first_stands_only_where_the_others_find_room() -> None:
    """A pocket between walls where one model has room, and five have not."""
    pocket = [wall(15, 3, 8.6, 6), wall(25, 3, 8.6, 6), wall(20, 9, 20, 6)]
    asked = question_after(arrivals(from_the_edge(spec("militia", 1), pieces=pocket), 0))
    assert refused(asked, [[20, 3, 0]]) == ""
    asked = question_after(arrivals(from_the_edge(spec("militia", 8), pieces=pocket), 0))
    assert refused(asked, [[20, 3, 0]]) == "10.5/reserve-entry"
    assert refused(asked, [[40, 3, 0]]) == ""


@pytest.mark.covers("10.5/reserve-entry", "3.1/enemy-one-inch")
def test_the_inch_from_enemies_holds() -> None:
    enemy = (squad("militia", side=1, at=(20, 3)),)
    asked = question_after(arrivals(from_the_edge(spec("militia", 1), squads=enemy), 0))
    assert refused(asked, [[22, 3, 0]]) == ""
    assert refused(asked, [[21.9, 3, 0]]) == "3.1/enemy-one-inch"


@pytest.mark.covers("10.5/reserve-entry")
def test_a_hull_deeper_than_the_strip_touches_the_edge() -> None:
    position = table(squad(profile("tank", length=7.0), at=None), squad("tank", at=None))
    fits, (deep, usual) = within_strip("south"), position.models
    assert fits(deep, (20, 3.5, 0.0)) is None
    assert fits(deep, (20, 3.6, 0.0)) is not None
    assert fits(deep, (20, 4.5, 90.0)) is None
    assert fits(usual, (20, 3.5, 0.0)) is None
    assert fits(usual, (20, 3.6, 0.0)) is not None


@pytest.mark.covers("10.5/reserve-entry")
@pytest.mark.parametrize("length", [6.4, 8.0])
def test_a_hull_deeper_than_the_strip_finds_its_place(length: float) -> None:
    asked = question_after(arrivals(from_the_edge(spec(profile("tank", length=length))), 0))
    assert refused(asked, [[20, length / 2, 0]]) == ""
    assert refused(asked, [[20, length / 2 + 0.1, 0]]) == "10.5/reserve-entry"
    assert next(iter(asked.suggestions()))[0][1] == length / 2


@pytest.mark.covers("10.5/reserve-entry", "3.1/moved-flag")
def test_who_has_entered_has_moved_and_moves_no_more() -> None:
    position = from_the_edge(spec("militia", 2))
    entered(position, [[20, 3, 0]])
    assert [unit(position, 0).marks(name) for name in (MOVED, DONE, ARRIVED)] == [1, 1, 1]
    assert unit(position, 0).marks(BARRED_FROM_CHARGE) == 0


@pytest.mark.covers("10.5/reserve-entry")
def test_a_vehicle_has_moved_at_combat_speed() -> None:
    position = from_the_edge(spec("tank"))
    entered(position, [[20, 3, 0]])
    assert model(position, 0).marks(SPEED) == 1


@pytest.mark.covers("10.5/reserve-entry")
def test_one_that_cannot_be_placed_waits_for_the_next_turn_and_nobody_learns_of_it() -> None:
    full = [wall(36, 3, 72, 6)]
    position = waiting(spec("militia", 2), pieces=full)
    assert let_in(position, "6").value is False
    assert position.models == []
    assert heard(position, 1) == ["arrivals"]
    position.ground = table().ground
    position.cache = {}
    position.now.update(turn=5, round=3)
    let_in(position, "")
    assert len(coming(position, 0)) == 1


@pytest.mark.covers("10.5/reserve-entry")
def test_one_for_which_the_others_have_left_no_room_waits_outside() -> None:
    narrow = [wall(37, 3, 70, 6)]
    position = from_the_edge(spec("militia", 2), spec("tank"), pieces=narrow)
    assert [one.name for one in coming(position, 0)] == ["militia"]
    unit(position, 0).mark(WAITS, 1)
    assert play(arrivals(position, 0)).value is False
    position.now.update(turn=5, round=3)
    let_in(position, "")
    assert [one.name for one in coming(position, 0)] == ["militia"]


@pytest.mark.covers("10.5/reserves", "10.5/reserve-entry")
@pytest.mark.parametrize("outside", [1, 0])
def test_only_a_unit_for_which_its_zone_had_no_room_enters_in_the_first_turn(outside: int) -> None:
    left = squad("militia", 2, 0, None, marks={"waits": 1})
    position = waiting(spec("veteran"), squads=(left,) * outside)
    position.now.update(turn=1, round=1)
    assert let_in(position, "").value is bool(outside)
    assert ("arrivals" in heard(position, 1)) is bool(outside)
    if outside:
        assert entered(position, PROPOSAL).value is False
        assert len(position.on_table()) == 2


@pytest.mark.covers("10.5/reserve-entry")
def test_units_enter_one_after_another() -> None:
    position = from_the_edge(spec("militia", 2), spec("veteran", 2))
    assert entered(position, PROPOSAL).value is True
    assert len(position.on_table()) == 2
    assert entered(position, PROPOSAL).value is False
    assert len(position.on_table()) == 4


# ---------------------------------------------------------------- outflanking


@pytest.mark.covers("10.5/outflank")
@pytest.mark.parametrize(("way", "inside", "outside"), [("west", 5.5, 5.6), ("east", 66.5, 66.4)])
def test_it_comes_by_the_short_edge_that_was_written_down(way: str, inside: float, outside: float) -> None:
    position = from_the_edge(spec("militia", 1, "x", "scouts"), way=way)
    asked = question_after(arrivals(position, 0))
    assert refused(asked, [[inside, 30, 0]]) == ""
    assert refused(asked, [[outside, 30, 0]]) == "10.5/reserve-entry"
    assert refused(asked, [[36, 3, 0]]) == "10.5/reserve-entry"


@pytest.mark.covers("10.5/outflank", "10.5/deep-strike")
def test_who_wrote_down_a_short_edge_is_bound_to_it() -> None:
    both = spec("militia", 1, "x", "scouts", "deep-strike")
    assert question_after(arrivals(from_the_edge(both, way="west"), 0)).kind == "place"
    asked = question_after(arrivals(from_the_edge(both), 0))
    assert asked.options() == ["edge", "deep-strike"]


# ---------------------------------------------------------------- deep strike


@pytest.mark.covers("10.5/deep-strike-types")
@pytest.mark.parametrize("kind", ["jump-trooper", "winged-beast", "aircraft", "flyer", "jetbiker"])
def test_flying_types_have_deep_strike_always(kind: str) -> None:
    assert special.has(model(table(squad(kind)), 0), "deep-strike")
    asked = question_after(arrivals(from_the_edge(spec(kind)), 0))
    assert asked.options() == ["edge", "deep-strike"]


@pytest.mark.covers("10.5/deep-strike-types")
@pytest.mark.parametrize("kind", ["militia", "biker", "great-beast", "tank", "walker"])
def test_others_have_not(kind: str) -> None:
    assert not special.has(model(table(squad(kind)), 0), "deep-strike")


@pytest.mark.covers("10.5/deep-strike")
def test_all_models_must_have_it() -> None:
    mixed = UnitSpec("mixed", {"en": "", "it": ""}, (profile("jump-trooper"), profile("militia")))
    assert question_after(arrivals(from_the_edge(mixed), 0)).kind == "place"


def striking(count: int = 1, kind: str = "militia", *rules: str, **more: Any) -> Position:
    return from_the_edge(spec(kind, count, "strikers", "deep-strike", *rules), **more)


def in_danger(count: int = 1, kind: str = "militia", **more: Any) -> Position:
    return striking(count, kind, "hazardous-deep-strike", **more)


@pytest.mark.covers("10.5/deep-strike")
def test_it_comes_down_anywhere_its_models_near_the_first_and_may_not_assault() -> None:
    position = striking(4)
    entered(position, "deep-strike", [[36, 24, 0]])
    first = model(position, 0)
    assert first.at == (36.0, 24.0)
    assert [round(gap(first.solid, m.solid), 2) for m in position.models[1:]] == [0.0] * 3
    assert [unit(position, 0).marks(name) for name in (MOVED, ARRIVED, BARRED_FROM_CHARGE)] == [1, 1, 1]


@pytest.mark.covers("10.5/deep-strike")
def test_the_point_is_one_where_the_first_model_may_stand() -> None:
    enemy = (squad("militia", side=1, at=(20, 20)),)
    position = striking(squads=enemy, pieces=[wall(40, 24)])
    asked = question_after(arrivals(position, 0), answers=["deep-strike"])
    assert refused(asked, [[36, 30, 0]]) == ""
    assert refused(asked, [[21.9, 20, 0]]) == "3.1/enemy-one-inch"
    assert refused(asked, [[40, 24, 0]]) == "3.1.2/impassable"


@pytest.mark.covers("10.5/deep-strike")
def test_where_the_edge_is_blocked_it_can_only_come_from_above() -> None:
    position = waiting(spec("militia", 1, "x", "deep-strike"), pieces=[wall(36, 3, 72, 6)])
    let_in(position, "6")
    assert question_after(arrivals(position, 0)).prompt == "deep-strike-at"


@pytest.mark.covers("10.5/deep-strike", "10.5/reserve-entry")
def test_where_the_whole_table_is_blocked_it_comes_from_above_neither() -> None:
    position = waiting(spec("militia", 1, "x", "deep-strike"), pieces=[wall(36, 24, 72, 48)])
    assert let_in(position, "6").value is False
    assert position.models == []


@pytest.mark.covers("10.5/deep-strike", "10.5/reserve-entry")
def test_one_that_finds_no_room_after_all_neither_at_the_edge_nor_from_above_waits() -> None:
    position = striking()
    position.ground = table(pieces=[wall(36, 24, 72, 48)]).ground
    position.cache = {}
    assert play(arrivals(position, 0)).value is False
    assert unit(position, 0).marks(WAITS) == 1


@pytest.mark.covers("7.14/aircraft-mode")
def test_an_aircraft_that_comes_by_deep_strike_flies() -> None:
    position = striking(kind="aircraft")
    entered(position, "deep-strike", [[36, 24, 0]])
    assert unit(position, 0).marks(ALOFT) == 1


@pytest.mark.covers("10.5/hazardous-deep-strike", "10.5/deep-strike-types")
@pytest.mark.parametrize("kind", ["jump-trooper", "winged-beast", "aircraft", "flyer", "jetbiker"])
def test_what_glides_down_rolls_no_die(kind: str) -> None:
    position = from_the_edge(spec(kind))
    assert entered(position, "deep-strike", [[36, 24, 0]]).rolls == []
    assert model(position, 0).at == (36.0, 24.0)
    assert not special.has(model(position, 0), "hazardous-deep-strike")


@pytest.mark.covers("10.5/hazardous-deep-strike")
def test_the_danger_is_a_rule_of_its_own_and_gives_no_deep_strike() -> None:
    assert not special.has(model(table(squad(profile("militia", adds=["hazardous-deep-strike"]))), 0), "deep-strike")
    assert entered(striking(2), "deep-strike", [[36, 24, 0]]).rolls == []
    assert entered(in_danger(2), "deep-strike", [[36, 24, 0]], dice="5").rolls == ["deep-strike"]
    one_of_them = UnitSpec(
        "mixed",
        {"en": "mixed", "it": "mista"},
        (profile("militia", adds=["deep-strike"]), profile("militia", adds=["deep-strike", "hazardous-deep-strike"])),
    )
    assert entered(from_the_edge(one_of_them), "deep-strike", [[36, 24, 0]], dice="5").rolls == ["deep-strike"]


@pytest.mark.covers("10.5/hazardous-deep-strike")
@pytest.mark.parametrize(("die", "inches"), [(1, 2.0), (2, 4.0), (3, 6.0), (4, 8.0)])
def test_on_less_than_five_the_point_moves_two_inches_times_the_die(die: int, inches: float) -> None:
    position = in_danger()
    entered(position, "deep-strike", [[36, 24, 0]], dice=f"{die} 90.0")
    assert model(position, 0).at == pytest.approx((36 + inches, 24))


@pytest.mark.covers("10.5/hazardous-deep-strike")
@pytest.mark.parametrize("die", [5, 6])
def test_on_five_or_more_it_stays_where_it_is(die: int) -> None:
    position = in_danger()
    entered(position, "deep-strike", [[36, 24, 0]], dice=str(die))
    assert model(position, 0).at == (36.0, 24.0)


@pytest.mark.covers("10.5/hazardous-deep-strike")
@pytest.mark.parametrize(("count", "places"), [(1, 1), (2, 7), (7, 7), (8, 19), (19, 19), (20, 37)])
def test_as_many_rings_as_the_size_of_the_unit_requires(count: int, places: int) -> None:
    position = table(squad("militia", count, at=None))
    putting = Putting(PLACING, unit(position, 0), tuple(position.models))
    found = list(fixed_places(putting, (36.0, 24.0, 0.0)))
    assert len(found) == places
    if places > 1:
        assert found[1][:2] == pytest.approx((36.0, 25.0), abs=0.001)
        angles = [round(math.degrees(math.atan2(x - 36, y - 24))) % 360 for x, y, _ in found[1:7]]
        assert angles == [0, 60, 120, 180, 240, 300]
    if places > 7:
        assert found[7][:2] == pytest.approx((36.0, 26.0), abs=0.001)
        assert [round(math.dist((x, y), (36, 24)), 2) for x, y, _ in found[7:19]] == [2.0] * 12


@pytest.mark.covers("10.5/hazardous-deep-strike")
def test_illegal_places_are_left_empty_and_models_without_a_place_are_lost() -> None:
    """A wall to the right of the point: of the seven places the five that are clear of it are filled in order."""
    position = in_danger(7, pieces=[wall(41.1, 24, 1.0, 20)])
    entered(position, "deep-strike", [[36, 24, 0]], dice="2 90.0")
    there = [(round(m.x, 2), round(m.y, 2)) for m in position.on_table()]
    assert there == [(40.0, 24.0), (40.0, 25.0), (40.0, 23.0), (39.13, 23.5), (39.13, 24.5)]
    assert [m.where for m in position.models[5:]] == [GONE] * 2
    assert {loss.cause for loss in position.losses} == {"deep-strike"}


@pytest.mark.covers("10.5/hazardous-deep-strike")
def test_a_unit_that_drifts_off_the_table_is_lost() -> None:
    position = in_danger(1)
    entered(position, "deep-strike", [[36, 46, 0]], dice="4 0.0")
    assert model(position, 0).where == GONE


@pytest.mark.covers("10.5/hazardous-deep-strike")
def test_who_is_inside_a_transport_that_is_lost_is_lost_with_it() -> None:
    carrier = spec(profile("carrier", adds=["deep-strike", "hazardous-deep-strike"]))
    position = together((carrier, -1), (spec("militia", 2), 0))
    let_in(position, "6")
    entered(position, "deep-strike", [[36, 44, 0]], dice="4 0.0")
    assert [m.where for m in position.models] == [GONE] * 3


@pytest.mark.covers("10.5/hazardous-deep-strike")
def test_on_five_or_more_models_without_a_place_are_lost_too() -> None:
    """The point lies in a pocket with room for one."""
    sides = [wall(17.625, 24, 35.25, 48), wall(54.375, 24, 35.25, 48)]
    ends = [wall(36, 11.625, 1.5, 23.25), wall(36, 36.375, 1.5, 23.25)]
    position = waiting(spec("militia", 3, "x", "deep-strike", "hazardous-deep-strike"), pieces=[*sides, *ends])
    let_in(position, "6")
    entered(position, [[36, 24, 0]], dice="5")
    assert [m.where == GONE for m in position.models] == [False, True, True]


# ---------------------------------------------------------------- the way is nobody's business


@pytest.mark.covers("10.5/arrival-secrecy")
def test_what_is_written_tells_by_which_edge_and_is_kept_by_its_side_alone() -> None:
    position = waiting(spec("militia", 1, "x", "scouts"), way="west", turn=4)
    for side in (1, None):
        seen = position.ruleset.seen_by(side, position.copy())
        assert notes_of(seen, 0) == []
        assert b"west" not in seen.to_bytes()
    assert notes_of(position.ruleset.seen_by(0, position.copy()), 0) == notes_of(position, 0)


@pytest.mark.covers("10.5/deep-strike", "10.5/arrival-secrecy")
def test_deep_strike_is_chosen_only_as_the_unit_enters() -> None:
    asked = form_for(before_battle(spec("jump-trooper", 5)), 0)
    assert refused(asked, [[2, "edge"]]) == ""
    assert asked.refusal([[2, "deep-strike"]]) is not None


@pytest.mark.covers("10.5/reserve-secrecy", "10.5/arrival-secrecy")
def test_the_edge_stays_secret_until_the_unit_is_placed_and_then_only_its_place_tells_it() -> None:
    positions = [from_the_edge(spec("militia", 1, "x", "scouts"), way=way) for way in ("west", "east")]
    for side in (1, None):
        west, east = (one.ruleset.seen_by(side, one.copy()).to_bytes() for one in positions)
        assert west == east
    for seed in range(4):
        west, east = (one.ruleset.imagine(one.copy(), 1, Random(seed)).to_bytes() for one in positions)
        assert west == east
    for position, x, facing in zip(positions, (1, 71), (90, 270), strict=True):
        play(arrivals(position, 0), answers=[[[x, 24, facing]]])
        assert position.model(0).at == (x, 24)
        assert unit(position, 0).note(ARRIVES_BY) is None


@pytest.mark.covers("10.5/arrival-secrecy")
def test_an_imagined_edge_is_one_by_which_the_unit_may_come() -> None:
    found = {}
    for adds in ((), ("scouts",)):
        position = from_the_edge(spec("militia", 1, "x", *adds))
        imagined = [position.ruleset.imagine(position.copy(), 1, Random(seed)) for seed in range(20)]
        found[adds] = {unit(one, 0).note(ARRIVES_BY) for one in imagined}
    assert found == {(): {"edge"}, ("scouts",): {"edge", "west", "east"}}


def test_nobody_is_on_the_table_before_entering() -> None:
    position = from_the_edge(spec("militia", 2))
    assert [m.where for m in position.models] == [RESERVE, RESERVE]
