"""What strangers write: set-ups and armies that cannot be played are told, and odd ones that can are played."""

from __future__ import annotations

import math
from typing import Any

import pytest

from campale.mechanics.armies.rows import Title
from campale.mechanics.setup.agreed import SetupError
from campale.referee.reading import FileError
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.telling.spoken import told as in_tongue
from campale.rulesets.e55.armies.army import ARMIES
from campale.rulesets.e55.armies.arsenal import LineRow, PowerRow, keyword, power_from
from campale.rulesets.e55.armies.forces import FORCES
from campale.rulesets.e55.armies.setting_out import set_out
from campale.rulesets.e55.battle.scenery import PRESETS

RULESET = load_ruleset("e55")
READY = tuple(FORCES.plain(f"{name}-750") for name in ("lantern-guard", "mire-brood"))
SQUARE = [[10, 10], [20, 10], [20, 20], [10, 20]]


def told(**agreed: Any) -> str:
    """Why a set-up is refused."""
    with pytest.raises(SetupError) as refused:
        set_out(RULESET, Setup("e55", {}, READY, agreed))
    return str(refused.value)


@pytest.mark.covers("10/armies")
@pytest.mark.parametrize(("agreed", "least"), [({"points": 750}, 0), ({}, 0), ({"points": 10}, 1)])
def test_a_force_goes_to_battle_only_within_what_was_agreed(agreed: dict[str, Any], least: int) -> None:
    setup = Setup("e55", {}, READY, agreed)
    if not least:
        assert set_out(RULESET, setup).hand(0, "roster")
        return
    with pytest.raises(SetupError, match="the limit is 10"):
        set_out(RULESET, setup)


@pytest.mark.covers("10/armies")
def test_a_force_that_may_not_be_fielded_does_not_go_to_battle() -> None:
    units = [{"unit": "tank"}, {"unit": "militia", "size": 5, "aboard": "tank"}]
    force = {"ruleset": "e55", "name": {"en": "x", "it": "x"}, "list": "samples", "points": 900, "units": units}
    with pytest.raises(SetupError, match="not a single transport"):
        set_out(RULESET, Setup("e55", {}, (force, force)))


@pytest.mark.parametrize("force", [None, 5, [], [1], True, math.nan])
def test_a_force_that_is_no_table(force: Any) -> None:
    assert "not a Campale army file" in ARMIES.check(force, {})[0]
    with pytest.raises(SetupError, match="not a Campale army file"):
        set_out(RULESET, Setup("e55", {}, (force, force)))


@pytest.mark.parametrize("points", ["x", None, -1, 1.5, [], {}, True, math.nan, 10**30, "9" * 5000, "\u00b2", 20_001])
def test_points_that_are_no_number_of_points(points: Any) -> None:
    assert "points" in told(points=points)


@pytest.mark.parametrize("points", [750, "750", 20_000])
def test_points_agreed(points: Any) -> None:
    assert set_out(RULESET, Setup("e55", {}, READY, {"points": points})).now["points"] == int(points)


@pytest.mark.parametrize("cover", ["x", 5, ["woods-1"], True])
def test_a_cover_that_is_neither_the_word_nor_a_table(cover: Any) -> None:
    assert "presets" in told(cover=cover)


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        ({"kind": "woods", "at": [500, 500]}, "off the table"),
        ({"kind": "woods", "at": [0, 0]}, "off the table"),
        ({"kind": "woods", "at": [math.nan, 1]}, "number"),
        ({"kind": "woods", "at": [math.inf, 1]}, "number"),
        ({"kind": "woods", "at": [30, 20], "turn": math.inf}, "number"),
        ({"kind": "woods", "at": [30, 20], "size": [1e9, 1e9]}, "<= 72"),
        ({"kind": "woods", "at": [30, 20], "size": [0, 5]}, "> 0"),
        ({"name": "x", "outline": [[1, 1], [2, 2]]}, "corners"),
        ({"name": "x", "outline": [[1, 1], [5, 5], [5, 1], [1, 5]]}, "crosses"),
        ({"name": "x", "outline": [[1, 1], [5, math.nan], [9, 2]]}, "number"),
        ({"name": "x", "outline": SQUARE, "height": -4}, "height"),
        (
            {"name": "x", "outline": SQUARE, "height": 3, "floors": [{"outline": [[1, 1], [2, 1], [2, 2]], "z": 1}]},
            "x:",
        ),
        ({"name": "x", "outline": SQUARE, "tags": ["cover-x"]}, "cover-x"),
        ({"name": "x", "outline": SQUARE, "tags": ["cover-9"]}, "cover-9"),
        ({"name": "x", "outline": SQUARE, "tags": ["dificult"]}, "Did you mean 'difficult'"),
    ],
)
def test_pieces_that_cannot_lie_on_a_table(piece: dict[str, Any], said: str) -> None:
    assert said in told(scenery=[piece])


def test_no_more_pieces_than_a_table_holds() -> None:
    piece = {"kind": "sandbags", "at": [30, 20]}
    assert "100" in told(scenery=[piece] * 101)
    assert len(set_out(RULESET, Setup("e55", {}, READY, {"scenery": [piece] * 100})).ground.pieces) == 100


@pytest.mark.parametrize("kind", PRESETS)
def test_every_kind_lies_on_the_table_however_it_is_turned(kind: str) -> None:
    for turn in range(0, 360, 13):
        pieces = [{"kind": kind, "at": [30.37, 20.21], "turn": turn}]
        assert set_out(RULESET, Setup("e55", {}, READY, {"scenery": pieces})).ground.pieces


def test_a_force_with_braces_in_its_titles_is_told_all_the_same() -> None:
    title = {"en": "{x} {0}", "it": "{"}
    option = {"title": title, "gives": ["rifle"], "most": 1}
    own = {"units": {"mine": {"title": title, "profile": "militia", "least": 1, "most": 9, "options": {"gun": option}}}}
    force = {"ruleset": "e55", "name": title, "list": "samples", "points": 900, "own": own}
    for options in ({"gun": 5}, {"gun": 3}):
        found = ARMIES.check({**force, "units": [{"unit": "mine", "size": 2, "options": options}]}, {})
        assert found
        assert all("{x} {0}" in one and "{" in in_tongue(one, "it") for one in found)


@pytest.mark.parametrize("written", ["twin-linked 99999999999999999999999999", "fear 1000", "heavy " + "9" * 5000])
def test_numbers_of_rules_are_small(written: str) -> None:
    with pytest.raises(FileError, match="number"):
        keyword(written, ("twin-linked", "fear", "heavy"), "mine")


def test_an_agreed_total_of_too_many_figures_is_told() -> None:
    assert "not a points limit" in ARMIES.check(READY[0], {"points": "9" * 5000})[0]


@pytest.mark.covers("5/repeat")
@pytest.mark.parametrize(("cost", "fits"), [(0, False), (1, True)])
def test_a_power_that_can_be_repeated_costs_something(cost: int, fits: bool) -> None:
    row = PowerRow(title=Title("Ward", "Egida"), cost=cost, kind="ward", value=4)
    if fits:
        assert power_from("ward", row).cost == cost
        return
    with pytest.raises(FileError, match="without end"):
        power_from("ward", row)


def test_a_shooting_power_may_cost_nothing() -> None:
    row = PowerRow(title=Title("Spark", "Scintilla"), cost=0, kind="shooting", shooting=LineRow(range=12, strength=3))
    assert power_from("spark", row).cost == 0


@pytest.mark.parametrize("name", ["\x1b[2Jx", "x\n## End of the turn", "\x07", "a\u2028b"])
def test_names_that_would_write_over_the_screen(name: str) -> None:
    unit = {"unit": "militia", "name": {"en": "x", "it": name}, "size": 5}
    force = {"ruleset": "e55", "name": {"en": "x", "it": "x"}, "list": "samples", "points": 900}
    assert "cannot be shown" in ARMIES.check({**force, "units": [unit]}, {})[0]
    assert "cannot be shown" in told(scenery=[{"kind": "woods", "at": [30, 20], "name": name}])


def test_what_nobody_knows_how_to_agree_on() -> None:
    assert "mission" in told(mision="securing")
