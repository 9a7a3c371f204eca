"""The battle that is played over and over on the first page: ``python -m tools.loop`` writes web/src/start/loop.json.

Two bots play it. Of each moment the file has the models that stand elsewhere than before, [row, x, y], or have fallen,
[row]; of what is drawn at all the table, the pieces, and of every model its side and its radius.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from campale.players import GreedyPlayer
from campale.referee.ruleset import load_ruleset
from campale.screen.replay import Played, replay
from campale.screen.shown import ModelShown, Replay
from campale.simulate import battle

TARGET = Path(__file__).parents[1] / "web" / "src" / "start" / "loop.json"
BOOK, NUMBER, SEED = "ragnarok", 2, "loop"
MOST_TURNS, LEAST = 6, 0.8
"""So many turns are shown; shorter moves are put together with the next one."""

Moment = list[list[float]]


def played() -> Replay:
    ruleset = load_ruleset(BOOK)
    assert ruleset.starters is not None
    players = {side: GreedyPlayer(f"{SEED}/{side}") for side in (0, 1)}
    game = battle(ruleset, ruleset.starters()[NUMBER], players, SEED)
    return replay(Played.of(game), None, "en")


def moments(shown: Replay) -> Iterator[Moment]:
    """From the first turn on; the first of them is how all stand then."""
    now = {one.row: one for one in shown.models}
    drawn: dict[int, list[float]] = {}
    for frame in shown.frames:
        now |= {one.row: one for one in frame.models}
        turn = "" if frame.standing is None else frame.standing.length
        if turn.startswith(f"Turn {MOST_TURNS + 1} "):
            return
        if not drawn and frame.standing is not None and not turn:
            continue
        told = [place for one in now.values() if (place := placed(one)) != drawn.get(one.row, [one.row])]
        if told and (not drawn or any(is_far(place, drawn) for place in told)):
            drawn |= {int(place[0]): place for place in told}
            yield told


def placed(model: ModelShown) -> list[float]:
    return [model.row, round(model.x, 1), round(model.y, 1)] if model.where == "table" else [model.row]


def is_far(place: list[float], drawn: dict[int, list[float]]) -> bool:
    before = drawn.get(int(place[0]), [])
    return len(place) != len(before) or max(abs(a - b) for a, b in zip(place, before, strict=True)) >= LEAST


def written(shown: Replay) -> dict[str, Any]:
    pieces = [[one.kind, [[round(x, 1), round(y, 1)] for x, y in one.outline]] for one in shown.pieces]
    models = [[one.side, round((one.shape.radius if one.shape else 0) or 1.25, 2)] for one in shown.models]
    table = [shown.table.width, shown.table.depth]
    return {"table": table, "pieces": pieces, "models": models, "moments": list(moments(shown))}


def main() -> int:
    TARGET.write_text(json.dumps(written(played()), separators=(",", ":")) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
