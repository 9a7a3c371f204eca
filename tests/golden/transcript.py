"""A fixed battle at random of each ruleset as a text: every question, citation and die. Reviewed as a diff.

``python -m tests.golden.transcript [RULESET...]`` writes the texts anew, those that there are or those named.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from campale.conformance.playing import an_answer, answered, begun, someone_asked
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.question import Question
from campale.referee.refusal import Plain
from tests.toys import register

FOLDER = Path(__file__).parent
SEED = "golden"


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def transcript(name: str) -> str:
    """The first of a ruleset's starters, played by a fixed seed."""
    return "\n".join((f"# {name}: the first starter, seed {SEED}", *lines_of(begun(name, 0, SEED)))) + "\n"


def lines_of(game: Game) -> Iterator[str]:
    rng, told = Random(SEED), 0
    yield from (told_of(event) for event in game.journal)
    told = len(game.journal)
    while not game.is_over:
        question = someone_asked(game, rng)
        answer = an_answer(question, rng)
        yield asked(question)
        yield f"    side {question.side} answers {plain(answer)}"
        answered(game, question, answer)
        yield from (told_of(event) for event in game.journal[told:])
        told = len(game.journal)


def asked(question: Question) -> str:
    """What is asked of whom, and the path of rules that ask it."""
    description = {key: one for key, one in question.description().items() if key not in ("kind", "side", "prompt")}
    about = plain({key: one for key, one in description.items() if one})
    return f"? side {question.side}: {question.kind} {question.prompt} {about} <{' '.join(question.rules)}>"


def told_of(event: Event) -> str:
    """What happened, and the rule that made it happen."""
    seen = "" if event.seen_by is None else f" (seen by {list(event.seen_by)})"
    rule = event.rules[-1] if event.rules else "-"
    return f"  {event.kind} {plain(event.values)}{seen} <{rule}>"


def plain(value: Plain) -> str:
    return json.dumps(shortened(value), ensure_ascii=False, sort_keys=True)


def shortened(value: Plain) -> Plain:
    """Numbers with four decimals, as they are recorded."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list | tuple):
        return [shortened(one) for one in value]
    return {str(key): shortened(one) for key, one in value.items()} if isinstance(value, dict) else value


def main(names: list[str]) -> None:
    register()
    for name in names or [path.stem for path in sorted(FOLDER.glob("*.txt"))]:
        path_of(name).write_text(transcript(name), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
