"""The exact odds, stage by stage, of attacks on many things, declared as ``Each``, ``All`` and so on.

Equivalent things need only one run of their dice, and are counted. For independent things only the number of each kind
that reaches the next stage is enumerated; if only a number is wanted, the numbers of independent things are simply
added up. Each rule is enumerated exactly; chances are added in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from campale.dice.counts import Chances
from campale.dice.odds import Policy, TooMany, exact, itself, of_stage
from campale.dice.stages import All, AnyStage, Each, Fold, Parts
from campale.dice.tallies import AsBags, AsNumber, Bag, Counted, Tally, added, first_of, merged, sorted_bag

MOST_RUNS = 20_000
"""The most runs of rules."""

MOST_BAGS = 12_000
"""The most bags of things for a stage that looks at all of them together."""

MOST_MADE = 100_000
"""The most bags made from smaller ones in all."""

MOST_WAYS = 400
"""The most bags for which one stage is run."""

Chain = tuple[int, ...]
V = TypeVar("V")


class Opened(NamedTuple):
    """Parts (by their index among the stages) to which all things belong, and the things that each consists of."""

    place: int
    name: str = ""


class Bags:
    """Stages from one position.

    ``decided``: the prompts that the policy answered on the way. ``alike(thing)`` gives the same thing for all
    equivalent things. ``common``: results kept under a stage's ``known_by``, shared with others. More than ``most``
    runs of rules, more than ``most_bags`` bags of things, or more than ``ways`` bags for one stage raise TooMany.
    """

    def __init__(
        self,
        position: Any,
        policy: Policy | None = None,
        alike: Callable[[Any], Any] = itself,
        common: dict[Any, Any] | None = None,
        most: int | None = None,
        ways: int | None = None,
        most_bags: int | None = None,
    ) -> None:
        self.position, self.policy, self.alike = position, policy, alike
        self.common = {} if common is None else common
        self.most = MOST_RUNS if most is None else most
        self.ways = MOST_WAYS if ways is None else ways
        self.most_bags = MOST_BAGS if most_bags is None else most_bags
        self.runs = self.made = 0
        self.decided: dict[str, None] = {}
        self.things: list[Any] = []
        self.number_of: dict[Any, int] = {}
        self.stages: list[AnyStage | Opened] = []
        self.place_of: dict[AnyStage | Opened, int] = {}
        self.kept: dict[Any, Any] = {}
        self.as_bags = AsBags(self.check, "")

    def check(self, bags: int) -> None:
        """Count this many more bags. Raises TooMany."""
        self.made += bags
        if bags > self.most_bags or self.made > MOST_MADE:
            raise TooMany(f"more than {self.most_bags} bags of things: say with 'alike' which things come to the same")

    # ------------------------------------------------------------ results

    def numbers(self, stages: Sequence[AnyStage], things: Iterable[Any], counted: Counted, until: str = "") -> Chances:
        """The chances of a number: the sum of ``counted`` over the things that are left."""
        tally = self.kept.setdefault(("tally", counted, until), AsNumber(self.things, counted, until))
        found: Chances = self.of_bag(self.chain(stages), self.in_order(things), tally)
        return found

    def ends(self, stages: Sequence[AnyStage], things: Iterable[Any], until: str = "") -> dict[tuple[Any, ...], float]:
        """The things that may be left, with their chances."""
        tally = self.kept.setdefault(("ends", until), AsBags(self.check, until))
        found = self.of_bag(self.chain(stages), self.in_order(things), tally)
        return {self.in_bag(bag): chance for bag, chance in found.items()}

    # ------------------------------------------------------------ things and stages by number

    def chain(self, stages: Iterable[AnyStage | Opened]) -> Chain:
        found = []
        for stage in stages:
            if stage not in self.place_of:
                self.place_of[stage] = len(self.stages)
                self.stages.append(stage)
            found.append(self.place_of[stage])
        return tuple(found)

    def number(self, thing: Any) -> int:
        thing = self.alike(thing)
        known = thing.__class__, thing
        found = self.number_of.get(known)
        if found is None:
            found = self.number_of[known] = len(self.things)
            self.things.append(thing)
        return found

    def bag(self, things: Iterable[Any]) -> Bag:
        return sorted_bag((self.number(thing), 1) for thing in things)

    def in_order(self, things: Iterable[Any]) -> Bag:
        return tuple((number, len(list(run))) for number, run in groupby(map(self.number, things)))

    def in_bag(self, bag: Bag) -> tuple[Any, ...]:
        return tuple(self.things[number] for number, many in bag for _ in range(many))

    # ------------------------------------------------------------ through a chain

    def of_bag(self, chain: Chain, bag: Bag, tally: Tally[V]) -> V:
        key = chain, bag, tally
        if key not in self.kept:
            self.kept[key] = self.went_through(chain, bag, tally)
        found: V = self.kept[key]
        return found

    def went_through(self, chain: Chain, bag: Bag, tally: Tally[V]) -> V:
        chain, place = self.up_to_together(self.cut(chain, tally.until), bag, tally.until)
        if place == len(chain):
            return tally.together((self.of_thing(chain, number, tally), many) for number, many in bag)
        before, stage, after = chain[:place], self.stages[chain[place]], chain[place + 1 :]
        if isinstance(stage, Fold):
            left = self.folded(before, chain[place], bag)
            return tally.mixed((p, self.of_bag(after, ((one, 1),), tally)) for one, p in left.items())
        reached = self.of_bag(before, bag, self.as_bags) if before else {sorted_bag(bag): 1.0}
        if isinstance(stage, Parts):
            return tally.mixed((p, self.of_parts(chain[place], after, one, tally)) for one, p in reached.items())
        assert isinstance(stage, All)
        reached = self.told_apart(stage, reached)
        ends = ((p * q, left) for one, p in reached.items() for left, q in self.of_all(chain[place], one).items())
        return tally.mixed((p, self.of_bag(after, left, tally)) for p, left in ends)

    def told_apart(self, stage: All, bags: Mapping[Bag, float]) -> Mapping[Bag, float]:
        """The bags for which a stage is run."""
        if stage.most is not None:
            bags = merged((first_of(bag, stage.most), chance) for bag, chance in bags.items())
        if len(bags) > self.ways and len({self.heeded(stage, bag)[0] for bag in bags}) > self.ways:
            raise TooMany(
                f"more than {self.ways} bags of things come to the stage '{stage.name}': say with 'alike' which come "
                "to the same, or with 'alone' when each goes its way as if it were alone"
            )
        return bags

    def heeded(self, stage: All, bag: Bag) -> tuple[Bag, Bag]:
        """The things that a stage looks at, and the others."""
        heeds = stage.heeds
        if heeds is None:
            return bag, ()
        seen = tuple(one for one in bag if heeds(self.things[one[0]]))
        return seen, tuple(one for one in bag if not heeds(self.things[one[0]]))

    def of_thing(self, chain: Chain, number: int, tally: Tally[V]) -> V:
        """The results of one thing that does not depend on others."""
        if not chain:
            return tally.of(((number, 1),))
        key = "alone", chain, number, tally
        if key not in self.kept:
            found = self.of_one(chain[0], number)
            self.kept[key] = tally.mixed((p, self.of_bag(chain[1:], bag, tally)) for bag, p in found.items())
        return self.kept[key]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ parts

    def of_parts(self, place: int, after: Chain, bag: Bag, tally: Tally[V]) -> V:
        parts: dict[Hashable, list[tuple[int, int]]] = {}
        found: list[tuple[V, int]] = []
        for number, many in bag:
            key, is_joined = self.part_of(place, number)
            if is_joined:
                parts.setdefault(key, []).append((number, many))
            else:
                found.append((self.of_part(place, key, ((number, 1),), after, tally), many))
        found += [(self.of_part(place, key, tuple(own), after, tally), 1) for key, own in parts.items()]
        return tally.together(found)

    def of_part(self, place: int, key: Hashable, own: Bag, after: Chain, tally: Tally[V]) -> V:
        known = "part", place, key, own, after, tally
        if known not in self.kept:
            inner = tuple((n, m * many) for number, many in own for n, m in self.content(place, number))
            self.kept[known] = self.of_bag((*self.stages_of_part(place, key), *after), inner, tally)
        return self.kept[known]  # type: ignore[no-any-return]

    def part_of(self, place: int, number: int) -> tuple[Hashable, bool]:
        """The part to which a thing belongs, and whether others may belong to it too."""
        known = "key", place, number
        if known not in self.kept:
            stage = self.stages[place]
            assert isinstance(stage, Parts)
            key = stage.by(self.position, self.things[number])
            self.kept[known] = key, stage.joined is None or stage.joined(key)
        return self.kept[known]  # type: ignore[no-any-return]

    def content(self, place: int, number: int) -> Bag:
        known = "content", place, number
        if known not in self.kept:
            stage = self.stages[place]
            assert isinstance(stage, Parts)
            self.kept[known] = self.in_order(stage.of(self.position, self.things[number]))
        return self.kept[known]  # type: ignore[no-any-return]

    def stages_of_part(self, place: int, key: Hashable) -> Chain:
        known = "stages", place, key
        if known not in self.kept:
            stage = self.stages[place]
            assert isinstance(stage, Parts)
            self.kept[known] = self.chain(stage.stages(self.position, key))
        return self.kept[known]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ stages that look at several things

    def cut(self, chain: Chain, until: str) -> Chain:
        """The stages up to a given one."""
        if not until:
            return chain
        place = next((k for k, one in enumerate(chain) if self.stages[one].name == until), len(chain))
        return chain[: place + 1]

    def up_to_together(self, chain: Chain, bag: Bag, until: str) -> tuple[Chain, int]:
        """The index of the first stage that depends on which things reach it together.

        Parts to which all things belong are opened.
        """
        kinds = tuple(dict.fromkeys(number for number, _ in bag))
        known = "together", chain, kinds, until
        if known not in self.kept:
            self.kept[known] = self.opened_up(chain, kinds, until)
        return self.kept[known]  # type: ignore[no-any-return]

    def opened_up(self, chain: Chain, kinds: Sequence[int], until: str) -> tuple[Chain, int]:
        place = 0
        while place < len(chain):
            stage = self.stages[chain[place]]
            if isinstance(stage, Fold) or (isinstance(stage, All) and not self.are_alone(stage, kinds)):
                break
            if isinstance(stage, Parts):
                keys = dict.fromkeys(self.part_of(chain[place], number) for number in kinds)
                if len(keys) > 1 or not all(is_joined for _, is_joined in keys):
                    break
                inner = [one for key, _ in keys for one in self.stages_of_part(chain[place], key)]
                (opened,) = self.chain((Opened(chain[place]),))
                chain = self.cut((*chain[:place], opened, *inner, *chain[place + 1 :]), until)
            kinds = list(dict.fromkeys(n for one in kinds for bag in self.of_one(chain[place], one) for n, _ in bag))
            place += 1
        return chain, place

    def are_alone(self, stage: All, kinds: Iterable[int]) -> bool:
        return stage.alone is not None and stage.alone(self.position, [self.things[number] for number in kinds])

    # ------------------------------------------------------------ runs of rules

    def of_one(self, place: int, number: int) -> dict[Bag, float]:
        """The results of a stage for one thing."""
        key = "one", place, number
        if key not in self.kept:
            self.kept[key] = self.found_for_one(place, number)
        return self.kept[key]  # type: ignore[no-any-return]

    def found_for_one(self, place: int, number: int) -> dict[Bag, float]:
        stage = self.stages[place]
        if isinstance(stage, Opened):
            return {sorted_bag(self.content(stage.place, number)): 1.0}
        if not isinstance(stage, Each) or stage.known_by is None:
            return self.run(stage, ((number, 1),))
        known = stage.known_by(self.position, self.things[number])
        if known is None:
            return self.run(stage, ((number, 1),))
        name = stage.name, known
        if name not in self.common:
            found = self.run(stage, ((number, 1),))
            self.common[name] = [(self.in_bag(bag), chance) for bag, chance in found.items()]
        return merged((self.bag(things), chance) for things, chance in self.common[name])

    def of_all(self, place: int, bag: Bag) -> dict[Bag, float]:
        """The results of a stage for all things together."""
        stage = self.stages[place]
        assert isinstance(stage, All)
        heeded, passing = self.heeded(stage, bag)
        key = "all", place, heeded
        if key not in self.kept:
            self.kept[key] = self.run(stage, heeded)
        found: dict[Bag, float] = self.kept[key]
        return {added(left, passing): chance for left, chance in found.items()} if passing else found

    def run(self, stage: Any, bag: Bag) -> dict[Bag, float]:
        """Enumerate a rule's own coroutine exactly."""
        things, left = self.in_bag(bag), stage.left

        async def of(position: Any) -> Bag:
            return self.bag(await stage.of(position, things, *stage.given))

        if left is None:
            return self.unchanged(of)

        def read(copy: Any, given: Any) -> Bag:
            return self.bag(left(copy, given))

        return self.changed(self.position, lambda copy: stage.of(copy, things, *stage.given), read)

    def unchanged(self, call: Callable[[Any], Any]) -> dict[Any, float]:
        found, runs = of_stage(None, lambda _: call(self.position), self.policy, self.runs_left())
        return self.noted(found, runs)

    def changed(self, position: Any, call: Callable[[Any], Any], read: Callable[[Any, Any], Any]) -> dict[Any, float]:
        found = exact(position, call, self.policy, read, self.runs_left())
        return self.noted(found, len(found.outcomes))

    def runs_left(self) -> int:
        if self.runs >= self.most:
            raise TooMany(f"more than {self.most} runs of rules: say with 'alike' which things come to the same")
        return self.most - self.runs

    def noted(self, found: Any, runs: int) -> dict[Any, float]:
        self.runs += runs
        self.decided.update(dict.fromkeys(found.decided))
        return {one: float(chance) for one, chance in found.outcomes.items()}

    # ------------------------------------------------------------ one after another

    def folded(self, before: Chain, place: int, bag: Bag) -> Mapping[int, float]:
        """The possible results after all things, each of which has gone through the stages ``before`` it."""
        fold = self.stages[place]
        assert isinstance(fold, Fold)
        begin = fold.begin if fold.state is None else fold.state.read(self.position)
        now: Mapping[int, float] = {self.number(begin): 1.0}
        gone: Bag = ()
        for number, many in bag:
            each = self.of_thing(before, number, self.as_bags)
            for times in range(1, many + 1):
                key = "folded", before, place, (*gone, (number, times))
                if key not in self.kept:
                    self.kept[key] = self.with_one(place, now, each)
                now = self.kept[key]
            gone = (*gone, (number, many))
        return now

    def with_one(self, place: int, now: Mapping[int, float], each: Mapping[Bag, float]) -> dict[int, float]:
        found: dict[int, float] = {}
        for bag, chance in each.items():
            after = now
            for number, many in bag:
                for _ in range(many):
                    after = merged(
                        (n, p * q) for so_far, p in after.items() for n, q in self.step(place, so_far, number)
                    )
            for so_far, share in after.items():
                found[so_far] = found.get(so_far, 0.0) + chance * share
        return found

    def step(self, place: int, so_far: int, number: int) -> list[tuple[int, float]]:
        """The result after one more thing."""
        key = "step", place, so_far, number
        if key not in self.kept:
            fold, begun, thing = self.stages[place], self.things[so_far], self.things[number]
            assert isinstance(fold, Fold)
            self.kept[key] = list(self.one_more(fold, begun, thing).items())
        found: list[tuple[int, float]] = self.kept[key]
        return found

    def one_more(self, fold: Fold, begun: Any, thing: Any) -> dict[int, float]:
        state = fold.state
        if state is None:

            async def one(position: Any) -> int:
                return self.number(await fold.one(position, begun, thing, *fold.given))

            return self.unchanged(one)
        copy = self.position.copy()
        state.write(copy, begun)

        def read(left: Any, _: Any) -> int:
            return self.number(state.read(left))

        return self.changed(copy, lambda position: fold.one(position, begun, thing, *fold.given), read)
