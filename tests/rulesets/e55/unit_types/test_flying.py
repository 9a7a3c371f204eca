"""The flying types and aircraft: their modes, charges, clipped wings, objectives; types as such."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.definitions.types import (
    all_fly,
    can_fly,
    is_beast,
    is_bike,
    is_flying,
    is_monster,
    is_vehicle,
)
from campale.rulesets.e55.definitions.units import ALOFT, CLIPPED, COMBAT, IMMOBILISED
from campale.rulesets.e55.options import switches
from campale.rulesets.e55.unit_types import special
from campale.rulesets.e55.unit_types.characters import join, set_free
from campale.rulesets.e55.unit_types.flying import (
    assaults_flyers,
    cannot_land,
    choose_modes,
    choose_own_modes,
    chooses_in_own_turn,
    declare_first_mode,
    fall_out_of_combat,
    is_barred_from_objectives,
    is_flying_infantry,
    is_locked,
    may_charge,
    may_choose_mode,
    return_to_flight,
    set_mode,
    stands_in_difficult,
    start_aloft,
    wings_may_be_clipped,
)
from tests.rulesets.e55.kit import model, play, profile, squad, table, unit, wood

FLYING_KINDS = ("winged-beast", "jetbiker", "jump-trooper")
GROUND_KINDS = ("great-beast", "biker", "veteran")


def one_of_each(side: int = 0, **marks: int) -> Position:
    """A winged beast, a jetbiker, a jump trooper and an aircraft, side by side."""
    kinds = (*FLYING_KINDS, "aircraft")
    return table(*(squad(kind, side=side, at=(10 + 12 * n, 20), **marks) for n, kind in enumerate(kinds)))


def aloft(position: Position) -> list[int]:
    return [one.marks(ALOFT) for one in position.units]


# ---------------------------------------------------------------- types


@pytest.mark.covers("1.2/types", "6/type-default")
def test_there_are_five_types_and_infantry_is_the_type_of_who_states_none() -> None:
    kinds = ("militia", "hound", "great-beast", "tank", "biker")
    position = table(*(squad(kind, at=(8 + 10 * n, 20)) for n, kind in enumerate(kinds)))
    of = [(is_vehicle(m), is_bike(m), is_beast(m), is_monster(m)) for m in position.models]
    assert of[0] == (False, False, False, False)
    assert [one.index(True) for one in of[1:]] == [2, 3, 0, 1]
    assert profile("militia").type == "infantry"


@pytest.mark.covers("1.2/cavalry")
def test_cavalry_differs_in_nothing_from_beasts() -> None:
    horse = profile("hound", keywords=("cavalry",))
    position = table(squad([horse]), squad("militia", at=(10, 20)))
    assert is_beast(model(position, 0))
    assert not is_beast(model(position, 1))
    assert special.has(model(position, 0), "fleet")


@pytest.mark.covers("6.1.1/flying-modes")
def test_a_flying_type_flies_while_its_unit_operates_so() -> None:
    position = one_of_each(aloft=1)
    assert all(is_flying(one) for one in position.models)
    for one in position.units:
        one.mark(ALOFT, 0)
    assert not any(is_flying(one) for one in position.models)
    position = table(squad("flyer"), squad("militia", aloft=1, at=(10, 20)))
    assert [is_flying(one) for one in position.models] == [True, False]


@pytest.mark.covers("6.1.1/flying-modes")
def test_a_unit_with_one_model_on_foot_does_not_fly_as_a_whole() -> None:
    mixed = [profile("jump-trooper"), profile("captain")]
    position = table(squad(mixed, aloft=1))
    assert [is_flying(one) for one in position.models] == [True, False]
    assert not all_fly(unit(position, 0))
    position.remove(model(position, 1), "fire")
    assert all_fly(unit(position, 0))


@pytest.mark.covers("6.1.1/fmc-inherits")
def test_a_flying_monstrous_creature_has_fear_only_on_the_ground() -> None:
    position = table(squad("winged-beast", aloft=1))
    assert not special.has(model(position, 0), "fear")
    assert special.has(model(position, 0), "crushing-charge")
    unit(position, 0).mark(ALOFT, 0)
    assert special.has(model(position, 0), "fear")


@pytest.mark.covers("6.2.1/jetbike-inherits", "6.4/flying-infantry-inherits")
def test_jetbikes_are_bikes_and_flying_infantry_is_infantry() -> None:
    position = table(squad("jetbiker", aloft=1), squad("jump-trooper", aloft=1, at=(10, 20)))
    assert is_bike(model(position, 0))
    assert special.has(model(position, 0), "crushing-charge")
    assert is_flying_infantry(model(position, 1))
    assert not is_flying_infantry(model(position, 0))


# ---------------------------------------------------------------- the choice of mode


@pytest.mark.covers(
    "6.1.1/fmc-mode", "6.2.1/jetbike-mode", "6.4/flying-infantry-mode", "7.14/aircraft-mode", "3/start-of-turn"
)
def test_as_the_opponents_turn_starts_all_flying_units_choose_in_one_answer() -> None:
    position = one_of_each(side=1, aloft=1)
    unit(position, 3).mark(ALOFT, 0)
    answer = ["ground", "flying", "ground", "flying"]
    played = play(choose_modes(position, 1), "", [answer], position)
    assert played.prompts == ["flying-modes"]
    assert played.questions[0].side == 1
    assert aloft(position) == [0, 1, 0, 1]


@pytest.mark.covers("6.1.1/fmc-mode", "6.2.1/jetbike-mode", "6.4/flying-infantry-mode")
def test_the_proposal_is_to_stay_as_they_are() -> None:
    position = one_of_each(side=1, aloft=1)
    unit(position, 3).mark(ALOFT, 0)
    played = play(choose_modes(position, 1), position=position, accepting=True)
    assert played.questions[0].suggestions()[0] == ["flying", "flying", "flying", "ground"]
    assert aloft(position) == [1, 1, 1, 0]


@pytest.mark.covers("6.1.1/fmc-mode")
def test_who_has_no_flying_units_is_asked_nothing() -> None:
    position = table(squad("militia", side=1), squad("flyer", side=1, at=(10, 20)))
    assert not play(choose_modes(position, 1), position=position).prompts
    assert [may_choose_mode(one) for one in position.units] == [False, False]


@pytest.mark.covers("6.1.1/fmc-locked", "6.2.1/jetbike-locked", "6.4/flying-infantry-locked")
@pytest.mark.parametrize("kind", FLYING_KINDS)
def test_in_a_combat_a_unit_keeps_its_mode(kind: str) -> None:
    for mode in (0, 1):
        position = table(squad(kind, side=1, combat=1, aloft=mode))
        assert is_locked(unit(position, 0))
        assert not play(choose_modes(position, 1), position=position).prompts
        play(return_to_flight(position, 1), position=position)
        assert aloft(position) == [mode]
        unit(position, 0).mark(COMBAT, 0)
        assert may_choose_mode(unit(position, 0))


@pytest.mark.covers("6.1.1/fmc-mode", "6.2.1/jetbike-mode", "6.4/flying-infantry-mode", "3/start-of-turn")
def test_in_their_own_turn_they_fly_again_but_an_aircraft_keeps_its_mode() -> None:
    position = one_of_each()
    play(return_to_flight(position, 0), position=position)
    assert aloft(position) == [1, 1, 1, 0]
    position = one_of_each(side=1)
    play(return_to_flight(position, 0), position=position)
    assert aloft(position) == [0, 0, 0, 0]


@pytest.mark.covers("6.4/flying-infantry-mode")
def test_flying_infantry_inside_a_transport_flies_in_its_own_turn_too() -> None:
    position = table(squad("jump-trooper", 2), squad("carrier", at=(50, 20)), pieces=[wood(50, 20)])
    for row in (0, 1):
        position.take_off(model(position, row), aboard_of=model(position, 2))
    assert not play(return_to_flight(position, 0), position=position).rolls
    assert aloft(position) == [1, 0]


@pytest.mark.covers("7.14/aircraft-no-return", "7.14/aircraft-mode")
def test_an_aircraft_that_flies_cannot_land() -> None:
    position = table(squad("aircraft", side=1, aloft=1), squad("aircraft", side=1, at=(10, 20)))
    assert cannot_land(unit(position, 0))
    assert not cannot_land(unit(position, 1))
    assert not may_choose_mode(unit(position, 0))
    played = play(choose_modes(position, 1), "", [["ground"]], position)
    assert played.questions[0].about["units"] == [1]
    jump = table(squad("jump-trooper", side=1, aloft=1))
    assert not cannot_land(unit(jump, 0))


@pytest.mark.covers("6.2.1/jetbike-mode", "6.4/flying-infantry-mode", "6.1.1/fmc-mode")
def test_before_the_first_choice_they_fly() -> None:
    position = table(*(squad(kind, at=(10 + 10 * n, 20)) for n, kind in enumerate((*FLYING_KINDS, "militia"))))
    for one in position.units:
        start_aloft(one)
    assert aloft(position) == [1, 1, 1, 0]


@pytest.mark.covers("6.2.1/jetbike-mode", "6.4/flying-infantry-mode", "6.1.1/fmc-mode")
@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("winged-beast", "6.1.1/fmc-mode"),
        ("jetbiker", "6.2.1/jetbike-mode"),
        ("jump-trooper", "6.4/flying-infantry-mode"),
    ],
)
def test_who_begins_in_flight_is_told_by_the_entry_about_its_type(kind: str, entry: str) -> None:
    position = table(squad(kind), squad("tank", at=(40, 20)))
    start_aloft(unit(position, 0))
    assert position.journal is not None
    assert position.journal.events[-1].rules[-1:] == (entry,)


@pytest.mark.covers("7.14/aircraft-mode")
def test_an_aircraft_declares_its_mode_at_deployment_and_flies_by_deep_strike() -> None:
    for answer, mode in (("ground", 0), ("flying", 1)):
        position = table(squad("aircraft"))
        assert play(declare_first_mode(unit(position, 0)), "", [answer], position).prompts == ["first-mode"]
        assert aloft(position) == [mode]
    position = table(squad("aircraft"))
    assert not play(declare_first_mode(unit(position, 0), by_deep_strike=True), position=position).prompts
    assert aloft(position) == [1]


@pytest.mark.covers("6.1.1/own-turn-mode-option")
def test_with_the_option_the_flying_types_choose_in_their_own_turn_too() -> None:
    position = table(squad("jump-trooper"), squad("aircraft", at=(10, 20)), options={"own_turn_mode": True})
    assert "own_turn_mode" in [one.name for one in switches()]
    assert chooses_in_own_turn(position)
    assert not chooses_in_own_turn(table())
    played = play(choose_own_modes(position, 0), "", [["ground"]], position)
    assert played.questions[0].about["units"] == [0]
    assert aloft(position) == [0, 0]
    play(choose_own_modes(position, 0), "", [["flying"]], position)
    assert aloft(position) == [1, 0]


@pytest.mark.covers("6.1.1/own-turn-mode-option")
def test_with_the_option_those_inside_transports_choose_as_well() -> None:
    position = table(squad("jump-trooper"), squad("carrier", at=(50, 20)), options={"own_turn_mode": True})
    position.take_off(model(position, 0), aboard_of=model(position, 1))
    play(choose_own_modes(position, 0), "", [["flying"]], position)
    assert aloft(position) == [1, 0]


# ---------------------------------------------------------------- 6.4/mode-change-test


def in_wood(kind: str = "jump-trooper", **marks: int) -> Position:
    return table(squad(kind, 3, at=[(30, 20), (34.9, 20), (38, 20)], **marks), pieces=[wood(38, 20)])


@pytest.mark.covers("6.4/mode-change-test")
def test_flying_infantry_that_changes_its_mode_in_difficult_terrain_tests_for_every_model() -> None:
    for mode in (0, 1):
        position = in_wood(aloft=mode)
        played = play(set_mode(unit(position, 0), aloft=not mode), "1 2 3", position=position)
        assert played.rolls == ["mode-change"]
        assert played.cites("6.4/mode-change-test")
        assert aloft(position) == [1 - mode]


@pytest.mark.covers("6.4/mode-change-test")
def test_one_model_that_touches_the_terrain_is_enough_and_one_is_needed() -> None:
    position = in_wood()
    position.remove(model(position, 2), "fire")
    model(position, 1).move_to(33.51, 20)
    assert stands_in_difficult(unit(position, 0))
    model(position, 1).move_to(33.4, 20)
    assert not stands_in_difficult(unit(position, 0))
    assert not play(set_mode(unit(position, 0), aloft=True), position=position).rolls


@pytest.mark.covers("6.4/mode-change-test")
def test_who_keeps_its_mode_or_is_of_another_type_does_not_test() -> None:
    position = in_wood(aloft=1)
    assert not play(set_mode(unit(position, 0), aloft=True), position=position).rolls
    jetbikes = in_wood("jetbiker")
    assert not play(set_mode(unit(jetbikes, 0), aloft=True), position=jetbikes).rolls


@pytest.mark.covers("6.4/mode-change-test", "1.1/unit-ceases")
def test_a_character_whom_the_test_leaves_alone_has_changed_its_mode() -> None:
    leader = profile("captain", subtypes=("flying-infantry",), x=12)
    for mode in (0, 1):
        position = table(
            squad("jump-trooper", at=(38, 20), aloft=mode), squad(leader, at=(39.5, 20)), pieces=[wood(38, 20)]
        )
        position.join(model(position, 1), unit(position, 0))
        play(set_mode(unit(position, 0), aloft=not mode), "6 1 | 1", [[0]], position, accepting=True)
        assert model(position, 1).unit.row == 1
        assert is_flying(model(position, 1)) == (not mode)


@pytest.mark.covers("6.4/mode-change-test", "3/start-of-turn")
def test_the_return_to_flight_is_tested_too() -> None:
    position = in_wood()
    assert play(return_to_flight(position, 0), "1 1 1", position=position).rolls == ["mode-change"]


# ---------------------------------------------------------------- who may charge whom


CHARGE_RULES = {
    "winged-beast": "6.1.1/fmc-charge",
    "jetbiker": "6.2.1/jetbike-charge",
    "jump-trooper": "6.4/flying-infantry-charge",
}


def charging(kind: Any, other: Any, high: bool = False, other_high: bool = False) -> str:
    """The rule that forbids a charge on account of flying; empty when none does."""
    position = table(squad(kind, aloft=int(high)), squad(other, side=1, at=(10, 20), aloft=int(other_high)))
    fault = may_charge(unit(position, 0), unit(position, 1))
    return "" if fault is None else fault.rule


@pytest.mark.covers("6.1.1/fmc-charge", "6.2.1/jetbike-charge", "6.4/flying-infantry-charge")
@pytest.mark.parametrize("kind", FLYING_KINDS)
def test_only_who_flies_charges_who_flies(kind: str) -> None:
    assert charging("veteran", kind, other_high=True) == CHARGE_RULES[kind]
    assert charging("jump-trooper", kind, other_high=True) == CHARGE_RULES[kind]
    for flying in FLYING_KINDS:
        assert charging(flying, kind, high=True, other_high=True) == ""
    assert charging("veteran", kind) == ""


@pytest.mark.covers("6.1.1/fmc-charge", "6.2.1/jetbike-charge", "6.4/flying-infantry-charge")
@pytest.mark.parametrize("kind", FLYING_KINDS)
def test_who_flies_charges_only_who_flies(kind: str) -> None:
    assert charging(kind, "veteran", high=True) == CHARGE_RULES[kind]
    assert charging(kind, "jump-trooper", high=True) == CHARGE_RULES[kind]
    assert charging(kind, "veteran") == ""


@pytest.mark.covers("6.1.1/flying-modes", "6.4/flying-infantry-charge")
def test_a_mixed_unit_may_be_charged_by_anybody_and_charges_only_who_flies() -> None:
    mixed = [profile("jump-trooper"), profile("captain")]
    assert charging("veteran", mixed, other_high=True) == ""
    assert charging("jump-trooper", mixed, high=True, other_high=True) == ""
    assert charging(mixed, "veteran", high=True) == "6.4/flying-infantry-charge"
    assert charging(mixed, "jetbiker", high=True, other_high=True) == ""


@pytest.mark.covers("7.13/flyer-assault")
def test_a_flyer_is_assaulted_only_by_those_who_fly() -> None:
    for kind in FLYING_KINDS:
        assert charging(kind, "flyer", high=True) == ""
        assert charging(kind, "flyer") == "7.13/flyer-assault"
    for kind in GROUND_KINDS:
        assert charging(kind, "flyer") == "7.13/flyer-assault"
    assert charging("veteran", "aircraft", other_high=True) == "7.13/flyer-assault"
    assert charging("veteran", "aircraft") == ""
    position = table(squad("aircraft", aloft=1), squad("winged-beast", at=(10, 20), aloft=1))
    assert not assaults_flyers(unit(position, 0))
    assert assaults_flyers(unit(position, 1))


# ---------------------------------------------------------------- clipped wings


@pytest.mark.covers("6.1.1/clip-wings")
def test_a_die_for_each_wound_and_a_6_ends_its_flying_for_good() -> None:
    for mode in (0, 1):
        position = table(squad("winged-beast", aloft=mode))
        play(wings_may_be_clipped(model(position, 0), 2), "5 5", position=position)
        assert can_fly(model(position, 0))
        play(wings_may_be_clipped(model(position, 0), 2), "1 6", position=position)
        assert model(position, 0).marks(CLIPPED)
        assert not can_fly(model(position, 0))
        assert not is_flying(model(position, 0))
        assert not may_choose_mode(unit(position, 0))


@pytest.mark.covers("6.1.1/clip-wings")
def test_no_die_for_the_dead_the_clipped_and_other_types() -> None:
    position = table(squad("winged-beast", aloft=1), squad("great-beast", at=(10, 20)))
    assert not play(wings_may_be_clipped(model(position, 1), 1), position=position).rolls
    model(position, 0).mark(CLIPPED, 1)
    assert not play(wings_may_be_clipped(model(position, 0), 1), position=position).rolls
    model(position, 0).mark(CLIPPED, 0)
    position.remove(model(position, 0), "fire")
    assert not play(wings_may_be_clipped(model(position, 0), 1), position=position).rolls


def fighting(mode: int) -> Position:
    return table(
        squad("winged-beast", at=(30, 20), combat=1, aloft=mode),
        squad("jump-trooper", side=1, at=(30, 21.75), combat=1, aloft=mode),
    )


@pytest.mark.covers("6.1.1/clip-wings-engaged")
def test_clipped_in_a_combat_fought_in_the_air_it_drops_out_and_consolidates() -> None:
    position = fighting(1)
    played = play(wings_may_be_clipped(model(position, 0), 1), "6 | 3 | 2", position=position, accepting=True)
    assert not unit(position, 0).marks(COMBAT)
    assert not unit(position, 1).marks(COMBAT)
    assert played.rolls == ["clip-wings", "consolidation", "consolidation"]
    assert played.cites("6.1.1/clip-wings-engaged")


@pytest.mark.covers("6.1.1/clip-wings-engaged", "6.1.1/flying-modes")
def test_clipped_among_others_who_do_not_fly_it_fights_on_with_them() -> None:
    pair = [profile("winged-beast"), profile("veteran")]
    position = table(
        squad(pair, at=(30, 20), combat=1, aloft=1), squad("jump-trooper", side=1, at=(30, 21.75), combat=1, aloft=1)
    )
    play(wings_may_be_clipped(model(position, 0), 1), "6", position=position)
    assert unit(position, 0).marks(COMBAT)


@pytest.mark.covers("6.1.1/clip-wings-engaged")
def test_clipped_in_a_combat_fought_on_the_ground_it_fights_on() -> None:
    position = fighting(0)
    assert play(wings_may_be_clipped(model(position, 0), 1), "6", position=position).rolls == ["clip-wings"]
    assert unit(position, 0).marks(COMBAT)


@pytest.mark.covers("6.1.1/clip-wings-engaged")
def test_out_of_a_combat_nothing_follows() -> None:
    position = table(squad("winged-beast"))
    assert not play(fall_out_of_combat(unit(position, 0)), position=position).rolls


# ---------------------------------------------------------------- objectives


@pytest.mark.covers("6.1.1/fmc-objectives", "6.2.1/jetbike-objectives", "6.4/flying-infantry-objectives")
@pytest.mark.parametrize("kind", FLYING_KINDS)
def test_objectives_are_not_for_those_who_fly_but_for_those_who_have_landed(kind: str) -> None:
    position = table(squad(kind, aloft=1))
    assert is_barred_from_objectives(model(position, 0))
    unit(position, 0).mark(ALOFT, 0)
    assert not is_barred_from_objectives(model(position, 0))


@pytest.mark.covers("6.1.1/fmc-objectives")
def test_a_creature_whose_wings_are_clipped_is_one_of_the_ground() -> None:
    position = table(squad("winged-beast", aloft=1))
    model(position, 0).mark(CLIPPED, 1)
    assert not is_barred_from_objectives(model(position, 0))


@pytest.mark.covers("6.1.1/flying-modes")
def test_a_character_who_leaves_keeps_the_mode_of_the_unit_that_he_was_in() -> None:
    leader = profile("captain", subtypes=("flying-infantry",), x=12)
    for mode in (0, 1):
        position = table(squad("jump-trooper", 2, aloft=mode), squad(leader, at=(40, 24), aloft=1 - mode))
        position.join(model(position, 2), unit(position, 0))
        set_free(model(position, 2))
        assert is_flying(model(position, 2)) == bool(mode)


@pytest.mark.covers("7.14/aircraft-mode", "7.6/immobilised", "7.13/flyer-immobilised")
def test_an_immobilised_aircraft_does_not_take_off() -> None:
    position = one_of_each(side=1)
    assert may_choose_mode(unit(position, 3))
    model(position, 3).mark(IMMOBILISED, 1)
    assert not may_choose_mode(unit(position, 3))


@pytest.mark.covers("6.1.1/flying-modes", "6.4/flying-infantry-mode")
def test_a_character_who_joins_keeps_his_mode_among_those_who_cannot_fly() -> None:
    leader = profile("captain", subtypes=("flying-infantry",), x=12)
    for mode in (0, 1):
        position = table(squad("veteran", 2, aloft=1 - mode), squad(leader, at=(40, 24), aloft=mode))
        join(model(position, 2), unit(position, 0))
        assert is_flying(model(position, 2)) == bool(mode)
        position = table(squad("jump-trooper", 2, aloft=1 - mode), squad(leader, at=(40, 24), aloft=mode))
        join(model(position, 2), unit(position, 0))
        assert is_flying(model(position, 2)) == (not mode)
