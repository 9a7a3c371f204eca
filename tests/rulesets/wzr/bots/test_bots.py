"""What bots make of cards: which of them promises more than its Resources."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import ANNIHILATION, BREAKTHROUGH
from campale.rulesets.wzr.bots.cards import WORTHS, best_card, repeats, view_of
from campale.rulesets.wzr.cards.catalogue import EQUIPMENT, STRATEGY, cards
from campale.rulesets.wzr.cards.playing import play
from campale.rulesets.wzr.cards.windows import PASS
from tests.rulesets.wzr.guns import gun
from tests.rulesets.wzr.kit import squad, table

RIFLE, CANNON = gun(rof=1), gun("cannon", rof=4, st=16)


def facing_off(*held: str, own: Any = RIFLE, theirs: Any = RIFLE, apart: float = 16.0, **now: Any) -> Position:
    """Two squads of five so far apart; side 0 holds the hand, with five Resource cards."""
    position = table(
        squad(5, at=(20.0, 10.0), weapons=(own,)), squad(5, side=1, at=(20.0, 10.0 + apart), weapons=(theirs,)), **now
    )
    position.hold(0, marks.HAND, held)
    position.gain(0, marks.RESOURCES, 5)
    return position


def chosen(position: Position) -> Any:
    return best_card(position, 0, (STRATEGY, EQUIPMENT))[0]


def test_every_card_has_a_worth() -> None:
    assert set(WORTHS) == set(cards())


@pytest.mark.parametrize(
    ("own", "theirs", "played"), [(RIFLE, CANNON, True), (RIFLE, RIFLE, False), (CANNON, RIFLE, False)]
)
def test_radio_is_jammed_where_the_enemy_fires_more(own: Any, theirs: Any, played: bool) -> None:
    position = facing_off("radio-jamming", own=own, theirs=theirs, points=60)
    assert (chosen(position)[0] == "radio-jamming") is played


def test_jamming_pays_less_the_less_the_enemy_may_still_do() -> None:
    position = facing_off(theirs=CANNON)
    all_of_it = WORTHS["radio-jamming"](view_of(position, 0), -1)
    position.model(9).mark(marks.ACTED, 1)
    assert 0.0 < WORTHS["radio-jamming"](view_of(position, 0), -1) < all_of_it


def march(position: Position) -> float:
    return WORTHS["forced-march"](view_of(position, 0), -1)


def test_a_march_is_worth_what_it_brings_to_those_who_can_do_no_harm_yet() -> None:
    """Ten points each: the enemy's rifles reach five of us, ours nobody."""
    far = facing_off(own=gun(range=6.0), theirs=gun(range=30.0), mission=BREAKTHROUGH)
    assert march(far) == pytest.approx(0.04 * 50.0)
    far.now["mission"] = ANNIHILATION
    assert march(far) == pytest.approx(0.02 * 50.0)
    assert march(facing_off(mission=BREAKTHROUGH)) == 0.0, "both fire"
    both = facing_off(own=gun(range=6.0), theirs=gun(range=6.0), mission=BREAKTHROUGH)
    assert march(both) == 0.0, "both march"


def test_a_march_is_ordered_where_it_gains_more_than_its_price() -> None:
    position = facing_off("forced-march", own=gun(range=6.0), theirs=gun(range=30.0), mission=BREAKTHROUGH)
    assert chosen(position) == [PASS], "two points gained, five to pay"
    many = table(
        squad(40, at=[(4.0 + k, 4.0) for k in range(40)], weapons=(gun(range=6.0),)),
        squad(5, side=1, at=(20.0, 30.0), weapons=(gun(range=30.0),)),
        mission=BREAKTHROUGH,
    )
    many.hold(0, marks.HAND, ["forced-march"])
    many.gain(0, marks.RESOURCES, 5)
    assert chosen(many) == ["forced-march"]


@pytest.mark.parametrize(
    ("name", "row", "again"),
    [("medical-supplies", 0, False), ("medical-supplies", 1, True), ("reinforced-plate", 0, True)],
)
def test_what_a_card_has_granted_is_not_granted_again(name: str, row: int, again: bool) -> None:
    """The same squad is healed no better by two cards; another squad is, and a second plate adds to the first."""
    position = table(*(squad(2, at=(20.0, 10.0 * (k + 1)), points=100) for k in range(2)), squad(1, side=1))
    position.hold(0, marks.HAND, [name, name])
    position.gain(0, marks.RESOURCES, 9)
    play(position, 0, name, row)
    assert repeats(position, 0, name, 0) is not again
    if not again:
        assert best_card(position, 0, (EQUIPMENT,))[0] == [name, 1]
