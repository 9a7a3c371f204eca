"""Chapter 3.1.2 and heavy fire: what terrain costs whom, and the wounds of dangerous ground."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.phases import next_of
from campale.referee.position import Effect, Position
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.movement_phase import dangerous, rough
from campale.rulesets.e55.movement_phase.movement import move_unit, run
from campale.rulesets.e55.movement_phase.ways import path_of
from campale.rulesets.e55.turn.sequence import begin, phases
from tests.rulesets.e55.kit import block, model, play, profile, squad, table, unit, wood

STAY: list[Any] = [[], None]


def way(*points: tuple[float, ...]) -> list[Any]:
    return [[list(point) for point in points], None]


def bog(x: float, y: float, width: float = 8.0, depth: float = 8.0) -> Any:
    return block(x, y, width, depth, "clear", "open", "dangerous", height=0.0)


def battle(*squads: Any, **given: Any) -> Position:
    return table(*squads, phase="movement", **given)


def in_front_of_a_wood(kind: Any, count: int = 1, **given: Any) -> Position:
    """A unit whose wood begins two inches before the first model's centre, to the north."""
    return battle(squad(kind, count, at=(20, 10), **given), pieces=[wood(20, 16, 4)])


def ahead(position: Position, to: tuple[float, float] = (20, 16), dice: str = "", **how: Any) -> Any:
    """The unit of model 0 goes there, the others stay."""
    answers = [way(to), *[STAY] * (len(unit(position, 0).models) - 1)]
    limit = how.pop("limit", 6.0)
    return play(move_unit(unit(position, 0), "move", limit, 6.0, **how), dice, [answers], position)


# ---------------------------------------------------------------- difficult ground


@pytest.mark.covers("3.1.2/difficult", "1.1/d3")
def test_difficult_ground_takes_a_d3_off_the_move_of_the_whole_unit() -> None:
    position = in_front_of_a_wood("veteran", 2)
    answers = [way((20, 16)), way((22, 13.5))]
    played = play(move_unit(unit(position, 0), "move", 6, 6), "2", [answers], position)
    assert played.rolls == ["difficult-terrain"]
    assert model(position, 0).at == (20, 14)
    assert model(position, 1).at == (22, 13.5)
    outside = in_front_of_a_wood("veteran", 2)
    play(move_unit(unit(outside, 0), "move", 6, 6), "3", [[way((20, 12)), way((24, 12), (22.5, 11))]])
    assert list(model(outside, 1).at) == pytest.approx([23.8566, 11.9044], abs=0.001)


@pytest.mark.covers("3.1.2/difficult", "3.1.2/clear")
def test_only_ways_that_touch_difficult_ground_are_slowed() -> None:
    beside = in_front_of_a_wood("veteran")
    assert ahead(beside, (24, 12)).rolls == []
    leaving = battle(squad("veteran", at=(20, 14)), pieces=[wood(20, 16, 4)])
    assert ahead(leaving, (20, 9), "1").rolls == ["difficult-terrain"]
    inside = battle(squad("veteran", at=(20, 15)), pieces=[wood(20, 16, 4)])
    assert ahead(inside, (20, 17), "1").rolls == ["difficult-terrain"]
    staying = battle(squad("veteran", 2, at=((20, 12.6), (20, 10))), pieces=[wood(20, 16, 4)])
    played = play(move_unit(unit(staying, 0), "move", 6, 6), "", [[STAY, way((21, 10))]])
    assert played.rolls == []


@pytest.mark.covers("3.1.2/terrain-extent", "3.1.2/terrain-kinds")
def test_a_base_that_overlaps_the_border_of_a_piece_touches_it() -> None:
    assert ahead(in_front_of_a_wood("veteran"), (20, 11.4)).rolls == []
    assert ahead(in_front_of_a_wood("veteran"), (20, 11.6), "1").rolls == ["difficult-terrain"]
    assert ahead(battle(squad("veteran", at=(17.4, 10)), pieces=[wood(20, 16, 4)]), (17.4, 16)).rolls == []
    assert ahead(battle(squad("veteran", at=(17.6, 10)), pieces=[wood(20, 16, 4)]), (17.6, 16), "1").rolls


@pytest.mark.covers("3.1.2/difficult-minimum")
def test_at_least_half_of_the_usual_speed_is_left() -> None:
    assert rough.at_most_half(3, 6, 6) == 3
    assert rough.at_most_half(3, 5, 5) == 2.5
    assert rough.at_most_half(3, 4, 4) == 2
    assert rough.at_most_half(3, 7, 6) == 3
    short = in_front_of_a_wood(profile("walker", speed=8))
    paths = {0: path_of(model(short, 0), ((20, 14),))}
    assert play(rough.reduction(unit(short, 0), paths, 4.0), "3").value == 2.0
    assert play(rough.reduction(unit(short, 0), paths, 4.0), "1").value == 1.0


@pytest.mark.covers("3.1.2/difficult-minimum", "3.1.3/run")
def test_when_running_the_d3_comes_off_the_total() -> None:
    position = in_front_of_a_wood("veteran")
    play(run(position, ("run", 0)), "4 3", [[way((20, 20))]])
    assert model(position, 0).at == (20, 17)


@pytest.mark.covers("3.1.2/difficult-committed")
def test_who_falls_short_of_the_difficult_ground_still_makes_the_shortened_move() -> None:
    position = battle(squad("veteran", at=(20, 10)), pieces=[wood(20, 19, 4)])
    ahead(position, (20, 16), "3")
    assert model(position, 0).at == (20, 13)
    assert unit(position, 0).marks("moved") == 1


@pytest.mark.covers("3.1.2/difficult-committed")
def test_shortened_ways_keep_to_their_corners_and_off_each_other() -> None:
    bent = in_front_of_a_wood("veteran")
    play(move_unit(unit(bent, 0), "move", 6, 6), "3", [[way((18, 10), (18, 13))]])
    assert model(bent, 0).at == (18, 11)
    crossing = battle(squad("veteran", 2, at=((20, 10), (20, 13))), pieces=[wood(20, 18, 8)])
    play(move_unit(unit(crossing, 0), "move", 6, 6), "3", [[way((20, 16)), STAY]])
    assert list(model(crossing, 0).at) == pytest.approx([20, 12], abs=0.06)
    ruin = block(20, 16, 4, 4, "difficult", height=6.0, floors=(2.0,))
    climbing = battle(squad("veteran", at=(20, 13)), pieces=[ruin])
    play(move_unit(unit(climbing, 0), "move", 6, 6), "3", [[way((20, 14.5), (20, 14.6, 2.0), (20, 16, 2.0))]])
    assert (model(climbing, 0).y, model(climbing, 0).z) == (14.5, 0.0)


@pytest.mark.covers("8/move-through-cover")
def test_move_through_cover_lowers_the_die_when_all_have_it() -> None:
    trained, other = profile("veteran", adds=["move-through-cover"]), profile("veteran")
    free = in_front_of_a_wood(trained)
    ahead(free, dice="1")
    assert model(free, 0).at == (20, 16)
    less = in_front_of_a_wood(trained)
    ahead(less, dice="3")
    assert model(less, 0).at == (20, 14)
    assert told_of(less) == [{"unit": 0, "die": 3, "less": 1, "inches": 2.0}]
    assert told_of(free) == [{"unit": 0, "die": 1, "less": 1, "inches": 0.0}]
    mixed = battle(squad([trained, other], at=(20, 10)), pieces=[wood(20, 16, 4)])
    play(move_unit(unit(mixed, 0), "move", 6, 6), "1", [[way((20, 16)), way((21, 14))]])
    assert model(mixed, 0).at == (20, 15)
    assert told_of(mixed) == []


def told_of(position: Position) -> list[dict[str, Any]]:
    """What the journal tells of dice that were lowered."""
    assert position.journal is not None
    return [event.values for event in position.journal.events if event.kind == "slowed-less"]


# ---------------------------------------------------------------- types


@pytest.mark.covers("6.2/bike-terrain")
def test_to_bikes_difficult_ground_is_dangerous_and_does_not_slow_them() -> None:
    position = in_front_of_a_wood("biker", 2, spacing=2.5)
    answers = [way((20, 16)), way((22.5, 14))]
    played = play(move_unit(unit(position, 0), "move", 12, 12), "5 1", [answers], position)
    assert played.rolls == ["dangerous-terrain"]
    assert model(position, 0).at == (20, 16)


@pytest.mark.covers("6.1.1/fmc-move", "6.2.1/jetbike-move", "6.4/flying-infantry-move")
@pytest.mark.parametrize("kind", ["winged-beast", "jetbiker", "jump-trooper"])
def test_terrain_is_nothing_to_those_who_fly_and_something_to_the_same_on_the_ground(kind: str) -> None:
    mire = block(20, 16, 4, 8, "difficult", "dangerous", height=0.0)
    flying = battle(squad(kind, at=(20, 10), aloft=1), pieces=[mire])
    assert ahead(flying).rolls == []
    assert model(flying, 0).at == (20, 16)
    down = battle(squad(kind, at=(20, 10)), pieces=[mire])
    rolls = ahead(down, dice="1" if kind == "jetbiker" else "1 1").rolls
    assert rolls == (["dangerous-terrain"] if kind == "jetbiker" else ["difficult-terrain", "dangerous-terrain"])


@pytest.mark.covers("7.16/walker-terrain", "7.2/vehicle-difficult")
def test_difficult_ground_slows_walkers_and_endangers_other_vehicles() -> None:
    walker, tank = in_front_of_a_wood("walker"), in_front_of_a_wood("tank")
    paths = {0: path_of(model(walker, 0), ((20, 14),))}
    assert rough.touches_difficult(unit(walker, 0), paths)
    assert not rough.touches_dangerous(unit(walker, 0), paths)
    paths = {0: path_of(model(tank, 0), ((20, 14),))}
    assert not rough.touches_difficult(unit(tank, 0), paths)
    assert rough.touches_dangerous(unit(tank, 0), paths)
    marsh = battle(squad("walker", at=(20, 10)), pieces=[bog(20, 16)])
    paths = {0: path_of(model(marsh, 0), ((20, 14),))}
    assert rough.touches_dangerous(unit(marsh, 0), paths)


@pytest.mark.covers("7.2/vehicle-dangerous")
def test_a_vehicle_rolls_one_die_and_is_immobilised_by_a_six() -> None:
    position = battle(squad("tank", at=(20, 10)))
    play(dangerous.dangerous_test(unit(position, 0)), "5", position=position)
    assert not model(position, 0).marks("immobilised")
    played = play(dangerous.dangerous_test(unit(position, 0)), "6", position=position)
    assert played.cites("7.2/vehicle-dangerous")
    assert model(position, 0).marks("immobilised")
    assert model(position, 0).marks("structure-lost") == 1


# ---------------------------------------------------------------- dangerous ground


@pytest.mark.covers("3.1.2/dangerous", "3.1.2/terrain-kinds")
def test_every_model_rolls_when_one_touches_dangerous_ground() -> None:
    position = battle(squad("veteran", 3, at=(20, 10)), pieces=[bog(20, 16, 2)])
    answers = [way((20, 12.5)), STAY, STAY]
    played = play(move_unit(unit(position, 0), "move", 6, 6), "1 5 5", [answers], position)
    assert played.rolls == ["dangerous-terrain"]
    assert model(position, 0).at == (20, 12.5)
    beside = battle(squad("veteran", 3, at=(20, 10)), pieces=[bog(20, 16, 2)])
    assert play(move_unit(unit(beside, 0), "move", 6, 6), "", [[way((20, 11.4)), STAY, STAY]]).rolls == []


@pytest.mark.covers("3.1.2/dangerous")
def test_a_six_is_a_wound_that_armour_saves_and_cover_does_not() -> None:
    mire = block(20, 16, 8, 8, "difficult", "dangerous", "cover-2", height=0.0)
    position = battle(squad("veteran", at=(20, 13)), pieces=[mire])
    play(move_unit(unit(position, 0), "move", 6, 6), "1 6 3", [[way((20, 14))]], position)
    assert model(position, 0).is_on_table
    play(move_unit(unit(position, 0), "move", 6, 6), "1 6 2", [[way((20, 15))]], position)
    assert not model(position, 0).is_on_table
    assert position.losses[-1].cause == "dangerous"


@pytest.mark.covers("3.1.2/dangerous")
def test_who_tried_to_reach_dangerous_ground_and_fell_short_is_tested_all_the_same() -> None:
    position = battle(squad("veteran", at=(20, 10)), pieces=[wood(20, 15, 4), bog(20, 20, 4, 8.8)])
    played = ahead(position, (20, 15.9), "3 2")
    assert played.rolls == ["difficult-terrain", "dangerous-terrain"]


# ---------------------------------------------------------------- heavy fire


def under_fire(kind: Any = "veteran", count: int = 4, by: Any = (1,), **given: Any) -> Position:
    """Unit 0 was shot to pieces by unit 1, 18 inches north of it; unit 2 stands to the south."""
    return battle(
        squad(kind, count, at=(20, 20), spacing=2.5, notes={"heavy-fire-by": list(by)}, **given),
        squad("militia", 4, 1, (20, 40)),
        squad("militia", 4, 1, (20, 4)),
    )


def all_go(position: Position, dx: float, dy: float, dice: str = "", **more: Any) -> Any:
    answers = [way((m.x + dx, m.y + dy)) for m in unit(position, 0).models]
    return play(move_unit(unit(position, 0), "move", 6, 6, **more), dice, [answers], position)


@pytest.mark.covers("3.1/heavy-fire")
def test_going_nearer_to_a_unit_whose_fire_told_counts_as_difficult_ground() -> None:
    position = under_fire()
    assert all_go(position, 0, 6, "2").rolls == ["difficult-terrain"]
    assert model(position, 0).at == (20, 24)
    assert all_go(under_fire(), 0, -6).rolls == []
    assert all_go(under_fire(), 6, 0).rolls == []
    assert all_go(under_fire(by=()), 0, 6).rolls == []
    assert all_go(under_fire(by=(2,)), 0, 6).rolls == []


@pytest.mark.covers("3.1/heavy-fire")
def test_nearer_is_told_by_the_exact_distances_from_the_start_of_the_turn() -> None:
    position = under_fire(count=1)
    model(position, 0).move_to(20, 22)
    assert all_go(position, 0, -1, "1").rolls == ["difficult-terrain"]
    back = under_fire(count=1)
    model(back, 0).move_to(20, 22)
    assert all_go(back, 0, -2).rolls == []
    assert all_go(under_fire(), 0, 0.05, "1").rolls == ["difficult-terrain"]


@pytest.mark.covers("3.1/heavy-fire")
def test_heavy_fire_is_one_roll_with_real_difficult_ground_and_only_in_ones_own_turn() -> None:
    position = battle(
        squad("veteran", at=(20, 20), notes={"heavy-fire-by": [1]}),
        squad("militia", 1, 1, (20, 40)),
        pieces=[wood(20, 24, 4, 4)],
    )
    assert all_go(position, 0, 6, "1").rolls == ["difficult-terrain"]
    assert all_go(under_fire(), 0, 6, "1").rolls == ["difficult-terrain"]
    theirs = under_fire()
    theirs.now["side"] = 1
    assert all_go(theirs, 0, 6).rolls == []


@pytest.mark.covers("3.1/heavy-fire", "6.2/bike-terrain")
def test_heavy_fire_endangers_bikes_and_troubles_nobody_who_flies() -> None:
    bikes = under_fire("biker", 2)
    assert all_go(bikes, 0, 6, "1 1").rolls == ["dangerous-terrain"]
    assert model(bikes, 0).at == (20, 26)
    assert all_go(under_fire("jump-trooper", 2, aloft=1), 0, 6).rolls == []


@pytest.mark.covers("3.1/heavy-fire-immune", "8/implacable")
def test_implacable_units_and_those_of_leadership_eleven_are_immune() -> None:
    stern, other = profile("veteran", adds=["implacable"]), profile("veteran")
    assert all_go(under_fire([stern, other]), 0, 6).rolls == []
    assert all_go(under_fire(profile("veteran", ld=11), 2), 0, 6).rolls == []
    assert all_go(under_fire(profile("veteran", ld=10), 2), 0, 6, "1").rolls == ["difficult-terrain"]


def shot_at(count: int, lost: int, by: int = 1, cause: str = "fire") -> Position:
    """Side 1 has shot at unit 0 of so many models, so many of which are lost; the shooting phase is about to end."""
    position = table(
        squad("veteran", count, at=(10, 10)),
        squad("militia", 2, 1, (10, 30)),
        squad("militia", 2, 1, (30, 30)),
        phase="to-ground",
        side=1,
    )
    begin(position, next_of(tuple(phases()), "facing"))
    for row in range(lost):
        casualties.lose(model(position, row), cause, by)
    position.now["phase"] = "volleys"
    return position


def ended(position: Position) -> Any:
    begin(position, next_of(tuple(phases()), "volleys"))
    return unit(position, 0).note("heavy-fire-by")


@pytest.mark.covers("3.1/heavy-fire-losses")
def test_a_quarter_lost_to_the_fire_of_one_unit_is_enough() -> None:
    assert ended(shot_at(4, 1)) == (1,)
    assert ended(shot_at(5, 1)) is None
    assert ended(shot_at(8, 2)) == (1,)
    assert ended(shot_at(4, 1, cause="dangerous")) is None


@pytest.mark.covers("3.1/heavy-fire-losses")
def test_losses_are_credited_to_the_unit_that_fired_and_forgotten_a_turn_later() -> None:
    position = shot_at(8, 1)
    casualties.lose(model(position, 1), "fire", 2)
    assert ended(position) is None
    position = shot_at(8, 2, by=2)
    assert ended(position) == (2,)
    begin(position, next_of(tuple(phases()), "facing"))
    position.now["phase"] = "volleys"
    assert ended(position) is None


@pytest.mark.covers("7.11/armoured")
def test_a_piece_flattened_for_a_unit_does_not_slow_it() -> None:
    position = in_front_of_a_wood("veteran")
    position.begin(Effect("7.11/armoured", 0, on="unit", value="difficult-20-16"))
    assert ahead(position).rolls == []
