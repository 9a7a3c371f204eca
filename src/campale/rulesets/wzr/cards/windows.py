"""When cards are played: Strategy and Equipment between activations, Tactic between models (cards/strategy, -tactic).

Whether a window opens for a side depends on public facts only: the size of its hand, its ready Resources, what was
played. Nothing shows which cards it holds: the question is secret, and passing is always possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.mechanics.frames import push
from campale.referee.ask import fill_in
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.catalogue import EQUIPMENT, STRATEGY, TACTIC, Kind, cards, cheapest
from campale.rulesets.wzr.cards.decks import burn_to_discard, burn_to_draw, is_advanced, may_draw
from campale.rulesets.wzr.cards.in_play import drop_what_lost_its_bearer, in_play, name_of, to_discard
from campale.rulesets.wzr.cards.playing import MOST_EQUIPMENT, cannot_play, choices, play, targets
from campale.rulesets.wzr.cards.resources import ready
from campale.rulesets.wzr.squads.squads import squads_of

PASS, DRAW, THROW, TAKE_BACK = "pass", "draw", "throw", "take-back"
RARELY = 8.0
"""How much more often a sample passes than plays any card."""
SIDES = (0, 1)


# ---------------------------------------------------------------- is a side asked? public facts only


@rule("cards/strategy", "cards/use-limits", "cards/equipment-limit")
def strategy_is_open(position: Position, side: int, changes: bool) -> bool:
    """Whether, as far as the other side knows, this side could play, draw or discard a card, or take back Equipment."""
    equipment = len(in_play(position, side, EQUIPMENT))
    is_room = marks.STRATEGY_PLAYED not in position.declared or equipment < MOST_EQUIPMENT
    can_pay = bool(position.hand(side, marks.HAND)) and ready(position, side) >= cheapest()
    can_change = changes and (may_draw(position, side) or may_throw(position, side))
    return equipment > 0 or (can_pay and is_room) or can_change


@rule("cards/burn-discard")
def may_throw(position: Position, side: int) -> bool:
    return bool(position.hand(side, marks.HAND)) and ready(position, side) > 0


@rule("cards/tactic", "cards/tactic-one", "cards/use-limits")
def tactic_is_open(position: Position, side: int) -> bool:
    """Whether a squad has no Tactic card this turn and one could be paid for, or a Tactic card could be taken back."""
    can_pay = bool(position.hand(side, marks.HAND)) and ready(position, side) >= cheapest()
    is_room = any(not unit.marks(marks.TACTIC) for one in SIDES for unit in squads_of(position, one))
    return bool(in_play(position, side, TACTIC)) or (can_pay and is_room)


# ---------------------------------------------------------------- the question


@rule("cards/strategy", "cards/equipment", "cards/tactic", "cards/burn-draw", "cards/burn-discard")
def options(position: Position, side: int, kinds: Sequence[Kind], changes: bool) -> list[Plain]:
    """The options: pass, cards of these kinds, burn a Resource to draw or discard a card, take back a card in play."""
    hand = [str(name) for name in dict.fromkeys(position.hand(side, marks.HAND))]
    found: list[Plain] = [PASS, *(name for name in hand if cards()[name].kind in kinds)]
    if changes and may_draw(position, side):
        found.append(DRAW)
    if changes and may_throw(position, side):
        found += [(THROW, name) for name in hand]
    return found + list(dict.fromkeys((TAKE_BACK, name_of(one)) for one in removable(position, side, kinds)))


@rule("cards/tactic-discard", "cards/equipment-limit")
def removable(position: Position, side: int, kinds: Sequence[Kind]) -> list[Any]:
    """The side's own Tactic and Equipment cards in play, which it may discard at will."""
    return [one for kind in kinds if kind != STRATEGY for one in in_play(position, side, kind)]


async def asked(
    position: Position, side: int, prompt: str, kinds: Sequence[Kind], changes: bool, **about: Plain
) -> list[Any]:
    """Ask what a side does in a window: the option and, for a card, its target and further choice."""
    keys = options(position, side, kinds, changes)

    def refuses(key: Plain) -> Fault | Refusal | None:
        return cannot_play(position, side, key) if isinstance(key, str) and key in cards() else None

    def fields(filled: list[Any]) -> Question | None:
        if not filled:
            odds: dict[Plain, float] = {PASS: RARELY * len(keys)}
            return Choose(side, "card", keys, "card", refuses, about, odds=odds)
        return field_of_card(position, side, filled)

    return await fill_in(side, prompt, fields, idle=[PASS], open=False, **about)


def field_of_card(position: Position, side: int, filled: list[Any]) -> Question | None:
    """The questions after the card: its target, then what is chosen with it; for one taken back, which of several."""
    if len(filled) == 1 and isinstance(filled[0], list | tuple) and filled[0][0] == TAKE_BACK:
        return which_of_equal(position, side, str(filled[0][1]))
    if not isinstance(filled[0], str) or filled[0] not in cards():
        return None
    card = cards()[filled[0]]
    if len(filled) == 1 and card.on not in ("battle", "self"):
        of = "model" if card.on == "friendly-model" else "unit"
        return Choose(side, "card-target", targets(position, side, card), of, about={"card": filled[0]})
    if len(filled) == 2:
        chosen = choices(position, card, int(filled[1]))
        of = "weapon" if card.choose == "weapon" else "model"
        return Choose(side, "card-choice", chosen, of, about={"card": filled[0]}) if chosen else None
    return None


@rule("cards/tactic-discard", "cards/equipment-limit")
def which_of_equal(position: Position, side: int, name: str) -> Question | None:
    """Ask whose card is taken back, if equal cards of the side lie on several models or squads."""
    bearers = list(dict.fromkeys(one.bearer for one in in_play(position, side) if name_of(one) == name))
    of = "model" if cards()[name].on == "friendly-model" else "unit"
    return Choose(side, "card-target", bearers, of, about={"card": name}) if len(bearers) > 1 else None


async def carry_out(position: Position, side: int, done: Sequence[Any], kinds: Sequence[Kind]) -> None:
    what = done[0]
    if what == DRAW:
        await burn_to_draw(position, side)
    elif isinstance(what, str):
        play(position, side, what, *done[1:])
    elif what[0] == THROW:
        burn_to_discard(position, side, str(what[1]))
    else:
        equal = [one for one in removable(position, side, kinds) if name_of(one) == what[1]]
        to_discard(position, next(one for one in equal if len(done) < 2 or one.bearer == done[1]))


# ---------------------------------------------------------------- the windows, as frames


@rule("cards/strategy", "cards/equipment", "turn/activation-order")
async def strategy_window(position: Position, side: int, passed: int, changes: bool, when: str) -> None:
    """The window between two activations. The side with the initiative begins; both must pass in a row to end it.

    ``changes``: the next squad belongs to another player than the last one of the turn. ``when``: "first" before the
    first squad of the turn, "between", or "last" after the last one.
    """
    drop_what_lost_its_bearer(position)
    while passed < 2 and not strategy_is_open(position, side, changes):
        side, passed = 1 - side, passed + 1
    if passed >= 2:
        return
    done = await asked(position, side, f"strategy-{when}", (STRATEGY, EQUIPMENT), changes)
    if done[0] != PASS:
        await carry_out(position, side, done, (STRATEGY, EQUIPMENT))
    push(position, ("strategy", 1 - side, passed + 1 if done[0] == PASS else 0, changes, when))


@rule("cards/tactic", "turn/squad-activation")
async def tactic_window(position: Position, row: int, side: int, passed: int, when: str) -> None:
    """The window while no model of the squad is active. Its player begins; both must pass in a row to end it."""
    drop_what_lost_its_bearer(position)
    while passed < 2 and not tactic_is_open(position, side):
        side, passed = 1 - side, passed + 1
    if passed >= 2:
        return
    whose = "own" if Unit(position, row).side == side else "enemy"
    done = await asked(position, side, f"tactic-{whose}-{when}", (TACTIC,), False, unit=row)
    if done[0] != PASS:
        await carry_out(position, side, done, (TACTIC,))
    push(position, ("tactic", row, 1 - side, passed + 1 if done[0] == PASS else 0, when))


@rule("setup/modes", "cards/strategy")
def push_strategy(position: Position, changes: bool, when: str) -> None:
    """Open the window between activations, in a game with decks."""
    if is_advanced(position):
        push(position, ("strategy", int(position.now["initiative"]), 0, changes, when))


@rule("setup/modes", "cards/tactic")
def push_tactic(position: Position, unit: Unit, when: str) -> None:
    """Open the window between the models of a squad, in a game with decks."""
    if is_advanced(position):
        push(position, ("tactic", unit.row, unit.side, 0, when))
