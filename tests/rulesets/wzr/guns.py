"""Guns for the tests of shooting, and a shot played from its form to the last hit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from campale.mechanics.armies.rows import Title
from campale.mechanics.frames import push
from campale.mechanics.script_form import fill_in_script, run
from campale.referee.position import Position
from campale.rulesets.wzr.armies.profile import Fire, Power, Weapon
from campale.rulesets.wzr.shooting.declaring import declaration
from campale.rulesets.wzr.shooting.fire import Attack, attacks_of
from campale.rulesets.wzr.shooting.plan import SHOOT, Plan
from campale.rulesets.wzr.shooting.shoot import frames
from tests.rulesets.wzr.kit import Played, finish, play


def gun(
    name: str = "rifle", kind: str = "automatic", rules: Iterable[str] = (), more: Iterable[Fire] = (), **fire: Any
) -> Weapon:
    """A weapon with range 24, St 10, RoF 1, AVV 0, but for what is said of its fire."""
    given = {"range": 24.0, "st": 10, **fire}
    title = Title(en=name, it=name)
    fires = (Fire(**given), *more)
    return Weapon(id=name, title=title, kind=kind, fires=fires, rules=tuple(rules))  # type: ignore[arg-type]


def power(name: str = "blast", kind: str = "shooting", does: str = "", **fire: Any) -> Power:
    given = Fire(**{"range": 18.0, "st": 20, "type": "psychic", **fire}) if kind == "shooting" else None
    return Power(id=name, title=Title(en=name, it=name), kind=kind, fire=given, does=does)  # type: ignore[arg-type]


def shoot(
    position: Position,
    *details: Any,
    dice: str = "",
    answers: Iterable[Any] = (),
    row: int = 0,
    action: str = SHOOT,
    accepting: bool = False,
) -> Played:
    """The form is judged field by field; then all that follows is played."""
    model = position.model(row)
    script = partial(declaration, model, action)
    asked = play(fill_in_script(model.side, "act", script), answers=[list(details)], position=position)
    push(position, *frames(action, model, [*filled(position, row, action, details)]))
    played = finish(position, dice, answers, accepting)
    return Played(played.value, [*asked.questions, *played.questions], position)


def filled(position: Position, row: int, action: str, details: Sequence[Any]) -> list[Any]:
    """What the fields understood of the answers."""
    script, found = partial(declaration, position.model(row), action), list[Any]()
    for one in details:
        question = run(script, found)[0]
        assert question is not None
        found.append(question.understood(one))
    return found


def plan(position: Position, *details: Any, row: int = 0, action: str = SHOOT) -> Plan:
    script = partial(declaration, position.model(row), action)
    found = run(script, filled(position, row, action, details))[1]
    assert found is not None, "the form is not complete"
    return found


def offered(position: Position, *details: Any, row: int = 0, action: str = SHOOT) -> list[Any]:
    """What the field after some answers offers."""
    script = partial(declaration, position.model(row), action)
    question = run(script, filled(position, row, action, details))[0]
    return [] if question is None else question.options() or []


def prompt(position: Position, *details: Any, row: int = 0, action: str = SHOOT) -> str:
    """What is asked after some answers."""
    script = partial(declaration, position.model(row), action)
    question = run(script, filled(position, row, action, details))[0]
    return "" if question is None else question.prompt


def attacks(position: Position, *details: Any, **how: Any) -> list[Attack]:
    return attacks_of(position, plan(position, *details, **how))


def needs(position: Position, *details: Any, **how: Any) -> list[int]:
    """What the tests of an attack must not exceed."""
    return [one.need.number for one in attacks(position, *details, **how) if one.need is not None]


def is_lost(position: Position, row: int) -> bool:
    return not position.model(row).is_on_table
