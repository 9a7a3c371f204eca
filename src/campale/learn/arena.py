"""A battle for two agents: PettingZoo's AEC environment, with action masks.

Its agents are ``side_0`` and ``side_1``. An action is the number of an answer (``actions``), an observation is
``{"observation": float32 of LENGTH, "action_mask": int8 of MOST_ACTIONS}`` (``observing``). The reward is 1 for the
side that wins and -1 for the other, at the end; with ``shaped`` also what a side gains or loses on the way (a
potential: its sum over an episode depends only on the first position). Source: https://pettingzoo.farama.org/api/aec/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from campale.learn.actions import MOST_ACTIONS
from campale.learn.course import MOST_ANSWERS, SIDES, Course, Observation, drawn, of_book
from campale.learn.observing import LENGTH
from campale.referee.ruleset import Ruleset, Setup

AGENTS = ("side_0", "side_1")


def observation_space() -> spaces.Dict:
    """The observation space of every agent in every book."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-1.0, 1.0, (LENGTH,), np.float32),
            "action_mask": spaces.Box(0, 1, (MOST_ACTIONS,), np.int8),
        }
    )


class BattleEnv(AECEnv):  # type: ignore[misc]
    """A battle of a book between two agents.

    ``setups``: the battles from which each episode is drawn (by default the book's ready battles). ``most``: answers
    after which an episode is truncated. The same seed gives the same episodes.
    """

    metadata = {"name": "campale_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        ruleset: str | Ruleset,
        setups: Sequence[Setup] = (),
        shaped: bool = False,
        most: int = MOST_ANSWERS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.book, self.setups = of_book(ruleset, setups)
        self.shaped, self.most, self.render_mode = shaped, most, render_mode
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: observation_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(MOST_ACTIONS) for agent in AGENTS}
        self.rng, _ = seeding.np_random()
        self.course: Course | None = None

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a battle. With a seed, this episode and the following ones are reproducible; there are no options."""
        if seed is not None:
            self.rng, _ = seeding.np_random(seed)
        self.course = Course(self.book, *drawn(self.setups, self.rng), most=self.most)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        for side in SIDES:
            self.course.gained(side)
        self.select()

    def step(self, action: int | None) -> None:
        """The selected agent acts. Raises ValueError for an action that its mask does not show."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        now = self.now
        self._cumulative_rewards[agent] = 0.0
        now.act(AGENTS.index(agent), -1 if action is None else int(action))
        for side, one in enumerate(AGENTS):
            self.rewards[one] = now.outcome(side) + (now.gained(side) if self.shaped else 0.0)
            self.terminations[one], self.truncations[one] = now.is_over, now.is_broken_off
        self.select()
        self._accumulate_rewards()

    def select(self) -> None:
        side = self.now.side
        self.agent_selection = AGENTS[0] if side is None else AGENTS[side]

    def observe(self, agent: str) -> Observation:
        """The observation of an agent now; the mask is empty if it is not asked."""
        return self.now.observation(AGENTS.index(agent))

    @property
    def now(self) -> Course:
        if self.course is None:
            raise RuntimeError("the environment was not reset")
        return self.course

    def told(self, language: str = "en") -> list[str]:
        """The actions of the selected agent in words, by number."""
        return self.now.told(AGENTS.index(self.agent_selection), language)

    def render(self) -> str | None:
        """The state of the battle and the possible actions in words, if ``render_mode`` is "ansi"."""
        if self.render_mode != "ansi":
            return None
        return "\n".join([f"{self.agent_selection}:", *(f"{k} {one}" for k, one in enumerate(self.told()))])

    def close(self) -> None:
        self.course = None


def env(**wanted: Any) -> Any:
    """A ``BattleEnv`` that checks the order of calls."""
    return OrderEnforcingWrapper(BattleEnv(**wanted))
