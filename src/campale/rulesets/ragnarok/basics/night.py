"""Spotting at night: needed to shoot, to charge, or to use an ability that needs sight."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import two_d6
from campale.rulesets.ragnarok.basics.measuring import distance, distance_to_point, within
from campale.table.shapes import Point


def is_night(model: Model) -> bool:
    return bool(model.position.now.get("night"))


@rule("opt-night/spotting")
async def spots(model: Model, target: Model) -> bool:
    """Return whether a model is within 2D6 + SN x 10 cm, rolled when the action is carried out; always so by day."""
    return not is_night(model) or within(distance(model, target), await spotting_distance(model))


@rule("opt-night/spotting")
async def spots_point(model: Model, point: Point) -> bool:
    return not is_night(model) or within(distance_to_point(model, point), await spotting_distance(model))


@rule("opt-night/spotting")
async def spotting_distance(model: Model) -> int:
    lantern = 10 if model.profile.carries("lantern") else 0
    dice = await two_d6(model.position, model.side, "spotting", model=model.row)
    return int(dice + model.profile.senses * 10 + lantern)
