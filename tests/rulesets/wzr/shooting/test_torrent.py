"""A Torrent of Fire: all weapons at once, and what they cost together (vehicles/torrent)."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from campale.mechanics.frames import push
from campale.mechanics.script_form import run
from campale.referee.position import Position
from campale.rulesets.wzr.armies.profile import Fire
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.vehicles.firing import all_plans, torrent_frames
from tests.rulesets.wzr.guns import gun
from tests.rulesets.wzr.kit import Played, finish, piece, squad, table, vehicle

covers = pytest.mark.covers


def armed(*enemies: tuple[float, float], weapons: Any = None, cards: int = 0, **changes: Any) -> Position:
    own = squad(at=[(24.0, 10.0)], vehicle=vehicle(), weapons=weapons or (gun("left"), gun("right")), **changes)
    position = table(own, squad(side=1, at=list(enemies)))
    position.gain(0, marks.RESOURCES, cards)
    return position


def fired(position: Position, *details: Any, dice: str, answers: Any = ()) -> Played:
    push(position, *torrent_frames(position.model(0), details))
    return finish(position, dice, answers)


def asked(position: Position, *details: Any) -> str:
    question = run(partial(all_plans, position.model(0)), list(details))[0]
    return "" if question is None else question.prompt


@covers("vehicles/torrent", "core/removal")
def test_what_one_weapon_removes_another_has_fired_at_already() -> None:
    position = armed((24.0, 20.0), (24.0, 26.0))
    assert fired(position, 1, 1, dice="1 | 2").rolls == ["to-hit", "to-hit"]
    assert [m.row for m in position.models if not m.is_on_table] == [1]


@covers("vehicles/torrent", "shooting/target-identified")
@pytest.mark.parametrize(("test", "rolls"), [("14", 3), ("15", 2)])
def test_every_weapon_is_tested_for_its_target_before_any_fires(test: str, rolls: int) -> None:
    position = armed((24.0, 20.0), (28.0, 24.0))
    dice = f"{test} | 1 1" if rolls == 3 else f"{test} | 1"
    played = fired(position, 1, 2, dice=dice)
    assert played.rolls == ["target-identified", "to-hit", "to-hit"][:rolls]
    assert [m.row for m in position.models if not m.is_on_table] == [1, 2][: rolls - 1]


@covers("vehicles/torrent", "shooting/intervening-models")
def test_cover_is_settled_before_any_die_of_a_torrent() -> None:
    position = armed((24.0, 20.0), (24.0, 24.0), abilities=("target-sense",))
    assert fired(position, 1, 2, dice="1 | 9").rolls == ["to-hit", "to-hit"]
    assert [m.row for m in position.models if not m.is_on_table] == [1]


@covers("vehicles/torrent", "cards/burn-rof")
def test_one_resource_card_adds_to_the_rof_of_one_weapon() -> None:
    position = armed((24.0, 20.0), cards=3)
    assert asked(position) == "burn-rof"
    assert asked(position, "keep", 1) == "burn-rof"
    assert asked(position, "burn", 1) == "primary"
    fired(position, "burn", 1, 1, dice="13 13 | 13")
    assert position.holds(0, marks.BURNED) == 1


@covers("vehicles/torrent", "cards/burn-uses", "armoury/car24-launcher")
@pytest.mark.parametrize(("cards", "ways"), [(1, 1), (2, 2)])
def test_the_cards_for_one_weapon_are_not_there_for_another(cards: int, ways: int) -> None:
    launcher = Fire(range=18.0, area="SE", st=10, burn=1)
    weapons = (gun("left", more=(launcher,)), gun("right", more=(launcher,)))
    position = armed((24.0, 20.0), weapons=weapons, cards=cards)
    assert (asked(position, "left/2", *(["keep"] if cards > 1 else []), 1) == "weapon") is (ways == 2)


@covers("vehicles/torrent", "core/removal", "morale/pinning-test", "armoury/transfuser-nauseating")
@pytest.mark.parametrize("right", [("nauseating",), ()])
def test_a_torrent_is_one_attack_with_one_pinning_test_after_all_its_hits(right: tuple[str, ...]) -> None:
    weapons = (gun("left", rules=("nauseating",)), gun("right", rules=right))
    position = armed((24.0, 20.0), (26.0, 20.0), (28.0, 20.0), weapons=weapons, abilities=("target-sense",))
    assert fired(position, 2, 3, dice="1 | 1 | 11").rolls == ["to-hit", "to-hit", "pinning"]
    assert [m.row for m in position.models if not m.is_on_table] == [2, 3]
    assert not position.model(1).marks(marks.PINNED)


@covers("vehicles/torrent", "core/removal", "structures/collapse")
@pytest.mark.parametrize(("dice", "saves"), [("16 | 1 | 20", 0), ("16 | 8 | 20 | 1 | 1", 2)])
def test_a_structure_collapses_after_the_hits_of_every_weapon(dice: str, saves: int) -> None:
    """Whoever falls to the second weapon is not there when the wall comes down."""
    house = piece((22.0, 20.0), (4.0, 4.0), ("intact", "solid", "row-wood"), 3.0, (3.0,), "house")
    own = squad(at=[(24.0, 10.0)], vehicle=vehicle(), weapons=(gun("left", avv=20), gun("right")))
    position = table(own, squad(side=1, at=[(27.5, 22.0)]), pieces=[house])
    position.declare("pieces", (("house", 5),))
    assert fired(position, "house", 1, dice=dice).rolls == ["to-hit", "to-hit", "av-test", *["armour"] * saves]
