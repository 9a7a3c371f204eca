"""Odds against the referee's own play: ``python -m tools.odds BOOK [SET-UPS] [ROLLS] [SEED]``, both as told by default.

Random queries are answered exactly and played again and again on copies; what lies farther than four standard
deviations from what was told is shown, and is an error.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from campale.odds.answers import Answer, Stage, answer_of
from campale.odds.form import filled_as_far
from campale.odds.link import path_of
from campale.referee.inquiries import Field, Posed
from campale.referee.position import Position
from campale.referee.ruleset import Ruleset, load_ruleset

SET_UPS, ROLLS, SEED = 30, 100_000, "odds"
SIGMAS = 4.0
FEW = 8.0
"""Numbers that should come up more seldom than this are taken together."""


class SetUp(NamedTuple):
    """A query that has an answer to the end, and what it asks."""

    link: str
    posed: Posed
    answer: Answer


def set_ups(ruleset: Ruleset, seed: str) -> Iterator[SetUp]:
    """Random queries without end, those whose losses can be told."""
    rng = Random(seed)
    while True:
        written = drawn(ruleset, rng)
        form, posed = filled_as_far(ruleset, written)
        if posed is None or form.troubles:
            continue
        answer = answer_of(form, posed)
        if not answer.gap and stages_of(answer, posed):
            yield SetUp(path_of(form), posed, answer)


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


def stages_of(answer: Answer, posed: Posed) -> list[Stage]:
    """What is told of the end: what is left, else (of one volley) the stages of its forecast that are counted."""
    last = answer.over or (answer.volleys[0].stages if len(answer.volleys) == 1 else ())
    return [one for one in last if one.kind in posed.counted]


# ---------------------------------------------------------------- playing


def played(coroutine: Coroutine[Any, Any, Any], policy: Callable[[Any], Any], rng: Random) -> Any:
    """The rule to its end: chance by the generator, decisions by the policy."""
    value: Any = None
    while True:
        try:
            asked = coroutine.send(value)
        except StopIteration as done:
            return done.value
        if hasattr(asked, "questions"):
            value = {side: one.understood(policy(one)) for side, one in asked.questions.items()}
        else:
            value = asked.understood(asked.sample(rng) if asked.is_chance else policy(asked))


def once(posed: Posed, rng: Random) -> Position:
    """All volleys one after another; the position that comes of it."""
    position = posed.position.copy()
    for volley in posed.volleys:
        position = played(volley.play(position), posed.policy, rng)
    return position


def simulated(posed: Posed, rolls: int, seed: str) -> dict[str, Counter[int]]:
    rng = Random(seed)
    found: dict[str, Counter[int]] = {kind: Counter() for kind in posed.counted}
    for _ in range(rolls):
        position = once(posed, rng)
        for kind, counted in posed.counted.items():
            found[kind][counted(position)] += 1
    return found


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


def main() -> None:
    book = sys.argv[1]
    many, rolls = (int(one) for one in (*sys.argv[2:4], *(str(SET_UPS), str(ROLLS))[len(sys.argv[2:4]) :]))
    seed = sys.argv[4] if len(sys.argv) > 4 else SEED
    wrong = 0
    for number, (link, posed, answer) in zip(range(1, many + 1), set_ups(load_ruleset(book), seed), strict=False):
        begun = time.perf_counter()
        counters = simulated(posed, rolls, f"{seed} {number}")
        found = [
            f"{one.kind}: {what}"
            for one in stages_of(answer, posed)
            for what in differences(one.chances, counters[one.kind])
        ]
        wrong += bool(found)
        told = ", ".join(f"{one.kind} {one.mean:.4f}" for one in stages_of(answer, posed))
        word, seconds = "differs" if found else "agrees", time.perf_counter() - begun
        sys.stdout.write(f"{number:3} {word}  {told}  ({seconds:.0f} s)  {link}\n")
        sys.stdout.writelines(f"      {what}\n" for what in found)
        sys.stdout.flush()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
