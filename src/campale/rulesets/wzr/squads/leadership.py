"""LD tests: a model uses its own LD, a squad its Commander's (squads/model-ld, squads/commander)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.dice.needs import Need, Part
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, ignores, parts, succeeds
from campale.rulesets.wzr.abilities.vocabulary import Test
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import needed, passes, raises
from campale.rulesets.wzr.squads.squads import commander

MALUS = -2


@rule("squads/model-ld", "abilities/specialist-attached")
def ld_of(model: Model) -> int:
    """The model's own LD; for a Specialist who has joined a squad, the LD of its Commander."""
    leader = commander(model.unit) if model.marks(marks.SPECIALIST) else None
    return int((model if leader is None else leader).profile.ld)


@rule("squads/model-ld")
def own_need(model: Model, test: Test) -> Need:
    return needed(ld_of(model), parts("ld", About(model, test=test)))


async def passes_alone(model: Model, test: Test) -> bool:
    """A test that concerns one model only. The journal cites the rule that calls for it."""
    return bool(succeeds(test, model)) or await passes(model, test, own_need(model, test))


@rule("squads/substitute", "abilities/unmoved")
def substitutes_malus(leader: Model) -> Part:
    """The malus of a Substitute. It does not grow with further Substitutes."""
    counts = leader.marks(marks.SUBSTITUTE) and not ignores("substitute", About(leader))
    return raises("squads/substitute", MALUS if counts else 0)


@rule("squads/commander", "squads/substitute")
def squad_need(leader: Model, test: Test, more: Sequence[Part] = ()) -> Need:
    """The LD of the Commander or Substitute, with every modifier."""
    own = parts("ld", About(leader, test=test))
    return needed(leader.profile.ld, (*more, substitutes_malus(leader), *own))


async def squad_passes(unit: Unit, test: Test, *more: Part) -> bool:
    """A test of the whole squad, by its Commander. A squad with no model left passes.

    The journal cites the rule that calls for it.
    """
    leader = commander(unit)
    if leader is None or succeeds(test, leader):
        return True
    return await passes(leader, test, squad_need(leader, test, more), unit=unit.row)
