"""What is shown of a model to whoever looks at it: reaches, lines of sight, values that have changed."""

from __future__ import annotations

import pytest

from campale.referee.looks import Changed
from campale.rulesets.ragnarok.view import looks
from campale.table.outlines import rectangle
from campale.table.terrain import Piece
from tests.rulesets.ragnarok.kit import Figure, a, table


def reached(*figures: Figure, row: int = 0) -> list[tuple[str, float, str]]:
    model = table(*figures).model(row)
    return [(one.kind, one.reach, one.of) for one in looks.reaches(model)]


@pytest.mark.covers("measuring/premeasure")
def test_the_reaches_of_a_model_are_move_control_area_command_and_guns() -> None:
    rifleman = reached(a("steam_rifleman", at=(60, 30)))
    assert [kind for kind, _, _ in rifleman] == ["move", "control", "weapon", "half-range"]
    musket = {kind: far for kind, far, of in rifleman if of == "steam_musket"}
    assert musket["half-range"] == pytest.approx(musket["weapon"] / 2, abs=0.5)
    assert "command" in [kind for kind, _, _ in reached(a("crucible_captain", at=(60, 30), commander=1))]


@pytest.mark.covers("measuring/premeasure")
def test_who_is_engaged_controls_nothing_and_who_is_down_does_not_move() -> None:
    engaged = reached(a("steam_rifleman", at=(60, 30)), a("raider", 1, at=(60, 32.5)))
    assert "control" not in [kind for kind, _, _ in engaged]
    down = reached(a("steam_rifleman", at=(60, 30), wounds=3))
    assert "move" not in [kind for kind, _, _ in down]


@pytest.mark.covers("vision/geometry")
def test_a_sight_says_what_is_in_the_way() -> None:
    def seen(*pieces: Piece, facing: float = 0.0, hidden: int = 0) -> tuple[str, str, int, tuple[str, ...]]:
        viewer, target = a("steam_rifleman", at=(60, 30), facing=facing), a("raider", 1, at=(60, 50), hidden=hidden)
        battle = table(viewer, target, pieces=pieces)
        found = looks.sight(battle.model(0), battle.model(1))
        return found.sees, found.rule, sum(ray.stop is not None for ray in found.rays), found.blockers

    def block(width: float, tag: str, depth: float = 1.0) -> Piece:
        return Piece("block", "block", rectangle(60, 40, width, depth, 0.0), height=9.0, tags=("rough", tag))

    assert seen() == ("clear", "vision/geometry", 0, ())
    assert seen(facing=180.0) == ("unseen", "vision/arc", 0, ())
    assert seen(hidden=1) == ("unseen", "hide/state", 0, ())
    assert seen(block(9, "solid")) == ("unseen", "vision/geometry", 9, ("block",))
    assert seen(block(9, "screen")) == ("partly", "vision/obscured", 0, ())
    assert seen(block(9, "screen", 6.0)) == ("unseen", "vision/geometry", 9, ("block",))
    post = seen(block(0.4, "solid"))
    assert (post[0], post[1]) == ("partly", "vision/obscured")
    assert 0 < post[2] < 9


def barred(*figures: Figure, pieces: tuple[Piece, ...] = ()) -> list[tuple[str, float | None, float | None]]:
    """What the rules have against the second being seen or shot at by the first."""
    battle = table(*figures, pieces=pieces)
    found = looks.sight(battle.model(0), battle.model(1)).barred
    return [(one.rule, one.measured, one.limit) for one in found]


@pytest.mark.covers("hide/state", "vision/arc")
def test_a_free_line_to_whom_nobody_may_see_says_by_which_rule() -> None:
    rifleman = a("steam_rifleman", at=(60, 30))
    assert barred(rifleman, a("raider", 1, at=(60, 50))) == []
    assert barred(rifleman, a("raider", 1, at=(60, 50), hidden=1)) == [("hide/state", None, None)]
    assert barred(rifleman, a("raider", 1, at=(60, 28))) == [("vision/arc", None, None)]
    assert barred(rifleman, a("raider", 1, at=(60, 10), hidden=1)) == [
        ("hide/state", None, None),
        ("vision/arc", None, None),
    ]


@pytest.mark.covers("fire/range")
def test_who_is_seen_but_beyond_every_gun_is_told_to_be_too_far() -> None:
    rifleman = a("steam_rifleman", at=(60, 10))
    near, far = a("raider", 1, at=(60, 72)), a("raider", 1, at=(60, 74))
    assert barred(rifleman, near) == []
    assert barred(rifleman, far) == [("fire/range", 61.5, 60.0)]
    assert barred(a("raider", at=(60, 10)), a("raider", 1, at=(60, 74))) == []


@pytest.mark.covers("overlap/friend-covers", "vision/engaged-targets")
def test_a_friend_in_the_way_and_a_melee_are_told_of_whoever_is_seen() -> None:
    rifleman, target = a("steam_rifleman", at=(60, 10)), a("raider", 1, at=(60, 50))
    assert barred(rifleman, target, a("steam_rifleman", at=(60, 40))) == [("overlap/friend-covers", None, None)]
    assert barred(rifleman, target, a("steam_rifleman", at=(66, 40))) == []
    fighting = a("steam_rifleman", at=(60, 52.5))
    assert barred(rifleman, target, fighting) == [("vision/engaged-targets", None, None)]
    wall = Piece("block", "block", rectangle(60, 30, 9, 1, 0.0), height=9.0, tags=("rough", "solid"))
    assert barred(rifleman, target, fighting, pieces=(wall,)) == []


@pytest.mark.covers("vision/geometry")
def test_models_on_the_line_are_named() -> None:
    battle = table(a("steam_rifleman", at=(60, 30)), a("raider", 1, at=(60, 50)), a("raider", 1, at=(60, 40)))
    assert looks.sight(battle.model(0), battle.model(1)).bodies == (2,)
    assert looks.sight(battle.model(0), battle.model(2)).bodies == ()


@pytest.mark.covers("commander/psi-radius")
def test_a_psyche_that_the_commander_lends_is_told_with_its_rule() -> None:
    battle = table(a("crucible_captain", at=(60, 30), commander=1), a("steam_rifleman", at=(62.5, 30)))
    captain, rifleman = battle.models
    assert looks.changes(captain) == {}
    better = rifleman.profile.psyche > captain.profile.psyche
    assert looks.changes(rifleman) == (
        {"psyche": Changed(rifleman.profile.psyche, ("commander/psi-radius",))} if better else {}
    )
    assert better


@pytest.mark.covers("weapon-profile/fields")
def test_what_a_model_carries_is_told_in_the_order_of_the_book() -> None:
    rifleman = table(a("steam_rifleman", at=(60, 30))).model(0)
    musket, knife = looks.arms(rifleman)
    assert (musket.table, musket.id) == ("weapons", "steam_musket")
    assert list(musket.values) == ["range", "rate", "weight"]
    assert musket.values["range"] == 60.0
    assert musket.rules == (("steam", None),)
    assert (knife.values["range"], knife.values["rate"]) == (None, None)
