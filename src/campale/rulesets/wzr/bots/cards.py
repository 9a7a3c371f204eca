"""How bots use cards and Resources: a table of each card's worth in points, with nothing played through.

This is a judgement, not a rule. A card is played if it promises more than its Resources would bring otherwise; that is
less the fewer squads are left to act in the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import ANNIHILATION, BREAKTHROUGH, STRONGPOINTS
from campale.rulesets.wzr.bots.prospects import Fighter, Threats, fighters, threats
from campale.rulesets.wzr.bots.stakes import turns_to_come
from campale.rulesets.wzr.cards.catalogue import EQUIPMENT, STRATEGY, TACTIC, Kind, cards
from campale.rulesets.wzr.cards.in_play import in_play, name_of
from campale.rulesets.wzr.cards.playing import NOBODY, cannot_play, choices, targets
from campale.rulesets.wzr.cards.windows import PASS
from campale.rulesets.wzr.options import Options
from campale.rulesets.wzr.squads.squads import members, squads_of
from campale.rulesets.wzr.turn.points import done

RESOURCE = 2.5
"""What a Resource brings otherwise, in points, at the beginning of a turn."""
AIM, CLOUD, STORM, TRAINING = 0.15, 0.2, 0.17, 0.08
"""Which share of the harm by fire comes from +2, from -2, from a storm, and from +1."""
HESITANT, AGAIN, SUPPRESSED, STEADY, MUD = 0.35, 0.5, 0.2, 0.1, 0.1
PLATE, SCOPE, BLADE, SUPPLIES, CURRENT = 0.04, 1.5, 2.0, 0.05, 2.2
LONG, NIGHT = 12.0, 18.0
JAMMED = 0.12
"""Which share of the harm by fire comes from Sentries and from tests to pick a farther target."""
AN_INCH = {ANNIHILATION: 0.02, STRONGPOINTS: 0.03, BREAKTHROUGH: 0.04}
"""What one more inch of Walk is worth to a model with nobody to fire at or charge, as a share of its points."""
THIRD = 4.0
"""The least harm in points for which a third AP is taken."""

FIRST_TO_GO = ("radio-jamming", "forced-march", "scope", "quagmire", "cold-blood", "field-dressing", "suppressing-fire")
"""The cards that are discarded first."""


class Blow(NamedTuple):
    """The most that a model may take off one enemy, in points: by fire (with the distance ``far``), and by combat."""

    row: int
    fire: float
    far: float
    blows: float


class View(NamedTuple):
    """``of``: what each model of a side may do. ``against``: by row, what enemies still to act may do to it by fire."""

    position: Position
    side: int
    of: tuple[dict[int, Blow], dict[int, Blow]]
    against: dict[int, float]


def view_of(position: Position, side: int) -> View:
    both = fighters(position)
    found = tuple(taken(both[k], both[1 - k], what) for k, what in enumerate(threats(position, both[0], both[1])))
    of = tuple({blow.row: blow for blow in strongest(both[k], both[1 - k], found[k])} for k in (0, 1))
    against = {one.row: 0.0 for one in both[side]}
    for other, fire in zip(both[1 - side], found[1 - side].fire.tolist(), strict=True):
        if may_act(position.model(other.row)):
            for one, harm in zip(both[side], fire, strict=True):
                against[one.row] += harm / len(both[side])
    return View(position, side, (of[0], of[1]), against)


def taken(ones: Sequence[Fighter], others: Sequence[Fighter], what: Threats) -> Threats:
    """What each of the ones may take off each of the others, in points (n, m)."""
    able = np.array([one.able for one in ones])[:, None]
    left, worth = np.array([(other.left, other.worth) for other in others], np.float64).reshape(-1, 2).T
    return Threats(*(able * worth * np.minimum(1.0, wounds / left) for wounds in what))


def strongest(ones: Sequence[Fighter], others: Sequence[Fighter], what: Threats) -> Iterator[Blow]:
    """The most that each of the ones may take off one of the others."""
    for one, fire, blows in zip(ones, what.fire.tolist(), what.blows.tolist(), strict=True):
        most = max(fire, default=0.0)
        at = others[fire.index(most)] if most > 0.0 else one
        apart = ((one.x - at.x) ** 2 + (one.y - at.y) ** 2) ** 0.5
        yield Blow(one.row, most, apart, max(blows, default=0.0))


def may_act(model: Model) -> bool:
    """Whether the model is still to act in this turn."""
    return not (model.marks(marks.ACTED) or model.unit.marks(marks.ACTIVATED))


def to_act(view: View, side: int) -> list[Blow]:
    """What the models of a side that are still to act may do."""
    return [blow for blow in view.of[side].values() if may_act(view.position.model(blow.row))]


def in_squad(view: View, side: int, row: int) -> list[Blow]:
    return [blow for blow in to_act(view, side) if view.position.unit_of[blow.row] == row]


# ---------------------------------------------------------------- the worth of a card, in points


def beyond(view: View, limit: float) -> float:
    """How much the enemy's fire from beyond ``limit`` exceeds one's own, in points."""
    sums = [sum(blow.fire for blow in to_act(view, side) if blow.far > limit) for side in (0, 1)]
    return sums[1 - view.side] - sums[view.side]


def marches(view: View) -> float:
    """How much more one's models that can do no harm yet gain from a longer march than the enemy's do, in points."""
    inch = AN_INCH.get(str(view.position.now.get("mission")), 0.0)
    sums = [sum(idle_worth(view, blow) for blow in to_act(view, side)) for side in (0, 1)]
    return inch * (sums[view.side] - sums[1 - view.side])


def idle_worth(view: View, blow: Blow) -> float:
    return 0.0 if max(blow.fire, blow.blows) > 0.0 else float(view.position.model(blow.row).profile.points)


def charges(view: View) -> float:
    sums = [sum(blow.blows for blow in to_act(view, side)) for side in (0, 1)]
    return sums[1 - view.side] - sums[view.side]


def fire_of(view: View, row: int) -> float:
    return sum(blow.fire for blow in in_squad(view, view.side, row))


def fire_at(view: View, row: int) -> float:
    return sum(view.against.get(m.row, 0.0) for m in members(Unit(view.position, row)))


def hesitant(view: View, row: int) -> float:
    return HESITANT * sum(max(blow.fire, blow.blows) for blow in in_squad(view, 1 - view.side, row))


def healed(view: View, row: int) -> float:
    return max((m.profile.points / max(1, m.profile.w) for m in members(Unit(view.position, row))), default=0.0)


def plated(view: View, row: int) -> float:
    model = view.position.model(row)
    return PLATE * float(model.profile.points) * (1.0 if model.profile.w > 1 else 0.5)


def bladed(view: View, row: int) -> float:
    return BLADE if view.of[view.side][row].blows > 0.0 else 0.0


def generated(view: View, row: int) -> float:
    options: Options = view.position.ruleset.options
    left = 0 if options.resources_once else turns_to_come(view.position)
    return CURRENT * (1 + left)


Worth = Callable[[View, int], float]

WORTHS: dict[str, Worth] = {
    "sandstorm": lambda view, row: STORM * beyond(view, LONG),
    "moonless-night": lambda view, row: beyond(view, NIGHT),
    "radio-jamming": lambda view, row: JAMMED * beyond(view, 0.0),
    "forced-march": lambda view, row: marches(view),
    "quagmire": lambda view, row: MUD * charges(view),
    "suppressing-fire": lambda view, row: SUPPRESSED * fire_of(view, row),
    "cold-blood": lambda view, row: STEADY * fire_at(view, row),
    "steady-aim": lambda view, row: AIM * fire_of(view, row),
    "onslaught": lambda view, row: AGAIN * sum(blow.blows for blow in in_squad(view, view.side, row)),
    "hesitation": hesitant,
    "smoke": lambda view, row: CLOUD * fire_at(view, row),
    "field-dressing": healed,
    "shop-drills": lambda view, row: TRAINING * fire_of(view, row),
    "scope": lambda view, row: SCOPE,
    "reinforced-plate": plated,
    "monofilament-blade": bladed,
    "medical-supplies": lambda view, row: SUPPLIES * sum(m.profile.points for m in members(Unit(view.position, row))),
    "generator": generated,
}
"""Each card's worth, given the view and the row it is played on. The back of a card is not in the table."""


def price(position: Position, side: int) -> float:
    """What a Resource is worth now, in points.

    Resources that turn up again are worth nothing once all squads have acted.
    """
    options: Options = position.ruleset.options
    squads = squads_of(position, side)
    left = sum(not unit.marks(marks.ACTIVATED) for unit in squads)
    return RESOURCE * (1.0 if options.resources_once else left / max(1, len(squads)))


def best_card(position: Position, side: int, kinds: tuple[Kind, ...]) -> tuple[list[Plain], float]:
    """The card that promises most beyond its price, as a window's form wants it, and its gain.

    Without such a card: passing, and 0.
    """
    able = [str(name) for name in dict.fromkeys(position.hand(side, marks.HAND)) if name in WORTHS]
    able = [name for name in able if cards()[name].kind in kinds and cannot_play(position, side, name) is None]
    if not able:
        return [PASS], 0.0
    view, each = view_of(position, side), price(position, side)
    found = [
        (WORTHS[name](view, row) - each * cards()[name].cost, name, row)
        for name in able
        for row in targets(position, side, cards()[name])
        if not repeats(position, side, name, row)
    ]
    gain, name, row = max(found, default=(0.0, "", NOBODY))
    return (filled(position, name, row), gain) if gain > 0.0 else ([PASS], 0.0)


def repeats(position: Position, side: int, name: str, row: int) -> bool:
    """Whether the card only grants what the same card, on the same bearer, has granted already."""
    there = [one for one in in_play(position, side) if name_of(one) == name and one.bearer == row]
    return bool(there) and all(grant.at_least is not None for grant in cards()[name].do)


def filled(position: Position, name: str, row: int) -> list[Plain]:
    chosen = choices(position, cards()[name], row)
    return [name, *([row] if row != NOBODY else []), *chosen[:1]]


# ---------------------------------------------------------------- the answers


def best_in_window(position: Position, question: Question) -> tuple[list[Plain], float]:
    assert question.side is not None
    kinds: tuple[Kind, ...] = (TACTIC,) if question.prompt.startswith("tactic") else (STRATEGY, EQUIPMENT)
    return best_card(position, question.side, kinds)


def in_window(position: Position, question: Question) -> Plain:
    return best_in_window(position, question)[0]


def advice_in_window(position: Position, question: Question, about: About) -> Advice:
    """Passing, and the most promising card if one is worth its price."""
    answer, gain = best_in_window(position, question)
    nothing: tuple[Plain, float] = [PASS], 0.0
    return [nothing] if answer == [PASS] else [(answer, gain), nothing]


def keeps(position: Position, question: Question) -> Plain:
    return "keep"


def thrown(position: Position, question: Question) -> Plain:
    """The card that is missed least."""
    assert question.side is not None
    hand = [str(name) for name in position.hand(question.side, marks.HAND)]
    return min(hand, key=lambda name: FIRST_TO_GO.index(name) if name in FIRST_TO_GO else len(FIRST_TO_GO))


def draws(position: Position, question: Question) -> Plain:
    """Burn a Resource to draw, if Resources turn up again: unburned ones are worth nothing by now."""
    options: Options = position.ruleset.options
    return "no" if options.resources_once else "yes"


def goes_on(position: Position, question: Question) -> Plain:
    """Take a third AP if the model has not shot yet and has something to shoot at."""
    assert question.side is not None
    row = int(str(question.about["model"]))
    if "shoot" in done(position.model(row)):
        return "no"
    return "yes" if view_of(position, question.side).of[question.side][row].fire > THIRD else "no"


ANSWERS: dict[str, Callable[[Position, Question], Plain]] = {
    **{f"tactic-{whose}-{when}": in_window for whose in ("own", "enemy") for when in ("first", "between", "last")},
    **{f"strategy-{when}": in_window for when in ("first", "between", "last")},
    "mulligan": keeps,
    "discard-down": thrown,
    "draw-more": draws,
    "third-ap": goes_on,
}


ADVICE = dict.fromkeys((prompt for prompt in ANSWERS if ANSWERS[prompt] is in_window), advice_in_window)
"""Advice for card windows, used by standing orders that ask only if a card is worth its price."""
