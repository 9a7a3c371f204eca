"""Advice for bots on a model's action and reaction. This is a judgement, not a rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Model, Position
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE
from campale.rulesets.wzr.armoury.weapons import Gun
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.bots.acting import SHOTS, Acting
from campale.rulesets.wzr.bots.stakes import is_to_act
from campale.rulesets.wzr.bots.ways import answers
from campale.rulesets.wzr.close_combat.attack import COMBAT
from campale.rulesets.wzr.movement.leap import is_beside_cover
from campale.rulesets.wzr.shooting.cover import NO_PIECE
from campale.rulesets.wzr.shooting.declaring import to_reclaim, usable
from campale.rulesets.wzr.shooting.plan import RAPID, SHOOT
from campale.rulesets.wzr.shooting.shoot import AIM
from campale.rulesets.wzr.shooting.targets import legal_targets
from campale.rulesets.wzr.squads.coherency import is_coherent
from campale.rulesets.wzr.turn.menu import list_of_actions
from campale.rulesets.wzr.turn.points import left
from campale.rulesets.wzr.turn.sentry import SENTRY
from campale.table.measure import gap

THIRD, DIVE = "third-ap", "dive"
GAITS = ("walk", "run")
LITTLE = 0.005
"""So small a share of a model's points a way must gain at least."""
NEARBY = 6.0
"""Inches within which an enemy may come to be struck, by an Approach or with a long weapon."""


def which_act(position: Position, question: Question, about: About) -> Advice:
    """Some answers with their worth; none if the question is no form or the model is off the table.

    The answers are kept while the question is open, because nothing changes meanwhile.
    """
    if not isinstance(question, Form) or not position.model(int(about["model"])).is_on_table:
        return ()
    known, found = position.own.get("acts", (None, ()))
    if known is not question:
        found = tuple(valued(position, question, about))
        position.own["acts"] = question, found
    return list(found)


def valued(position: Position, form: Form, about: About) -> Iterator[tuple[Plain, float]]:
    acting = Acting(position, int(about["model"]), int(about["left"]))
    menu = form.field([])
    names = [] if menu is None else [str(name) for name in menu.options() or ()]
    in_vain = wasted(acting.model, names, acting.left)
    found = list(answers(acting, form, [name for name in names if name != THIRD]))
    for answer, worth in zip(found, acting.worths(found), strict=True):
        yield answer, WASTE if answer[0] in in_vain else worth


def which_action(position: Position, question: Question, about: About) -> Advice:
    """For the action's name alone: only actions that achieve nothing get a value."""
    names = [str(name) for name in question.options() or ()]
    return [(name, WASTE) for name in wasted(position.model(int(about["model"])), names, int(about["left"]))]


def wasted(model: Model, names: Sequence[str], points: int) -> list[str]:
    """The actions that achieve nothing.

    Aiming without a target or AP to shoot; Sentry with no enemy left to act; a combat with terrain, nobody being near.
    """
    able = [name for name in names if name in SHOTS and list_of_actions()[name].cost < points]
    found = [AIM] if AIM in names and (not able or model.marks(marks.AIMED)) else []
    if SENTRY in names and not is_to_act(model.position, 1 - model.side):
        found.append(SENTRY)
    if COMBAT in names and not any(gap(model.solid, enemy.solid) <= NEARBY for enemy in enemies_of(model)):
        found.append(COMBAT)
    return found


def enemies_of(model: Model) -> list[Model]:
    return model.position.on_table(1 - model.side)


def vain(position: Position, question: Question, key: Plain) -> bool:
    """Whether an action achieves nothing, or spends a Resource. It may be taken all the same."""
    if question.prompt != "action" or not isinstance(key, str):
        return False
    model = position.model(int(question.about["model"]))
    names = [str(name) for name in question.options() or ()]
    if key in (SHOOT, RAPID):
        return not any(has_an_enemy(gun) for gun in usable(model, key))
    if key in GAITS and leads_nowhere(position, model, key):
        return True
    return key == THIRD or (key == DIVE and is_beside_cover(model)) or key in wasted(model, names, left(model))


def leads_nowhere(position: Position, model: Model, gait: str) -> bool:
    """Whether the way that would be proposed is none at all, or leads to a place that is hardly better.

    A model out of coherency has to go.
    """
    question = list_of_actions()[gait].fields(model, [])
    way = next(iter(question.proposals(1)), None) if question is not None else None
    if way is None or not way[0]:
        return True
    if not is_coherent(model) or model.marks(marks.BERSERK):
        return False
    acting, rest = Acting(position, model.row, left(model)), left(model) - list_of_actions()[gait].cost
    here, there = acting.places([acting.one, acting.at(way[0][-1])], rest)
    return there - here <= LITTLE * float(model.profile.points)


def has_an_enemy(gun: Gun) -> bool:
    """Whether the gun can shoot at an enemy, and not only at the ground or a piece of terrain."""
    pieces = (*to_reclaim(gun, enemies_of(gun.model)), NO_PIECE)
    return any(legal_targets(gun, piece) for piece in pieces)


def which_reaction(position: Position, question: Question, about: About) -> Advice:
    """A dive for cover by a model that stands beside cover wastes its reaction."""
    dives = DIVE in (question.options() or ()) and is_beside_cover(position.model(int(about["model"])))
    return [(DIVE, WASTE)] if dives else []


ADVICE = {"act": which_act, "action": which_action, "reaction": which_reaction}
