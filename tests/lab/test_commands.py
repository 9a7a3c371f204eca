"""The laboratory's commands, from the file to the tables and back to a battle."""

from __future__ import annotations

import base64
import builtins
import importlib.util
import re
import signal
import zlib
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from campale.cli import app, lab
from campale.lab.arena import arena
from campale.lab.keeping import PLAN, ROWS, Folder, Kept, read_plan
from campale.lab.playing import Rows, packed, play
from campale.lab.replaying import played_again, replayed
from campale.lab.running import Ending, Run
from campale.lab.tables import BattleRow, UnitRow, columns, parquet_schema, read_tables
from campale.lab.workers import crew_of
from campale.players import PLAYERS, RandomPlayer
from campale.referee.records.saved import load, verify
from campale.referee.ruleset import load_ruleset
from campale.simulate import starters_of
from campale.simulate.intervals import wilson
from tests.lab.conftest import REAL, Write

Command = Callable[..., Any]


@pytest.fixture
def run(raid: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CAMPALE_LANG", raising=False)

    def run(*words: str) -> Any:
        return CliRunner().invoke(app, ["lab", *words])

    return run


def test_an_experiment_is_played_and_told(run: Command, write: Write) -> None:
    write(vary={"options.short": [False, True]})
    found = run("run", "experiment.yaml", "--workers", "1")
    assert found.exit_code == 0, found.stderr
    assert "1: options.short=true, 6 battles" in found.stdout
    assert "against variant 0 " in found.stdout
    assert found.stdout.count("score of first") == 2
    battles, units = read_tables(Path("experiment.lab"))
    assert (battles.num_rows, units.num_rows) == (12, 0)
    assert Path("experiment.lab/experiment.yaml").read_bytes() == Path("experiment.yaml").read_bytes()
    assert run("run", "experiment.yaml").stdout == found.stdout


def test_a_bad_file_and_a_changed_one_are_told_in_a_sentence(run: Command, write: Write) -> None:
    write(first={"force": "nobody"})
    found = run("run", "experiment.yaml")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith("campale: experiment.yaml, line 4, first.force: raid has no army 'nobody'")
    italian = run("run", "experiment.yaml", "--lang", "it")
    assert italian.stderr.startswith("campale: experiment.yaml, riga 4, first.force: raid non ha l'armata 'nobody'")
    write()
    assert run("run", "experiment.yaml", "--workers", "1").exit_code == 0
    write(seed="other")
    found = run("run", "experiment.yaml")
    assert found.exit_code == 2
    assert "seed: 1 → other" in found.stderr
    assert "seed: 1 → other. Scegli" in run("run", "experiment.yaml", "--lang", "it").stderr
    assert run("run", "nowhere.yaml").exit_code == 2


def test_shards_are_played_and_merged(run: Command, write: Write) -> None:
    write()
    for number in (1, 2):
        found = run("run", "experiment.yaml", "--shard", f"{number}/2", "--out", f"part-{number}", "--workers", "1")
        assert found.exit_code == 0, found.stderr
    assert run("merge", "whole", "part-1").exit_code == 2
    found = run("merge", "whole", "part-1", "part-2")
    assert (found.exit_code, found.stdout) == (0, "6 battles, in whole\n")
    assert "is not a shard" in run("run", "experiment.yaml", "--shard", "3/2").stderr


@pytest.mark.parametrize(
    ("language", "folder", "nothing"),
    [("en", "is a folder", "the file "), ("it", "è una cartella", "il file ")],
)
def test_a_folder_and_a_file_that_there_is_not_are_told_apart(
    run: Command, tmp_path: Path, language: str, folder: str, nothing: str
) -> None:
    (tmp_path / "results.lab").mkdir()
    found = run("run", "results.lab", "--lang", language)
    assert (found.exit_code, folder in found.stderr) == (2, True)
    found = run("run", "nowhere.yaml", "--lang", language)
    assert (found.exit_code, nothing in found.stderr) == (2, True)


def test_italian_numbers_have_a_comma_in_every_table(run: Command, write: Write) -> None:
    write(vary={"options.short": [False, True]})
    told = run("run", "experiment.yaml", "--workers", "1", "--lang", "it").stdout
    assert re.search(r"punteggio di first \d+,\d%", told)
    assert re.search(r"quota vinta \d+,\d% \[\d+,\d%; \d+,\d%\]", told)
    words = ("arena", "--book", "raid", "--battles", "2", "--workers", "1", "--out", "pits")
    told += run(*words, "--player", "greedy", "--player", "random", "--lang", "it").stdout
    assert re.search(r"greedy +\d+,\d\d \[-?\d+,\d\d; -?\d+,\d\d\]", told)
    assert not re.search(r"\d\.\d", told)


def test_the_share_won_has_wilsons_interval_beside_the_score_of_the_pairs(run: Command, write: Write) -> None:
    write()
    told = run("run", "experiment.yaml", "--workers", "1").stdout
    rows = read_tables(Path("experiment.lab"))[0].to_pylist()
    won = sum(row["winner"] == "first" for row in rows)
    rate = wilson(won, len(rows))
    assert f"share won {rate.value:.1%} [{rate.low:.1%}; {rate.high:.1%}]" in told
    assert "over 3 pairs of battles" in told
    assert "Wilson's interval over battles" in told


@pytest.fixture
def interruptible() -> Iterator[None]:
    """As at a terminal: a shell that puts the tests into the background has them ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("one", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_stopped_twice_still_writes_its_tables(
    run: Command, write: Write, monkeypatch: pytest.MonkeyPatch, one: signal.Signals
) -> None:
    """Ctrl-C, or a batch system that wants its machine back; the second comes while the tables are being written."""
    add, end = Folder.add, Run.end

    def stopped(folder: Folder, line: bytes) -> BattleRow:
        if len(folder.rows) == 3:
            signal.raise_signal(one)
        return add(folder, line)

    def stopped_again(at_work: Run) -> Ending:
        signal.raise_signal(one)
        return end(at_work)

    write()
    handlers = [signal.getsignal(kind) for kind in (signal.SIGINT, signal.SIGTERM)]
    monkeypatch.setattr(Folder, "add", stopped)
    monkeypatch.setattr(Run, "end", stopped_again)
    found = run("run", "experiment.yaml", "--workers", "1")
    assert found.exit_code == 130
    assert "3 battles are saved in experiment.lab" in found.stderr
    assert read_tables(Path("experiment.lab"))[0].num_rows == 3
    assert [signal.getsignal(kind) for kind in (signal.SIGINT, signal.SIGTERM)] == handlers


@pytest.mark.parametrize(
    ("precision", "told"),
    [(None, "4 of 6 battles, about 20 s left"), (2.0, "4 of at most 100 battles, no more than about 16 min left")],
)
def test_without_a_terminal_a_line_tells_how_long_it_will_take(
    run: Command, write: Write, monkeypatch: pytest.MonkeyPatch, precision: float | None, told: str
) -> None:
    """A clock that goes ten seconds from battle to battle; the fourth is the first after the half minute."""
    times = iter(range(0, 10_000, 10))
    monkeypatch.setattr(lab, "TELL_EVERY", 35.0)
    monkeypatch.setattr(lab, "now", lambda: float(next(times)))
    more = {} if precision is None else {"precision": {"half_width": 0.5, "of": "score", "most": 100, "least": 100}}
    write(battles=6 if precision is None else None, **more)
    found = run("run", "experiment.yaml", "--workers", "1")
    assert found.exit_code == 0, found.stderr
    assert told in found.stderr.splitlines()


def test_a_precision_is_not_played_in_shards(run: Command, write: Write) -> None:
    write(battles=None, precision={"half_width": 0.3, "of": "score", "most": 100})
    assert "cannot be played in shards" in run("run", "experiment.yaml", "--shard", "1/2").stderr


def test_an_interruption_keeps_what_there_is_and_says_how_to_go_on(
    run: Command, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Folder.add

    def interrupted(folder: Folder, line: bytes) -> BattleRow:
        if len(folder.rows) == 3:
            raise KeyboardInterrupt
        return add(folder, line)

    write()
    monkeypatch.setattr(Folder, "add", interrupted)
    found = run("run", "experiment.yaml", "--workers", "1")
    assert found.exit_code == 130
    assert "3 battles are saved in experiment.lab" in found.stderr
    battles, _ = read_tables(Path("experiment.lab"))
    assert battles.num_rows == 3
    assert battles.schema.metadata[b"complete"] == b"no"


def test_a_battle_of_the_table_is_replayed_from_its_row(run: Command, write: Write) -> None:
    write(REAL)
    assert run("run", "experiment.yaml", "--workers", "1").exit_code == 0
    found = run("replay", "experiment.lab", "--battle", "1", "--out", "game.json")
    assert (found.exit_code, found.stdout) == (0, "written: game.json\n")
    data = Path("game.json").read_bytes()
    assert verify(data).identical
    battles, _ = read_tables(Path("experiment.lab"))
    row = battles.to_pylist()[1]
    game = load(data)
    assert game.position.state_hash() == row["final_hash"]
    assert (game.result is not None and game.result.rule) == row["ended_by"]
    assert "there is no battle 2" in run("replay", "experiment.lab", "--battle", "2").stderr
    assert "contains no results" in run("replay", "nowhere", "--battle", "2").stderr


def test_a_row_that_does_not_come_to_the_same_end_is_told(run: Command, write: Write) -> None:
    write()
    run("run", "experiment.yaml", "--workers", "1")
    rows = Path("experiment.lab") / ROWS
    lines = rows.read_bytes().splitlines(keepends=True)
    first, *_ = msgspec.json.decode(lines[0], type=Rows)
    rows.write_bytes(lines[0].replace(first.final_hash.encode(), b"0" * 16) + b"".join(lines[1:]))
    assert "ends differently when replayed" in run("replay", "experiment.lab", "--battle", "0").stderr
    assert run("replay", "experiment.lab", "--battle", "1").exit_code == 0


def test_players_by_the_clock_are_replayed_from_their_answers(
    run: Command, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their answers are in the row, since they would not give them again."""

    moods = count()

    class Fickle(RandomPlayer):
        is_repeatable = False

        def __init__(self, seed: int | str = 1, salt: int = 0) -> None:
            super().__init__(f"{seed}/{next(moods)}")

    monkeypatch.setitem(PLAYERS, "fickle", Fickle)
    write(first={"force": {"name": "North"}, "player": {"name": "fickle", "salt": 2}}, battles=2)
    assert run("run", "experiment.yaml", "--workers", "1").exit_code == 0
    row = read_tables(Path("experiment.lab"))[0].to_pylist()[0]
    assert row["first_player"] == "fickle(salt=2)"
    assert row["record"]
    game = replayed(Path("experiment.lab"), 0)
    assert packed(game.line) == row["record"]
    assert game.position.state_hash() == row["final_hash"]
    assert played_again(read_plan(Path("experiment.lab")).plan.battle(0)).line != game.line


def test_the_same_battle_gives_the_same_rows(toy: Any) -> None:
    one, other = play(toy.battle(3)), play(toy.battle(3))
    assert msgspec.structs.replace(one.battle, seconds=0.0) == msgspec.structs.replace(other.battle, seconds=0.0)


@pytest.mark.parametrize("row", [BattleRow, UnitRow])
def test_every_column_says_what_it_means(row: type[BattleRow] | type[UnitRow]) -> None:
    schema = parquet_schema(row)
    assert schema.names == [one.name for one in columns(row)] == list(row.__struct_fields__)
    assert all(field.metadata[b"meaning"] for field in schema)
    numbers = [one for one in columns(row) if one.type is float]
    assert all(one.unit for one in numbers)


@pytest.mark.parametrize(("package", "extra"), [("joblib", "lab"), ("distributed", "cluster"), ("pyarrow", "lab")])
def test_without_an_extra_a_sentence_says_what_to_install(
    run: Command, write: Write, monkeypatch: pytest.MonkeyPatch, package: str, extra: str
) -> None:
    actual, find = builtins.__import__, importlib.util.find_spec

    def lacking(name: str, *rest: Any, **named: Any) -> Any:
        if name.split(".")[0] == package:
            raise ImportError(f"No module named {package}", name=package)
        return actual(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", lacking)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == package else find(name, *rest))
    write()
    more = ("--cluster", "local") if package == "distributed" else ("--workers", "2")
    found = run("run", "experiment.yaml", *more)
    assert found.exit_code == 2
    assert f"pip install 'campale[{extra}]'" in found.stderr


def test_one_worker_needs_nobody_else() -> None:
    assert crew_of(1) is None


def test_a_folder_without_leave_to_write_is_told(run: Command, write: Write) -> None:
    write()
    Path("taken").write_text("a file", encoding="utf-8")
    found = run("run", "experiment.yaml", "--out", "taken")
    assert found.exit_code == 2
    assert "cannot write in taken" in found.stderr


def test_two_at_once_in_one_folder_are_one_too_many(run: Command, write: Write, toy: Any) -> None:
    folder = Folder(Path("experiment.lab"), Kept(toy))
    found = run("run", "experiment.yaml")
    folder.close()
    assert found.exit_code == 2
    assert "another run is using" in found.stderr


def test_the_pits_rate_the_bots_and_can_be_resumed(run: Command) -> None:
    words = ("arena", "--book", "raid", "--battles", "4", "--workers", "1", "--out", "pits")
    found = run(*words, "--player", "greedy", "--player", "random")
    assert found.exit_code == 0, found.stderr
    title, *lines = found.stdout.splitlines()
    assert title == "raid, 4 battles: player, rating with its 95 % interval, battles"
    assert sorted(line.split()[0] for line in lines) == ["greedy", "random"]
    rows = Path("pits/raid") / ROWS
    kept = rows.read_bytes()
    assert kept.count(b"\n") == 4
    assert run(*words, "--player", "greedy", "--player", "random").stdout == found.stdout
    assert rows.read_bytes() == kept
    assert "two players are needed" in run(*words, "--player", "greedy").stderr
    assert "there is no player 'nobody'" in run(*words, "--player", "nobody").stderr


def test_in_the_pits_both_lead_each_force_of_the_ready_battles() -> None:
    plan = arena(load_ruleset("ragnarok"), ["random", "greedy"], 4, "1")
    one, other = plan.battle(0), plan.battle(1)
    assert [side.player for side in one.sides] == ["random", "greedy"]
    assert [side.player for side in other.sides] == ["greedy", "random"]
    assert one.setup == other.setup == plan.battle(0).setup
    assert one.setup.forces == starters_of(load_ruleset("ragnarok"))[0].forces
    assert plan.battle(2).setup != one.setup


def test_a_folder_that_somebody_has_meddled_with_is_told_in_words(run: Command, write: Write) -> None:
    write(battles=2)
    run("run", "experiment.yaml", "--workers", "1")
    folder = Path("experiment.lab")
    plan = msgspec.json.decode((folder / PLAN).read_bytes())
    (folder / PLAN).write_bytes(msgspec.json.encode(plan | {"plan": plan["plan"] | {"variants": []}}))
    assert "is not a plan of this version" in run("replay", "experiment.lab", "--battle", "0").stderr
    (folder / PLAN).write_bytes(msgspec.json.encode(plan))
    rows = (folder / ROWS).read_bytes()
    for record, told in ((b"nonsense", "the record is damaged"), (zlib.compress(b"x" * 30_000_000), "far too long")):
        lines = [msgspec.json.decode(line) for line in rows.splitlines()]
        lines[0][0][BattleRow.__struct_fields__.index("record")] = base64.b64encode(record).decode()
        (folder / ROWS).write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        assert told in run("replay", "experiment.lab", "--battle", "0").stderr
