"""The frames of hits and of what they set off, by name."""

from __future__ import annotations

from campale.mechanics.frames import Procedure
from campale.rulesets.wzr.squads import morale
from campale.rulesets.wzr.vehicles.damage import WRECK
from campale.rulesets.wzr.wounds import hits, removals, resolving

PROCEDURES: dict[str, Procedure] = {
    hits.HITS: resolving.hits,
    resolving.EACH_HIT: resolving.each_hit,
    hits.REMOVALS: removals.removals,
    removals.WHICH_FIRST: removals.which_first,
    removals.SUBSTITUTE: removals.substitute,
    removals.TAKE_WEAPON: removals.take_weapon,
    removals.BERSERK: removals.berserk,
    WRECK: removals.wreck,
    removals.PINNING_AT_ONCE: morale.pinning_at_once,
}
