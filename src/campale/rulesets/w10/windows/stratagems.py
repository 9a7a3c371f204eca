"""The core Stratagems: their targets and effects (stratagems/*)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.ask import choose, roll
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.uses import whole_phase
from campale.rulesets.w10.attack.damage import mortal_wounds
from campale.rulesets.w10.attack.demise import harm_over
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.attached import is_attached
from campale.rulesets.w10.basics.sight import sees_unit
from campale.rulesets.w10.basics.units import (
    DECLARED,
    EPIC,
    FOUGHT,
    GROUNDED,
    NEXT,
    NO_BONUS,
    RAMMING,
    SHOCKED,
    SHOT,
    SMOKE,
    engaged_with,
    has,
    is_engaged,
    members,
    units_of,
    units_within,
)
from campale.rulesets.w10.charge.charging import charge_at, is_barred
from campale.rulesets.w10.movement.reserves import arrive, in_reserves, may_arrive
from campale.rulesets.w10.shooting.declaring import aimed, declare_at
from campale.rulesets.w10.shooting.eligible import can_shoot_out_of_phase, guns_of
from campale.rulesets.w10.shooting.targets import targets_of
from campale.rulesets.w10.windows.reroll import REROLL
from campale.rulesets.w10.windows.stratagem import About, Stratagem

OVERWATCH, INTERVENTION, THROW = 24.0, 6.0, 8.0
WATCHED = ("movement", "charge")
"""The phases of the other side in which units fire Overwatch."""
GRENADES, GRENADE_HITS = 6, 4


# ---------------------------------------------------------------- stratagems/insane-bravery


@rule("stratagems/insane-bravery")
def who_just_failed(position: Position, side: int, about: About) -> list[int]:
    """A unit of this side that has just failed its test in its own battle-shock step."""
    row = about["tested"]
    return [row] if position.unit_side[row] == side == int(position.now["side"]) else []


@rule("stratagems/insane-bravery")
async def be_brave(position: Position, side: int, target: int, about: About) -> None:
    """The unit passes its test after all."""
    Unit(position, target).mark(SHOCKED, 0)


# ---------------------------------------------------------------- stratagems/fire-overwatch


@rule("stratagems/fire-overwatch", "out-of-phase/definition", "out-of-phase/limits")
def who_may_overwatch(position: Position, side: int, about: About) -> list[int]:
    """In the other side's Movement or Charge phase, units within 24 inches of the mover that could shoot at it."""
    mover = Unit(position, about["mover"])
    if mover.side == side or side == int(position.now["side"]) or not members(mover):
        return []
    if whole_phase(position.now["phase"]) not in WATCHED:
        return []
    near = units_within(mover, OVERWATCH, side)
    able = [unit for unit in near if can_shoot_out_of_phase(unit)]
    return [unit.row for unit in able if targets_of(position, side, guns_of(unit), [mover])]


@rule("stratagems/fire-overwatch", "c/critical-hit-overwatch", "out-of-phase/definition")
async def overwatch(position: Position, side: int, target: int, about: About) -> None:
    """The unit shoots at the mover; only unmodified sixes hit."""
    unit, mover = Unit(position, target), Unit(position, about["mover"])
    declared = await declare_at(unit, mover.row)
    position.write("shoots", unit=unit.row, targets=[mover.row])
    await resolve(unit, await aimed(unit, [(gun, mover.row) for gun in declared], snap=True))


# ---------------------------------------------------------------- stratagems/rapid-ingress


@rule("stratagems/rapid-ingress")
def who_may_ingress(position: Position, side: int, about: About) -> list[int]:
    """At the end of the other side's Movement phase, units in Reserves that may arrive in this round."""
    if side == int(position.now["side"]):
        return []
    return [unit.row for unit in in_reserves(position, side) if may_arrive(unit)]


@rule("stratagems/rapid-ingress", "out-of-phase/definition")
async def ingress(position: Position, side: int, target: int, about: About) -> None:
    await arrive(Unit(position, target))


# ---------------------------------------------------------------- go to ground, smokescreen


def targeted(position: Position, side: int, about: About, keyword: str, mark: str) -> list[int]:
    """A unit of this side just chosen as a target in the other side's Shooting phase."""
    row = about["targeted"]
    unit = Unit(position, row)
    is_own = position.unit_side[row] == side != int(position.now["side"])
    return [row] if is_own and has(unit, keyword) and not unit.marks(mark) else []


@rule("stratagems/go-to-ground")
def who_may_hide(position: Position, side: int, about: About) -> list[int]:
    return targeted(position, side, about, "infantry", GROUNDED)


@rule("stratagems/go-to-ground", "b/cover-without-terrain")
async def go_to_ground(position: Position, side: int, target: int, about: About) -> None:
    """Give cover and an invulnerable save of 6+ until the phase ends."""
    Unit(position, target).mark(GROUNDED, 1)


@rule("stratagems/smokescreen")
def who_may_smoke(position: Position, side: int, about: About) -> list[int]:
    return targeted(position, side, about, "smoke", SMOKE)


@rule("stratagems/smokescreen", "b/cover-without-terrain")
async def smoke(position: Position, side: int, target: int, about: About) -> None:
    """Give cover and Stealth until the phase ends."""
    Unit(position, target).mark(SMOKE, 1)


# ---------------------------------------------------------------- stratagems/grenade


@rule("stratagems/grenade")
def who_may_throw(position: Position, side: int, about: About) -> list[int]:
    """GRENADES units that are not engaged, have not shot, and have a target."""
    units = [one for one in units_of(position, side) if has(one, "grenades") and not one.marks(SHOT)]
    return [one.row for one in units if not is_engaged(one) and thrown_at(one)]


@rule("stratagems/grenade")
def thrown_at(unit: Unit) -> list[int]:
    """Visible enemy units within 8 inches that are not engaged."""
    near = units_within(unit, THROW, 1 - unit.side)
    return [one.row for one in near if not is_engaged(one) and sees_unit(unit, one)]


@rule("stratagems/grenade")
async def throw(position: Position, side: int, target: int, about: About) -> None:
    """Roll six dice; each 4 or more is a mortal wound."""
    unit = Unit(position, target)
    row = await choose(side, "grenade-at", thrown_at(unit), of="unit", unit=target)
    hits = (await roll(side, "grenade", GRENADES, needed=Need(GRENADE_HITS), unit=target)).successes
    await mortal_wounds(Unit(position, int(row)), hits, members(unit)[0].row, "grenade")
    await harm_over(position)


# ---------------------------------------------------------------- stratagems/tank-shock


@rule("stratagems/tank-shock")
def who_may_ram(position: Position, side: int, about: About) -> list[int]:
    """VEHICLE units that may still charge in this phase."""
    vehicles = (unit for unit in units_of(position, side) if has(unit, "vehicle"))
    return [unit.row for unit in vehicles if not unit.marks(DECLARED) and not is_barred(unit)]


@rule("stratagems/tank-shock")
async def prepare_to_ram(position: Position, side: int, target: int, about: About) -> None:
    """Mark the unit as ramming until the end of the phase."""
    Unit(position, target).mark(RAMMING, 1)


# ---------------------------------------------------------------- stratagems/heroic-intervention


@rule("stratagems/heroic-intervention")
def who_may_intervene(position: Position, side: int, about: About) -> list[int]:
    """In the other side's Charge phase, units within 6 inches of the charger that may charge.

    Of VEHICLES only WALKERS may.
    """
    charger = Unit(position, about["charger"])
    if charger.side == side or side == int(position.now["side"]) or not members(charger):
        return []
    near = units_within(charger, INTERVENTION, side)
    return [one.row for one in near if not is_barred(one) and (not has(one, "vehicle") or has(one, "walker"))]


@rule("stratagems/heroic-intervention", "out-of-phase/definition")
async def intervene(position: Position, side: int, target: int, about: About) -> None:
    """The unit charges that enemy alone, without the charge bonus."""
    unit = Unit(position, target)
    unit.mark(NO_BONUS, 1)
    await charge_at(unit, (about["charger"],))


# ---------------------------------------------------------------- counter-offensive, epic challenge


@rule("stratagems/counter-offensive", "n/not-selected")
def who_may_counter(position: Position, side: int, about: About) -> list[int]:
    """After an enemy has fought, engaged units that have not been selected in this phase."""
    if position.unit_side[about["fought"]] == side:
        return []
    units = units_of(position, side)
    return [unit.row for unit in units if is_engaged(unit) and not unit.marks(FOUGHT)]


@rule("stratagems/counter-offensive")
async def counter(position: Position, side: int, target: int, about: About) -> None:
    """The unit fights next."""
    Unit(position, target).mark(NEXT, 1)


@rule("stratagems/epic-challenge")
def who_may_challenge(position: Position, side: int, about: About) -> list[int]:
    """The unit just selected to fight, if it has a CHARACTER and is engaged with an attached unit."""
    unit = Unit(position, about["fighting"])
    if unit.side != side or not has(unit, "character"):
        return []
    return [unit.row] if any(is_attached(one) for one in engaged_with(unit)) else []


@rule("stratagems/epic-challenge")
async def challenge(position: Position, side: int, target: int, about: About) -> None:
    """Give the melee attacks of one of its CHARACTER models PRECISION until the phase ends."""
    models = [m for m in members(Unit(position, target)) if m.profile.has("character")]
    row = await choose(side, "challenger", [m.row for m in models], of="model", unit=target)
    position.model(int(row)).mark(EPIC, 1)


CORE: tuple[Stratagem, ...] = (
    REROLL,
    Stratagem("counter-offensive", ("strategic-ploy",), 2, "has-fought", who_may_counter, counter),
    Stratagem("epic-challenge", ("epic-deed",), 1, "chosen-to-fight", who_may_challenge, challenge),
    Stratagem("insane-bravery", ("epic-deed",), 1, "test-failed", who_just_failed, be_brave, shocked=True),
    Stratagem("grenade", ("wargear",), 1, "shooting-menu", who_may_throw, throw),
    Stratagem("tank-shock", ("strategic-ploy",), 1, "charge-menu", who_may_ram, prepare_to_ram),
    Stratagem("rapid-ingress", ("strategic-ploy",), 1, "movement-ends", who_may_ingress, ingress),
    Stratagem("fire-overwatch", ("strategic-ploy",), 1, "enemy-moves", who_may_overwatch, overwatch, once_a_turn=True),
    Stratagem("go-to-ground", ("battle-tactic",), 1, "targets-chosen", who_may_hide, go_to_ground),
    Stratagem("smokescreen", ("wargear",), 1, "targets-chosen", who_may_smoke, smoke),
    Stratagem("heroic-intervention", ("strategic-ploy",), 2, "charge-ends", who_may_intervene, intervene),
)
"""The Stratagems available to every player."""
