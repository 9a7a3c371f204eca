"""What answers are worth in the eyes of a bot that plays nothing through. A judgement, and no rule."""

from __future__ import annotations

from campale.mechanics.judgement.advice import About, Advice, by_prompt
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.table.shapes import Point

from .fire import Shot, cannot_be_target, distance, to_hit
from .move import ways
from .orders import ADVANCE, HOLD
from .profile import wounds_left

FACES = (1, 2, 3, 4, 5, 6)
NEARER = 0.05
"""What an inch nearer to an enemy who is out of reach is worth, in models."""
CAUTION = 0.4
"""What losses to be suffered count for beside those to be dealt."""


def felled(shooter: Model, target: Model, far: float) -> float:
    """Which share of another model so far away the shots of a model are expected to take off."""
    shot = Shot(shooter, target, far)
    if cannot_be_target(shot) is not None:
        return 0.0
    chance = sum(to_hit(shot).are_met_by(FACES)) / len(FACES)
    shots = shooter.profile.shots
    if wounds_left(target) == 1:
        return float(1.0 - (1.0 - chance) ** shots)
    return float(shots * chance / wounds_left(target))


def standing_at(model: Model, at: Point) -> float:
    """What a model may take off one enemy from a place, less what the enemies may take off it there."""
    forth, back, nearest = 0.0, 0.0, 99.0
    for enemy in model.position.on_table(1 - model.side):
        gap = ((enemy.x - at[0]) ** 2 + (enemy.y - at[1]) ** 2) ** 0.5 - 2.0 * model.profile.radius
        forth = max(forth, felled(model, enemy, gap))
        back += felled(enemy, model, max(0.0, gap - enemy.profile.move))
        nearest = min(nearest, gap)
    return float(forth - CAUTION * min(1.0, back) - NEARER * max(0.0, nearest - model.profile.range))


def who_is_activated(position: Position, question: Question, about: About) -> Advice:
    """Whoever may do most from where it stands goes first."""
    models = [position.model(row) for row in question.options() or ()]
    return [(model.row, best_shot(model)) for model in models]


def best_shot(model: Model) -> float:
    enemies = model.position.on_table(1 - model.side)
    return max((felled(model, one, distance(model, one)) for one in enemies), default=0.0)


def where_to(position: Position, question: Question, about: About) -> Advice:
    model = position.model(int(about["model"]))
    return [(way, standing_at(model, way[0][-1] if way[0] else model.at)) for way in ways(model)]


def at_whom(position: Position, question: Question, about: About) -> Advice:
    """Whoever is nearest to falling by it."""
    shooter = position.model(int(about["shooter"]))
    enemies = position.on_table(1 - shooter.side)
    worths = [felled(shooter, one, distance(shooter, one)) for one in enemies]
    return [(None, 0.0), *((one.row, worth) for one, worth in zip(enemies, worths, strict=True))]


def which_order(position: Position, question: Question, about: About) -> Advice:
    """To hold, if somebody has a target already."""
    able = any(best_shot(model) > 0.0 for model in position.on_table(question.side))
    return [(HOLD if able else ADVANCE, 1.0)]


advise = by_prompt(
    {
        "order": which_order,
        "activate": who_is_activated,
        "move": where_to,
        "fire": at_whom,
    }
)
