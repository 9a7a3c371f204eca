"""What the laboratory costs beside the battles it plays, how it scales, and how a Dask cluster compares with joblib.

Run as ``python -m benchmarks.lab``. Battles are of random players, which are the shortest: the worst case for whatever
is spent beside them. All ratios are of figures taken in turns in the same run; of a busy machine the best of several
rounds is told, with the load that there was.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from campale.lab import plan as plans
from campale.lab.arena import between, scene_of
from campale.lab.keeping import Folder, Kept, row_in
from campale.lab.plan import Plan
from campale.lab.playing import Chunk, Rows, battle_row, begun, line_of, play, players_of, unit_rows
from campale.lab.running import Run
from campale.lab.workers import Crew, GivingOut, Processes, crew_of
from campale.referee.ruleset import load_ruleset
from campale.simulate import Pairing, play_on, starters_of
from campale.simulate.many import play as bare

USUAL = "ragnarok"
BATTLES, ROUNDS, EACH_ROUND = 24, 3, 128
"""Of each round so many that the last battle, for which one worker waits for the other, counts for little."""

WARM = 16


def plan_of(name: str, battles: int) -> Plan:
    """Random players over the ready battles of a book."""
    ruleset = load_ruleset(name)
    version, rules_hash = plans.versions(name)
    return Plan(
        format=plans.FORMAT,
        campale=version,
        ruleset=name,
        rules_hash=rules_hash,
        seed="bench",
        title="bench",
        variants=(between("random", "random"),),
        scenes=tuple(map(scene_of, starters_of(ruleset))),
        battles=battles,
        precision=None,
        most_answers=20_000,
    )


def overhead(plan: Plan, path: Path) -> dict[str, float]:
    """The same battles bare and through the laboratory, in turns: processor seconds, rows kept on the disk included.

    Each is played twice both ways, and the better time counts: what others do on the machine is left out.
    """
    folder = Folder(path, Kept(plan))
    spent: dict[str, list[float]] = {"bare": [], "laboratory": []}
    for number in range(BATTLES + WARM):
        battle = plan.battle(number)
        pairing = Pairing(plan.ruleset, battle.setup, ("random", "random"), battle.seed)
        ways: dict[str, Callable[[], Any]] = {
            "bare": partial(bare, pairing),
            "laboratory": partial(lambda one: folder.add(line_of(play(one))), battle),
        }
        best = dict.fromkeys(ways, float("inf"))
        for name in ("bare", "laboratory", "laboratory", "bare"):
            best[name] = min(best[name], seconds_of(ways[name], time.process_time))
        for name, seconds in best.items():
            spent[name].append(seconds)
    without, with_lab = (sum(times[WARM:]) for times in spent.values())
    folder.write_tables([0], False)
    written = seconds_of(lambda: folder.write_tables(sorted(folder.rows), True), time.perf_counter)
    folder.close()
    kept = [(path / name).stat().st_size for name in ("rows.jsonl", "battles.parquet", "units.parquet")]
    return {
        "battles": BATTLES,
        "bare_milliseconds": 1000 * without / BATTLES,
        "laboratory_milliseconds": 1000 * with_lab / BATTLES,
        "laboratory / bare": with_lab / without,
        "beside_a_battle_milliseconds": 1000 * (beside := beside_a_battle(plan)),
        "beside / bare": beside * BATTLES / without,
        "tables_milliseconds_per_battle": 1000 * written / len(folder.rows),
        "journal_bytes_per_battle": kept[0] / len(folder.rows),
        "parquet_bytes_per_battle": (kept[1] + kept[2]) / len(folder.rows),
    }


def beside_a_battle(plan: Plan) -> float:
    """What is done once a battle is over (the tally, the rows, the line for the journal): the median of many times.

    The surer figure of the two on a busy machine; counting harm while the battle runs is not in it.
    """
    battle = plan.battle(0)
    game = begun(battle)
    play_on(game, players_of(battle), battle.most_answers)

    def work() -> None:
        tally = game.ruleset.tally(game.position, battle.setup) if game.ruleset.tally is not None else None
        line_of(Rows(battle_row(battle, game, tally, 1.0), tuple(unit_rows(battle, tally, {}))))

    return median(seconds_of(work, time.process_time) for _ in range(200))


def seconds_of(work: Callable[[], Any], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return clock() - start


def numbers(plan: Plan) -> Iterator[Any]:
    """The battles of the plan without end, always in the same order."""
    while True:
        yield from (plan.battle(number) for number in plan.numbers())


def rate(crew: Crew, plan: Plan, count: int) -> float:
    """Battles a second of a crew that is at work already, given out as in a run."""
    out = GivingOut(crew, islice(numbers(plan), count), (plan.campale, plan.rules_hash), ())
    found = 0
    start = time.perf_counter()
    for lines in out:
        rows = [row for line in lines if (row := row_in(line)) is not None]
        out.each = sum(row.seconds for row in rows) / len(rows)
        found += len(rows)
    return found / (time.perf_counter() - start)


def apart(crew: Crew, plan: Plan, count: int) -> float:
    """Battles a second of workers of whom each plays the same battles, and nobody waits for anybody: what the machine
    gives so many processes, whoever gives the work out."""
    battles = tuple(islice(numbers(plan), count))
    start = time.perf_counter()
    shares = [crew.submit(Chunk((plan.campale, plan.rules_hash), (), battles)) for _ in range(crew.size)]
    found = sum(len(share.result()) for share in shares)
    return found / (time.perf_counter() - start)


def crews(plan: Plan) -> dict[str, float]:
    """The best rate of each crew over several rounds, in turns."""
    made: dict[str, Any] = {"1 process": Processes(1), "2 processes": crew_of(2), "2 Dask workers": crew_of(2, "local")}
    bare = ("1 process", "2 processes")
    best = dict.fromkeys((*made, *(f"{name}, apart" for name in bare)), 0.0)
    try:
        for crew in made.values():
            rate(crew, plan, 2 * WARM)
        for _ in range(ROUNDS):
            for name, crew in made.items():
                best[name] = max(best[name], rate(crew, plan, EACH_ROUND))
            for name in bare:
                best[f"{name}, apart"] = max(best[f"{name}, apart"], apart(made[name], plan, EACH_ROUND // 2))
    finally:
        for crew in made.values():
            crew.close()
    return best


def resumed(plan: Plan, path: Path) -> dict[str, float]:
    """How long it takes to open a run again."""
    start = time.perf_counter()
    folder = Folder(path, Kept(plan))
    is_complete = Run(folder).is_complete
    seconds = time.perf_counter() - start
    folder.close()
    return {"battles": len(folder.rows), "milliseconds": 1000 * seconds, "complete": float(is_complete)}


def run(name: str = USUAL) -> dict[str, Any]:
    """Every figure of the laboratory, by name."""
    plan = plan_of(name, BATTLES + WARM)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        beside = overhead(plan, Path(folder) / "run")
        again = resumed(plan, Path(folder) / "run")
    found = crews(plan_of(name, EACH_ROUND))
    scaling = found["2 processes"] / found["1 process"]
    machine = found["2 processes, apart"] / found["1 process, apart"]
    return {
        "ruleset": name,
        "load_before": load,
        "overhead": beside,
        "opening it again": again,
        "battles per second": found,
        "2 processes / 1 process": scaling,
        "the same of the machine, with nobody to wait for": machine,
        "of what the machine gives": scaling / machine,
        "Dask / joblib": found["2 Dask workers"] / found["2 processes"],
    }


def main(words: Sequence[str]) -> None:
    from benchmarks.__main__ import told

    print("\n".join(told(run(*words))))


if __name__ == "__main__":
    main(sys.argv[1:])
