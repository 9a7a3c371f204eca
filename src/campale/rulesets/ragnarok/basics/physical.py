"""Wounds, out of action, lethal hits and fatigue."""

from __future__ import annotations

from campale.dice.needs import Part
from campale.referee.position import TABLE, Model
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.profile import lying_height
from campale.rulesets.ragnarok.basics.special import spares_fatigue

WOUND, LETHAL = "wound", "lethal"


def is_able(model: Model) -> bool:
    """Return whether a model is on the table and not out of action."""
    return model.position.where[model.row] == TABLE and not is_out_of_action(model)


def is_prone(model: Model) -> bool:
    return model.marks("prone") > 0


@rule("profile/base-and-height")
def height(model: Model) -> float:
    """Return a model's current height in cm."""
    return lying_height() if is_prone(model) or is_out_of_action(model) else model.profile.height


# ---------------------------------------------------------------- wounds/*, out-of-action/*


@rule("wounds/out-of-action", "out-of-action/state")
def is_out_of_action(model: Model) -> bool:
    position, row = model.position, model.row
    return bool(position.of_models.get(row, "wounds") >= position.profiles[row].wounds)


@rule("wounds/one-at-a-time")
def suffer(model: Model, wounds: tuple[str, ...], by: int, cause: str) -> None:
    """Apply unsaved hits, one after the other; ``wounds`` are wounds and lethal hits in the order of the dice."""
    for wound in wounds:
        if not model.is_on_table:
            break
        if wound == LETHAL:
            lethal_hit(model, by)
        else:
            take_wound(model, by, cause)


def take_wound(model: Model, by: int, cause: str) -> None:
    model.mark("wounded", 1, quietly=True)
    if is_out_of_action(model):
        remove_fallen(model, by, cause)
        return
    model.add("wounds", 1)
    model.position.harm(model, 1, cause, (by,))
    if is_out_of_action(model):
        lay_down(model)


@rule("wounds/out-of-action", "out-of-action/recovery")
def lay_down(model: Model) -> None:
    """Put a model out of action; it is no longer hidden or on alert."""
    model.mark("hidden", 0)
    model.mark("alert", 0)
    model.position.write("out-of-action", model=model.row)


@rule("out-of-action/further-wound")
def remove_fallen(model: Model, by: int, cause: str) -> None:
    model.position.remove(model, cause, by)


@rule("out-of-action/recovery")
def heal(model: Model) -> None:
    """Remove one wound marker; a model that was out of action stands up at once."""
    was_down = is_out_of_action(model)
    model.add("wounds", -1)
    if was_down and not is_out_of_action(model):
        model.mark("prone", 0)
        model.position.write("back-in-the-fight", model=model.row)


# ---------------------------------------------------------------- lethal/*


@rule("lethal/condition")
def is_lethal(to_hit: int, armour: int) -> bool:
    """Return whether a hit is lethal, by its natural faces to hit and to save."""
    return to_hit == 6 and armour == 1


@rule("lethal/condition")
def lethal_hit(model: Model, by: int) -> None:
    model.mark("wounded", 1, quietly=True)
    model.position.remove(model, LETHAL, by)


# ---------------------------------------------------------------- fatigue/*


@rule("fatigue/same-kind")
def times_used(model: Model, kind: str) -> int:
    """Return how often the model has declared this action or reaction in this turn."""
    return model.marks(f"used-{kind}")


@rule("fatigue/gain")
def tire(model: Model, kind: str) -> None:
    """Count a completed use; from the second in a turn on, it leaves a fatigue marker."""
    model.add(f"used-{kind}", 1, quietly=True)
    if times_used(model, kind) > 1 and not spares_fatigue(model, kind) and model.is_on_table:
        model.add("fatigue", 1)


@rule("fatigue/effects")
def fatigue_to_hit(model: Model) -> Part:
    return Part("fatigue/effects", -model.marks("fatigue"))


@rule("fatigue/limit")
def is_exhausted(model: Model) -> bool:
    return bool(model.marks("fatigue") >= model.profile.constitution)
