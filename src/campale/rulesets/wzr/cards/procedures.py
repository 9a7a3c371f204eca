"""The frames of cards."""

from __future__ import annotations

from campale.mechanics.frames import Procedure
from campale.rulesets.wzr.cards import decks, windows

CARDS: dict[str, Procedure] = {
    "mulligan": decks.mulligan,
    "strategy": windows.strategy_window,
    "tactic": windows.tactic_window,
    "control-draw": decks.control_draw,
    "discard-down": decks.discard_down,
    "draw-more": decks.draw_more,
}
