"""What is shown of a model to whoever looks at it: reaches with arcs, lines of sight, values that have changed."""

from __future__ import annotations

import pytest

from campale.referee.looks import Changed
from campale.referee.position import Effect, Position
from campale.rulesets.e55.armies.arsenal import arsenal
from campale.rulesets.e55.armies.profile import Mount
from campale.rulesets.e55.definitions.characteristics import CHANGE
from campale.rulesets.e55.definitions.units import ALOFT, COMBAT
from campale.rulesets.e55.movement_phase.facing import face
from campale.rulesets.e55.view import looks
from campale.table.terrain import Piece
from tests.rulesets.e55.kit import WEAPONS, changed, model, profile, squad, table, unit, wall, wood


def reached(battle: Position, row: int = 0) -> list[tuple[str, float, str]]:
    return [(one.kind, one.reach, one.of) for one in looks.reaches(model(battle, row))]


@pytest.mark.covers("1.1/measure-nearest-points")
def test_a_soldier_reaches_as_far_as_its_unit_moves_and_its_guns_shoot() -> None:
    battle = table(squad("veteran", 1, 0, (20, 10), "rifle", "blade"), squad("biker", 1, 0, (30, 10)))
    assert reached(battle) == [("move", 6.0, ""), ("weapon", 24.0, "rifle")]
    assert looks.reaches(model(battle, 0))[1].arc is None
    assert reached(battle, 1) == [("move", 12.0, "")]


@pytest.mark.covers("7.9/arcs")
def test_the_guns_of_a_hull_reach_between_its_corners_and_a_turret_all_round() -> None:
    side, turret = Mount(WEAPONS["rifle"], ("left", "rear")), Mount(WEAPONS["machine-gun"], is_turret=True)
    battle = table(squad("tank", 1, 0, (20, 10), "beam-gun", side, turret))
    assert reached(battle)[:2] == [("combat-speed", 6.0, ""), ("cruising-speed", 12.0, "")]
    arcs = [(one.of, one.arc) for one in looks.reaches(model(battle, 0))[2:]]
    assert arcs[0][1] == pytest.approx((-30.9638, 30.9638), abs=1e-4)
    assert [one[0] for one in arcs] == ["beam-gun", "rifle", "rifle", "machine-gun"]
    assert arcs[1][1] == pytest.approx((210.9638, 329.0362), abs=1e-4)
    assert arcs[2][1] == pytest.approx((149.0362, 210.9638), abs=1e-4)
    assert arcs[3] == ("machine-gun", None)


@pytest.mark.covers("7.14/aircraft-speeds", "7.16/walker-no-cruise", "7.2/speed-choice")
def test_a_vehicle_reaches_as_far_as_the_speeds_that_it_may_choose() -> None:
    battle = table(
        squad("walker", at=(20, 10)),
        squad("aircraft", at=(40, 10), aloft=1),
        squad([profile("tank"), profile("tank", speed=8)], at=(10, 30), spacing=5),
        squad([profile("tank"), profile("militia")], at=(50, 30), spacing=5),
    )
    assert reached(battle, 0) == [("combat-speed", 6.0, "")]
    assert reached(battle, 1) == [("combat-speed", 9.0, ""), ("cruising-speed", 18.0, "")]
    unit(battle, 1).mark(ALOFT, 0)
    assert reached(battle, 1) == [("combat-speed", 6.0, ""), ("cruising-speed", 12.0, "")]
    assert reached(battle, 2) == [("combat-speed", 4.0, ""), ("cruising-speed", 8.0, "")]
    assert reached(battle, 4) == [("move", 6.0, "")]


@pytest.mark.covers("1.1/los-line", "1.1/los-blocked", "1.1/los-none")
def test_a_sight_is_clear_partly_or_none_and_its_rays_stop_where_they_are_blocked() -> None:
    def seen(*pieces: Piece) -> tuple[str, str, int, tuple[str, ...]]:
        battle = table(
            squad("veteran", 1, 0, (20, 10), "rifle"),
            squad("militia", 1, 1, (20, 30)),
            pieces=pieces,
        )
        found = looks.sight(model(battle, 0), model(battle, 1))
        return found.sees, found.rule, sum(ray.stop is not None for ray in found.rays), found.blockers

    assert seen() == ("clear", "1.1/los-line", 0, ())
    assert seen(wood(20, 20, name="wood")) == ("partly", "1.1/los-blocked", 9, ("wood",))
    assert seen(wall(20, 20, name="wall")) == ("unseen", "1.1/los-none", 9, ("wall",))
    narrow = seen(wall(20, 20, 0.3, name="post"))
    assert (narrow[0], narrow[3]) == ("partly", ("post",))
    assert 0 < narrow[2] < 9


@pytest.mark.covers("1.1/los-line")
def test_a_ray_stops_at_the_face_that_it_meets() -> None:
    battle = table(squad("veteran", 1, 0, (20, 10)), squad("militia", 1, 1, (20, 30)), pieces=[wall(20, 20)])
    ray = looks.sight(model(battle, 0), model(battle, 1)).rays[4]
    assert ray.stop is not None
    assert ray.stop[1] == pytest.approx(19.5, abs=0.001)


@pytest.mark.covers("10.1/terrain-data")
def test_a_wood_hides_nothing_from_inside_it_nor_what_stands_in_it() -> None:
    trees = wood(20, 20, name="wood")
    battle = table(
        squad("veteran", 1, 0, (20, 18)),
        squad("militia", 1, 1, (20, 30)),
        squad("militia", 1, 1, (22, 22)),
        pieces=[trees],
    )
    assert looks.pieces_that_hide(model(battle, 1), (20, 18, 1.0)) == set()
    assert looks.pieces_that_hide(model(battle, 1), (20, 10, 1.0)) == {"wood"}
    assert looks.pieces_that_hide(model(battle, 2), (20, 10, 1.0)) == set()


@pytest.mark.covers("1.1/los-blocked")
def test_bodies_in_the_way_are_named() -> None:
    battle = table(
        squad("veteran", 1, 0, (20, 10)), squad("militia", 1, 1, (20, 30)), squad("great-beast", 1, 1, (20, 20))
    )
    found = looks.sight(model(battle, 0), model(battle, 1))
    assert found.bodies == (2,)
    assert found.sees != "clear"


def barred(battle: Position, viewer: int = 0, target: int = 1) -> list[tuple[str, str]]:
    """What the rules have against one shooting at another whom it sees."""
    return [(one.rule, one.word) for one in looks.sight(model(battle, viewer), model(battle, target)).barred]


@pytest.mark.covers("3.2.1/range", "3.1.4/facing-restricts")
def test_who_is_seen_may_be_too_far_or_not_faced() -> None:
    rifleman, near = squad("veteran", 1, 0, (20, 4), "rifle"), squad("militia", 1, 1, (20, 28))
    battle = table(rifleman, near, squad("militia", 1, 1, (26, 28)))
    assert barred(battle) == [("3.1.4/facing-restricts", "faces-nobody")]
    face(unit(battle, 0), 1)
    assert barred(battle) == []
    assert barred(battle, 0, 2) == [("3.1.4/facing-restricts", "faces-another")]
    beyond = table(rifleman, squad("militia", 1, 1, (20, 31)))
    face(unit(beyond, 0), 1)
    assert barred(beyond) == [("3.2.1/range", "")]
    flames = table(squad("veteran", 1, 0, (20, 4), "flamethrower"), squad("militia", 1, 1, (20, 31)))
    face(unit(flames, 0), 1)
    assert barred(flames) == []
    assert barred(table(squad("veteran", 1, 0, (20, 4), "blade"), near)) == []
    hidden = table(rifleman, near, pieces=[wall(20, 20)])
    assert barred(hidden) == []


@pytest.mark.covers("3.2/legal-target", "7.9/arcs")
def test_a_hull_is_told_of_arcs_and_of_melees_that_it_may_not_fire_at() -> None:
    ahead = Mount(WEAPONS["rifle"], ("front",))
    battle = table(
        squad("tank", 1, 0, (20, 10), ahead),
        squad("militia", 1, 1, (20, 26)),
        squad("militia", 1, 1, (20, 4)),
    )
    assert barred(battle) == []
    assert barred(battle, 0, 2) == [("7.9/arcs", "")]
    unit(battle, 1).mark(COMBAT, 1)
    assert barred(battle) == [("3.2/legal-target", "locked-in-combat")]


@pytest.mark.covers("1.3/characteristics")
def test_values_that_are_not_as_printed_are_told_with_their_rules() -> None:
    battle = table(squad("captain", 1, 0, (30, 20), "sidearm"), squad("walker", 1, 0, (40, 20)))
    captain, walker = battle.models
    assert looks.changes(captain) == looks.changes(walker) == {}
    captain.mark("wounds-lost", 1)
    battle.begin(Effect(CHANGE, 0, value=("s", 2)))
    battle.begin(Effect(CHANGE, unit(battle, 1).row, value=("i", -1), on="unit"))
    assert looks.changes(captain) == {"s": Changed(4, (CHANGE,)), "w": Changed(3, ("2.3.2/unsaved-wound",))}
    assert looks.changes(walker) == {"i": Changed(4, (CHANGE,))}


@pytest.mark.covers("9/weapon-profile")
def test_what_a_model_carries_is_told_line_by_line() -> None:
    battle = table(squad("veteran", 1, 0, (30, 20), "machine-gun", "fist", "flamethrower"))
    gun, fist, flames = looks.arms(model(battle, 0))
    assert gun.values == {"range": 36, "strength": 5, "ap": 4}
    assert gun.rules == (("heavy", 3),)
    assert fist.values == {"range": "melee", "strength": "×2", "ap": 2}
    assert fist.rules == (("slow", None),)
    assert flames.values["range"] == "template"


POWERS = [
    ("beacon-ward", {"cost": 1, "range": 18}, (("ward", "4+"),)),
    ("fair-wind", {"cost": 1, "range": 18}, (("haste", 3),)),
    ("drowning-dream", {"cost": 1, "range": 18}, (("dread", 2),)),
    ("swarming-terror", {"cost": 2, "range": 24}, (("overrun", None),)),
    ("searing-lamp", {"cost": 1, "range": 24, "strength": 6, "ap": 3}, (("assault", 2),)),
]


@pytest.mark.covers("5/casting")
@pytest.mark.parametrize(("power", "values", "effect"), POWERS)
def test_a_power_is_told_with_what_it_does(power: str, values: dict[str, int], effect: tuple[object, ...]) -> None:
    psyker = changed(profile("veteran"), powers=(arsenal().powers[power],))
    (told,) = [one for one in looks.arms(model(table(squad(psyker)), 0)) if one.table == "powers"]
    assert (told.id, told.values, told.rules) == (power, values, effect)
