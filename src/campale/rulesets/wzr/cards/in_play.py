"""Cards in play: effects whose value is the name of the card, its player, and what was chosen with it.

Strategy and Tactic cards lie until the Control Phase, Equipment for as long as what it is on (cards/*-end, -discard).
"""

from __future__ import annotations

from campale.referee.columns import Effect
from campale.referee.position import TABLE, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.catalogue import EQUIPMENT, Card, Kind, cards

RESOURCES_ADDED = "resources"
ON = {"battle": "battle", "friendly-squad": "unit", "enemy-squad": "unit", "friendly-model": "model", "self": "side"}


def is_card(effect: Effect) -> bool:
    return isinstance(effect.value, tuple) and len(effect.value) > 1 and effect.value[0] in cards()


def name_of(effect: Effect) -> str:
    """The name of a card in play."""
    assert isinstance(effect.value, tuple)
    return str(effect.value[0])


def player_of(effect: Effect) -> int:
    """The side that has played it."""
    assert isinstance(effect.value, tuple)
    return int(effect.value[1])


def in_play(position: Position, side: int, kind: Kind | None = None) -> list[Effect]:
    """The cards of a side that lie in play; of one kind."""
    found = [one for one in position.effects if is_card(one) and player_of(one) == side]
    return found if kind is None else [one for one in found if cards()[name_of(one)].kind == kind]


@rule("cards/discard-pile")
def discard(position: Position, side: int, name: str) -> None:
    """A card onto its player's pile, face up."""
    position.hold(side, marks.DISCARD, (*position.hand(side, marks.DISCARD), name))
    position.reveal("card-discarded", side=side, card=name)


@rule("cards/discard-pile", "starter-cards/generator")
def to_discard(position: Position, effect: Effect) -> None:
    """A card leaves play, and what it did ends; a Resource that it brought goes with it, a burned one first."""
    side, name = player_of(effect), name_of(effect)
    position.end_effect(effect)
    added = resources_of(cards()[name])
    if added:
        position.gain(side, marks.RESOURCES, -added)
        position.gain(side, marks.BURNED, -min(added, position.holds(side, marks.BURNED)))
    discard(position, side, name)


def resources_of(card: Card) -> int:
    """How many Resource cards it brings."""
    return sum(int(row.add or 0) for row in card.do if RESOURCES_ADDED in row.value)


@rule("cards/strategy-end", "cards/tactic-discard")
def clear_the_turn(position: Position) -> None:
    """Control Phase: Strategy and Tactic cards in play are discarded, and next turn others may be played."""
    for side in (0, 1):
        for effect in in_play(position, side):
            if cards()[name_of(effect)].kind != EQUIPMENT:
                to_discard(position, effect)
    position.declare(marks.STRATEGY_PLAYED, None)
    for unit in position.units:
        unit.mark(marks.TACTIC, 0)


@rule("cards/equipment")
def drop_what_lost_its_bearer(position: Position) -> None:
    """Equipment goes with the model or squad that it is on."""
    for side in (0, 1):
        for effect in in_play(position, side):
            if has_lost_its_bearer(position, effect):
                to_discard(position, effect)


@rule("cards/equipment")
def has_lost_its_bearer(position: Position, effect: Effect) -> bool:
    if effect.on == "model":
        return bool(position.where[effect.bearer] != TABLE)
    return effect.on == "unit" and not any(m.is_on_table for m in Unit(position, effect.bearer).models)
