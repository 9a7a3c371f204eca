"""To be written."""

from __future__ import annotations

from campale.rulesets.e55.acting import Act

ACTS: tuple[Act, ...] = ()
