"""The compiled geometry: the only module that imports numba.

Kernels use + - * / square roots and comparisons only, in a fixed order, so that every machine gives the same bits. They
take and give arrays of floats; the pleasant faces are in the other modules of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba as nb
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compiles a function at its first call; kept on disk where there is a folder for it, anew each time where not."""
    try:
        return nb.njit(cache=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return nb.njit(function)  # type: ignore[no-any-return]
