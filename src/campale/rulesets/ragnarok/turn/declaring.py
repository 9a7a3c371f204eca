"""What is declared: an action or a reaction, by which model, with what it needs; and what it costs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from campale.referee.position import Model
from campale.referee.question import Question
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.morale.psychology import doubled


class Declaration(NamedTuple):
    """An action declared: the fields filled in after its name, and what the model was when it declared it."""

    model: Model
    action: str
    details: list[Any]
    from_hiding: bool = False
    is_aimed: bool = False
    is_concentrated: bool = False
    reactors: tuple[tuple[Model, str], ...] = ()


class Action(NamedTuple):
    """An entry of the list of actions, or of that of reactions.

    ``forbids`` are the restrictions on the model; ``fields(model, filled)`` the questions that complete the
    declaration; ``carry_out`` does it.
    """

    name: str
    cost: int
    forbids: tuple[Callable[[Model], Fault | None], ...]
    carry_out: Callable[[Declaration], Awaitable[None]]
    fields: Callable[[Model, list[Any]], Question | None] = lambda _model, _filled: None
    is_possible: Callable[[Model], bool] = lambda _model: True

    def refusal(self, model: Model) -> Refusal | None:
        return first_refusal(self.forbids, model)


# ---------------------------------------------------------------- tactical/charisma-limit, tactical/points-spent


@rule("tactical/charisma-limit")
def points_left(model: Model) -> int:
    """What is left of its CAR this turn, and of what the commander gave."""
    return model.marks("charisma") + model.marks("handed")


@rule("tactical/charisma-limit", "suppression/effect")
def too_dear(model: Model, cost: int) -> Fault | None:
    price = doubled(model, cost)
    return Fault(measured=points_left(model), limit=price, model=model.row) if points_left(model) < price else None


@rule("tactical/points-spent", "suppression/effect")
def pay(model: Model, cost: int) -> None:
    """Spent at the declaration, whatever becomes of it; what the commander gave goes first, for it would vanish."""
    price = doubled(model, cost)
    given = min(price, model.marks("handed"))
    model.add("handed", -given, quietly=True)
    model.add("charisma", given - price, quietly=True)
    if price:
        model.position.write("pays", model=model.row, price=price, left=points_left(model))
