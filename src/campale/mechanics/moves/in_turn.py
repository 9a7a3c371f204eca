"""The move of a unit whose models go one after another, each judged by where those before it have gone.

A book gives the order, the proposal for each model at its turn, and what it forbids there: charges and pile-ins with
duties, model by model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Generic, NamedTuple, Protocol, TypeVar

from campale.mechanics.moves.move_paths import answer_of
from campale.mechanics.moves.unit_moves import Answer, Reads, as_paths
from campale.referee.looks import Foretold
from campale.referee.position import Model, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Plain, Refusal
from campale.table.paths import Path


class Step(NamedTuple):
    """What a model does at its turn, and its facing afterwards (None: unchanged)."""

    path: Path
    facing: float | None = None


class Progress(Protocol):
    """The places of the models so far."""

    def put(self, model: Model, path: Path) -> None: ...


P = TypeVar("P", bound=Progress)


class InTurn(Generic[P]):
    """Models that go one after another.

    ``models`` go in this order. ``begins``: no model has gone yet. ``proposes``: what each may lawfully do if those
    before it follow their proposals. ``refuses``: why a model at its turn may not take a path. ``reads``: the path that
    an answer means.
    """

    def __init__(
        self,
        unit: Unit,
        models: Sequence[Model],
        begins: Callable[[], P],
        proposes: Callable[[], Sequence[Step]],
        refuses: Callable[[P, Model, Path], Refusal | None],
        reads: Reads,
    ) -> None:
        self.unit, self.models = unit, models
        self.begins, self.proposes, self.refuses, self.reads = begins, proposes, refuses, reads

    def proposal(self) -> Plain:
        """The proposed steps as an answer."""
        return [answer_of(step.path, step.facing) for step in self.proposes()]

    def refusal(self, answer: Answer) -> Refusal | None:
        """Why an answer is not allowed. As long as the models follow the proposal there is nothing to judge."""
        progress, is_as_proposed = self.begins(), True
        paths = self.paths(answer)
        for model, proposed, one in zip(self.models, self.proposal(), answer, strict=True):
            path = paths[model.row]
            is_as_proposed = is_as_proposed and is_same(proposed, one)
            refusal = None if is_as_proposed else self.refuses(progress, model, path)
            if refusal is not None:
                return refusal
            progress.put(model, path)
        return None

    def paths(self, answer: Answer) -> dict[int, Path]:
        return as_paths(self.models, answer, self.reads)

    def question(
        self,
        prompt: str,
        shown: dict[str, Plain],
        foretells: Callable[[Mapping[int, Path]], Sequence[Foretold]] | None = None,
    ) -> MoveUnit:
        """The paths of all the models, in their order. ``foretells``: the costs of paths."""

        def sample(_: Random) -> Plain:
            return self.proposal()

        def suggests() -> Iterator[Plain]:
            yield self.proposal()

        def calls_for(answer: Answer) -> Sequence[Foretold]:
            return () if foretells is None else foretells(self.paths(answer))

        about = {"unit": self.unit.row, "models": [model.row for model in self.models]}
        return MoveUnit(self.unit.side, prompt, self.refusal, sample, suggests, shown, about, foretells=calls_for)


def is_same(proposed: Plain, one: Plain) -> bool:
    """Whether an answer for a model, as a question reads it, is the proposed one."""
    points, facing = proposed
    return (tuple(tuple(float(n) for n in point) for point in points), facing) == tuple(one)
