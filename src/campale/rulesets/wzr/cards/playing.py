"""Playing a card: its cost, its targets, its effects (cards/strategy, cards/tactic, ...)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.frames import stack
from campale.referee.columns import Effect
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.catalogue import EQUIPMENT, STRATEGY, TACTIC, Card, cards
from campale.rulesets.wzr.cards.in_play import ON, in_play, resources_of
from campale.rulesets.wzr.cards.resources import burn, lacks
from campale.rulesets.wzr.squads.squads import SQUAD_ENDS, members, squads_of
from campale.rulesets.wzr.vehicles import locations

MOST_EQUIPMENT = 3
NOBODY = -1


# ---------------------------------------------------------------- restrictions on playing


@rule("cards/burn-cost")
def too_dear(position: Position, side: int, name: str) -> Fault | None:
    """Refuses a card that the side cannot pay in full."""
    return lacks(position, side, cards()[name].cost)


@rule("cards/strategy-one", "cards/use-limits")
def strategy_was_played(position: Position, side: int, name: str) -> Fault | None:
    """Players may play one Strategy card in a turn between them, even if it is no longer in play."""
    is_second = cards()[name].kind == STRATEGY and marks.STRATEGY_PLAYED in position.declared
    return Fault() if is_second else None


@rule("cards/equipment-limit", "cards/use-limits")
def too_much_equipment(position: Position, side: int, name: str) -> Fault | None:
    found = len(in_play(position, side, EQUIPMENT)) if cards()[name].kind == EQUIPMENT else 0
    return Fault(None, found + 1, MOST_EQUIPMENT) if found >= MOST_EQUIPMENT else None


@rule("cards/tactic", "cards/tactic-one", "cards/equipment")
def has_no_target(position: Position, side: int, name: str) -> Fault | None:
    return None if targets(position, side, cards()[name]) else Fault()


PLAY_RESTRICTIONS = (too_dear, strategy_was_played, too_much_equipment, has_no_target)


@rule("cards/burn-cost")
def cannot_play(position: Position, side: int, name: str) -> Fault | Refusal | None:
    """Why a side cannot play a card that it holds, or None."""
    return first_refusal(PLAY_RESTRICTIONS, position, side, name)


# ---------------------------------------------------------------- targets


def targets(position: Position, side: int, card: Card) -> list[int]:
    """Rows of the squads or models that a card may be played on; only ``NOBODY`` for a card without a target."""
    if card.on in ("battle", "self"):
        return [NOBODY]
    of = 1 - side if card.on == "enemy-squad" else side
    squads = [unit for unit in squads_of(position, of) if may_be_on(card, unit)]
    if card.on == "friendly-model":
        return [m.row for unit in squads for m in members(unit) if fits(card, m)]
    return [unit.row for unit in squads]


@rule("cards/tactic-one", "cards/use-limits")
def may_be_on(card: Card, unit: Unit) -> bool:
    """Whether a card may be on the squad: one Tactic card a turn, and what the card itself demands."""
    if card.kind == TACTIC and unit.marks(marks.TACTIC):
        return False
    if card.waiting and (unit.marks(marks.ACTIVATED) or is_active(unit)):
        return False
    if card.on != "friendly-model" and card.without_vehicles and any(m.profile.is_vehicle for m in members(unit)):
        return False
    return card.choose != "wounded" or bool(wounded(unit))


@rule("turn/squad-activation")
def is_active(unit: Unit) -> bool:
    """Whether the squad's activation is under way."""
    return (SQUAD_ENDS, unit.row) in stack(unit.position)


def fits(card: Card, model: Model) -> bool:
    """Whether a card may be on the model."""
    if card.without_vehicles and model.profile.is_vehicle:
        return False
    return card.choose != "weapon" or bool(scoped(model))


@rule("starter-cards/scope")
def scoped(model: Model) -> list[str]:
    """Ids of the model's ranged weapons that have a range and no template."""
    return [w.id for w in model.profile.weapons if any(f.range is not None and not f.area for f in w.fires)]


@rule("starter-cards/field-dressing")
def wounded(unit: Unit) -> list[Plain]:
    """The squad's models that lack a wound (a row), and vehicle locations that lack PS (a row and a name)."""
    found: list[Plain] = []
    for model in members(unit):
        if model.profile.is_vehicle:
            lost = [one.name for one in locations.locations(model) if model.marks(locations.PS_LOST + one.name)]
            found += [(model.row, name) for name in lost]
        elif model.marks(marks.WOUNDS):
            found.append(model.row)
    return found


def choices(position: Position, card: Card, target: int) -> list[Plain]:
    """What can be chosen together with the target, if anything."""
    if card.choose == "weapon":
        return list(scoped(position.model(target)))
    return wounded(Unit(position, target)) if card.choose == "wounded" else []


# ---------------------------------------------------------------- effects


@rule("cards/burn-cost", "cards/strategy", "cards/tactic", "cards/equipment")
def play(position: Position, side: int, name: str, target: int = NOBODY, chosen: Plain = None) -> None:
    """Pay for a card, put it into play and carry out its immediate effects."""
    card = cards()[name]
    burn(position, side, card.cost, "card")
    hand = list(position.hand(side, marks.HAND))
    hand.remove(name)
    position.hold(side, marks.HAND, hand)
    told: dict[str, Plain] = {ON[card.on]: target} if target != NOBODY else {}
    position.reveal("card-played", side=side, card=name, **told)
    count_it(position, card, target)
    bearer = side if card.on == "self" else target
    until = "" if card.kind == EQUIPMENT else marks.TURN
    details = () if chosen is None else tuple(chosen) if isinstance(chosen, list | tuple) else (chosen,)
    position.begin(Effect(card.rule, bearer, until=until, value=(name, side, *details), on=ON[card.on]))
    at_once(position, side, card, details)


@rule("cards/strategy-one", "cards/tactic-one", "cards/use-limits")
def count_it(position: Position, card: Card, target: int) -> None:
    if card.kind == STRATEGY:
        position.declare(marks.STRATEGY_PLAYED, True)
    elif card.kind == TACTIC and target != NOBODY:
        Unit(position, target).mark(marks.TACTIC, 1)


@rule("starter-cards/generator", "starter-cards/field-dressing", "cards/equipment")
def at_once(position: Position, side: int, card: Card, details: Sequence[Plain]) -> None:
    """A Resource that the card brings comes ready; lost wounds or PS are restored."""
    added = resources_of(card)
    if added:
        position.gain(side, marks.RESOURCES, added)
    for row in card.do:
        if row.restore is not None:
            restore(position, details, row.restore)


@rule("starter-cards/field-dressing")
def restore(position: Position, details: Sequence[Plain], count: int) -> None:
    """Restore up to ``count`` wounds or PS, never above the starting number."""
    model = position.model(int(str(details[0])))
    if model.profile.is_vehicle:
        locations.restore(model, str(details[1]), count)
    else:
        model.mark(marks.WOUNDS, max(0, model.marks(marks.WOUNDS) - count))
