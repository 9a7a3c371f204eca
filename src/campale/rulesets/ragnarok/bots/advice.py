"""The worth of answers to a bot that does not look ahead: who acts and how, targets, reactions.

It is a judgement, not a rule: the points that an act is expected to cost the enemy, or the worth of a step nearer to
the mission's goals. Where this module gives no advice, the proposals of the questions decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from campale.mechanics.judgement.advice import About, Advice, by_prompt
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.ruleset import WASTE, Advised
from campale.rulesets.ragnarok.basics.measuring import distance
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.basics.special import flight, moves_free
from campale.rulesets.ragnarok.battle.missions import HOLDING, places_wanted
from campale.rulesets.ragnarok.bots.prospects import Fighter, Threat, fighter, passing, threats_between
from campale.rulesets.ragnarok.bots.shots import (
    at_whom,
    at_whom_to_throw,
    chance_of_total,
    doubled_or_not,
    has_any_shot,
    has_any_throw,
    with_which_to_react,
    with_which_weapon,
)
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged
from campale.rulesets.ragnarok.moving.movement import leads_somewhere
from campale.rulesets.ragnarok.turn.abilities import ABILITIES, friends_within, usable
from campale.rulesets.ragnarok.turn.actions import move_limit, without_effect
from campale.rulesets.ragnarok.turn.commander import commander
from campale.rulesets.ragnarok.turn.declaring import points_left
from campale.rulesets.ragnarok.turn.tactical import cannot_do
from campale.table.shapes import Point

END, HAND_OUT, NONE = "end", "hand-out", "none"
LEADER = {"assassination": 200.0}
"""The worth of the commander beyond its points, by mission."""
AT_THE_PLACE = 1.5
"""The factor on harm to a model that stands where the mission wants a side to be."""
STRIDE_WORTH = 0.03
"""The worth of a centimetre nearer, as a share of a model's points."""
TIRED, TIRED_SHARE = 2.5, 0.2
"""The cost of another fatigue marker: points, or that share of the model's if it is more; those there add as much."""
STEADIER = 0.15
SEEN = 0.05
"""The cost of leaving hiding, as a share of a model's points; an act that is worth less is left undone."""
ABILITY, RECOVERED, HANDED = 2.0, 3.0, 0.5
"""The worth of an ability, of a marker removed, and of a point handed out, in points: seldom more than an attack."""
AIMED_SHOT, TESTED_WITH_CARE = 2, 2
"""The least charisma points needed to aim and shoot, and to concentrate and use an ability."""
LASTING = frozenset({"furious_charge", "supersteam"})
"""The abilities that change what friends near by can do until the end of the turn."""
REACTING = 0.1
"""The weight of a reaction that may come, relative to an act of the present turn."""
DIE = 3.5
REACTION = 1.0
"""The least worth of a reaction, in points."""


class Foe(NamedTuple):
    """An enemy, the bot's view of it, and its worth in points."""

    model: Model
    fighter: Fighter
    worth: float


class Chance(NamedTuple):
    """What a model may expect to cost an enemy by fire and by a charge, in points."""

    fire: float
    charge: float


class Lie(NamedTuple):
    """A side's targets: the able enemies, and the places that the mission draws it to."""

    foes: list[Foe]
    wanted: list[Point]


def lie_of(position: Position, side: int) -> Lie:
    mission, leader = str(position.now.get("mission")), commander(position, 1 - side)
    wanted, foes = places_wanted(position, side), list[Foe]()
    for model in position.on_table(1 - side):
        if is_able(model):
            seen = fighter(model)
            worth = seen.worth + (LEADER.get(mission, 0.0) if model is leader else 0.0)
            if mission == "bases" and any(math.dist(model.at, at) <= 2.0 * HOLDING for at in wanted):
                worth *= AT_THE_PLACE
            foes.append(Foe(model, seen, worth))
    return Lie(foes, wanted)


def chances_of(model: Model, foes: Sequence[Foe]) -> list[Chance]:
    """Return the chances against each enemy."""
    own = fighter(model)
    row = threats_between(model.position.ground, [own], [foe.fighter for foe in foes])[0]
    return [chance(model, own, foe, threat) for foe, (threat, _) in zip(foes, row, strict=True)]


def chance(model: Model, own: Fighter, foe: Foe, threat: Threat) -> Chance:
    fire = charge = 0.0
    if threat.fire:
        steady = own.steady * max(0.2, 1.0 - STEADIER * model.marks("fatigue"))
        fire = foe.worth * min(1.0, steady * threat.fire * foe.fighter.exposed / foe.fighter.left)
    if threat.blows:
        charge = foe.worth * min(1.0, own.steady * threat.blows / foe.fighter.left) * reaching(model, foe.model)
    return Chance(fire, charge)


def reaching(model: Model, enemy: Model) -> float:
    """Return the chance that a charge reaches an enemy."""
    far = math.dist(model.at, enemy.at) - enemy.profile.base_radius - model.profile.base_radius
    return chance_of_total(far - model.profile.movement)


# ---------------------------------------------------------------- the tactical phase


def acts_of(model: Model, lie: Lie) -> dict[str, float]:
    """Return the worth of a model's actions; tiring ones are worth less."""
    chances = chances_of(model, lie.foes)
    found = {
        "fire": max((one.fire for one in chances), default=0.0),
        "charge": max((one.charge for one in chances), default=0.0),
        "move": worth_of_a_step(model, lie, chances),
        "ability": ABILITY if not model.marks("used-ability") and is_of_use(model, lie.foes) else 0.0,
        "recover": RECOVERED * (2 * model.marks("fatigue") + model.marks("morale") + model.marks("suppressed") - 1),
    }
    tiring = tiredness(model)
    found = {name: worth - tiring * bool(model.marks(f"used-{name}")) for name, worth in found.items()}
    if model.marks("hidden"):
        found = {name: worth - SEEN * float(model.profile.points) for name, worth in found.items()}
    return {name: worth for name, worth in found.items() if worth > 0.0}


def tiredness(model: Model) -> float:
    """Return the cost of another fatigue marker: it slows every step and spoils every blow and shot of the model."""
    return max(TIRED, TIRED_SHARE * float(model.profile.points)) * (1 + model.marks("fatigue"))


def is_of_use(model: Model, foes: Sequence[Foe]) -> bool:
    """Whether a model has an ability with something to work on.

    Abilities that last until the end of the turn need somebody near to make use of them in this turn.
    """
    names = usable(model)
    return any(name not in LASTING or is_used(model, name, foes) for name in names)


def is_used(model: Model, name: str, foes: Sequence[Foe]) -> bool:
    """Whether a friend near by can still charge or shoot, or fights already if it is for the melee."""
    for friend in friends_within(model):
        left = points_left(friend) - ABILITIES[name].cost * (friend.row == model.row)
        if is_able(friend) and USES[name](friend, foes, left > 0):
            return True
    return False


def fights(friend: Model, foes: Sequence[Foe], acts: bool) -> bool:
    return is_engaged(friend) or (acts and any(reaching(friend, foe.model) > 0.0 for foe in foes))


def shoots(friend: Model, foes: Sequence[Foe], acts: bool) -> bool:
    """Return whether a weapon of a friend that may act reaches an enemy, with the usual gain in range."""
    far = max((weapon.range for weapon in friend.profile.ranged_weapons), default=0.0)
    return acts and far > 0.0 and any(distance(friend, foe.model) <= far + 2.0 * DIE for foe in foes)


USES = {"furious_charge": fights, "supersteam": shoots}
"""Whether a friend makes use of a lasting ability, by its name."""


def wasted_acts(model: Model, foes: Sequence[Foe]) -> dict[str, float]:
    """Return acts without effect: shooting out of range, aiming without a shot, charging an enemy out of reach.

    Recovering without a marker and hiding while hidden are such acts too.
    """
    found, enemies = set(without_effect(model)), [foe.model for foe in foes]
    shoots = has_any_shot(model, enemies)
    if not shoots:
        found |= {"suppressive-fire", *(() if has_any_throw(model, enemies) else ("fire",))}
    if not shoots or model.marks("hidden") or points_left(model) < AIMED_SHOT:
        found.add("aim")
    if points_left(model) < TESTED_WITH_CARE:
        found.add("concentrate")
    if not any(reaching(model, foe.model) for foe in foes):
        found.add("charge")
    return dict.fromkeys(found, WASTE)


def worth_of_a_step(model: Model, lie: Lie, chances: Sequence[Chance]) -> float:
    """Return the worth of coming nearer to the mission's goals; else to the enemy, if the model is out of reach.

    Each fatigue marker takes a die off the step. A commander does not go ahead of its force.
    """
    places = lie.wanted
    if not places:
        if any(one.fire > 0.0 or one.charge > 0.0 for one in chances):
            return 0.0
        places = [foe.model.at for foe in lie.foes]
    if leads_the_way(model, lie.foes):
        return 0.0
    far = min((math.dist(model.at, at) for at in places), default=0.0) - HOLDING / 2.0
    marks = model.marks("fatigue") + bool(model.marks("used-move"))
    step = max(0.0, min(far, float(model.profile.movement) - DIE * marks))
    return STRIDE_WORTH * float(model.profile.points) * step


def leads_the_way(model: Model, foes: Sequence[Foe]) -> bool:
    """Return whether a commander is nearer to the enemy than most of its force."""
    position = model.position
    if commander(position, model.side) is not model:
        return False
    others = [m for m in position.on_table(model.side) if m.row != model.row and is_able(m)]
    far = far_from_enemies(model, foes)
    ahead = sum(far_from_enemies(one, foes) < far for one in others)
    return 2 * ahead < len(others)


def far_from_enemies(model: Model, foes: Sequence[Foe]) -> float:
    return min((math.dist(model.at, foe.model.at) for foe in foes), default=math.inf)


def who_acts(position: Position, question: Question, about: About) -> Advice:
    side = int(position.now["side"])
    lie = lie_of(position, side)
    acts = {
        model.row: acts_with_effect(model, lie)
        for model in position.on_table(side)
        if is_able(model) and (points_left(model) > 0 or moves_free(model))
    }
    without_moves_to_nowhere(position, acts)
    worths = [(row, one[0][0] if one else -1.0) for row, one in acts.items()]
    return [(END, 0.0), (HAND_OUT, HANDED), *worths]


def acts_with_effect(model: Model, lie: Lie) -> list[tuple[float, str]]:
    """Return the worth of the acts that a model may declare and that have an effect, the best first."""
    found = acts_of(model, lie)
    wasted = wasted_acts(model, lie.foes) if found else {}
    ranked = sorted(((worth, name) for name, worth in found.items() if name not in wasted), reverse=True)
    return [(worth, name) for worth, name in ranked if cannot_do(model, name) is None]


def without_moves_to_nowhere(position: Position, acts: dict[int, list[tuple[float, str]]]) -> None:
    """Take out the best act of all, as long as it is the move of a model that stays where it is."""
    while best := max(((one[0], row) for row, one in acts.items() if one), default=None):
        (_, act), row = best
        if act != "move" or moves_on(position.model(row)):
            return
        del acts[row][0]


def moves_on(model: Model) -> bool:
    """Return whether a move takes a model anywhere."""
    return flight(model) > 0.0 or leads_somewhere(model, move_limit(model, flies=False))


def which_act(position: Position, question: Question, about: About) -> Advice:
    model = position.model(int(about["model"]))
    lie = lie_of(position, model.side)
    nowhere = {} if moves_on(model) else {"move": WASTE}
    return list({**acts_of(model, lie), **wasted_acts(model, lie.foes), **nowhere}.items())


def whom_to_give(position: Position, question: Question, about: About) -> Advice:
    """Advise giving points to the model with the best act, or else with the best chance to react."""
    found: list[Advised] = []
    for row in question.options() or ():
        model = position.model(int(str(row)))
        if is_able(model):
            lie = lie_of(position, model.side)
            reacting = max((one.fire * hurried(model) for one in chances_of(model, lie.foes)), default=0.0)
            found.append((row, max([*acts_of(model, lie).values(), REACTING * reacting])))
    return found


def at_whom_to_charge(position: Position, question: Question, about: About) -> Advice:
    model = position.model(int(about["model"]))
    foes = lie_of(position, model.side).foes
    worths = zip(foes, chances_of(model, foes), strict=True)
    return [(foe.model.row, one.charge if reaching(model, foe.model) else WASTE) for foe, one in worths]


# ---------------------------------------------------------------- reactions


def how_to_react(position: Position, question: Question, about: About) -> Advice:
    """Advise to fire or to charge if that is worth much; a repeated act in this turn tires, and is worth less."""
    model, actor = position.model(int(about["model"])), position.model(int(about["actor"]))
    seen = moved_on(fighter(actor), about)
    foe = Foe(actor, seen, seen.worth)
    found = chances_of(model, [foe])[0]
    worth = {"reaction-fire": found.fire * hurried(model), "countercharge": found.charge}
    tiring = tiredness(model)
    less = {name: REACTION + tiring * bool(model.marks(f"used-{name}")) for name in worth}
    can_fire = has_any_throw(model, [actor]) or (found.fire > 0.0 and has_any_shot(model, [actor]))
    return [
        (NONE, 0.0),
        ("reaction-fire", worth["reaction-fire"] - less["reaction-fire"] if can_fire else WASTE),
        ("countercharge", worth["countercharge"] - less["countercharge"] if reaching(model, actor) else WASTE),
    ]


def hurried(model: Model) -> float:
    """Return the share of its fire that a model keeps when it shoots in reaction."""
    skill = model.profile.shooting_skill
    return 0.0 if skill is None else passing(skill + 1) / passing(skill)


def moved_on(actor: Fighter, about: About) -> Fighter:
    """Return the acting model where its declared path ends: most reactions come after its action."""
    shown = about.get("shown")
    route = shown.get("route") if isinstance(shown, dict) else None
    if not isinstance(route, list):
        return actor
    profile, _, _, z, tall = actor.stand
    x, y = route[-1]
    return actor._replace(stand=(profile, float(x), float(y), z, tall))


advise = by_prompt(
    {
        "model": who_acts,
        "action": which_act,
        "weapon": with_which_weapon,
        "target": at_whom,
        "doubling": doubled_or_not,
        "throw-at": at_whom_to_throw,
        "hand-out-to": whom_to_give,
        "charge-target": at_whom_to_charge,
        "reaction": how_to_react,
        "reaction-weapon": with_which_to_react,
    }
)
