"""A battle made up for the tests of the board: what happens in it is known to the inch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Route, expect

from tests.browser.player import Player

Plain = dict[str, Any]

SLOW = """
const times = (how) => ({ ...how, duration: (how.duration ?? 0) * 400 });
const { animate } = Element.prototype;
Element.prototype.animate = function (frames, how) { return animate.call(this, frames, times(how)); };
const Effect = KeyframeEffect;
window.KeyframeEffect = class extends Effect {
  constructor(target, frames, how) { super(target, frames, times(how)); }
};
"""
"""What moves takes so long that a test can look at it."""


def model(row: int, side: int, x: float, y: float, **more: Any) -> Plain:
    shape = {"radius": 0.5, "height": 1.5}
    unit = {"row": row, "side": side, "unit": side, "name": f"{'Scout' if side else 'Guard'} {row}", "kind": "man"}
    return {**unit, "where": "table", "x": x, "y": y, "facing": 180.0 * side, "shape": shape, **more}


def dice(why: str, counts: str, faces: Sequence[int], met: Sequence[bool]) -> Plain:
    return {"kind": "dice", "counts": counts, "dice": {"why": why, "sides": 6, "faces": [*faces], "met": [*met]}}


GUARDS = [model(row, 0, 10.0 + 2 * row, 8.0) for row in range(3)]
SCOUTS = [model(row, 1, 10.0 + 2 * (row - 3), 20.0) for row in range(3, 6)]
STANDING: Plain = {"title": "Turn 1", "side": 0, "lines": []}
WALKED = model(0, 0, 16.0, 12.0)
WAY = [[10.0, 8.0], [10.0, 12.0], [16.0, 12.0]]
SHOT = {
    **dice("To hit", "hits", [5, 1, 6, 4], [True, False, True, True]),
    "kind": "shot",
    "by": [1, 2],
    "at": [3, 4, 5],
}
FRAMES: list[Plain] = [
    {"at": 1, "models": [WALKED], "motions": [{"kind": "move", "by": [0], "way": WAY}]},
    {
        "at": 2,
        "models": [{**SCOUTS[0], "where": "fallen"}],
        "motions": [
            SHOT,
            dice("To wound", "wounds", [4, 2, 5], [True, False, True]),
            dice("Save", "saved", [6, 2], [True, False]),
            {"kind": "loss", "by": [3]},
        ],
    },
    {
        "at": 3,
        "models": [model(1, 0, 14.0, 18.9)],
        "motions": [
            {"kind": "charge", "by": [1], "at": [5]},
            {"kind": "move", "by": [1], "way": [[12.0, 8.0], [14.0, 18.9]], "how": "charge"},
        ],
    },
]


def battle(**more: Any) -> Plain:
    """As the server tells a replay."""
    return {
        "book": "drill",
        "title": "Drill",
        "side": None,
        "table": {"width": 40.0, "depth": 28.0, "unit": "inch", "grid": 6.0},
        "pieces": [],
        "models": [*GUARDS, *SCOUTS],
        "units": [
            {"row": 0, "side": 0, "name": "Guards", "models": [0, 1, 2]},
            {"row": 1, "side": 1, "name": "Scouts", "models": [3, 4, 5]},
        ],
        "tokens": [],
        "standing": STANDING,
        "lines": [],
        "frames": FRAMES,
        **more,
    }


def staged(player: Player, shown: Plain, slowly: bool = False) -> None:
    """Look at a replay of it, from its beginning."""

    def answer(route: Route) -> None:
        route.fulfill(status=200, content_type="application/json", body=json.dumps(shown))

    player.page.route("**/api/battles/staged/replay*", answer)
    summary = {"status": 200, "content_type": "application/json", "body": json.dumps({"seats": []})}
    player.page.route("**/api/battles/staged", lambda route: route.fulfill(**summary))
    if slowly:
        player.page.add_init_script(SLOW)
    player.page.goto("/replay/staged")
    expect(player.page.get_by_role("slider", name=player.say("replay.moment"))).to_be_visible()
