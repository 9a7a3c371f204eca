"""The transcript in the README, in both languages, from the battle that ``make battle`` plays.

``python -m tools.readme`` writes it anew between its markers; a test compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

from campale.players import GreedyPlayer
from campale.referee.game import Game
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.transcript import transcript
from campale.simulate import battle

ROOT = Path(__file__).parents[1]
READMES = {"en": ROOT / "README.md", "it": ROOT / "README.it.md"}
SEED = "7"
LINES = 26
BEGIN, END = "<!-- transcript -->", "<!-- end of the transcript -->"


def played() -> Game:
    """The battle of ``campale battle ragnarok --seed 7``."""
    ruleset = load_ruleset("ragnarok")
    assert ruleset.starters is not None
    players = {side: GreedyPlayer(f"{SEED}/{side}") for side in (0, 1)}
    return battle(ruleset, ruleset.starters()[0], players, SEED, marks="last")


def excerpt(game: Game, language: str) -> str:
    """The lines in which most happens, from the activation that begins them."""
    told = transcript(game, language).splitlines()
    starts = [place for place, line in enumerate(told) if line.startswith("▶")]
    best = max(starts, key=lambda place: (eventful(told[place : place + LINES]), -place))
    return "\n".join(told[best : best + LINES]).strip("\n")


def eventful(lines: list[str]) -> int:
    return sum(line.count("→") + 3 * line.startswith(("✗", "⚔")) for line in lines)


def with_excerpt(text: str, told: str) -> str:
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n```\n{told}\n```\n{END}{rest.split(END)[1]}"


def main() -> int:
    game = played()
    for language, path in READMES.items():
        text = path.read_text(encoding="utf-8")
        path.write_text(with_excerpt(text, excerpt(game, language)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
