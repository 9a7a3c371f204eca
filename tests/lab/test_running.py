"""Runs: stopped, killed, resumed, shared out; the same tables whatever played the battles."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

from campale.lab.errors import LabError
from campale.lab.keeping import PLAN, ROWS, Folder, Kept
from campale.lab.merging import merge
from campale.lab.plan import Plan
from campale.lab.planning import plan_of
from campale.lab.playing import Chunk, play_chunk
from campale.lab.running import Run
from campale.lab.tables import BATTLES, TIMES, UNITS
from campale.lab.workers import CHUNK_SECONDS, MOST_DEATHS, MOST_IN_CHUNK, GivingOut, Processes, crew_of
from tests.lab.conftest import REAL, Write, play
from tests.lab.echoing import echoed

ROOT = Path(__file__).parents[2]


def tables(folder: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both tables, without the times."""
    return pl.read_parquet(folder / BATTLES).drop(TIMES), pl.read_parquet(folder / UNITS)


def same(one: Path, other: Path) -> bool:
    return all(a.equals(b) for a, b in zip(tables(one), tables(other), strict=True))


@pytest.fixture
def whole(toy: Plan, tmp_path: Path) -> Path:
    """The unbroken run, in one process."""
    play(tmp_path / "whole", toy)
    return tmp_path / "whole"


def test_every_battle_is_a_row_in_the_order_of_the_numbers(whole: Path, toy: Plan) -> None:
    battles, _ = tables(whole)
    assert battles["number"].to_list() == list(range(toy.total))
    assert battles["winner"].is_in(["first", "second", "draw"]).all()


# ---------------------------------------------------------------- broken off


CHILD = """
import sys, time
from pathlib import Path
from campale.referee.ruleset import EXTRA_PACKAGES
EXTRA_PACKAGES.append("tests.raid")
from campale.lab.keeping import Folder, Kept
from campale.lab.planning import plan_of
from campale.lab.running import Run
folder = Folder(Path(sys.argv[2]), Kept(plan_of(Path(sys.argv[1]))))
Run(folder, lambda run: time.sleep(600) if len(folder.rows) == 5 else None).play(None)
"""


def test_a_killed_run_goes_on_and_gives_the_same_tables(
    toy: Plan, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL after the fifth battle; what was being written when it came is half a line."""
    broken = tmp_path / "broken"
    words = [sys.executable, "-c", CHILD, str(tmp_path / "experiment.yaml"), str(broken)]
    with subprocess.Popen(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}) as child:
        until(lambda: (broken / ROWS).exists() and (broken / ROWS).read_bytes().count(b"\n") == 5)
        with pytest.raises(LabError, match="at-work"):
            Folder(broken, Kept(toy))
        child.kill()
    with (broken / ROWS).open("ab") as journal:
        journal.write(b'[[5,1,0,"half a li')
    played: list[int] = []
    play(broken, toy, watch=lambda run: played.append(len(run.folder.rows)))
    assert played == list(range(6, toy.total + 1))
    assert same(whole, broken)


EMPLOYER = """
import sys, time
from pathlib import Path
from campale.referee.ruleset import EXTRA_PACKAGES
EXTRA_PACKAGES.append("tests.raid")
from campale.lab.keeping import Folder, Kept
from campale.lab.planning import plan_of
from campale.lab.running import Run
from campale.lab.workers import crew_of
if __name__ == "__main__":
    crew = crew_of(2)
    folder = Folder(Path(sys.argv[2]), Kept(plan_of(Path(sys.argv[1]))))
    def watch(run):
        Path(sys.argv[3]).write_text(" ".join(map(str, crew.pool._processes)))
        time.sleep(600)
    Run(folder, watch).play(crew)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="who is orphaned has no other parent there")
def test_workers_end_with_the_run_that_was_killed(toy: Plan, tmp_path: Path) -> None:
    told, broken = tmp_path / "pids", tmp_path / "broken"
    words = [sys.executable, "-c", EMPLOYER, str(tmp_path / "experiment.yaml"), str(broken), str(told)]
    with subprocess.Popen(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}) as child:
        until(lambda: told.exists() and len(told.read_text().split()) == 2)
        pids = [int(pid) for pid in told.read_text().split()]
        assert all(map(is_alive, pids))
        child.kill()
    until(lambda: not any(map(is_alive, pids)))


def is_alive(pid: int) -> bool:
    """Whether it runs; one that has ended and that nobody has asked after yet does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    about = Path(f"/proc/{pid}/stat")
    return not about.exists() or about.read_text().rpartition(")")[2].split()[0] != "Z"


def until(holds: Any, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


class Stop(Exception):
    """What interrupts a run in a test."""


def interrupt_at(count: int) -> Any:
    def watch(run: Run) -> None:
        if len(run.folder.rows) >= count:
            raise Stop

    return watch


def test_an_interrupted_run_leaves_the_tables_of_what_there_is(toy: Plan, whole: Path, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "part", Kept(toy))
    run = Run(folder, interrupt_at(4))
    with pytest.raises(Stop):
        run.play(None)
    ending = run.end()
    folder.close()
    assert (ending.numbers, ending.is_complete) == ([0, 1, 2, 3], False)
    assert tables(tmp_path / "part")[0].equals(tables(whole)[0].head(4))


def test_a_complete_run_plays_nothing_more(toy: Plan, whole: Path) -> None:
    before = (whole / ROWS).read_bytes()
    ending = play(whole, toy, watch=interrupt_at(0))
    assert ending.is_complete
    assert (whole / ROWS).read_bytes() == before


def test_a_damaged_line_in_the_midst_is_told(toy: Plan, whole: Path) -> None:
    """The last one is dropped; one that others follow is no accident of a sudden end."""
    lines = (whole / ROWS).read_bytes().splitlines(keepends=True)
    (whole / ROWS).write_bytes(b"".join([*lines[:3], b"{}\n", *lines[3:]]))
    with pytest.raises(LabError, match="line=4"):
        Folder(whole, Kept(toy))
    (whole / ROWS).write_bytes(b"".join([*lines[:3], b"{}\n"]))
    folder = Folder(whole, Kept(toy))
    assert sorted(folder.rows) == [0, 1, 2]
    folder.close()


# ---------------------------------------------------------------- a changed file


def test_a_changed_experiment_is_refused_and_what_changed_is_told(toy: Plan, whole: Path, write: Write) -> None:
    other = plan_of(write(vary={"options.short": [False, True]}, seed="2", battles=8))
    with pytest.raises(LabError) as error:
        Folder(whole, Kept(other))
    assert error.value.key == "changed"
    assert error.value.values["changes"] == "seed: 1 → 2; battles: 6 → 8"
    with pytest.raises(LabError, match=r"shard\[2\]: 1 → 3"):
        Folder(whole, Kept(toy, (1, 3)))


def test_rules_that_have_changed_since_are_told_too(toy: Plan, whole: Path) -> None:
    with pytest.raises(LabError, match=r"rules_hash: .* → other"):
        Folder(whole, Kept(msgspec.structs.replace(toy, rules_hash="other")))


def test_more_of_the_same_is_played_if_that_is_wished(toy: Plan, whole: Path, write: Write, tmp_path: Path) -> None:
    more = plan_of(write(vary={"options.short": [False, True]}, battles=8))
    folder = Folder(whole, Kept(more), extend=True)
    run = Run(folder)
    assert [battle.number for battle in run.wanted()] == list(range(12, 16))
    run.play(None)
    run.end()
    folder.close()
    play(tmp_path / "at-once", more)
    assert same(whole, tmp_path / "at-once")
    with pytest.raises(LabError, match="changed"):
        Folder(whole, Kept(toy), extend=True)


def test_rows_without_a_plan_are_nobodys(toy: Plan, whole: Path) -> None:
    (whole / PLAN).unlink()
    with pytest.raises(LabError, match="no-plan"):
        Folder(whole, Kept(toy))


# ---------------------------------------------------------------- workers


def kill_one(pids: Any) -> Any:
    """Kill a worker as soon as the first battles are in."""
    killed: list[int] = []

    def watch(run: Run) -> None:
        if not killed:
            killed.append(next(iter(pids())))
            os.kill(killed[0], signal.SIGKILL)

    return watch


def test_processes_play_the_same_battles_and_one_that_dies_loses_nothing(
    toy: Plan, whole: Path, tmp_path: Path
) -> None:
    crew = crew_of(2)
    assert isinstance(crew, Processes)
    play(tmp_path / "shared", toy, crew, watch=kill_one(lambda: list(crew.pool._processes)))
    assert same(whole, tmp_path / "shared")


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_plays_the_same_battles_and_a_worker_that_dies_loses_nothing(
    toy: Plan, whole: Path, tmp_path: Path
) -> None:
    crew: Any = crew_of(2, "local")
    pids = crew.client.run(os.getpid).values()
    assert len(pids) == crew.size == 2
    play(tmp_path / "cluster", toy, crew, watch=kill_one(lambda: pids))
    assert same(whole, tmp_path / "cluster")


def test_there_must_be_a_cluster_at_the_address() -> None:
    with pytest.raises(LabError, match="no-cluster"):
        crew_of(2, "nonsense://nowhere")


class Died(Exception):
    """What a crew of the tests raises for a worker that has died."""


class Doomed:
    """A crew in this process: some battles kill their worker, always or the first time."""

    size = 2
    deaths: tuple[type[BaseException], ...] = (Died,)

    def __init__(self, dies_together: bool, always: set[int], once: set[int]) -> None:
        self.dies_together, self.always, self.once = dies_together, always, once
        self.renewed = 0

    def submit(self, chunk: Chunk) -> Future[list[bytes]]:
        future: Future[list[bytes]] = Future()
        numbers = {battle.number for battle in chunk.battles}
        if numbers & (self.always | self.once):
            self.once -= numbers
            future.set_exception(Died())
        else:
            future.set_result(play_chunk(chunk))
        return future

    def renew(self) -> None:
        self.renewed += 1

    def close(self) -> None:
        pass


@pytest.mark.parametrize("dies_together", [False, True])
def test_what_died_once_is_played_again_and_what_always_dies_has_failed(
    toy: Plan, whole: Path, tmp_path: Path, dies_together: bool
) -> None:
    crew = Doomed(dies_together, {7}, {2, 3})
    assert play(tmp_path / "doomed", toy, crew).is_complete
    battles, _ = tables(tmp_path / "doomed")
    failed = battles.row(7, named=True)
    assert (failed["winner"], failed["score"], failed["final_hash"]) == ("failed", None, "")
    assert "again and again" in failed["fault"]
    assert battles.filter(pl.col("number") != 7).equals(tables(whole)[0].filter(pl.col("number") != 7))
    assert (crew.renewed >= MOST_DEATHS) == dies_together


class Killing(Processes):
    """Real processes that hardly do anything. Now and then one is killed, ``when`` a chunk is handed out."""

    def __init__(self, when: str, kills: int) -> None:
        self.when, self.kills, self.renewed = when, kills, -1
        super().__init__(2)

    def renew(self) -> None:
        from joblib.externals.loky import ProcessPoolExecutor

        self.renewed += 1
        self.pool = ProcessPoolExecutor(self.size)

    def submit(self, chunk: Chunk) -> Future[list[bytes]]:
        numbers = [battle.number for battle in chunk.battles]
        if self.when == "before":
            self.kill_one(until_told=True)
        if self.when == "while":
            threading.Thread(target=self.kill_one).start()
        future: Future[list[bytes]] = self.pool.submit(echoed, numbers, 0.01)
        if self.when == "after":
            self.kill_one()
        return future

    def kill_one(self, until_told: bool = False) -> None:
        pids = list(self.pool._processes)
        if not pids or not self.kills:
            return
        self.kills -= 1
        with suppress(ProcessLookupError):
            os.kill(pids[0], signal.SIGKILL)
        while until_told and self.pool._flags.broken is None:
            time.sleep(0.001)


@pytest.mark.parametrize(("when", "kills"), [("before", 17), ("while", 17), ("after", 16)])
def test_handing_out_survives_workers_that_die_at_any_moment(toy: Plan, when: str, kills: int) -> None:
    """Killed before the chunk is handed out, so that nobody takes it, while it is, and just after."""
    crew = Killing(when, kills)
    many = iter([msgspec.structs.replace(toy.battle(0), number=number) for number in range(4 * kills)])
    try:
        rows = [line for lines in GivingOut(crew, many, (toy.campale, toy.rules_hash), ()) for line in lines]
    finally:
        crew.close()
    assert crew.kills == 0
    assert crew.renewed >= 1
    played = [int(row) for row in rows if row.isdigit()]
    assert len(rows) == 4 * kills
    assert len(set(played)) == len(played)
    assert when != "before" or len(played) == len(rows)


def test_where_no_worker_lives_the_run_says_so(toy: Plan) -> None:
    class Dead(Doomed):
        def submit(self, chunk: Chunk) -> Future[list[bytes]]:
            raise Died

    crew = Dead(True, set(), set())
    battles: Iterator[Any] = (toy.battle(number) for number in toy.numbers())
    with pytest.raises(LabError, match="no-workers"):
        list(GivingOut(crew, battles, (toy.campale, toy.rules_hash), ()))
    assert crew.renewed == MOST_DEATHS


def test_a_worker_with_other_rules_is_refused(toy: Plan) -> None:
    class Elsewhere(Doomed):
        def submit(self, chunk: Chunk) -> Future[list[bytes]]:
            future: Future[list[bytes]] = Future()
            try:
                future.set_result(play_chunk(chunk))
            except Exception as error:
                future.set_exception(error)
            return future

    battles: Iterator[Any] = (toy.battle(number) for number in toy.numbers())
    with pytest.raises(LabError, match="other-versions"):
        list(GivingOut(Elsewhere(False, set(), set()), battles, (toy.campale, "other"), ("tests.raid",)))


def test_towards_the_end_battles_are_given_out_fewer_at_a_time(toy: Plan) -> None:
    """No worker is left with many while the others have none; quick battles go out many at once until then."""
    given: list[list[int]] = []

    class Watched(Doomed):
        def submit(self, chunk: Chunk) -> Future[list[bytes]]:
            given.append([battle.number for battle in chunk.battles])
            future: Future[list[bytes]] = Future()
            future.set_result([b""] * len(chunk.battles))
            return future

    many = iter([msgspec.structs.replace(toy.battle(0), number=number) for number in range(400)])
    out = GivingOut(Watched(False, set(), set()), many, (toy.campale, toy.rules_hash), ())
    out.each = CHUNK_SECONDS / 1000
    assert sum(map(len, out)) == 400
    assert [number for numbers in given for number in numbers] == list(range(400))
    sizes = [len(numbers) for numbers in given]
    assert sizes[0] == MOST_IN_CHUNK
    assert sizes == sorted(sizes, reverse=True)
    assert set(sizes[-4:]) == {1}


# ---------------------------------------------------------------- shards


def test_shards_put_together_are_the_whole(toy: Plan, whole: Path, tmp_path: Path) -> None:
    shards = [tmp_path / f"shard-{number}" for number in (1, 2, 3)]
    for number, path in enumerate(shards, 1):
        play(path, toy, shard=(number, 3))
    assert merge(tmp_path / "merged", shards).is_complete
    assert same(whole, tmp_path / "merged")


def test_a_missing_shard_is_told(toy: Plan, tmp_path: Path) -> None:
    play(tmp_path / "one", toy, shard=(1, 3))
    play(tmp_path / "three", toy, shard=(3, 3))
    shards = [tmp_path / "one", tmp_path / "three"]
    with pytest.raises(LabError, match="count=4, number=4, shards=1/3, 3/3"):
        merge(tmp_path / "merged", shards)
    ending = merge(tmp_path / "merged", shards, partial=True)
    assert (len(ending.numbers), ending.is_complete) == (8, False)


def test_only_shards_of_one_experiment_that_agree_are_merged(
    toy: Plan, whole: Path, write: Write, tmp_path: Path
) -> None:
    play(tmp_path / "other", plan_of(write(seed="2")))
    with pytest.raises(LabError, match="shards-differ"):
        merge(tmp_path / "merged", [whole, tmp_path / "other"])
    play(tmp_path / "forged", toy, shard=(1, 3))
    lines = (tmp_path / "forged" / ROWS).read_bytes()
    (tmp_path / "forged" / ROWS).write_bytes(lines.replace(b'"South"', b'"East"'))
    with pytest.raises(LabError, match="conflict"):
        merge(tmp_path / "merged", [whole, tmp_path / "forged"])
    with pytest.raises(LabError, match="no-results"):
        merge(tmp_path / "merged", [tmp_path / "nowhere"])


# ---------------------------------------------------------------- what becomes of a battle


def test_a_battle_that_hits_its_cap_is_stalled_and_nobody_has_lost_it(raid: Any, write: Write, tmp_path: Path) -> None:
    play(tmp_path / "out", plan_of(write(most_answers=3, battles=2)))
    battles, _ = tables(tmp_path / "out")
    assert battles["winner"].to_list() == ["stalled", "stalled"]
    assert battles["score"].to_list() == [None, None]
    assert battles["winning_side"].to_list() == [None, None]
    assert battles["decisions"].is_between(1, 3).all()


def test_a_battle_that_breaks_down_is_a_row_and_the_others_go_on(
    toy: Plan, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from campale.lab import playing

    begun = playing.begun

    def breaking(battle: Any) -> Any:
        if battle.number == 4:
            raise ZeroDivisionError("a rule that fails")
        return begun(battle)

    monkeypatch.setattr(playing, "begun", breaking)
    play(tmp_path / "out", toy)
    battles, _ = tables(tmp_path / "out")
    assert battles.row(4, named=True)["fault"] == "ZeroDivisionError: a rule that fails"
    assert battles.filter(pl.col("winner") == "failed")["number"].to_list() == [4]


def test_a_real_book_tells_of_its_units(write: Write, tmp_path: Path) -> None:
    """What a side deals is what the other takes from it; points left are those of the models not lost."""
    play(tmp_path / "out", plan_of(write(REAL)))
    battles, units = tables(tmp_path / "out")
    assert battles["rounds"].is_between(1, 12).all()
    assert battles["first_points"].to_list() == [200.0, 200.0]
    left = units.filter(pl.col("owner") == "first").group_by("number").agg(pl.col("points_left").sum()).sort("number")
    assert left["points_left"].to_list() == battles["first_left"].to_list()
    for number in (0, 1):
        for owner, enemy in (("first", "second"), ("second", "first")):
            dealt = total(units, number, owner, "points_dealt")
            assert 0.0 <= dealt <= total(units, number, enemy, "points_taken") + 1e-9
    assert units.filter(pl.col("lost_in").is_not_null())["models_left"].sum() == 0
    asked = f"select count(*), count(distinct kind) from '{UNITS}' where number = 0 and owner = 'second'"
    program = f"import duckdb; print(duckdb.query({asked!r}).fetchall())"
    words = [sys.executable, "-c", program]
    told = subprocess.run(words, cwd=tmp_path / "out", capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[(9, 5)]"


def total(units: pl.DataFrame, number: int, owner: str, column: str) -> float:
    of = units.filter((pl.col("number") == number) & (pl.col("owner") == owner))
    return float(sum(of[column].to_list()))
