"""A melee attack: its weapon, its targets and its frames (close-combat/attack-*, actions/combat)."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.mechanics.frames import Frame
from campale.mechanics.script_form import fill_in_script, run
from campale.referee.position import Model
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed
from campale.rulesets.wzr.armies.profile import Blade
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import gap, in_front, within
from campale.rulesets.wzr.cards.resources import cannot_add_attack
from campale.rulesets.wzr.close_combat.approach import Approach, approach_script, approaches, as_approached
from campale.rulesets.wzr.close_combat.engaged import neighbours
from campale.rulesets.wzr.close_combat.special import SPECIALS, Special, may_use_on, misfit
from campale.rulesets.wzr.close_combat.strength import Arm, arm_of, arms, reach_with
from campale.rulesets.wzr.structures.pieces import is_too_weak, ps_of, row_of
from campale.table.measure import gap_to_outline
from campale.table.paths import plan_length
from campale.table.shapes import heading
from campale.table.terrain import Piece

COMBAT = "combat"
ATTACK, BLOWS = "attack", "blows"
BURN, KEEP = "burn", "no"

Target = int | str
"""The row of a model, or the name of a piece."""


class Onset(NamedTuple):
    """What a charge adds to its attack.

    ``drop_st`` and ``drop_avv`` come from above and count on the first test only.
    """

    st: int = 0
    avv: int = 0
    drop_st: int = 0
    drop_avv: int = 0


class Attack(NamedTuple):
    """A melee attack as declared. ``name``: "combat" or a Special Combat Action. ``onset``: () without a charge.

    ``approach``: towards whom and how far, or (). ``targets``: the target of each attack, the primary target first.
    """

    row: int
    name: str
    arm: str
    approach: tuple[Any, ...]
    targets: tuple[Target, ...]
    burned: bool = False
    onset: tuple[int, ...] = ()

    @property
    def special(self) -> Special | None:
        return SPECIALS.get(self.name)


# ---------------------------------------------------------------- possible targets


@rule("close-combat/primary-target", "core/front-rear", "core/friendly-fire", "close-combat/reach-difference")
def enemies_in_reach(model: Model, far: float) -> list[Model]:
    """The enemies in the model's Front and within ``far`` inches."""
    near = neighbours(model.position).get(model.row, {})
    found = [model.position.model(row) for row, off in near.items() if within(off, far)]
    return [enemy for enemy in found if in_front(model, enemy)]


@rule("structures/hit-melee", "structures/destructible")
def pieces_in_reach(model: Model, far: float) -> list[Piece]:
    """The pieces that can be damaged, in the model's Front and within ``far`` inches."""
    if far < 0:
        return []
    position, solid = model.position, model.solid
    found = [one for one in position.ground.pieces if row_of(one) is not None and ps_of(position, one)]
    return [one for one in found if within(gap_to_outline(solid, one.outline), far) and has_before(model, one)]


def has_before(model: Model, piece: Piece) -> bool:
    """Whether any part of the piece lies in the model's Front."""
    ahead = heading(model.facing)
    return any((x - model.x) * ahead[0] + (y - model.y) * ahead[1] > 0 for x, y in piece.outline)


@rule("close-combat/special-general", "close-combat/attack-sequence", "actions/combat", "abilities/berserk-actions")
def candidates(model: Model, arm: Arm, name: str) -> list[Target]:
    """What the model can strike with this weapon and action from where it stands."""
    far = reach_with(model, arm)
    enemies = enemies_in_reach(model, far)
    special = SPECIALS.get(name)
    if special is not None:
        rows = [enemy.row for enemy in enemies]
        prey = [enemy.row for enemy in enemies if may_use_on(special, model, enemy)]
        return [row for row in prey if special.strikes_all or not_the_nearest(model, row, rows) is None]
    pieces = [] if model.marks(marks.BERSERK) else pieces_in_reach(model, far)
    return [*(enemy.row for enemy in enemies), *(piece.name for piece in pieces)]


@rule("abilities/berserk-actions")
def not_the_nearest(model: Model, target: Target, among: Sequence[Target]) -> Fault | None:
    """A berserk model strikes the nearest enemy that it may, and no piece of terrain."""
    if not model.marks(marks.BERSERK) or isinstance(target, str):
        return None
    far = {row: gap(model, model.position.model(row)) for row in among if isinstance(row, int)}
    return None if within(far[target], min(far.values())) else Fault(model=target)


@rule("structures/avv-minimum")
def too_weak_for(arm: Arm, onset: Sequence[int], target: Target) -> Fault | None:
    avv = arm.avv + (Onset(*onset).avv if onset and arm.kind != "grenade" else 0)
    return Fault(measured=avv) if isinstance(target, str) and is_too_weak(avv) else None


# ---------------------------------------------------------------- number of attacks


@rule("core/melee-weapon-profile", "armoury/heavy", "close-combat/special-roa", "cards/burn-rof")
def attacks_of(model: Model, arm: Arm, attack: Attack) -> int:
    """The number of attacks: 1 in a Special Combat Action, else the RoA with its modifiers, if it can change."""
    if attack.special is not None or arm.is_fixed:
        return 1 if attack.special is not None else arm.roa
    about = About(model, attacker=model, weapon=blade_of(model, arm), is_charging=bool(attack.onset))
    return int(changed("roa", arm.roa, about)) + int(attack.burned)


def blade_of(model: Model, arm: Arm) -> Blade | None:
    """The melee weapon that the arm is, if it is on the profile."""
    return next((one for one in model.profile.blades if one.id == arm.id), None)


# ---------------------------------------------------------------- the form


@rule("close-combat/attack-sequence", "actions/combat", "close-combat/special-general")
def attack_script(model: Model, name: str, onset: tuple[int, ...] = ()) -> Generator[Question, Any, Attack]:
    """Ask for the arm, an Approach, a Resource for +1 RoA, the primary target, and the other targets."""
    arm = yield from choose_arm(model, name)
    chosen = yield from choose_approach(model, arm, name)
    attack = Attack(model.row, name, arm.id, () if chosen is None else chosen, (), onset=onset)
    if may_add_attack(model, arm, name):
        about: dict[str, Plain] = {"model": model.row}
        burned = yield Choose(model.side, "one-more-attack", [KEEP, BURN], "burn", about=about, odds={BURN: 0.3})
        attack = attack._replace(burned=burned == BURN)
    targets = yield from allocate(as_approached(model, chosen), arm, attack)
    return attack._replace(targets=tuple(targets))


@rule("cards/burn-rof", "close-combat/special-roa", "armoury/heavy", "armoury/grenade-b2b")
def may_add_attack(model: Model, arm: Arm, name: str) -> bool:
    """Whether a Resource may raise the RoA."""
    grenade, special = arm.kind == "grenade", name != COMBAT
    return cannot_add_attack(model, in_melee=True, with_grenade=grenade, is_special=special) is None


@rule("core/melee-weapon-profile", "close-combat/special-type")
def choose_arm(model: Model, name: str) -> Generator[Question, Any, Arm]:
    """Ask for one of the arms that can strike something."""
    usable = [one.id for one in arms(model) if can_strike(model, one, name)]
    if len(usable) == 1:
        return arm_of(model, usable[0])
    about: dict[str, Plain] = {"model": model.row}
    chosen = yield Choose(model.side, "melee-arm", list(usable), "melee-arm", about=about)
    return arm_of(model, str(chosen))


@rule("close-combat/special-general", "actions/combat")
def can_strike(model: Model, arm: Arm, name: str) -> bool:
    """Whether the arm can strike anything, from here or after an Approach. Special actions do not use grenades."""
    if not model.profile.cc or (name != COMBAT and arm.kind == "grenade"):
        return False
    return bool(open_targets(model, arm, name)) or bool(helpful(model, arm, name))


def open_targets(model: Model, arm: Arm, name: str) -> list[Target]:
    return [one for one in candidates(model, arm, name) if too_weak_for(arm, (), one) is None]


@rule("close-combat/attack-sequence", "close-combat/approach")
def helpful(model: Model, arm: Arm, name: str) -> list[int]:
    """The rows of enemies whose Approach leaves something to strike."""
    return [row for row in approaches(model) if leaves_targets(model, arm, name, (row, math.inf))]


def leaves_targets(model: Model, arm: Arm, name: str, approach: Approach) -> bool:
    return bool(open_targets(as_approached(model, approach), arm, name))


@rule("close-combat/attack-sequence", "close-combat/approach", "close-combat/approach-more")
def choose_approach(model: Model, arm: Arm, name: str) -> Generator[Question, Any, Approach | None]:
    """The second step of a combat action. The Approach is compulsory if nothing can be struck without it."""
    if open_targets(model, arm, name):
        chosen: Approach | None = yield from approach_script(model, partial(leaves_targets, model, arm, name))
        return chosen
    rows = helpful(model, arm, name)
    row = rows[0]
    if len(rows) > 1:
        row = int((yield Choose(model.side, "approach", list(rows), "approach", about={"model": model.row})))
    return row, plan_length(approaches(model)[row])


@rule("close-combat/primary-target", "close-combat/attack-split", "close-combat/cleave")
def allocate(model: Model, arm: Arm, attack: Attack) -> Generator[Question, Any, list[Target]]:
    """Ask for the target of each attack, before any roll. The first is the primary; a secondary gets one at most."""
    among = candidates(model, arm, attack.name)
    if attack.special is not None and attack.special.strikes_all:
        return among
    about: dict[str, Plain] = {"model": model.row}
    forbids = partial(cannot_be_primary, model, arm, attack.onset, tuple(among))
    first = among[0]
    if len(among) > 1:
        first = yield Choose(model.side, "melee-target", list(among), "target", forbids, about)
    found = [first]
    for _ in range(attacks_of(model, arm, attack) - 1):
        others = [one for one in among if isinstance(one, int) and one not in found[1:] and one != first]
        if isinstance(first, str) or not others:
            found.append(first)
            continue
        found.append((yield Choose(model.side, "next-attack", [first, *others], "target", about=about)))
    return found


@rule("abilities/berserk-actions", "structures/avv-minimum")
def cannot_be_primary(
    model: Model, arm: Arm, onset: tuple[int, ...], among: tuple[Target, ...], target: Target
) -> Fault | None:
    nearest = not_the_nearest(model, target, among)
    if nearest is not None:
        return misfit(nearest, "abilities/berserk-actions")
    weak = too_weak_for(arm, onset, target)
    return None if weak is None else misfit(weak, "structures/avv-minimum")


# ---------------------------------------------------------------- menu actions


def attack_fields(name: str, model: Model, filled: Sequence[Any]) -> Question | None:
    return run(partial(attack_script, model, name), filled)[0]


def attack_frames(name: str, model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    attack = run(partial(attack_script, model, name), details)[1]
    return () if attack is None else frames_of(attack)


def frames_of(attack: Attack) -> tuple[Frame, ...]:
    return ((ATTACK, *attack),)


@rule("actions/combat", "close-combat/special-general")
def can_attack(name: str, model: Model) -> bool:
    """Whether there is anything to strike."""
    return any(can_strike(model, one, name) for one in arms(model))


async def declare(model: Model, prompt: str, names: Sequence[str], onset: tuple[int, ...]) -> Attack | None:
    """Ask for an attack that costs no AP: a combat action, or a Special Combat Action instead."""
    if not names:
        return None
    script = partial(any_attack, model, names, onset)
    return await fill_in_script(model.side, prompt, script, model=model.row, onset=list(onset))


@rule("close-combat/special-general", "actions/charge")
def any_attack(model: Model, names: Sequence[str], onset: tuple[int, ...]) -> Generator[Question, Any, Attack]:
    name = names[0]
    if len(names) > 1:
        name = str((yield Choose(model.side, "attack", list(names), "action", about={"model": model.row})))
    attack = yield from attack_script(model, name, onset)
    return attack
