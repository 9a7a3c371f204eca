"""The commander: its radius, its re-rolls, the points it hands out, and its replacement."""

from __future__ import annotations

from campale.referee.ask import choose
from campale.referee.position import RESERVE, Model, Position
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import distance, within
from campale.rulesets.ragnarok.basics.physical import is_able


@rule("commander/choice")
def commander(position: Position, side: int) -> Model | None:
    return next((m for m in position.models if m.side == side and m.marks("commander")), None)


def is_left(model: Model) -> bool:
    """Return whether a model is on the table and not out of action, or in reserve."""
    return is_able(model) or (model.where == RESERVE and not model.marks("never-came"))


@rule("commander/replacement")
async def replace_commander(position: Position, side: int) -> None:
    """Name another commander if the old one is removed or out of action, from the HQ as long as one is left."""
    old = commander(position, side)
    if old is not None and is_left(old):
        return
    left = [m for m in position.models if m.side == side and is_left(m)]
    candidates = [m.row for m in left if m.profile.is_hq] or [m.row for m in left]
    if not candidates:
        return
    new = position.model(await choose(side, "new-commander", candidates, of="model"))
    if old is not None:
        old.mark("commander", 0)
    new.mark("commander", 1)
    if position.now.get("side") == side:
        renew_bonus(position, side)


@rule("commander/psi-radius")
def command_radius(leader: Model) -> int:
    horn = 10 if leader.profile.carries("command_horn") else 0
    return int(leader.profile.senses) * 10 + horn


@rule("commander/psi-radius")
def commands(leader: Model, model: Model) -> bool:
    """Return whether a model is a friend within the radius of a commander that is able."""
    in_charge = leader.marks("commander") and is_able(leader) and leader.side == model.side
    return bool(in_charge) and within(distance(leader, model), command_radius(leader))


@rule("commander/psi-radius", "profile/psi-number")
def psyche(model: Model) -> int:
    """Return the number to reach: the model's own, or the commander's if that is better."""
    leader = commander(model.position, model.side)
    own = int(model.profile.psyche)
    return min(own, leader.profile.psyche) if leader is not None and commands(leader, model) else own


@rule("commander/reroll")
def may_repeat_test(model: Model) -> bool:
    """Return whether a model may repeat tests: the commander.

    By the other reading of the ruling, every friend in its radius may, too.
    """
    if model.position.options.rerolls == "radius":
        leader = commander(model.position, model.side)
        return leader is not None and (leader is model or commands(leader, model))
    return bool(model.marks("commander"))


# ---------------------------------------------------------------- commander/charisma-bonus


@rule("commander/charisma-bonus")
def renew_bonus(position: Position, side: int) -> None:
    leader = commander(position, side)
    bonus = leader.profile.command_bonus if leader is not None else 0
    position.gain(side, "bonus", bonus - position.holds(side, "bonus"))


@rule("commander/charisma-bonus")
def may_receive(model: Model) -> Fault | None:
    """Return why a model cannot be given points by its commander."""
    leader = commander(model.position, model.side)
    if leader is None or leader is model or not is_able(model):
        return Fault(model=model.row)
    if not commands(leader, model):
        return Fault(model=model.row, measured=distance(leader, model), limit=command_radius(leader))
    return None


@rule("commander/charisma-bonus")
def hand_out(model: Model, points: int) -> None:
    model.add("handed", points)
    model.position.gain(model.side, "bonus", -points)
