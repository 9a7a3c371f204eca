"""When a window opens, and for which side (s/just-after, core-concepts/sequencing, stratagems/use).

The book has no secrets after the battle formations: a window opens exactly where both sides know that a Stratagem
could be used, so a window that stays closed reveals nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import MappingProxyType
from typing import Any, NamedTuple

from campale.mechanics.units import NOBODY
from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import Deeds, Use, use_all
from campale.rulesets.w10.basics.units import SHOCKED
from campale.rulesets.w10.windows.costs import most_saved, of_detachment, price_of, use_up_changes
from campale.rulesets.w10.windows.stratagem import About, Stratagem

CP = "cp"
USED = "used"
"""The Stratagems used in this phase, each as (side, name)."""
TURN_USED = "turn-used"
"""As ``USED``, for Stratagems that may be used once per turn."""
GAINED = "cp-gained"
"""The sides that gained a command point by rules, each as (side, round)."""
PASS = "pass"
RARELY = 9.0
"""A sample passes this many times as often as it uses anything."""


class Book(NamedTuple):
    """The replaceable parts of this ruleset.

    ``wrecked``: handles the passengers of a destroyed model. ``deeds``: effects of abilities at a moment; ``perform``
    carries out an ability that is used; ``last_deeds`` lets destroyed models act.
    """

    stratagems: tuple[Stratagem, ...] = ()
    wrecked: Callable[[Any], Awaitable[None]] | None = None
    deeds: Deeds = MappingProxyType({})
    perform: Callable[[Use], Awaitable[None]] | None = None
    last_deeds: Callable[[Position], Awaitable[None]] | None = None


def stratagems(position: Position, side: int) -> tuple[Stratagem, ...]:
    """The core Stratagems, and those of a side's Detachment."""
    book: Book = position.ruleset.book or Book()
    return (*book.stratagems, *of_detachment(position, side))


# ---------------------------------------------------------------- Stratagems that may be used


@rule("stratagems/use", "modifiers/stratagem-cost-floor")
def can_pay(position: Position, side: int, stratagem: Stratagem, row: int = NOBODY) -> bool:
    """True if a side has enough command points, and has not used the Stratagem in this phase (or turn)."""
    if position.holds(side, CP) < price_of(position, stratagem, row):
        return False
    return not is_used(position, side, stratagem)


def is_used(position: Position, side: int, stratagem: Stratagem) -> bool:
    used = position.declared.get(TURN_USED if stratagem.once_a_turn else USED, ())
    return (side, stratagem.name) in used


@rule("i/cannot-be-affected", "command-phase/battle-shocked-effects", "i/affected-by-stratagem")
def lawful_targets(position: Position, side: int, stratagem: Stratagem, about: About) -> list[int]:
    """The units that a Stratagem may target; battle-shocked units usually not."""
    if is_used(position, side, stratagem) or position.holds(side, CP) + most_saved(position) < stratagem.price:
        return []
    rows = [row for row in stratagem.targets(position, side, about) if can_pay(position, side, stratagem, row)]
    free = stratagem.shocked or stratagem.no_unit
    return [row for row in rows if free or not Unit(position, row).marks(SHOCKED)]


def options_of(position: Position, side: int, window: str, about: About) -> list[Plain]:
    """The options of a side in a window: pairs of a Stratagem's name and its target."""
    found: list[Plain] = []
    for one in stratagems(position, side):
        if one.window == window:
            found += [(one.name, row) for row in lawful_targets(position, side, one, about)]
    return found


@rule("s/just-after", "core-concepts/sequencing", "stratagems/use", "t/your-stratagems", "s/opponents-stratagems")
async def open_window(position: Position, window: str, **about: Any) -> bool:
    """Offer a window, the active side first, until both pass in succession; return whether anything was used."""
    side, passed, used = int(position.now["side"]), 0, False
    while passed < 2:
        options = options_of(position, side, window, about)
        key: Plain = PASS
        if options:
            odds = {PASS: RARELY * len(options)}
            key = await choose(side, window, [PASS, *options], of="stratagem", odds=odds, **about)
        if key == PASS:
            passed += 1
        else:
            passed, used = 0, True
            await use(position, side, str(key[0]), int(key[1]), about)
        side = 1 - side
    return used


@rule("stratagems/use", "stratagems/categories")
async def use(position: Position, side: int, name: str, target: int, about: About) -> None:
    """Pay for a Stratagem and carry it out."""
    one = next(found for found in stratagems(position, side) if found.name == name)
    spend(position, side, one, target)
    await one.use(position, side, target, about)
    await told_of(position, side, target)


async def told_of(position: Position, side: int, target: int) -> None:
    """Use abilities that respond to a Stratagem that targets a unit of their side."""
    if target >= 0:
        await use_all(position, side, "stratagem-used", {"among": (target,)})


def spend(position: Position, side: int, one: Stratagem, target: int) -> None:
    """Pay the price, and note that the Stratagem was used."""
    price = price_of(position, one, target)
    use_up_changes(position, one, target)
    position.gain(side, CP, -price)
    if target >= 0:
        position.write("stratagem", side=side, play=one.name, unit=target)
    else:
        position.write("stratagem-alone", side=side, play=one.name)
    key = TURN_USED if one.once_a_turn else USED
    position.declare(key, (*position.declared.get(key, ()), (side, one.name)))


def end_of_phase(position: Position) -> None:
    position.declare(USED, None)


def end_of_turn(position: Position) -> None:
    position.declare(TURN_USED, None)
