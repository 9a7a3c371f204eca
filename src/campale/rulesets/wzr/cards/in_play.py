"""Cards in play: effects whose value is the card's name, its player, and what was chosen with it.

Strategy and Tactic cards stay until the Control Phase, Equipment as long as its bearer (cards/*-end, -discard).
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
    """The side that played the card."""
    assert isinstance(effect.value, tuple)
    return int(effect.value[1])


def in_play(position: Position, side: int, kind: Kind | None = None) -> list[Effect]:
    """A side's cards in play, or those of one kind."""
    found = [one for one in position.effects if is_card(one) and player_of(one) == side]
    return found if kind is None else [one for one in found if cards()[name_of(one)].kind == kind]


@rule("cards/discard-pile")
def discard(position: Position, side: int, name: str) -> None:
    """Put a card on its player's discard pile, face up."""
    position.hold(side, marks.DISCARD, (*position.hand(side, marks.DISCARD), name))
    position.reveal("card-discarded", side=side, card=name)


@rule("cards/discard-pile", "starter-cards/generator")
def to_discard(position: Position, effect: Effect) -> None:
    """Take a card out of play and end its effect. A Resource that it brought is removed too, a burned one first."""
    side, name = player_of(effect), name_of(effect)
    position.end_effect(effect)
    added = resources_of(cards()[name])
    if added:
        position.gain(side, marks.RESOURCES, -added)
        position.gain(side, marks.BURNED, -min(added, position.holds(side, marks.BURNED)))
    discard(position, side, name)


def resources_of(card: Card) -> int:
    """How many Resource cards the card brings."""
    return sum(int(row.add or 0) for row in card.do if RESOURCES_ADDED in row.value)


@rule("cards/strategy-end", "cards/tactic-discard")
def clear_the_turn(position: Position) -> None:
    """In the Control Phase, discard Strategy and Tactic cards in play and reset the limits for the next turn."""
    for side in (0, 1):
        for effect in in_play(position, side):
            if cards()[name_of(effect)].kind != EQUIPMENT:
                to_discard(position, effect)
    position.declare(marks.STRATEGY_PLAYED, None)
    for unit in position.units:
        unit.mark(marks.TACTIC, 0)


@rule("cards/equipment")
def drop_what_lost_its_bearer(position: Position) -> None:
    """Discard Equipment whose model or squad is gone."""
    for side in (0, 1):
        for effect in in_play(position, side):
            if has_lost_its_bearer(position, effect):
                to_discard(position, effect)


@rule("cards/equipment")
def has_lost_its_bearer(position: Position, effect: Effect) -> bool:
    if effect.on == "model":
        return bool(position.where[effect.bearer] != TABLE)
    return effect.on == "unit" and not any(m.is_on_table for m in Unit(position, effect.bearer).models)
