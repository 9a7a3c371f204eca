"""The odds of reactions: of a charge that is answered by whoever it is aimed at, and of a shot at whoever acts.

What the charger, or the model that may react, is told: the charge, the reaction and the melee are those that are
played. Of a reaction that goes somewhere else nothing is told, for where to is for its player to say.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from campale.mechanics.answers import NONE
from campale.referee.looks import Forecast
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.close_combat.charge import begin_charge, charge, charge_path, farthest, settle_charges
from campale.rulesets.ragnarok.odds.melee_odds import CHARGE, after_charge
from campale.rulesets.ragnarok.shooting.fire import REACTION, Shot
from campale.rulesets.ragnarok.turn import reactions
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.reactions import carry_out_first, carry_out_last, eligible, offered
from campale.table.paths import Path

FIRE_BACK, CHARGE_BACK = "reaction-fire", "countercharge"
STAYING = (FIRE_BACK, CHARGE_BACK, "go-prone")
"""The reactions after which a charged model is where it was."""

GOING = ("fall-back", "countermove")
MOVES = ("move", CHARGE)
"""The actions after which the actor stands somewhere else."""

Onset = tuple[int, int, Path]
"""Who charges whom (rows), and by which way."""


# ---------------------------------------------------------------- a charge that is answered


@rule("tactical/resolution-order", "reaction-fire/against-charge", "countercharge/against-charge")
async def charged_against(position: Position, onset: Onset, reaction: str, free: bool) -> bool:
    """The charge as it is carried out against one reaction of its target; whether the charger came home and stands."""
    row, target, path = onset
    charger, model = position.model(row), position.model(target)
    from_hiding = bool(charger.marks("hidden"))
    charger.mark("hidden", 0)
    declared = [] if reaction == NONE else [reactions.declare(model, free, reaction, charger)]
    begin_charge(charger)
    await carry_out_first(declared)
    await charge(charger, model, path, from_hiding)
    await carry_out_last(declared)
    settle_charges(position)
    return bool(charger.marks("charged")) and is_able(charger)


@rule("tactical/reaction-eligibility", "tactical/one-reaction-per-action")
def answers_to(charger: Model, target: Model, path: Path) -> tuple[bool, list[str]]:
    """Whether the target of a charge may react free, and what it may declare; nothing where it may not react."""
    free = next((is_free for model, is_free in eligible(charger, path) if model.row == target.row), None)
    return (False, []) if free is None else (free, offered(target, free, Declaration(charger, CHARGE, [target.row])))


@rule("countercharge/against-charge", "reaction-fire/against-charge")
def answered_charges(position: Position, row: int, target: int) -> list[Forecast]:
    """A charge once for each reaction of its target that leaves it where it is."""
    charger, foe = position.model(row), position.model(target)
    path = charge_path(charger, foe, farthest(charger))
    if path is None:
        return []
    free, names = answers_to(charger, foe, path)
    return [answered(position, (row, target, path), name, free, charger.side) for name in names if name in STAYING]


def answered(
    position: Position, onset: Onset, reaction: str, free: bool, side: int, notes: tuple[str, ...] = ("others",)
) -> Forecast:
    """Told to a side."""
    ways = (CHARGE,) if reaction == NONE else (CHARGE, f"against-{reaction}")
    begun = Forecast(onset[0], onset[1], (), (), ways, notes=notes)
    return after_charge(
        position, begun, partial(charged_against, onset=onset, reaction=reaction, free=free), None, side
    )


# ---------------------------------------------------------------- a reaction that is being declared


@rule("tactical/resolution-order", "reactions/list")
def of_reaction(position: Position, question: Question, answer: Plain) -> Forecast | Shot | None:
    """What a model may declare against an action: a shot or charge back as things are, or the charge that it answers.

    Of what happens only when somebody stands elsewhere nothing is told but that.
    """
    about = question.about
    model, actor = position.model(about["model"]), position.model(about["actor"])
    begun = Forecast(model.row, actor.row, (), (), (), notes=("as-now",))
    if about["action"] == CHARGE and answer in (NONE, *STAYING):
        return of_charged(position, actor, model, str(answer), bool(about["free"]))
    if answer in GOING:
        return replace(begun, gap="goes")
    if answer not in (FIRE_BACK, CHARGE_BACK):
        return None
    if about["action"] in MOVES:
        return replace(begun, gap="moves-first")
    return shot_back(begun, model, actor) if answer == FIRE_BACK else charge_back(position, begun, bool(about["free"]))


def of_charged(position: Position, charger: Model, model: Model, reaction: str, free: bool) -> Forecast:
    """The charge at this model, along the way that is proposed, and not out of hiding."""
    path = charge_path(charger, model, farthest(charger))
    if path is None:
        return Forecast(charger.row, model.row, (), (), (CHARGE,), gap="not-at-it")
    return answered(position, (charger.row, model.row, path), reaction, free, model.side, ("at-this", "others"))


@rule("reaction-fire/basic")
def shot_back(begun: Forecast, model: Model, actor: Model) -> Shot | Forecast:
    """With the first weapon that may be fired at the actor."""
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
