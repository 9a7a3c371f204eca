"""Where units are proposed to be deployed: side by side, by what they do, with room to move."""

from __future__ import annotations

import itertools
import math

import pytest

from campale.mechanics.moves.placing import lattice
from campale.referee.game import Game
from campale.referee.ruleset import load_ruleset
from campale.rulesets.e55.battle.deployment import zone_of
from campale.rulesets.e55.bots.posts import best_centres, post_of
from campale.screen.proposing import proposed
from campale.screen.scene import eyes
from tests.rulesets.e55.kit import Squad, block, model, squad, table, unit


def best(kind: str, count: int, *others: Squad, **more: object) -> tuple[float, float]:
    position = table(squad(kind, count, at=None), *others, **more)  # type: ignore[arg-type]
    models = [m for m in position.models if m.unit.row == 0]
    return best_centres(unit(position, 0), models, lattice(zone_of(position, 0), 2.0), 0.0)[0]


def test_a_unit_is_posted_by_what_it_does() -> None:
    position = table(squad("tank", 1), squad("militia", 5, at=(20, 10)))
    assert post_of([model(position, 0)]) == "drivers"
    assert post_of([model(position, row) for row in range(1, 6)]) in ("shooters", "fighters")


def test_the_second_unit_stands_beside_the_first_and_not_behind_it() -> None:
    alone = best("militia", 5)
    beside = best("militia", 5, squad("militia", 5, at=alone))
    assert abs(beside[0] - alone[0]) >= 4.0
    assert beside[1] == alone[1]


def test_a_vehicle_has_the_way_ahead_open() -> None:
    alone = best("tank", 1)
    ahead = block(alone[0], alone[1] + 7.0, 8.0, 2.0, "impassable")
    assert abs(best("tank", 1, pieces=[ahead])[0] - alone[0]) > 4.0


@pytest.mark.parametrize("number", [0, 8])
def test_a_whole_army_stands_in_a_wide_line_with_room_between_its_units(number: int) -> None:
    ruleset = load_ruleset("e55")
    game = Game(ruleset, ruleset.starters()[number], "posts")  # type: ignore[misc]
    while not game.position.now.get("turn"):
        side = game.asked[0]
        assert side is not None
        question = game.question_for(side)
        assert question is not None
        assert game.answer(side, proposed(question, eyes(game, side, "en").teller)) is None
    for side in (0, 1):
        own = game.position.on_table(side)
        assert max(m.x for m in own) - min(m.x for m in own) > 40.0
        apart = [math.dist(one.at, other.at) for one, other in itertools.combinations(own, 2)]
        assert min(apart) > 0.9
