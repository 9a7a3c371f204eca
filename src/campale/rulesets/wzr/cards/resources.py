"""Resource cards: ready or burned, and the uses of burning them (cards/resource-cards, cards/burn-*)."""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.options import Options

SIDES = (0, 1)


@rule("cards/resource-cards", "setup/resources")
def ready(position: Position, side: int) -> int:
    """How many of a side's Resource cards lie face up."""
    return position.holds(side, marks.RESOURCES) - position.holds(side, marks.BURNED)


@rule("cards/resource-cards", "cards/burn-uses")
def burn(position: Position, side: int, count: int, why: str) -> None:
    """Burn Resource cards; ``why`` names the purpose. Raises ValueError if too few are ready."""
    if count > ready(position, side):
        raise ValueError(f"side {side} cannot burn {count} Resource cards for {why!r}")
    position.gain(side, marks.BURNED, count)
    position.write("burned", side=side, count=count, purpose=why)


@rule("setup/resources")
def turn_up(position: Position) -> None:
    """Turn all burned cards face up again, unless the players agreed otherwise."""
    options: Options = position.ruleset.options
    if not options.resources_once:
        for side in SIDES:
            position.gain(side, marks.BURNED, -position.holds(side, marks.BURNED))


# ---------------------------------------------------------------- cards/burn-third-ap


@rule("cards/burn-third-ap", "core/fumble")
def cannot_have_third_ap(model: Model) -> Fault | None:
    """One model of a side may gain a third AP in a turn, no vehicle, and none after a fumble."""
    if model.profile.is_vehicle or model.marks(marks.NO_MORE_AP):
        return Fault(model=model.row)
    position = model.position
    used = any(m.marks(marks.THIRD_AP) for m in position.models if m.side == model.side)
    return Fault(model=model.row) if used else lacks(position, model.side)


@rule("cards/burn-third-ap")
def gain_third_ap(model: Model) -> None:
    burn(model.position, model.side, 1, "third-ap")
    model.mark(marks.THIRD_AP, 1)
    model.add(marks.AP, 1)


# ---------------------------------------------------------------- cards/burn-rof, cards/burn-ability


@rule("cards/burn-rof")
def cannot_add_attack(
    model: Model, in_melee: bool = False, with_grenade: bool = False, is_special: bool = False
) -> Fault | None:
    """A model adds one attack in a turn; never in a Special Action, nor in melee with a grenade or heavy weapon."""
    heavy = model.profile.bears_heavy
    if is_special or model.marks(marks.RATE_BURNED) or (in_melee and (heavy or with_grenade)):
        return Fault(model=model.row)
    return lacks(model.position, model.side)


@rule("cards/burn-rof")
def add_attack(model: Model, in_melee: bool = False) -> int:
    """Burn a Resource before any die is rolled; return how much the attack's RoF or RoA rises."""
    burn(model.position, model.side, 1, "roa" if in_melee else "rof")
    model.mark(marks.RATE_BURNED, 1)
    return 1


@rule("cards/burn-ability")
def cannot_activate(model: Model, price: int) -> Fault | None:
    """Refuses a side that cannot pay the price of a squad's ability or weapon."""
    return lacks(model.position, model.side, price)


@rule("cards/burn-ability")
def activate(model: Model, price: int, why: str = "ability") -> None:
    burn(model.position, model.side, price, why)


@rule("cards/burn-cost")
def lacks(position: Position, side: int, price: int = 1) -> Fault | None:
    """Refuses a side with fewer ready Resources than the price."""
    found = ready(position, side)
    return Fault(None, found, price) if found < price else None
