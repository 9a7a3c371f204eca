"""The odds of a ranged attack: the tests before it, its own stages, the hits resolved, all of it enumerated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from campale.dice.bags import Bags
from campale.dice.counts import Chances, chances_of
from campale.dice.needs import Need
from campale.dice.odds import OddsError, Policy, first_suggestion
from campale.dice.stages import AnyStage, Each
from campale.mechanics.script_form import as_proposed
from campale.mechanics.steps import mixed, numbers, step
from campale.referee.looks import Forecast, Step
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, forbids, success
from campale.rulesets.wzr.armoury.weapons import Gun, rof_of
from campale.rulesets.wzr.basics.dice import FACES, needed
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.odds.harm import has_many, lost_by, notes_of
from campale.rulesets.wzr.shooting.cover import NO_PIECE, cover
from campale.rulesets.wzr.shooting.declaring import (
    aiming,
    declaration,
    must_identify,
    to_reclaim,
    usable,
    why_not_laid,
)
from campale.rulesets.wzr.shooting.fire import skill
from campale.rulesets.wzr.shooting.plan import RAPID, SHOOT, Plan, gun_used
from campale.rulesets.wzr.shooting.shoot import IDENTIFIED, STUN, refilled, stages_of
from campale.rulesets.wzr.shooting.targets import is_stealthy, why_not
from campale.rulesets.wzr.shooting.templates import Landing, template_of, touched
from campale.rulesets.wzr.squads.leadership import own_need
from campale.rulesets.wzr.vehicles.firing import FIRE
from campale.rulesets.wzr.wounds.hits import Hit
from campale.rulesets.wzr.wounds.resolving import STAGES, Harm
from campale.table.measure import is_behind
from campale.table.shapes import Circle, Solid

MOST_BAGS = 4_000
SHOOTING = "shooting"
NAMES = (SHOOT, RAPID, FIRE)
Case = tuple[float, Plan | None]


# ---------------------------------------------------------------- the tests before it


def chance(need: Need) -> float:
    return sum(need.are_met_by(range(1, FACES + 1))) / FACES


@rule("shooting/target-identified", "abilities/stealthy", "vehicles/shoot-failed-ld")
def cases(position: Position, plan: Plan, share: float = 1.0) -> Iterator[Case]:
    """The attacks that may come of a declaration, with their chances; None: the attack is lost."""
    if must_identify(position, plan):
        model = position.model(plan.shooter)
        passed = 1.0 if success(IDENTIFIED, model) is not None else chance(own_need(model, IDENTIFIED))
        yield from cases(position, plan.but(identified=True), share * passed)
        if passed < 1.0:
            yield from after_failure(position, plan, share * (1.0 - passed))
        return
    gun = gun_used(position, plan)
    rows = dict.fromkeys(row for row in plan.targets if row >= 0 and row not in plan.made_out)
    hidden = next((row for row in rows if is_stealthy(gun, position.model(row))), None)
    if hidden is None:
        yield share, plan
        return
    passed = chance(needed(skill(gun)))
    yield from cases(position, plan.but(made_out=(*plan.made_out, hidden)), share * passed)
    left = plan.but(left_out=(*plan.left_out, hidden))
    again = as_proposed(partial(refilled, gun, left)) if hidden != plan.primary else anew(gun, left)
    yield from ((share * (1.0 - passed), None),) if again is None else cases(position, again, share * (1.0 - passed))


def after_failure(position: Position, plan: Plan, share: float) -> Iterator[Case]:
    gun = gun_used(position, plan)
    again = None if gun.model.profile.is_vehicle else anew(gun, plan.but(bound=True))
    yield from ((share, None),) if again is None else cases(position, again, share)


def anew(gun: Gun, plan: Plan) -> Plan | None:
    """Other targets, as is proposed."""
    return as_proposed(partial(aiming, gun, plan.but(targets=(), at=(), location="")))


# ---------------------------------------------------------------- one attack


async def on_models(position: Position, hits: Sequence[Any]) -> list[Hit]:
    """The hits on models; what terrain suffers is left out."""
    return [one for one in hits if isinstance(one, Hit) and one.target >= 0]


ON_MODELS = Each("on-models", on_models)


class Firing:
    """The stages of what may come of a declared attack, from a copy of the position."""

    def __init__(self, position: Position, plan: Plan, policy: Policy | None = None) -> None:
        self.before, self.plan, self.policy = position.copy(), plan, policy or first_suggestion
        self.decided: dict[str, None] = {}
        self.side = 1 - position.side_of[plan.shooter]
        self.gun = gun_used(self.before, plan)
        self.cases = list(cases(self.before, plan))
        self.landings: dict[Any, Landing] = {}
        self.bags: dict[Plan, Bags] = {}
        self.begun: dict[Plan, tuple[tuple[Any, ...], tuple[AnyStage, ...]]] = {}

    def alike(self, thing: Any) -> Any:
        """Circles under which the same models lie come to the same."""
        if not isinstance(thing, Landing):
            return thing
        struck = touched(self.before, template_of(self.gun), thing.at, thing.z)
        centre = Solid(Circle(0.0), *thing.at, thing.z)
        rear = tuple(m.profile.is_vehicle and is_behind(m.solid, centre) for m in struck)
        key = tuple(m.row for m in struck), rear, thing.power, thing.meant
        return self.landings.setdefault(key, thing)

    def staged(self) -> Iterator[tuple[float, Bags | None, tuple[Any, ...], tuple[AnyStage, ...]]]:
        """Of each attack that may come of it: its chance, what enumerates it, what it begins with, its stages."""
        for share, plan in self.cases:
            if plan is None:
                yield share, None, (), ()
                continue
            if plan not in self.bags:
                self.bags[plan] = Bags(self.before, self.policy, self.alike, most_bags=MOST_BAGS)
            things, stages = self.begun.setdefault(plan, stages_of(self.before, plan))
            yield share, self.bags[plan], things, (*stages, ON_MODELS)

    def counted(self, count: Callable[[Any], int]) -> Chances:
        """The chances of a number of hits."""
        nothing = chances_of({0: 1.0})
        found = (
            (share, nothing if bags is None else bags.numbers(stages, things, count))
            for share, bags, things, stages in self.staged()
        )
        return mixed(found)

    def ends(self) -> dict[Harm | None, float]:
        """What the hits may leave behind."""
        found: dict[Harm | None, float] = {}
        for share, bags, things, stages in self.staged():
            ends = {(None,): 1.0} if bags is None else bags.ends((*stages, *STAGES), things)
            for (harm,), part in ends.items():
                found[harm] = found.get(harm, 0.0) + share * part
            self.decided.update({} if bags is None else bags.decided)
        return found

    @rule("shooting/sequence", "core/removal", "templates/area-attack")
    def steps(self) -> Iterator[Step]:
        """Whether it comes to the shots as declared, hits on both sides, wounds, losses on both sides."""
        meant = sum(share for share, plan in self.cases if plan is not None and plan.primary == self.plan.primary)
        if meant < 1.0:
            sure = chances_of({1: meant, 0: 1.0 - meant})
            yield step("as-declared", "shooting/target-identified", sure)
        if STUN in self.gun.rules:
            yield step("stunned", "armoury/grenade-stun-effect", self.counted(self.stuns), is_main=True)
            return
        yield step("hits", "shooting/sequence", self.counted(self.on_enemies))
        friends = self.counted(self.on_friends)
        if len(friends) > 1:
            yield step("hits-friends", "core/friendly-fire", friends)
        yield from self.of_ends(self.ends())

    def of_ends(self, ends: dict[Harm | None, float]) -> Iterator[Step]:
        lost = {harm: lost_by(self.before, self.side, harm) for harm in ends}
        struck = [self.before.model(row) for row in self.plan.targets if row >= 0]
        if any(has_many(model) for model in struck):
            yield step("wounds-lost", "core/wound-effect", numbers(ends, lambda harm: lost[harm][1]))
        own = numbers(ends, lambda harm: lost_by(self.before, 1 - self.side, harm)[0])
        if len(own) > 1:
            yield step("own-losses", "core/friendly-fire", own)
        yield step("losses", "core/removal", numbers(ends, lambda harm: lost[harm][0]), is_main=True)

    def on_enemies(self, hit: Hit) -> int:
        return int(self.before.side_of[hit.target] == self.side)

    def on_friends(self, hit: Hit) -> int:
        return int(self.before.side_of[hit.target] != self.side)

    def stuns(self, hit: Hit) -> int:
        """An enemy on a small base who can be stunned."""
        model = self.before.model(hit.target)
        return int(model.side == self.side and model.profile.size == 1 and not forbids("stun", About(model)))


def forecast(position: Position, plan: Plan, policy: Policy | None = None) -> Forecast | None:
    """Of one attack at models; None of one at terrain, or at a point under which nobody lies."""
    gun = gun_used(position, plan)
    if plan.piece:
        return None
    target = plan.primary if plan.primary >= 0 else nearest_to(gun, plan)
    if target < 0:
        return None
    dice = len(plan.targets) if plan.targets and not gun.fire.area else rof_of(gun, plan.extra)
    begun = Forecast(plan.shooter, target, (plan.gun,), (), (SHOOTING,), dice=dice)
    try:
        firing = Firing(position, plan, policy)
        found = tuple(firing.steps())
    except OddsError:
        return replace(begun, gap="too-many")
    notes = notes_of(position, [row for row in plan.targets if row >= 0])
    return replace(begun, steps=found, decided=tuple(firing.decided), notes=notes)


def nearest_to(gun: Gun, plan: Plan) -> int:
    """The enemy nearest to the point at which a grenade is thrown."""
    enemies = gun.model.position.on_table(1 - gun.model.side)
    nearest = min(enemies, key=lambda m: (m.x - plan.at[0]) ** 2 + (m.y - plan.at[1]) ** 2, default=None)
    return -1 if nearest is None else nearest.row


# ---------------------------------------------------------------- what is asked


@rule("shooting/legal-target", "shooting/reclaim-cover")
def fire_forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """What a model may shoot at another now: every gun, all of its attacks at that one."""
    model, aim = position.model(row), position.model(target)
    if model.side == aim.side or not (model.is_on_table and aim.is_on_table) or is_engaged(model):
        return []
    plans = [plan_at(gun, aim) for gun in usable(model, SHOOT)]
    found = [forecast(position, plan) for plan in plans if plan is not None]
    return [one for one in found if one is not None]


def plan_at(gun: Gun, target: Model) -> Plan | None:
    """All attacks of a gun at a target, past the piece that is best reclaimed; None if it is no legal one."""
    bare = Plan(shooter=gun.model.row, gun=gun.key)
    names = [name for name in (*to_reclaim(gun, [target]), NO_PIECE) if why_not(gun, target, name) is None]
    if not names:
        return None
    best = max(names, key=lambda name: cover(gun.model, target, name).part.value)
    if gun.fire.is_wedge:
        laid = bare.but(at=target.at, targets=(target.row,), reclaimed=best)
        return laid if why_not_laid(gun, laid, target.at) is None else None
    tests = 1 if gun.fire.area else rof_of(gun)
    return bare.but(targets=(target.row,) * tests, reclaimed=best)


def fire_forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Of an attack as far as it is declared, the rest as is proposed."""
    if question.prompt != "act" or not isinstance(answer, list | tuple) or not answer or answer[0] not in NAMES:
        return None
    model = position.model(int(question.about["model"]))
    action = SHOOT if answer[0] == FIRE else str(answer[0])
    plan = as_proposed(partial(declaration, model, action), answer[1:])
    return None if plan is None else forecast(position, plan)
