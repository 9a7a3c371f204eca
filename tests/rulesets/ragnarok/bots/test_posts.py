"""Where models are proposed to be set down: along the zone, by what they do, in ambush, always the same."""

from __future__ import annotations

import itertools
import math

import pytest

from campale.mechanics.setup.edges import inset, whole_table
from campale.referee.game import Game
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.ragnarok.battle.preparation import zone
from campale.rulesets.ragnarok.bots.posts import best_spots, post_of
from campale.screen.proposing import proposed
from campale.screen.scene import eyes
from tests.rulesets.ragnarok.kit import a, piece, table


def deployed(setup: Setup) -> Game:
    game = Game(load_ruleset("ragnarok"), setup, "posts")
    while not game.position.now.get("turn"):
        side = game.asked[0]
        assert side is not None
        question = game.question_for(side)
        assert question is not None
        assert game.answer(side, proposed(question, eyes(game, side, "en").teller)) is None
    return game


@pytest.fixture(scope="module")
def battle() -> Game:
    return deployed(load_ruleset("ragnarok").starters()[0])  # type: ignore[misc]


def test_a_force_is_spread_along_its_zone_and_looks_at_the_enemy(battle: Game) -> None:
    for side in (0, 1):
        own = [m for m in battle.position.on_table(side) if not m.profile.has("infiltrator")]
        across = sorted(m.x if m.facing in (0.0, 180.0) else m.y for m in own)
        assert across[-1] - across[0] > 60.0
        assert all(math.dist(one.at, other.at) > 6.0 for one, other in itertools.combinations(own, 2))
        towards = {"south": 0.0, "north": 180.0, "west": 90.0, "east": 270.0}
        assert {m.facing for m in own} == {towards[str(battle.position.hand(side, "edge")[0])]}


def test_the_leader_stands_behind_the_others(battle: Game) -> None:
    for side, (low_x, low_y, high_x, high_y) in ((side, zone(battle.position, side)) for side in (0, 1)):
        edge = {"south": low_y, "north": high_y, "west": low_x, "east": high_x}
        name = str(battle.position.hand(side, "edge")[0])
        own = battle.position.on_table(side)
        off = {m.row: abs((m.y if name in ("south", "north") else m.x) - edge[name]) for m in own}
        leader = next(m.row for m in own if m.marks("commander"))
        assert off[leader] == min(off.values())


def test_the_same_is_proposed_every_time(battle: Game) -> None:
    again = deployed(load_ruleset("ragnarok").starters()[0])  # type: ignore[misc]
    assert [m.at for m in again.position.models] == [m.at for m in battle.position.models]


def test_a_model_is_posted_by_what_it_does() -> None:
    position = table(a("steam_rifleman"), a("raider"))
    rifleman, raider = position.models
    assert post_of(rifleman.profile, True) == "leader"
    assert post_of(rifleman.profile, False) in ("shooter", "sniper")
    assert post_of(raider.profile, False) == "fighter"


def test_who_shoots_is_posted_behind_a_wall_near_its_place_in_the_line() -> None:
    open_ground = table(a("steam_rifleman", at=None))
    walled = table(a("steam_rifleman", at=None), pieces=[piece("low_wall", 64.0, 16.0)])
    area = inset(zone(walled, 0), 1.25)
    free, sheltered = (next(best_spots(one.models[0], area, 0.0)) for one in (open_ground, walled))
    assert abs(sheltered[0] - 64.0) < 5.0
    assert 16.0 - 5.5 < sheltered[1] < 16.0
    assert free != sheltered


def test_an_ambush_is_laid_out_of_sight_and_looks_at_the_nearest_enemy() -> None:
    house = piece("workshop", 60.0, 60.0)
    position = table(a("raider", at=None), a("steam_rifleman", 1, at=(60.0, 85.0)), pieces=[house])
    x, y, facing = next(best_spots(position.models[0], inset(whole_table(position.ground), 1.25), 0.0))
    assert abs(x - 60.0) < 12.0
    assert y < 60.0
    assert facing in (0.0, *range(330, 361), *range(31))
