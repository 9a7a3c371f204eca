"""A unit gathers about those of its models whose places are settled."""

from __future__ import annotations

from typing import Any

from campale.mechanics.moves.contact import ContactSearch
from campale.mechanics.moves.gathering import gathered
from campale.mechanics.moves.unit_moves import UnitMove, as_paths, is_lawful
from campale.referee.position import Model
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.movement.moves import movement_of
from campale.table.shapes import Point
from tests.rulesets.w10.kit import squad, table, unit


def search_of(*squads: Any, limit: float = 6.0) -> ContactSearch:
    position = table(*squads, phase="movement")
    return ContactSearch(unit(position, 0), members(unit(position, 0)), (), movement_of(unit(position, 0), limit))


def anywhere(model: Model, at: Point) -> bool:
    return True


def ends(search: ContactSearch, answer: Any) -> list[Point]:
    move = UnitMove(search.unit, as_paths(search.models, answer), search.movement)
    return [move.end(m) for m in search.models]


def test_the_others_make_a_chain_between_two_who_are_apart() -> None:
    search = search_of(squad("line-squad", 5, at=(27, 10)))
    answer = gathered(search, {0: (25.0, 14.0), 4: (35.0, 14.0)}, anywhere)
    assert answer is not None
    assert is_lawful(search.unit, search.models, search.movement, answer)
    assert ends(search, answer)[0] == (25.0, 14.0)
    assert ends(search, answer)[4] == (35.0, 14.0)


def test_a_chain_that_would_be_too_long_is_not_lawful() -> None:
    search = search_of(squad("line-squad", 3, at=(28, 10)), limit=12.0)
    answer = gathered(search, {0: (22.0, 14.0), 2: (38.0, 14.0)}, anywhere)
    assert answer is None or not is_lawful(search.unit, search.models, search.movement, answer)


def test_the_others_follow_the_lead_with_as_much_company_as_is_asked() -> None:
    search = search_of(squad("line-squad", 7, at=(20, 10)))
    answer = gathered(search, {3: (24.5, 15.0)}, anywhere)
    assert answer is not None
    assert is_lawful(search.unit, search.models, search.movement, answer)
    assert all(y > 12.0 for _, y in ends(search, answer))


def test_nobody_goes_where_it_may_not_and_who_has_no_place_ends_the_search() -> None:
    search = search_of(squad("line-squad", 2, at=(20, 10)), squad("line-squad", 1, 1, (21.5, 30)))
    assert gathered(search, {0: (20.0, 15.5)}, lambda model, at: at[1] < 10.0) is None
    assert gathered(search, {0: (20.0, 30.0)}, anywhere) is None
    assert gathered(search, {}, anywhere) is None
