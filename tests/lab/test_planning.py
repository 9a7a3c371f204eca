"""Experiment files: what they may say, grids of variants, and one sentence for whatever cannot be used."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from campale import lab
from campale.lab.experiment import SCHEMA, schema
from campale.lab.plan import Plan, player_of
from campale.lab.planning import plan_of
from campale.lab.varying import MOST_VARIANTS, PathError, grid, label, steps_of, varied
from campale.referee import reading
from campale.referee.reading import SIZE_LIMIT, FileError
from campale.referee.scenarios import puzzle
from campale.referee.scenarios import stage as scenario_stage
from tests.lab.conftest import REAL, TOY, Write


def refused(path: Path, language: str = "en") -> str:
    """What is told of a file; all of it has its Italian."""
    with pytest.raises(FileError) as error:
        plan_of(path)
    english, italian = (error.value.told(tongue) for tongue in ("en", "it"))
    assert english == list(error.value.messages)
    assert len(italian) == len(english) > 0
    for one, other in zip(english, italian, strict=True):
        assert one != other
        assert not re.search(r", line \d", other)
    return "\n".join(italian if language == "it" else english)


# ---------------------------------------------------------------- plans


@pytest.mark.parametrize(
    "values", [[False, False], [False, 0], [2, 2.0], [[3, {"a": 1, "b": 2}], [3, {"b": 2.0, "a": 1}]]]
)
def test_a_value_that_is_there_twice_is_refused_with_its_place(raid: Any, write: Write, values: list[Any]) -> None:
    told = refused(write(vary={"options.short": [True, *values]}))
    assert "experiment.yaml, line " in told
    assert "vary.options.short[3]: the value " in told
    assert "appears twice, at 2 and 3: it would be compared with itself. Keep one of them." in told


def test_lists_that_go_together_may_repeat_a_value_but_no_row(raid: Any, write: Write) -> None:
    several = {"first.player": ["random", "random"], "second.player": ["random", "greedy"]}
    assert len(plan_of(write(together=several)).variants) == 2
    told = refused(write(together=several | {"second.player": ["greedy", "greedy"]}))
    assert "together.first.player[2]: the value random, greedy appears twice, at 1 and 2" in told


def test_variants_that_come_to_the_same_are_refused_however_they_are_written(raid: Any, write: Write) -> None:
    told = refused(write(vary={"first.player": ["random", {"name": "random"}]}))
    assert 'variants 0 (first.player=random) and 1 (first.player={"name":"random"}) are the same battles' in told
    assert len(plan_of(write(vary={"first.player": ["random", "greedy"]})).variants) == 2


def test_the_schema_is_that_of_the_types() -> None:
    assert json.loads(SCHEMA.read_text("utf-8")) == schema()
    Draft202012Validator(schema()).validate(TOY)


def test_every_battle_follows_from_its_number(toy: Plan) -> None:
    """Pair by pair, variant by variant, seat by seat; a pair has one seed."""
    battles = [toy.battle(number) for number in toy.numbers()]
    assert [(one.pair, one.variant, one.seat) for one in battles[:5]] == [
        (0, 0, 0),
        (0, 0, 1),
        (0, 1, 0),
        (0, 1, 1),
        (1, 0, 0),
    ]
    assert len(battles) == toy.total == 12
    assert {(one.pair, one.seed) for one in battles} == {(0, "1/0"), (1, "1/1"), (2, "1/2")}


def test_the_sides_change_places_and_nothing_else_does(toy: Plan) -> None:
    one, other = toy.battle(0), toy.battle(1)
    assert one.sides == other.sides[::-1]
    assert [force["name"] for force in one.setup.forces] == ["North", "South"]
    assert [force["name"] for force in other.setup.forces] == ["South", "North"]
    assert (one.seed, one.setup.agreed, one.setup.options) == (other.seed, other.setup.agreed, other.setup.options)


def test_an_option_may_be_what_is_compared(toy: Plan) -> None:
    assert [variant.label for variant in toy.variants] == ["options.short=false", "options.short=true"]
    assert [toy.battle(number).setup.options for number in (0, 2)] == [{"short": False}, {"short": True}]
    assert toy.battle(0).seed == toy.battle(2).seed


def test_shards_share_out_whole_pairs(toy: Plan) -> None:
    shares = [list(toy.numbers((number, 2))) for number in (1, 2)]
    assert sorted(shares[0] + shares[1]) == list(range(toy.total))
    assert {toy.pair_of(number) for number in shares[0]} == {0, 2}


def test_missions_layouts_and_sizes_are_crossed_and_taken_in_turn(write: Write) -> None:
    plan = plan_of(write(REAL, missions=["extermination", "bases"], layouts=["foundry"], sizes=[200, 220], battles=8))
    agreed = [plan.battle(2 * pair).setup.agreed for pair in range(4)]
    assert [(one["mission"], one["points"]) for one in agreed] == [
        ("extermination", 200),
        ("extermination", 220),
        ("bases", 200),
        ("bases", 220),
    ]
    assert {one["scenery"] for one in agreed} == {"foundry"}


def test_without_a_size_both_forces_may_be_as_large_as_they_are(write: Write) -> None:
    bigger = {"first.force.models[raider].count": [3, 6]}
    plan = plan_of(write(REAL, vary=bigger))
    assert [plan.battle(number).setup.agreed["points"] for number in (0, 2)] == [200, 242]


@pytest.mark.parametrize("player", ["search:80", {"name": "search", "lines": 80}])
def test_a_player_may_have_a_budget(raid: Any, write: Write, player: Any) -> None:
    plan = plan_of(write(first={"force": {"name": "North"}, "player": player}))
    made: Any = player_of(plan.variants[0].first, "1")
    assert (made.name, made.allowance.lines) == ("search", 80)


def test_a_force_may_lie_beside_the_experiment(raid: Any, write: Write, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: {en: Mine, it: Miei}\n", encoding="utf-8")
    plan = plan_of(write(first={"force": {"file": "mine.yaml"}, "player": "random"}))
    assert (plan.variants[0].first.force_name, plan.variants[0].first.force["name"]["en"]) == ("mine", "Mine")


# ---------------------------------------------------------------- labels


def labels_of(path: Path) -> list[str]:
    return [one.label for one in plan_of(path).variants]


def test_a_value_may_have_a_label_that_stands_for_it(raid: Any, write: Write) -> None:
    short = [{"label": "Long", "value": False}, True]
    plan = plan_of(write(vary={"options.short": short, "first.player": ["random"]}))
    assert [one.label for one in plan.variants] == [
        "Long, first.player=random",
        "options.short=true, first.player=random",
    ]
    assert [one.options for one in plan.variants] == [{"short": False}, {"short": True}]
    assert [one.changes["options.short"] for one in plan.variants] == [False, True]


def test_what_goes_together_has_one_name_where_any_of_it_has(raid: Any, write: Write) -> None:
    rows = {
        "first.player": ["random", {"label": "Looking ahead", "value": "greedy"}],
        "options.short": [False, True],
    }
    assert labels_of(write(together=rows)) == ["first.player=random, options.short=false", "Looking ahead"]


@pytest.mark.parametrize(
    "value",
    [
        {"label": "Long"},
        {"label": "", "value": True},
        {"label": " ", "value": True},
        {"label": 4, "value": True},
        {"label": "x" * 81, "value": True},
    ],
)
def test_a_label_that_is_none_is_refused_with_its_place(raid: Any, write: Write, value: Any) -> None:
    told = refused(write(vary={"options.short": [False, value]}))
    assert "vary.options.short[2]: a label has at most 80 characters and goes with a value" in told
    told = refused(write(together={"options.short": [False, value]}))
    assert "together.options.short[2]: a label" in told


def test_two_variants_cannot_have_one_label(raid: Any, write: Write) -> None:
    short = [{"label": "Mine", "value": False}, {"label": "Mine", "value": True}]
    assert "two variants have the label 'Mine'. Give each its own." in refused(write(vary={"options.short": short}))
    assert "two variants have the label 'Mine'" in refused(write(together={"options.short": short}))
    assert labels_of(write(vary={"options.short": [short[0], True]})) == ["Mine", "options.short=true"]


def test_a_label_does_not_make_a_value_another(raid: Any, write: Write) -> None:
    told = refused(write(vary={"options.short": [False, {"label": "Again", "value": False}]}))
    assert "the value false appears twice, at 1 and 2" in told
    told = refused(write(together={"options.short": [False, {"label": "Again", "value": False}]}))
    assert "the value false appears twice, at 1 and 2" in told


# ---------------------------------------------------------------- grids and paths


def test_what_is_varied_is_crossed_and_what_goes_together_is_not() -> None:
    found = grid({"options.a": [1, 2]}, {"options.b": [3, 4], "options.c": [5, 6]})
    assert [tuple(one.values()) for one in found] == [(1, 3, 5), (1, 4, 6), (2, 3, 5), (2, 4, 6)]
    assert label(found[1]) == "options.a=1, options.b=4, options.c=6"
    assert grid({}, {}) == [{}]


def test_a_grid_has_its_bounds() -> None:
    most = list(range(MOST_VARIANTS))
    assert len(grid({"options.a": most}, {})) == MOST_VARIANTS
    with pytest.raises(PathError, match="at most"):
        grid({"options.a": [*most, 0]}, {})
    with pytest.raises(PathError, match="differ in length"):
        grid({}, {"options.a": [1], "options.b": [1, 2]})
    with pytest.raises(PathError, match="under both"):
        grid({"options.a": [1]}, {"options.a": [1]})


def tree() -> dict[str, Any]:
    force = {"units": [{"unit": "guard", "size": 5}, {"unit": "guard", "size": 6}, {"unit": "seer"}]}
    return {"first": {"force": force, "player": "random"}, "second": {"force": "named"}, "options": {}, "agreed": {}}


def put(path: str, value: Any) -> Any:
    return varied(tree(), {path: value}, lambda force: {"resolved": [force]} if isinstance(force, str) else force)


def test_a_path_leads_into_the_force() -> None:
    assert put("first.force.units[1].size", 9)["first"]["force"]["units"][0]["size"] == 9
    assert put("first.force.units[seer].size", 2)["first"]["force"]["units"][2] == {"unit": "seer", "size": 2}
    assert put("first.force.units[3]", {"unit": "ox"})["first"]["force"]["units"][2] == {"unit": "ox"}
    assert put("second.force.resolved[1]", "other")["second"]["force"] == {"resolved": ["other"]}
    assert put("first.player.seconds", 0.2)["first"]["player"] == {"name": "random", "seconds": 0.2}
    assert put("options.short", True)["options"] == {"short": True}


def test_a_word_is_that_of_the_entry_which_begins_with_it() -> None:
    """Others may have it too: a leader who joins them."""
    units = [{"unit": "captain", "joins": "keepers"}, {"unit": "keepers", "size": 9}, {"unit": "tender"}]
    force = {"first": {"force": {"units": units}, "player": "random"}}
    made = varied(force, {"first.force.units[keepers].size": 7}, lambda one: one)
    assert [one.get("size") for one in made["first"]["force"]["units"]] == [None, 7, None]
    units.append({"unit": "keepers", "size": 5})
    with pytest.raises(PathError, match="2 entries contain the word 'keepers'"):
        varied(force, {"first.force.units[keepers].size": 7}, lambda one: one)


def test_the_original_is_not_touched() -> None:
    original = tree()
    varied(original, {"first.force.units[1].size": 9}, lambda force: force)
    assert original == tree()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("first.force.units[4].size", "the list has 3 entries"),
        ("first.force.units[0].size", "the list has 3 entries"),
        ("first.force.units[guard].size", "2 entries contain the word 'guard'"),
        ("first.force.units[ox].size", "0 entries contain the word 'ox'"),
        ("first.force.unit[1].size", "Did you mean 'units'?"),
        ("first.force.units.size", "goes no further"),
        ("first.force.units[1].size.more", "goes no further"),
        ("first.name", "force or player can be varied"),
        ("third.force", "a path starts with"),
        ("options", "name one after the dot"),
        ("options.a.b", "name one after the dot"),
        ("first..force", "is not a path"),
        ("first.force[", "is not a path"),
        ("", "is not a path"),
    ],
)
def test_a_path_that_leads_nowhere_says_where_it_stops(path: str, told: str) -> None:
    with pytest.raises(PathError) as error:
        put(path, 1)
    assert told in str(error.value)
    assert error.value.path == path


def test_the_steps_of_a_path_count_from_one() -> None:
    assert steps_of("first.force.units[2].size") == ["first", "force", "units", 1, "size"]


# ---------------------------------------------------------------- what cannot be used


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"ruleset": "chess"}, "line 2, ruleset: there is no ruleset 'chess'"),
        ({"first": {"force": "nobody"}}, "line 4, first.force: raid has no army 'nobody'"),
        ({"first": {"force": {"file": "../secret.yaml"}}}, "must be in the experiment's folder"),
        ({"first": {"force": {"file": "/etc/hostname"}}}, "must be in the experiment's folder"),
        ({"first": {"force": {"file": "none.yaml"}}}, "none.yaml cannot be read"),
        ({"second": {"force": {"name": "x"}, "player": "deep-thought"}}, "there is no player 'deep-thought'"),
        ({"second": {"force": {"name": "x"}, "player": {"name": "random", "depth": 3}}}, "random cannot be set up"),
        ({"second": {"force": {"name": "x"}, "player": "search:no"}}, "there is no player 'search:no'"),
        ({"second": {"force": {"name": "x"}, "player": {"name": "search", "lines": 0}}}, "search cannot be set up"),
        ({"options": {"long": True}}, "line 13, options.long: raid has no option 'long'"),
        ({"options": {"short": 3}}, "options.short: option 'short' of raid cannot be 3"),
        ({"agreed": {"mission": "tea"}}, "agreed.mission: mission cannot be 'tea'"),
        ({"missions": ["raid"]}, "line 13, missions: raid has no missions to choose from"),
        ({"vary": {"first.force.models[1].count": [1, 2]}}, "line 14, vary.first.force.models[1].count"),
        ({"vary": {"options.short": []}}, "below the minimum, 1"),
        ({"battles": 7}, "7 is not a multiple of 2"),
        ({"battles": None}, "either battles or a precision"),
        ({"precision": {"half_width": 0.1, "of": "score", "most": 100}}, "either battles or a precision"),
        (
            {"battles": None, "precision": {"half_width": 0.1, "of": "difference", "most": 100}},
            "nothing is varied",
        ),
        ({"battles": None, "precision": {"half_width": 0.1, "of": "score", "most": 40}}, "least is above most"),
        ({"battle": 6}, "'battle': not known here. Did you mean 'battles'?"),
        ({"campale": "experiment/9"}, "is not one of 'experiment/1'"),
    ],
)
def test_a_bad_experiment_is_told_with_its_line(raid: Any, write: Write, changes: dict[str, Any], told: str) -> None:
    assert told in refused(write(**changes))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"ruleset": "chess"}, "riga 2, ruleset: il regolamento 'chess' non c'è. Scegli fra "),
        ({"first": {"force": "nobody"}}, "riga 4, first.force: raid non ha l'armata 'nobody'. Ci sono: "),
        ({"battle": 6}, "'battle' qui non è conosciuto. Intendevi 'battles'?"),
        ({"battles": "many"}, "battles: 'many' non è un numero intero"),
        ({"options": {"long": True}}, "options.long: raid non ha l'opzione 'long'; ha: short. Scegline una."),
        ({"options": {"short": 3}}, "options.short: l'opzione 'short' di raid non può essere 3, ma solo: False, True."),
        (
            {"vary": {"first.force.models[1].count": [1, 2]}},
            "riga 14, vary.first.force.models[1].count: first.force.mod",
        ),
        ({"vary": {"first.name": [1]}}, "di first si può variare force o player. Indicane uno dopo il punto."),
    ],
)
def test_a_bad_experiment_is_told_in_italian(raid: Any, write: Write, changes: dict[str, Any], told: str) -> None:
    assert told in refused(write(**changes), "it")


def test_what_the_book_has_against_a_force_is_told_in_either_language(write: Write) -> None:
    """Of a force that is too dear, and of one that nobody can read."""
    dear = write(REAL, vary={"first.force.models[raider].count": [3, 5]}, sizes=[200])
    assert "L'armata costa 228 punti, il limite è 200. Togli qualcosa." in refused(dear, "it")
    strange = write(REAL, first={"force": {"name": {"en": "x", "it": "x"}, "models": [{"profile": "nobody"}]}})
    assert "line 5, first.force: x: force: 'ruleset', 'army_list', 'points' missing." in refused(strange)
    assert "riga 5, first.force: x: force: manca 'ruleset', 'army_list', 'points'." in refused(strange, "it")


PLACEHOLDER = re.compile(r"\{(\w+)\}")
SPOKEN = {
    "lab/words/experiment": ("experiment.", [*Path(lab.__file__).parent.glob("*.py")]),
    "referee/words/reading": ("file.", [Path(reading.__file__), Path(puzzle.__file__), Path(scenario_stage.__file__)]),
}


@pytest.mark.parametrize("folder", SPOKEN)
def test_both_languages_have_every_sentence_that_is_used(folder: str) -> None:
    prefix, sources = SPOKEN[folder]
    root = Path(reading.__file__).parents[1] / folder
    english, italian = (json.loads((root / f"{tongue}.json").read_text("utf-8")) for tongue in ("en", "it"))
    assert set(english) == set(italian)
    for key in english:
        assert set(PLACEHOLDER.findall(english[key])) == set(PLACEHOLDER.findall(italian[key])), key
    said: dict[str, set[str]] = {}
    for call in (node for path in sources for node in ast.walk(ast.parse(path.read_text("utf-8")))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "say":
            for key in (node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)):
                said[prefix + str(key)] = {str(one.arg) for one in call.keywords}
    for key in set(said) & set(english):
        assert set(PLACEHOLDER.findall(english[key])) <= said[key], key
    assert {key for key in english if not key.startswith("file.sort.")} <= set(said)


def test_a_mission_that_there_is_not_is_told_with_those_there_are(write: Write) -> None:
    told = refused(write(REAL, missions=["extermination", "tea"]))
    assert "missions[2]: mission cannot be 'tea'. Choose one of extermination, " in told


def test_what_the_book_refuses_is_told_before_anything_is_played(write: Write) -> None:
    told = refused(write(REAL, vary={"first.force.models[raider].count": [3, 5]}, sizes=[200]))
    assert "vary.first.force.models[raider].count: ragnarok refuses this battle (variant 1: " in told
    assert "228 points, the limit is 200" in told


def test_a_misspelt_key_of_a_force_is_told_with_the_path_that_made_it(write: Write) -> None:
    told = refused(write(REAL, vary={"first.force.models[raider].cuont": [3]}))
    assert "vary.first.force.models[raider].cuont" in told


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff\xfe\x00",
        b"[" * 5000,
        b"a: &x [1]\nb: *x\n",
        b"campale: !!python/object/apply:os.system ['true']\n",
        b"- 1\n",
        b"campale: experiment/1\nruleset: .nan\n",
        b"x" * (SIZE_LIMIT + 1),
    ],
)
def test_a_hostile_file_is_refused_in_words(tmp_path: Path, source: bytes) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_bytes(source)
    assert refused(path).startswith("hostile.yaml")


def test_so_many_variants_that_nobody_can_play_them_are_refused(raid: Any, write: Write) -> None:
    many = {f"first.force.{name}": list(range(200)) for name in "abcdefgh"}
    assert "Vary less at a time" in refused(write(vary=many))
