"""The odds of fire at a piece of terrain: hits on it, and PS that it loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from campale.dice.bags import Bags
from campale.dice.odds import OddsError, Policy
from campale.dice.stages import AnyStage, Fold, State
from campale.mechanics.steps import numbers, step
from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.odds.attack_odds import MOST_BAGS, Firing
from campale.rulesets.wzr.shooting.plan import Plan, tests_of
from campale.rulesets.wzr.shooting.shoot import stages_of
from campale.rulesets.wzr.structures.damage import damage_piece
from campale.rulesets.wzr.structures.pieces import PIECES, ps_lost
from campale.rulesets.wzr.wounds.hits import Hit

Lost = tuple[Any, ...]


def lost_of(position: Position) -> Lost:
    """The PS that pieces have lost."""
    return tuple(position.declared.get(PIECES, ()))


def lose(position: Position, lost: Lost) -> None:
    position.declare(PIECES, lost or None)


async def one_hit(position: Position, so_far: None, hit: Hit) -> None:
    await damage_piece(position, hit)


DAMAGE: tuple[AnyStage, ...] = (Fold("damage", None, one_hit, state=State(lost_of, lose)),)


@rule("structures/hit-shooting", "structures/attack-damage", "structures/template-target")
def on_piece(position: Position, plan: Plan, ways: Sequence[str], policy: Policy | None = None) -> Forecast:
    """Hits, and PS lost. Models near the piece are not touched."""
    begun = Forecast(plan.shooter, plan.shooter, (plan.gun,), (), tuple(ways), dice=tests_of(position, plan))
    firing = Firing(position, plan, policy)
    things, stages = stages_of(firing.before, plan)
    bags = Bags(firing.before, firing.policy, firing.alike, most_bags=MOST_BAGS)
    try:
        hits = bags.numbers(stages, things, lambda hit: int(isinstance(hit, Hit)))
        left = {after: share for (after,), share in bags.ends((*stages, *DAMAGE), things).items()}
    except OddsError:
        return replace(begun, gap="too-many")
    before = ps_lost(position, plan.piece)

    def lost(after: Lost) -> int:
        return max(0, int(dict(after).get(plan.piece, 0)) - before)

    found = (
        step("hits", "structures/hit-shooting", hits),
        step("ps-lost", "structures/attack-damage", numbers(left, lost), is_main=True),
    )
    return replace(begun, steps=found, decided=tuple(bags.decided))
