"""What a bot of the toy that plays nothing through makes of its table."""

from __future__ import annotations

from campale.referee.game import Game
from campale.referee.position import Model
from campale.referee.question import Choose
from campale.rulesets._template import RULESET, advice


def armed() -> tuple[Model, list[Model]]:
    """A rifleman of the first side alone before the second side's models."""
    assert RULESET.starters is not None
    position = Game(RULESET, RULESET.starters()[0], "1").position
    shooter = next(m for m in position.models if m.side == 0 and m.name == "rifleman")
    shooter.move_to(12.0, 2.0)
    enemies = [m for m in position.models if m.side == 1]
    for k, enemy in enumerate(enemies):
        enemy.move_to(4.0 + 4.0 * k, 20.0)
    return shooter, enemies


def test_a_shot_counts_as_far_as_it_reaches_and_less_beyond_half() -> None:
    shooter, enemies = armed()
    reach = shooter.profile.range
    near, far, out = (advice.felled(shooter, enemies[0], away) for away in (reach / 2, reach, reach + 0.1))
    assert near > far > 0.0 == out


def test_fire_goes_at_whom_it_may_fell_and_nobody_out_of_reach() -> None:
    shooter, enemies = armed()
    question = Choose(0, "fire", [None], about={"shooter": shooter.row})
    position = shooter.position
    assert max(worth for _, worth in advice.advise(position, question, question.about)) == 0.0
    enemies[1].move_to(12.0, 6.0)
    found = advice.advise(position, question, question.about)
    assert max(found, key=lambda one: one[1])[0] == enemies[1].row
