"""The fire of a query: the weapons to choose from, their volleys, and the results counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from campale.mechanics.queries import counting
from campale.mechanics.queries.fields import Asked
from campale.mechanics.queries.layout import ATTACKER, TARGET
from campale.mechanics.queries.volleys import Reckoned
from campale.referee.odds_queries import Pick, Query, Volley, all_pieces
from campale.referee.position import Model, Position, Unit
from campale.rulesets.e55.armies.profile import Power, Profile, Weapon
from campale.rulesets.e55.definitions.types import is_bike, is_monster, is_vehicle, living
from campale.rulesets.e55.definitions.units import LOST, members
from campale.rulesets.e55.odds import forecasts, outcomes
from campale.rulesets.e55.odds.fire_odds import Varied, by_proposal
from campale.rulesets.e55.odds.fire_odds import Volley as FireOfShots
from campale.rulesets.e55.odds.forecasts import at_unit, proposed_fire
from campale.rulesets.e55.queries.layout import draw_up
from campale.rulesets.e55.queries.profiles import FIELDS
from campale.rulesets.e55.shooting_phase import volley
from campale.rulesets.e55.shooting_phase.declaring import able_vehicles
from campale.rulesets.e55.shooting_phase.fire import POWERS, Shot, lines_of
from campale.rulesets.e55.shooting_phase.targets import Option, fault_of_faced, lawful_options, weapons_at_once
from campale.rulesets.e55.vehicles.damage import structure_left
from campale.rulesets.e55.vehicles.vehicles import may_fire_count
from campale.rulesets.e55.weapons.weapon_rules import ways_to_fire

TOGETHER, APART = "together", "apart"
MOST_SHOTS = 60


# ---------------------------------------------------------------- the weapons fired


def volley_fields(position: Position) -> Asked:
    """Ask for the weapons, the number of each, and whether they fire at once; return the shots of each volley."""
    attacker = Unit(position, ATTACKER)
    fault = fault_of_faced(attacker) if not able_vehicles(attacker) else None
    options = named_options(attacker)
    if fault is not None or not options:
        raise FIELDS.fault("attacker", "nothing-to-fire")
    default = counted_shots(position, at_unit(proposed_fire(attacker), TARGET), options)
    default = default or [[next(iter(options)), 1]]
    picks = tuple(Pick(key, title_of(attacker, option)) for key, option in options.items())
    entries = yield FIELDS.counted("weapons", "attack", picks, MOST_SHOTS, default, "3.2/profile-choice")
    order = TOGETHER
    if len(entries) > 1:
        order = yield FIELDS.choice("volleys", "attack", (TOGETHER, APART), "3.2/same-target-simultaneous")
    shots = assigned(position, entries, options)
    return shots if order == APART else [[shot for each in shots for shot in each]]


def named_options(attacker: Unit) -> dict[str, tuple[str, int, int]]:
    """Return every option of the attacker by a name: the weapon's id, its profile if it has several, its attacks."""
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
    """Return the weapon's title, with its profile's own title, and the number of attacks if that can be chosen."""
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
    """Return shots as the form lists them."""
    names = {option: name for name, option in options.items()}
    found: dict[str, int] = {}
    for shot in shots:
        name = names.get((id_of(position.profiles[shot.model], shot.weapon), shot.line, shot.attacks))
        if name is not None:
            found[name] = found.get(name, 0) + 1
    return [[name, many] for name, many in found.items()]


def assigned(position: Position, counted: Sequence[Sequence[Any]], options: dict[str, Any]) -> list[list[Shot]]:
    """Return each entry as shots of models that are still free to fire it, in roster order."""
    used: dict[int, list[int]] = {}
    found = []
    for name, many in counted:
        shots = list(shots_of(position, options[name], used, many))
        if len(shots) < many:
            raise FIELDS.fault("weapons", "too-many", thing=name, most=len(shots))
        found.append(shots)
    if not any(found):
        raise FIELDS.fault("weapons", "nothing")
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
    """Return whether the model may fire this weapon in addition to those it fires already."""
    fired = used.get(model.row, [])
    if option.weapon in fired:
        return False
    if is_vehicle(model):
        most = may_fire_count(model)
        return most is None or len(fired) < most
    return is_monster(model) or len(fired) < (weapons_at_once(model) if is_bike(model) else 1)


# ---------------------------------------------------------------- the volleys


Ready = Callable[[Position], Position]
"""What is done to a position before a volley."""


def closed_up(distance: float, face: str, height: float, position: Position) -> Position:
    """Return the position with the models left at the same distance again; without losses, none has moved."""
    if not position.losses:
        return position
    copy = position.copy()
    draw_up(copy, distance, face, height)
    return copy


def query(position: Position, volleys: Sequence[Sequence[Shot]], varied: Varied | None, ready: Ready) -> Query:
    common: dict[Any, Any] = {}

    def begin(shots: Sequence[Shot], here: Position) -> FireOfShots:
        return FireOfShots(ready(here), shots, TARGET, varied, common)

    made = tuple(
        volley_of(position, shots, ready, Reckoned(partial(begin, shots), forecasts.forecast_by, outcomes.after))
        for shots in volleys
    )
    policy = by_proposal if varied is None else varied(by_proposal)
    targets = members(Unit(position, TARGET))
    return Query(position, made, policy, counted(position), len(targets), RULES, notes(position))


def volley_of(position: Position, shots: Sequence[Shot], ready: Ready, reckoned: Reckoned[FireOfShots]) -> Volley:
    things = {id_of(position.profiles[shot.model], shot.weapon): (shot.model, shot.weapon) for shot in shots}
    titles = tuple(thing_at(position.profiles[row], weapon).title for row, weapon in things.values())
    one_piece = partial(piece, shots, ready)
    return Volley(titles, reckoned.forecast, partial(all_pieces, one_piece), reckoned.after, one_piece)


async def piece(
    shots: Sequence[Shot], ready: Ready, position: Position, begun: str | None
) -> tuple[Position, str | None]:
    """Resolve one piece as the referee does: the volley first, then its hits."""
    if begun is not None:
        await volley.resolve_hits(position)
        return position, None
    here = ready(position)
    if members(Unit(here, TARGET)):
        await volley.resolve(here, Unit(here, TARGET), shots)
    return here, volley.STRUCK if volley.STRUCK in here.declared else None


# ---------------------------------------------------------------- the results counted


RULES = {"losses": "1.1/casualty", "wounds-left": "2.3.2/unsaved-wound", "structure": "7.1/structure-points"}


def counted(position: Position) -> dict[str, counting.Counter]:
    """Return the counters: models lost; wounds left if a model has several; structure points lost by vehicles."""
    models = members(Unit(position, TARGET))
    rows, hulls = [model.row for model in models], [model.row for model in models if is_vehicle(model)]
    found = {"losses": counting.lost(rows)}
    if hulls:
        found["structure"] = counting.taken_from(position, counting.left_of(hulls, structure_left))
    elif any((model.profile.w or 1) > 1 for model in models):
        found["wounds-left"] = counting.left_of(rows, wounds_left)
    return found


def wounds_left(model: Model) -> int:
    return int(model.profile.w or 1) - model.marks(LOST)


def notes(position: Position) -> tuple[tuple[str, str], ...]:
    """Return the note about excess wounds on a model, which are lost."""
    if any((model.profile.w or 1) > 1 for model in living(Unit(position, TARGET))):
        return (("no-spill", "2.3.2/excess-wounds"),)
    return (("no-excess", "2.3.2/identical-excess"),) if living(Unit(position, TARGET)) else ()
