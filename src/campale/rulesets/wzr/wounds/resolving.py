"""Resolving hits one after another (armour/resolve-order, core/wound-effect, core/critical, core/removal)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.dice.stages import AnyStage, Fold, State
from campale.mechanics.frames import Frame, push
from campale.referee.ask import order
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import causes, is_healed_by
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.structures.damage import damage_piece
from campale.rulesets.wzr.vehicles.damage import EXPLODING, suffer_damage
from campale.rulesets.wzr.vehicles.locations import DRIVE, ENGINE, PILOT, PS_LOST, WEAPONS
from campale.rulesets.wzr.wounds.armour import about, heals, resists
from campale.rulesets.wzr.wounds.handing import handed_over, receivers
from campale.rulesets.wzr.wounds.hits import Hit, hit_of, plain
from campale.rulesets.wzr.wounds.removals import lose_model, note_fallen

EACH_HIT = "each-hit"
COUNTED = (marks.WOUNDS, marks.BERSERK, EXPLODING, *(PS_LOST + name for name in (PILOT, WEAPONS, DRIVE, ENGINE)))
"""The marks of a model that hits may change."""


@rule("core/wound-effect")
def wounds_left(model: Model) -> int:
    return int(model.profile.w) - model.marks(marks.WOUNDS)


@rule("armour/resolve-order", "core/removal", "core/damage-effect")
async def resolve_hit(position: Position, so_far: None, hit: Hit) -> None:
    """Resolve one hit on a model or a piece. A model that is gone is not hit again."""
    if hit.piece:
        await damage_piece(position, hit)
        return
    model = position.model(hit.target)
    if not model.is_on_table:
        return
    if model.profile.is_vehicle:
        await suffer_damage(position, hit)
        note_fallen(model, hit)
        return
    hit = await handed_over(model, hit)
    await suffer_wounds(position.model(hit.target), hit)


@rule("core/wound-effect", "core/critical", "armour/resolve-order")
async def suffer_wounds(model: Model, hit: Hit) -> None:
    """An Armour test; if it fails, a Heal roll for each wound. At 0 W the model is removed."""
    note_causes(model, hit)
    if await resists(model, hit):
        return
    for _ in range(hit.costs):
        if not await heals(model, hit):
            lose_wound(model, hit)
        if not wounds_left(model):
            lose_model(model, hit)
            return


@rule("starter-cards/suppressing-fire")
def note_causes(model: Model, hit: Hit) -> None:
    """Note the pinning tests that a Wound Effect causes for the end of the attacking squad's activation."""
    position, seen = model.position, about(model, hit)
    if seen.attacker is None or seen.attacker.side == model.side:
        return
    due = causes("wounds", seen._replace(model=seen.attacker, target=model))
    found = tuple((model.unit.row, 0, by) for test, by in due if test == "pinning")
    if found:
        position.declare(marks.PINNING_LATER, (*position.declared.get(marks.PINNING_LATER, ()), *found))


@rule("core/wound-effect", "abilities/berserk-modifiers")
def lose_wound(model: Model, hit: Hit) -> None:
    """The model loses one W; a berserk model stops being berserk. The last W is told as the loss of the model."""
    is_last = wounds_left(model) == 1
    model.position.harm(model, 1, hit.cause, (hit.by,))
    model.mark(marks.WOUNDS, model.marks(marks.WOUNDS) + 1, quietly=is_last)
    model.mark(marks.BERSERK, 0, quietly=is_last)


# ---------------------------------------------------------------- as frames


@rule("shooting/sequence", "core/simultaneous")
async def hits(position: Position, *values: Frame) -> None:
    """Order the hits of an attack: first on the primary target, then as the defender chooses."""
    found = [hit_of(one) for one in values]
    if not found:
        return
    primary = [one for one in found if one.primary]
    others = [one for one in found if not one.primary]
    rows = sorted({one.target for one in others if not one.piece})
    struck = [m for m in map(position.model, rows) if m.is_on_table]
    for side in sorted({m.side for m in struck if order_matters(position, m, struck, others)}):
        ordered = await order(side, "hit-order", [m.row for m in struck if m.side == side])
        others.sort(key=lambda one: ordered.index(one.target) if one.target in ordered else -1)
    push(position, (EACH_HIT, *(plain(one) for one in (*primary, *others))))


@rule("abilities/shielded", "abilities/human-shield", "abilities/medic")
def order_matters(position: Position, model: Model, struck: Sequence[Model], others: Sequence[Hit]) -> bool:
    """Whether it can matter when a model is hit: its hits may be handed over, or it heals others who are hit."""
    is_covered = any(receivers(model, hit) for hit in others if hit.target == model.row)
    return is_covered or any(is_healed_by(one, model) for one in struck)


@rule("armour/resolve-order", "core/removal")
async def each_hit(position: Position, *values: Frame) -> None:
    """Resolve the first of the hits left."""
    first, rest = hit_of(values[0]), values[1:]
    if rest:
        push(position, (EACH_HIT, *rest))
    await resolve_hit(position, None, first)


# ---------------------------------------------------------------- as stages

Harm = tuple[tuple[tuple[int, tuple[int, ...]], ...], tuple[int, ...], Frame]


def harm_of(position: Position) -> Harm:
    """The state that the next hit depends on: models and their marks, burned cards, the fallen."""
    there = tuple((m.row, tuple(m.marks(name) for name in COUNTED)) for m in position.on_table())
    cards = tuple(position.holds(side, marks.BURNED) for side in (0, 1))
    return there, cards, tuple(position.declared.get(marks.FALLEN, ()))


def take_harm(position: Position, harm: Harm) -> None:
    """Put such a state into a copy."""
    there, cards, fallen = harm
    left = dict(there)
    for model in position.on_table():
        if model.row not in left:
            position.remove(model, "shooting")
            continue
        for name, value in zip(COUNTED, left[model.row], strict=True):
            model.mark(name, value, quietly=True)
    for side, burned in enumerate(cards):
        position.gain(side, marks.BURNED, burned - position.holds(side, marks.BURNED))
    position.declare(marks.FALLEN, fallen or None)


STAGES: tuple[AnyStage, ...] = (Fold("hits", None, resolve_hit, state=State(harm_of, take_harm)),)
"""The stage of hits one after another, for play and for the exact odds."""
