"""What can be asked of this book without a battle: the fire of one unit at another, on a table laid for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from campale.referee.inquiries import Field, Inquiries, Pick, Policy, Posed, Script, Volley, all_pieces, trouble_of
from campale.referee.inquiries import Part as FormPart
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.referee.ruleset import Ruleset
from campale.rulesets.e55 import allocation, forecasts, hand_to_hand, outcomes, volley
from campale.rulesets.e55.arsenal import HERE
from campale.rulesets.e55.damage import structure_left
from campale.rulesets.e55.declaring import able_vehicles
from campale.rulesets.e55.figures import figures, said
from campale.rulesets.e55.fire import POWERS, Shot, lines_of
from campale.rulesets.e55.forecasts import at_unit, proposed_fire
from campale.rulesets.e55.hand_to_hand import CHARGE, MELEE
from campale.rulesets.e55.profile import Power, Profile, Weapon
from campale.rulesets.e55.scenery import PRESETS, scenery_piece
from campale.rulesets.e55.staging import STAGE
from campale.rulesets.e55.standing_off import ATTACKER, FACINGS, MIDDLE, TARGET, draw_up, set_out
from campale.rulesets.e55.targets import Option, fault_of_faced, lawful_options, weapons_at_once
from campale.rulesets.e55.terrain import SCREENING
from campale.rulesets.e55.types import is_bike, is_monster, is_vehicle, living
from campale.rulesets.e55.units import (
    COMBAT_SPEED,
    CRUISING,
    GROUND,
    LOST,
    MOVED,
    SPEED,
    STRUCTURE_LOST,
    members,
)
from campale.rulesets.e55.vehicles import may_fire_count
from campale.rulesets.e55.volley_odds import Varied, by_proposal
from campale.rulesets.e55.volley_odds import Volley as FireOfShots
from campale.rulesets.e55.weapon_rules import ways_to_fire
from campale.table.outlines import rectangle
from campale.table.terrain import Piece

FARTHEST = 72.0
STOREYS = (0, 3, 6, 9)
NONE, SCREENED, PROPOSED = "none", "screened", "proposed"
TOGETHER, APART = "together", "apart"
FIRE = "fire"
ROSTER_ORDER, REVERSE = "roster", "reverse"
SAVES = ("armour", "cover", "invulnerable")
SPEEDS = {"stationary": 0, "combat-speed": COMBAT_SPEED, "cruising": CRUISING}


def choice(name: str, part: FormPart, values: Sequence[str], rule: str = "", default: str | None = None) -> Field:
    picks = tuple(Pick(value, said(f"{name}.{value}")) for value in values)
    return Field(name, said(name), "choice", part, default or values[0], picks, rule)


# ---------------------------------------------------------------- the form


def script(ruleset: Ruleset) -> Script:
    """Both units, where they stand and in what state, what is fired, and what players decide on the way."""
    kind = yield choice("kind", "attack", (FIRE, CHARGE, MELEE), "3/phases")
    attackers = yield from figures("attacker", "lantern-guard-750:keepers")
    moved = (yield from attackers_state(attackers)) if kind == FIRE else []
    targets = yield from figures("target", "mire-brood-750:reed-folk")
    if kind != FIRE:
        fought: Posed = yield from by_hand(ruleset, kind, attackers, targets)
        return fought
    state = yield from targets_state(targets)
    where = yield from on_the_table(targets)
    position = laid(ruleset, attackers, targets, state[2], *where)
    put_in_state(position, moved, *state[:2])
    shots, order = yield from fire_fields(position)
    varied = yield from policy_fields()
    ready = partial(closed_up, where[0], state[2], where[1])
    common: dict[Any, Any] = {}
    volleys = tuple(volley_of(position, each, varied, ready, common) for each in shots_in_order(shots, order))
    policy = by_proposal if varied is None else varied(by_proposal)
    return Posed(position, volleys, policy, counted(position), len(targets), RULES, notes(position))


def by_hand(ruleset: Ruleset, kind: str, attackers: Sequence[Profile], targets: Sequence[Profile]) -> Any:
    how = yield from hand_to_hand.distance_fields(kind)
    varied = yield from policy_fields()
    return hand_to_hand.posed(ruleset, attackers, targets, how, varied)


def attackers_state(attackers: Sequence[Profile]) -> Any:
    """Whether they have moved; of vehicles how fast."""
    if any(one.type == "vehicle" for one in attackers):
        return (yield choice("attacker-speed", "attacker", tuple(SPEEDS), "7.9/weapons-by-speed"))
    picks = (Pick("moved", said("attacker-states.moved")),)
    title = said("attacker-states")
    return (yield Field("attacker-states", title, "several", "attacker", [], picks, "3.1/moved-flag"))


def targets_state(targets: Sequence[Profile]) -> Any:
    """What the target has lost already, whether it lies on the ground, which face of a vehicle is fired at."""
    most = max((one.structure if one.type == "vehicle" else one.w or 1) - 1 for one in targets)
    lost = 0
    if most > 0:
        between = (0.0, float(most))
        lost = yield Field(
            "target-wounds", said("target-wounds"), "number", "target", 0, (), "2.3.2/unsaved-wound", between
        )
    if any(one.type == "vehicle" for one in targets):
        face = yield choice("target-face", "target", tuple(FACINGS), "7.1/armour-values")
        return lost, [], face
    picks = (Pick("to-ground", said("target-states.to-ground")),)
    states = yield Field("target-states", said("target-states"), "several", "target", [], picks, "3.2.4/go-to-ground")
    return lost, states, "front"


def on_the_table(targets: Sequence[Profile]) -> Any:
    distance = yield Field(
        "distance", said("distance"), "number", "table", 12, (), "3.2.1/range", (1.0, FARTHEST), 1.0, "inch"
    )
    height = yield choice("height", "table", tuple(map(str, STOREYS)), "1.1/measure-height")
    kinds = [name for name, preset in PRESETS.items() if preset.cover is not None]
    picks = [Pick(NONE, said("cover.none")), Pick(SCREENED, said("cover.screened"))]
    picks += [Pick(name, PRESETS[name].title, said("cover.inside")) for name in kinds]
    cover = yield Field("cover", said("cover"), "choice", "table", NONE, tuple(picks), "2.3.1/cover-granted")
    return distance, float(height), cover


# ---------------------------------------------------------------- the table


def laid(
    ruleset: Ruleset,
    attackers: Sequence[Profile],
    targets: Sequence[Profile],
    face: str,
    distance: float,
    height: float,
    cover: str,
) -> Position:
    """The two set out; what covers the target is a real piece of scenery. Nothing is lost by shooting down."""
    return set_out(ruleset, attackers, targets, distance, face, height, tuple(pieces_of(cover)))


def pieces_of(cover: str) -> Iterator[Piece]:
    """A piece in which the whole target stands, or a screen right before it."""
    if cover == SCREENED:
        yield Piece("screen", "screen", rectangle(MIDDLE, MIDDLE - 0.3, 200.0, 0.2), 9.0, 0.0, (), (SCREENING,))
    elif cover != NONE:
        yield scenery_piece(cover, (MIDDLE, MIDDLE + 9.9), 0.0, "cover", (72.0, 20.0))


def put_in_state(position: Position, moved: Any, lost: float, states: Sequence[str]) -> None:
    """As the form has it, in the shooting phase."""
    position.now.update(phase="shooting")
    facings = position.facing[:]
    STAGE.prepare(position)
    position.facing = facings
    attacker, target = Unit(position, ATTACKER), Unit(position, TARGET)
    if isinstance(moved, str):
        for model in members(attacker):
            model.mark(SPEED, SPEEDS[moved])
    if moved in (["moved"], "combat-speed", "cruising"):
        attacker.mark(MOVED, 1)
    if "to-ground" in states:
        target.mark(GROUND, 1)
    wound(target, int(lost))
    position.forget()


def wound(target: Unit, lost: int) -> None:
    """The first of its models that can bear so many is as wounded as that."""
    if not lost:
        return
    able = [one for one in members(target) if is_vehicle(one) or (one.profile.w or 1) > lost]
    able[0].mark(STRUCTURE_LOST if is_vehicle(able[0]) else LOST, lost)


# ---------------------------------------------------------------- what is fired


def fire_fields(position: Position) -> Any:
    """The weapons and how many of each, in their order; and whether they are fired at once."""
    attacker = Unit(position, ATTACKER)
    fault = fault_of_faced(attacker) if not able_vehicles(attacker) else None
    options = named_options(attacker)
    if fault is not None or not options:
        raise trouble_of("attacker", HERE, "nothing-to-fire")
    default = counted_shots(position, at_unit(proposed_fire(attacker), TARGET), options)
    default = default or [[next(iter(options)), 1]]
    picks = tuple(Pick(key, title_of(attacker, option)) for key, option in options.items())
    rule = "3.2/profile-choice"
    shots = yield Field("weapons", said("weapons"), "counted", "attack", default, picks, rule, (0.0, 60.0))
    order = TOGETHER
    if len(shots) > 1:
        order = yield choice("volleys", "attack", (TOGETHER, APART), "3.2/same-target-simultaneous")
    return assigned(position, shots, options), order


def named_options(attacker: Unit) -> dict[str, tuple[str, int, int]]:
    """Everything that somebody may fire, by a name: the weapon's id, its profile where it has several, its attacks."""
    found: dict[str, tuple[str, int, int]] = {}
    for model in members(attacker):
        lines = lines_of(model)
        for option in lawful_options(model):
            id = id_of(model.profile, option.weapon)
            several = len([one for one in lines if one[0] == option.weapon]) > 1
            line = next(one for place, n, one in lines if (place, n) == (option.weapon, option.line))
            name = f"{id}/{option.line + 1}" if several else id
            name = name if option.attacks == ways_to_fire(line)[0] else f"{name}@{option.attacks}"
            found.setdefault(name, (id, option.line, option.attacks))
    return found


def thing_at(profile: Profile, weapon: int) -> Weapon | Power:
    return profile.powers[weapon - POWERS] if weapon >= POWERS else profile.mounts[weapon].weapon


def id_of(profile: Profile, weapon: int) -> str:
    return thing_at(profile, weapon).id


def title_of(attacker: Unit, option: tuple[str, int, int]) -> dict[str, str]:
    """The weapon, its profile's own title, and how often it is fired where that can be chosen."""
    id, line, attacks = option
    for model in members(attacker):
        for weapon, n, found in lines_of(model):
            if id_of(model.profile, weapon) == id and n == line:
                thing = thing_at(model.profile, weapon)
                own = {tongue: f", {one}" for tongue, one in found.title.items()}
                times = f" ×{attacks}" if len(ways_to_fire(found)) > 1 else ""
                return {tongue: one + own.get(tongue, "") + times for tongue, one in thing.title.items()}
    return {"en": id, "it": id}


def counted_shots(position: Position, shots: Sequence[Shot], options: dict[str, Any]) -> list[list[Any]]:
    """Shots told as the form tells them."""
    names = {option: name for name, option in options.items()}
    found: dict[str, int] = {}
    for shot in shots:
        name = names.get((id_of(position.profiles[shot.model], shot.weapon), shot.line, shot.attacks))
        if name is not None:
            found[name] = found.get(name, 0) + 1
    return [[name, many] for name, many in found.items()]


def assigned(position: Position, counted: Sequence[Sequence[Any]], options: dict[str, Any]) -> list[list[Shot]]:
    """Each entry as the shots of models that can still fire so, in the order of the roster."""
    used: dict[int, list[int]] = {}
    found = []
    for name, many in counted:
        shots = list(shots_of(position, options[name], used, many))
        if len(shots) < many:
            raise trouble_of("weapons", HERE, "too-many", thing=name, most=len(shots))
        found.append(shots)
    if not any(found):
        raise trouble_of("weapons", HERE, "nothing")
    return found


def shots_of(position: Position, option: tuple[str, int, int], used: dict[int, list[int]], many: int) -> Iterator[Shot]:
    for model in members(Unit(position, ATTACKER)):
        for one in lawful_options(model):
            if (
                many
                and (id_of(model.profile, one.weapon), one.line, one.attacks) == option
                and is_free(model, one, used)
            ):
                used.setdefault(model.row, []).append(one.weapon)
                many -= 1
                yield Shot(ATTACKER, model.row, *one, TARGET)


def is_free(model: Any, option: Option, used: dict[int, list[int]]) -> bool:
    """Whether the model may fire this weapon beside what it fires already."""
    fired = used.get(model.row, [])
    if option.weapon in fired:
        return False
    if is_vehicle(model):
        most = may_fire_count(model)
        return most is None or len(fired) < most
    return is_monster(model) or len(fired) < (weapons_at_once(model) if is_bike(model) else 1)


def shots_in_order(shots: Sequence[Sequence[Shot]], order: str) -> list[list[Shot]]:
    return [list(each) for each in shots] if order == APART else [[shot for each in shots for shot in each]]


# ---------------------------------------------------------------- what players decide


def policy_fields() -> Any:
    wounds = yield choice("policy-wounds", "policy", (PROPOSED, ROSTER_ORDER, REVERSE), "2.2/allocation")
    save = yield choice("policy-save", "policy", (PROPOSED, *SAVES), "2.3.2/choose-save")
    answers: dict[str, Callable[[Any], Any]] = {}
    if wounds != PROPOSED:
        answers["allot-wounds"] = partial(in_order, wounds == REVERSE)
    if save != PROPOSED:
        answers["choose-save"] = partial(prefers, save)
    return partial(by_these, answers) if answers else None


def by_these(answers: dict[str, Callable[[Any], Any]], usual: Policy) -> Policy:
    """Some decisions in their own way, also as fields of a form; the others as usual."""

    def decide(question: Any) -> Any:
        if question.prompt == "settle-wounds":
            return filled_by(decide, question)
        own = answers.get(question.prompt)
        return usual(question) if own is None else own(question)

    return decide


def filled_by(decide: Policy, form: Any) -> list[Any]:
    filled: list[Any] = []
    while (field := form.field(filled)) is not None:
        filled.append(decide(field))
    return filled


def in_order(is_reversed: bool, question: Any) -> list[int]:
    """Each its wound in turn, from the first of the roster or from the last."""
    holders = list(question.holders)[:: -1 if is_reversed else 1]
    return allocation.in_turn(len(question.items), holders)


def prefers(kind: str, question: Any) -> Any:
    return kind if kind in question.options() else by_proposal(question)


# ---------------------------------------------------------------- what is asked


Ready = Callable[[Position], Position]
"""What is done to a position before a volley."""


def closed_up(distance: float, face: str, height: float, position: Position) -> Position:
    """Whoever is left stands as far off as was asked again; if nobody has been lost they have never moved."""
    if not position.losses:
        return position
    copy = position.copy()
    draw_up(copy, distance, face, height)
    return copy


class Reckoned:
    """The fire of one volley of a query, from each of the positions in which it may be fired.

    What was reckoned for its forecast is there for what it leaves behind; what is ``common`` to all volleys stays.
    """

    def __init__(self, shots: Sequence[Shot], varied: Varied | None, ready: Ready, common: dict[Any, Any]) -> None:
        self.shots = shots
        self.varied = varied
        self.ready = ready
        self.common = common
        self.kept: dict[bytes, FireOfShots] = {}

    def fire(self, position: Position) -> FireOfShots:
        return FireOfShots(self.ready(position), self.shots, TARGET, self.varied, self.common)

    def forecast(self, position: Position) -> Forecast:
        fire = self.fire(position)
        found = forecasts.forecast_by(fire)
        if len(self.kept) < MOST_KEPT:
            self.kept[position.to_bytes()] = fire
        return found

    def after(self, position: Position) -> list[tuple[Position, float]]:
        key = position.to_bytes()
        return outcomes.after(self.kept.pop(key) if key in self.kept else self.fire(position))


MOST_KEPT = 400


def volley_of(
    position: Position, shots: Sequence[Shot], varied: Varied | None, ready: Ready, common: dict[Any, Any]
) -> Volley:
    things = {id_of(position.profiles[shot.model], shot.weapon): (shot.model, shot.weapon) for shot in shots}
    titles = [thing_at(position.profiles[row], weapon).title for row, weapon in things.values()]
    one_piece, reckoned = partial(piece, shots, ready), Reckoned(shots, varied, ready, common)
    return Volley(
        tuple(titles),
        reckoned.forecast,
        partial(all_pieces, one_piece),
        reckoned.after,
        one_piece,
    )


async def piece(
    shots: Sequence[Shot], ready: Ready, position: Position, begun: str | None
) -> tuple[Position, str | None]:
    """As the referee resolves it: the volley first, then what its hits do."""
    if begun is not None:
        await volley.resolve_hits(position)
        return position, None
    here = ready(position)
    if members(Unit(here, TARGET)):
        await volley.resolve(here, Unit(here, TARGET), shots)
    return here, volley.STRUCK if volley.STRUCK in here.declared else None


RULES = {"losses": "1.1/casualty", "wounds-left": "2.3.2/unsaved-wound", "structure": "7.1/structure-points"}


def counted(position: Position) -> dict[str, Callable[[Position], int]]:
    """Models lost; wounds left where somebody has several; structure points lost by vehicles."""
    rows = [model.row for model in members(Unit(position, TARGET))]
    found: dict[str, Callable[[Position], int]] = {"losses": partial(lost, rows)}
    if any(is_vehicle(model) for model in members(Unit(position, TARGET))):
        found["structure"] = partial(structure_lost, rows, points_left(rows, position))
    elif any((model.profile.w or 1) > 1 for model in members(Unit(position, TARGET))):
        found["wounds-left"] = partial(wounds_left, rows)
    return found


def lost(rows: Sequence[int], position: Position) -> int:
    return sum(not position.model(row).is_on_table for row in rows)


def points_left(rows: Sequence[int], position: Position) -> int:
    vehicles = [position.model(row) for row in rows]
    return sum(structure_left(one) for one in vehicles if is_vehicle(one) and one.is_on_table)


def structure_lost(rows: Sequence[int], before: int, position: Position) -> int:
    return before - points_left(rows, position)


def wounds_left(rows: Sequence[int], position: Position) -> int:
    standing = [model for model in (position.model(row) for row in rows) if model.is_on_table]
    return sum(int(model.profile.w or 1) - model.marks(LOST) for model in standing)


def notes(position: Position) -> tuple[tuple[str, str], ...]:
    """Wounds beyond those of a model are nobody's."""
    if any((model.profile.w or 1) > 1 for model in living(Unit(position, TARGET))):
        return (("no-spill", "2.3.2/excess-wounds"),)
    return (("no-excess", "2.3.2/identical-excess"),) if living(Unit(position, TARGET)) else ()


INQUIRIES = Inquiries(script)
