"""Normal moves and Advances (movement-phase/*, flying/*, core-concepts/unit-coherency, objectives/marker)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.w10.basics.coherency import are_coherent, companions, remove_stragglers
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.movement.lengths import length_of
from campale.rulesets.w10.movement.moves import blocks, blocks_on_foot, move_of, movement_of
from campale.rulesets.w10.movement.phase import move_a_unit, note_stationary, options_of, to_move
from campale.table.paths import Path
from tests.rulesets.w10.kit import model, piece, play, question_after, refusal, squad, table, unit, why

covers = pytest.mark.covers

FOOT = 32 / 25.4
TANK = 90 / 25.4
Point = tuple[float, float]


def normal(position: Position, ways: dict[int, Any], row: int = 0, limit: float = 6.0) -> str | None:
    return why(position, row, movement_of(unit(position, row), limit), ways)


# ---------------------------------------------------------------- how far


@covers("movement-phase/normal-move", "movement-phase/measuring-moves", "datasheet/model-profile")
def test_each_model_moves_up_to_its_move() -> None:
    position = table(squad("line-squad", at=(30, 10)))
    assert normal(position, {0: (30, 16)}) is None
    found = refusal(position, 0, movement_of(unit(position, 0), 6.0), {0: (30, 16.1)})
    assert found is not None
    assert (found.rule, found.measured, found.limit) == ("movement-phase/normal-move", 6.1, 6.0)


@covers("movement-phase/measuring-moves")
def test_a_way_with_bends_is_measured_along_it() -> None:
    position = table(squad("line-squad", at=(30, 10)))
    assert normal(position, {0: [(30, 13), (33, 13)]}) is None
    assert normal(position, {0: [(30, 13), (33.1, 13)]}) == "movement-phase/normal-move"


@covers("movement-phase/measuring-moves")
def test_of_a_hull_that_turns_the_farthest_part_is_measured() -> None:
    position = table(squad("walker", at=(30, 10), hull=(2.0, 4.0)), squad("walker", at=(10, 10)))
    hull, base = model(position, 0), model(position, 1)
    turned = Path((hull.at, (30, 14)), 90.0, (90.0, 0.0))
    assert length_of(hull, turned) > 4.0
    assert length_of(base, Path((base.at, (10, 14)), 0.0)) == pytest.approx(4.0)


@covers("movement-phase/moving-models")
def test_nobody_leaves_the_battlefield() -> None:
    position = table(squad("line-squad", at=(30, 2)))
    assert normal(position, {0: (30, 0.63)}) is None
    assert normal(position, {0: (30, 0.6)}) == "movement-phase/moving-models"


@covers("movement-phase/advance", "movement-phase/moving-models")
def test_an_advance_goes_as_much_farther_as_a_die_says() -> None:
    position = table(squad("line-squad", at=(30, 10)), phase="movement")
    played = play(move_a_unit(position, 0), "4", [0, "advance", [[[[30, 20]], None]]], position)
    assert model(position, 0).at == (30, 20)
    assert played.moves == [("advance", "movement-phase/advance")]
    assert unit(position, 0).marks("advanced")


@covers("movement-phase/steps", "movement-phase/normal-move")
def test_a_unit_moves_once() -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", at=(40, 10)), phase="movement")
    assert play(move_a_unit(position, 0), "", [0, "normal", [[[[30, 14]], None]]], position).value is True
    assert [one.row for one in to_move(position, 0)] == [1]
    assert not unit(position, 0).marks("advanced")


@covers("movement-phase/remain-stationary", "movement-phase/options", "r/remain-stationary")
def test_who_stays_and_who_is_never_picked_has_remained_stationary() -> None:
    position = table(*[squad("line-squad", at=(10 * k, 10)) for k in (1, 2, 3)], phase="movement")
    play(move_a_unit(position, 0), "", [0, "stay"], position)
    play(move_a_unit(position, 0), "", [1, "normal", [[[[20, 12]], None]]], position)
    note_stationary(position, 0)
    assert [unit(position, row).marks("stationary") for row in (0, 1, 2)] == [1, 0, 1]


@covers("movement-phase/options", "m/move-while-engaged", "transports/disembark-before")
@pytest.mark.parametrize(
    ("far", "marks", "way", "rule"),
    [
        (1.0, {}, "advance", "m/move-while-engaged"),
        (1.0, {}, "normal", "m/move-while-engaged"),
        (1.0, {}, "stay", None),
        (1.01, {}, "advance", None),
        (1.01, {"got-out": 1}, "stay", "transports/disembark-before"),
        (1.01, {}, "stay", None),
    ],
)
def test_a_way_to_move_that_is_barred_is_shown_with_the_rule(
    far: float, marks: dict[str, int], way: str, rule: str | None
) -> None:
    enemy = squad("line-squad", side=1, at=(30, 10 + FOOT + far))
    position = table(squad("line-squad", at=(30, 10), marks=marks), enemy, phase="movement")
    found = question_after(move_a_unit(position, 0), "", [0]).refusal(way)
    assert (found and found.rule) == rule


@covers("movement-phase/options", "m/move-while-engaged")
@pytest.mark.parametrize(("far", "options"), [(1.0, ["stay", "fall-back"]), (1.01, ["normal", "advance", "stay"])])
def test_an_engaged_unit_stays_or_falls_back(far: float, options: list[str]) -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 10 + FOOT + far)))
    assert options_of(unit(position, 0)) == options


@covers("datasheet/model-profile", "movement-phase/options")
def test_a_model_without_a_move_stays() -> None:
    assert options_of(unit(table(squad("line-squad", m=None)), 0)) == ["stay"]


@covers("datasheet/model-profile")
def test_the_slowest_sets_the_pace() -> None:
    position = table(squad("line-squad", 2), squad("captain", at=(30, 12), m=5, leads=0))
    assert move_of(unit(position, 0)) == 5


# ---------------------------------------------------------------- enemies and friends


@covers("movement-phase/normal-move", "core-concepts/engagement-forbidden", "core-concepts/engagement-range")
def test_nobody_ends_within_an_inch_of_an_enemy() -> None:
    enemy = (30, 16 + FOOT)
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, enemy))
    assert normal(position, {0: (30, 14.99)}) is None
    assert normal(position, {0: (30, 15.0)}) == "movement-phase/normal-move"


@covers("movement-phase/normal-move", "core-concepts/engagement-forbidden")
def test_nobody_passes_within_an_inch_of_an_enemy() -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30 + FOOT + 1.0, 13)))
    assert normal(position, {0: (30, 16)}) == "movement-phase/normal-move"
    assert normal(position, {0: [(29.9, 13), (30, 15.9)]}) is None


@covers("v/fly", "m/move-over-models", "movement-phase/normal-move")
def test_who_flies_crosses_enemies_but_does_not_end_by_them() -> None:
    position = table(squad("jump-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 13)))
    assert normal(position, {0: (30, 16)}, limit=12) is None
    assert normal(position, {0: (30, 13 + FOOT + 1.0)}, limit=12) == "movement-phase/normal-move"
    assert normal(position, {0: (30, 13 + FOOT + 1.01)}, limit=12) is None


@covers("v/fly", "keywords/models-only")
def test_in_a_mixed_unit_only_those_fly_who_can() -> None:
    position = table(
        squad("jump-squad", at=(30, 10)),
        squad("captain", at=(32, 10), leads=0),
        squad("line-squad", 2, 1, [(30, 12.5), (32.5, 12.5)]),
    )
    assert normal(position, {0: (30, 16), 1: [(35.5, 10), (35.5, 15), (32.5, 16.2)]}, limit=12) is None
    assert normal(position, {0: (30, 16), 1: (32, 16)}, limit=12) == "movement-phase/normal-move"


@covers("movement-phase/moving-models")
def test_friends_are_passed_but_not_stood_on() -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("walker", at=(30, 13)))
    assert normal(position, {0: (30, 16)}) is None
    assert normal(position, {0: (30, 15)}) == "movement-phase/moving-models"


@covers("movement-phase/moving-models", "i/big-guns-never-tire")
def test_large_models_do_not_pass_over_each_other() -> None:
    position = table(squad("walker", at=(30, 10)), squad("beast", at=(30, 14)), squad("line-squad", 2, at=(40, 14)))
    assert normal(position, {0: (30, 18)}, limit=15) == "movement-phase/moving-models"
    assert normal(position, {0: [(25, 13), (25, 17), (30, 18)]}, limit=15) is None
    assert normal(position, {1: (42, 14.2)}, row=1, limit=20) == "movement-phase/moving-models"
    assert normal(position, {1: (44.5, 14)}, row=1, limit=20) is None


@covers("movement-phase/moving-models")
def test_two_of_a_unit_do_not_end_on_each_other() -> None:
    position = table(squad("line-squad", 2, at=(30, 10)))
    assert normal(position, {0: (30, 13), 1: (31, 13)}) == "movement-phase/moving-models"
    assert normal(position, {0: (30, 13), 1: (31.26, 13)}) is None


# ---------------------------------------------------------------- terrain


@covers("movement-phase/terrain", "terrain/general", "charge-phase/terrain")
def test_debris_is_climbed_a_barricade_is_not() -> None:
    over_debris = table(squad("line-squad", at=(30, 10)), pieces=[piece("debris", 30, 14)])
    assert normal(over_debris, {0: (30, 18)}, limit=13.9) == "movement-phase/normal-move"
    assert normal(over_debris, {0: (30, 18)}, limit=14) is None
    over_barricade = table(squad("line-squad", at=(30, 10)), pieces=[piece("barricade", 30, 14)])
    assert normal(over_barricade, {0: (30, 18)}, limit=8) is None


@covers("terrain/barricades", "terrain/debris", "movement-phase/terrain")
@pytest.mark.parametrize("kind", ["barricade", "debris"])
def test_nobody_ends_on_an_obstacle(kind: str) -> None:
    position = table(squad("line-squad", at=(30, 10)), pieces=[piece(kind, 30, 14)])
    assert normal(position, {0: (30, 14)}, limit=20) == "movement-phase/terrain"


@covers("terrain/craters", "terrain/woods", "terrain/ruins-visibility", "terrain/general")
@pytest.mark.parametrize("kind", ["craters", "woods", "ruins"])
def test_areas_are_walked_freely(kind: str) -> None:
    position = table(squad("line-squad", at=(30, 10)), pieces=[piece(kind, 30, 15)])
    assert normal(position, {0: (30, 16)}) is None


@covers("flying/figure-5", "flying/air-path", "flying/base-level", "flying/over-terrain", "flying/finish")
def test_a_flying_model_slants_over_high_terrain() -> None:
    """A block 3 inches high and wide: the legs are taut from and to places 5 inches off, the radius counted in."""
    radius = FOOT / 2
    position = table(
        squad("jump-squad", at=(30, 10)), squad("line-squad", at=(40, 10)), pieces=[piece("debris", 30, 16.5)]
    )
    slant = ((5 - radius) ** 2 + 3**2) ** 0.5
    whole = 2 * slant + 3 + 2 * radius
    jumper = model(position, 0)
    assert length_of(jumper, Path((jumper.at, (30, 23)), 0.0)) == pytest.approx(whole, abs=0.01)
    assert normal(position, {0: (30, 23)}, limit=whole - 0.05) == "movement-phase/normal-move"
    assert normal(position, {0: (30, 23)}, limit=whole + 0.05) is None


@covers("flying/low-terrain", "flying/over-terrain")
def test_a_flying_model_pays_nothing_over_low_terrain() -> None:
    position = table(squad("jump-squad", at=(30, 10)), pieces=[piece("barricade", 30, 14)])
    assert normal(position, {0: (30, 18)}, limit=8) is None


@covers("objectives/marker")
def test_markers_are_crossed_but_not_stood_on() -> None:
    reach = FOOT / 2 + 20 / 25.4
    position = table(squad("line-squad", at=(30, 10)), markers=[(30, 13)])
    assert normal(position, {0: (30, 16)}) is None
    assert normal(position, {0: (30, 13 + reach - 0.05)}) == "objectives/marker"
    assert normal(position, {0: (30, 13 + reach + 0.01)}) is None


# ---------------------------------------------------------------- coherency


def chain(*gaps: float) -> list[Point]:
    places = [(10.0, 10.0)]
    for gap in gaps:
        places.append((places[-1][0] + FOOT + gap, 10.0))
    return places


@covers("core-concepts/unit-coherency")
def test_from_seven_models_on_each_needs_two_companions() -> None:
    assert [companions(count) for count in (2, 6, 7, 10)] == [1, 1, 2, 2]
    six = table(squad("line-squad", at=chain(*[2.0] * 5)))
    assert are_coherent([m.solid for m in six.models])
    seven = table(squad("line-squad", at=chain(*[2.0] * 6)))
    assert not are_coherent([m.solid for m in seven.models])
    doubled = table(squad("line-squad", at=chain(0.3, *[2.0] * 4, 0.3)))
    assert not are_coherent([m.solid for m in doubled.models])
    ends = table(squad("line-squad", at=[*chain(*[2.0] * 4), (11.5, 12), (21.5, 12)]))
    assert are_coherent([m.solid for m in ends.models])


@covers("core-concepts/unit-coherency")
def test_two_pairs_are_no_group() -> None:
    position = table(squad("line-squad", at=chain(1.0, 2.1, 1.0)))
    assert not are_coherent([m.solid for m in position.models])
    assert are_coherent([position.models[0].solid])


@covers("core-concepts/unit-coherency", "core-concepts/coherency-failed-move")
def test_a_unit_ends_its_move_together() -> None:
    position = table(squad("line-squad", 2, at=chain(0.5)))
    assert normal(position, {1: (10 + 2 * FOOT / 2 + 2.0, 10)}) is None
    assert normal(position, {1: (10 + FOOT + 2.01, 10)}) == "core-concepts/unit-coherency"


@covers("core-concepts/coherency-failed-move")
def test_a_unit_that_is_apart_closes_up_or_stays() -> None:
    position = table(squad("line-squad", 2, at=chain(20.0)))
    movement = movement_of(unit(position, 0), 6.0)
    assert why(position, 0, movement, {0: (12, 10)}) == "core-concepts/unit-coherency"
    assert why(position, 0, movement, {}) is None
    near = table(squad("line-squad", 2, at=chain(5.0)))
    assert normal(near, {0: (13.2, 10)}) is None


@covers("core-concepts/coherency-end-of-turn")
def test_at_the_end_of_a_turn_models_are_removed_until_a_group_is_left() -> None:
    position = table(
        squad("line-squad", at=chain(1.0, 1.0, 5.0)), squad("line-squad", 2, 1, [(10, 30), (20, 30)]), side=1
    )
    played = play(remove_stragglers(position, 1), "", [5, 3], position)
    assert [(q.side, q.prompt) for q in played.questions] == [(1, "straggler"), (0, "straggler")]
    assert [m.row for m in members(unit(position, 0))] == [0, 1, 2]
    assert [m.row for m in members(unit(position, 1))] == [4]
    assert {one.cause for one in position.losses} == {"coherency"}


@covers("core-concepts/coherency-end-of-turn")
def test_any_lawful_group_may_be_left_and_nothing_explodes() -> None:
    position = table(squad("walker", 3, 1, [(10, 10), (20, 10), (50, 10)]))
    play(remove_stragglers(position, 0), "", [0, 1], position)
    assert [m.row for m in members(unit(position, 0))] == [2]


@covers("core-concepts/coherency-end-of-turn")
def test_a_unit_together_loses_nobody() -> None:
    position = table(squad("line-squad", at=chain(2.0, 2.0)))
    assert play(remove_stragglers(position, 0), "", [], position).prompts == []


@covers("v/fly-large", "movement-phase/moving-models", "charge-phase/flying")
@pytest.mark.parametrize(
    ("keywords", "rule"), [(("monster", "fly"), None), (("monster",), "movement-phase/moving-models")]
)
def test_large_models_pass_over_large_friends_if_they_fly(keywords: tuple[str, ...], rule: str | None) -> None:
    position = table(squad("beast", at=(30, 10), keywords=keywords), squad("carrier", at=(30, 16)))
    assert normal(position, {0: (30, 22)}, limit=14) == rule


@covers("v/fly-large")
def test_but_not_when_they_pile_in() -> None:
    position = table(squad("beast", at=(30, 10), keywords=("monster", "fly")), squad("carrier", at=(30, 16)))
    assert blocks_on_foot(position.model(0), position.model(1))
    assert not blocks(position.model(0), position.model(1))
