"""Errors of a laboratory run, with the words of the commands, and of an experiment file, with its own words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from campale.referee.telling.spoken import Spoken, spoken

WORDS = Path(__file__).parent / "words" / "experiment"


class LabError(Exception):
    """An error that the user can correct. ``key`` names the sentence, ``values`` fill it in."""

    def __init__(self, key: str, **values: Any) -> None:
        told = ", ".join(f"{name}={value}" for name, value in values.items())
        super().__init__(f"{key}: {told}" if told else key)
        self.key, self.values = key, values


def say(key: str, **values: Any) -> Spoken:
    """What is wrong with an experiment file, in both languages."""
    return spoken(WORDS, f"experiment.{key}", **values)
