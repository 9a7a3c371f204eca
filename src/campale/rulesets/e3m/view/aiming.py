"""What an answer would lay on the table: a fire area with firers, targets and dice, or a marker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campale.referee.looks import Laid
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.fire.area import Area, Arm, arm_of, base_of, hit_in, into
from campale.rulesets.e3m.fire.kinds import KINDS, Kind, reduced, shots_of
from campale.rulesets.e3m.fire.markers import FLAME, pose_towards
from campale.table.measure import gap_to_point
from campale.table.templates import Blast, Pose, outline_at, under

MOST_WIDE = 200.0
Told = tuple[str, dict[str, Plain]]


def laid(position: Position, question: Question, answer: Plain) -> Laid | None:
    about: Any = question.about
    if question.prompt == "fire-area" and isinstance(answer, list | tuple) and len(answer) == 3:
        x, y, diameter = (float(one) for one in answer)
        kind = KINDS[about["fire"]]
        arms = [arm_of(position.model(row), mount, number, kind) for row, mount, number in about["arms"]]
        return fire_area(position, arms, kind, (x, y, min(max(diameter, 0.0), MOST_WIDE)))
    if question.prompt == "marker-on" and isinstance(answer, int) and "radius" in about:
        return marker(position, about["radius"], position.model(answer).at)
    if question.prompt == "template" and isinstance(answer, list | tuple) and len(answer) == 3:
        return template(position.model(about["model"]), float(answer[2]))
    return None


# ---------------------------------------------------------------- the fire area


@rule("fire/eligible-shooters", "fire/area-diameter", "fire/area-hittable")
def fire_area(position: Position, arms: Sequence[Arm], kind: Kind, area: Area) -> Laid:
    """The firers in and out of reach of the area, the models that it may hit, and the number of dice."""
    x, y, diameter = area
    firing = into(position, arms, (x, y))
    by = tuple(arm.model.row for arm in firing)
    idle = tuple(arm.model.row for arm in arms if arm.model.row not in by)
    hit = hit_in(position, firing, area)
    told: list[Told] = [("fires", {"count": len(by), "of": len(arms)}), *dice(firing, kind, (x, y))]
    units: list[Plain] = list(dict.fromkeys(m.unit.row for m in hit))
    told.append(("hit", {"count": len(hit), "units": units}) if hit else ("nobody", {}))
    return Laid((x, y), diameter / 2.0, (), tuple(m.row for m in hit), by, idle, float(len(by)), tuple(told))


@rule("fire/full-strength", "fire/reduced-strength", "base-weapons/rapid-fire")
def dice(firing: Sequence[Arm], kind: Kind, centre: tuple[float, float]) -> list[Told]:
    """The number of dice to hit, at full strength and halved. Weapons with a rolled number are reported separately."""
    full = count = 0
    is_rolled = False
    for key in dict.fromkeys(arm.key for arm in firing):
        alike = [arm for arm in firing if arm.key == key]
        if alike[0].line.die:
            is_rolled = True
            continue
        shots = sum(shots_of(arm.model, arm.line, gap_to_point(base_of(arm.model), *centre), kind) for arm in alike)
        full += shots
        count += reduced(shots, kind, alike[0].model.position.options)
    halved: Told = ("dice-reduced", {"full": full, "count": count}) if full != count else ("dice", {"count": count})
    return [halved, *([("dice-rolled", {})] if is_rolled else [])]


# ---------------------------------------------------------------- markers and templates


@rule("base-weapons/blast", "base-weapons/blast-cover", "base-weapons/ordnance")
def marker(position: Position, radius: float, at: tuple[float, float]) -> Laid:
    """What a marker touches where it is aimed. An ordnance marker may scatter afterwards."""
    models = position.on_table()
    touched = under(Blast(radius), Pose(*at), [m.solid for m in models], "partly")
    return Laid(at, radius, (), tuple(models[k].row for k in touched))


@rule("base-weapons/template")
def template(shooter: Model, facing: float) -> Laid:
    pose = pose_towards(shooter, facing)
    models = [m for m in shooter.position.on_table() if m not in members(shooter.unit)]
    touched = under(FLAME, pose, [m.solid for m in models], "partly")
    return Laid((pose.x, pose.y), 0.0, tuple(outline_at(FLAME, pose)), tuple(models[k].row for k in touched))


def landed(kind: str, values: Mapping[str, Any]) -> Laid | None:
    """A marker or template where it landed, with the models it touched."""
    if kind != "marker":
        return None
    x, y, radius, touched = values["x"], values["y"], values["radius"], tuple(values["under"])
    outline = () if radius else tuple(outline_at(FLAME, Pose(x, y, values["facing"])))
    return Laid((x, y), radius, outline, touched)
