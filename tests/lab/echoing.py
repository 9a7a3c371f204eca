"""What a worker of the tests does: hardly anything, so that fifty may die in a moment."""

from __future__ import annotations

import time
from collections.abc import Sequence


def echoed(numbers: Sequence[int], seconds: float = 0.0) -> list[bytes]:
    time.sleep(seconds)
    return [str(number).encode() for number in numbers]
