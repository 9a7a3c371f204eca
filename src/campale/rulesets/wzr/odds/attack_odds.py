"""The odds of one ranged attack: preceding tests, its stages, the hits resolved, all fully enumerated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from campale.dice.bags import Bags
from campale.dice.counts import Chances, chances_of
from campale.dice.needs import Need, faces_met
from campale.dice.odds import Policy, first_suggestion
from campale.dice.stages import AnyStage, Each
from campale.mechanics.script_form import as_proposed
from campale.mechanics.steps import mixed, numbers, step
from campale.referee.looks import Step
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, forbids, success
from campale.rulesets.wzr.armoury.weapons import Gun
from campale.rulesets.wzr.basics.dice import FACES, needed
from campale.rulesets.wzr.odds.harm import has_many, lost_by
from campale.rulesets.wzr.shooting.declaring import aiming, must_identify
from campale.rulesets.wzr.shooting.fire import skill
from campale.rulesets.wzr.shooting.plan import Plan, gun_used
from campale.rulesets.wzr.shooting.shoot import IDENTIFIED, STUN, refilled, stages_of
from campale.rulesets.wzr.shooting.targets import is_stealthy
from campale.rulesets.wzr.shooting.templates import Landing, reaches_piece, template_of, touched
from campale.rulesets.wzr.squads.leadership import own_need
from campale.rulesets.wzr.wounds.hits import Hit
from campale.rulesets.wzr.wounds.resolving import STAGES, Harm
from campale.table.measure import is_behind
from campale.table.shapes import Circle, Solid

MOST_BAGS = 4_000
Case = tuple[float, Plan | None]


# ---------------------------------------------------------------- tests before the attack


def chance(need: Need) -> float:
    return faces_met(need, FACES) / FACES


@rule("shooting/target-identified", "abilities/stealthy", "vehicles/shoot-failed-ld")
def cases(position: Position, plan: Plan, share: float = 1.0) -> Iterator[Case]:
    """The attacks that a declaration may become, with their chances; None means the attack is lost."""
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
    """The plan with other targets, as the form proposes them."""
    return as_proposed(partial(aiming, gun, plan.but(targets=(), at=(), location="")))


# ---------------------------------------------------------------- one attack


async def on_models(position: Position, hits: Sequence[Any]) -> list[Hit]:
    """The hits on models, without those on terrain."""
    return [one for one in hits if isinstance(one, Hit) and one.target >= 0]


ON_MODELS = Each("on-models", on_models)


class Firing:
    """The stages of whatever a declared attack may become, from a copy of the position."""

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
        """An equal thing to count instead: circles over the same models have the same result."""
        if not isinstance(thing, Landing):
            return thing
        if self.plan.piece:
            return self.landings.setdefault(self.strikes_piece(thing), thing)
        struck = touched(self.before, template_of(self.gun), thing.at, thing.z)
        centre = Solid(Circle(0.0), *thing.at, thing.z)
        rear = tuple(m.profile.is_vehicle and is_behind(m.solid, centre) for m in struck)
        key = tuple(m.row for m in struck), rear, thing.power, thing.meant
        return self.landings.setdefault(key, thing)

    def strikes_piece(self, landing: Landing) -> bool:
        return reaches_piece(self.before, template_of(self.gun), landing, self.plan.piece)

    def staged(self) -> Iterator[tuple[float, Bags | None, tuple[Any, ...], tuple[AnyStage, ...]]]:
        """For each possible attack: its chance, its enumerator (None if lost), its initial things, its stages."""
        for share, plan in self.cases:
            if plan is None:
                yield share, None, (), ()
                continue
            if plan not in self.bags:
                self.bags[plan] = Bags(self.before, self.policy, self.alike, most_bags=MOST_BAGS)
            things, stages = self.begun.setdefault(plan, stages_of(self.before, plan))
            yield share, self.bags[plan], things, (*stages, ON_MODELS)

    def counted(self, count: Callable[[Any], int]) -> Chances:
        """The chances of each number of hits."""
        nothing = chances_of({0: 1.0})
        found = (
            (share, nothing if bags is None else bags.numbers(stages, things, count))
            for share, bags, things, stages in self.staged()
        )
        return mixed(found)

    @property
    def meant(self) -> float:
        """The chance that the shots take place as declared."""
        return sum(share for share, plan in self.cases if plan is not None and plan.primary == self.plan.primary)

    def hits(self) -> dict[tuple[Hit, ...], float]:
        """The hits on models that may result, with their chances."""
        found: dict[tuple[Hit, ...], float] = {}
        for share, bags, things, stages in self.staged():
            ends = {(): 1.0} if bags is None else bags.ends(stages, things)
            for hits, part in ends.items():
                found[hits] = found.get(hits, 0.0) + share * part
            self.decided.update({} if bags is None else bags.decided)
        return found

    def ends(self) -> dict[Harm | None, float]:
        """The states that the hits may leave behind, with their chances."""
        found: dict[Harm | None, float] = {}
        for share, bags, things, stages in self.staged():
            ends = {(None,): 1.0} if bags is None else bags.ends((*stages, *STAGES), things)
            for (harm,), part in ends.items():
                found[harm] = found.get(harm, 0.0) + share * part
            self.decided.update({} if bags is None else bags.decided)
        return found

    @rule("shooting/sequence", "core/removal", "templates/area-attack")
    def steps(self) -> Iterator[Step]:
        """The steps to show: shots as declared, hits on both sides, wounds, losses on both sides."""
        if self.meant < 1.0:
            sure = chances_of({1: self.meant, 0: 1.0 - self.meant})
            yield step("as-declared", "shooting/target-identified", sure)
        if STUN in self.gun.rules:
            yield step("stunned", "armoury/grenade-stun-effect", self.counted(self.stuns), is_main=True)
            return
        yield step("hits", "shooting/sequence", self.counted(self.on_enemies))
        friends = self.counted(self.on_friends)
        if len(friends) > 1:
            yield step("hits-friends", "core/friendly-fire", friends)
        yield from steps_of(self.before, self.side, self.plan.targets, self.ends())

    def on_enemies(self, hit: Hit) -> int:
        return int(self.before.side_of[hit.target] == self.side)

    def on_friends(self, hit: Hit) -> int:
        return int(self.before.side_of[hit.target] != self.side)

    def stuns(self, hit: Hit) -> int:
        """Count an enemy on a small base that can be stunned."""
        model = self.before.model(hit.target)
        return int(model.side == self.side and model.profile.size == 1 and not forbids("stun", About(model)))


def steps_of(before: Position, side: int, rows: Sequence[int], ends: Mapping[Harm | None, float]) -> Iterator[Step]:
    """Wounds and losses on both sides, from the states after hits. ``side`` is shot at, with tests at ``rows``."""
    lost = {harm: lost_by(before, side, harm) for harm in ends}
    if any(has_many(before.model(row)) for row in rows if row >= 0):
        yield step("wounds-lost", "core/wound-effect", numbers(ends, lambda harm: lost[harm][1]))
    own = numbers(ends, lambda harm: lost_by(before, 1 - side, harm)[0])
    if len(own) > 1:
        yield step("own-losses", "core/friendly-fire", own)
    yield step("losses", "core/removal", numbers(ends, lambda harm: lost[harm][0]), is_main=True)
