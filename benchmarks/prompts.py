"""How often a person is asked in a battle with standing orders "only when it can matter", out of what the rules ask.

Both sides are people of the same orders, who play like the greedy player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any

from benchmarks.table import setups_of
from campale.players import GreedyPlayer
from campale.referee.game import Game
from campale.referee.lawful import legal
from campale.referee.question import Question
from campale.referee.records.record import grained
from campale.referee.refusal import Plain
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.seat import Seat
from campale.referee.telling.words import words
from campale.screen.chaining import Chain, chained
from campale.screen.orders import at_first, standing_answer
from campale.screen.scene import eyes
from campale.server.battle.following import MOST_FOLLOWED

MOST_ANSWERS = 10_000
MOST_KINDS = 6
BATTLES = {"ragnarok": 4, "e55": 3, "e3m": 3, "w10": 3, "wzr": 3}
"""How many are played."""
REACTIONS = {
    "e3m": frozenset(
        (
            *("opportunity", "step-end-fire", "fire.opportunity", "lay-down", "give-ground", "give-ground-to"),
            *("fire.defensive", "defensive-element", "fire.overrun-defence", "path-assault", "aside", "assign-wounds"),
        )
    ),
    "w10": frozenset(
        (
            *("who-takes", "precision", "re-roll-wounds", "enemy-moves", "targets-chosen", "charge-ends", "has-fought"),
            *("chosen-to-fight", "movement-ends", "test-failed", "grenade-at", "ram-at", "challenger"),
            *("reroll-to-hit", "reroll-plain-to-hit", "reroll-to-wound", "reroll-plain-to-wound", "reroll-save"),
            *("reroll-damage", "reroll-advance", "reroll-charge", "reroll-desperate-escape", "reroll-hazardous"),
        )
    ),
    "wzr": frozenset(
        (
            *("strategy-first", "strategy-between", "strategy-last", "tactic-own-first", "tactic-own-between"),
            *("tactic-own-last", "tactic-enemy-first", "tactic-enemy-between", "tactic-enemy-last", "third-ap"),
            *("reactions", "reaction-order", "react.shoot", "react.walk", "react.dive", "react.combat"),
            *("counter-charge", "free-strikes", "burn-heal", "hand-over", "take-weapon", "substitute", "announce"),
            *("hit-order", "rout-order", "set-down-order", "drop-order"),
        )
    ),
}
"""The prompts of a book at which somebody answers what the other does; all others are his own acts."""
TAKE_TURNS = frozenset({"ragnarok", "e55", "w10"})
"""The books in which one side has a turn, and then the other."""


class Asked:
    """A battle under orders: the prompts that people got, how many questions the orders answered, and how many were
    ``further`` fields of a form: a question with those that follow from it is one prompt.
    """

    def __init__(self, setup: Setup, orders: Mapping[str, Plain], seed: str) -> None:
        self.orders, self.rng = orders, Random(seed)
        self.players = [GreedyPlayer(f"{seed}/{side}") for side in (0, 1)]
        self.game = Game(load_ruleset(setup.ruleset), setup, seed)
        self.prompts: Counter[str] = Counter()
        self.by_order = self.further = self.in_others_turns = 0
        self.turns: set[Plain] = set()
        self._in_a_row = 0
        self._chain: Chain | None = None
        self._given: list[Plain] = []

    def play(self) -> None:
        """To the end."""
        for _ in range(MOST_ANSWERS):
            if self.game.is_over:
                return
            side = self.game.asked[0]
            assert side is not None
            self.answer(side)
        raise RuntimeError("the battle does not end")

    def answer(self, side: int) -> None:
        question, seen = self.game.question_for(side), eyes(self.game, side, "en")
        assert question is not None
        given = standing_answer(question, self.orders, seen.position, seen.teller)
        if given is not None and self._in_a_row < MOST_FOLLOWED:
            self.by_order, self._in_a_row = self.by_order + 1, self._in_a_row + 1
        else:
            self.note(question, self.is_in_chain(side, question))
            self._in_a_row = 0
            given = (self.players[side].answer(Seat(self.game, side)),)
            given = given if question.refusal(given[0]) is None else (legal(question, self.rng),)
            self._given.append(grained(given[0]))
        assert self.game.answer(side, given[0]) is None

    def note(self, question: Question, is_further: bool) -> None:
        self.further += is_further
        self.prompts[question.prompt] += not is_further
        now = self.game.position.now
        if now.get("turn") and "side" in now:
            self.turns.add((now["turn"], now["side"]))
            self.in_others_turns += not is_further and question.side != now["side"]

    def is_in_chain(self, side: int, question: Question) -> bool:
        """Whether a question is a further field of the form that was asked last; else it begins one."""
        chain = self._chain
        if chain is not None and chain.side == side and chain.field(self._given) == question:
            return True
        form = chained(self.game, question, self.orders, lambda game: eyes(game, side, "en"))
        self._chain = form if isinstance(form, Chain) else None
        self._given = []
        return False


def orders_at_first(setup: Setup) -> dict[str, Plain]:
    return at_first(words("en", load_ruleset(setup.ruleset).folder / "words").messages)


def reactions(book: str, prompts: Counter[str], people: int) -> dict[str, float]:
    """How often each is asked besides his own acts, where it is known of a book."""
    known = REACTIONS.get(book)
    if known is None:
        return {}
    return {"besides one's own acts": round(sum(prompts[prompt] for prompt in known) / people, 1)}


def counted(setups: Sequence[Setup], battles: int) -> dict[str, Any]:
    """The means of some battles, for each of the two players: what the rules asked, and how often he was prompted."""
    prompts: Counter[str] = Counter()
    by_order = further = in_others_turns = turns = 0
    for number, setup in enumerate(islice(cycle(setups), battles)):
        battle = Asked(setup, orders_at_first(setup), f"prompts/{number}")
        battle.play()
        prompts += battle.prompts
        by_order, further = by_order + battle.by_order, further + battle.further
        in_others_turns, turns = in_others_turns + battle.in_others_turns, turns + len(battle.turns)
    people, questions = 2 * battles, prompts.total() + by_order + further
    return {
        "battles": battles,
        "questions of the rules": round(questions / people, 1),
        "answered by order": round(by_order / people, 1),
        "further fields of a form": round(further / people, 1),
        "prompts": round(prompts.total() / people, 1),
        "share that is left": round(prompts.total() / questions, 3),
        **reactions(setups[0].ruleset, prompts, people),
        **({"in a turn of the other's": round(in_others_turns / turns, 2)} if setups[0].ruleset in TAKE_TURNS else {}),
        "most often": {prompt: round(count / people, 1) for prompt, count in prompts.most_common(MOST_KINDS)},
    }


def run(battles: Mapping[str, int] | None = None) -> dict[str, Any]:
    """For each book."""
    return {book: counted(setups_of(book), count) for book, count in (battles or BATTLES).items()}
