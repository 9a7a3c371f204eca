"""A place that the book refuses: typed where a model may not be set down."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.player import Player

OUTSIDE = 45.0, 62.0
"""Ragnarok's table is 120 deep, and one deploys at its edges."""


def refused(player: Player) -> Locator:
    """Have the first model that is deployed stand where it may not; the refusal."""
    player.first_moved()
    for axis, value in zip("xy", OUTSIDE, strict=True):
        field = player.panel.get_by_role("row").last.get_by_role("spinbutton").nth("xy".index(axis))
        field.fill(str(value))
        field.press("Tab")
    expect(player.refusal).to_be_visible()
    return player.refusal
