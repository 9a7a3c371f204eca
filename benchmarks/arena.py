"""How strong one player is against another: battles of a book from both sides, each a row of a file.

Run as ``python -m benchmarks.arena BOOK [FIRST [SECOND]]``; without players, the searching one with 0.2 s of the
processor's time for a decision against the greedy one. Every battle is appended to ``arena.jsonl`` beside this file
(or to that of ``--rows FILE``) as soon as it is over: a run that was killed goes on where it was, and whoever asks for
more battles gets those that are missing. Rows of another state of the book or of the players do not count.
``python -m benchmarks arena`` enters what the rows tell among the results, and plays nothing.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import msgspec

import campale.players
from campale.referee.ruleset import EXTRA_PACKAGES, Ruleset, Setup, load_ruleset
from campale.simulate import starters_of
from campale.simulate.duel import mission_of
from campale.simulate.intervals import mean, wilson
from campale.simulate.many import Pairing, Played, also_look_in, pairings, play

ROWS = Path(__file__).parent / "arena.jsonl"
PLAYERS = ("search:0.2s", "greedy")
POINTS = {"e55": 750, "e3m": 600, "w10": 500, "wzr": 500}
"""The size of the battles, in a book that has several."""
STRIDE = 7
"""Ready battles are taken in steps, so that few battles meet many missions and tables; prime to how many there are."""
MATCHES = "the same force on both sides"
"""Ready forces of equal points may be unequal: where one wins most battles, little is left for the better player."""

UNPLAYED = {"rules.yaml", "scenarios", "puzzles", "words"}
"""The parts of a book that no battle reads."""

Row = dict[str, Any]


def setups(book: Ruleset) -> list[Setup]:
    """Ready battles of one size, each with its first force on both sides and then with its second."""
    points = POINTS.get(book.name)
    found = [one for one in starters_of(book) if points is None or one.agreed.get("points") == points]
    taken = [found[STRIDE * number % len(found)] for number in range(len(found))]
    return [alike for one in taken for alike in (mirrored(one) if one.forces else [one])]


def mirrored(setup: Setup) -> list[Setup]:
    return [msgspec.structs.replace(setup, forces=(force, force)) for force in setup.forces]


def state(book: Ruleset) -> str:
    """The state of the book and of the players, and who meets whom: what a row must share with the others.

    What the code does counts, not its comments and docstrings; of the book's data, what no battle reads does not count.
    """
    digest = hashlib.blake2b(MATCHES.encode(), digest_size=6)
    data = [
        one for one in sorted(book.folder.rglob("*.yaml")) if not UNPLAYED & set(one.relative_to(book.folder).parts)
    ]
    for file in (
        *sorted(Path(campale.players.__file__).parent.glob("*.py")),
        *sorted(book.folder.rglob("*.py")),
        *data,
    ):
        digest.update(code_of(file) if file.suffix == ".py" else file.read_bytes())
    return digest.hexdigest()


def code_of(file: Path) -> bytes:
    """What the code of a file does, without comments and docstrings."""
    tree = ast.parse(file.read_bytes())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not is_text(one)]  # type: ignore[attr-defined]
    return ast.dump(tree).encode()


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is nothing but a string: a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def row_of(number: int, made_by: str, played: Played) -> Row:
    pairing = played.pairing
    return {
        "book": pairing.ruleset,
        "state": made_by,
        "players": list(pairing.players),
        "number": number,
        "seed": pairing.seed,
        "swapped": pairing.swapped,
        "mission": mission_of(pairing.setup),
        "outcome": played.outcome,
        "score": played.score,
        "lead": played.lead,
        "answers": played.answers,
        "turn": played.turn,
        "seconds": round(played.seconds, 1),
    }


def rows_in(file: Path) -> Iterator[Row]:
    """The rows of a file; a last one cut off by a kill does not count."""
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def append(file: Path, row: Row) -> None:
    """On a line of its own, whatever was cut off before it."""
    cut = file.exists() and not file.read_bytes().endswith(b"\n") and file.stat().st_size > 0
    with file.open("a", encoding="utf-8") as rows:
        rows.write(("\n" if cut else "") + json.dumps(row) + "\n")


def known(file: Path, book: str, made_by: str, players: Sequence[str]) -> dict[int, Row]:
    """The rows there are of two players, by the number of the battle."""
    mine = (book, made_by, list(players))
    return {row["number"]: row for row in rows_in(file) if (row["book"], row["state"], row["players"]) == mine}


def numbered(job: tuple[int, Pairing]) -> tuple[int, Played]:
    return job[0], play(job[1])


def played_by(jobs: Sequence[tuple[int, Pairing]], processes: int) -> Iterator[tuple[int, Played]]:
    """The battles as they come to their ends, in any order."""
    if processes <= 1:
        yield from map(numbered, jobs)
        return
    with ProcessPoolExecutor(processes, initializer=also_look_in, initargs=(tuple(EXTRA_PACKAGES),)) as pool:
        for done in as_completed([pool.submit(numbered, job) for job in jobs]):
            yield done.result()


def arena(book: Ruleset, players: tuple[str, str], battles: int, file: Path, processes: int) -> list[Row]:
    """All rows of so many battles, those played before included; each new one is told as it comes."""
    made_by = state(book)
    found = known(file, book.name, made_by, players)
    wanted = enumerate(pairings(book, setups(book), players, battles))
    jobs = [(number, pairing) for number, pairing in wanted if number not in found]
    for number, played in played_by(jobs, processes):
        found[number] = row_of(number, made_by, played)
        append(file, found[number])
        print(told([row for at, row in found.items() if at < battles]), file=sys.stderr)
    return [row for number, row in sorted(found.items()) if number < battles]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """The score with its interval, mission by mission too; a draw, and a battle that was broken off, are a half."""
    scores = [row["score"] for row in rows]
    leads = [row["lead"] for row in rows if row.get("lead") is not None]
    by_mission: dict[str, list[float]] = {}
    for row in rows:
        by_mission.setdefault(row["mission"], []).append(row["score"])
    return {
        "battles": len(rows),
        "score": str(wilson(sum(scores), len(scores))),
        "won, drawn, lost": f"{scores.count(1.0)}, {scores.count(0.5)}, {scores.count(0.0)}",
        "stalled": sum(row["outcome"] == "stalled" for row in rows),
        **({"points ahead": str(mean(leads))} if leads else {}),
        "seconds_per_battle": round(sum(row["seconds"] for row in rows) / len(rows), 1),
        "missions": {name: f"{sum(found):g} of {len(found)}" for name, found in sorted(by_mission.items())},
    }


def told(rows: Sequence[Row]) -> str:
    (first, second), found = rows[0]["players"], figures(rows)
    ahead = f", {found['points ahead']} points ahead" if "points ahead" in found else ""
    return f"{rows[0]['book']}: {first} against {second}, {found['score']} of {len(rows)} battles{ahead}"


def run(file: Path = ROWS) -> dict[str, Any]:
    """What the rows tell of the latest state of each book and two players."""
    last: dict[tuple[str, str], list[Row]] = {}
    for row in rows_in(file):
        name = row["book"], " against ".join(row["players"])
        before = last.get(name, [])
        last[name] = [*before, row] if before and before[0]["state"] == row["state"] else [row]
    return {f"{book}, {players}": figures(rows) for (book, players), rows in sorted(last.items())}


def main(words: Sequence[str]) -> None:
    from benchmarks.__main__ import told as listed

    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description="One player against another.")
    parser.add_argument("book")
    parser.add_argument("players", nargs="*", default=[], help="the two players; search:0.2s against greedy")
    parser.add_argument("--battles", type=int, default=100, help="how many there are to be in the end")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rows", type=Path, default=ROWS, help="the file of the battles played")
    asked = parser.parse_args(words)
    given: list[str] = asked.players
    first, second = (*given, *PLAYERS[len(given) :])
    rows = arena(load_ruleset(asked.book), (first, second), asked.battles, asked.rows, asked.processes)
    print("\n".join(listed(figures(rows))))


if __name__ == "__main__":
    main(sys.argv[1:])
