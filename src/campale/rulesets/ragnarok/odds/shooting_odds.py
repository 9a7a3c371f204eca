"""The odds of one shooting or throw, from the very stages that are played.

A save looks at nothing but the hit and at who has already taken one: it is run once for each of these, and what came of
the hits before it is carried along.
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
"""How often the stages of a shot may be run, also where points are spent, before it is given up as too much to tell."""

MAIN = ("out-of-action", "removed", "markers")
"""The stages by which a forecast is told where there is room for one number."""

THROW_AT = "throw-at"

Policy = Callable[[Any], Any]


@rule("exploration/points")
def points_kept(position: Position) -> tuple[Position, tuple[str, ...]]:
    """What is proposed is that no points are spent: it is all one whether there are any, and then faces can merge."""
    side = richest(position)
    if side is None:
        return position, ()
    copy = position.copy()
    copy.gain(side, "exploration", -copy.holds(side, "exploration"))
    return copy, ("exploration-points",)


# ---------------------------------------------------------------- what is alike


def alike(value: Any) -> Any:
    """The order of wounds and markers, and natural ones of which nothing comes, make no difference to the counts."""
    if isinstance(value, Losses):
        markers = tuple(sorted((row, sum(n for at, n in value.markers if at == row)) for row in dict(value.markers)))
        wounds, scalds = tuple(sorted(value.wounds)), tuple(sorted(value.scalds))
        return replace(value, wounds=wounds, scalds=scalds, markers=markers, ones=0)
    if isinstance(value, Hits):
        return replace(value, ones=min(value.ones, 1) if value.shot.doubling == STEAM else 0)
    return value


def looked_at(losses: Losses) -> Losses:
    """What the next save may look at: the shot, and the bodyguards that have taken a hit."""
    return replace(losses, wounds=(), markers=(), scalds=(), shields=())


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
    """Where a bodyguard may take one of the hits it tells which of them comes first: every order of them."""
    weapon = weapon_of(position.model(hits.shot.shooter), hits.shot.weapon)
    if weapon.has("blast") or not hits.hits or not guards(position.model(hits.hits[0].model)):
        return [(hits, 1.0)]
    orders = orders_of(hits.hits)
    return [(replace(hits, hits=one), 1.0 / len(orders)) for one in orders]


# ---------------------------------------------------------------- one shot


class Shooting:
    """One shot or throw: its stages as they would be played now.

    Players decide by the policy, else as is proposed; ``aimed`` answers at what something is thrown (by prompts), else
    it is thrown at the target of the shot. ``spends``: points are spent on the dice, so that each stage may
    change the position; without it none does.
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
        """What each of ``fire.TO_HIT`` may leave, up to the hits; a throw is one stage."""
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
        """What a shot leaves behind."""
        copy = self.chain.position(key).copy()
        copy.forget()
        unasked(fire.apply(copy, losses))
        return After(self.position, copy)

    def after(self) -> list[tuple[Position, float]]:
        """The positions that may be left: what the next shot begins with.

        Who has shot shoots no more: what the shot has made of the shooter is no part of them.
        """
        return [
            (without_shooter(self.position, self.applied(key, losses).position, self.shot), chance)
            for (key, losses), chance in self.losses.items()
        ]

    # ------------------------------------------------------------ as a forecast

    @rule("fire/sequence", "suppressive-fire/action", "weapon-rules/thrown")
    def steps(self) -> list[Step]:
        """Spotted, past the screen, hits, saves; then what they leave behind. Raises OddsError."""
        return self.of_points() if self.spends else [*self.on_the_way(), *self.after_hits(self.to_hit[-1])]

    def of_points(self) -> list[Step]:
        """Where points are spent on the way only what is not saved, and who falls besides the shooter."""
        fallen = steps.mixed((chance, certainly(sum(After(self.position, one).fallen))) for one, chance in self.after())
        unsaved = step("unsaved", "fire/saves", given(self.losses), lambda one: len(one.wounds))
        return [unsaved, of_chances("out-of-action", "wounds/out-of-action", fallen)]

    def on_the_way(self) -> list[Step]:
        """By night whether the target is spotted; whether the shot gets past whoever is in the way."""
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
        """The hits, those that no shield stops, what is not saved, who falls, whose nerves fail."""
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
        """The hits; of a Blast those on friends beside."""
        own = self.shooter.side
        friends = step("hits-friends", "weapon-rules/blast", hits, lambda one: self.hits_on(own, one))
        found = step("hits", "fire/sequence", hits, lambda one: self.hits_on(1 - own, one))
        return [found, friends] if friends.mean > 0 else [found]

    def hits_on(self, side: int, hits: Hits) -> int:
        return sum(self.position.side_of[hit.model] == side for hit in hits.hits)

    @rule("equipment-profile/shield-save")
    def past_shields(self, hits: Mapping[Hits, float]) -> list[Step]:
        """The hits that a shield does not stop, where all of them are on one model, and that has one."""
        weapon, target = weapon_of(self.shooter, self.shot.weapon), self.target
        is_spread = weapon.has("blast") or guards(target) or covering_enemies(self.shooter, target)
        if is_spread or weapon.has("shield_puller") or not has_shield(target):
            return []
        stopped = given(self.chain.after(self.chain.begun, shield_of, target.row))
        one = chances_of({0: stopped.get(True, 0.0), 1: stopped.get(False, 0.0)})
        left = counts.each(numbers(hits, lambda several: len(several.hits)), one)
        return [of_chances("past-shield", "equipment-profile/shield-save", left)]

    def of_fallen(self, left: list[tuple[float, After]]) -> list[Step]:
        """Who is out of action of either side, and who is removed that lay there already."""
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
    """Nobody shoots who has fallen to what was shot before, nor at what is gone, or hidden by where it lies now."""
    shooter, target = position.model(shot.shooter), position.model(shot.target)
    if not (is_able(shooter) and target.is_on_table):
        return True
    if is_thrown(position, shot):
        return all(one is not target for one in targets_of_throw(shooter))
    return no_target(shooter, shot.target, shot.weapon) is not None


def without_shooter(before: Position, after: Position, shot: Shot) -> Position:
    """The position with the shooter as it was."""
    row = shot.shooter
    for name in after.of_models.named(row):
        after.of_models.set(row, name, before.of_models.get(row, name))
    after.where[row] = before.where[row]
    after.forget()
    return after


def unasked(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Play what asks nothing. Raises OddsError where it asks after all."""
    try:
        asked = coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise OddsError(f"'{asked.prompt}' is asked where nothing should be")


# ---------------------------------------------------------------- steps


def given(values: Leaving) -> dict[Any, float]:
    """What was given, wherever it was."""
    found: dict[Any, float] = {}
    for (_, value), chance in values.items():
        found[value] = found.get(value, 0.0) + chance
    return found


def step(kind: str, cited: str, values: Mapping[Any, float], counted: Callable[[Any], int]) -> Step:
    return of_chances(kind, cited, numbers(values, counted))


def of_chances(kind: str, cited: str, found: Chances) -> Step:
    return steps.step(kind, cited, found, is_main=kind in MAIN)
