"""Decks and hands, Resources, windows, the Control Phase (cards/*, setup/resources)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campale.mechanics.frames import push, run_top, stack
from campale.referee.journal import Journal
from campale.referee.position import Position
from campale.referee.telling.teller import Teller
from campale.rulesets.wzr.armies.forces import FORCES, Force
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards import decks, windows
from campale.rulesets.wzr.cards.building import bound_to_another, deck_for, too_few_cards, too_many_copies
from campale.rulesets.wzr.cards.catalogue import EQUIPMENT, STRATEGY, TACTIC, cards, cheapest, ready_counts, ready_deck
from campale.rulesets.wzr.cards.in_play import in_play, name_of
from campale.rulesets.wzr.cards.playing import cannot_play, targets
from campale.rulesets.wzr.cards.playing import play as play_card
from campale.rulesets.wzr.cards.resources import (
    activate,
    add_attack,
    burn,
    cannot_activate,
    cannot_add_attack,
    cannot_have_third_ap,
    gain_third_ap,
    ready,
    turn_up,
)
from campale.rulesets.wzr.cards.secrecy import BACK, imagine, unseen
from campale.rulesets.wzr.turn import sequence
from tests.rulesets.wzr.kit import Played, finish, first_question, play, squad, table, vehicle

covers = pytest.mark.covers


def holding(
    *hand: str, of: int = 8, enemy: tuple[str, ...] = (), options: dict[str, Any] | None = None, **now: Any
) -> Position:
    """Two squads of two for side 0, one for side 1; side 0 holds the hand, and both so many Resource cards."""
    position = table(
        squad(2, at=(10, 10)), squad(2, at=(20, 10)), squad(2, side=1, at=(20, 30)), options=options, **now
    )
    for side, held in ((0, hand), (1, enemy)):
        position.hold(side, marks.HAND, held)
        position.gain(side, marks.RESOURCES, of)
    return position


def hand(position: Position, side: int = 0) -> tuple[Any, ...]:
    return position.hand(side, marks.HAND)


def pile(position: Position, side: int = 0) -> tuple[Any, ...]:
    return position.hand(side, marks.DISCARD)


def lying(position: Position, side: int = 0) -> list[str]:
    return [name_of(one) for one in in_play(position, side)]


def window(
    position: Position, answers: list[Any], changes: bool = False, dice: str = "", when: str = "between", first: int = 0
) -> Played:
    push(position, ("strategy", first, 0, changes, when))
    return finish(position, dice, answers)


def tactics(position: Position, answers: list[Any], row: int = 0, when: str = "between") -> Played:
    push(position, ("tactic", row, position.unit_side[row], 0, when))
    return finish(position, "", answers)


# ---------------------------------------------------------------- decks


@covers("starter-cards/list", "cards/deck-build", "cards/copies", "cards/squad-cards", "cards/resource-cards")
def test_the_ready_deck_has_two_of_each_of_seventeen_cards_and_a_third_cold_blood() -> None:
    counts = Counter(ready_deck())
    assert (len(counts), counts.total()) == (17, 35)
    assert {name: count for name, count in counts.items() if count != 2} == {"cold-blood": 3}
    assert Counter(cards()[name].kind for name in counts) == {STRATEGY: 5, TACTIC: 7, EQUIPMENT: 5}
    assert not any(cards()[name].bound for name in counts)
    assert cheapest() == 1


def ready_and(name: str, count: int) -> dict[str, int]:
    """The ready deck with more of one card."""
    return dict(ready_counts() + Counter({name: count}))


def force_with(deck: dict[str, int]) -> Force:
    return replace(FORCES.named("megacorporation"), deck=deck)


@covers("cards/deck-build")
def test_a_deck_has_35_cards_at_least() -> None:
    assert FORCES.named("megacorporation").deck is None, "the ready deck"
    assert list(too_few_cards(FORCES.named("megacorporation"), 500)) == []
    assert [one.measured for one in too_few_cards(force_with({}), 500)] == [0]
    names = ("smoke", "hesitation", "onslaught", "cold-blood", "steady-aim", "suppressing-fire")
    full = {**dict.fromkeys(names, 5), "scope": 3, "quagmire": 1}
    (breach,) = too_few_cards(force_with(full), 500)
    assert (breach.measured, breach.limit) == (34, 35)
    assert list(too_few_cards(force_with({**full, "quagmire": 2}), 500)) == []


@covers("cards/copies")
@pytest.mark.parametrize(("name", "added"), [("sandstorm", 1), ("smoke", 3), ("scope", 1)])
def test_copies_of_a_card_are_limited_by_its_kind(name: str, added: int) -> None:
    assert list(too_many_copies(force_with(ready_and(name, added)), 500)) == []
    (breach,) = too_many_copies(force_with(ready_and(name, added + 1)), 500)
    assert (breach.measured, breach.limit) == (added + 3, added + 2)


@covers("cards/bound", "starter-forces/exercise-one")
def test_a_bound_card_needs_what_it_is_bound_to_in_the_army() -> None:
    exercise = FORCES.named("exercise-megacorporation")
    assert Counter(deck_for(exercise)) == Counter([*ready_deck(), "shop-drills"])
    assert list(bound_to_another(exercise, 1000)) == []
    (breach,) = bound_to_another(force_with(ready_and("shop-drills", 1)), 500)
    assert (breach.measured, breach.limit) == (1, 0)


@covers("cards/bound")
def test_a_bound_card_is_played_after_its_unit_is_lost() -> None:
    position = holding("shop-drills")
    assert cannot_play(position, 0, "shop-drills") is None


@covers("cards/deck-per-player", "setup/sequence", "cards/hand-limit")
def test_each_player_draws_five_cards_from_his_own_deck_and_the_other_sees_backs() -> None:
    position = table(squad(), squad(side=1, at=(24, 30)))
    for side in (0, 1):
        decks.lay_deck(position, side, ready_deck())
    play(decks.deal(position), "0 1 2 3 4 | 34 33 32 31 30", position=position)
    deck = sorted(ready_deck())
    assert (hand(position), hand(position, 1)) == (tuple(deck[:5]), tuple(deck[30:]))
    assert [len(position.hand(side, marks.DECK)) for side in (0, 1)] == [30, 30]
    assert position.journal is not None
    seen = [event.values for event in position.journal.as_seen_by(1) if event.kind == "cards-drawn"]
    assert seen == [{"side": 0, "count": 5}, {"side": 1, "count": 5, "card": deck[:29:-1]}]


@covers("cards/copies", "cards/bound", "cards/deck-build")
def test_what_a_side_imagines_of_the_others_cards_agrees_with_what_it_has_seen() -> None:
    position = holding(of=20)
    play_three = ["sandstorm", "reinforced-plate", "smoke"]
    position.hold(1, marks.DISCARD, play_three)
    position.hold(1, marks.HAND, [BACK] * 5)
    position.hold(1, marks.DECK, [BACK] * 50)
    left = Counter(unseen(position, 1))
    limits = {STRATEGY: 3, TACTIC: 5, EQUIPMENT: 3}
    assert left == {name: limits[one.kind] - (name in play_three) for name, one in cards().items() if not one.bound}
    imagined = imagine(position, 0, Random(1))
    dealt = Counter([*hand(imagined, 1), *imagined.hand(1, marks.DECK)])
    assert (len(hand(imagined, 1)), dealt.total()) == (5, 55)
    assert dealt <= left


@covers("cards/deck-empty", "cards/control-draw")
def test_an_empty_deck_gives_no_cards_and_ends_nothing() -> None:
    position = holding("smoke", of=0)
    position.hold(0, marks.DECK, ("scope",))
    assert finish_draw(position, "0") == ("scope", "smoke")
    assert finish_draw(position, "") == ("scope", "smoke")
    assert position.result is None


def finish_draw(position: Position, dice: str, answers: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    push(position, ("control-draw", 0))
    finish(position, dice, answers)
    return hand(position)


@covers("cards/mulligan", "cards/discard-pile")
def test_a_first_hand_is_thrown_away_whole_or_kept() -> None:
    position = holding("smoke", "scope", enemy=("sandstorm",))
    for side in (0, 1):
        position.hold(side, marks.DECK, ["quagmire"] * 6)
    played = play(decks.mulligan(position), "0 1 2 3 4", [{0: "redraw", 1: "keep"}], position)
    assert [question.about["open"] for question in played.questions[:2]] == [False, False]
    assert (hand(position), hand(position, 1)) == (("quagmire",) * 5, ("sandstorm",))
    assert (sorted(pile(position)), pile(position, 1)) == (["scope", "smoke"], ())


# ---------------------------------------------------------------- Control Phase


@covers("cards/control-draw", "cards/hand-limit", "cards/free-discard", "turn/control-phase")
def test_one_card_must_be_drawn_and_what_exceeds_five_is_discarded_free_of_charge() -> None:
    position = holding("smoke", "scope", "quagmire", "onslaught", "hesitation")
    position.hold(0, marks.DECK, ("sandstorm", "generator"))
    assert finish_draw(position, "0", ("smoke",)) == ("hesitation", "onslaught", "quagmire", "sandstorm", "scope")
    assert (pile(position), ready(position, 0)) == (("smoke",), 8)


@covers("cards/hand-limit")
def test_five_cards_may_be_held() -> None:
    position = holding("smoke", "scope", "quagmire", "onslaught", of=0)
    position.hold(0, marks.DECK, ("sandstorm",))
    assert len(finish_draw(position, "0")) == 5
    assert pile(position) == ()


@covers("cards/control-draw-more", "cards/burn-draw")
def test_further_cards_cost_a_resource_each_until_there_are_five() -> None:
    position = holding("smoke", "scope")
    position.hold(0, marks.DECK, ("sandstorm", "generator", "quagmire", "onslaught"))
    assert len(finish_draw(position, "0 0 0", ("yes", "yes"))) == 5
    assert ready(position, 0) == 6
    position = holding("smoke", "scope")
    position.hold(0, marks.DECK, ("sandstorm", "generator", "quagmire", "onslaught"))
    assert len(finish_draw(position, "0 0", ("yes", "no"))) == 4


@covers("cards/control-draw-more")
def test_no_further_card_without_a_ready_resource_or_a_deck() -> None:
    position = holding("smoke", of=1)
    position.hold(0, marks.DECK, ("sandstorm", "generator", "quagmire"))
    assert len(finish_draw(position, "0 0", ("yes",))) == 3
    position = holding("smoke")
    position.hold(0, marks.DECK, ("sandstorm",))
    assert len(finish_draw(position, "0")) == 2


@covers("turn/control-phase", "cards/strategy-end", "cards/tactic-discard", "setup/resources", "cards/control-draw")
def test_the_control_phase_goes_in_the_books_order() -> None:
    position = holding("quagmire", "cold-blood", "scope", phase="control", mission="annihilation", initiative=1)
    for side in (0, 1):
        position.hold(side, marks.DECK, ("smoke",) * 9)
    play_card(position, 0, "quagmire")
    play_card(position, 0, "cold-blood", 0)
    give_weapon_card(position)
    position.model(0).mark(marks.SENTRY, 1)
    position.journal.events.clear()  # type: ignore[union-attr]
    play(sequence.control(position), "", (), position)
    assert lying(position) == ["reinforced-plate"]
    assert pile(position) == ("quagmire", "cold-blood")
    assert position.unit_side[0] == 0
    assert not position.model(0).marks(marks.SENTRY)
    assert [frame[0] for frame in reversed(stack(position))] == ["control-draw", "control-draw", "next-turn"]
    assert ready(position, 0) == 8 - 1 - 1 - 2
    position.hold(0, marks.HAND, ("smoke",) * 4)
    position.hold(1, marks.HAND, ("smoke",) * 4)
    play(run_top(position, sequence.PROCEDURES), "0", (), position)
    assert [len(hand(position, side)) for side in (0, 1)] == [4, 5]
    finish(position, "0", ())
    assert (position.now["turn"], position.now["phase"]) == (2, "initiative")
    assert [ready(position, side) for side in (0, 1)] == [8, 8]


def give_weapon_card(position: Position) -> None:
    position.hold(0, marks.HAND, (*hand(position), "reinforced-plate"))
    play_card(position, 0, "reinforced-plate", 0)


@covers("setup/resources")
@pytest.mark.parametrize(("once", "left"), [(False, 8), (True, 5)])
def test_burned_resources_are_turned_up_again_unless_they_are_burned_for_good(once: bool, left: int) -> None:
    position = holding(options={"resources_once": once})
    burn(position, 0, 3, "card")
    assert ready(position, 0) == 5
    turn_up(position)
    assert ready(position, 0) == left


@covers("cards/resource-cards", "cards/burn-uses")
def test_nobody_burns_more_than_lies_ready() -> None:
    position = holding(of=2)
    burn(position, 0, 2, "card")
    with pytest.raises(ValueError, match="cannot burn 1"):
        burn(position, 0, 1, "card")


@covers("setup/no-loss-of-resources", "cards/resource-count")
def test_the_loss_of_a_commander_costs_no_resource() -> None:
    position = holding()
    position.remove(position.model(0), "shooting")
    assert ready(position, 0) == 8


@covers("setup/modes")
def test_the_basic_game_has_no_windows_and_no_draws() -> None:
    position = holding("smoke", options={"advanced": False}, phase="control", mission="annihilation")
    windows.push_strategy(position, True, "between")
    windows.push_tactic(position, position.units[0], "first")
    assert stack(position) == ()
    play(sequence.control(position), position=position)
    assert [frame[0] for frame in stack(position)] == ["next-turn"]


# ---------------------------------------------------------------- windows


@covers("cards/strategy", "cards/strategy-one", "cards/use-limits", "cards/burn-cost")
def test_a_window_goes_on_until_both_have_passed_one_after_the_other() -> None:
    position = holding("quagmire", "scope", enemy=("sandstorm",))
    played = window(position, [["pass"], ["pass"]], first=1)
    assert [question.side for question in played.questions] == [1, 0]
    played = window(position, [["pass"], ["quagmire"], ["pass"], ["pass"]], first=1)
    assert [question.side for question in played.questions] == [1, 0, 1, 0]
    assert (lying(position), ready(position, 0), hand(position)) == (["quagmire"], 7, ("scope",))


@covers("cards/strategy-one", "cards/use-limits")
def test_one_strategy_card_in_a_turn_whoever_plays_it_even_if_it_is_gone() -> None:
    position = holding("quagmire", "sandstorm", enemy=("sandstorm",))
    assert cannot_play(position, 1, "sandstorm") is None
    play_card(position, 0, "quagmire")
    for side in (0, 1):
        refusal = cannot_play(position, side, "sandstorm")
        assert refusal is not None
        assert refusal.rule == "cards/strategy-one"
    for effect in in_play(position, 0):
        position.end_effect(effect)
    assert cannot_play(position, 1, "sandstorm") is not None
    play(sequence.control(position), position=position)
    assert cannot_play(position, 1, "sandstorm") is None


@covers("cards/burn-cost")
@pytest.mark.parametrize(("of", "refused"), [(2, False), (1, True)])
def test_a_card_that_cannot_be_paid_in_full_cannot_be_played(of: int, refused: bool) -> None:
    position = holding("sandstorm", of=of)
    assert (cannot_play(position, 0, "sandstorm") is not None) == refused


@covers("cards/strategy", "cards/hand-limit")
def test_whether_a_window_opens_depends_on_what_everybody_knows() -> None:
    position = holding("smoke", of=1)
    assert windows.strategy_is_open(position, 0, False)
    assert not windows.strategy_is_open(position, 1, False)
    assert windows.tactic_is_open(position, 0)
    assert not windows.tactic_is_open(position, 1)
    burn(position, 0, 1, "heal")
    assert not windows.strategy_is_open(position, 0, True)
    assert not windows.tactic_is_open(position, 0)


@covers("cards/strategy", "cards/use-limits")
def test_a_window_for_strategies_is_shut_when_nothing_more_may_be_played() -> None:
    position = holding("smoke", "quagmire", enemy=("smoke",))
    play_card(position, 0, "quagmire")
    assert windows.strategy_is_open(position, 1, False)
    for row in range(3):
        position.hold(1, marks.HAND, ("smoke", "reinforced-plate"))
        play_card(position, 1, "reinforced-plate", 4 + row % 2)
    position.gain(1, marks.RESOURCES, 8)
    assert windows.options(position, 1, (STRATEGY, EQUIPMENT), False) == ["pass", ("take-back", "reinforced-plate")]


@covers("cards/tactic-one", "cards/tactic")
def test_a_window_for_tactics_is_shut_when_every_squad_has_one() -> None:
    position = holding("smoke")
    for unit in position.units[:2]:
        unit.mark(marks.TACTIC, 1)
    assert windows.tactic_is_open(position, 0)
    position.units[2].mark(marks.TACTIC, 1)
    assert not windows.tactic_is_open(position, 0)


@covers("cards/tactic", "cards/tactic-one", "cards/use-limits")
def test_a_tactic_card_is_on_a_squad_which_gets_no_other_in_this_turn() -> None:
    position = holding("cold-blood", "smoke", enemy=("hesitation",))
    played = tactics(position, [["cold-blood", 0], ["pass"], ["pass"]])
    assert [question.side for question in played.questions] == [0, 1, 0]
    assert targets(position, 0, cards()["smoke"]) == [1]
    assert targets(position, 1, cards()["hesitation"]) == [1]
    played = tactics(position, [["hesitation", 1], ["pass"], ["pass"]], row=2)
    assert played.prompts[0] == "tactic-own-between"
    assert [one.prompt for one in played.questions][1] == "tactic-enemy-between"
    refusal = cannot_play(position, 0, "smoke")
    assert refusal is not None
    assert refusal.rule == "cards/tactic"


@covers("cards/tactic-discard", "cards/equipment-limit")
def test_ones_own_tactic_and_equipment_cards_are_taken_back_at_will() -> None:
    position = holding("smoke", "reinforced-plate")
    play_card(position, 0, "smoke", 0)
    play_card(position, 0, "reinforced-plate", 0)
    tactics(position, [[("take-back", "smoke")]])
    assert (lying(position), pile(position)) == (["reinforced-plate"], ("smoke",))
    assert position.units[0].marks(marks.TACTIC)
    window(position, [[("take-back", "reinforced-plate")]])
    assert (lying(position), pile(position), ready(position, 0)) == ([], ("smoke", "reinforced-plate"), 5)


@covers("cards/equipment-limit", "cards/use-limits")
def test_three_equipment_cards_at_most() -> None:
    position = holding(*["reinforced-plate"] * 5, of=20)
    for row in range(3):
        assert cannot_play(position, 0, "reinforced-plate") is None
        play_card(position, 0, "reinforced-plate", row)
    refusal = cannot_play(position, 0, "reinforced-plate")
    assert refusal is not None
    assert (refusal.rule, refusal.measured, refusal.limit) == ("cards/equipment-limit", 4, 3)
    window(position, [[("take-back", "reinforced-plate"), 1], ["pass"]])
    assert cannot_play(position, 0, "reinforced-plate") is None
    assert [one.bearer for one in in_play(position, 0)] == [0, 2]


@covers("cards/equipment")
def test_equipment_goes_with_the_model_or_the_squad_that_it_is_on() -> None:
    position = holding("reinforced-plate", "medical-supplies", "generator", of=9)
    play_card(position, 0, "reinforced-plate", 0)
    play_card(position, 0, "medical-supplies", 1)
    play_card(position, 0, "generator")
    position.remove(position.model(0), "shooting")
    position.remove(position.model(2), "shooting")
    position.gain(0, marks.BURNED, 3)
    window(position, [["pass"]])
    assert lying(position) == ["medical-supplies", "generator"]
    position.remove(position.model(3), "shooting")
    window(position, [["pass"]])
    assert lying(position) == ["generator"]


@covers("cards/equipment")
@pytest.mark.parametrize(("row", "left"), [(0, []), (1, ["reinforced-plate"])])
def test_equipment_of_a_fallen_model_is_gone_before_the_next_model_of_the_squad_acts(row: int, left: list[str]) -> None:
    position = holding("reinforced-plate")
    play_card(position, 0, "reinforced-plate", 0)
    position.remove(position.model(row), "shooting")
    tactics(position, [], row=1)
    assert lying(position) == left


@covers("cards/burn-draw", "cards/burn-discard")
def test_cards_are_drawn_and_thrown_away_for_resources_when_activation_passes_over() -> None:
    position = holding("smoke", "scope")
    position.hold(0, marks.DECK, ("quagmire", "sandstorm"))
    window(position, [["draw"], [("throw", "smoke")], ["pass"]], changes=True, dice="1")
    assert (hand(position), pile(position), ready(position, 0)) == (("sandstorm", "scope"), ("smoke",), 6)
    keys = windows.options(position, 0, (STRATEGY, EQUIPMENT), False)
    assert keys == ["pass", "sandstorm", "scope"]


@covers("cards/burn-draw")
def test_nobody_draws_a_sixth_card() -> None:
    position = holding("smoke", "smoke", "smoke", "smoke", "scope")
    position.hold(0, marks.DECK, ("quagmire",))
    assert "draw" not in windows.options(position, 0, (STRATEGY, EQUIPMENT), True)
    decks.throw_away(position, 0, "smoke")
    assert "draw" in windows.options(position, 0, (STRATEGY, EQUIPMENT), True)


def window_of(position: Position) -> tuple[Any, ...]:
    play(sequence.activate(position), position=position)
    frames = stack(position)
    position.declare("doing", None)
    return frames[-1] if frames else ()


@covers("cards/strategy", "cards/burn-draw", "turn/activation-order")
def test_a_window_before_each_activation_and_after_the_last() -> None:
    position = holding("smoke", window=True, last=-1)
    assert window_of(position) == ("strategy", 0, 0, False, "first")
    position.now.update(window=True, last=0)
    assert window_of(position) == ("strategy", 0, 0, True, "between")
    position.units[2].mark(marks.ACTIVATED, 1)
    position.now.update(window=True)
    assert window_of(position) == ("strategy", 0, 0, False, "between")
    for unit in position.units:
        unit.mark(marks.ACTIVATED, 1)
    position.now.update(window=True)
    assert window_of(position) == ("strategy", 0, 0, False, "last")
    assert window_of(position) == ()
    assert position.now["phase"] == "control"


@covers("cards/tactic", "turn/squad-activation")
def test_a_window_for_tactics_before_the_first_model_between_models_and_after_the_last() -> None:
    position = holding("smoke")
    push(position, ("tactics", 0, "first"), ("next-model", 0))
    played = finish(position, "", [["pass"], 0, ["pass"], ["pass"], 1, ["pass"], ["pass"]], accepting=False)
    asked = [question.prompt for question in played.questions]
    assert asked == [
        "tactic-own-first",
        "next-model",
        "act",
        "tactic-own-between",
        "next-model",
        "act",
        "tactic-own-last",
    ]


@covers("cards/hand-limit", "cards/tactic")
def test_who_is_asked_in_a_window_is_asked_in_secret() -> None:
    position = holding("smoke")
    question = first_question(windows.tactic_window(position, 0, 0, 0, "first"))
    assert question.about["open"] is False
    assert (question.about["unit"], question.refusal(["scope", 0]) is not None) == (0, True)


# ---------------------------------------------------------------- the third AP, RoF and RoA


@covers("cards/burn-third-ap")
def test_a_third_ap_for_one_model_of_a_side_in_a_turn_and_for_no_vehicle() -> None:
    position = holding()
    own, mate, enemy = (position.model(row) for row in (0, 2, 4))
    own.mark(marks.AP, 1)
    assert cannot_have_third_ap(own) is None
    gain_third_ap(own)
    assert (own.marks(marks.AP), ready(position, 0)) == (2, 7)
    assert cannot_have_third_ap(own) is not None
    assert cannot_have_third_ap(mate) is not None
    assert cannot_have_third_ap(enemy) is None
    walker = table(squad(vehicle=vehicle()))
    walker.gain(0, marks.RESOURCES, 3)
    assert cannot_have_third_ap(walker.model(0)) is not None


@covers("cards/burn-third-ap", "core/fumble")
def test_no_third_ap_after_a_fumble_or_without_a_resource() -> None:
    position = holding()
    position.model(0).mark(marks.NO_MORE_AP, 1)
    assert cannot_have_third_ap(position.model(0)) is not None
    assert cannot_have_third_ap(position.model(1)) is None
    burn(position, 0, 8, "card")
    assert cannot_have_third_ap(position.model(1)) is not None


@covers("cards/burn-third-ap")
def test_a_third_ap_is_taken_from_the_menu_or_when_the_others_are_spent() -> None:
    position = holding()
    push(position, ("model-begins", 0), ("model", 0))
    played = finish(position, "", [["third-ap"], ["pass"]])
    assert played.prompts == ["act", "act"]
    assert ready(position, 0) == 7
    position = holding()
    model = position.model(0)
    model.mark(marks.STUN, 3)
    push(position, ("model-begins", 0), ("model", 0))
    played = finish(position, "", [["rest"], ["rest"], "yes", ["rest"]])
    assert played.prompts == ["act", "act", "third-ap", "act"]
    assert model.marks(marks.STUN) == 0


@covers("cards/burn-third-ap")
def test_a_model_that_losses_have_left_without_ap_may_have_one() -> None:
    position = holding()
    position.model(0).mark(marks.AP_LOST, 2)
    push(position, ("model-begins", 0), ("model", 0))
    assert finish(position, "", ["yes", ["pass"]]).prompts == ["third-ap", "act"]


@covers("cards/burn-rof")
@pytest.mark.parametrize(("in_melee", "told"), [(False, "RoF"), (True, "RoA")])
def test_the_journal_tells_whether_rof_or_roa_has_risen(in_melee: bool, told: str) -> None:
    position = holding()
    position.journal = Journal()
    add_attack(position.model(0), in_melee)
    (burned,) = [event for event in position.journal.events if event.kind == "burned"]
    assert Teller(position.ruleset, "en", [], []).value("purpose", burned.values["purpose"]) == f"for {told} +1"


@covers("cards/burn-rof")
def test_one_more_attack_once_in_a_turn_for_each_model() -> None:
    position = holding()
    own, mate = position.model(0), position.model(1)
    assert cannot_add_attack(own) is None
    assert add_attack(own) == 1
    assert cannot_add_attack(own) is not None
    assert cannot_add_attack(mate) is None
    assert cannot_add_attack(mate, is_special=True) is not None
    assert cannot_add_attack(mate, in_melee=True, with_grenade=True) is not None
    assert cannot_add_attack(mate, in_melee=True) is None
    assert ready(position, 0) == 7


@covers("cards/burn-ability")
@pytest.mark.parametrize(("price", "refused"), [(2, False), (3, True)])
def test_an_ability_that_asks_for_resources_is_paid_in_full(price: int, refused: bool) -> None:
    position = holding(of=2)
    assert (cannot_activate(position.model(0), price) is not None) == refused
    if not refused:
        activate(position.model(0), price)
        assert ready(position, 0) == 0
