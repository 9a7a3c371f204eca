"""The CC tests of an attack as stages on plain values, also for the exact odds (close-combat/cc-test, core/fumble)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from campale.dice.needs import Need, Part
from campale.dice.stages import All, AnyStage, Each
from campale.referee.ask import choose, reroll, roll
from campale.referee.chance import Rolled
from campale.referee.position import Model, Position
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.fear import frightened
from campale.rulesets.wzr.abilities.index import About, parts, rerolls
from campale.rulesets.wzr.armies.profile import FACES, Damage
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import BEST, WORST, needed, raises, telling
from campale.rulesets.wzr.basics.measuring import strikes_rear
from campale.rulesets.wzr.wounds.hits import Hit

REAR = 4
KEEP, LINKED = "no", "linked"


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """One attack on a model: what its CC test needs, and the hit that it makes.

    ``by`` and ``target`` are rows. ``linked``: a failed test may be rolled again. ``again``: the abilities that let one
    failed test of the attack be rolled again.
    """

    by: int
    target: int
    need: Need
    st: int
    avv: int = 0
    type: Damage = "piercing"
    linked: bool = False
    again: tuple[str, ...] = ()
    critical: int = 1
    halved: bool = False
    rules: tuple[str, ...] = ()
    rear: bool = False


class Landed(msgspec.Struct, frozen=True):
    """A blow that passed its test. A natural 1 makes it a Power Shot."""

    blow: Blow
    is_power_shot: bool


class Fumbled(msgspec.Struct, frozen=True):
    """A fumble: a natural 20 on the die that counts."""


class Used(msgspec.Struct, frozen=True):
    """An ability that was used to roll a die again."""

    name: str


Outcome = Landed | Fumbled | Used


# ---------------------------------------------------------------- the need to hit


@rule("close-combat/rear-bonus", "close-combat/rear-engage")
def rear_bonus(model: Model, target: Model, is_special: bool) -> tuple[Part, ...]:
    """+4 against a target that turns its Rear to the attacker, except in a Special Combat Action."""
    counts = not is_special and strikes_rear(model, target)
    return (raises("close-combat/rear-bonus", REAR),) if counts else ()


@rule("close-combat/cc-test", "core/modifier-order", "abilities/elusive", "abilities/bulky", "abilities/fear")
def cc_need(about: About) -> Need:
    """The CC test of the attacker against the target."""
    model, target = about.model, about.target
    assert target is not None
    changes = (*frightened(model), *rear_bonus(model, target, about.is_special), *parts("cc", about))
    return needed(model.profile.cc, changes)


@rule("close-combat/hold-small", "close-combat/hold-medium", "core/linked")
def is_held(target: Model) -> bool:
    """Whether every later melee attack on the target in this turn is linked."""
    return bool(target.marks(marks.HELD))


@rule("abilities/duelist", "abilities/hatred")
def rolls_again(about: About) -> tuple[str, ...]:
    """The abilities that let one failed CC test of the activation be rolled again."""
    return tuple(one.name for one in rerolls("cc", about))


# ---------------------------------------------------------------- the tests


@rule("close-combat/cc-test", "core/fumble", "core/reroll")
async def roll_all(position: Position, blows: Iterable[Blow]) -> list[Outcome]:
    """One test for each blow, in order. A fumble does not stop the rest."""
    found: list[Outcome] = []
    used: set[str] = set()
    for blow in blows:
        rolled, by = await roll_one(position, blow, used)
        if by:
            used.add(by)
            found.append(Used(by))
        if rolled.successes:
            found.append(Landed(blow, rolled.faces[0] == BEST))
        elif rolled.faces[0] == WORST:
            found.append(Fumbled())
    return found


@rule("close-combat/cc-test", "core/linked", "core/natural-results")
async def roll_one(position: Position, blow: Blow, used: set[str]) -> tuple[Rolled, str]:
    """The die that counts, and the ability that allowed a re-roll, or ""."""
    side, tells = position.side_of[blow.by], telling(blow.need, BEST, WORST)
    about: dict[str, Plain] = {"model": blow.by, "target": blow.target}
    rolled = await roll(side, "cc-test", 1, FACES, blow.need, tells, **about)
    if rolled.successes:
        return rolled, ""
    if blow.linked:
        if not await is_linked_wanted(side, blow, rolled):
            return rolled, ""
        return await reroll(side, "cc-test", rolled, "failures", FACES, tells, **about), ""
    by = await offered(side, blow, used, rolled)
    if by:
        rolled = await reroll(side, "cc-test", rolled, "failures", FACES, tells, **about)
    return rolled, by


@rule("core/linked", "core/reroll", "core/fumble")
async def is_linked_wanted(side: int, blow: Blow, rolled: Rolled) -> bool:
    """Whether a failed linked die is rolled again. The player may keep it, for a fumble would cost him more.

    A fumble is rolled again without asking: no second die is worse.
    """
    face = rolled.faces[0]
    if face == WORST:
        return True
    options = [LINKED, KEEP]
    chosen = await choose(side, "roll-again", options, of="abilities", model=blow.by, target=blow.target, face=face)
    return bool(chosen != KEEP)


@rule("abilities/duelist", "abilities/hatred", "core/reroll")
async def offered(side: int, blow: Blow, used: set[str], rolled: Rolled) -> str:
    """The player chooses an ability after seeing the die; "" keeps the die."""
    left = [name for name in blow.again if name not in used]
    if not left:
        return ""
    face = rolled.faces[0]
    chosen = await choose(
        side, "roll-again", [*left, KEEP], of="abilities", model=blow.by, target=blow.target, face=face
    )
    return "" if chosen == KEEP else str(chosen)


def go_alone(position: Position, blows: Sequence[Blow]) -> bool:
    """Whether no blow depends on what another blow has used up."""
    return not any(blow.again for blow in blows)


# ---------------------------------------------------------------- the hits


@rule("close-combat/cc-test", "core/power-shot", "vehicles/melee-against")
def hit_of(landed: Landed) -> Hit:
    """A success makes one Wound Effect or, on a vehicle, one Damage Effect."""
    blow = landed.blow
    return Hit(
        target=blow.target,
        st=blow.st,
        avv=blow.avv,
        type=blow.type,
        by=blow.by,
        power_shot=landed.is_power_shot,
        critical=blow.critical,
        halved=blow.halved,
        cause="melee",
        rules=blow.rules,
        rear=blow.rear,
    )


async def hits_of(position: Position, outcomes: Iterable[Outcome]) -> list[Hit]:
    return [hit_of(one) for one in outcomes if isinstance(one, Landed)]


TESTS: tuple[AnyStage, ...] = (All("tests", roll_all, alone=go_alone),)
"""The stage from blows to the outcomes of their tests."""
HITS: tuple[AnyStage, ...] = (*TESTS, Each("struck", hits_of))
"""The stages from blows to hits; the odds append the stages of ``wounds.resolving``."""
