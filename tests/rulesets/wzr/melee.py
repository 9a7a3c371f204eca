"""What the tests of close combat are written with: enemies side by side, attacks played out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from campale.mechanics.frames import push
from campale.mechanics.script_form import form_of, run
from campale.referee.chance import Roll
from campale.referee.position import Model, Position
from campale.referee.question import Form
from campale.rulesets.wzr.armies.profile import Blade, Fire, Weapon
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.attack import attack_script, frames_of
from tests.rulesets.wzr.kit import Played, finish, squad, table

RADII = {"small": 0.6, "medium": 0.8, "large": 1.0}


def title(name: str) -> dict[str, str]:
    return {"en": name.title(), "it": name.title()}


def blade(id: str = "sword", **changes: Any) -> Blade:
    return Blade(id=id, title=title(id), **changes)  # type: ignore[arg-type]


def weapon(id: str, kind: str, *fires: Fire, rules: tuple[str, ...] = ()) -> Weapon:
    return Weapon(id=id, title=title(id), kind=kind, fires=fires or (Fire(range=24, st=13),), rules=rules)  # type: ignore[arg-type]


GRENADE = weapon("sticky", "grenade", Fire(st=15, avv=6), rules=("anti-vehicle",))


def facing_off(
    own: dict[str, Any] | None = None, foe: dict[str, Any] | None = None, apart: float = 0.0, **more: Any
) -> Position:
    """A model of side 0 and, ahead of it, one of side 1 that faces it, so many inches apart."""
    own, foe = {"at": (20.0, 10.0), **(own or {})}, dict(foe or {})
    far = apart + RADII[own.get("base", "small")] + RADII[foe.get("base", "small")]
    foe.setdefault("at", (own["at"][0], own["at"][1] + far))
    return table(squad(**own), squad(side=1, **foe), **more)


def begin(model: Model, ap: int = 2) -> None:
    """As its activation has begun."""
    model.mark(marks.AP, ap)


def form(model: Model, name: str = "combat", onset: tuple[int, ...] = ()) -> Form:
    return form_of(model.side, "act", partial(attack_script, model, name, onset))


def attacks(
    position: Position,
    row: int = 0,
    dice: str = "",
    name: str = "combat",
    details: Iterable[Any] = (),
    answers: Iterable[Any] = (),
    onset: tuple[int, ...] = (),
) -> Played:
    """An attack declared with these details, and all that comes of it."""
    model = position.model(row)
    question, filled = form(model, name, onset), list(details)
    refusal = question.refusal(filled)
    assert refusal is None, refusal
    attack = run(partial(attack_script, model, name, onset), question.understood(filled))[1]
    assert attack is not None
    push(position, *frames_of(attack))
    return finish(position, dice, answers)


def gone(position: Position) -> list[int]:
    return [m.row for m in position.models if not m.is_on_table]


def fields_of(question: Form, *filled: Any) -> Any:
    return question.after(list(filled))


def needs(played: Played, why: str) -> list[int]:
    """What was needed of each roll of a kind."""
    rolls = (one for one in played.questions if isinstance(one, Roll) and one.prompt == why)
    return [one.needed.number for one in rolls if one.needed is not None]
