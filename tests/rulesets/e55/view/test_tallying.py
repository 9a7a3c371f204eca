"""What statistics count of a battle: who dealt what to whom, who never came, who stands on what."""

from __future__ import annotations

import msgspec

from campale.players import RandomPlayer
from campale.referee.game import Game
from campale.referee.position import Position, Token
from campale.referee.records.tally import Tally, counted, fielded_from
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.e55.armies.battles import starters
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.vehicles.damage import Damage, lose_structure
from campale.rulesets.e55.vehicles.squadrons import leave_behind
from campale.rulesets.e55.view.tallying import fielded, holding, tally, unit_of
from campale.simulate import play_on
from tests.rulesets.e55.kit import model, play, profile, squad, table


def counted_of(position: Position) -> Tally:
    """The units that are in the position."""
    rows = range(len(position.unit_names))
    units = counted(
        position,
        fielded_from(position, rows),
        lambda row: unit_of(position, row),
        lambda turn: (int(turn) + 1) // 2,
        holding(position),
    )
    return Tally(None, None, None, units)


def test_wounds_and_instant_death_go_to_the_unit_that_dealt_them() -> None:
    """Ten points each; a captain has more than one wound."""
    captain = profile("captain", points=60, w=3)
    position = table(squad(captain, 1), squad("veteran", 2, 1, at=(36, 40)))
    position.harms = []
    casualties.lose_wound(model(position, 0), "fire", 1)
    one, other = counted_of(position).units
    assert (one.wounds_taken, one.points_taken, one.points_left) == (1.0, 20.0, 60.0)
    assert (other.wounds_dealt, other.points_dealt) == (1.0, 20.0)
    casualties.lose(model(position, 0), "fire", 1)
    one, other = counted_of(position).units
    assert (other.wounds_dealt, other.points_dealt) == (3.0, 60.0)
    assert (one.models_left, one.points_left, one.lost_in) == (0, 0.0, 2)


def test_the_last_wound_takes_the_model_and_nothing_more() -> None:
    position = table(squad(profile("veteran", points=10)), squad("veteran", 2, 1, at=(36, 40)))
    position.harms = []
    casualties.lose_wound(model(position, 0), "fire", 1)
    assert counted_of(position).units[1].points_dealt == 10.0
    assert [harm.wounds for harm in position.harms or ()] == [1, 0]


def test_structure_counts_as_wounds_do() -> None:
    tank = profile("tank", points=90, structure=3)
    position = table(squad(tank), squad("veteran", 2, 1, at=(36, 40)))
    position.harms = []
    play(lose_structure(model(position, 0), 2, Damage(False, by_unit=1)), position=position)
    assert counted_of(position).units[1].points_dealt == 60.0
    play(lose_structure(model(position, 0), 2, Damage(False, by_unit=1)), position=position)
    one, other = counted_of(position).units
    assert (one.wounds_taken, other.wounds_dealt, other.points_dealt) == (3.0, 3.0, 90.0)


def test_a_vehicle_without_structure_is_lost_at_once() -> None:
    position = table(squad(profile("tank", points=90, structure=0)), squad("veteran", 2, 1, at=(36, 40)))
    position.harms = []
    casualties.lose(model(position, 0), "fire", 1)
    assert counted_of(position).units[1][7:11] == (1.0, 0.0, 90.0, 0.0)


def test_models_that_left_their_unit_are_counted_with_it() -> None:
    position = table(squad(profile("tank", points=50), 2), squad("veteran", 2, 1, at=(36, 40)))
    position.harms = []
    leave_behind(model(position, 1))
    casualties.lose(model(position, 2), "fire", 2)
    tanks, veterans = counted_of(position).units[:2]
    assert (tanks.points, tanks.models_left, tanks.wounds_dealt) == (100.0, 2, 1.0)
    assert veterans.models_left == 1


def test_objectives_go_to_the_units_that_capture_them() -> None:
    position = table(squad("veteran", 2, at=(36, 24)), squad("veteran", 2, at=(10, 24)), mission="securing")
    position.lay(Token("objective", 37.0, 24.0, value=(5, 2)))
    assert [one.objectives for one in counted_of(position).units] == [1, 0]


def test_units_that_never_came_are_in_the_tally_with_all_they_have() -> None:
    """At the very beginning nobody has come; at the end those who did are told by their rows."""
    setup = starters()[0]
    game = Game(load_ruleset("e55"), setup, "tally", journal=False, marks="none")
    game.position.harms = []
    before = list(fielded(game.position, setup))
    assert all(one.row is None for one in before)
    assert tally(game.position, setup).points_left(0) == sum(
        unit.points for unit in tally(game.position, setup).units if unit.side == 0
    )
    play_on(game, {side: RandomPlayer(f"tally/{side}") for side in (0, 1)}, 400)
    after = list(fielded(game.position, setup))
    assert [one.name for one in after] == [one.name for one in before]
    rows = [one.row for one in after if one.row is not None]
    assert len(rows) == len(set(rows)) > 0
    for one in after:
        if one.row is not None:
            assert (game.position.unit_names[one.row], game.position.unit_side[one.row]) == (one.name, one.side)


def test_the_tally_of_a_set_up_hangs_on_its_forces() -> None:
    setup = starters()[0]
    game = Game(load_ruleset("e55"), setup, "tally", journal=False, marks="none")
    turned: Setup = msgspec.structs.replace(setup, forces=setup.forces[::-1])
    one, other = tally(game.position, setup), tally(game.position, turned)
    assert (one.points(0), one.points(1)) == (other.points(1), other.points(0))
