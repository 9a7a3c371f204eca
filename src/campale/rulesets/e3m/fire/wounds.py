"""From a hit to a loss: wounding, the best save, wounds, instant death, removal."""

from __future__ import annotations

from collections.abc import Sequence

from campale.dice.needs import Need
from campale.referee.ask import roll
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.left_alone import stand_alone
from campale.rulesets.e3m.command.units import (
    LEADS,
    LEFT,
    NOT_COUNTED,
    UNIT_LEADER,
    WOUNDS,
    body,
    members,
    wounds_left,
)
from campale.rulesets.e3m.movement.sight import NONE, covers, save_against, sights

NEVER = Need(7, never=(1, 2, 3, 4, 5, 6))
TO_WOUND = {2: 2, 1: 3, 0: 4, -1: 5, -2: 6, -3: 6}
"""The need to wound, by Strength minus Toughness."""
SNIPER_WOUNDS = 4
IN_MELEE, TRAPPED, ON_ROUGH_GROUND = "melee", "trapped", "dangerous-terrain"
NOT_BY_FIRE = (IN_MELEE, TRAPPED, ON_ROUGH_GROUND)


@rule("base-shoot/to-wound")
def wound_need(strength: int, toughness: int) -> Need | None:
    """The need to wound; None if such a hit cannot wound."""
    over = min(2, strength - toughness)
    return Need(TO_WOUND[over]) if over in TO_WOUND else None


@rule("base-shoot/armour-save")
def armour_save(save: int | None, ap: int | None) -> int:
    """The armour save left by an AP, or NONE. An AP as low as the save, or lower, cancels it."""
    return NONE if save is None or (ap is not None and ap <= save) else save


@rule("base-shoot/best-save", "base-shoot/cover-save", "base-shoot/invulnerable")
def best_save(*saves: int | None) -> int:
    """The best of the available saves, or NONE."""
    return min((save for save in saves if save is not None), default=NONE)


@rule("terrain/in-cover", "base-shoot/cover-save")
def cover_of(firing: Sequence[Model], target: Model) -> int:
    """The target's cover save against the firing models that see it. Kept until something moves.

    Against all of them if none sees it, as when a marker has scattered over it.
    """
    kept = target.position.layout
    key = "cover", target.row, tuple(m.row for m in firing)
    if key not in kept:
        seen = sights(target.position, firing, [target])[:, 0].tolist() if firing else []
        saves = covers(target.position, firing, [target])[:, 0].tolist() if firing else []
        against = [save for save, is_seen in zip(saves, seen, strict=True) if is_seen or not any(seen)]
        kept[key] = save_against(against)
    found: int = kept[key]
    return found


def save_need(save: int) -> Need | None:
    return None if save >= NONE else Need(save)


def tell_no_save(position: Position, units: Sequence[int], count: int, **why: Plain) -> None:
    """Tell of wounds for which no die is rolled. ``ap``: the AP that cancels an armour save."""
    if count:
        position.write("no-save", units=list(dict.fromkeys(units)), count=count, **why)


@rule("base-shoot/armour-save")
async def saves_by_armour(model: Model) -> bool:
    """Whether a save by armour, or by the invulnerable save if better, succeeds."""
    need = save_need(best_save(model.profile.save, model.profile.invulnerable))
    if need is None:
        return False
    rolled = await roll(model.side, "save", needed=need, model=model.row)
    return rolled.successes > 0


@rule("base-shoot/instant-death", "base-profile/characteristics")
def kills_outright(strength: int, model: Model) -> bool:
    """Whether the Strength is at least twice the Toughness that the model has without its mount."""
    return bool(strength >= 2 * model.profile.bare_t)


@rule("base-shoot/wounds")
def suffer(model: Model, strength: int, cause: str, by: int = -1) -> int:
    """One unsaved wound, also of a shooter aboard. Returns how many wounds are lost; 0 for a model that is gone."""
    left = wounds_left(model)
    if left <= 0 or model.where not in LEFT:
        return 0
    taken = left if kills_outright(strength, model) else 1
    model.position.harm(model, taken, cause, (by,))
    model.mark(WOUNDS, model.marks(WOUNDS) + taken, quietly=taken == left)
    return taken


def kind_of(model: Model) -> tuple[Plain, ...]:
    """What distinguishes a model that takes one hit: unit, profile, wounds, and whether it leads."""
    return model.unit.row, model.profile.id, wounds_left(model), model.marks(LEADS), model.marks(UNIT_LEADER)


def is_dead(model: Model) -> bool:
    return wounds_left(model) < 1


@rule("fire/casualties-then-morale", "hierarchy/unit-leader", "hierarchy/leader-loss")
def lose_model(model: Model, cause: str, by: int = -1) -> None:
    """Remove a model. If it was the unit leader, another model becomes it."""
    unit = model.unit
    model.position.remove(model, cause, by)
    model.mark(LEADS, 0)
    leave_out_of_quarter(unit, cause)
    if not model.marks(UNIT_LEADER):
        return
    model.mark(UNIT_LEADER, 0)
    if body(unit):
        body(unit)[0].mark(UNIT_LEADER, 1)
    else:
        stand_alone(members(unit), unit)


@rule("assault/melee-losses-no-quarter-test", "orders/forced-halt")
def leave_out_of_quarter(unit: Unit, cause: str) -> None:
    """Losses in melee or to the ground do not count for the quarter-loss test, unless by option."""
    if cause in NOT_BY_FIRE and not unit.position.options.halt_any_losses:
        unit.mark(NOT_COUNTED, unit.marks(NOT_COUNTED) + 1)


def remove_the_dead(models: list[Model], cause: str, by: int = -1) -> list[Model]:
    """Remove the models without wounds left, and return them."""
    dead = [m for m in models if m.where in LEFT and is_dead(m)]
    for model in dead:
        lose_model(model, cause, by)
    return dead
