"""Zones on the table: while one deploys both sides' are outlined, and no longer than that."""

from __future__ import annotations

from random import Random

import pytest

from campale.referee.game import Game
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.screen.scene import eyes, zones_of

BOOKS = [name for name in ruleset_names() if load_ruleset(name).zones is not None]
MOST = 400
A_BASE = 1.3
"""Of some books the area is that of the middles of bases."""


def test_every_book_that_one_may_play_has_zones() -> None:
    assert {"ragnarok", "e55", "e3m", "w10", "wzr"} <= set(BOOKS)


@pytest.mark.parametrize("name", BOOKS)
def test_where_one_deploys_both_zones_are_outlined(name: str) -> None:
    """At the first question that asks where a unit is set down in an area, that area is one of the zones."""
    ruleset = load_ruleset(name)
    assert ruleset.starters is not None
    game, rng = Game(ruleset, ruleset.starters()[0], "zones"), Random("zones")
    for _ in range(MOST):
        question = game.pending[game.asked[0]]
        if question.kind == "place":
            break
        game.answer(game.asked[0], question.sample(rng))
    known = eyes(game, None, "en")
    zones = [zone for zone in zones_of(known.position, known.teller) if zone.kind == "deployment"]
    assert [zone.side for zone in zones] == [0, 1]
    own = next(zone for zone in zones if zone.side == question.side)
    area = question.description()["shown"]["area"]
    west, south = (min(corner[k] for corner in own.outline) for k in (0, 1))
    east, north = (max(corner[k] for corner in own.outline) for k in (0, 1))
    assert (west, south, east, north) == pytest.approx(tuple(area), abs=A_BASE)
    assert "{" not in own.text
