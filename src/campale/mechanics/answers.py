"""The words of answers that every book has, as keys of options."""

from __future__ import annotations

DONE = "done"
"""Nothing more is done."""

NONE = "none"
"""None of what may be chosen."""
