"""Rules that no battle applies: ``python -m tools.exhaustion RULESET [--games N] [--seed S]``."""

from __future__ import annotations

import argparse
import sys
from random import Random

from tests.conformance.exhaustion import never_applied

from campale.referee.ledgers.trace import ruleset_called


def main(arguments: list[str] | None = None) -> int:
    """How many rules were never applied; their ids are written out."""
    parser = argparse.ArgumentParser(prog="python -m tools.exhaustion", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ruleset", help="its name, or the dotted name of its package")
    parser.add_argument("--games", type=int, default=100, help="at most so many battles (100)")
    parser.add_argument("--seed", default="1", help="of the players")
    given = parser.parse_args(arguments)
    unseen = never_applied(ruleset_called(given.ruleset), given.games, Random(given.seed))
    sys.stdout.writelines(f"{id_}\n" for id_ in unseen)
    return len(unseen)


if __name__ == "__main__":
    sys.exit(min(main(), 100))
