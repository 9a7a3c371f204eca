"""Scenario files: the format, every kind of expectation, errors with their lines, and files that mean harm."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campale.referee.ruleset import load_ruleset
from campale.referee.scenarios.look import as_rolled
from campale.referee.scenarios.scenario import SCHEMA, check, files_in, read_scenario, schema
from campale.referee.scenarios.trace import trace
from tests.work import at_most

ROOT = Path(__file__).parents[2]
FULL = """\
campale: scenario/1
title: {en: "Beyond half range", it: "Oltre metà gittata"}
ruleset: ragnarok
rules: [fire/mod-half-range]
options: {jams: true}
table: {width: 120, pieces: [{kind: wood, at: [20, 100], turn: 30}, {name: wall, outline: [[0, 0], [5, 0], [5, 5]]}]}
models:
  - {id: Anna, profile: {profile: steam_rifleman, adds: [spyglass], changes: {psyche: 7}}, side: 1, at: [60, 20]}
  - {id: Rik, profile: steam_rifleman, where: reserve, unit: Rears}
  - {id: Far, profile: raider, side: 2, at: [110, 110], facing: 0}
  - {id: Bo, profile: raider, side: 2, at: [60, 60], facing: 0, marks: {charisma: 2}, notes: {name_it: Beppe}}
units: {Rears: {marks: {tired: 1}, notes: {why: late}}}
sides: {"1": {pools: {bonus: 2}, holds: {edge: [south]}}}
now: {turn: 5, side: {side: 1}}
declared: {aimed: Anna}
effects: [{rule: abilities/supersteam, bearer: Bo, source: Far, until: turn, value: 3}]
losses: [{model: Rik, cause: shot, by: Bo}]
tokens: [{kind: objective, at: [30, 30], side: 2}]
snapshots: {start: {Anna: [60, 10, 0]}}
dice: "3 2 | 5"
play:
  - expect:
      asked: {side: 1, prompt: act, kind: form}
      offers: [{has: [Anna, end], lacks: [Rik]}, {filled: [Anna, fire], only: ["@Moschetto a vapore"]}]
      models: {Anna: {at: [60, 20], facing: 0, where: table, unit: Anna, marks: {charisma: 3}}, Rik: {where: reserve}}
      units: {Rears: {marks: {tired: 1}, notes: {why: late}}}
      pools: {"1": {bonus: 2}}
      holds: {"1": {edge: [south]}}
      now: {turn: 5, side: {side: 1}, round: 3}
      declared: {aimed: Anna}
      effects: [{rule: abilities/supersteam, bearer: Bo}]
      effects_not: [{rule: abilities/supersteam, bearer: Anna}]
      losses: [{model: Rik, cause: shot}]
      tokens: [{kind: objective, at: [30, 30], side: 2}]
  - by: 1
    refused:
      - {answer: [Anna, hide], rule: hide/condition, model: Anna}
      - {answer: [Anna, move, walk, [[[60, 33]], 0]], rule: move/allowance, measured: 13, limit: 12}
      - {answer: [Anna, fire, "@steam_musket", Anna, plain], word: answer.not-offered}
    answer: [Anna, fire, "@steam musket", Bo, plain]
    expect:
      cites: [fire/sequence]
      cites_not: [charge/path]
      events: [{event: action, values: {model: Anna, action: fire}}, roll]
      events_not: [jam, {event: action, values: {model: Bo}}]
      rolls: [{why: to-hit, side: 1, count: 2, number: 4, parts: {aim/bonus: 1}, about: {target: Bo}}]
      rolls_not: [armour-save]
  - expect: {events_not: [action]}
expect: {asked: {side: 1}, dice_left: 0, models: {Bo: {marks: {morale: 1}, notes: {name_it: Beppe}}}, events: [roll]}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "one.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, text: str) -> str:
    return "\n".join(check(written(folder, text)))


def test_every_part_of_the_format_is_taken(tmp_path: Path) -> None:
    assert problems(tmp_path, FULL) == ""


def test_the_schema_is_that_of_the_format() -> None:
    assert json.loads(SCHEMA.read_text("utf-8")) == schema()


def test_the_script_of_dice_may_be_a_list(tmp_path: Path) -> None:
    assert problems(tmp_path, FULL.replace('"3 2 | 5"', "[3, 2, 5]")) == ""


def test_a_position_can_be_looked_at_without_playing(tmp_path: Path) -> None:
    stage = read_scenario(written(tmp_path, FULL))
    assert [model.name for model in stage.game.position.on_table()] == ["Anna", "Far", "Bo"]
    assert stage.game.position.snapshots["start"][0] == (60.0, 10.0, 0.0, 0.0)


def test_the_files_of_a_folder_are_found(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("z.yaml", "b/a.yml", "b/notes.txt"):
        (tmp_path / name).write_text("", "utf-8")
    assert [path.name for path in files_in(tmp_path)] == ["a.yml", "z.yaml"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("at: [60, 20], facing: 0, where", "at: [60, 21], facing: 0, where", "stands at 60, 20, not at 60, 21"),
        ("facing: 0, where: table", "facing: 9, where: table", "Anna faces 0, not 9"),
        ("Rik: {where: reserve}}", "Rik: {where: gone}}", "Rik is reserve, not gone"),
        ("unit: Anna", "unit: Rears", "is of Anna, not of Rears"),
        ("marks: {charisma: 3}", "marks: {charisma: 4}", "has 3 of charisma, not 4"),
        ("notes: {why: late}}}\n      pools", "notes: {why: soon}}}\n      pools", "has late noted as why"),
        ('pools: {"1": {bonus: 2}}\n', 'pools: {"1": {bonus: 1}}\n', "side 1 holds 2 of bonus, not 1"),
        ('holds: {"1": {edge: [south]}}\n', 'holds: {"1": {edge: [east]}}\n', "side 1 holds [south] as edge"),
        ("round: 3", "round: 4", "round is 3, not 4"),
        ("      declared: {aimed: Anna}", "      declared: {aimed: Bo}", "aimed is 0, not Bo"),
        ("supersteam, bearer: Bo}]", "supersteam, bearer: Far}]", "abilities/supersteam is not in effect on Far"),
        ("bearer: Anna}]", "bearer: Bo}]", "is in effect on Bo"),
        ("losses: [{model: Rik, cause: shot}]", "losses: []", "lost are Rik (shot)"),
        ("      tokens: [{kind: objective, at: [30, 30], side: 2}]", "      tokens: []", "on the table lie"),
        ("lacks: [Rik]", "lacks: [Anna]", "'Anna' is offered"),
        ("has: [Anna, end]", "has: [Rik]", "'Rik' is not offered; offered are Anna"),
        ('only: ["@Moschetto a vapore"]', "only: []", "offered are 0"),
        ("prompt: act, kind", "prompt: react, kind", "asked is side 1: form 'act'"),
        ("asked: {side: 1, prompt", "asked: {side: 2, prompt", "asked is side 1: form 'act'"),
        ("asked: {side: 1, prompt: act, kind: form}", "asked: nobody", "asked is side 1: form 'act'"),
        ("asked: {side: 1, prompt: act, kind: form}", "asked: {side: both}", "not both sides are asked"),
        ("rule: hide/condition, model: Anna", "rule: hide/condition, model: Bo", "because of Anna, not of Bo"),
        ("rule: hide/condition", "rule: hide/state", "refused by hide/condition, not by hide/state"),
        ("measured: 13", "measured: 12.5", "measured is 13.0, not 12.5"),
        ("[Anna, hide]", "[Anna, aim]", "the answer is allowed, hide/condition was to be refused"),
        ("Bo, plain]", "Far, plain]", "no such roll for to-hit"),
        ("cites: [fire/sequence]", "cites: [charge/path]", "charge/path is not cited"),
        ("cites_not: [charge/path]", "cites_not: [fire/sequence]", "fire/sequence is cited"),
        ("action: fire}}, roll]", "action: fire}}, jam]", "jam has not happened"),
        ("events_not: [jam,", "events_not: [roll,", "roll has happened"),
        ("number: 4, parts", "number: 5, parts", "of these there were: 2D6 at 4+ (aim/bonus +1)"),
        ("parts: {aim/bonus: 1}", "parts: {}", "no such roll for to-hit"),
        ("rolls_not: [armour-save]", "rolls_not: [to-hit]", "to-hit was rolled"),
        ("dice_left: 0", "dice_left: 1", "0 dice are left over (), 1 were to be"),
        ("dice_left: 0", "winner: 1", "the battle is not over"),
        ('"3 2 | 5"', '"3 2 | 5 6"', "line 20, dice: 1 dice are left over (6), 0 were to be"),
        ('"3 2 | 5"', '"3 2"', "the script of dice has run out: roll 'shield-save' wants 1, 0 left, after line 40"),
        ('"3 2 | 5"', '"3 7 | 5"', "which cannot come up"),
        ("[Anna, fire, \"@steam musket\", Bo, plain]", "[Anna, dance]", "'action' offers move, fire"),
        ("  - by: 1\n", "  - by: 2\n", "side 2 is not asked anything; asked is side 1: form 'act'"),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_told_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert FULL.count(old) == 1, old
    text = FULL.replace(old, new)
    found = problems(tmp_path, text)
    assert "one.yaml, line " in found
    assert told in found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("ruleset: ragnarok", "ruleset: ragnarock", "line 3, ruleset: there is no ruleset 'ragnarock'; there are:"),
        ("ruleset: ragnarok", "ruleset: ../os", "there is no ruleset '../os'"),
        ("rules: [fire/mod-half-range]", "rules: [fire/mod-half]", "line 4, rules[1]: the ledger of ragnarok has"),
        ("{jams: true}", "{jam: true}", "line 5, options: ragnarok has no option 'jam'"),
        ("{jams: true}", "{jams: maybe}", "cannot be 'maybe'"),
        ("{jams: true}", "{jams: [1]}", "cannot be [1]"),
        ("kind: wood", "kind: forest", "line 6, table.pieces[1]: this is no piece of terrain: There is"),
        ("kind: wood, at: [20, 100]", "kind: wood", "missing required field `at`"),
        ("[[0, 0], [5, 0], [5, 5]]", "[[0, 0], [5]]", "line 6, table.pieces[2]: this is no piece of terrain"),
        ("[[0, 0], [5, 0], [5, 5]]", "[]", "this is no piece of terrain: an outline needs 3 corners at least"),
        ("[[0, 0], [5, 0], [5, 5]]", "[[0, 0], [5, 0]]", "this is no piece of terrain: an outline needs 3 corners"),
        ("name: wall", "name: wood-1", "there are two pieces called 'wood-1'"),
        ("width: 120", "width: 4000", "4000 is above the maximum, 400"),
        ("profile: steam_rifleman, where", "profile: steam_riflemann, where", "Did you mean 'steam_rifleman'?"),
        ("adds: [spyglass]", "adds: [spyglas]", "Did you mean 'spyglass'?"),
        ("changes: {psyche: 7}", "changes: {psych: 7}", "a profile has no psych. Did you mean 'psyche'?"),
        ("changes: {psyche: 7}", "changes: {psyche: calm}", "this is no profile of ragnarok"),
        ("id: Rik", "id: Anna", "there are two models called 'Anna'"),
        ("id: Rik", "id: rik", "'rik' does not have the right form"),
        ("where: reserve, unit", "where: nowhere, unit", "does not have the right form"),
        ("where: reserve, unit", "where: aboard Nobody, unit", "there is no model 'Nobody'"),
        ("where: reserve, unit", "unit", "say where it stands"),
        ("at: [110, 110], facing", "at: [110, 130], facing", "110, 130 is not on the table of 120 by 120"),
        ("at: [110, 110], facing", "at: [60, 22], facing", "Anna and Far overlap"),
        ("marks: {charisma: 2}", "marks: {charism: 2}", "has no marks 'charism'. Did you mean 'charisma'?"),
        ("marks: {charisma: 2}", "marks: {charisma: 2000}", "2000 is above the maximum"),
        ("marks: {charisma: 2}", "marks: {charisma: 2.5}", "2.5 is not a whole number"),
        ("\nunits: {Rears", "\nunits: {Ears", "there is no unit 'Ears'. Did you mean 'Rears'?"),
        ('sides: {"1"', 'sides: {"3"', "'3'"),
        ("pools: {bonus: 2}, holds", "pools: {bonuses: 2}, holds", "has no pools 'bonuses'"),
        ("now: {turn: 5, side: {side: 1}}", "now: {phase: lunch}", "phase cannot be 'lunch', only one of"),
        ("now: {turn: 5, side: {side: 1}}", "now: {mood: bad}", "has no now 'mood'"),
        ("\nnow: {turn: 5, side", "\nnow: {turn: soon, side", "this is no moment of a battle"),
        ("declared: {aimed: Anna}\neff", "declared: {famed: Anna}\neff", "has no declared 'famed'"),
        ("rule: abilities/supersteam, bearer: Bo, source", "rule: abilities/steam, bearer: Bo, source", "has no rule"),
        ("bearer: Bo, source: Far", "bearer: Bob, source: Far", "there is no model 'Bob'. Did you mean 'Bo'?"),
        ("cause: shot, by: Bo", "cause: shot, by: Boo", "there is no model 'Boo'"),
        ("{Anna: [60, 10, 0]}", "{Nanna: [60, 10, 0]}", "there is no model 'Nanna'"),
        ('"3 2 | 5"', '"3 2 | x"', "line 20, dice: 'x' is no die"),
        ('"3 2 | 5"', '"3 nan"', "'nan' is no die"),
        ('"3 2 | 5"', "[.nan]", "'.nan' is not a finite number"),
        ('"3 2 | 5"', "1e999", "'1e999' is no die"),
        ("\nnow: {turn: 5", "\nnow: {turn: 123456789", "123456789 is farther from 0 than 100000"),
        ("by: 1", "by: 3", "3 is above the maximum, 2"),
        ("[Anna, hide]", "[Nonna, hide]", "there is no model 'Nonna'"),
        ("@steam musket", "@steam trumpet", "nothing is shown as 'steam trumpet' here; shown are: steam musket"),
        ("dice_left: 0", "dice_lost: 0", "'dice_lost': not known here. Did you mean 'dice_left'?"),
        ("campale: scenario/1", "campale: scenario/2", "'scenario/2' is not one of 'scenario/1'"),
        ("title: {", "title: 5 #", "5 is not text or a table of keys and values of the right form"),
        ("rules: [fire", "rules: &a [fire", "anchors (&) and aliases (*) are not allowed"),
        ("rules: [fire/mod-half-range]", "rules: !!python/name:os.system []", "tag"),
        ("rules: [fire/mod-half-range]", "rules: [" * 40, "levels deep"),
        ("rules: [fire/mod-half-range]", "rules: [}", "not valid YAML"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_out_is_told_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert FULL.count(old) == 1, old
    found = problems(tmp_path, FULL.replace(old, new))
    assert "one.yaml, line " in found
    assert told in found


@pytest.mark.parametrize("text", ["", "[]", "5", "a: 1", "campale: scenario/1", "\x00", "--- 1\n--- 2", "? [a]\n: b"])
def test_what_is_no_scenario_is_told(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, text)


def test_a_file_that_is_not_there_or_too_large_is_told(tmp_path: Path) -> None:
    assert "this file does not exist" in check(tmp_path / "none.yaml")[0]
    assert "larger than" in problems(tmp_path, "a" * 300_000)


# ---------------------------------------------------------------- files that mean harm

PLAIN: dict[str, Any] = yaml.safe_load(FULL)
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-5, 130),
        st.integers(),
        st.floats(),
        st.text(max_size=6),
        st.sampled_from(["Anna", "Bo", "fire", "move", "melee", "end", "command", "charge", "@", "no", "aboard Anna"]),
        st.sampled_from(["deployment", "mission", "control", "assassination", "patrol", "bases", "reaction-fire", "1"]),
    ),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=8,
)


def places(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inside: list[tuple[Any, Any]] = list(value.items()) if isinstance(value, dict) else []
    inside += list(enumerate(value)) if isinstance(value, list) else []
    return [here, *(place for key, one in inside for place in places(one, (*here, key)))]


PLACES = places(PLAIN)[1:]


def changed(place: tuple[str | int, ...], value: Any, how: str) -> Any:
    """The file with something else in a place, without it, or with one more key or element in it."""
    whole: Any = json.loads(json.dumps(PLAIN))
    at = whole
    for step in place[:-1]:
        at = at[step]
    if how == "without":
        del at[place[-1]]
    elif how == "more" and isinstance(at[place[-1]], dict):
        at[place[-1]][str(value)[:12]] = value
    elif how == "more" and isinstance(at[place[-1]], list):
        at[place[-1]].append(value)
    else:
        at[place[-1]] = value
    return whole


def told(path: Path) -> list[str]:
    """What is found in a file, each with its place."""
    found = check(path)
    assert all(line.startswith("one.yaml") for line in found)
    return found


@settings(
    max_examples=400, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(place=st.sampled_from(PLACES), value=VALUES, how=st.sampled_from(["other", "without", "more"]))
def test_a_changed_file_holds_or_is_told(tmp_path: Path, place: tuple[str | int, ...], value: Any, how: str) -> None:
    told(written(tmp_path, yaml.safe_dump(changed(place, value, how), allow_unicode=True)))


@settings(
    max_examples=200, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_damaged_file_holds_or_is_told(tmp_path: Path, data: st.DataObject) -> None:
    damaged = bytearray(FULL.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    path = tmp_path / "one.yaml"
    path.write_bytes(bytes(damaged))
    told(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FULL.replace("{psyche: 7}", "{attacks: 100000, movement: 100000, senses: 100000}"), "was to be refused"),
        (FULL.replace('"3 2 | 5"', '"' + "6 " * 3900 + '"'), "3896 dice are left over"),
        (FULL.replace("{bonus: 2}, holds", "{exploration: 1000, bonus: 2}, holds"), "1 dice are left over"),
        (
            FULL.replace("marks: {charisma: 2}", "marks: {charisma: 2, fatigue: 1000, morale: 1000, wounds: 1000}"),
            "Bo has 1001 of morale, not 1",
        ),
        (FULL.replace("now: {turn: 5", "now: {phase: end, turns: 1000, turn: 5"), "'Anna' is not offered"),
        ("a: " + "[" * 100_000, "more than 12 levels deep"),
        ("a: " + "{b: " * 50_000, "more than 12 levels deep"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "anchors (&) and aliases (*) are not allowed"),
        ("- " * 60_000, "more than 12 levels deep"),
        ("a: " + "9" * 100_000, "is not a valid int"),
    ],
)
def test_a_file_that_means_harm_is_told_at_once(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with at_most(250_000 if text.startswith("campale") else 5_000):
        found = told(path)
    assert said in "\n".join(found)


@pytest.mark.parametrize("seed", range(6))
def test_a_changed_file_of_a_book_holds_or_is_told(tmp_path: Path, seed: int) -> None:
    """Shipped files with something else in a place or two, or without it, or with one more."""
    rng = Random(f"changed {seed}")
    files = [path for book in ("e55", "ragnarok") for path in sorted(scenarios_of(book).rglob("*.yaml"))]
    for path in rng.sample(files, 25):
        content = yaml.safe_load(path.read_text("utf-8"))
        for _ in range(rng.choice((1, 2))):
            put_in(content, rng)
        told(written(tmp_path, yaml.safe_dump(content, allow_unicode=True)))


ODD: list[Any] = [
    None,
    True,
    -1,
    7,
    1e9,
    0.5,
    "",
    "Red",
    "@x",
    [],
    [1],
    [[1, 2]],
    ["a"],
    {},
    {"shift": [1]},
    {"x": [1, 2]},
]


def scenarios_of(book: str) -> Path:
    return load_ruleset(book).folder / "scenarios"


def put_in(content: Any, rng: Random) -> None:
    place = rng.choice(places(content)[1:])
    at = content
    for step in place[:-1]:
        at = at[step]
    how, value = rng.choice(("other", "without", "more")), rng.choice(ODD)
    if how == "without":
        del at[place[-1]]
    elif how == "more" and isinstance(at[place[-1]], dict):
        at[place[-1]][str(value)[:12]] = value
    elif how == "more" and isinstance(at[place[-1]], list):
        at[place[-1]].append(value)
    else:
        at[place[-1]] = value


def test_the_ways_of_several_models_are_points(tmp_path: Path) -> None:
    """Where a unit moves: each is told at its place, and none is a fault of the checker's."""
    shipped = (scenarios_of("e55") / "types" / "bikes-through-woods.yaml").read_text("utf-8")
    for wrong in ("[0]", "x", "[a, b]", "[1, 2, 3, 4]", "[true, 1]"):
        text = shipped.replace("answer: {shift: [0, 12]}", f"answer: {{shift: {wrong}}}")
        assert "is no point: that is two numbers" in "\n".join(told(written(tmp_path, text)))
    text = shipped.replace("answer: {shift: [0, 12]}", "answer: {Nobody: 5}")
    assert "Nobody" in "\n".join(told(written(tmp_path, text)))


# ---------------------------------------------------------------- both sides at once, and the battle itself

BATTLE = FULL[: FULL.index("play:")].replace('"3 2 | 5"', '""')


@pytest.mark.parametrize(
    ("play", "told"),
    [
        ("  - {by: 2, act: concede, expect: {asked: nobody, winner: 1, ended_by: concede}}\n", ""),
        ("  - {by: 2, act: concede, expect: {winner: nobody}}\n", "the winner is 1, not nobody"),
        ("  - {by: 2, act: concede, expect: {ended_by: flight}}\n", "the battle ended by concede, not by flight"),
        ("  - {act: undo}\n", "refused by undo.nothing"),
        ("  - {answer: [Anna, aim]}\n  - {act: undo, expect: {models: {Anna: {marks: {charisma: 3}}}}}\n", ""),
    ],
)
def test_acts_on_the_battle_itself(tmp_path: Path, play: str, told: str) -> None:
    found = problems(tmp_path, BATTLE + "play:\n" + play)
    assert told in found
    assert bool(told) == bool(found)


# ---------------------------------------------------------------- in the package


def test_the_scenarios_are_inside_the_wheel() -> None:
    """All that stands in the package's folder is in it, unless something is left out expressly."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["packages"] == ["src/campale"]
    assert "exclude" not in build
    assert "exclude" not in build["targets"]["wheel"]
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    assert not {"*.yaml", "*.json", "scenarios", "scenarios/"} & set(ignored)


# ---------------------------------------------------------------- in the documentation


@pytest.mark.parametrize("page", ["docs/en/scenarios.md", "docs/it/scenari.md"])
def test_the_example_of_the_documentation_holds(page: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text("utf-8")
    example = text.partition("```yaml\n")[2].partition("```")[0]
    assert problems(tmp_path, example) == ""
    told = problems(tmp_path, example.replace("4 5 | 1 2", "5 5 | 1 2"))
    assert "line 9, dice: the script of dice has run out" in told
    assert "line 9, dice: the script of dice has run out" in text


@pytest.mark.parametrize("page", ["docs/en/scenarios.md", "docs/it/scenari.md"])
def test_the_documentation_names_every_key(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for part in schema()["$defs"].values():
        for key in part["properties"]:
            assert re.search(rf"\b{key}\b", text), (part["title"], key)


# ---------------------------------------------------------------- going on, stopping, naming


STEPPING = """\
campale: scenario/1
title: {en: "Step by step"}
ruleset: ragnarok
models:
  - {id: Anna, profile: steam_rifleman, side: 1, at: [60, 20]}
  - {id: Far, profile: raider, side: 2, at: [110, 110], facing: 0}
  - {id: Bo, profile: raider, side: 2, at: [60, 60]}
"""


def test_a_reaction_is_told_by_the_name_of_who_reacts(tmp_path: Path) -> None:
    """Nobody else reacts; the fields of a form go by their names, and what is not named is passed."""
    text = STEPPING + (
        'dice: "4 5"\nplay:\n'
        '  - answer: {model: Anna, action: fire, weapon: "@steam musket", target: Bo, doubling: plain}\n'
        "    expect: {asked: {side: 2, prompt: reactions}}\n"
        "  - {by: 2, answer: {Bo: go-prone}, expect: {models: {Bo: {marks: {prone: 4}}}}}\n"
    )
    assert problems(tmp_path, text) == ""
    strange = text.replace("{Bo: go-prone}", "{Bo: go-prone, Far: go-prone}")
    assert "the form has no 'Far'; it asks for Bo, reaction" in problems(tmp_path, strange)
    lacking = text.replace("action: fire, ", "")
    assert "the form asks for 'action' too: say what" in problems(tmp_path, lacking)


def test_play_goes_on_by_itself_until_a_question_a_phase_or_a_turn(tmp_path: Path) -> None:
    for until, holds in (
        ("{turn: 4}", "{asked: {side: 2, prompt: act}, now: {turn: 4}}"),
        ("{side: 2, prompt: act}", "{asked: {side: 2, prompt: act}, now: {turn: 4}}"),
        ("{phase: tactical, turn: 5}", "{asked: {side: 1, prompt: act}}"),
    ):
        text = STEPPING + f'dice: ""\nplay:\n  - until: {until}\n    expect: {holds}\n'
        assert problems(tmp_path, text) == ""
    never = STEPPING + 'dice: ""\nplay:\n  - until: {prompt: nothing-of-the-kind}\n'
    assert "play[1].until: that is never reached" in problems(tmp_path, never)


def test_play_does_not_go_on_over_a_decision(tmp_path: Path) -> None:
    text = STEPPING + 'now: {phase: initiative}\ndice: "2 5"\nplay:\n  - until: {phase: tactical}\n'
    found = problems(tmp_path, text)
    assert "play[1].until: play does not go on by itself: asked is side 2: choose 'go-first'" in found
    assert "'go-first' offers first, second" in found


def test_play_stops_where_it_is_told_to(tmp_path: Path) -> None:
    text = STEPPING + (
        'dice: "6 6 6"\nplay:\n  - {stop: true, expect: {asked: {side: 1}}}\n  - answer: [Nobody]\n'
        "expect: {asked: {side: 1, prompt: act}, now: {turn: 3}}\n"
    )
    assert problems(tmp_path, text) == ""
    assert "3 dice are left over" in problems(
        tmp_path, text.replace("stop: true, ", "").replace("  - answer: [Nobody]\n", "")
    )
    assert problems(tmp_path, text.replace("turn: 3", "turn: 4")) != ""


def test_dice_are_left_only_for_what_is_not_played(tmp_path: Path) -> None:
    text = STEPPING + 'dice: "6 6 6"\nplay:\n  - {stop: true, expect: {asked: {side: 1}}}\n'
    assert "3 dice are left over" in problems(tmp_path, text)


# ---------------------------------------------------------------- what happens, told


def test_a_trace_tells_every_question_every_answer_and_every_die(tmp_path: Path) -> None:
    happened, amiss = trace(written(tmp_path, FULL))
    text = "\n".join(happened)
    assert amiss == check(tmp_path / "one.yaml")
    assert "-- line 35, play[2]" in text
    assert "asked is side 1: form 'act', 'model' offers Anna, end" in text
    assert "side 1 answers [Anna, fire, @steam musket, Bo, plain]" in text
    assert "roll to-hit: 3 2, 2D6 at 4+ (aim/bonus +1)  [fire/sequence]" in text
    assert "Anna" in trace(tmp_path / "one.yaml", "it")[0][-1]
    wrong = written(tmp_path, FULL.replace('"3 2 | 5"', '"3"'))
    happened, amiss = trace(wrong)
    assert amiss
    assert happened[-2].startswith("   side 1 answers")
    assert trace(written(tmp_path, "a: 1"))[1]


def test_a_number_that_is_not_to_be_exceeded_is_told_as_such() -> None:
    need = {"base": 12, "parts": [{"rule": "core/fumble", "value": -2}]}
    assert as_rolled({"count": 1, "sides": 20, "needed": {**need, "at_most": True}}) == "1D20 at ≤12 (core/fumble -2)"
    assert as_rolled({"count": 2, "sides": 6, "needed": need}) == "2D6 at 12+ (core/fumble -2)"
    assert as_rolled({"count": 1, "sides": 20, "needed": None}) == "1D20"


# ---------------------------------------------------------------- more to expect, and to set out


def test_more_can_be_expected(tmp_path: Path) -> None:
    shot = FULL.replace("rolls_not: [armour-save]", "rolls_not: [armour-save]\n      {more}")
    for more, said in (
        ("rolls_exactly: [{why: to-hit, faces: [3, 2]}, {why: shield-save, faces: [5]}]", ""),
        ("rolls_exactly: [{why: shield-save}, {why: to-hit}]", "the rolls were: to-hit 2D6 at 4+"),
        ("rolls_exactly: [{why: to-hit}]", "the rolls were"),
        ("pieces: {wall: {kind: piece}, wood-1: {tags: [wood]}}", None),
        ("pieces: {barn: {}}", "no piece 'barn' lies on the table; there are wood-1, wall"),
        ("pieces_not: [wall]", "wall lies there"),
        ('reserves: {"1": [Rears]}', ""),
        ('reserves: {"2": [Rears]}', "side 2 has in reserve: nobody"),
        ("models: {Bo: {points: 1000}}", "Bo costs"),
        ("effects: [{rule: abilities/supersteam, bearer: Bo}]", ""),
    ):
        found = problems(tmp_path, shot.replace("{more}", more))
        if said is not None:
            assert (said in found) if said else (found == problems(tmp_path, FULL)), (more, found)


def test_an_effect_is_on_a_unit_where_it_names_one(tmp_path: Path) -> None:
    text = FULL.replace("bearer: Bo, source: Far", "bearer: Rears, source: Far")
    text = text.replace(
        "effects: [{rule: abilities/supersteam, bearer: Bo}]", "effects: [{rule: abilities/supersteam, bearer: Rears}]"
    )
    assert problems(tmp_path, text) == problems(tmp_path, FULL)
    assert "not in effect on Rears" in problems(tmp_path, text.replace("bearer: Rears, source", "bearer: Bo, source"))


@pytest.mark.parametrize("id_", ["On", "Off", "No", "Yes", "ON"])
def test_words_that_some_take_for_true_and_false_are_names(tmp_path: Path, id_: str) -> None:
    text = FULL.replace("Bo", id_)
    assert problems(tmp_path, text) == problems(tmp_path, FULL).replace("Bo", id_)
    effect = FULL.replace("until: turn, value: 3", "until: turn, value: 3, on: model")
    assert problems(tmp_path, effect) == problems(tmp_path, FULL)


def test_weapons_and_powers_of_the_files_own(tmp_path: Path) -> None:
    text = STEPPING.replace("steam_rifleman", "{profile: steam_rifleman, adds: [long_tom]}") + (
        "weapons: {long_tom: {kind: ranged, range: 90, rate: 3, rules: []}}\n"
        'dice: ""\nplay:\n  - expect: {offers: [{filled: [Anna, fire], has: ["@long_tom"]}]}\n'
    )
    assert problems(tmp_path, text) == ""
    assert "no weapon or equipment 'long_tom'" in problems(
        tmp_path, text.replace("weapons: {long_tom", "weapons: {tall_tom")
    )
    book = "campale: scenario/1\ntitle: x\nruleset: e55\n"
    models = "models:\n  - {id: Red, profile: {profile: veteran, weapons: [gun], powers: [curse]}, at: [30, 10]}\n"
    foe = "  - {id: Foe, profile: veteran, side: 2, at: [30, 20]}\n"
    own = "weapons:\n  gun: {range: 24, strength: 5, ap: 4, rules: [heavy 2]}\n"
    own += "  curse: {kind: dread, cost: 1, range: 12}\n"
    whole = book + models + foe + "units: {Red: {marks: {faces: Foe}}}\n" + own
    assert (
        problems(tmp_path, whole + "play:\n  - {answer: [shoot, {unit: Red}], expect: {asked: {prompt: shots}}}\n")
        == ""
    )
    assert "this is no profile of" in problems(tmp_path, whole.replace("ap: 4", "ap: 40"))


def test_nobody_stands_in_what_is_impassable_and_nothing_is_explored_that_is_not_there(tmp_path: Path) -> None:
    pond = "table: {pieces: [{name: pond, outline: [[55, 15], [65, 15], [65, 25], [55, 25]], tags: [impassable]}]}\n"
    assert "Anna stands in pond, which is impassable" in problems(tmp_path, STEPPING + pond)
    assert "Anna" not in problems(tmp_path, STEPPING.replace("[60, 20]", "[60, 30]") + pond)
    explored = STEPPING + "declared: {explored: [[barn, {side: 1}]]}\n"
    assert "no piece 'barn' was explored: there is none of that name" in problems(tmp_path, explored)


def test_the_moment_before_the_first_turn(tmp_path: Path) -> None:
    """The roll for who goes first, and then turn 1 of whoever won it."""
    text = STEPPING + (
        'now: {phase: initiative}\ndice: "2 5"\nplay:\n'
        "  - {by: 2, answer: first, expect: {now: {turn: 1, side: {side: 2}}, asked: {side: 2, prompt: act}}}\n"
    )
    assert problems(tmp_path, text) == ""
    assert problems(tmp_path, text.replace("phase: initiative", "phase: initiative, turn: 0")) == ""
    roll = STEPPING + 'now: {phase: mission}\ndice: "1"\nplay: []\nexpect: {rolls: [{why: mission, faces: [1]}]}\n'
    assert "no such roll" not in problems(tmp_path, roll)
