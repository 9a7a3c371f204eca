"""Learn to beat the first suggestion, within ten minutes and on one core, with numpy alone.

    python -m examples.learning --out scores.csv

Whoever always takes the first action plays as the rulebook suggests, and beats the player at random in 97 battles of
100. The policy begins there: a softmax over the actions of a question, which weighs each action's numbers
(``campale.learn.observing``) by a row of weights for the prompt's drawer and by one for all prompts, and at first knows
only which action comes first. It learns by policy gradient (REINFORCE: Williams, Machine Learning 8, 1992) from the
shaped rewards, discounted, against a running mean for each prompt, in battles against the first suggestion. The result
of every battle goes to the file. Before and after, the policy plays battles with seeds that it does not learn from, and
takes its best action in each; before, that is the first suggestion against itself.

The same number of battles gives the same figures on every machine, unless the minutes end first. The compiling of the
geometry, once after an installation, does not count.
"""

from __future__ import annotations

import argparse
import csv
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from campale.learn import PER_ACTION, SoloBattle, layout
from campale.learn.observing import PROMPTS
from campale.players import Player
from campale.referee.ruleset import Setup
from campale.table.warming import warm_up

Array = np.ndarray[Any, np.dtype[np.float64]]

DISCOUNT, RATE, SLOWNESS, SPREAD = 0.9, 0.05, 0.95, 1e-3
COLUMNS = ("battle", "seconds", "score")
FIRST_PLACE, EARLY = 1, 4.0
"""The number of an action that says how early it comes, and how much the policy makes of it at first."""
EXAMINED = 0.25
"""The part of the time that each of the two examinations may take."""
PAUSE = 15.0
"""Seconds after which it is told how far the learning is."""


def force(army_list: str, *models: dict[str, Any]) -> dict[str, Any]:
    name = {"en": "The few", "it": "I pochi"}
    return {"ruleset": "ragnarok", "name": name, "army_list": army_list, "points": 200, "models": list(models)}


FEW = (
    force("barrow_host", {"profile": "barrow_jarl", "commander": True}, {"profile": "raider", "count": 2}),
    force(
        "crucible_league",
        {"profile": "crucible_captain", "commander": True, "expert": "weapons"},
        {"profile": "steam_rifleman"},
    ),
)
SKIRMISHES = {"ragnarok": [Setup("ragnarok", forces=(one, other)) for one in FEW for other in FEW]}
"""Battles of a few models, of which a machine plays many; the other books play their ready battles."""


class Chosen(NamedTuple):
    """A choice made: the prompt's drawer, the actions' numbers, the chances they had, which was taken."""

    prompt: int
    actions: Array
    chances: Array
    taken: int


class Policy:
    """Weights of an action's numbers: one row for each drawer of prompts, and a last one for all."""

    def __init__(self) -> None:
        self.weights = np.zeros((PROMPTS + 1, PER_ACTION))
        self.weights[-1, FIRST_PLACE] = EARLY
        self.squares = np.zeros_like(self.weights)
        self.means = np.zeros(PROMPTS)
        self.prompts, self.rows = layout()["prompt"][0], layout()["actions"]

    def choose(self, seen: dict[str, Any], rng: np.random.Generator) -> Chosen:
        start, shape = self.rows
        actions = seen["observation"][start:].reshape(shape)[seen["action_mask"] > 0].astype(float)
        prompt = int(np.argmax(seen["observation"][self.prompts : self.prompts + PROMPTS]))
        logits = actions @ (self.weights[prompt] + self.weights[-1])
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        return Chosen(prompt, actions, chances, int(rng.choice(len(chances), p=chances)))

    def learn(self, choices: list[Chosen], rewards: list[float]) -> None:
        """One step uphill: what was taken before rewards above the mean becomes likelier."""
        slope, worth = np.zeros_like(self.weights), 0.0
        for one, reward in zip(reversed(choices), reversed(rewards), strict=True):
            worth = reward + DISCOUNT * worth
            surprise = worth - self.means[one.prompt]
            self.means[one.prompt] += 0.02 * surprise
            way = surprise * (one.actions[one.taken] - one.chances @ one.actions)
            slope[one.prompt] += way
            slope[-1] += way
        self.squares = SLOWNESS * self.squares + (1.0 - SLOWNESS) * slope**2
        self.weights += RATE * slope / np.sqrt(self.squares + SPREAD)


def play(battle: SoloBattle, policy: Policy, rng: np.random.Generator, seed: int | None, learns: bool = True) -> float:
    """One battle, from which the policy learns, or in which it does its best. The score: 1 won, 1/2 drawn, 0 lost."""
    seen, _ = battle.reset(seed=seed)
    choices: list[Chosen] = []
    rewards: list[float] = []
    is_over = False
    while not is_over:
        choices.append(policy.choose(seen, rng))
        taken = choices[-1].taken if learns else int(np.argmax(choices[-1].chances))
        seen, reward, ended, broken_off, _ = battle.step(taken)
        rewards.append(reward)
        is_over = ended or broken_off
    if learns:
        policy.learn(choices, rewards)
    return (battle.now.outcome(battle.side) + 1.0) / 2.0


def against(book: str, foe: str, shaped: bool = False) -> SoloBattle:
    """Battles against a bot, or against the first suggestion, as which the base of all players answers."""
    return SoloBattle(book, Player if foe == "first" else foe, SKIRMISHES.get(book, ()), shaped=shaped)


def learn(book: str, foe: str, end: float, most: int, out: Path | None) -> Policy:
    """Play and learn until that moment of the clock, or until ``most`` battles are played."""
    battle, policy, rng = against(book, foe, shaped=True), Policy(), np.random.default_rng(1)
    rows: list[tuple[float, ...]] = []
    begun = told = time.monotonic()
    while len(rows) < most and time.monotonic() < end:
        score = play(battle, policy, rng, 1 if not rows else None)
        rows.append((len(rows) + 1, round(time.monotonic() - begun, 1), score))
        if time.monotonic() - told > PAUSE:
            told = time.monotonic()
            recent = np.mean([row[2] for row in rows[-100:]])
            print(f"{told - begun:.0f} s: {len(rows)} battles, {recent:.3f} of the last {len(rows[-100:])}", flush=True)
    print(f"learned from {len(rows)} battles", flush=True)
    if out is not None:
        with out.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
    return policy


def examine(book: str, foe: str, policy: Policy, battles: int, end: float) -> list[float]:
    """Its scores in so many battles with new seeds, from which it learns nothing; in fewer where the time is up."""
    battle, rng = against(book, foe), np.random.default_rng(2)
    scores: list[float] = []
    while len(scores) < battles and (not scores or time.monotonic() < end):
        scores.append(play(battle, policy, rng, None if scores else 10_000_000, learns=False))
    return scores


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("book", nargs="?", default="ragnarok")
    asked.add_argument("--against", default="first", help="'first' (the first suggestion) or the name of a bot")
    asked.add_argument("--minutes", type=float, default=10.0, help="for all of it: both examinations and the learning")
    asked.add_argument("--battles", type=int, default=300, help="learn from so many battles, if time allows")
    asked.add_argument("--examined", type=int, default=150, help="battles of each examination, if time allows")
    asked.add_argument("--out", type=Path, help="a CSV file for the score of every battle learned from")
    wanted = asked.parse_args()
    print("warming up", flush=True)
    warm_up()
    begun, whole = time.monotonic(), 60.0 * wanted.minutes
    examined = wanted.book, wanted.against
    tell("before", wanted.against, examine(*examined, Policy(), wanted.examined, begun + EXAMINED * whole))
    end = begun + (1.0 - EXAMINED) * whole
    print(f"learning for at most {max(0.0, end - time.monotonic()) / 60.0:.1f} minutes", flush=True)
    policy = learn(*examined, end, wanted.battles, wanted.out)
    tell("after", wanted.against, examine(*examined, policy, wanted.examined, begun + whole))


def tell(what: str, foe: str, scores: list[float]) -> None:
    spread = 1.96 * float(np.std(scores)) / math.sqrt(max(1, len(scores)))
    print(f"{what} learning: {np.mean(scores):.3f} ± {spread:.3f} of {len(scores)} battles against {foe}", flush=True)


if __name__ == "__main__":
    main()
