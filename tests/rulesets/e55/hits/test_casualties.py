"""Chapter 1.1: casualties, units that cease to exist, units eliminated."""

from __future__ import annotations

import pytest

from campale.referee.position import GONE, Position
from campale.rulesets.e55.definitions.units import (
    AT_PHASE_START,
    BROKEN,
    COMBAT,
    ELIMINATED,
    GROUND,
    HEAVY_FIRE_BY,
    in_play,
    members,
)
from campale.rulesets.e55.hits import casualties, resolving
from campale.rulesets.e55.hits.attacks import Hit
from tests.rulesets.e55.kit import Played, model, play, profile, squad, table, unit


def joined() -> Position:
    """Two militia with a captain, bought as unit 1; two of the enemy."""
    position = table(
        squad("militia", 2, at=(30, 20)), squad("captain", at=(34, 20)), squad("veteran", 2, 1, at=(30, 40))
    )
    position.join(model(position, 2), unit(position, 0))
    return position


def settled(position: Position) -> Played:
    return play(casualties.settle(position), position=position, accepting=True)


def lose(position: Position, *rows: int) -> None:
    for row in rows:
        casualties.lose(model(position, row), "fire", 2)


@pytest.mark.covers("1.1/casualty")
def test_a_casualty_leaves_for_good_and_is_counted_where_it_happened() -> None:
    position = table(squad("militia", 2), squad("veteran", side=1, at=(10, 40)), phase="shooting")
    lose(position, 0)
    assert model(position, 0).where == GONE
    (loss,) = position.losses
    assert (loss.model, loss.cause, loss.by) == (0, "fire", 2)
    assert "shooting" in loss.moment
    lose(position, 0)
    assert len(position.losses) == 1


@pytest.mark.covers("1.1/casualty", "10.2/mission-annihilation")
def test_who_leaves_the_table_alive_is_no_casualty() -> None:
    position = table(squad("militia"), squad("carrier", at=(50, 10)))
    position.take_off(model(position, 0), aboard_of=model(position, 1))
    assert position.losses == []
    assert casualties.eliminated_units(position, 0) == []


@pytest.mark.covers("1.1/unit-ceases")
def test_a_character_left_alone_is_a_unit_of_his_own_in_the_state_of_the_unit() -> None:
    position = joined()
    gone = unit(position, 0)
    for name in (BROKEN, GROUND, COMBAT):
        gone.mark(name, 1)
    gone.jot(HEAVY_FIRE_BY, (2,))
    lose(position, 0, 1)
    settled(position)
    captain = model(position, 2)
    assert captain.unit == unit(position, 1)
    assert [captain.unit.marks(name) for name in (BROKEN, GROUND, COMBAT, AT_PHASE_START)] == [1, 1, 1, 1]
    assert captain.unit.note(HEAVY_FIRE_BY) == (2,)
    assert in_play(gone) == []


@pytest.mark.covers("1.1/unit-ceases")
def test_while_one_of_its_own_lives_the_unit_goes_on() -> None:
    position = joined()
    lose(position, 0)
    settled(position)
    assert model(position, 2).unit == unit(position, 0)
    assert casualties.eliminated_units(position, 0) == []


@pytest.mark.covers("1.1/unit-ceases", "10.2/mission-annihilation")
def test_the_unit_is_eliminated_though_the_character_survives() -> None:
    position = joined()
    lose(position, 0, 1)
    settled(position)
    assert casualties.eliminated_units(position, 0) == [0]
    assert (unit(position, 0).marks(ELIMINATED), unit(position, 1).marks(ELIMINATED)) == (1, 0)


@pytest.mark.covers("1.1/unit-ceases", "10.2/mission-annihilation")
def test_a_character_lost_within_a_unit_counts_as_a_unit() -> None:
    position = joined()
    lose(position, 2)
    settled(position)
    assert casualties.eliminated_units(position, 0) == [1]
    assert casualties.eliminated_units(position, 1) == []
    lose(position, 0, 1)
    assert casualties.eliminated_units(position, 0) == [0, 1]


@pytest.mark.covers("10.2/mission-annihilation")
def test_what_is_in_reserve_is_not_eliminated() -> None:
    position = table(squad("militia", 2, at=None), squad("militia", at=(10, 10)))
    assert casualties.eliminated_units(position, 0) == []
    lose(position, 2)
    assert casualties.eliminated_units(position, 0) == [1]


@pytest.mark.covers("1.1/unit-ceases", "2/resolution-sequence")
def test_a_resolution_ends_with_the_units_settled() -> None:
    position = joined()
    hits = [Hit(4, 1, by_unit=2, target=row) for row in (0, 1)]
    play(resolving.take_hits(unit(position, 0), hits), "6 6", position=position, accepting=True)
    assert model(position, 2).unit == unit(position, 1)


@pytest.mark.covers("1.1/unit-ceases")
def test_two_characters_left_become_two_units() -> None:
    position = table(squad("militia", at=(30, 20)), squad("captain", at=(32, 20)), squad("captain", at=(34, 20)))
    for row in (1, 2):
        position.join(model(position, row), unit(position, 0))
    lose(position, 0)
    settled(position)
    assert [[m.row for m in members(u)] for u in position.units] == [[], [1], [2]]


@pytest.mark.covers("2.3.2/identical-models")
def test_proposed_losses_are_far_from_the_enemy_and_leave_the_others_together() -> None:
    places = [(30.0, 30.0), (33.0, 30.0), (36.0, 30.0), (30.0, 27.0)]
    position = table(squad("militia", 4, at=places), squad("veteran", side=1, at=(30, 40)))
    chain = members(unit(position, 0))
    assert casualties.least_missed(unit(position, 0), chain, 1) == [3]
    assert casualties.least_missed(unit(position, 0), chain[1:3], 1) == [2]
    assert casualties.hold_together(unit(position, 0), [chain[0], chain[1]])
    assert not casualties.hold_together(unit(position, 0), [chain[0], chain[2]])
    assert profile("militia") == chain[0].profile


@pytest.mark.covers("1.2/mixed-units", "7.17/squadron-hits", "2.2/allocation")
def test_of_a_unit_with_a_walker_in_it_the_walker_takes_hits_and_the_others_wounds() -> None:
    """Three like hits, one for each: two wound (against the toughness of the men) and one meets armour."""
    band = squad([profile("veteran"), profile("walker"), profile("veteran")], 3, 0, (30, 20), spacing=3.0)
    position = table(band, squad("militia", 1, 1, (30, 26)), phase="volleys", side=1)
    hits = [Hit(8, 2, by_unit=1)] * 3
    played = play(resolving.take_hits(unit(position, 0), hits), "5 5 | 5 4 | 3", [[0]], position)
    assert played.rolls == ["to-wound", "save", "penetration"]
    assert [one.is_on_table for one in position.models[:3]] == [False, True, True]


@pytest.mark.covers("1.2/mixed-units", "7.17/squadron-hits")
def test_in_such_a_unit_who_is_hit_is_given_out_by_its_owner() -> None:
    band = squad([profile("veteran"), profile("walker")], 2, 0, (30, 20), spacing=3.0)
    position = table(band, squad("militia", 1, 1, (30, 26)), phase="volleys", side=1)
    played = play(resolving.take_hits(unit(position, 0), [Hit(8, 2, by_unit=1)]), "1", [[1]], position)
    assert (played.prompts, played.rolls) == (["allot-hits"], ["penetration"])
    aimed = [Hit(8, 2, by_unit=1, target=1), Hit(8, 2, by_unit=1, target=0)]
    assert play(resolving.take_hits(unit(position, 0), aimed), "1 | 1", [], position).rolls == [
        "to-wound",
        "penetration",
    ]
