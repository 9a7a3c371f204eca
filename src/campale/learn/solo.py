"""A battle for one agent against a bot: a Gymnasium environment with action masks.

Source: https://gymnasium.farama.org/api/env/ ; ``action_masks()`` is what maskable trainers ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces

from campale.learn.actions import MOST_ACTIONS
from campale.learn.arena import observation_space
from campale.learn.course import MOST_ANSWERS, Course, Observation, drawn, of_book
from campale.players import Player, player_named
from campale.referee.ruleset import Ruleset, Setup, ruleset_names
from campale.referee.seat import Seat

Opponent = str | Callable[[str], Player]


class SoloBattle(gymnasium.Env[Observation, np.int64]):
    """A battle of a book against ``opponent``: the name of a player, or a function from a seed to one.

    ``side``: the agent's side (None: drawn at random for each episode). The rest as in ``BattleEnv``.
    """

    metadata = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        ruleset: str | Ruleset,
        opponent: Opponent = "random",
        setups: Sequence[Setup] = (),
        side: int | None = None,
        shaped: bool = False,
        most: int = MOST_ANSWERS,
    ) -> None:
        if side not in (None, 0, 1):
            raise ValueError(f"there is no side {side!r}; side is 0, 1 or None, which draws it anew each time")
        self.book, self.setups = of_book(ruleset, setups)
        self.opponent, self.wanted, self.shaped, self.most = opponent, side, shaped, most
        self.observation_space = cast("gymnasium.Space[Observation]", observation_space())
        self.action_space = spaces.Discrete(MOST_ACTIONS)
        self.course: Course | None = None
        self.side = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a battle, up to the agent's first choice."""
        super().reset(seed=seed)
        self.side = int(self.np_random.integers(2)) if self.wanted is None else self.wanted
        self.course = Course(self.book, *drawn(self.setups, self.np_random), (self.side,), self.most)
        self.foe = self.player(f"{int(self.np_random.integers(2**62))}")
        self.let_foe_act()
        self.course.gained(self.side)
        return self.seen(), self.info()

    def player(self, seed: str) -> Player:
        return player_named(self.opponent, seed) if isinstance(self.opponent, str) else self.opponent(seed)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act, and let the bot act until the agent has a choice again. Raises ValueError for an action masked out."""
        now = self.now
        now.act(self.side, int(action))
        self.let_foe_act()
        reward = now.outcome(self.side) + (now.gained(self.side) if self.shaped else 0.0)
        return self.seen(), reward, now.is_over, now.is_broken_off, self.info()

    def let_foe_act(self) -> None:
        """The bot answers whole questions, as it does everywhere."""
        now, foe = self.now, 1 - self.side
        seat = Seat(now.game, foe)
        while not now.asked and foe in now.game.asked and not now.is_broken_off:
            now.answered(foe, self.foe.answer(seat))

    @property
    def now(self) -> Course:
        if self.course is None:
            raise RuntimeError("the environment was not reset")
        return self.course

    def seen(self) -> Observation:
        return self.now.observation(self.side)

    def info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "side": self.side}

    def told(self, language: str = "en") -> list[str]:
        """The agent's actions in words, by number."""
        return self.now.told(self.side, language)

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which actions may be taken now."""
        asked = self.now.asked.get(self.side)
        return np.arange(MOST_ACTIONS) < (0 if asked is None else len(asked.actions))


class AnyAction(gymnasium.ActionWrapper[Observation, np.int64, np.int64]):
    """A battle for learners without masks: numbers beyond the last action start again at the first.

    Gymnasium's ``check_env`` and trainers without masks draw from the whole action space, but most questions have few
    actions and a battle refuses the others. Without this wrapper the move played is always the one that the agent
    chose.
    """

    def action(self, action: np.int64) -> np.int64:
        """The action that a number stands for."""
        count = int(cast("SoloBattle", self.unwrapped).action_masks().sum())
        return np.int64(int(action) % max(1, count))


def register() -> None:
    """Let ``gymnasium.make("campale/<book>-v0")`` find every book."""
    for name in ruleset_names():
        if f"campale/{name}-v0" not in gymnasium.registry:
            gymnasium.register(f"campale/{name}-v0", "campale.learn.solo:SoloBattle", kwargs={"ruleset": name})


def solo(**wanted: Any) -> SoloBattle:
    """A battle against a bot; see ``SoloBattle``."""
    return SoloBattle(**wanted)
