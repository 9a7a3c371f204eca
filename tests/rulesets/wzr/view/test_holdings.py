"""What screens are told of hands, decks, discards, cards in play and Resources."""

from __future__ import annotations

from random import Random

import pytest

from campale.conformance.playing import asked, begun
from campale.referee.looks import Held, HeldCard
from campale.referee.question import Form
from campale.referee.telling.teller import Teller
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards import decks, windows
from campale.rulesets.wzr.cards.playing import play
from campale.rulesets.wzr.cards.resources import burn
from campale.rulesets.wzr.cards.secrecy import seen_by
from campale.rulesets.wzr.view.holdings import held
from campale.screen.scene import eyes, held_by_sides
from campale.screen.sheet import sheet
from tests.rulesets.wzr.kit import first_question, squad, table

covers = pytest.mark.covers


@covers("cards/hand-limit", "cards/discard-pile", "setup/resources")
def test_a_hand_is_seen_by_its_side_and_the_rest_by_everybody() -> None:
    position = table(squad(2), squad(side=1, at=(20, 30)))
    position.gain(0, marks.RESOURCES, 6)
    position.hold(0, marks.HAND, ("scope", "smoke"))
    position.hold(0, marks.DECK, ("quagmire",) * 3)
    position.hold(0, marks.DISCARD, ("sandstorm", "generator"))
    play(position, 0, "smoke", 0)
    burn(position, 0, 1, "heal")
    own, *_ = [[one for one in held(seen_by(side, position.copy())) if one.side == 0] for side in (0, 1)]
    others = [one for one in held(seen_by(1, position.copy())) if one.side == 0]
    assert own == [
        Held(0, "resources", 4, 6),
        Held(0, "hand", 1, 5, (HeldCard("scope", "equipment", 2),)),
        Held(0, "in-play", 1, 0, (HeldCard("smoke", "tactic", 1, unit=0),)),
        Held(0, "deck", 3),
        Held(0, "discard", 2, 0, (HeldCard("generator", "equipment", 3), HeldCard("sandstorm", "strategy", 2))),
    ]
    assert others == [own[0], Held(0, "hand", 1, 5), *own[2:]]


@covers("setup/modes")
def test_without_decks_only_resources_are_shown() -> None:
    position = table(squad(), options={"advanced": False})
    assert held(position) == []
    position.gain(1, marks.RESOURCES, 8)
    assert held(position) == [Held(0, "resources", 0, 0), Held(1, "resources", 8, 8)]


@covers("cards/hand-limit")
@pytest.mark.parametrize(("language", "title", "text"), [("en", "Smoke", "Own squad"), ("it", "Fumogeni", "Squadra")])
def test_cards_are_told_with_their_text(language: str, title: str, text: str) -> None:
    game = begun("wzr", 0, "cards", marks="none")
    for question in asked(game, Random("cards")):
        if not question.prompt.startswith("tactic-own"):
            continue
        side = question.side
        assert side is not None
        game.position.hold(side, marks.HAND, ("smoke",))
        seen = eyes(game, side, language)
        held = held_by_sides(seen.position, seen.teller)
        (hand,) = [one for one in held if (one.side, one.kind) == (side, "hand")]
        assert [(card.title, card.cost) for card in hand.cards] == [(title, 1)]
        assert text in hand.cards[0].text
        return


@covers("cards/tactic")
def test_the_options_of_a_window_tell_what_a_card_costs_and_does() -> None:
    position = table(squad(), squad(side=1, at=(20, 30)))
    position.gain(0, marks.RESOURCES, 6)
    position.hold(0, marks.HAND, ("smoke",))
    form = first_question(windows.tactic_window(position, 0, 0, 0, "first"))
    assert isinstance(form, Form)
    field = form.after([])
    assert field is not None
    game = begun("wzr", 0, "cards", marks="none")
    nothing, card = list(sheet(field, Teller.of(game, "en", position), position).options or [])
    assert nothing.text == "no card"
    assert card.text.startswith("Smoke (1 Resource) – Own squad")


@covers("cards/mulligan")
def test_the_first_hand_is_shown_beside_the_question() -> None:
    position = table(squad(), squad(side=1, at=(20, 30)))
    game = begun("wzr", 0, "cards", marks="none")
    question = decks.mulligan(position).send(None).questions[0]
    assert sheet(question, Teller.of(game, "en", position), position).shown == {"hand": True}
