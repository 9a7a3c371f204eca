"""Two processes over one PostgreSQL, killed fifty times while people play: ``python -m benchmarks.kills [KILLS]``.

Writes ``kills.md`` beside this file, with when it was and on what. Ends with 1 where anything was lost.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

from tests.server.kills import Killing
from tests.server.postgres import a_postgres

from benchmarks.nightly import write

KILLS = 50
BOOKS = ("ragnarok", "e55", "e3m", "w10")


def killed(kills: int = KILLS) -> tuple[dict[str, Any], list[str]]:
    """The figures, and what was lost."""
    begun, seconds = time.monotonic(), []
    with a_postgres() as url, Killing(url, BOOKS, seed=kills) as killing:
        for number in range(1, kills + 1):
            seconds.append(killing.kill())
            print(f"{number}: taken over in {seconds[-1]:.2f} s, {killing.acknowledged} answers", file=sys.stderr)
        killing.end()
        lost = killing.lost()
    battles = [made for pair in killing.pairs for made, _ in pair.battles]
    figures = {
        "kills": kills,
        "people": 2 * len(BOOKS),
        "books": ", ".join(BOOKS),
        "battles": len(battles),
        "answers_acknowledged": killing.acknowledged,
        "lost_or_not_verified": len(lost),
        "seconds_until_taken_over": {
            "median": statistics.median(seconds),
            "longest": max(seconds),
            "limit": 10,
        },
        "minutes": (time.monotonic() - begun) / 60,
    }
    return figures, lost


def main() -> int:
    figures, lost = killed(int(sys.argv[1]) if len(sys.argv) > 1 else KILLS)
    write("kills", "Two processes, killed again and again", figures)
    for what in lost:
        print(what, file=sys.stderr)
    return int(bool(lost) or figures["seconds_until_taken_over"]["longest"] > 10)


if __name__ == "__main__":
    sys.exit(main())
