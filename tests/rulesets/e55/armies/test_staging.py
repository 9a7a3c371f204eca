"""Scenario files of this book: profiles, pieces, and what every battle has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from campale.referee.position import TABLE
from campale.referee.scenarios.scenario import read_scenario
from campale.rulesets.e55 import RULESET
from campale.rulesets.e55.armies.army_lists import profiles
from campale.rulesets.e55.armies.staging import STAGE, profile
from campale.rulesets.e55.definitions.units import AT_PHASE_START, WARP
from tests.rulesets.e55.kit import squad, table

GOOD: dict[str, Any] = {
    "campale": "scenario/1",
    "ruleset": "e55",
    "title": {"en": "A test", "it": "Una prova"},
    "rules": ["10/armies"],
    "table": {"pieces": [{"kind": "woods", "at": [20, 20], "name": "copse"}]},
    "models": [
        {"id": "Anna", "profile": "veteran", "side": 1, "unit": "Reds", "at": [30, 10]},
        {"id": "Bea", "profile": "fen-witch", "side": 1, "unit": "Witch", "at": [40, 10]},
        {"id": "Cai", "profile": "tank", "side": 2, "unit": "Tank", "at": [30, 40]},
    ],
}


def staged(tmp_path: Path, **changes: Any) -> Any:
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump({**GOOD, **changes}), "utf-8")
    return read_scenario(path)


# ---------------------------------------------------------------- profiles


def test_a_profile_of_a_list_or_a_sample_by_name() -> None:
    assert profile({"profile": "veteran"}).t == 4
    assert profile({"profile": "reed-king"}) == profiles()["reed-king"]


def test_what_is_added_and_changed() -> None:
    made = profile(
        {
            "profile": "veteran",
            "rules": ["feel-no-pain 5"],
            "adds": ["power-fist"],
            "powers": ["bog-fire"],
            "changes": {"t": 5, "psyker": 1},
        }
    )
    assert (made.t, made.psyker, made.powers[0].id) == (5, 1, "bog-fire")
    assert [weapon.id for weapon in made.weapons] == ["rifle", "power-fist"]
    assert made.printed("feel-no-pain")[0].value == 5


def test_other_weapons_in_place_of_its_own() -> None:
    made = profile({"profile": "tank", "weapons": [{"weapon": "beam-gun", "turret": True}]})
    assert [weapon.id for weapon in made.weapons] == ["beam-gun"]
    assert made.mounts[0].is_turret
    assert profile({"profile": "veteran", "weapons": []}).mounts == ()


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"profile": "veterans"}, "Did you mean 'veteran'"),
        ({"profile": "veteran", "adds": ["riffle"]}, "Did you mean 'rifle'"),
        ({"profile": "veteran", "rules": ["fleat"]}, "Did you mean 'fleet'"),
        ({"profile": "veteran", "powers": ["bogfire"]}, "Did you mean 'bog-fire'"),
        ({"profile": "veteran", "changes": {"toughness": 5}}, "a profile has no toughness"),
        ({"profile": "veteran", "changes": {"t": "x"}}, "int"),
        ({"profile": "veteran", "size": 5}, "size"),
    ],
)
def test_a_profile_that_cannot_be(plain: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        profile(plain)


def test_a_piece_by_kind() -> None:
    assert STAGE.piece({"kind": "ruins", "at": [20, 20], "name": "tower"}).name == "tower"


# ---------------------------------------------------------------- the battle


def test_every_battle_has_its_moment_its_edges_and_its_heads(tmp_path: Path) -> None:
    position = staged(tmp_path, units={"Reds": {"marks": {"faces": "Tank"}}}).game.position
    now = position.now
    assert [now[name] for name in ("phase", "side", "first", "turn", "round", "mission")] == [
        *("shooting", 0, 0, 3, 2, "annihilation")
    ]
    assert [position.hand(side, "edge") for side in (0, 1)] == [("south",), ("north",)]
    assert [unit.marks(AT_PHASE_START) for unit in position.units] == [1, 1, 1]
    assert [model.facing for model in position.models] == [0.0, 0.0, 180.0]
    assert position.models[1].marks(WARP) == 3
    assert position.ground.piece("copse").kind == "woods"
    assert all(where == TABLE for where in position.where)


def test_the_file_has_the_last_word(tmp_path: Path) -> None:
    models = [{**GOOD["models"][0], "facing": 90}, *GOOD["models"][1:]]
    stage = staged(tmp_path, now={"turn": 4, "side": 1, "phase": "movement", "mission": "securing"}, models=models)
    position = stage.game.position
    assert [position.now[name] for name in ("turn", "round", "side", "phase")] == [4, 2, 1, "movement"]
    assert position.models[0].facing == 90.0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"now": {"phase": "shoting"}}, "phase cannot be 'shoting'"),
        ({"now": {"mission": "war"}}, "mission cannot be 'war'"),
        ({"now": {"side": 2}}, "side cannot be 2"),
        ({"now": {"turn": -1}}, "turn cannot be -1"),
        ({"models": [*GOOD["models"], {**GOOD["models"][0], "id": "Dan", "at": [30.5, 10]}]}, "overlap"),
        ({"models": [*GOOD["models"], {"id": "Dan", "profile": "veteran", "side": 2, "where": "aboard Cai"}]}, "Dan"),
        ({"units": {"Reds": {"marks": {"combat": 7}}}}, "only one unit is in combat 7"),
        ({"units": {"Reds": {"marks": {"brokn": 1}}}}, "Did you mean 'broken'"),
        ({"table": {"pieces": [{"kind": "forest", "at": [1, 1]}]}}, "no scenery"),
    ],
)
def test_a_battle_that_cannot_be(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        staged(tmp_path, **changes)


def test_the_stage_is_the_table_of_the_book_and_knows_its_words() -> None:
    assert RULESET.stage is STAGE
    assert STAGE.size == (72.0, 48.0)
    assert {"faces", "combat", "broken", "wounds-lost", "structure-lost"} <= set(STAGE.words["marks"])


def test_a_squad_of_the_kit_is_what_the_stage_makes() -> None:
    battle = table(squad("militia", 1, 0, (30, 10)))
    assert battle.models[0].profile.t == profile({"profile": "militia"}).t


@pytest.mark.parametrize(
    ("phase", "dice", "settled"),
    [("mission", "2 0", ["mission"]), ("edges", "0", ["mission"]), ("scouts", "", ["mission", "first", "edge"])],
)
def test_before_the_battle_only_what_came_before_is_settled(
    tmp_path: Path, phase: str, dice: str, settled: list[str]
) -> None:
    rules = {"profile": "veteran", "rules": ["scouts"]}
    models = [{**GOOD["models"][0], "profile": rules}, *GOOD["models"][1:]]
    position = staged(tmp_path, now={"phase": phase}, dice=dice, models=models).game.position
    found = [name for name in ("mission", "first") if name in position.now]
    found += ["edge"] if position.hand(0, "edge") else []
    assert (found, position.now["turn"]) == (settled, 0)


def test_an_army_to_be_deployed_has_no_rows_yet(tmp_path: Path) -> None:
    roster = [{"name": "Lions", "profile": "militia", "count": 2}, {"name": "Owls", "profile": "veteran"}]
    sides = {"1": {"holds": {"edge": ["south"], "roster": roster}}, "2": {"holds": {"edge": ["north"]}}}
    position = staged(tmp_path, now={"phase": "deployment", "deploys": 0}, sides=sides).game.position
    assert position.hand(0, "rows") == position.hand(0, "starts") == (-1, -1)
    assert position.unit_names == ["Reds", "Witch", "Tank"]
