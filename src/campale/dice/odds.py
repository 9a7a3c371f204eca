"""Exact odds from the rules themselves: every possible result of chance is tried on copies of the position.

A coroutine cannot be copied, so each branch runs it again with the known answers of that branch. Probabilities are
exact fractions, whose sum is 1; there is no approximation, and no branch is too rare to count.

Merging: for a roll, only the number of dice in each class of faces that its rule distinguishes matters. The classes are
the roll's ``tells`` (a face in none of them is a class of its own). Without ``tells`` they are success and failure of
the need, until the rule looks at the faces themselves: then every face is a class. With neither, every face is a class
too, and up to ``MOST_IN_ORDER`` results are tried in the order in which the dice lie. In all other rolls the dice are
taken in the order of their faces, and a rule that reads one by its place is refused (OddsError), unless the roll says
what each die is for (``things``, see ``campale.referee.ask.roll_for``): then only the dice of equivalent consecutive
things are merged. For dice that are added together (``total``) the sum is what counts; for directions, if their rule
says what it makes of each of them (``tells``), only those that give different results.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import groupby, product
from math import comb, perm
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from campale.dice.stages import MERGING, Peeked, Stage, Staged, Unfolded, Unplaced

MOST_IN_ORDER = 216
"""Rolls with at most this many results (3D6) are tried in order, if the rule does not say what it distinguishes."""

MOST_RUNS = 200_000
"""How often a forecast may run its rule before it gives up."""

Classes = tuple[tuple[int, ...], ...]
Policy = Callable[[Any], Any]
Reached = dict[Any, tuple[Fraction, tuple[Any, ...]]]
"""The reachable values, their probabilities, and for each some answers that lead to it."""


class Copied(Protocol):
    """What the odds need of a position: a way to copy it."""

    def copy(self) -> Any: ...


P = TypeVar("P", bound=Copied)
T = TypeVar("T")


class OddsError(Exception):
    """Odds that cannot be computed: too many branches, or values that cannot be compared."""


class TooMany(OddsError):
    """More branches than the limit."""


class Distribution:
    """The possible outcomes and their probabilities.

    ``policy`` names who answered the decisions on the way. ``decided`` are the prompts of those decisions; without any,
    the odds depend only on chance.
    """

    __slots__ = ("decided", "outcomes", "policy")

    def __init__(self, outcomes: Mapping[Any, Fraction], policy: str = "", decided: tuple[str, ...] = ()) -> None:
        self.outcomes: dict[Any, Fraction] = dict(outcomes)
        self.policy = policy
        self.decided = decided

    def __repr__(self) -> str:
        return f"Distribution({self.outcomes})"

    def __getitem__(self, outcome: Hashable) -> Fraction:
        """The probability of an outcome; 0 for an impossible one."""
        chance: Fraction | None = self.outcomes.get(outcome)
        return Fraction(0) if chance is None else chance

    @property
    def mean(self) -> Fraction:
        """The mean of outcomes that are numbers."""
        return Fraction(sum(chance * outcome for outcome, chance in self.outcomes.items()))

    def at_least(self, least: float) -> Fraction:
        """The probability of an outcome of at least this much."""
        return sum((chance for outcome, chance in self.outcomes.items() if outcome >= least), Fraction(0))

    def of(self, function: Callable[[Any], Hashable]) -> Distribution:
        """The distribution of something read off the outcomes."""
        gathered: dict[Hashable, Fraction] = {}
        for outcome, chance in self.outcomes.items():
            seen = function(outcome)
            gathered[seen] = gathered.get(seen, Fraction(0)) + chance
        return Distribution(gathered, self.policy, self.decided)


def itself(value: Any) -> Any:
    return value


def first_suggestion(question: Any) -> Any:
    """The policy that answers every decision with the question's first suggestion (or else with one fixed sample)."""
    suggested = list(question.suggestions())
    return suggested[0] if suggested else question.sample(Random(0))


def exact(
    position: P,
    call: Callable[[P], Coroutine[Any, Any, Any]],
    policy: Policy | None = None,
    outcome: Callable[[P, Any], Hashable] | None = None,
    most: int | None = None,
) -> Distribution:
    """The exact distribution of the result of ``call(copy)``, or of ``outcome(copy, given)``.

    The position is unchanged. ``call`` makes a new coroutine of the rule for every copy; it must not refer to the live
    position. ``policy(question)`` answers a player's decisions on the way. ``most``: the number of runs of the rule
    before it gives up.
    """
    return searched(policy, most, lambda search: search.distribution(position, call, outcome))


def stage_by_stage(
    position: P,
    stages: Callable[[P], Sequence[Stage]],
    value: Any,
    outcome: Callable[[P, Any], Hashable],
    policy: Policy | None = None,
    most: int | None = None,
    alike: Callable[[Any], Any] = itself,
) -> list[Distribution]:
    """The results of ``stages(copy)``, one after another from a value; for the last one ``outcome(copy, given)``.

    All but the last must leave the position alone, as in ``campale.dice.stages.through``. ``most``: the number of runs
    of a rule before it gives up. ``alike``: the same value for all values with the same outcome.
    """
    return searched(policy, most, lambda search: search.stage_by_stage(position, stages, value, outcome), alike)


def of_stage(
    value: Any,
    stage: Stage,
    policy: Policy | None,
    most: int | None,
    alike: Callable[[Any], Any] = itself,
) -> tuple[Distribution, int]:
    """The results of one stage from a value, without changing the position, and the number of runs."""

    def work(search: Search) -> tuple[Distribution, int]:
        search.inside = 1
        reached = search.after(stage, {value: (Fraction(1), ())})
        return search.told({given: chance for given, (chance, _) in reached.items()}), search.runs

    return searched(policy, most, work, alike)


def searched(
    policy: Policy | None, most: int | None, work: Callable[[Search], T], alike: Callable[[Any], Any] = itself
) -> T:
    """Run an enumeration; repeat it if a rule looks at faces although it was given only successes."""
    faces_seen: set[Hashable] = set()
    while True:
        merging = MERGING.set(True)
        try:
            return work(Search(policy or first_suggestion, faces_seen, most, alike))
        except Peeked as peeked:
            faces_seen.update(peeked.args[0])
        except Unplaced as unplaced:
            why, what = unplaced.args
            raise OddsError(
                f"the rule reads the {what} of the roll '{why}' die by die, and the roll does not say what each die is "
                "for: roll with 'roll_for', or read 'successes', 'total' or 'ascending'"
            ) from None
        finally:
            MERGING.reset(merging)


class Branch(NamedTuple):
    """One branch: the answers to give next, and its probability as numerator and denominator."""

    answers: tuple[Any, ...]
    of: int
    out_of: int


class Leaf(NamedTuple):
    """A finished run: its result, its answers, and its probability."""

    value: Any
    answers: tuple[Any, ...]
    of: int
    out_of: int


PLAY = object()
"""The answer to Staged, among the answers of a branch."""


class Search:
    """One enumeration. ``faces_seen`` are the rolls whose faces the rule is known to look at."""

    def __init__(
        self,
        policy: Policy,
        faces_seen: set[Hashable],
        most: int | None = None,
        alike: Callable[[Any], Any] = itself,
    ) -> None:
        self.policy = policy
        self.most = MOST_RUNS if most is None else most
        self.alike = alike
        self.kept: dict[Any, Reached] = {}
        self.faces_seen = faces_seen
        self.decided: dict[str, None] = {}
        self.runs = 0
        self.inside = 0

    def distribution(self, position: Any, call: Callable[[Any], Any], outcome: Any) -> Distribution:
        copy: Any = None

        def start() -> Any:
            nonlocal copy
            copy = position.copy()
            return call(copy)

        gathered: dict[Any, dict[int, int]] = {}
        for leaf in self.leaves(start):
            seen = leaf.value if outcome is None else outcome(copy, leaf.value)
            add(gathered, seen, leaf.of, leaf.out_of, call)
        return self.told({seen: summed(parts) for seen, parts in gathered.items()})

    def told(self, outcomes: Mapping[Any, Fraction]) -> Distribution:
        name = getattr(self.policy, "__name__", type(self.policy).__name__)
        return Distribution(outcomes, name, tuple(self.decided))

    def stage_by_stage(
        self, position: Any, stages: Callable[[Any], Sequence[Stage]], value: Any, outcome: Any
    ) -> list[Distribution]:
        copy = position.copy()
        reached: Reached = {value: (Fraction(1), ())}
        found = []
        self.inside += 1
        for stage in stages(copy)[:-1]:
            reached = self.through(stage, reached) if isinstance(stage, Unfolded) else self.after(stage, reached)
            found.append(self.told({given: chance for given, (chance, _) in reached.items()}))
        self.inside -= 1
        gathered: dict[Any, Fraction] = {}
        for given, (chance, _) in reached.items():
            of_one = self.distribution(position, lambda fresh, given=given: stages(fresh)[-1](given), outcome)  # type: ignore[misc]
            for seen, share in of_one.outcomes.items():
                gathered[seen] = gathered.get(seen, Fraction(0)) + chance * share
        return [*found, self.told(gathered)]

    def leaves(self, start: Callable[[], Any]) -> Iterator[Leaf]:
        """Every run of a coroutine, one for each way that chance can answer it."""
        waiting: list[Branch] = [Branch((), 1, 1)]
        while waiting:
            known = waiting.pop()
            self.runs += 1
            if self.runs > self.most:
                raise TooMany(
                    f"more than {self.most} branches: say with 'tells' what the rule tells apart, or let things go "
                    "through stages (campale.dice.stages)"
                )
            yield self.run(start(), known, waiting)

    def run(self, coroutine: Any, known: Branch, waiting: list[Branch]) -> Leaf:
        """Run to the end along the known answers, then along the first option of every new branch; the others are
        queued."""
        answers = list(known.answers)
        of, out_of = known.of, known.out_of
        value, at = None, 0
        while True:
            try:
                asked = coroutine.send(value)
            except StopIteration as done:
                return Leaf(done.value, tuple(answers), of, out_of)
            if at == len(answers):
                first, *others = self.branches(asked)
                waiting.extend(Branch((*answers, *b.answers), of * b.of, out_of * b.out_of) for b in others)
                answers.extend(first.answers)
                of, out_of = of * first.of, out_of * first.out_of
            value = self.understood(asked, answers[at])
            at += 1

    def branches(self, asked: Any) -> list[Branch]:
        """The branches from an open question."""
        if isinstance(asked, Staged):
            return self.merged(asked)
        if hasattr(asked, "questions"):
            return [Branch(({side: self.decision(one) for side, one in sorted(asked.questions.items())},), 1, 1)]
        if not asked.is_chance:
            return [Branch((self.decision(asked),), 1, 1)]
        if asked.kind == "roll":
            return [Branch((list(faces),), ways, asked.sides**asked.count) for faces, ways in self.results(asked)]
        if asked.kind == "direction":
            return [Branch((step * asked.step,), ways, asked.steps) for step, ways in told_apart_of(asked)]
        return [Branch((list(places),), ways, out_of) for places, ways, out_of in draws(asked.pool, asked.count)]

    def decision(self, question: Any) -> Any:
        """The policy's answer."""
        self.decided.setdefault(question.prompt)
        answer = self.policy(question)
        refusal = question.refusal(answer)
        if refusal is not None:
            raise OddsError(f"the policy's answer {answer!r} to '{question.prompt}' is refused: {refusal}")
        return answer

    def understood(self, asked: Any, answer: Any) -> Any:
        """The value that the rule receives."""
        if answer is PLAY:
            return None
        if hasattr(asked, "questions"):
            return {side: asked.questions[side].understood(one) for side, one in answer.items()}
        if asked.kind == "roll":
            return asked.enumerated(answer, self.counts_only(asked), self.is_placed(asked))
        return asked.understood(answer)

    def is_placed(self, asked: Any) -> bool:
        """Whether the rule may read the dice by their places."""
        return asked.count == 1 or bool(asked.things) or (not is_total(asked) and self.classes(asked) is None)

    def results(self, asked: Any) -> Sequence[tuple[tuple[int, ...], int]]:
        """The results of a roll that its rule distinguishes, each as a list of faces, with the ways to roll it."""
        if is_total(asked):
            return totals(asked.count, asked.sides, asked.tells)
        classes = self.classes(asked)
        if not asked.things:
            return rolls(asked.count, asked.sides, classes)
        like = [sum(1 for _ in run) for _, run in groupby(map(self.alike, asked.things))]
        return side_by_side(tuple(like), asked.sides, classes or told_apart((), asked.sides))

    def counts_only(self, asked: Any) -> bool:
        """Whether the rule gets only successes, as long as it looks at nothing else."""
        is_counted = asked.needed is not None and not asked.tells and not is_total(asked)
        return is_counted and looked_at(asked) not in self.faces_seen

    def classes(self, asked: Any) -> Classes | None:
        """The faces that the rule can distinguish, in groups; None: every face, and the dice in order."""
        if asked.tells:
            return told_apart(asked.tells, asked.sides)
        if self.counts_only(asked):
            return by_success(asked.needed, asked.sides)
        return None if asked.sides**asked.count <= MOST_IN_ORDER else told_apart((), asked.sides)

    def merged(self, staged: Staged) -> list[Branch]:
        """One branch for each value that can reach the last stage.

        Inside a stage that changes nothing the last one changes nothing either: then one branch for each value it can
        give.
        """
        stages = staged.stages if self.inside else staged.stages[:-1]
        self.inside += 1
        reached = self.reached(staged.value, tuple(stages))
        self.inside -= 1
        return [Branch((PLAY, *answers), c.numerator, c.denominator) for c, answers in reached.values()]

    def reached(self, value: Any, stages: tuple[Stage, ...]) -> Reached:
        """The results of stages from a value; results for the first ones are kept while nothing changes."""
        if not stages:
            return {value: (Fraction(1), ())}
        key = value, tuple((one.func, one.args) if isinstance(one, partial) else one for one in stages)
        known = self.kept.get(key)
        if known is None:
            known = self.after(stages[-1], self.reached(value, stages[:-1]))
            if self.inside:
                self.kept[key] = known
        return known

    def through(self, stage: Unfolded, reached: Reached) -> Reached:
        """The results of a stage made of several stages, without running it as a whole."""
        values: dict[Any, Fraction] = {}
        for value, (chance, _) in reached.items():
            begun, stages = stage.parts(value)
            for given, (share, _) in self.reached(self.alike(begun), tuple(stages)).items():
                values[given] = values.get(given, Fraction(0)) + chance * share
        return {value: (chance, ()) for value, chance in values.items()}

    def after(self, stage: Any, reached: Reached) -> Reached:
        """The possible values after a stage, their probabilities, and for each some answers that lead to it."""
        values: dict[Any, dict[int, int]] = {}
        ways: dict[Any, tuple[Any, ...]] = {}
        for value, (chance, answers) in reached.items():
            for leaf in self.leaves(partial(stage, value)):
                of, out_of = leaf.of * chance.numerator, leaf.out_of * chance.denominator
                given = self.alike(leaf.value)
                add(values, given, of, out_of, stage)
                ways.setdefault(given, answers + leaf.answers)
        return {value: (summed(parts), ways[value]) for value, parts in values.items()}


def add(to: dict[Any, dict[int, int]], value: Any, of: int, out_of: int, giver: Any) -> None:
    """Add of/out_of to a value's probability, stored by denominator: whole numbers add faster than fractions."""
    try:
        parts = to.setdefault(value, {})
    except TypeError:
        name = getattr(giver, "__name__", giver)
        raise OddsError(f"what {name} gives cannot be told apart (it must be hashable): {value!r}") from None
    parts[out_of] = parts.get(out_of, 0) + of


def summed(parts: dict[int, int]) -> Fraction:
    return sum((Fraction(of, out_of) for out_of, of in parts.items()), Fraction(0))


def looked_at(asked: Any) -> Hashable:
    """The key that identifies a roll."""
    return asked.prompt, asked.count, asked.sides


def is_total(asked: Any) -> bool:
    """Whether the rule reads only the sum of the dice."""
    return bool(asked.about.get("total"))


@lru_cache(maxsize=256)
def totals(count: int, sides: int, tells: Classes = ()) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The distinguished sums of some dice, each with one list of faces and the number of ways to roll it."""
    ways = {0: 1}
    for _ in range(count):
        more: dict[int, int] = {}
        for total, many in ways.items():
            for face in range(1, sides + 1):
                more[total + face] = more.get(total + face, 0) + many
        ways = more
    inside = {total for group in tells for total in group}
    groups = [tuple(total for total in group if total in ways) for group in tells]
    apart = [group for group in groups if group] + [(total,) for total in ways if total not in inside]
    return tuple((faces_adding_to(group[0], count, sides), sum(ways[total] for total in group)) for group in apart)


def faces_adding_to(total: int, count: int, sides: int) -> tuple[int, ...]:
    """Some faces of so many dice with this sum, lower ones first."""
    faces = []
    for left in range(count, 0, -1):
        faces.append(max(1, total - (left - 1) * sides))
        total -= faces[-1]
    return tuple(faces)


def told_apart_of(asked: Any) -> Iterator[tuple[int, int]]:
    """The steps of a random direction that its rule distinguishes, each with the number of steps it stands for."""
    if asked.tells is None:
        return ((step, 1) for step in range(asked.steps))
    kinds: dict[Hashable, list[int]] = {}
    for step, made in enumerate(asked.tells()):
        kinds.setdefault(made, []).append(step)
    return ((steps[0], len(steps)) for steps in kinds.values())


@lru_cache(maxsize=1024)
def by_success(needed: Any, sides: int) -> Classes:
    """The faces that do not meet the need, and those that do."""
    faces = range(1, sides + 1)
    met = needed.are_met_by(faces)
    groups = (tuple(face for face in faces if met[face - 1] is succeeds) for succeeds in (False, True))
    return tuple(group for group in groups if group)


@lru_cache(maxsize=256)
def told_apart(tells: Classes, sides: int) -> Classes:
    """The given groups, and every other face as a group of its own."""
    inside = [face for group in tells for face in group]
    if len(set(inside)) < len(inside) or not all(1 <= face <= sides for face in inside):
        raise OddsError(f"'tells' must name each face of a D{sides} once at most, not {tells}")
    alone = ((face,) for face in range(1, sides + 1) if face not in inside)
    return (*(tuple(group) for group in tells if group), *alone)


@lru_cache(maxsize=1024)
def rolls(count: int, sides: int, classes: Classes | None) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The different results of a roll, each with one list of faces and the number of ways to roll it."""
    if classes is None:
        return tuple((faces, 1) for faces in product(range(1, sides + 1), repeat=count))
    if len(classes) == 1:
        return (((classes[0][0],) * count, len(classes[0]) ** count),)
    found = []
    for first in range(count, -1, -1):
        ways = comb(count, first) * len(classes[0]) ** first
        rest = rolls(count - first, sides, classes[1:])
        found += [((classes[0][0],) * first + faces, ways * more) for faces, more in rest]
    return tuple(sorted((tuple(sorted(faces)), ways) for faces, ways in found))


@lru_cache(maxsize=1024)
def side_by_side(counts: tuple[int, ...], sides: int, classes: Classes) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The results of several rolls at once, so many dice each, as a list of faces, with the ways to roll it."""
    found: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for count in counts:
        one = rolls(count, sides, classes)
        found = [((*faces, *more), ways * many) for faces, ways in found for more, many in one]
    return tuple(found)


def draws(pool: list[Any], count: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """The draws that differ in content or order: indices in the pool, ways, and the total."""
    places: dict[Any, list[int]] = {}
    for place, thing in enumerate(pool):
        places.setdefault(thing, []).append(place)
    kinds = list(places.values())

    def drawn(taken: list[int], ways: int, so_far: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(so_far) == count:
            yield so_far, ways
            return
        for number, kind in enumerate(kinds):
            left = len(kind) - taken[number]
            if left:
                taken[number] += 1
                yield from drawn(taken, ways * left, (*so_far, kind[taken[number] - 1]))
                taken[number] -= 1

    return ((chosen, ways, perm(len(pool), count)) for chosen, ways in drawn([0] * len(kinds), 1, ()))
