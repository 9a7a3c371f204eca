"""Odds against the referee's own play: ``python -m tools.odds BOOK`` (``--help`` tells what may be given).

Random queries are answered exactly and played again and again (``tools.rolling``); what lies farther than four
standard deviations from what was told is shown, and is an error. It takes long for books whose rules take long to
play: with ``--keep FILE`` what is done is written down, and the next run begins where this one was stopped. However
many ``--processes`` play, the same is found row for row: the dice of a set-up hang on the seed and on its number.
"""

from __future__ import annotations

import math
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from campale.odds.answers import Answer, Stage, answer_of
from campale.odds.form import filled_as_far
from campale.odds.link import path_of
from campale.referee.odds_queries import Field, Query
from campale.referee.ruleset import Ruleset, load_ruleset, ruleset_names
from tools.rolling import simulated

SET_UPS, ROLLS, SEED = 30, 100_000, "odds"
SIGMAS = 4.0
FEW = 8.0
"""Numbers that should come up more seldom than this are taken together."""


class SetUp(NamedTuple):
    """A query that has an answer to the end, and what it asks."""

    link: str
    query: Query
    answer: Answer


def set_ups(ruleset: Ruleset, seed: str) -> Iterator[SetUp]:
    """Random queries without end, those whose losses can be told."""
    rng = Random(seed)
    while True:
        written = drawn(ruleset, rng)
        form, query = filled_as_far(ruleset, written)
        if query is None or form.troubles:
            continue
        answer = answer_of(form, query)
        if not answer.gap and stages_of(answer, query):
            yield SetUp(path_of(form), query, answer)


def drawn(ruleset: Ruleset, rng: Random) -> dict[str, Any]:
    """Who fires at whom from how far, and some other fields; options of the book more seldom than the rest."""
    written: dict[str, Any] = {}
    for wanted in ("attacker", "target", "distance", *("",) * 5):
        form, _ = filled_as_far(ruleset, written)
        fields = [one.field for one in form.filled]
        likely = [one for one in fields if one.name == wanted or (not wanted and not is_seldom(one, rng))]
        if likely:
            field = rng.choice(likely)
            written[field.name] = something(field, rng)
    return written


def is_seldom(field: Field, rng: Random) -> bool:
    return field.name in ("attacker", "target") or (field.part == "option" and rng.random() < 0.9)


def something(field: Field, rng: Random) -> Any:
    """A distance near enough for most weapons, few models, few weapons."""
    values = [pick.value for pick in field.picks]
    if field.kind == "number":
        return rng.randint(math.ceil(field.between[0]), int(min(field.between[1], field.between[0] + 20)))
    if field.kind == "several":
        return [value for value in values if rng.random() < 0.25][:2]
    if field.kind == "counted":
        return [[rng.choice(values), rng.randint(1, 3)] for _ in range(rng.randint(1, 2))]
    return rng.choice(values)


def stages_of(answer: Answer, query: Query) -> list[Stage]:
    """What is told of the end: what is left, else (of one volley) the stages of its forecast that are counted."""
    last = answer.over or (answer.volleys[0].stages if len(answer.volleys) == 1 else ())
    return [one for one in last if one.kind in query.counted]


# ---------------------------------------------------------------- comparing


def differences(told: Sequence[tuple[int, float]], found: Counter[int]) -> list[str]:
    """What lies too far from what was told: single numbers, the rare ones together, the mean."""
    rolls, chances = found.total(), dict(told)
    wrong = [f"{number} was never to come" for number in found if number not in chances]
    rare = {number: p for number, p in chances.items() if rolls * min(p, 1.0 - p) < FEW}
    for number, p in chances.items():
        if number not in rare and not is_near(found[number], rolls, p):
            wrong.append(f"{number}: {found[number]} of {rolls}, told {p:.6f}")
    seldom = {number: p for number, p in rare.items() if p < 0.5}
    if sum(found[number] for number in seldom) > most_of(rolls * sum(seldom.values())):
        wrong.append(f"rare numbers {sum(found[number] for number in seldom)} of {rolls}")
    mean = math.fsum(number * p for number, p in told)
    variance = math.fsum(p * (number - mean) ** 2 for number, p in told)
    average = sum(number * many for number, many in found.items()) / rolls
    if abs(average - mean) > SIGMAS * math.sqrt(variance / rolls) + FEW / rolls:
        wrong.append(f"mean {average:.5f}, told {mean:.5f}")
    return wrong


def is_near(count: int, rolls: int, p: float) -> bool:
    return abs(count - rolls * p) <= SIGMAS * math.sqrt(rolls * p * (1.0 - p))


def most_of(expected: float) -> float:
    """How many of something rare are not too many: four deviations, and a few because rare things come in lumps."""
    return expected + SIGMAS * math.sqrt(expected) + SIGMAS


class Tried(NamedTuple):
    """One set-up, played: what was told of it, and what lies too far from that."""

    number: int
    link: str
    told: tuple[tuple[str, float], ...]
    wrong: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        means = ", ".join(f"{kind} {mean:.4f}" for kind, mean in self.told)
        yield f"{self.number:3} {'differs' if self.wrong else 'agrees'}  {means}  {self.link}"
        yield from (f"      {what}" for what in self.wrong)


def tried(number: int, one: SetUp, rolls: int, seed: str) -> Tried:
    counters = simulated(one.query, rolls, f"{seed} {number}")
    stages = stages_of(one.answer, one.query)
    wrong = [f"{stage.kind}: {what}" for stage in stages for what in differences(stage.chances, counters[stage.kind])]
    return Tried(number, one.link, tuple((stage.kind, stage.mean) for stage in stages), tuple(wrong))


class Drawn:
    """The set-ups of a run by their numbers, from 1; each is made once."""

    def __init__(self, book: str, seed: str) -> None:
        self.coming = set_ups(load_ruleset(book), seed)
        self.made: list[SetUp] = []

    def numbered(self, number: int) -> SetUp:
        while len(self.made) < number:
            self.made.append(next(self.coming))
        return self.made[number - 1]


drawn_of = lru_cache(maxsize=1)(Drawn)


def tried_of(book: str, seed: str, rolls: int, number: int) -> Tried:
    return tried(number, drawn_of(book, seed).numbered(number), rolls, seed)


def all_tried(given: Namespace, numbers: Sequence[int]) -> Iterator[Tried]:
    """What was found, in the order of the numbers."""
    one = partial(tried_of, given.book, given.seed, given.rolls)
    if given.processes == 1:
        yield from map(one, numbers)
        return
    with ProcessPoolExecutor(given.processes) as pool:
        yield from pool.map(one, numbers)


# ---------------------------------------------------------------- the command


def arguments(given: Sequence[str] | None = None) -> Namespace:
    parser = ArgumentParser(
        "python -m tools.odds",
        description="Answer random queries exactly, play each of them many times, and tell what does not agree.",
        epilog=f"What lies farther than {SIGMAS:g} deviations from what was told is shown, and makes it end with 1.",
    )
    parser.add_argument("book", choices=[name for name in ruleset_names() if load_ruleset(name).odds_form is not None])
    parser.add_argument("set_ups", nargs="?", type=int, default=SET_UPS, help="how many queries (%(default)s)")
    parser.add_argument("rolls", nargs="?", type=int, default=ROLLS, help="how often each is played (%(default)s)")
    parser.add_argument("seed", nargs="?", default=SEED, help="of the queries and of the dice (%(default)s)")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="each set-up is added to it; those in it are left out"
    )
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="how many play at once (%(default)s)")
    found = parser.parse_args(given)
    if found.set_ups < 1 or found.rolls < 1 or found.processes < 1:
        parser.error("set-ups, rolls and processes must be at least 1")
    return found


def head(given: Namespace) -> str:
    """By which a file is known to be of the same run."""
    return f"# python -m tools.odds {given.book} {given.set_ups} {given.rolls} {given.seed}"


def done_before(given: Namespace) -> dict[int, list[str]]:
    """The lines of the set-ups that stand in the file already, by number."""
    if given.keep is None or not given.keep.exists():
        return {}
    first, *rest = given.keep.read_text().splitlines()
    if first != head(given):
        sys.exit(f"{given.keep}: it is of another run ({first!r}). Name another file.")
    found: dict[int, list[str]] = {}
    for line in rest:
        if line[:3].strip().isdigit():
            found[int(line[:3])] = [line]
        elif found:
            found[max(found)].append(line)
    return found


def check_known(given: Namespace, known: dict[int, list[str]]) -> None:
    """Whether what stands in the file is of the queries that are drawn now."""
    for number, lines in known.items():
        link = drawn_of(given.book, given.seed).numbered(number).link
        if not lines[0].endswith(f"  {link}"):
            sys.exit(f"{given.keep}: set-up {number} is another query now ({link}). Name another file.")


def say(lines: Sequence[str], keep: Path | None) -> None:
    text = "".join(f"{line}\n" for line in lines)
    sys.stdout.write(text)
    sys.stdout.flush()
    if keep is not None:
        with keep.open("a") as file:
            file.write(text)


def main() -> None:
    given = arguments()
    known = done_before(given)
    if not known:
        say([head(given)], given.keep)
    check_known(given, known)
    wrong = sum(" differs " in lines[0] for lines in known.values())
    for found in all_tried(given, [number for number in range(1, given.set_ups + 1) if number not in known]):
        wrong += bool(found.wrong)
        say(list(found.lines()), given.keep)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
