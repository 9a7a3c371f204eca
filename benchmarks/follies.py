"""How often a bot does something pointless: ``python -m benchmarks.follies BOOK [PLAYER] [--battles N] [--shown N]``.

A bot plays both sides of ready battles. Counted are

- acts in vain: attacks that by the exact odds (``Ruleset.forecast_of``) can do nothing, such as shots out of range, and
  options that the book calls pointless (``Ruleset.vain``);
- idle units: on the table for a whole turn in which their side acted, without having moved or rolled a die;
- idle sides: such a turn in which every unit of the side was idle.

To stand still on an objective is no folly: what is idle is there to be looked at, not to be brought to nought. With
``--shown N`` so many examples of each kind are printed, with the seed of their battle and its turn.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from benchmarks.arena import setups
from campale.players import player_named
from campale.players.player import Player
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.referee.seat import Seat
from campale.simulate.battle import battle
from campale.simulate.many import Pairing, pairings

NOTHING = 1e-9
"""What an attack that can do nothing does on average."""
ROUNDS = frozenset({"e3m", "wzr"})
"""The books in whose turns both sides act; in the others it is the turn of the side that begins more activations."""
TOO_FAR = "out-of-range"
"""The gap of a forecast that ends before the first roll."""
DEEDS = frozenset({"move", "roll", "draw", "direction", "action"})
"""The events by which a unit is seen to do something; the last one is that of a book of single models."""
DOER = ("model", "unit", "actor")
"""The values of such an event that name who does it, by row."""

VAIN, IDLE, IDLE_SIDE = KINDS = "acts in vain", "idle units", "idle sides"


class Folly(NamedTuple):
    """Something pointless: its kind, the seed and turn, and what was done."""

    kind: str
    seed: str
    turn: Plain
    what: str


class Seen(NamedTuple):
    """What a battle showed: how many acts, units and sides were looked at, by kind of folly, and the follies.

    ``begun``: the activations that each side has begun in the present turn.
    """

    looked_at: Counter[str]
    follies: list[Folly]
    begun: Counter[int]


class Watched(Player):
    """Gives the answers of another player, and looks at them."""

    def __init__(self, player: Player, seed: str, seen: Seen) -> None:
        super().__init__()
        self.player, self.seed, self.seen = player, seed, seen

    def answer(self, seat: Seat) -> Plain:
        question, given = seat.question, self.player.answer(seat)
        if question is not None and not question.is_chance:
            self.look(seat, question, given)
            self.seen.begun[seat.side] += seat.is_at_boundary
        return given

    def look(self, seat: Seat, question: Question, given: Plain) -> None:
        position, book = seat.position(), seat.ruleset
        odds = None if book.forecast_of is None else book.forecast_of(position, question, given)
        self.seen.looked_at[VAIN] += odds is not None
        if (odds is not None and does_nothing(odds)) or is_vain(book, position, question, given):
            what = f"{question.prompt} {dict(question.about)}: {given}"
            self.seen.follies.append(Folly(VAIN, self.seed, book.turn(position), what))


def does_nothing(odds: Forecast) -> bool:
    """Whether an attack is out of range, or comes neither to its main stage nor to the one before that."""
    main = next((place for place, step in enumerate(odds.steps) if step.is_main), len(odds.steps) - 1)
    stages = odds.steps[max(0, main - 1) : main + 1]
    return odds.gap == TOO_FAR or (len(stages) > 0 and all(step.mean <= NOTHING for step in stages))


def is_vain(book: Ruleset, position: Position, question: Question, given: Plain) -> bool:
    return book.vain is not None and isinstance(question, Choose) and book.vain(position, question, given)


class Turns:
    """Looks at the units of every turn that is over."""

    def __init__(self, seed: str, seen: Seen) -> None:
        self.seed, self.seen = seed, seen
        self.turn: Plain = None
        self.begun = 0
        self.standing: dict[int, list[int]] = {}
        """The rows of the models on the table as the turn began, by unit."""

    def look(self, game: Game) -> None:
        turn = game.ruleset.turn(game.position)
        if turn != self.turn:
            self.count(game)
            self.turn, self.begun, self.standing = turn, len(game.journal), standing(game)
            self.seen.begun.clear()

    def count(self, game: Game) -> None:
        busy, now = set(doers(game, game.journal[self.begun :])), standing(game)
        begun, idle = self.seen.begun, dict[int, list[bool]]()
        acting = set(begun) if game.ruleset.name in ROUNDS else {side for side, _ in begun.most_common(1)}
        for unit, rows in self.standing.items():
            model = game.position.model(rows[0])
            if unit in now and model.side in acting:
                idle.setdefault(model.side, []).append(busy.isdisjoint(rows))
                self.seen.looked_at[IDLE] += 1
                if idle[model.side][-1]:
                    self.note(IDLE, f"{model.unit.name}: {len(rows)} {model.name}")
        for side, units in idle.items():
            self.seen.looked_at[IDLE_SIDE] += 1
            if all(units):
                self.note(IDLE_SIDE, f"side {side}, {len(units)} units")

    def note(self, kind: str, what: str) -> None:
        self.seen.follies.append(Folly(kind, self.seed, self.turn, what))


def standing(game: Game) -> dict[int, list[int]]:
    """The rows of the models on the table that have not fallen, by unit."""
    found: dict[int, list[int]] = {}
    for model in game.position.models:
        if model.is_on_table and game.ruleset.health_of(model)[0] > 0:
            found.setdefault(model.unit.row, []).append(model.row)
    return found


def doers(game: Game, events: Sequence[Event]) -> Iterator[int]:
    """The rows of the models that did something."""
    by_unit = standing(game)
    for event in events:
        for name in DOER if event.kind in DEEDS else ():
            row = event.values.get(name)
            if isinstance(row, int):
                yield from by_unit.get(row, ()) if name == "unit" else (row,)


def watched(pairing: Pairing) -> Seen:
    """Play a battle, and tell what it showed."""
    seen = Seen(Counter(), [], Counter())
    players: dict[int, Player] = {
        side: Watched(player_named(name, f"{pairing.seed}/{side}"), pairing.seed, seen)
        for side, name in enumerate(pairing.players)
    }
    turns = Turns(pairing.seed, seen)
    battle(load_ruleset(pairing.ruleset), pairing.setup, players, pairing.seed, marks="last", each=turns.look)
    return seen


def told(seen: Sequence[Seen], shown: int) -> Iterator[str]:
    """How many follies of each kind there were, and examples."""
    for kind in KINDS:
        found = [folly for one in seen for folly in one.follies if folly.kind == kind]
        of = sum(one.looked_at[kind] for one in seen)
        yield f"{kind}: {len(found)} of {of}" + (f" ({100 * len(found) / of:.1f} %)" if of else "")
        for one in found[:: max(1, len(found) // shown)][:shown] if shown else ():
            yield f"  {one.seed}, turn {one.turn}: {one.what}"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("book")
    parser.add_argument("player", nargs="?", default="greedy")
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--shown", type=int, default=0)
    parser.add_argument("--seed", default="follies")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args(words)
    book = load_ruleset(asked.book)
    players = asked.player, asked.player
    wanted = pairings(book, setups(book), players, asked.battles, asked.seed, swapping=False)
    with ProcessPoolExecutor(asked.processes) as pool:
        seen = list(pool.map(watched, wanted))
    print(f"{asked.book}, {asked.player}, {len(seen)} battles of seed {asked.seed}")
    print("\n".join(told(seen, asked.shown)))


if __name__ == "__main__":
    main()
