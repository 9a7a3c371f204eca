"""What can be wrong with a laboratory run; told to people by the words of the commands."""

from __future__ import annotations

from typing import Any


class LabError(Exception):
    """Something the user can put right. ``key`` names the sentence, ``values`` fill it in."""

    def __init__(self, key: str, **values: Any) -> None:
        told = ", ".join(f"{name}={value}" for name, value in values.items())
        super().__init__(f"{key}: {told}" if told else key)
        self.key, self.values = key, values
