"""The odds of one shooting or throw, from the very stages that are played.

A save depends only on the hit and on the bodyguards that have already taken one. It is run once for each combination,
and the results of earlier hits are carried along.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from campale.dice import counts
from campale.dice.chain import Adding, Chain, Leaving, orders_of, then, weighed
from campale.dice.counts import Chances, certainly, chances_of
from campale.dice.odds import OddsError, first_suggestion
from campale.mechanics import steps
from campale.mechanics.steps import numbers
from campale.referee.looks import Step
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import richest
from campale.rulesets.ragnarok.basics.night import is_night
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.basics.sight import covering_enemies
from campale.rulesets.ragnarok.morale.bodyguard import guards
from campale.rulesets.ragnarok.odds.nerve_odds import After, Nerves
from campale.rulesets.ragnarok.shooting import fire
from campale.rulesets.ragnarok.shooting.fire import SUPPRESSIVE, Hits, Losses, Shot
from campale.rulesets.ragnarok.shooting.saves import has_shield, shield_stops
from campale.rulesets.ragnarok.shooting.thrown import hits_of_throw, targets_of_throw
from campale.rulesets.ragnarok.shooting.weapon_rules import STEAM, weapon_of
from campale.rulesets.ragnarok.turn.actions import no_target

MOST_RUNS, MOST_SPENDING = 6000, 8000
"""How many runs of a shot's stages are allowed, also where points are spent, before its odds are given up."""

MAIN = ("out-of-action", "removed", "markers")
"""The stages that sum up a forecast where there is room for one number."""

THROW_AT = "throw-at"

Policy = Callable[[Any], Any]


@rule("exploration/points")
def points_kept(position: Position) -> tuple[Position, tuple[str, ...]]:
    """Return the position without exploration points, and what is decided thereby.

    The proposal is not to spend any, so it makes no difference whether there are any, and faces with the same result
    can be merged.
    """
    side = richest(position)
    if side is None:
        return position, ()
    copy = position.copy()
    copy.gain(side, "exploration", -copy.holds(side, "exploration"))
    return copy, ("exploration-points",)


# ---------------------------------------------------------------- merging what is alike


def alike(value: Any) -> Any:
    """Drop what makes no difference to the counts: the order of wounds and markers, and natural ones without effect."""
    if isinstance(value, Losses):
        markers = tuple(sorted((row, sum(n for at, n in value.markers if at == row)) for row in dict(value.markers)))
        wounds, scalds = tuple(sorted(value.wounds)), tuple(sorted(value.scalds))
        return replace(value, wounds=wounds, scalds=scalds, markers=markers, ones=0, at_target=0)
    if isinstance(value, Hits):
        return replace(value, ones=min(value.ones, 1) if value.shot.doubling == STEAM else 0)
    return value


def looked_at(losses: Losses) -> Losses:
    """Return what the next save depends on: the shot, and the bodyguards that have taken a hit."""
    return replace(losses, wounds=(), markers=(), scalds=(), shields=(), at_target=0)


def with_more(losses: Losses, given: Losses) -> Losses:
    return replace(
        given,
        wounds=losses.wounds + given.wounds,
        markers=losses.markers + given.markers,
        scalds=losses.scalds + given.scalds,
        shields=tuple(dict.fromkeys(losses.shields + given.shields)),
    )


SAVES = Adding(looked_at, with_more)


@rule("special/bodyguard", "dice/order")
def as_they_fall(position: Position, hits: Hits) -> list[tuple[Hits, float]]:
    """Return the hits with their chance; in every order, if a bodyguard may take one of them."""
    weapon = weapon_of(position.model(hits.shot.shooter), hits.shot.weapon)
    if weapon.has("blast") or not hits.hits or not guards(position.model(hits.hits[0].model)):
        return [(hits, 1.0)]
    orders = orders_of(hits.hits)
    return [(replace(hits, hits=one), 1.0 / len(orders)) for one in orders]


# ---------------------------------------------------------------- one shot


class Shooting:
    """One shot or throw: its stages as they would be played now.

    Players decide by the policy, by default as proposed; ``aimed`` answers where something is thrown (by prompts), by
    default at the target of the shot. ``spends``: points are spent on the dice, so that any stage may change the
    position; otherwise none does.
    """

    def __init__(
        self,
        position: Position,
        shot: Shot,
        policy: Policy | None = None,
        nerves: Nerves | None = None,
        aimed: Mapping[str, Any] | None = None,
    ) -> None:
        self.position, kept = points_kept(position) if policy is None else (position, ())
        self.shot = shot
        self.policy = policy or first_suggestion
        self.aimed = {THROW_AT: shot.target} if aimed is None else aimed
        self.spends = policy is not None and richest(position) is not None
        key, most = (Position.to_bytes, MOST_SPENDING) if self.spends else (None, MOST_RUNS)
        self.chain = Chain(self.position, self.answered, most, key, alike)
        self.chain.decided.update(dict.fromkeys(kept))
        self.nerves = nerves or Nerves(policy)

    @property
    def shooter(self) -> Model:
        return self.position.model(self.shot.shooter)

    @property
    def target(self) -> Model:
        return self.position.model(self.shot.target)

    @property
    def is_thrown(self) -> bool:
        return is_thrown(self.position, self.shot)

    def answered(self, question: Any) -> Any:
        return self.aimed[question.prompt] if question.prompt in self.aimed else self.policy(question)

    @cached_property
    def to_hit(self) -> list[Leaving]:
        """Return what each stage of ``fire.TO_HIT`` may leave, up to the hits; a throw is one stage."""
        found: list[Leaving] = [{(self.chain.begun, self.shot): 1.0}]
        for stage in (hits_of_throw,) if self.is_thrown else fire.TO_HIT:
            found.append(self.chain.then(found[-1], stage))
        return found[1:]

    @cached_property
    def losses(self) -> Leaving:
        return self.saved(self.to_hit[-1])

    def saved(self, hits: Leaving) -> Leaving:
        return then(hits, self.saves)

    def saves(self, key: Any, hits: Hits) -> Leaving:
        position = self.chain.position(key)
        return weighed([(self.in_turn(key, one), share) for one, share in as_they_fall(position, hits)])

    def in_turn(self, key: Any, hits: Hits) -> Leaving:
        begun, saves = fire.saves_of(self.chain.position(key), hits)
        return self.chain.folded(key, alike(begun), saves, SAVES)

    def applied(self, key: Any, losses: Losses) -> After:
        """Return what a shot leaves behind."""
        copy = self.chain.position(key).copy()
        copy.forget()
        unasked(fire.apply(copy, losses))
        return After(self.position, copy)

    def after(self) -> list[tuple[Position, float]]:
        """Return the positions that may be left for the next shot.

        A model that has shot does not shoot again: the effects of the shot on its shooter are left out.
        """
        return [
            (without_shooter(self.position, self.applied(key, losses).position, self.shot), chance)
            for (key, losses), chance in self.losses.items()
        ]

    # ------------------------------------------------------------ as a forecast

    @rule("fire/sequence", "suppressive-fire/action", "weapon-rules/thrown")
    def steps(self) -> list[Step]:
        """Return the steps: spotting, screen, hits, saves; then what they leave behind. Raises OddsError."""
        return self.of_points() if self.spends else [*self.on_the_way(), *self.after_hits(self.to_hit[-1])]

    def of_points(self) -> list[Step]:
        """Return the steps if points are spent: only wounds not saved, and losses other than the shooter."""
        fallen = steps.mixed((chance, certainly(sum(After(self.position, one).fallen))) for one, chance in self.after())
        unsaved = step("unsaved", "fire/saves", given(self.losses), lambda one: len(one.wounds))
        return [unsaved, of_chances("out-of-action", "wounds/out-of-action", fallen)]

    def on_the_way(self) -> list[Step]:
        """Return whether the target is spotted at night, and whether the shot gets past enemies in the way."""
        if self.is_thrown:
            return []
        (spotted, screened, _), found = self.to_hit, list[Step]()
        is_direct = not weapon_of(self.shooter, self.shot.weapon).has("indirect")
        if is_night(self.shooter):
            found.append(step("spotted", "opt-night/spotting", given(spotted), lambda one: int(not one.is_lost)))
        if is_direct and covering_enemies(self.shooter, self.target):
            found.append(step("past-screen", "overlap/enemy-covers", given(screened), self.is_past))
        return found

    def is_past(self, one: Shot) -> int:
        return int(one.target == self.shot.target and not one.is_lost)

    def after_hits(self, hits: Leaving) -> list[Step]:
        """Return the hits, those past shields, the wounds not saved, the losses, and failed tests of nerve."""
        found, saved = self.of_hits(given(hits)), given(self.saved(hits))
        if self.shot.kind == SUPPRESSIVE:
            found.append(step("markers", "suppressive-fire/effect", saved, lambda one: sum(n for _, n in one.markers)))
        else:
            found += self.past_shields(given(hits))
            found.append(step("unsaved", "fire/saves", saved, lambda one: len(one.wounds)))
        if self.shot.doubling == STEAM and self.shot.kind != SUPPRESSIVE:
            found.append(step("scalds", "weapon-rules/steam", saved, lambda one: len(one.scalds)))
        left = [(chance, self.applied(self.chain.begun, losses)) for losses, chance in saved.items()]
        return [*found, *self.of_fallen(left), *self.nerves.steps(left, self.chain.decided)]

    def of_hits(self, hits: Mapping[Hits, float]) -> list[Step]:
        """Return the hits; for a Blast, also those on friends."""
        own = self.shooter.side
        friends = step("hits-friends", "weapon-rules/blast", hits, lambda one: self.hits_on(own, one))
        found = step("hits", "fire/sequence", hits, lambda one: self.hits_on(1 - own, one))
        return [found, friends] if friends.mean > 0 else [found]

    def hits_on(self, side: int, hits: Hits) -> int:
        return sum(self.position.side_of[hit.model] == side for hit in hits.hits)

    @rule("equipment-profile/shield-save")
    def past_shields(self, hits: Mapping[Hits, float]) -> list[Step]:
        """Return the hits that a shield does not stop, if all of them are on one model with a shield."""
        weapon, target = weapon_of(self.shooter, self.shot.weapon), self.target
        is_spread = weapon.has("blast") or guards(target) or covering_enemies(self.shooter, target)
        if is_spread or weapon.has("shield_puller") or not has_shield(target):
            return []
        stopped = given(self.chain.after(self.chain.begun, shield_of, target.row))
        one = chances_of({0: stopped.get(True, 0.0), 1: stopped.get(False, 0.0)})
        left = counts.each(numbers(hits, lambda several: len(several.hits)), one)
        return [of_chances("past-shield", "equipment-profile/shield-save", left)]

    def of_fallen(self, left: list[tuple[float, After]]) -> list[Step]:
        """Return the models out of action on either side, and those removed that were already down."""
        enemy = 1 - self.shooter.side
        out = steps.mixed((chance, certainly(one.fallen[enemy])) for chance, one in left)
        removed = steps.mixed((chance, certainly(one.removed[enemy])) for chance, one in left)
        own = steps.mixed((chance, certainly(one.fallen[1 - enemy])) for chance, one in left)
        is_told = self.shot.kind != SUPPRESSIVE
        found = []
        if is_told and (len(out) > 1 or len(removed) == 1):
            found.append(of_chances("out-of-action", "wounds/out-of-action", out))
        if is_told and len(removed) > 1:
            found.append(of_chances("removed", "out-of-action/further-wound", removed))
        if len(own) > 1:
            found.append(of_chances("own-out-of-action", "wounds/out-of-action", own))
        return found


async def shield_of(position: Position, row: int) -> bool:
    return await shield_stops(position.model(row))


def is_thrown(position: Position, shot: Shot) -> bool:
    return weapon_of(position.model(shot.shooter), shot.weapon).kind == "thrown"


def comes_to_nothing(position: Position, shot: Shot) -> bool:
    """Return whether a shot is void: its shooter has fallen, or its target is gone or no longer legal."""
    shooter, target = position.model(shot.shooter), position.model(shot.target)
    if not (is_able(shooter) and target.is_on_table):
        return True
    if is_thrown(position, shot):
        return all(one is not target for one in targets_of_throw(shooter))
    return no_target(shooter, shot.target, shot.weapon) is not None


def without_shooter(before: Position, after: Position, shot: Shot) -> Position:
    """Return the position with the shooter as it was before."""
    row = shot.shooter
    for name in after.of_models.named(row):
        after.of_models.set(row, name, before.of_models.get(row, name))
    after.where[row] = before.where[row]
    after.forget()
    return after


def unasked(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that asks nothing. Raises OddsError if it asks after all."""
    try:
        asked = coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise OddsError(f"'{asked.prompt}' is asked where nothing should be")


# ---------------------------------------------------------------- steps


def given(values: Leaving) -> dict[Any, float]:
    """Return the values with their chances, over all positions."""
    found: dict[Any, float] = {}
    for (_, value), chance in values.items():
        found[value] = found.get(value, 0.0) + chance
    return found


def step(kind: str, cited: str, values: Mapping[Any, float], counted: Callable[[Any], int]) -> Step:
    return of_chances(kind, cited, numbers(values, counted))


def of_chances(kind: str, cited: str, found: Chances) -> Step:
    return steps.step(kind, cited, found, is_main=kind in MAIN)
