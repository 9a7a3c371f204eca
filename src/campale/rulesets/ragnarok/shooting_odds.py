"""The odds of one shooting or throw, stage by stage, from the very stages that are played.

A save looks at nothing but the hit and at who has already taken one: it is run once for each of these, and what came of
the hits before it is carried along.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from campale.dice import counts
from campale.dice.chain import Chain
from campale.dice.counts import Chances, chances_of
from campale.dice.odds import OddsError, first_suggestion
from campale.dice.stages import Stage, Unfolded
from campale.referee.looks import Step
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok import fire, psychology, thrown
from campale.rulesets.ragnarok.bodyguard import guards
from campale.rulesets.ragnarok.dice import richest
from campale.rulesets.ragnarok.fire import SUPPRESSIVE, Hits, Losses, Shot
from campale.rulesets.ragnarok.night import is_night
from campale.rulesets.ragnarok.physical import is_able, is_out_of_action, is_prone
from campale.rulesets.ragnarok.saves import has_shield, shield_stops
from campale.rulesets.ragnarok.sight import covering_enemies
from campale.rulesets.ragnarok.weapon_rules import STEAM, weapon_of

MOST_RUNS = 6000
"""How often a forecast may run the stages of a shot before it is given up as too much to tell."""

MAIN = ("out-of-action", "removed", "markers")
"""The stages by which a forecast is told where there is room for one number."""

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


def stages(position: Position) -> tuple[Stage, ...]:
    """Those of ``fire.STAGES``, the saves hit by hit."""
    saves = Unfolded(partial(fire.hit_by_hit, position))
    return tuple(saves if one is fire.protect else partial(one, position) for one in fire.STAGES)


def alike(value: Any) -> Any:
    """The order of wounds and markers, and natural ones of which nothing comes, make no difference to the counts."""
    if isinstance(value, Losses):
        markers = tuple(sorted((row, sum(n for at, n in value.markers if at == row)) for row in dict(value.markers)))
        wounds, scalds = tuple(sorted(value.wounds)), tuple(sorted(value.scalds))
        return replace(value, wounds=wounds, scalds=scalds, markers=markers, ones=0)
    if isinstance(value, Hits):
        return replace(value, ones=min(value.ones, 1) if value.shot.doubling == STEAM else 0)
    return value


class After:
    """What a shot leaves behind: the position, who is changed in it, how many of each side have fallen, and how many of
    those who lay there already are removed.
    """

    def __init__(self, before: Position, after: Position) -> None:
        self.position = after
        self.changed = changed(before, after)
        gone = [row for row, where in enumerate(after.where) if where != before.where[row]]
        rows = [row for row in (*self.changed, *gone) if fell(before.model(row), after.model(row))]
        self.fallen = tuple(sum(before.side_of[row] == side for row in rows) for side in (0, 1))
        lay = [row for row in gone if is_out_of_action(before.model(row))]
        self.removed = tuple(sum(before.side_of[row] == side for row in lay) for side in (0, 1))


class Shooting:
    """One shot: its stages as they would be played now, on a copy of the position."""

    def __init__(self, position: Position, shot: Shot, policy: Policy | None = None, nerves: Nerves | None = None):
        self.position, kept = points_kept(position) if policy is None else (position, ())
        self.shot = shot
        self.policy = policy or first_suggestion
        self.chain = Chain(self.answered, MOST_RUNS, alike)
        self.chain.decided.update(dict.fromkeys(kept))
        self.nerves = nerves or Nerves(policy)
        self.kept: dict[Any, dict[Losses, float]] = {}

    @property
    def shooter(self) -> Model:
        return self.position.model(self.shot.shooter)

    @property
    def target(self) -> Model:
        return self.position.model(self.shot.target)

    def answered(self, question: Any) -> Any:
        """What is thrown is thrown at the target of the forecast; all else is as the policy has it."""
        return self.shot.target if question.prompt == "throw-at" else self.policy(question)

    # ------------------------------------------------------------ saves

    def saved(self, hits: Mapping[Hits, float]) -> dict[Losses, float]:
        found: dict[Losses, float] = {}
        for several, chance in hits.items():
            for one, part in as_they_fall(self.position, several):
                begun, stages = fire.hit_by_hit(self.position, one)
                for losses, share in self.after_stages(alike(begun), tuple(stages)).items():
                    found[losses] = found.get(losses, 0.0) + chance * part * share
        return found

    def after_stages(self, begun: Losses, stages: tuple[Stage, ...]) -> dict[Losses, float]:
        """Hit after hit; what was found for the first of them is kept."""
        if not stages:
            return {begun: 1.0}
        key = begun, tuple((one.func, one.args) for one in stages if isinstance(one, partial))
        if key not in self.kept:
            self.kept[key] = self.one_more(self.after_stages(begun, stages[:-1]), stages[-1])
        return self.kept[key]

    def one_more(self, before: Mapping[Losses, float], stage: Stage) -> dict[Losses, float]:
        found: dict[Losses, float] = {}
        for losses, chance in before.items():
            for given, share in self.chain.step(looked_at(losses), stage).items():
                after = alike(with_more(losses, given))
                found[after] = found.get(after, 0.0) + chance * share
        return found

    # ------------------------------------------------------------ what they leave behind

    def applied(self, losses: Losses) -> After:
        copy = self.position.copy()
        copy.forget()
        unasked(fire.apply(copy, losses))
        return After(self.position, copy)


@rule("special/bodyguard", "dice/order")
def as_they_fall(position: Position, hits: Hits) -> list[tuple[Hits, float]]:
    """Where a bodyguard may take one of the hits it tells which of them comes first: every order of them."""
    weapon = weapon_of(position.model(hits.shot.shooter), hits.shot.weapon)
    if weapon.has("blast") or not hits.hits or not guards(position.model(hits.hits[0].model)):
        return [(hits, 1.0)]
    orders = orders_of(hits.hits)
    return [(replace(hits, hits=one), 1.0 / len(orders)) for one in orders]


def orders_of(things: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """The orders of them that differ; dice fall in each of these as often as in any other."""
    found = []
    for first in dict.fromkeys(things):
        place = things.index(first)
        found += [(first, *rest) for rest in orders_of(things[:place] + things[place + 1 :])]
    return found or [()]


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


def unasked(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Play what asks nothing. Raises OddsError where it asks after all."""
    try:
        asked = coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise OddsError(f"'{asked.prompt}' is asked where nothing should be")


# ---------------------------------------------------------------- the stages


@rule("fire/sequence", "suppressive-fire/action")
def stages_of_fire(shooting: Shooting) -> list[Step]:
    """Spotted, past the screen, hits, saves; then what they leave behind."""
    position, shot = shooting.position, shooting.shot
    spotted = shooting.chain.after({shot: 1.0}, partial(fire.spot, position))
    screened = shooting.chain.after(spotted, partial(fire.screen, position))
    hits = shooting.chain.after(screened, partial(fire.roll_to_hit, position))
    made = []
    if is_night(shooting.shooter):
        made.append(step("spotted", "opt-night/spotting", spotted, lambda one: int(not one.is_lost)))
    is_direct = not weapon_of(shooting.shooter, shot.weapon).has("indirect")
    if is_direct and covering_enemies(shooting.shooter, shooting.target):
        made.append(step("past-screen", "overlap/enemy-covers", screened, partial(is_past, shot)))
    return [*made, *after_hits(shooting, hits)]


def is_past(shot: Shot, one: Shot) -> int:
    return int(one.target == shot.target and not one.is_lost)


@rule("weapon-rules/thrown")
def stages_of_throw(shooting: Shooting) -> list[Step]:
    """The die to hit and the distance together; then the saves."""
    hits = shooting.chain.after({shooting.shot: 1.0}, partial(thrown.hits_of_throw, shooting.position))
    return after_hits(shooting, hits)


def after_hits(shooting: Shooting, hits: Mapping[Hits, float]) -> list[Step]:
    made = [*hit_steps(shooting, hits)]
    saved = shooting.saved(hits)
    if shooting.shot.kind == SUPPRESSIVE:
        made.append(step("markers", "suppressive-fire/effect", saved, lambda one: sum(n for _, n in one.markers)))
        return [*made, *shooting.nerves.steps(shooting, saved)]
    made += past_shields(shooting, hits)
    made.append(step("unsaved", "fire/saves", saved, lambda one: len(one.wounds)))
    if shooting.shot.doubling == STEAM:
        made.append(step("scalds", "weapon-rules/steam", saved, lambda one: len(one.scalds)))
    return [*made, *shooting.nerves.steps(shooting, saved)]


def hit_steps(shooting: Shooting, hits: Mapping[Hits, float]) -> list[Step]:
    """The hits; of a Blast those on friends beside."""
    own = shooting.shooter.side
    friends = step("hits-friends", "weapon-rules/blast", hits, partial(hits_on_side, shooting.position, own))
    made = step("hits", "fire/sequence", hits, partial(hits_on_side, shooting.position, 1 - own))
    return [made, friends] if friends.mean > 0 else [made]


def hits_on_side(position: Position, side: int, hits: Hits) -> int:
    return sum(position.side_of[hit.model] == side for hit in hits.hits)


@rule("equipment-profile/shield-save")
def past_shields(shooting: Shooting, hits: Mapping[Hits, float]) -> list[Step]:
    """The hits that a shield does not stop, where all of them are on one model, and that has one."""
    weapon, target = weapon_of(shooting.shooter, shooting.shot.weapon), shooting.target
    is_spread = weapon.has("blast") or guards(target) or covering_enemies(shooting.shooter, target)
    if is_spread or weapon.has("shield_puller") or not has_shield(target):
        return []

    async def stopped(_: Any) -> bool:
        return await shield_stops(target)

    found = shooting.chain.step((), stopped)
    one = chances_of({0: found.get(True, 0.0), 1: found.get(False, 0.0)})
    left = counts.each(numbers(hits, lambda several: len(several.hits)), one)
    return [Step("past-shield", "equipment-profile/shield-save", counts.pairs(left))]


def step(kind: str, cited: str, values: Mapping[Any, float], counted: Callable[[Any], int]) -> Step:
    return of_chances(kind, cited, numbers(values, counted))


def numbers(values: Mapping[Any, float], counted: Callable[[Any], int]) -> Chances:
    found: dict[int, float] = {}
    for value, chance in values.items():
        number = counted(value)
        found[number] = found.get(number, 0.0) + chance
    return chances_of(found)


# ---------------------------------------------------------------- losses and nerves


class Nerves:
    """The tests of the control phase that a shot may bring upon those whom it hits, if nothing else happens to them.

    What is known of a model in a state is kept, from one shot to the next.
    """

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or first_suggestion
        self.kept: dict[Any, tuple[dict[str, float], tuple[str, ...]]] = {}

    def steps(self, shooting: Shooting, saved: Mapping[Losses, float]) -> list[Step]:
        """Who is out of action of either side, and whose nerves fail."""
        enemy = 1 - shooting.shooter.side
        left = [(chance, shooting.applied(losses)) for losses, chance in saved.items()]
        own = numbered((chance, certainly(one.fallen[1 - enemy])) for chance, one in left)
        found = [of_chances("own-out-of-action", "wounds/out-of-action", own)] if len(own) > 1 else []
        if shooting.shot.kind != SUPPRESSIVE:
            out = numbered((chance, certainly(one.fallen[enemy])) for chance, one in left)
            removed = numbered((chance, certainly(one.removed[enemy])) for chance, one in left)
            if len(removed) > 1:
                found.insert(0, of_chances("removed", "out-of-action/further-wound", removed))
            if len(out) > 1 or len(removed) == 1:
                found.insert(0, of_chances("out-of-action", "wounds/out-of-action", out))
        tests = [(chance, [self.of(shooting, one, row) for row in one.changed]) for chance, one in left]
        for kind, cited in TESTS:
            failed = numbered((chance, failing(several, kind)) for chance, several in tests)
            found += [of_chances(kind, cited, failed)] if len(failed) > 1 else []
        return found

    def of(self, shooting: Shooting, after: After, row: int) -> dict[str, float]:
        """How likely a model is to fail each of its tests."""
        key = row, state_of(after.position, row), after.fallen
        if key not in self.kept:
            self.kept[key] = tested(after.position, row, self.policy)
        chances, decided = self.kept[key]
        shooting.chain.decided.update(dict.fromkeys(decided))
        return chances


def failing(several: Iterable[Mapping[str, float]], kind: str) -> Chances:
    """How many fail."""
    return counts.together(chances_of({0: 1.0 - one[kind], 1: one[kind]}) for one in several if one[kind])


TESTS = (
    ("pinned", "pinning/effect"),
    ("suppressed", "suppression/effect"),
    ("flees", "suppression/flight"),
)


def tested(position: Position, row: int, policy: Policy) -> tuple[dict[str, float], tuple[str, ...]]:
    """How likely a model is to be pinned, to be suppressed, and to flee, by the tests of the control phase."""
    chain = Chain(policy)

    async def pins(_: Any) -> bool:
        copy = position.copy()
        model = copy.model(row)
        if psychology.must_test_pinning(model):
            await psychology.pinning_test(model)
        return is_prone(model) and not is_prone(position.model(row))

    async def suppresses(_: Any) -> str:
        copy = position.copy()
        model = copy.model(row)
        if psychology.must_test_suppression(model):
            await psychology.suppression_test(model)
        if position.model(row).is_on_table and not model.is_on_table:
            return "flees"
        return "suppressed" if model.marks("suppressed") > position.model(row).marks("suppressed") else ""

    pinned, suppressed = chain.step((), pins), chain.step((), suppresses)
    found = {kind: suppressed.get(kind, 0.0) for kind in ("suppressed", "flees")}
    return found | {"pinned": pinned.get(True, 0.0)}, tuple(chain.decided)


def changed(before: Position, after: Position) -> list[int]:
    """The rows of the models on the table of which a count has changed."""
    return [model.row for model in after.on_table() if state_of(before, model.row) != state_of(after, model.row)]


def fell(before: Model, after: Model) -> bool:
    return is_able(before) and not is_able(after)


def state_of(position: Position, row: int) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((name, position.of_models.get(row, name)) for name in position.of_models.named(row)))


def certainly(number: int) -> Chances:
    return chances_of({number: 1.0})


def numbered(several: Iterable[tuple[float, Chances]]) -> Chances:
    found: dict[int, float] = {}
    for chance, each in several:
        for number, share in enumerate(each.tolist()):
            if share:
                found[number] = found.get(number, 0.0) + chance * share
    return chances_of(found)


def of_chances(kind: str, cited: str, found: Chances) -> Step:
    return Step(kind, cited, counts.pairs(found), kind in MAIN)
