"""Everything this book gives odds for: every way to shoot at a model now, or the shooting being declared."""

from __future__ import annotations

from msgspec.structs import replace

from campale.dice.odds import OddsError
from campale.referee.looks import Forecast
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import distance
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.odds.melee_odds import CHARGE, charge_forecast, melee_forecast
from campale.rulesets.ragnarok.odds.nerve_odds import Nerves
from campale.rulesets.ragnarok.odds.reaction_odds import answered_charges, of_reaction, shot_answered
from campale.rulesets.ragnarok.odds.shooting_odds import THROW_AT, Policy, Shooting
from campale.rulesets.ragnarok.odds.thrown_odds import THROW_POINT, forecast_of_throw
from campale.rulesets.ragnarok.shooting import fire
from campale.rulesets.ragnarok.shooting.fire import FIRE, SUPPRESSIVE, Shot
from campale.rulesets.ragnarok.shooting.thrown import targets_of_throw
from campale.rulesets.ragnarok.shooting.weapon_rules import PLAIN, doublings, rate_used, weapon_of, weapon_refusal
from campale.rulesets.ragnarok.turn.actions import ACTIONS, fire_weapons, no_charge, no_target, suppressive_weapons

# ---------------------------------------------------------------- forecasts of a model at a target


def forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """Return a forecast for every way to shoot at a model now: each weapon, each doubling, and to suppress.

    Forecasts of the melee and of a charge follow.
    """
    model, aim = position.model(row), position.model(target)
    if model.side == aim.side or not (is_able(model) and aim.is_on_table):
        return []
    nerves = Nerves()
    shots = [forecast(position, shot, None, nerves) for shot in (*shots_at(model, aim), *throws_at(model, aim))]
    by_hand = [melee_forecast(position, row, target)]
    if may_charge_at(model, aim):
        by_hand += [charge_forecast(position, row, target), *answered_charges(position, row, target)]
    return [*shots, *(one for one in by_hand if one is not None)]


def may_charge_at(model: Model, target: Model) -> bool:
    charge = ACTIONS["charge"]
    return charge.refusal(model) is None and no_charge(model, target.row) is None


def shots_at(model: Model, target: Model) -> list[Shot]:
    usable = [k for k in fire_weapons(model) if is_usable(model, target, k)]
    kinds = [(FIRE, k) for k in usable] + [(SUPPRESSIVE, k) for k in suppressive_weapons(model) if k in usable]
    return [
        shot_as_now(model, target.row, k, kind, way)
        for kind, k in kinds
        for way in doublings(model, weapon_of(model, k))
    ]


@rule("weapon-rules/thrown")
def throws_at(model: Model, target: Model) -> list[Shot]:
    """Return the possible throws at a model now, one for each kind of weapon."""
    if all(one is not target for one in targets_of_throw(model)):
        return []
    found: dict[str, Shot] = {}
    for k in fire_weapons(model):
        weapon = weapon_of(model, k)
        if weapon.kind == "thrown" and weapon_refusal(model, k) is None:
            found.setdefault(weapon.id, shot_as_now(model, target.row, k, FIRE, PLAIN))
    return list(found.values())


def is_usable(model: Model, target: Model, weapon: int) -> bool:
    if weapon_of(model, weapon).kind != "ranged" or weapon_refusal(model, weapon) is not None:
        return False
    return no_target(model, target.row, weapon) is None


def shot_as_now(model: Model, target: int, weapon: int, kind: str, way: str) -> Shot:
    """Return the shot as it would be if it were declared now."""
    is_aimed = model.position.declared.get("aimed") == model.row
    return Shot(model.row, target, weapon, kind, way, is_aimed, bool(model.marks("hidden")))


# ---------------------------------------------------------------- forecasts of an answer


def forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Return the forecast of a shooting or charge being declared, of a reaction's weapon, or of the melee to fight."""
    if question.prompt in BY_HAND:
        found = BY_HAND[question.prompt](position, question, answer)
        if found is not None:
            return found
    shot = DECLARED[question.prompt](position, question, answer) if question.prompt in DECLARED else None
    return None if shot is None else forecast(position, shot)


def of_action(position: Position, question: Question, answer: Plain) -> Shot | None:
    """Return the shot of a Fire or Suppressive Fire with known model, weapon and target: [model, action, ...].

    A thrown weapon names its target later; the nearest that may be named is assumed.
    """
    if not isinstance(answer, list | tuple) or len(answer) < 3 or answer[1] not in (FIRE, SUPPRESSIVE):
        return None
    row, kind, weapon, *details = answer
    model = position.model(row)
    if weapon_of(model, weapon).kind == "thrown":
        targets = sorted(targets_of_throw(model), key=lambda one: (distance(model, one), one.row))
        return shot_as_now(model, targets[0].row, weapon, kind, PLAIN) if targets else None
    if not details:
        return None
    target, *doubling = details
    return shot_as_now(position.model(row), target, weapon, kind, doubling[0] if doubling else PLAIN)


def of_act(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Return the forecast of a Charge, or of a Fire whose weapon can only be thrown at a point, named later."""
    if isinstance(answer, list | tuple) and len(answer) == 3 and answer[1] == FIRE:
        model, weapon = position.model(answer[0]), weapon_of(position.model(answer[0]), answer[2])
        if weapon.kind == "thrown" and not targets_of_throw(model):
            return Forecast(model.row, model.row, (weapon.id,), (), gap="point-later")
    return of_charge(position, question, answer)


def of_charge(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Return the forecast of a Charge with a known target: [model, action, target].

    While its path is being drawn there is no forecast: the path is judged many times, and a melee may take long to
    compute.
    """
    if not isinstance(answer, list | tuple) or len(answer) != 3 or answer[1] != CHARGE:
        return None
    return charge_forecast(position, answer[0], answer[2])


def of_melee(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Return the forecast of the chosen melee, from the side of the player asked."""
    own = [row for row in answer if position.side_of[row] == question.side]
    foes = [row for row in answer if position.side_of[row] != question.side]
    return melee_forecast(position, own[0], foes[0]) if own and foes else None


def of_weapon(position: Position, question: Question, answer: Plain) -> Shot:
    """Return the shot of a reaction with a weapon; whether it comes from hiding, the question says."""
    about = question.about
    return Shot(about["model"], about["target"], int(answer), fire.REACTION, from_hiding=bool(about.get("hidden")))


def of_doubling(position: Position, question: Question, answer: Plain) -> Shot | None:
    """Return the shot of a reaction at a rate; within a declaration, the whole answer has the forecast."""
    if "hidden" not in question.about:
        return None
    return replace(of_weapon(position, question, question.about["weapon"]), doubling=str(answer))


def of_declared(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Return the forecast of a reaction; for a shot, its stages; for one that waits for a shot, those of that shot."""
    awaited = of_answered_shot(position, question, answer)
    if awaited is not None:
        return awaited
    found = of_reaction(position, question, answer)
    return replace(forecast(position, found), notes=("as-now",)) if isinstance(found, Shot) else found


def of_answered_shot(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Return the forecast of the declared shot that is answered."""
    answered = shot_answered(position, question, answer)
    if answered is None:
        return None
    found = forecast(*answered)
    return replace(found, ways=("declared", *found.ways))


DECLARED = {"act": of_action, "reaction-weapon": of_weapon, "doubling": of_doubling}
BY_HAND = {
    "act": of_act,
    "which-melee": of_melee,
    "reaction": of_declared,
    "reactions": of_answered_shot,
    THROW_AT: forecast_of_throw,
    THROW_POINT: forecast_of_throw,
}


# ---------------------------------------------------------------- stage by stage


@rule("fire/sequence", "suppressive-fire/action")
def forecast(position: Position, shot: Shot, policy: Policy | None = None, nerves: Nerves | None = None) -> Forecast:
    """Return the stages of one shooting or throw, up to losses and failed tests of nerve.

    Players decide by the policy, by default as proposed.
    """
    return forecast_by(Shooting(position, shot, policy, nerves))


def forecast_by(shooting: Shooting) -> Forecast:
    shot, weapon = shooting.shot, weapon_of(shooting.shooter, shooting.shot.weapon)
    ways = tuple(way for way in (shot.kind, shot.doubling) if way not in (FIRE, PLAIN))
    dice = 1 if shooting.is_thrown else rate_used(weapon, shot.doubling)
    is_too_far = not shooting.is_thrown and fire.is_out_of_range(shooting.position, shot)
    begun = Forecast(shot.shooter, shot.target, (weapon.id,), (), ways, dice, gap="out-of-range" if is_too_far else "")
    if is_too_far and not shooting.spends:
        return begun
    try:
        steps = tuple(shooting.steps())
    except OddsError:
        return replace(begun, gap="too-many")
    decided = ("exploration-points",) if shooting.spends else shooting.chain.decided
    return replace(begun, steps=steps, decided=tuple(one for one in decided if one != THROW_AT))
