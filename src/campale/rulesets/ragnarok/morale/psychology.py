"""Tests based on PSI: discipline, suppression, pinning, command and ability tests; morale markers."""

from __future__ import annotations

from collections.abc import Sequence

from campale.dice.needs import Need, Part
from campale.referee.ask import confirm
from campale.referee.position import RESERVE, Model, Position, Result
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import bend_total, needed_on_two, two_dice
from campale.rulesets.ragnarok.basics.physical import is_able, is_prone
from campale.rulesets.ragnarok.basics.special import expert, passes_unrolled
from campale.rulesets.ragnarok.turn.commander import commander, may_repeat_test, psyche


@rule("morale/markers")
def receive_morale(model: Model, markers: int) -> None:
    if markers > 0 and model.is_on_table:
        model.add("morale", markers)
        model.mark("shaken", 1, quietly=True)


@rule("morale/markers")
def morale_penalty(model: Model) -> Part:
    """Return -1 for each morale marker beyond the printed CAR."""
    return Part("morale/markers", -max(0, model.marks("morale") - model.profile.charisma))


@rule("discipline/test", "psychology/test-list")
async def discipline_test(model: Model, why: str, number: int, parts: Sequence[Part] = ()) -> bool:
    """Roll 2D6 with bonuses and penalties against PSI; a model that may repeat it is asked after a failure."""
    if passes_unrolled(model):
        return True
    need = needed_on_two(number, (morale_penalty(model), *parts))
    total = (await two_dice(model.position, model.side, why, need, model=model.row)).total
    if not need.is_met_by(total) and may_repeat_test(model) and await repeats(model, why, total, need):
        total = (await two_dice(model.position, model.side, why, need, model=model.row, again=True)).total
    return await bend_total(model.position, total, need)


@rule("commander/reroll", "tests/reroll-once")
async def repeats(model: Model, why: str, total: int, need: Need) -> bool:
    return await confirm(model.side, "repeat-test", test=why, model=model.row, total=total, number=need.number)


# ---------------------------------------------------------------- suppression/*


@rule("suppression/when")
def must_test_suppression(model: Model) -> bool:
    return is_able(model) and bool(model.marks("wounded"))


@rule("suppression/effect", "suppression/flight")
async def suppression_test(model: Model) -> None:
    """Test a wounded model: failing brings the suppression marker; failing with the marker is flight."""
    if await discipline_test(model, "suppression-test", psyche(model)):
        return
    if model.marks("suppressed"):
        flee(model)
    else:
        model.mark("suppressed", 1)


@rule("suppression/flight")
def flee(model: Model) -> None:
    model.position.remove(model, "flight")


@rule("suppression/effect")
def doubled(model: Model, cost: int) -> int:
    """Return the cost of an action or reaction to a model: double while it is suppressed."""
    return cost * 2 if model.marks("suppressed") else cost


# ---------------------------------------------------------------- pinning/*


@rule("pinning/when", "pinning/already-prone")
def must_test_pinning(model: Model) -> bool:
    return is_able(model) and bool(model.marks("shaken")) and not is_prone(model)


@rule("pinning/effect")
async def pinning_test(model: Model) -> None:
    if not await discipline_test(model, "pinning-test", psyche(model)):
        go_prone(model)


@rule("prone/duration", "turn/time-units")
def go_prone(model: Model) -> None:
    """Put a model prone until the end phase of the following player turn; a new cause does not lengthen it."""
    if not is_prone(model):
        model.mark("prone", int(model.position.now["turn"]) + 1)


# ---------------------------------------------------------------- command-test/*


@rule("command-test/when")
def must_test_command(position: Position, side: int) -> bool:
    """Return whether losses, models out of action included, exceed half of the models the force began with."""
    return losses(position, side) * 2 > position.holds(side, "strength")


def losses(position: Position, side: int) -> int:
    """Return how many models of the original force are removed or out of action; summoned ones do not count."""
    force = [m for m in position.models if m.side == side and not m.marks("summoned")]
    return sum(is_lost(m) for m in force)


def is_lost(model: Model) -> bool:
    """Return whether a model is removed or out of action; one in reserve is not."""
    return not (is_able(model) or model.where == RESERVE)


@rule("command-test/failure")
async def command_test(position: Position, side: int) -> None:
    leader = commander(position, side)
    if leader is None:
        return
    if not await discipline_test(leader, "command-test", leader.profile.psyche):
        position.finish(Result(1 - side, "command-test/failure", {"losses": losses(position, side)}))


# ---------------------------------------------------------------- ability-test/*


@rule("ability-test/test", "ability-test/failure")
async def ability_test(model: Model, concentration: Part) -> bool:
    """Return whether a model passes, so that the ability may be used.

    A model that fails may use no ability until the end of the turn.
    """
    parts = (concentration, expert(model, "mind"))
    if await discipline_test(model, "ability-test", psyche(model), parts):
        return True
    model.mark("barred-ability", 1, quietly=True)
    return False
