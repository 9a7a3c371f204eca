"""How far models see, and in every place in which it counts (core/line-of-sight, starter-cards/moonless-night)."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.rulesets.wzr.abilities.eyesight import sees
from campale.rulesets.wzr.abilities.index import give
from campale.rulesets.wzr.armoury.weapons import gun_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.playing import play
from campale.rulesets.wzr.shooting.declaring import why_not_at
from campale.rulesets.wzr.shooting.pieces import pieces_in_reach
from campale.rulesets.wzr.shooting.targets import legal_targets
from campale.rulesets.wzr.turn.menu import cannot_take
from campale.rulesets.wzr.turn.reactions import watchers
from campale.rulesets.wzr.view.cards import measured
from campale.rulesets.wzr.view.sight import sight
from tests.rulesets.wzr.guns import gun
from tests.rulesets.wzr.kit import piece, squad, table

covers = pytest.mark.covers
NIGHT = "moonless-night"
"""Bases are 0.6 across the middle: 18 inches are 19.2 from centre to centre."""


def field(far: float, *, is_dark: bool, **changes: object) -> Position:
    wall = piece((40.0, 10.6 + far), (4.0, 0.2), ("solid", "linear", "row-wall"), 1.0, name="wall")
    weapons = (gun("tube", avv=5), gun("grenade", "grenade", range=None, by_strength=True, area="SE"))
    own = squad(at=[(24.0, 10.0)], weapons=weapons, st=30, models={"sentry": 1}, **changes)  # type: ignore[arg-type]
    away = squad(at=[(42.0, 10.0)], weapons=weapons)
    position = table(own, squad(side=1, at=[(24.0, 11.2 + far)]), away, pieces=[wall])
    position.gain(0, marks.RESOURCES, 4)
    if is_dark:
        position.hold(0, marks.HAND, (NIGHT,))
        play(position, 0, NIGHT)
    return position


@covers("starter-cards/moonless-night", "core/line-of-sight", "actions/sentry-reaction", "structures/attack-target")
@pytest.mark.parametrize(("far", "is_dark", "seen"), [(18.0, True, True), (18.01, True, False), (18.01, False, True)])
def test_nobody_sees_farther_than_a_moonless_night_allows(far: float, is_dark: bool, seen: bool) -> None:
    position = field(far, is_dark=is_dark)
    one, other = position.model(0), position.model(1)
    assert sees(one, other) is seen
    assert bool(watchers(position, [other])) is seen
    assert (other in legal_targets(gun_of(one, "tube"))) is seen
    assert bool(pieces_in_reach(gun_of(position.model(2), "tube"))) is seen
    assert (why_not_at(gun_of(one, "grenade"), (24.0, 10.6 + far)) is None) is seen
    assert measured(one, other)["sees"] is seen
    assert (sight(one, other).sees == "unseen") is not seen


@covers("starter-cards/radio-jamming", "actions/sentry", "actions/sentry-limit")
@pytest.mark.parametrize(("is_jammed", "rule"), [(True, "starter-cards/radio-jamming"), (False, "")])
def test_the_refusal_of_a_sentry_names_the_card(is_jammed: bool, rule: str) -> None:
    position = table(squad(at=[(24.0, 10.0)], models={"ap": 2}), squad(side=1, at=[(24.0, 30.0)]))
    if is_jammed:
        give(position, "radio-jamming", "battle", 0, marks.TURN)
    refusal = cannot_take(position.model(0), "sentry")
    assert ("" if refusal is None else refusal.rule) == rule
