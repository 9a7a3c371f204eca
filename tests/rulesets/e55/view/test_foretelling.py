"""What a move is told beforehand to call for: exactly what is rolled for afterwards, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.looks import Foretold
from campale.referee.position import Position
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.e55.assault_phase.charge import charge
from campale.rulesets.e55.assault_phase.combat import consolidate
from campale.rulesets.e55.definitions.units import COMBAT_SPEED, CRUISING
from campale.rulesets.e55.movement_phase.movement import move_unit
from campale.rulesets.e55.vehicles.driving import drive_question
from campale.screen.sheet import completed
from tests.rulesets.e55.kit import (
    block,
    first_question,
    play,
    profile,
    question_after,
    squad,
    table,
    unit,
    wood,
)

STAY: list[Any] = [[], None]
KINDS = (
    *("difficult", "difficult-eased", "heavy-fire", "heavy-fire-eased"),
    *("dangerous", "dangerous-fire", "dangerous-vehicle", "dangerous-vehicle-fire"),
    *("strikes-last", "strikes-last-fire"),
)


def way(*points: tuple[float, ...]) -> list[Any]:
    return [[list(point) for point in points], None]


def bog(x: float, y: float, width: float = 8.0, depth: float = 8.0) -> Any:
    return block(x, y, width, depth, "clear", "open", "dangerous", height=0.0)


def before(piece: Any, kind: Any = "veteran", count: int = 1, **given: Any) -> Position:
    """A unit that begins two inches before the border of a piece, to its south."""
    return table(squad(kind, count, at=(20, 10), **given), phase="movement", pieces=[piece])


def told(position: Position, ways: list[Any], limit: float = 6.0, usual: float = 6.0, **how: Any) -> list[Foretold]:
    question: Any = first_question(move_unit(unit(position, 0), "move", limit, usual, **how))
    assert question.refusal(ways) is None
    return list(question.foretold(ways))


def kinds(found: list[Foretold]) -> list[str]:
    return [one.kind for one in found]


# ---------------------------------------------------------------- difficult ground


@pytest.mark.covers("3.1.2/difficult", "3.1.2/difficult-minimum")
def test_a_way_through_difficult_ground_tells_the_piece_and_what_it_costs_at_most() -> None:
    (found,) = told(before(wood(20, 16, 4, name="wood-1")), [way((20, 16))])
    assert (found.kind, found.rule) == ("difficult", "3.1.2/difficult")
    assert found.values == {"piece": ["wood-1"], "most": 3.0}
    assert found.detour == 2.0
    assert told(before(wood(20, 16, 4)), [way((20, 11.4))]) == []
    (slow,) = told(before(wood(20, 16, 4)), [way((20, 14))], 4.0, 4.0)
    assert slow.values["most"] == 2.0
    assert slow.detour == pytest.approx(5 / 3)


@pytest.mark.covers("8/move-through-cover")
def test_who_moves_through_cover_is_told_of_a_lower_die() -> None:
    (found,) = told(before(wood(20, 16, 4), profile("veteran", adds=["move-through-cover"])), [way((20, 16))])
    assert (found.kind, found.values["most"], found.detour) == ("difficult-eased", 2.0, 1.0)


@pytest.mark.covers("3.1/heavy-fire")
@pytest.mark.parametrize(("dy", "expected"), [(6, ["heavy-fire"]), (-6, [])])
def test_going_nearer_to_heavy_fire_is_told(dy: float, expected: list[str]) -> None:
    position = table(
        squad("veteran", at=(20, 20), notes={"heavy-fire-by": [1]}),
        squad("militia", 2, 1, (20, 40)),
        phase="movement",
    )
    assert kinds(told(position, [way((20, 20 + dy))])) == expected


@pytest.mark.covers("3.3.2/consolidation")
def test_of_a_move_that_no_ground_hinders_nothing_is_told() -> None:
    position = before(wood(20, 16, 4))
    question: Any = question_after(consolidate(unit(position, 0)), "6")
    assert question.refusal([way((20, 16))]) is None
    assert question.foretold([way((20, 16))]) == []


# ---------------------------------------------------------------- dangerous ground


@pytest.mark.covers("3.1.2/dangerous")
def test_dangerous_ground_tells_how_many_dice_are_rolled() -> None:
    position = before(bog(20, 16, 2), count=3)
    (found,) = told(position, [way((20, 12.5)), STAY, STAY])
    assert (found.kind, found.rule, found.values["count"]) == ("dangerous", "3.1.2/dangerous", 3)
    assert told(position, [way((20, 11.4)), STAY, STAY]) == []


@pytest.mark.covers("3.1.2/difficult", "3.1.2/dangerous")
@pytest.mark.parametrize("to", [(20.0, 16.0), (20.0, 11.4), (15.0, 10.0)])
def test_what_is_told_is_what_is_rolled(to: tuple[float, float]) -> None:
    mire = block(20, 16, 4, 8, "difficult", "dangerous", height=0.0)
    expected = kinds(told(before(mire), [way(to)]))
    rolls = play(move_unit(unit(before(mire), 0), "move", 6, 6), "1 1" if expected else "", [[way(to)]]).rolls
    assert rolls == [f"{kind}-terrain" for kind in expected]


@pytest.mark.covers("6.2/bike-terrain")
def test_to_bikes_difficult_ground_is_told_as_dangerous() -> None:
    position = before(wood(20, 16, 4, name="wood-1"), "biker", 2, spacing=2.5)
    (found,) = told(position, [way((20, 16)), way((22.5, 14))], 12.0, 12.0)
    assert (found.kind, found.values) == ("dangerous", {"piece": ["wood-1"], "count": 2})
    fired = table(
        squad("biker", 2, at=(20, 20), spacing=2.5, notes={"heavy-fire-by": [1]}),
        squad("militia", 2, 1, (20, 40)),
        phase="movement",
    )
    (found,) = told(fired, [way((20, 26)), way((22.5, 26))], 12.0, 12.0)
    assert (found.kind, found.values["piece"]) == ("dangerous-fire", [])


@pytest.mark.covers("6.4/flying-infantry-move")
def test_who_flies_is_told_of_no_ground() -> None:
    mire = block(20, 16, 4, 8, "difficult", "dangerous", height=0.0)
    assert told(before(mire, "jump-trooper", aloft=1), [way((20, 16))]) == []
    assert kinds(told(before(mire, "jump-trooper"), [way((20, 16))])) == ["difficult", "dangerous"]


# ---------------------------------------------------------------- vehicles


@pytest.mark.covers("7.2/vehicle-difficult", "7.2/vehicle-dangerous", "7.16/walker-terrain")
@pytest.mark.parametrize(
    ("kind", "to", "expected"),
    [
        ("tank", (20, 14), ["dangerous-vehicle"]),
        ("tank", (20, 9), []),
        ("walker", (20, 14), ["difficult"]),
        ("walker", (20, 9), []),
    ],
)
def test_vehicles_are_told_of_the_ground_that_they_drive_through(kind: str, to: Any, expected: list[str]) -> None:
    position = before(wood(20, 17, 4), kind)
    leg: Any = drive_question(unit(position, 0), {0: COMBAT_SPEED}).field([])
    assert leg.refusal([way(to)]) is None
    assert kinds(leg.foretold([way(to)])) == expected


@pytest.mark.covers("7.2/cruising-speed", "7.2/vehicle-difficult")
def test_each_leg_of_a_cruise_is_told_by_itself() -> None:
    position = table(squad("tank", at=(20, 6)), phase="movement", pieces=[wood(20, 16, 4, 8)])
    form: Any = drive_question(unit(position, 0), {0: CRUISING})
    first = [way((20, 8))]
    assert form.field([]).foretold(first) == []
    second = form.field([form.field([]).understood(first)])
    assert kinds(second.foretold([way((20, 13))])) == ["dangerous-vehicle"]


@pytest.mark.covers("7.2/cruising-speed")
@pytest.mark.parametrize(("changed", "is_kept"), [(0, False), (1, True)])
def test_the_further_leg_of_a_cruise_is_proposed_anew_when_the_first_changes(changed: int, is_kept: bool) -> None:
    position = table(squad("tank", at=(20, 6)), phase="movement")
    form: Any = drive_question(unit(position, 0), {0: CRUISING})
    teller = Teller(load_ruleset("e55"), "en", names=["Tank"], units=["Tank"])
    further: list[Any] = [[[], 50.0]]
    given: list[Any] = [[[[[20, 12]], 30.0]], further]
    kept, refusal = completed(form, given, changed, teller, position)
    assert refusal is None
    assert kept[0][1] == given[0]
    assert (kept[1][1] == further) is is_kept


# ---------------------------------------------------------------- charges


@pytest.mark.covers("3.3.2/difficult-charge", "3.3.2/assault-grenades")
@pytest.mark.parametrize(
    ("grenades", "x", "expected"), [(False, 20.0, ["strikes-last"]), (True, 20.0, []), (False, 30.0, [])]
)
def test_a_charge_through_difficult_ground_is_told_to_strike_last(
    grenades: bool, x: float, expected: list[str]
) -> None:
    charger = profile("veteran", equipment=("assault-grenades",) if grenades else ())
    position = table(
        squad(charger, at=(20, 10), faces=1),
        squad("militia", 1, 1, (20, 15)),
        phase="charges",
        pieces=[wood(x, 12.5, 4, 1)],
    )
    question: Any = question_after(charge(position, ("charge", 0, 1)), "1" if x == 20.0 else "")
    assert question.prompt == "charge-move"
    assert kinds(question.foretold(question.proposals(1)[0])) == expected


# ---------------------------------------------------------------- in words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_all_that_is_told_has_words(kind: str, language: str) -> None:
    teller = Teller(load_ruleset("e55"), language, names=["Tank 1"])
    values: dict[str, Any] = {"piece": ["woods-1"], "most": 2.5, "count": 3, "models": [0]}
    text = teller.filled(f"foretold.{kind}", values)
    assert text != f"foretold.{kind}"
    assert "{" not in text
    if "most" in teller.words.fields(f"foretold.{kind}"):
        assert ("2,5″" if language == "it" else "2.5″") in text
    if not kind.endswith("-fire") and not kind.startswith("heavy-fire"):
        assert ("bosco 1" if language == "it" else "woods 1") in text.lower()
