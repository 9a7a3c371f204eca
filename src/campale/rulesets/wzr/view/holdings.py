"""Hands, decks, discard piles, cards in play and Resources in a view (cards/hand-limit, -discard-pile)."""

from __future__ import annotations

from campale.referee.columns import Effect
from campale.referee.looks import Held, HeldCard
from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.catalogue import cards
from campale.rulesets.wzr.cards.decks import hand_limit, is_advanced
from campale.rulesets.wzr.cards.in_play import in_play, name_of
from campale.rulesets.wzr.cards.resources import ready

SIDES = (0, 1)


@rule("cards/hand-limit", "cards/discard-pile", "setup/resources", "setup/modes")
def held(position: Position) -> list[Held]:
    """For each side its Resources and, in a game with decks, its hand, cards in play, deck and discards."""
    if not any(position.holds(side, marks.RESOURCES) for side in SIDES):
        return []
    return [one for side in SIDES for one in held_by(position, side)]


def held_by(position: Position, side: int) -> list[Held]:
    found = [Held(side, "resources", ready(position, side), position.holds(side, marks.RESOURCES))]
    if not is_advanced(position):
        return found
    hand, deck, pile = (position.hand(side, name) for name in (marks.HAND, marks.DECK, marks.DISCARD))
    lying = tuple(card_in_play(one) for one in in_play(position, side))
    return [
        *found,
        Held(side, "hand", len(hand), hand_limit(position, side), face_up(hand)),
        Held(side, "in-play", len(lying), 0, lying),
        Held(side, "deck", len(deck)),
        Held(side, "discard", len(pile), 0, face_up(pile[::-1])),
    ]


def face_up(names: tuple[Plain, ...]) -> tuple[HeldCard, ...]:
    """The cards whose faces are visible."""
    known = cards()
    return tuple(HeldCard(str(name), known[str(name)].kind, known[str(name)].cost) for name in names if name in known)


def card_in_play(effect: Effect) -> HeldCard:
    name = name_of(effect)
    unit = effect.bearer if effect.on == "unit" else -1
    model = effect.bearer if effect.on == "model" else -1
    return HeldCard(name, cards()[name].kind, cards()[name].cost, unit, model)
