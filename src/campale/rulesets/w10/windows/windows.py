"""When a window opens, and for whom (s/just-after, core-concepts/sequencing, stratagems/use).

The book has no secret after the battle formations: a window opens exactly where a Stratagem could be used by what both
sides know, and its silence tells nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.basics.units import SHOCKED

CP = "cp"
USED = "used"
"""What the sides have used in the phase: (side, name) each."""
TURN_USED = "turn-used"
"""The same of what may be used once a turn."""
PASS = "pass"
RARELY = 9.0
"""How much oftener a sample passes than uses anything."""

About = dict[str, Any]


class Stratagem(NamedTuple):
    """``targets(position, side, about)``: the rows of the units that it may target now; ``use`` does what it says.

    ``window``: the moment at which it is offered. ``shocked``: whether battle-shocked units may be its target.
    """

    name: str
    category: str
    price: int
    window: str
    targets: Callable[[Position, int, About], Sequence[int]]
    use: Callable[[Position, int, int, About], Awaitable[None]]
    once_a_turn: bool = False
    shocked: bool = False


class Book(NamedTuple):
    """What of this ruleset may be exchanged. ``wrecked``: what becomes of the passengers of a destroyed model."""

    stratagems: tuple[Stratagem, ...] = ()
    wrecked: Callable[[Any], Awaitable[None]] | None = None


def stratagems(position: Position) -> tuple[Stratagem, ...]:
    book: Book = position.ruleset.book or Book()
    return book.stratagems


# ---------------------------------------------------------------- who may use what


@rule("stratagems/use", "modifiers/stratagem-cost-floor")
def can_pay(position: Position, side: int, stratagem: Stratagem) -> bool:
    """Enough command points, and not used yet in this phase (or turn)."""
    if position.holds(side, CP) < stratagem.price:
        return False
    used = position.declared.get(TURN_USED if stratagem.once_a_turn else USED, ())
    return (side, stratagem.name) not in used


@rule("i/cannot-be-affected", "command-phase/battle-shocked-effects", "i/affected-by-stratagem")
def lawful_targets(position: Position, side: int, stratagem: Stratagem, about: About) -> list[int]:
    """The units that it may target; battle-shocked ones of its own side may not be."""
    if not can_pay(position, side, stratagem):
        return []
    rows = stratagem.targets(position, side, about)
    return [row for row in rows if stratagem.shocked or not Unit(position, row).marks(SHOCKED)]


def options_of(position: Position, side: int, window: str, about: About) -> list[Plain]:
    """What a side may use in a window: the name of a Stratagem and its target, together."""
    found: list[Plain] = []
    for one in stratagems(position):
        if one.window == window:
            found += [(one.name, row) for row in lawful_targets(position, side, one, about)]
    return found


@rule("s/just-after", "core-concepts/sequencing", "stratagems/use", "t/your-stratagems", "s/opponents-stratagems")
async def open_window(position: Position, window: str, **about: Any) -> None:
    """The active side first, until both pass one after the other."""
    side, passed = int(position.now["side"]), 0
    while passed < 2:
        options = options_of(position, side, window, about)
        key: Plain = PASS
        if options:
            odds = {PASS: RARELY * len(options)}
            key = await choose(side, window, [PASS, *options], of="stratagem", odds=odds, **about)
        if key == PASS:
            passed += 1
        else:
            passed = 0
            await use(position, side, str(key[0]), int(key[1]), about)
        side = 1 - side


@rule("stratagems/use", "stratagems/categories")
async def use(position: Position, side: int, name: str, target: int, about: About) -> None:
    """Pay, and carry it out."""
    one = next(found for found in stratagems(position) if found.name == name)
    spend(position, side, one)
    position.write("stratagem", side=side, play=name, unit=target)
    await one.use(position, side, target, about)


def spend(position: Position, side: int, one: Stratagem) -> None:
    position.gain(side, CP, -one.price)
    key = TURN_USED if one.once_a_turn else USED
    position.declare(key, (*position.declared.get(key, ()), (side, one.name)))


def end_of_phase(position: Position) -> None:
    position.declare(USED, None)


def end_of_turn(position: Position) -> None:
    position.declare(TURN_USED, None)
