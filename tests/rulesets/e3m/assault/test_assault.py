"""Chapters "assault" and "base-melee": declarations, giving ground, contact, blows, results."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.moves.contact import ContactSearch, contacts
from campale.mechanics.moves.unit_moves import UnitMove, as_paths
from campale.referee.position import Position
from campale.referee.refusal import first_refusal
from campale.rulesets.e3m.assault.attacks import has_two_weapons
from campale.rulesets.e3m.assault.declaring import (
    could_reach,
    declare,
    declared,
    groups_to_declare,
    may_declare,
    may_give_ground,
    possible_targets,
    stand_or_give_ground,
)
from campale.rulesets.e3m.assault.melee import (
    Fight,
    attacks,
    best_weapon,
    fight_of,
    fight_out,
    grenade_of,
    hit_need,
    in_turn,
    is_defended,
    melees,
    need_against,
    save_in_melee,
    strength_of,
    strikes_at,
    too_many,
)
from campale.rulesets.e3m.assault.moves import (
    ATTACKER,
    CHARGED_IN,
    DUTIES,
    assault_group,
    assault_question,
    cannot_respond,
    contact_movement,
    engaged_stay,
    may_assault,
)
from campale.rulesets.e3m.assault.result import is_outnumbered, winner_of
from campale.rulesets.e3m.command.orders import order_of
from campale.rulesets.e3m.fire.wounds import remove_the_dead
from campale.rulesets.e3m.morale.morale import must_test
from campale.rulesets.e3m.movement.sight import NONE
from campale.table.measure import gap
from tests.rulesets.e3m.kit import PROPOSAL, finish, left, model, piece, play, squad, table, unit
from tests.rulesets.played import question_after

covers = pytest.mark.covers


# ---------------------------------------------------------------- declarations


@covers("assault/who-may-declare", "orders/vehicle-orders", "vehicles/disembarked-limits", "orders/assault")
@pytest.mark.parametrize(
    ("kind", "order", "marks", "may"),
    [
        ("scout", "assault", {}, True),
        ("scout", "fire", {}, False),
        ("scout", "assault", {"got-out": 1}, False),
        ("scout", "assault", {"forced": 1}, False),
        ("carrier", "assault", {}, False),
        ("strider", "assault", {}, True),
    ],
)
def test_who_may_declare(kind: str, order: str, marks: dict[str, int], may: bool) -> None:
    assert may_declare(unit(table(squad(kind, 1, order=order, marks=marks)), 0)) is may


@covers("assault/who-may-declare", "base-move/assault-distance")
@pytest.mark.parametrize(
    ("kind", "gap", "reached"), [("scout", 6.0, True), ("scout", 6.1, False), ("runner", 12.0, True)]
)
def test_a_target_is_within_the_assault_distance(kind: str, gap: float, reached: bool) -> None:
    position = table(squad(kind, 1, at=(20, 10), order="assault"), squad("brawler", 1, side=1, at=(20, 11 + gap)))
    assert could_reach(unit(position, 0), unit(position, 1)) is reached


@covers("assault/who-may-declare")
def test_the_way_must_be_passable_and_needs_no_sight() -> None:
    walled = table(
        squad("scout", 1, at=(20, 10), order="assault"),
        squad("brawler", 1, side=1, at=(20, 16)),
        pieces=[piece("building", 20, 13, size=(20, 1))],
    )
    assert not could_reach(unit(walled, 0), unit(walled, 1))
    wood = table(
        squad("scout", 1, at=(20, 10), order="assault"),
        squad("brawler", 1, side=1, at=(20, 16)),
        pieces=[piece("wood", 20, 13, size=(20, 1))],
    )
    assert possible_targets(unit(wood, 0)) == [1]


def declaring(*targets: int) -> Position:
    position = table(
        squad("scout", 3, at=(20, 10), order="assault", group=1),
        squad("brawler", 2, side=1, at=(20, 15)),
        squad("brawler", 2, side=1, at=(24, 15)),
    )
    if targets:
        position.declare("assaults", ((0, targets),))
    return position


@covers("assault/declaration", "sequence/step-5-declaration", "orders/reveal")
def test_a_unit_names_its_targets_and_shows_its_order() -> None:
    position = declaring()
    unit(position, 0).jot("order", None)
    position.declare("secret-0", ((0, "assault"),))
    assert groups_to_declare(position, [1]) == [1]
    play(declare(position, 0), answers=[[1, 2]])
    assert declared(position) == ((0, (1, 2)),)
    assert unit(position, 0).note("order") == "assault"
    assert not may_declare(unit(position, 0))


@covers("assault/multiple-targets-choice", "assault/single-target-stands", "assault/give-ground-price")
def test_of_several_targets_one_at_least_stands_and_a_lone_one_must() -> None:
    position = declaring(1, 2)
    play(stand_or_give_ground(position, 0), answers=[2])
    assert declared(position) == ((0, (1,)),)
    assert unit(position, 1).marks("stood") == 1
    assert position.declared["doing"] == (("give-ground", 2, 0),)
    lone = declaring(1)
    assert play(stand_or_give_ground(lone, 0)).prompts == []
    assert unit(lone, 1).marks("stood") == 1


@covers("assault/give-ground-move", "assault/multiple-targets-choice", "orders/forced-halt-limits")
def test_who_gives_ground_ends_behind_those_who_stand() -> None:
    position = declaring(1, 2)
    assert may_give_ground(unit(position, 2), unit(position, 0))
    position.declare("doing", (("give-ground", 2, 0),))
    finish(position, answers=[PROPOSAL])
    nearest = min(m.y for m in unit(position, 2).models)
    assert nearest > 15.0
    assert unit(position, 2).marks("gave-ground") == 1
    halted = declaring(1, 2)
    unit(halted, 2).mark("forced", 1)
    assert not may_give_ground(unit(halted, 2), unit(halted, 0))


# ---------------------------------------------------------------- moves into contact


def assault(position: Position, dice: str = "", answers: Any = (PROPOSAL,)) -> Any:
    position.now["phase"] = "assault"
    position.declare("doing", (("assault-move", 0),))
    return finish(position, dice, list(answers), accepting=True)


@covers("assault/assault-move", "assault/maximum-contact", "sequence/step-7-assault", "base-melee/charge-bonus")
def test_as_many_as_possible_come_into_contact_and_the_others_close_up() -> None:
    position = table(squad("scout", 3, at=(20, 10), order="assault"), squad("brawler", 4, side=1, at=(20, 15)))
    position.declare("assaults", ((0, (1,)),))
    played = assault(position)
    assert played.prompts == ["assault-move", "close-up"]
    fight = fight_of(position, (0, 1))
    assert sum(bool(attacks(m, fight) > 1) for m in fight.models(0)) == 3
    assert unit(position, 0).marks(CHARGED_IN) == 1
    assert unit(position, 0).marks(ATTACKER) == 1
    assert unit(position, 1).marks("contacted") == 1
    assert not may_assault(unit(position, 1))


@covers("fire/opportunity-windows", "assault/maximum-contact")
@pytest.mark.parametrize(("ready", "prompts"), [(0, []), (1, ["opportunity"])])
def test_whoever_assaults_may_be_fired_at_on_his_way_and_whoever_closes_up_may_not(ready: int, prompts: Any) -> None:
    position = table(
        squad("scout", 3, at=(20, 10), order="assault"),
        squad("brawler", 4, side=1, at=(20, 15)),
        squad("line-warden", 3, side=ready, at=(30, 12), order="ready"),
    )
    position.declare("assaults", ((0, (1,)),))
    played = assault(position)
    assert played.prompts == ["assault-move", *prompts, "close-up"]


@covers("assault/maximum-contact")
def test_a_move_with_fewer_in_contact_than_the_search_finds_is_refused() -> None:
    position = table(squad("scout", 3, at=(20, 10), order="assault"), squad("brawler", 4, side=1, at=(20, 15)))
    position.declare("assaults", ((0, (1,)),))
    models, enemies = unit(position, 0).models, unit(position, 1).models
    movement = contact_movement(unit(position, 0), [1], 6.0)
    search = ContactSearch(unit(position, 0), models, enemies, movement)
    witness = search.best()
    assert witness is not None
    assert contacts(UnitMove(unit(position, 0), as_paths(models, witness), movement), enemies) == 3
    question = assault_question(search, witness, "assault-move")
    assert question.refusal(witness) is None
    refusal = question.refusal([[[[m.x, m.y + 1.0]], None] for m in models])
    assert refusal is not None
    assert refusal.rule == "assault/maximum-contact"


@covers("assault/failed-contact", "base-move/difficult-terrain")
def test_an_assault_that_falls_short_goes_as_far_as_it_can() -> None:
    position = table(
        squad("scout", 1, at=(20, 10), order="assault"),
        squad("brawler", 1, side=1, at=(20, 16.5)),
        pieces=[piece("hedge", 20, 12.5)],
    )
    position.declare("assaults", ((0, (1,)),))
    assault(position, "1 2", [])
    assert 11.5 < model(position, 0).y <= 12.0
    assert melees(position) == []


@covers("orders/assault-undeclared", "base-move/one-inch")
def test_without_a_declaration_the_move_ends_an_inch_from_everybody() -> None:
    position = table(squad("scout", 1, at=(20, 10), order="assault"), squad("brawler", 1, side=1, at=(20, 15)))
    played = assault(position, answers=[[[[[20, 12.9]], None]]])
    assert played.prompts == ["assault-move"]
    assert played.moves == [("charge", "assault/assault-move")]
    assert model(position, 0).at == (20, 12.9)


@covers("assault/cannot-respond", "orders/march-contacted")
@pytest.mark.parametrize(
    ("order", "marks", "cannot"),
    [("march", {}, True), ("halt", {"forced": 1}, True), ("retreat", {}, True), ("halt", {}, False)],
)
def test_who_neither_closes_up_nor_strikes(order: str, marks: dict[str, int], cannot: bool) -> None:
    assert cannot_respond(unit(table(squad("scout", 2, order=order, marks=marks)), 0)) is cannot


@covers("assault/mutual", "assault/several-units")
def test_who_is_contacted_before_its_group_acts_makes_no_assault_move() -> None:
    position = table(squad("scout", 2, order="assault", marks={"contacted": 1}))
    assert not may_assault(unit(position, 0))


# ---------------------------------------------------------------- blows


def melee(attacker: str = "scout", defender: str = "brawler", *, apart: float = 1.0, **more: Any) -> Position:
    return table(
        squad(attacker, 1, at=(20, 10), marks={ATTACKER: 1, CHARGED_IN: 1}, **more.get("one", {})),
        squad(defender, 1, side=1, at=(20, 10 + apart), **more.get("other", {})),
        pieces=more.get("pieces", ()),
        options=more.get("options"),
    )


def fight(position: Position) -> Fight:
    return fight_of(position, (0, 1))


@covers("base-melee/to-hit", "base-profile/characteristics")
@pytest.mark.parametrize(
    ("own", "theirs", "number"), [(4, 3, 3), (4, 4, 4), (3, 6, 4), (3, 7, 5), (0, 4, None), (4, 0, 1)]
)
def test_to_hit_in_melee(own: int, theirs: int, number: int | None) -> None:
    need = hit_need(own, theirs)
    assert (None if need is None else need.number) == number


@covers("base-melee/attacks", "base-melee/charge-bonus", "base-weapons/close-combat", "base-weapons/pistol")
def test_two_weapons_and_the_charge_give_an_attack_each() -> None:
    position = melee()
    assert attacks(model(position, 0), fight(position)) == 3
    assert attacks(model(position, 1), fight(position)) == 3
    assert has_two_weapons(model(position, 0))
    fist = table(squad("bulwark", 1), squad("clan-chief", 1, at=(20, 10)))
    assert [has_two_weapons(model(fist, row)) for row in (0, 1)] == [False, False]


@covers("base-melee/who-fights")
@pytest.mark.parametrize(("option", "count"), [(False, 1), (True, 2)])
def test_models_within_two_inches_of_one_in_contact_fight_with_one_attack(option: bool, count: int) -> None:
    position = table(
        squad("scout", at=[(20, 10), (20, 8), (20, 4.9)]),
        squad("brawler", 1, side=1, at=(20, 11)),
        options={"full_attacks_at_two": option},
    )
    found = fight(position)
    assert found.rows[0] == frozenset({0, 1})
    assert attacks(model(position, 1), found) == count


@covers("base-melee/initiative-order", "base-weapons/close-combat")
def test_the_quick_strike_first_and_fists_last() -> None:
    position = melee("bulwark", "duellist", apart=1.3)
    assert [strikes_at(model(position, row), fight(position)) for row in (0, 1)] == [1, 5]
    walker = melee("strider", "brawler", apart=2.5)
    assert strikes_at(model(walker, 0), fight(walker)) == 4
    assert best_weapon(model(walker, 0)) == "walker-fist"


@covers("base-melee/defended-cover", "base-weapons/grenades")
def test_defenders_in_cover_strike_first_unless_the_assaulters_have_grenades() -> None:
    ruins = [piece("ruin", 20, 14)]
    position = melee(pieces=ruins)
    assert is_defended(fight(position))
    assert strikes_at(model(position, 1), fight(position)) == 11
    assert strikes_at(model(position, 0), fight(position)) == 4
    thrown = melee(one={"equipment": ["frag-grenades"]}, pieces=ruins)
    assert [strikes_at(model(thrown, row), fight(thrown)) for row in (0, 1)] == [11, 11]
    fists = melee("bulwark", one={"equipment": ["frag-grenades"]}, pieces=ruins, apart=1.3)
    assert strikes_at(model(fists, 0), fight(fists)) == 1
    across = melee(apart=1.0, pieces=[piece("wall", 20, 10.5, size=(6, 0.001))])
    assert is_defended(fight(across))


@covers("base-melee/wound-and-save", "base-weapons/close-combat", "base-units/great-creatures")
def test_saves_in_melee() -> None:
    position = table(squad("line-warden", 1), squad("bulwark", 1, at=(20, 10)))
    warden, bulwark = model(position, 0), model(position, 1)
    assert save_in_melee(warden, "plain", False) == 3
    assert save_in_melee(warden, "cleaver", False) == 4
    assert save_in_melee(warden, "power", False) == NONE
    assert save_in_melee(warden, "plain", True) == NONE
    assert save_in_melee(bulwark, "fist", False) == 5
    assert strength_of(bulwark, "fist") == 8
    assert strength_of(model(table(squad("strider")), 0), "walker-fist") == 10


@covers("base-melee/sequence", "base-melee/casualties", "assault/resolution", "base-general/dice-order")
def test_a_melee_blow_by_blow() -> None:
    """The scout (initiative 4, three attacks) before the brawler (2): to hit 4, to wound 4, save 6."""
    position = melee()
    played = play(fight_out(position, (0, 1)), "4 3 5 | 4 2 | 5")
    assert played.value[1] == (1, 0)
    assert left(position, 1) == 0
    assert played.rolls == ["melee-hit", "melee-wound", "melee-save"]


@covers("base-weapons/close-combat")
def test_rending_claws_wound_on_a_six_without_a_save() -> None:
    position = melee("render", "line-warden")
    assert best_weapon(model(position, 0)) == "rending"
    played = play(fight_out(position, (0, 1)), "6 1 1")
    assert played.value[1] == (1, 0)
    assert left(position, 1) == 0
    assert position.journal is not None
    told = [event.values for event in position.journal.events if event.kind == "no-save"]
    assert told == [{"units": [1], "count": 1}]


@covers("base-melee/casualties")
def test_wounds_complete_one_model_before_another_is_begun() -> None:
    position = table(squad("brood-captain", 3))
    victims = unit(position, 0).models
    room = dict.fromkeys(range(3), 2)
    assert in_turn(victims, room, 3) == [0, 0, 1]
    assert too_many([0, 0, 1], victims, room) is None
    assert too_many([0, 1], victims, room) is not None
    assert too_many([0, 0, 0], victims, room) is not None


# ---------------------------------------------------------------- results


@covers("base-melee/result", "assault/tie-to-defender", "assault/wiped-out")
@pytest.mark.parametrize(("wounds", "winner"), [([1, 0], 0), ([0, 1], 1), ([0, 0], 1), ([2, 2], 1)])
def test_the_defender_wins_ties(wounds: list[int], winner: int) -> None:
    position = melee()
    assert winner_of(fight(position), wounds) == winner


@covers("base-morale/modifiers")
def test_great_creatures_and_walkers_count_as_ten() -> None:
    position = table(
        squad("crusher", 1, at=(20, 10)), squad("brawler", at=[(20, 11.7), (18.3, 10), (21.7, 10)], side=1)
    )
    assert not is_outnumbered(fight(position), 0)
    assert is_outnumbered(fight(position), 1)


def lost_by(loser: int) -> Position:
    position = melee()
    position.remember("melee")
    position.snapshots["assault-0"] = {0: (20.0, 5.0, 0.0, 0.0)}
    position.now["phase"] = "melees"
    role = int(loser == 1)
    steps: tuple[Any, ...] = (("lose", loser, role, 0),)
    if loser == 1:
        steps = (("occupy", 0, (1,)), *steps)
    position.declare("doing", steps)
    return position


@covers(
    "assault/defender-loses",
    "assault/fall-back-direction",
    "assault/attacker-occupies",
    "assault/one-turn",
    "assault/no-pursuit",
)
def test_a_losing_defender_goes_back_six_inches_and_the_attacker_occupies() -> None:
    position = lost_by(1)
    played = finish(position, "3 3", accepting=True)
    assert [one.rules[-1:] for one in played.events if one.kind == "occupied"] == [("assault/attacker-occupies",)]
    assert abs(model(position, 1).y - 17.0) < 0.1
    assert abs(model(position, 0).y - 11.0) <= 2.0
    assert melees(position) == []
    assert order_of(unit(position, 1)) == "fire"


@covers("assault/fall-back-direction")
def test_bikes_that_fall_back_to_the_edge_of_the_table_do_not_end_on_each_other() -> None:
    bikes = squad("jetbike", at=[(65.05, 29.95), (70.62, 29.95)], side=1)
    position = table(squad("crusher", 1, at=(63.1, 29.95)), bikes, phase="melees")
    position.remember("melee")
    position.declare("doing", (("lose", 1, 1, 0),))
    finish(position, "3 3")
    one, other = model(position, 1), model(position, 2)
    assert min(one.x, other.x) > 65.0
    assert gap(one.solid, other.solid) > 0.0


@covers("assault/attacker-loses", "base-morale/failure", "orders/retreat-timing")
@pytest.mark.parametrize(("dice", "order"), [("3 3", "fire"), ("6 6", "retreat")])
def test_a_losing_attacker_goes_back_to_where_it_stood_and_tests(dice: str, order: str) -> None:
    position = lost_by(0)
    finish(position, dice)
    assert order_of(unit(position, 0)) == order
    assert model(position, 0).y <= 5.0


@covers("assault/melee-losses-no-quarter-test")
def test_losses_in_melee_call_for_no_quarter_test() -> None:
    position = table(squad("scout", at=[(20, 10), (21.25, 10)]), squad("brawler", 1, side=1, at=(20, 11)))
    model(position, 1).mark("wounds", 1)
    remove_the_dead([model(position, 1)], "melee")
    assert not must_test(unit(position, 0))


# ---------------------------------------------------------------- vehicles in melee


@covers("base-vehicle/assaulting-vehicles", "vehicles/moved-status", "vehicles/assault-outside-movement")
@pytest.mark.parametrize(("gone", "number"), [(0.0, 1), (6.0, 4), (6.5, 6)])
def test_blows_at_a_vehicle_hit_by_how_far_it_went(gone: float, number: int) -> None:
    position = melee("scout", "clan-buggy", apart=2.5)
    model(position, 1).jot("gone", gone)
    need = need_against(model(position, 0), model(position, 1))
    assert need is not None
    assert need.number == number


@covers("base-vehicle/melee-no-result", "assault/one-turn", "fire/area-friends")
def test_a_melee_with_a_vehicle_has_no_winner() -> None:
    position = melee("scout", "clan-buggy", apart=2.5)
    position.now["phase"] = "melees"
    assert melees(position) == [(0, 1)]
    position.declare("doing", (("melee", (0, 1)),))
    finish(position, "2 2 2 | 1 1 1", accepting=True)
    assert model(position, 0).at == (20, 10)


@covers("base-weapons/grenades")
def test_grenades_against_vehicles_but_no_walker_that_can_move() -> None:
    position = melee("shock-trooper", "clan-buggy", apart=2.5, one={"equipment": ["krak-grenades"]})
    assert grenade_of(model(position, 0), model(position, 1)) == (6, 0)
    walker = melee("shock-trooper", "can-walker", apart=2.5, one={"equipment": ["fusion-charges"]})
    assert grenade_of(model(walker, 0), model(walker, 1)) is None
    model(walker, 1).mark("immobilised", 1)
    assert grenade_of(model(walker, 0), model(walker, 1)) == (8, 1)


@covers("base-weapons/grenades", "base-vehicle/penetration")
@pytest.mark.parametrize(("chosen", "dice"), [("grenade", "2 | 6 1"), ("strike", "2 2 | 6 | 6")])
def test_the_owner_says_whether_grenades_are_thrown(chosen: str, dice: str) -> None:
    """One grenade at 6 plus a die against front 10, or two attacks at 3 plus a die, which do not reach it."""
    position = melee("shock-trooper", "clan-buggy", apart=2.5, one={"equipment": ["krak-grenades"]})
    played = play(fight_out(position, (0, 1)), dice, [[chosen]])
    assert played.prompts == ["grenades"]
    assert bool(model(position, 1).note("lost-mounts")) is (chosen == "grenade")


@covers("base-melee/wound-and-save", "base-melee/casualties", "base-characters/attached")
def test_an_attached_model_strikes_with_its_own_strength() -> None:
    position = table(
        squad("brawler", 1, at=(20, 10)),
        squad("champion", 1, at=(21.2, 10)),
        squad("line-warden", at=[(20, 11), (21.2, 11)], side=1),
    )
    position.join(model(position, 1), unit(position, 0))
    played = play(fight_out(position, (0, 1, 2)[::2]), "1 1 | 1 1 1 | 1 1 1 1 ", accepting=True)
    counts = [question.count for question in played.questions if question.prompt == "melee-hit"]  # type: ignore[attr-defined]
    assert counts == [1, 1, 4, 3]


@covers("base-vehicle/walkers")
def test_blows_at_a_walker_roll_against_its_front_and_count_as_wounds() -> None:
    position = melee("crusher", "can-walker", apart=3.2)
    played = play(fight_out(position, (0, 1)), "4 4 1 1 | 1 1 | 1 | 1 1 | 1 | 1 1")
    assert played.value[1][0] == 2
    assert model(position, 1).marks("stunned") + model(position, 1).marks("shaken") > 0, "both blows are struck"


@covers("assault/maximum-contact")
def test_models_in_contact_do_not_move_when_their_unit_closes_up() -> None:
    position = table(squad("scout", at=[(20, 10), (20, 8)]), squad("brawler", 1, side=1, at=(20, 11)))
    one = unit(position, 0)
    movement = contact_movement(one, [1], 6.0)._replace(fixed=frozenset({0}))
    for answer, refused in (
        ([[[[19, 10]], None], [[], None]], True),
        ([[[], None], [[[21, 10.9]], None]], False),
    ):
        assert (engaged_stay(UnitMove(one, as_paths(one.models, answer), movement)) is not None) is refused


@covers("assault/assault-move")
def test_the_model_with_the_shortest_way_goes_into_contact() -> None:
    """The other alone reaches as many; the nearest may not be left behind."""
    position = table(
        squad("scout", at=[(20, 10), (21.2, 9)], order="assault"), squad("brawler", 1, side=1, at=(20, 14))
    )
    one, enemies = unit(position, 0), unit(position, 1).models
    movement = contact_movement(one, [1], 6.0)
    search = ContactSearch(one, one.models, enemies, movement)
    witness = search.best()
    assert witness is not None
    first = model(position, 0)
    behind = UnitMove(one, as_paths(one.models, [[[], None], [[[20.9, 13.5]], None]]), movement)
    refusal = first_refusal(DUTIES, behind, search, 0, first, witness)
    assert refusal is not None
    assert (refusal.rule, refusal.model) == ("assault/assault-move", 0)
    straight = UnitMove(one, as_paths(one.models, witness), movement)
    assert first_refusal(DUTIES, straight, search, 0, first, witness) is None


@covers("sequence/step-7-assault", "hierarchy/movement-by-group")
@pytest.mark.parametrize(("declared", "options"), [(((0, (1,)),), [0]), ((), [0, "finished"])])
def test_whoever_has_declared_must_go(declared: tuple[Any, ...], options: list[Any]) -> None:
    position = table(
        squad("scout", 1, at=(20, 10), order="assault", group=1),
        squad("brawler", 1, side=1, at=(20, 15)),
        phase="assault",
    )
    position.declare("assaults", declared or None)
    question = question_after(assault_group(position, 0, 1))
    assert question.prompt == "assault-unit"
    assert list(question.options() or ()) == options
