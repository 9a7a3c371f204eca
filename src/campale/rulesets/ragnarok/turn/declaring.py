"""Declarations: an action or a reaction of a model with its details, and its cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from campale.referee.position import Model
from campale.referee.question import Question
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.morale.psychology import doubled


class Declaration(NamedTuple):
    """A declared action: the fields filled in after its name, and the model's state when it declared it."""

    model: Model
    action: str
    details: list[Any]
    from_hiding: bool = False
    is_aimed: bool = False
    is_concentrated: bool = False
    reactors: tuple[tuple[Model, str], ...] = ()


class Action(NamedTuple):
    """An entry of the list of actions or reactions.

    ``forbids`` are the restrictions on the model; ``fields(model, filled)`` asks the questions that complete the
    declaration; ``carry_out`` does it; ``nothing_to_do`` is why no declaration could be completed.
    """

    name: str
    cost: int
    forbids: tuple[Callable[[Model], Fault | None], ...]
    carry_out: Callable[[Declaration], Awaitable[None]]
    fields: Callable[[Model, list[Any]], Question | None] = lambda _model, _filled: None
    nothing_to_do: Callable[[Model], Fault | Refusal | None] = lambda _model: None

    def refusal(self, model: Model) -> Refusal | None:
        return first_refusal(self.forbids, model)


# ---------------------------------------------------------------- tactical/charisma-limit, tactical/points-spent


@rule("tactical/charisma-limit")
def points_left(model: Model) -> int:
    """Return what is left of a model's CAR this turn, and of the points its commander gave it."""
    return model.marks("charisma") + model.marks("handed")


@rule("tactical/charisma-limit", "suppression/effect")
def too_dear(model: Model, cost: int) -> Fault | None:
    price = doubled(model, cost)
    return Fault(measured=points_left(model), limit=price, model=model.row) if points_left(model) < price else None


@rule("tactical/points-spent", "suppression/effect")
def pay(model: Model, cost: int) -> None:
    """Spend points at the declaration, whatever comes of it.

    The commander's points go first, because they would expire.
    """
    price = doubled(model, cost)
    given = min(price, model.marks("handed"))
    model.add("handed", -given, quietly=True)
    model.add("charisma", given - price, quietly=True)
    if price:
        model.position.write("pays", model=model.row, price=price, left=points_left(model))


@rule("hide/state")
def come_out_of_hiding(model: Model) -> None:
    """A declaration ends hiding."""
    model.mark("hidden", 0)
