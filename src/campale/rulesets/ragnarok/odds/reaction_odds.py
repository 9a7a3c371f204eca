"""The odds of reactions: of a charge answered by its target, and of a shot at the acting model.

They are given to the charger or to the model that may react; the charge, the reaction and the melee are those that are
played. A reaction that moves a model has no odds, because its player decides where it goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from campale.mechanics.answers import NONE
from campale.referee.looks import Forecast
from campale.referee.position import Model, Position
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.close_combat.charge import begin_charge, charge, charge_path, farthest, settle_charges
from campale.rulesets.ragnarok.morale.psychology import go_prone
from campale.rulesets.ragnarok.odds.melee_odds import CHARGE, after_charge
from campale.rulesets.ragnarok.shooting.fire import REACTION, Shot
from campale.rulesets.ragnarok.shooting.weapon_rules import PLAIN
from campale.rulesets.ragnarok.turn import reactions
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import carry_out_first, carry_out_last, eligible, offered
from campale.table.paths import Path

FIRE_BACK, CHARGE_BACK, GO_PRONE = "reaction-fire", "countercharge", "go-prone"
STAYING = (FIRE_BACK, CHARGE_BACK, GO_PRONE)
"""The reactions after which a charged model is where it was."""

GOING = ("fall-back", "countermove")
MOVES = ("move", CHARGE)
"""The actions after which the actor stands somewhere else."""


class Onset(NamedTuple):
    """Charger and target (rows), the path of the charge, and whether it comes out of hiding."""

    charger: int
    target: int
    path: Path
    from_hiding: bool


# ---------------------------------------------------------------- a charge that is answered


@rule("tactical/resolution-order", "reaction-fire/against-charge", "countercharge/against-charge")
async def charged_against(position: Position, onset: Onset, reaction: str, free: bool) -> bool:
    """Play a charge against one reaction of its target; return whether the charger succeeded and is able."""
    charger, model = position.model(onset.charger), position.model(onset.target)
    charger.mark("hidden", 0)
    declared = [] if reaction == NONE else [reactions.declare(model, free, reaction, charger)]
    begin_charge(charger)
    await carry_out_first(declared)
    await charge(charger, model, onset.path, onset.from_hiding)
    await carry_out_last(declared)
    settle_charges(position)
    return bool(charger.marks("charged")) and is_able(charger)


@rule("tactical/reaction-eligibility", "tactical/one-reaction-per-action")
def answers_to(charger: Model, target: Model, path: Path) -> tuple[bool, list[str]]:
    """Return whether the target of a charge may react for free, and its reactions, none if it may not react."""
    free = next((is_free for model, is_free in eligible(charger, path) if model.row == target.row), None)
    return (False, []) if free is None else (free, offered(target, free, Declaration(charger, CHARGE, [target.row])))


@rule("countercharge/against-charge", "reaction-fire/against-charge")
def answered_charges(position: Position, row: int, target: int) -> list[Forecast]:
    """Return a forecast of a charge for each reaction of its target that leaves the target where it is."""
    charger, foe = position.model(row), position.model(target)
    path = charge_path(charger, foe, farthest(charger))
    if path is None:
        return []
    free, names = answers_to(charger, foe, path)
    onset = Onset(row, target, path, bool(charger.marks("hidden")))
    return [answered(position, onset, name, free, charger.side) for name in names if name in STAYING]


def answered(
    position: Position, onset: Onset, reaction: str, free: bool, side: int, notes: tuple[str, ...] = ("others",)
) -> Forecast:
    """Return the forecast for a side."""
    ways = (CHARGE,) if reaction == NONE else (CHARGE, f"against-{reaction}")
    begun = Forecast(onset.charger, onset.target, (), (), ways, notes=notes)
    return after_charge(
        position, begun, partial(charged_against, onset=onset, reaction=reaction, free=free), None, side
    )


# ---------------------------------------------------------------- a shot that is answered


@rule("tactical/resolution-order", "prone/reaction")
def shot_answered(position: Position, question: Question, answer: Plain) -> tuple[Position, Shot] | None:
    """Return the declared shot that is answered, and the position after the reactions that come before it."""
    about = question.about
    prone = going_prone(question, answer) if "shot" in about else None
    if prone is None:
        return None
    weapon, target, *way, is_aimed = about["shot"]
    doubling = way[0] if way else PLAIN
    copy = position.copy()
    for row in prone:
        go_prone(copy.model(row))
    return copy, Shot(about["actor"], target, weapon, about["action"], doubling, is_aimed, bool(about["hidden"]))


@rule("prone/reaction")
def going_prone(question: Question, answer: Plain) -> list[int] | None:
    """Return who goes prone by the answers of all, or by that of the target; None for an answer of another model."""
    if isinstance(question, Form):
        fields = [(question.field(answer[:k]), one) for k, one in enumerate(answer)]
        return [field.about["model"] for field, one in fields if field is not None and one == GO_PRONE]
    target = question.about["shot"][1]
    if question.about.get("model") != target or answer not in (NONE, GO_PRONE):
        return None
    return [target] if answer == GO_PRONE else []


# ---------------------------------------------------------------- a reaction that is being declared


@rule("tactical/resolution-order", "reactions/list")
def of_reaction(position: Position, question: Question, answer: Plain) -> Forecast | Shot | None:
    """Return the forecast of a reaction: a shot or charge back as things are, or the charge that it answers.

    A reaction that comes after a move, or makes one, has only a gap as its forecast.
    """
    about = question.about
    model, actor = position.model(about["model"]), position.model(about["actor"])
    begun = Forecast(model.row, actor.row, (), (), (), notes=("as-now",))
    if about["action"] == CHARGE and is_charged(about, model) and answer in (NONE, *STAYING):
        return of_charged(position, about, str(answer))
    if answer in GOING:
        return replace(begun, gap="goes")
    if answer not in (FIRE_BACK, CHARGE_BACK):
        return None
    if about["action"] in MOVES:
        return replace(begun, gap="moves-first")
    return shot_back(begun, model, actor) if answer == FIRE_BACK else charge_back(position, begun, bool(about["free"]))


def is_charged(about: Mapping[str, Any], model: Model) -> bool:
    """Return whether the charge is at the model; if it is not told whom it is at, it may be."""
    aims = about.get("shown", {}).get("aims", ())
    return not aims or aims[0][1] == model.row


def of_charged(position: Position, about: Mapping[str, Any], reaction: str) -> Forecast:
    """Return the forecast of the charge at this model, by the path declared or else by the proposed one."""
    charger, model = position.model(about["actor"]), position.model(about["model"])
    route = about.get("shown", {}).get("route")
    path = charge_path(charger, model, farthest(charger)) if route is None else Path(tuple(map(tuple, route)))
    if path is None:
        return Forecast(charger.row, model.row, (), (), (CHARGE,), gap="not-at-it")
    onset = Onset(charger.row, model.row, path, bool(about.get("hidden")))
    notes = ("at-this", "others") if route is None else ("others",)
    return answered(position, onset, reaction, bool(about["free"]), model.side, notes)


@rule("reaction-fire/basic")
def shot_back(begun: Forecast, model: Model, actor: Model) -> Shot | Forecast:
    """Return the shot with the first weapon that may be fired at the actor."""
    weapons = [k for k in reactions.usable_weapons(model) if reactions.may_shoot_at(model, actor, k)]
    if not weapons:
        return replace(begun, gap="no-shot")
    return Shot(model.row, actor.row, weapons[0], REACTION, from_hiding=bool(model.marks("hidden")))


@rule("countercharge/basic")
def charge_back(position: Position, begun: Forecast, free: bool) -> Forecast:
    async def charges(copy: Position) -> bool:
        model, actor = copy.model(begun.actor), copy.model(begun.target)
        await carry_out_last([reactions.declare(model, free, CHARGE_BACK, actor)])
        settle_charges(copy)
        return bool(model.marks("charged"))

    side = position.side_of[begun.actor]
    return after_charge(position, replace(begun, ways=(CHARGE_BACK,)), charges, None, side)
