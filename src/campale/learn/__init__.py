"""Environments for learning: a battle for two agents (PettingZoo), and one against a bot (Gymnasium)."""

from __future__ import annotations

try:
    import gymnasium as gymnasium
    import pettingzoo as pettingzoo
except ImportError as error:
    raise ImportError(
        f"Campale's environments for learning need {error.name}, which is not installed: pip install 'campale[learn]'"
    ) from error

from campale.learn.actions import MOST_ACTIONS, Asked, actions_of
from campale.learn.arena import BattleEnv, env
from campale.learn.observing import LENGTH, PER_ACTION, Observer, layout
from campale.learn.solo import AnyAction, SoloBattle, register, solo

register()

__all__ = [
    "LENGTH",
    "MOST_ACTIONS",
    "PER_ACTION",
    "AnyAction",
    "Asked",
    "BattleEnv",
    "Observer",
    "SoloBattle",
    "actions_of",
    "env",
    "layout",
    "solo",
]
