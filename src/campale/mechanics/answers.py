"""The words of answers that every book has, as keys of options."""

from __future__ import annotations

DONE = "done"
"""Do nothing more."""

NONE = "none"
"""Choose none of the options."""
