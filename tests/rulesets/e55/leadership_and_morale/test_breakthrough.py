"""Chapter 4.3: breakthroughs against units that fall back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from campale.referee.position import Position, Unit
from campale.rulesets.e55.assault_phase import combat
from campale.rulesets.e55.definitions.units import BROKE_THROUGH, BROKEN, is_lost
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Wound
from campale.rulesets.e55.leadership_and_morale.breakthrough import (
    break_through,
    contacts_of,
    has_walker,
    may_break_through,
    offer,
    run_down,
)
from tests.rulesets.e55.kit import Squad, model, play, profile, squad, table, unit

WON, LOST = (30, 30), (30, 10)


def apart(*pursuers: Squad, fugitive: Squad | None = None) -> Position:
    """Unit 0 has broken and fallen back; the other units are its enemies."""
    return table(fugitive or squad("militia", 6, at=LOST, broken=1), *pursuers)


def chasing(kind: str = "veteran", count: int = 2, x: float = 30, **marks: int) -> Squad:
    return squad(kind, count, side=1, at=(x, 30), **marks)


def may(position: Position, number: int = 1) -> bool:
    return may_break_through(unit(position, number), unit(position, 0))


# ---------------------------------------------------------------- who


@pytest.mark.covers("4.2/breakthrough-eligible")
def test_who_touched_it_in_the_combat_may_break_through() -> None:
    position = table(
        squad("militia", 2, at=[(30, 20), (31, 20)], combat=1),
        squad("veteran", side=1, at=(30, 21), combat=1),
        squad("veteran", side=1, at=(31, 22.1), combat=1),
    )
    assert contacts_of(unit(position, 0)) == (1,)
    unit(position, 0).mark("combat", 0)
    assert contacts_of(unit(position, 0)) == ()


@pytest.mark.covers("4.2/breakthrough-eligible", "7.7/vehicles-not-engaged")
def test_a_vehicle_that_it_touched_does_not_break_through() -> None:
    position = table(
        squad("militia", 2, at=[(30, 20), (31, 20)], combat=1),
        squad("veteran", side=1, at=(31, 21), combat=1),
        squad("tank", side=1, at=(30, 17), facing=0),
    )
    assert any(one.row == 2 for one in combat.touched_by(unit(position, 0)))
    assert contacts_of(unit(position, 0)) == (1,)


@pytest.mark.covers("4.2/breakthrough-eligible")
def test_who_touches_another_unit_of_that_side_may_not() -> None:
    assert may(apart(chasing()))
    held = table(squad("militia", 6, at=LOST), chasing(count=1), squad("militia", at=(30, 29)))
    assert not may(held)
    held.remove(model(held, 7), "melee")
    assert may(held)


@pytest.mark.covers("4.2/breakthrough-eligible")
def test_a_unit_breaks_through_once_in_a_sub_phase() -> None:
    position = apart(chasing())
    play(offer(unit(position, 0), (1,)), "1 | 6", [1], position)
    assert unit(position, 1).marks(BROKE_THROUGH)
    assert not may(position)
    assert not play(offer(unit(position, 0), (1,)), position=position).prompts


@pytest.mark.covers("4.2/broken-cannot-act", "4.2/breakthrough-eligible")
def test_broken_units_do_not_break_through() -> None:
    position = apart(chasing(broken=1))
    assert not may(position)
    unit(position, 1).mark(BROKEN, 0)
    assert may(position)


@pytest.mark.covers("7.16/walker-no-breakthrough")
def test_walkers_never_break_through() -> None:
    position = apart(chasing("walker", 1), chasing("great-beast", 1, x=50))
    assert has_walker(unit(position, 1))
    assert not may(position, 1)
    assert may(position, 2)


@pytest.mark.covers("4.2/breakthrough-eligible")
def test_the_owner_picks_one_of_several_or_nobody() -> None:
    position = apart(chasing(), chasing(x=50))
    played = play(offer(unit(position, 0), (1, 2)), "1 | 6", [2], position)
    assert [question.side for question in played.questions] == [1, 1, 0]
    assert not unit(position, 1).marks(BROKE_THROUGH)
    assert unit(position, 2).marks(BROKE_THROUGH)
    position = apart(chasing(), chasing(x=50))
    assert play(offer(unit(position, 0), (1, 2)), "", [-1], position).rolls == []


@pytest.mark.covers("4.2/breakthrough-eligible", "4.2/break-sequence")
def test_nobody_breaks_through_against_a_unit_of_which_nothing_is_left() -> None:
    position = apart(chasing())
    for row in range(6):
        position.remove(model(position, row), "fall-back-edge")
    assert not play(offer(unit(position, 0), (1,)), position=position).prompts


@pytest.mark.covers("4.2/breakthrough-eligible")
def test_the_pursuer_does_not_move() -> None:
    position = apart(chasing())
    play(offer(unit(position, 0), (1,)), "1 | 6", [1], position)
    assert model(position, 6).at == (30, 30)


# ---------------------------------------------------------------- the roll and its wounds


@pytest.fixture
def wounds(monkeypatch: pytest.MonkeyPatch) -> list[Wound]:
    taken: list[Wound] = []

    async def take(target: Unit, given: Sequence[Wound]) -> None:
        taken.extend(given)

    monkeypatch.setattr(resolving, "take_wounds", take)
    return taken


@pytest.mark.covers("4.3/breakthrough-roll")
def test_the_pursuer_rolls_first_and_each_adds_its_initiative(wounds: list[Wound]) -> None:
    position = apart(chasing())
    played = play(break_through(unit(position, 1), unit(position, 0)), "3 | 4", position=position)
    assert played.rolls == ["breakthrough-pursuer", "breakthrough-fugitive"]
    told = next(event for event in played.events if event.kind == "breakthrough").values
    assert (told["total"], told["against"]) == (7, 7)
    assert len(wounds) == 2


@pytest.mark.covers("4.3/breakthrough-roll")
def test_a_higher_total_saves_the_fugitive_and_a_tie_does_not(wounds: list[Wound]) -> None:
    position = apart(chasing())
    play(break_through(unit(position, 1), unit(position, 0)), "3 | 5", position=position)
    assert not wounds
    play(break_through(unit(position, 1), unit(position, 0)), "3 | 4", position=position)
    assert wounds


@pytest.mark.covers("4.3/breakthrough-roll", "1.3/unit-characteristic")
def test_the_initiative_is_that_of_the_unit(wounds: list[Wound]) -> None:
    mixed = [profile("militia"), profile("veteran"), profile("captain"), profile("militia")]
    position = apart(Squad(mixed, side=1, at=WON))
    play(break_through(unit(position, 1), unit(position, 0)), "3 | 3", position=position)
    assert len(wounds) == 2


@pytest.mark.covers("4.3/breakthrough-wounds")
def test_two_wounds_and_two_for_each_point_of_difference(wounds: list[Wound]) -> None:
    position = apart(chasing())
    for difference in (0, 1, 4):
        wounds.clear()
        play(run_down(unit(position, 1), unit(position, 0), difference), position=position)
        assert len(wounds) == 2 + 2 * difference


@pytest.mark.covers("4.3/breakthrough-wounds")
def test_its_wounds_cannot_be_saved_and_have_no_strength(wounds: list[Wound]) -> None:
    position = apart(chasing())
    play(run_down(unit(position, 1), unit(position, 0), 0), position=position)
    assert all(wound.cannot_be_saved and wound.strength is None for wound in wounds)
    assert all(wound.cause == "breakthrough" and wound.by_unit == 1 for wound in wounds)


@pytest.mark.covers("4.3/breakthrough-wounds", "2.2/allocation")
def test_the_owner_gives_the_wounds_out_and_loses_his_models() -> None:
    position = apart(chasing(), fugitive=squad("veteran", 6, at=LOST, broken=1))
    play(break_through(unit(position, 1), unit(position, 0)), "4 | 3", position=position, accepting=True)
    assert sum(is_lost(model(position, row)) for row in range(6)) == 4


@pytest.mark.covers("4.3/breakthrough-wounds")
def test_feel_no_pain_may_be_tried() -> None:
    tough = profile("veteran", adds=["feel-no-pain 4"])
    position = apart(chasing(), fugitive=squad(tough, 6, at=LOST, broken=1))
    play(break_through(unit(position, 1), unit(position, 0)), "4 | 4 | 4 3", position=position, accepting=True)
    assert sum(is_lost(model(position, row)) for row in range(6)) == 1
