"""Sight, cover and templates as they are drawn (view/sight.py)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.looks import CLEAR, PARTLY, UNSEEN
from campale.referee.position import Position
from campale.referee.question import Choose
from campale.rulesets.wzr.armoury.weapons import gun_of
from campale.rulesets.wzr.shooting.declaring import point_question, wedge_question
from campale.rulesets.wzr.view.sight import laid, landed, sight
from tests.rulesets.wzr.guns import gun, plan, shoot
from tests.rulesets.wzr.kit import piece, squad, table, vehicle

covers = pytest.mark.covers

RIFLE = gun()
GRENADE = gun("grenade", "grenade", range=None, by_strength=True, area="SE")
FLAMER = gun("flamer", "special", range=None, area="FP", type="fire")


def duel(*enemies: tuple[float, float], weapon: Any = RIFLE, pieces: Any = ()) -> Position:
    return table(squad(at=[(24.0, 10.0)], weapons=(weapon,)), squad(side=1, at=list(enemies)), pieces=pieces)


@covers("core/line-of-sight", "shooting/cover-cumulative")
def test_clear_sight() -> None:
    position = duel((24.0, 20.0))
    seen = sight(position.model(0), position.model(1))
    assert (seen.sees, seen.distance, seen.barred) == (CLEAR, 8.8, ())
    assert len(seen.rays) == 5
    assert all(ray.stop is None for ray in seen.rays)


@covers("shooting/cover-cumulative", "shooting/intervening-models")
def test_pieces_and_models_that_are_cover() -> None:
    woods = piece((22.0, 12.0), (4.0, 2.0), ("heavy",), name="woods")
    position = duel((24.0, 20.0), (24.0, 17.0), pieces=[woods])
    seen = sight(position.model(0), position.model(1))
    assert (seen.sees, seen.rule) == (PARTLY, "shooting/cover-cumulative")
    assert (seen.blockers, seen.bodies) == (("woods",), (2,))


@covers("core/line-of-sight")
def test_what_hides_a_model_and_where_the_lines_stop() -> None:
    wall = piece((20.0, 14.0), (8.0, 0.2), ("solid",), 3.0, name="wall")
    position = duel((24.0, 20.0), pieces=[wall])
    seen = sight(position.model(0), position.model(1))
    assert (seen.sees, seen.rule, seen.blockers, seen.barred) == (UNSEEN, "core/line-of-sight", ("wall",), ())
    assert [ray.stop[1] for ray in seen.rays if ray.stop is not None] == pytest.approx([14.0] * 5, abs=0.01)


@covers("core/line-of-sight", "shooting/intervening-models")
def test_lines_stop_at_a_vehicle() -> None:
    walker = squad(side=1, at=[(24.0, 15.0)], vehicle=vehicle(), base="large", tall=3.0)
    position = table(squad(at=[(24.0, 10.0)], weapons=(RIFLE,)), squad(side=1, at=[(24.0, 20.0)]), walker)
    seen = sight(position.model(0), position.model(1))
    assert seen.sees == UNSEEN
    assert all(ray.stop is not None for ray in seen.rays)


@covers("shooting/legal-target", "shooting/three-covers")
def test_what_the_rules_have_against_a_shot() -> None:
    areas = [piece((22.0, 12.0 + 2 * k), (4.0, 1.0), ("light",), name=f"area {k}") for k in range(3)]
    position = duel((24.0, 20.0), (24.0, 40.0), pieces=areas)
    assert [one.rule for one in sight(position.model(0), position.model(1)).barred] == ["shooting/three-covers"]
    assert [one.rule for one in sight(position.model(0), position.model(2)).barred] == ["shooting/legal-target"]
    assert sight(position.model(1), position.model(2)).barred == ()


@covers("templates/area-attack", "templates/sizes")
def test_the_circle_that_an_answer_lays() -> None:
    position = duel((24.0, 18.0), (25.5, 18.0), weapon=GRENADE)
    primary = Choose(0, "primary", [1, 2], "model", about={"model": 0, "gun": "grenade"})
    found = laid(position, primary, 1)
    assert found is not None
    assert (found.at, found.radius, found.under, found.by) == ((24.0, 18.0), 1.5, (1, 2), (0,))
    assert laid(position, primary, "point") is None
    at = laid(position, point_question(gun_of(position.model(0), "grenade")), [26.0, 18.0])
    assert at is not None
    assert at.under == (1, 2)
    assert laid(duel((24.0, 18.0)), Choose(0, "primary", [1], "model", about={"model": 0, "gun": "rifle"}), 1) is None


@covers("templates/flame")
def test_the_wedge_that_an_answer_lays() -> None:
    position = duel((24.0, 15.0), weapon=FLAMER)
    question = wedge_question(gun_of(position.model(0), "flamer"), plan(position, "flamer", [24.0, 15.0]))
    found = laid(position, question, [24.0, 15.0])
    assert found is not None
    assert found.under == (1,)
    assert found.at == pytest.approx((24.0, 10.6))
    assert max(y for _, y in found.outline) == pytest.approx(16.6, abs=0.01)


@covers("templates/area-attack", "templates/flame")
@pytest.mark.parametrize(
    ("weapon", "details", "dice", "radius"), [(GRENADE, [1], "2 12", 1.5), (FLAMER, [[24.0, 15.0]], "12", 0.0)]
)
def test_what_an_event_has_laid(weapon: Any, details: list[Any], dice: str, radius: float) -> None:
    position = duel((24.0, 15.0), weapon=weapon)
    played = shoot(position, weapon.id, *details, dice=dice)
    found = [landed(event.kind, event.values) for event in played.events]
    shown = [one for one in found if one is not None]
    assert [(one.radius, one.under, bool(one.outline)) for one in shown] == [(radius, (1,), radius == 0.0)]
