"""What the removal of models sets off, after all hits of the attack (core/removal).

``resolve_hit`` notes which model fell to which hit. The consequences are rows of the tables here: ``SETS_OFF`` has the
frames of weapons that have an effect when they eliminate a model, ``PINS`` the pinning tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from campale.mechanics.frames import Frame, drop, push, stack
from campale.referee.ask import choose, order
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, causes, has
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import d20, needed
from campale.rulesets.wzr.basics.measuring import gap, within
from campale.rulesets.wzr.squads.leadership import passes_alone
from campale.rulesets.wzr.squads.squads import members, side_to_begin
from campale.rulesets.wzr.structures.damage import COLLAPSE, collapses_due
from campale.rulesets.wzr.vehicles.damage import EXPLOSION, become_wreck, explosions_due
from campale.rulesets.wzr.wounds.hits import REMOVALS, Hit, hit_of, plain

SUBSTITUTE, BERSERK, TAKE_WEAPON, PINNING_AT_ONCE = "substitute", "berserk", "take-weapon", "pinning-at-once"
TAKING, TAKES_ON, LEAVE_IT = 3.0, 10, "leave-it"
WHICH_FIRST = "which-first"
HEAVY_OR_SPECIAL = ("heavy", "special")

SETS_OFF: dict[str, str] = {"ichor": "ichor"}
"""For a special rule of a weapon, the kind of its frame: (kind, row of the fallen, row of the attacker)."""

PINS: dict[str, tuple[int, str]] = {
    "nauseating": (-3, "armoury/transfuser-nauseating"),
    "brutal-attack": (-4, "close-combat/brutal-attack"),
    "crush": (-4, "close-combat/crush"),
}
"""For a special rule, the modifier and rule of the immediate pinning test of the squad that lost a model."""


class Fallen(NamedTuple):
    """A model removed by a hit."""

    model: Model
    hit: Hit

    @property
    def by(self) -> Model | None:
        """The enemy who struck it, or None."""
        if self.hit.by < 0:
            return None
        striker = self.model.position.model(self.hit.by)
        return striker if striker.side != self.model.side else None


@rule("core/wound-effect", "core/removal")
def lose_model(model: Model, hit: Hit) -> None:
    """Remove the model at once. The consequences wait."""
    model.position.remove(model, hit.cause, hit.by)
    note_fallen(model, hit)


@rule("core/removal", "morale/pinning-trigger", "morale/rout-trigger", "core/friendly-fire")
def note_fallen(model: Model, hit: Hit) -> None:
    """Note that a model has fallen to a hit. Losses to the enemy count for its squad's tests.

    Losses to an explosion or a collapse count as losses to the side whose attack caused it.
    """
    position = model.position
    if model.is_on_table:
        return
    position.declare(marks.FALLEN, (*position.declared.get(marks.FALLEN, ()), (model.row, plain(hit))))
    if Fallen(model, hit).by is not None or hit.side == 1 - model.side:
        lost, by_shots = losses_of(model.unit)
        model.unit.jot(marks.LOST, (lost + 1, by_shots + int(hit.ranged)))


def losses_of(unit: Unit) -> tuple[int, int]:
    """The squad's losses to the enemy in the current activation: in all, and to ranged attacks."""
    found: tuple[int, int] = unit.note(marks.LOST, (0, 0))
    return found


@rule("vehicles/location-engine", "core/removal")
async def wreck(position: Position, row: int) -> None:
    """Turn the vehicle into a wreck after its explosion. It has fallen to the hit on its Engine."""
    model = position.model(row)
    if model.is_on_table:
        hit = hit_of(model.note(marks.BLOWN_UP, plain(Hit(cause=EXPLOSION))))
        become_wreck(position, model, Hit(cause=EXPLOSION))
        note_fallen(model, hit)
        push(position, (REMOVALS,))


# ---------------------------------------------------------------- the frame


@rule("core/removal")
async def removals(position: Position) -> None:
    """Push, in order: Substitutes, explosions, collapses, weapon effects, weapons taken, berserk and pinning tests."""
    fallen = [Fallen(position.model(int(row)), hit_of(hit)) for row, hit in position.declared.get(marks.FALLEN, ())]
    position.declare(marks.FALLEN, None)
    gather_causes(position, fallen)
    later = any(frame[0] == PINNING_AT_ONCE for frame in stack(position))
    push(
        position,
        *substitutes_of([one.model for one in fallen]),
        *in_order(explosions_due(position)),
        *in_order(collapses_due(position)),
        *(frame for one in fallen for frame in set_off_by(one)),
        *((TAKE_WEAPON, one.model.row) for one in fallen if leaves_a_weapon(one.model)),
        *berserkers_due(fallen),
        *(() if later else ((PINNING_AT_ONCE,),)),
    )


def in_order(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The frames of explosions, or of collapses, set off together; of several, the order is asked first."""
    return ((WHICH_FIRST, len(frames)), *frames) if len(frames) > 1 else frames


@rule("core/simultaneous", "core/removal")
async def which_first(position: Position, count: int) -> None:
    """The side whose squad is active orders the explosions or collapses next on the stack."""
    due = stack(position)[-count:]
    kind = str(due[0][0])
    names = [frame[1] for frame in reversed(due)]
    ordered = await order(side_to_begin(position), f"{kind}-order", names, of="piece" if kind == COLLAPSE else "model")
    drop(position, lambda frame: frame in due)
    push(position, *((kind, name) for name in ordered))


def set_off_by(one: Fallen) -> Iterator[Frame]:
    return ((SETS_OFF[name], one.model.row, one.hit.by) for name in one.hit.rules if name in SETS_OFF)


# ---------------------------------------------------------------- squads/substitute


@rule("squads/substitute")
def substitutes_of(removed: Sequence[Model]) -> list[Frame]:
    """A frame for each squad that has lost its Commander or Substitute."""
    led = dict.fromkeys(model.unit.row for model in removed if is_marked(model))
    return [(SUBSTITUTE, row) for row in led]


def is_marked(model: Model) -> bool:
    return bool(model.marks(marks.COMMANDER) or model.marks(marks.SUBSTITUTE))


@rule("squads/substitute", "abilities/specialist-attached")
async def substitute(position: Position, row: int) -> None:
    """The player names a Substitute. A Specialist who joined the squad qualifies only if no other model is left."""
    unit = Unit(position, row)
    able = [m.row for m in members(unit) if not m.marks(marks.SPECIALIST)] or [m.row for m in members(unit)]
    if able and not any(is_marked(m) for m in members(unit)):
        named = await choose(unit.side, "substitute", able, of="model", unit=row)
        position.model(int(named)).mark(marks.SUBSTITUTE, 1)


# ---------------------------------------------------------------- abilities/take-weapon


@rule("abilities/take-weapon")
def leaves_a_weapon(model: Model) -> bool:
    return any(one.kind in HEAVY_OR_SPECIAL for one in model.profile.weapons)


@rule("abilities/take-weapon")
def takers(fallen: Model) -> list[int]:
    """Squad-mates within 3 inches of the fallen, except Commanders, Warlords, Lords and Specialists who joined."""
    return [m.row for m in members(fallen.unit) if may_take(m) and within(gap(m, fallen), TAKING)]


@rule("abilities/take-weapon", "abilities/specialist-attached")
def may_take(model: Model) -> bool:
    profile = model.profile
    barred = model.marks(marks.COMMANDER) or model.marks(marks.SPECIALIST) or profile.is_lord
    return not (barred or profile.is_vehicle)


@rule("abilities/take-weapon")
async def take_weapon(position: Position, row: int) -> None:
    """One squad-mate may try once to take the weapon, without AP. He keeps his own weapons."""
    fallen = position.model(row)
    able = takers(fallen)
    if not able:
        return
    taker = await choose(fallen.side, "take-weapon", [*able, LEAVE_IT], of="model", model=row)
    if taker == LEAVE_IT:
        return
    model = position.model(int(taker))
    rolled = await d20(model.side, "take-weapon", needed(TAKES_ON), model=model.row)
    if rolled.successes:
        left = tuple(one for one in fallen.profile.weapons if one.kind in HEAVY_OR_SPECIAL)
        position.become(model, msgspec.structs.replace(model.profile, weapons=(*model.profile.weapons, *left)))


# ---------------------------------------------------------------- abilities/berserk-trigger


@rule("abilities/berserk-trigger")
def berserkers_due(fallen: list[Fallen]) -> list[Frame]:
    """The berserk tests of models that have eliminated their first enemy of the game."""
    strikers = {one.by.row: one.by for one in fallen if one.by is not None}
    able = (m for m in strikers.values() if has(m, "berserk") and not m.marks(marks.BERSERK_TESTED))
    return [(BERSERK, m.row) for m in able]


@rule("abilities/berserk-trigger")
async def berserk(position: Position, row: int) -> None:
    """One LD test per game. A model that fails goes berserk."""
    model = position.model(row)
    if not model.is_on_table or model.marks(marks.BERSERK_TESTED):
        return
    model.mark(marks.BERSERK_TESTED, 1, quietly=True)
    if not await passes_alone(model, "berserk"):
        model.mark(marks.BERSERK, 1)


# ---------------------------------------------------------------- causes of pinning


@rule("abilities/brutal", "armoury/transfuser-nauseating", "close-combat/brutal-attack", "close-combat/crush")
def gather_causes(position: Position, fallen: list[Fallen]) -> None:
    """Gather the causes of immediate pinning tests by squad. Losses to the own side are never a cause."""
    found = [
        (one.model.unit.row, *cause) for one in fallen if one.by is not None for cause in pinning_causes(one, one.by)
    ]
    before = position.declared.get(marks.PINNING, ())
    if found:
        position.declare(marks.PINNING, (*before, *found))


def pinning_causes(one: Fallen, striker: Model) -> Iterator[tuple[int, str]]:
    """The modifier and rule of each pinning test that follows from a fall."""
    yield from (PINS[name] for name in one.hit.rules if name in PINS)
    about = About(striker, attacker=striker, target=one.model)
    yield from ((0, by) for test, by in causes("eliminates", about) if test == "pinning")
