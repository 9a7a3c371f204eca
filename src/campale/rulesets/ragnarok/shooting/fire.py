"""Fire and Suppressive Fire: legal targets, the modifiers, and the stages of a shot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import msgspec

from campale.dice.needs import Need, Part
from campale.dice.stages import Stage, Unfolded, through
from campale.referee.ask import choose
from campale.referee.position import Model, Position
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.profile import Weapon
from campale.rulesets.ragnarok.basics.dice import d3, needed_on_one, one_die, pool
from campale.rulesets.ragnarok.basics.measuring import beyond, distance, distance_to_point, half, within
from campale.rulesets.ragnarok.basics.night import is_night, spots
from campale.rulesets.ragnarok.basics.physical import fatigue_to_hit, is_able, is_prone, suffer
from campale.rulesets.ragnarok.basics.sight import covering_enemies, covering_friend, is_obscured, sees
from campale.rulesets.ragnarok.basics.special import expert
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged
from campale.rulesets.ragnarok.morale.bodyguard import spend_guards, taker_of
from campale.rulesets.ragnarok.morale.psychology import receive_morale
from campale.rulesets.ragnarok.shooting.saves import AUTOMATIC, STOPPED, lose_shield, protection
from campale.rulesets.ragnarok.shooting.weapon_rules import (
    PLAIN,
    SALVO,
    has_no_range_penalty,
    jam,
    rate_used,
    reach,
    scalding_hits,
    spend_ammunition,
    spend_single_use,
    weapon_of,
)
from campale.table.shapes import Point

FIRE, SUPPRESSIVE, REACTION = "fire", "suppressive-fire", "reaction-fire"


class Shot(msgspec.Struct, frozen=True):
    """One shooting: rows of shooter and target, the weapon's index among the shooter's weapons, and how it is shot."""

    shooter: int
    target: int
    weapon: int
    kind: str = FIRE
    doubling: str = PLAIN
    is_aimed: bool = False
    from_hiding: bool = False
    is_screened: bool = False
    is_lost: bool = False


class Hit(msgspec.Struct, frozen=True):
    """A hit on a model: the natural face that made it (0: none was rolled), and whether it may be lethal."""

    model: int
    face: int
    may_be_lethal: bool = True


class Hits(msgspec.Struct, frozen=True):
    """The hits of a shot, in the order in which they are saved, and the number of natural ones among its dice."""

    shot: Shot
    hits: tuple[Hit, ...] = ()
    ones: int = 0


class Losses(msgspec.Struct, frozen=True):
    """What is left after the saves: (row, wound or lethal) in order, the markers due, the shooter's scalds.

    With them come the bodyguards that have taken a hit, the models whose shields are gone, and how many of the wounds
    were meant for the model shot at, whoever took them.
    """

    shot: Shot
    wounds: tuple[tuple[int, str], ...] = ()
    markers: tuple[tuple[int, int], ...] = ()
    scalds: tuple[tuple[int, str], ...] = ()
    ones: int = 0
    guards: tuple[int, ...] = ()
    shields: tuple[int, ...] = ()
    at_target: int = 0


Save = Callable[[Position, Hit, Losses], Awaitable[Losses]]
"""Resolves a hit, and returns the losses with its result."""


# ---------------------------------------------------------------- legal targets


@rule("fire/sequence", "vision/geometry")
def is_out_of_sight(shooter: Model, target: Model, weapon: Weapon) -> Fault | None:
    if sees(shooter, target) or may_be_shot_over(shooter, target, weapon):
        return None
    return Fault(where=target.at, model=target.row, word="out-of-sight")


@rule("weapon-rules/indirect", "opt-night/indirect")
def may_be_shot_over(shooter: Model, target: Model, weapon: Weapon) -> bool:
    """Return whether an indirect weapon may shoot at an enemy that a friend sees; at night the shooter must see it."""
    if not weapon.has("indirect") or is_night(shooter):
        return False
    friends = shooter.position.on_table(shooter.side)
    return any(sees(friend, target) for friend in friends if friend is not shooter and is_able(friend))


@rule("vision/engaged-targets")
def is_in_a_brawl(shooter: Model, target: Model, weapon: Weapon) -> Fault | None:
    del shooter, weapon
    return Fault(where=target.at, model=target.row) if is_out_of_bounds(target) else None


@rule("vision/engaged-targets")
def is_out_of_bounds(target: Model) -> bool:
    """Return whether a target is engaged and shots into a melee are barred."""
    return target.position.options.brawls == "barred" and is_engaged(target)


@rule("overlap/friend-covers")
def a_friend_is_in_the_way(shooter: Model, target: Model, weapon: Weapon) -> Fault | None:
    if weapon.has("indirect"):
        return None
    friend = covering_friend(shooter, target)
    return None if friend is None else Fault(where=friend.at, model=friend.row)


TARGET_RESTRICTIONS = (is_in_a_brawl, is_out_of_sight, a_friend_is_in_the_way)


# ---------------------------------------------------------------- fire/modifiers


class Aiming(msgspec.Struct):
    """What the modifiers depend on."""

    shot: Shot
    shooter: Model
    target: Model
    weapon: Weapon
    is_seen: bool = True

    @property
    def is_obscured(self) -> bool:
        """Return whether scenery or models obscure the target.

        Cover does not count for an indirect shot at a target that the shooter does not see.
        """
        return self.is_seen and (self.shot.is_screened or is_obscured(self.shooter, self.target))


@rule("fire/mod-half-range", "weapon-rules/assault", "weapon-rules/magic-ranged")
def half_range(aiming: Aiming) -> Part:
    far = beyond(distance(aiming.shooter, aiming.target), half(reach(aiming.shooter, aiming.weapon)))
    glass = aiming.shot.is_aimed and aiming.shot.kind == FIRE and aiming.shooter.profile.carries("spyglass")
    return Part("fire/mod-half-range", -1 if far and not glass and not has_no_range_penalty(aiming.weapon) else 0)


@rule("fire/mod-obscured")
def obscured(aiming: Aiming) -> Part:
    return Part("fire/mod-obscured", -1 if aiming.is_obscured else 0)


@rule("alert/penalty")
def alert(aiming: Aiming) -> Part:
    return Part("alert/penalty", -1 if aiming.target.marks("alert") and aiming.is_obscured else 0)


@rule("prone/fire-penalty", "prone/not-cumulative", "wounds/out-of-action")
def prone(aiming: Aiming) -> Part:
    """-1 at a prone target, not together with the penalty of Alert, nor at a model out of action."""
    counts = is_prone(aiming.target) and is_able(aiming.target) and alert(aiming).value == 0
    return Part("prone/fire-penalty", -1 if counts else 0)


@rule("reaction-fire/basic")
def reaction(aiming: Aiming) -> Part:
    return Part("reaction-fire/basic", -1 if aiming.shot.kind == REACTION else 0)


def fatigue(aiming: Aiming) -> Part:
    return fatigue_to_hit(aiming.shooter)


@rule("fire/mod-close")
def close(aiming: Aiming) -> Part:
    near = within(distance(aiming.shooter, aiming.target), aiming.shooter.profile.senses * 3)
    return Part("fire/mod-close", 1 if near else 0)


@rule("aim/bonus")
def aimed(aiming: Aiming) -> Part:
    return Part("aim/bonus", 1 if aiming.shot.is_aimed else 0)


@rule("hide/bonus")
def from_hiding(aiming: Aiming) -> Part:
    counts = aiming.shot.from_hiding and aiming.shooter.position.options.hidden_shots == "bonus"
    return Part("hide/bonus", 1 if counts else 0)


def expertise(aiming: Aiming) -> Part:
    """+1 for an expert in weapons, or in explosives for a Blast."""
    of_weapons = expert(aiming.shooter, "weapons")
    return of_weapons if of_weapons.value or not aiming.weapon.has("blast") else expert(aiming.shooter, "explosives")


TO_HIT_MODIFIERS = (half_range, obscured, alert, prone, reaction, fatigue, close, aimed, from_hiding, expertise)
THROWERS_MODIFIERS = (reaction, fatigue, aimed, from_hiding, expertise)


@rule("fire/modifiers", "profile/hit-numbers")
def to_hit(aiming: Aiming, modifiers: Sequence[object] = TO_HIT_MODIFIERS) -> Need:
    parts = tuple(modifier(aiming) for modifier in modifiers)  # type: ignore[operator]
    return needed_on_one(aiming.shooter.profile.shooting_skill, parts)


def aiming_of(position: Position, shot: Shot) -> Aiming:
    shooter, target = position.model(shot.shooter), position.model(shot.target)
    weapon = weapon_of(shooter, shot.weapon)
    is_seen = not weapon.has("indirect") or sees(shooter, target)
    return Aiming(shot, shooter, target, weapon, is_seen)


# ---------------------------------------------------------------- the stages of a shot


@rule("opt-night/spotting")
async def spot(position: Position, shot: Shot) -> Shot:
    """Spot the target first at night; only then does the shot use ammunition, even out of range."""
    shooter, target = position.model(shot.shooter), position.model(shot.target)
    if not await spots(shooter, target):
        return msgspec.structs.replace(shot, is_lost=True)
    return shot


@rule("overlap/enemy-covers", "overlap/redirect")
async def screen(position: Position, shot: Shot) -> Shot:
    """Roll one die for all the enemies in the way: past them on 4+, else the shot goes at the nearest of them."""
    shooter, target = position.model(shot.shooter), position.model(shot.target)
    if shot.is_lost or weapon_of(shooter, shot.weapon).has("indirect") or is_out_of_range(position, shot):
        return shot
    target_now, is_screened = await past_the_screen(shooter, target)
    return msgspec.structs.replace(shot, target=target_now.row, is_screened=is_screened)


@rule("overlap/enemy-covers", "overlap/redirect")
async def past_the_screen(actor: Model, target: Model) -> tuple[Model, bool]:
    """Return the model an action along a line of sight goes at, and whether it passed through a screen."""
    enemies = covering_enemies(actor, target)
    if not enemies:
        return target, False
    die = await one_die(actor.position, actor.side, "screen", needed_on_one(4), model=actor.row, target=target.row)
    if die.passed:
        return target, True
    actor.position.write("diverted", model=actor.row, target=target.row, instead=enemies[0].row)
    return enemies[0], False


@rule("fire/range")
def is_out_of_range(position: Position, shot: Shot) -> bool:
    shooter, target = position.model(shot.shooter), position.model(shot.target)
    return beyond(distance(shooter, target), reach(shooter, weapon_of(shooter, shot.weapon)))


@rule("fire/sequence", "suppressive-fire/action")
async def roll_to_hit(position: Position, shot: Shot) -> Hits:
    """Roll as many dice as the rate of fire; beyond the range, all shots miss without dice."""
    if shot.is_lost:
        return Hits(shot)
    if is_out_of_range(position, shot):
        position.write("out-of-range", shooter=shot.shooter, target=shot.target)
        return Hits(shot)
    aiming = aiming_of(position, shot)
    count = rate_used(aiming.weapon, shot.doubling)
    about: dict[str, Plain] = {"shooter": shot.shooter, "target": shot.target, "weapon": aiming.weapon.id}
    dice = await pool(position, aiming.shooter.side, "to-hit", count, to_hit(aiming), **about)
    ones = sum(die.face == 1 for die in dice)
    faces = [die.face for die in dice if die.passed]
    return Hits(shot, struck(position, shot, faces), ones)


def struck(position: Position, shot: Shot, faces: Sequence[int]) -> tuple[Hit, ...]:
    """Return the hits of the dice that hit; those of a Blast fall on all models around the target."""
    weapon = weapon_of(position.model(shot.shooter), shot.weapon)
    target = position.model(shot.target)
    if weapon.has("blast") and faces:
        return blast_hits(position, target.at, weapon.value("blast"), shot.shooter, target, faces[0])
    return tuple(Hit(shot.target, face) for face in faces)


@rule("weapon-rules/blast")
def under_blast(position: Position, centre: Point, radius: float) -> list[tuple[float, Model]]:
    """Return the models whose base edge is within the radius, with their distances from the centre."""
    near = ((distance_to_point(model, centre), model) for model in position.on_table())
    return [(away, model) for away, model in near if within(away, radius)]


@rule("weapon-rules/blast", "dice/order")
def blast_hits(
    position: Position, centre: Point, radius: int, shooter: int, aimed_at: Model | None, face: int
) -> tuple[Hit, ...]:
    """Return one hit on each model with its base edge within the radius: the aimed one, then the nearest first."""
    active = position.now.get("side")
    under = under_blast(position, centre, radius)
    inside = [(away, m.side != active, m.row) for away, m in under if m is not aimed_at]
    hits = [Hit(row, AUTOMATIC, False) for _, _, row in sorted(inside)]
    struck = hits if aimed_at is None else [Hit(aimed_at.row, face), *hits]
    rows = [hit.model for hit in struck]
    position.write("blast", model=shooter, x=centre[0], y=centre[1], radius=radius, under=rows)
    return tuple(struck)


@rule("fire/saves")
async def protect(position: Position, hits: Hits) -> Losses:
    """Roll the saves hit by hit, or D3 for every suppressive hit; then those of a scalded shooter."""
    losses: Losses = await Unfolded(partial(hit_by_hit, position))(hits)
    return losses


def hit_by_hit(position: Position, hits: Hits) -> tuple[Losses, list[Stage]]:
    """Return the losses before the first save, and each hit as a stage of its own.

    The odds can then merge like hits.
    """
    begun, saves = saves_of(position, hits)
    return begun, [partial(save, position, hit) for save, hit in saves]


def saves_of(position: Position, hits: Hits) -> tuple[Losses, tuple[tuple[Save, Hit], ...]]:
    """Return the losses before the first save, and each hit with its function ``save(position, hit, losses)``."""
    shooter = position.model(hits.shot.shooter)
    danger = scalding_hits(shooter, weapon_of(shooter, hits.shot.weapon), hits.shot.doubling, hits.ones)
    if danger:
        position.write("scald", model=shooter.row, hits=danger)
    answer = suppress if hits.shot.kind == SUPPRESSIVE else save
    begun = Losses(hits.shot, markers=markers_due(hits), ones=hits.ones)
    on_shooter = (scald, Hit(shooter.row, AUTOMATIC, False))
    return begun, (*((answer, hit) for hit in hits.hits), *(on_shooter,) * danger)


@rule("fire/morale-marker")
def markers_due(hits: Hits) -> tuple[tuple[int, int], ...]:
    """Return one marker for each model hit, however often and whatever the saves; Suppressive Fire has its own."""
    if hits.shot.kind == SUPPRESSIVE:
        return ()
    return tuple((row, 1) for row in dict.fromkeys(hit.model for hit in hits.hits))


@rule("fire/saves", "weapon-rules/shield-puller")
async def save(position: Position, hit: Hit, losses: Losses) -> Losses:
    """Resolve one hit; a shield that is pulled away is gone before it could save."""
    weapon = weapon_of(position.model(losses.shot.shooter), losses.shot.weapon)
    taker = await taker_of(position.model(hit.model), losses.guards)
    pulled = weapon.has("shield_puller")
    wound = await protection(
        taker, hit.face, weapon.value("piercing"), weapon.has("magic"), hit.may_be_lethal, uses_shield=not pulled
    )
    meant = int(wound != STOPPED and hit.model == losses.shot.target)
    return msgspec.structs.replace(
        losses,
        at_target=losses.at_target + meant,
        wounds=losses.wounds if wound == STOPPED else (*losses.wounds, (taker.row, wound)),
        guards=losses.guards if taker.row == hit.model else (*losses.guards, taker.row),
        shields=(*losses.shields, taker.row) if pulled else losses.shields,
    )


@rule("suppressive-fire/effect")
async def suppress(position: Position, hit: Hit, losses: Losses) -> Losses:
    """Put D3 morale markers on the model for each hit; there are no saves and no wounds."""
    taker = await taker_of(position.model(hit.model), losses.guards)
    more = await d3(position, position.model(losses.shot.shooter).side, "suppression", target=taker.row)
    guards = losses.guards if taker.row == hit.model else (*losses.guards, taker.row)
    return msgspec.structs.replace(losses, markers=(*losses.markers, (taker.row, more)), guards=guards)


@rule("weapon-rules/steam")
async def scald(position: Position, hit: Hit, losses: Losses) -> Losses:
    """Resolve one hit of a steam accident on the shooter; it is never lethal and brings no morale marker."""
    shooter = position.model(hit.model)
    taker = await taker_of(shooter, losses.guards)
    wound = await protection(taker, hit.face, lethal=hit.may_be_lethal)
    guards = losses.guards if taker is shooter else (*losses.guards, taker.row)
    scalds = losses.scalds if wound == STOPPED else (*losses.scalds, (taker.row, wound))
    return msgspec.structs.replace(losses, scalds=scalds, guards=guards)


@rule("fire/morale-marker", "suppressive-fire/effect", "fire/sequence")
async def apply(position: Position, losses: Losses) -> Losses:
    """Apply markers and wounds to the models, and jam the weapon if necessary."""
    shot = losses.shot
    spend_guards(position, losses.guards)
    for row in losses.shields:
        lose_shield(position.model(row))
    for row, markers in losses.markers:
        receive_morale(position.model(row), markers)
    for row, wound in losses.wounds:
        suffer(position.model(row), (wound,), shot.shooter, "shot")
    jam(position.model(shot.shooter), shot.weapon, shot.doubling, losses.ones)
    for row, wound in losses.scalds:
        suffer(position.model(row), (wound,), shot.shooter, "steam")
    return losses


TO_HIT = (spot, screen, roll_to_hit)
STAGES = (*TO_HIT, protect, apply)


@rule("fire/sequence", "suppressive-fire/action")
async def shoot(position: Position, shot: Shot) -> Losses:
    """Run a whole shooting, stage by stage."""
    shooter = position.model(shot.shooter)
    spotted = await spot(position, shot)
    if not spotted.is_lost:
        spend_ammunition(shooter)
        spend_single_use(shooter, shot.weapon)
        shooter.mark("salvoed", int(shot.doubling == SALVO) or shooter.marks("salvoed"), quietly=True)
    losses: Losses = await through(tuple(partial(stage, position) for stage in STAGES[1:]), spotted)
    return losses


async def choose_doubling(model: Model, shot: Shot, ways: list[str]) -> str:
    about: dict[str, Plain] = {"model": shot.shooter, "weapon": shot.weapon, "target": shot.target}
    return str(await choose(model.side, "doubling", ways, **about, hidden=shot.from_hiding))
