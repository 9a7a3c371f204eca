"""The attacks of a query: weapons to choose from, their declaration, and the counts at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.dice.odds import first_suggestion
from campale.mechanics.queries import counting
from campale.mechanics.queries.fields import Asked
from campale.mechanics.queries.layout import ATTACKER, TARGET
from campale.mechanics.script_form import as_proposed
from campale.referee.looks import Forecast
from campale.referee.odds_queries import Pick, Query, Title, Volley
from campale.referee.position import Model, Position, Unit
from campale.rulesets.w10.armies.profile import Weapon
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.attack.values import Shots
from campale.rulesets.w10.basics.units import members, wounds_left
from campale.rulesets.w10.fight.declaring import Blow, blows_as_shots
from campale.rulesets.w10.fight.declaring import declaration as blows
from campale.rulesets.w10.odds.forecasts import of_shots
from campale.rulesets.w10.queries.profiles import FIELDS, MOST_MODELS
from campale.rulesets.w10.shooting.declaring import declaration_at
from campale.rulesets.w10.shooting.eligible import Gun, guns_of, is_eligible
from campale.rulesets.w10.shooting.targets import shots_of, targets_of

RULES = {
    "losses": "destroyed/model",
    "wounds-lost": "attack/inflict-damage",
    "losses-back": "weapon-abilities/hazardous",
}
MELEE, OVERWATCH = "melee", "overwatch"


class Arm(NamedTuple):
    """A weapon profile carried by a model: the numbers of the weapon and of the profile."""

    model: Model
    weapon: int
    line: int

    @property
    def carried(self) -> Weapon:
        found: Weapon = self.model.profile.weapons[self.weapon]
        return found

    @property
    def name(self) -> str:
        """The weapon's id, with the number of the profile if it has several."""
        return f"{self.carried.id}/{self.line + 1}" if len(self.carried.lines) > 1 else self.carried.id

    @property
    def title(self) -> Title:
        line = f" ({self.line + 1})" if len(self.carried.lines) > 1 else ""
        return {tongue: one + line for tongue, one in self.carried.title.items()}

    @property
    def is_pistol(self) -> bool:
        return self.carried.lines[self.line].has("pistol")


# ---------------------------------------------------------------- usable weapons


def ranged(unit: Unit) -> tuple[list[Arm], list[Arm]]:
    """The ranged weapons that may target the enemy, and those that are proposed."""
    position = unit.position
    open_to = targets_of(position, unit.side, guns_of(unit)) if is_eligible(unit) else {}
    proposed = as_proposed(partial(declaration_at, unit, TARGET)) or [] if TARGET in open_to else []
    return [arm_of(gun) for gun in open_to.get(TARGET, ())], [arm_of(gun) for gun in proposed]


def arm_of(gun: Gun) -> Arm:
    return Arm(gun.model, gun.weapon, gun.line)


def struck(unit: Unit) -> tuple[list[Arm], list[Arm]]:
    """The melee weapons of all models, and those that are proposed; every model reaches the target."""
    models = members(unit)
    offered = [
        Arm(model, number, line)
        for model in models
        for number, weapon in enumerate(model.profile.weapons)
        for line in range(len(weapon.lines) if weapon.is_melee else 0)
    ]
    proposed = as_proposed(partial(blows, unit, {model.row: [TARGET] for model in models})) or []
    return offered, [Arm(one.model, one.weapon, one.line) for one in proposed]


def weapons_field(position: Position, kind: str) -> Asked:
    """Ask for weapon profiles and their numbers, in the order of resolution; return the arms."""
    offered, proposed = (struck if kind == MELEE else ranged)(Unit(position, ATTACKER))
    if not offered:
        raise FIELDS.fault("attacker", "nothing-to-use")
    picks = {arm.name: Pick(arm.name, arm.title) for arm in offered}
    entries = yield FIELDS.counted(
        "weapons", "attack", tuple(picks.values()), MOST_MODELS, counted_arms(proposed), "shooting-phase/resolve-order"
    )
    return taken(offered, entries)


def counted_arms(arms: Sequence[Arm]) -> list[list[Any]]:
    found: dict[str, int] = {}
    for arm in arms:
        found[arm.name] = found.get(arm.name, 0) + 1
    return [[name, many] for name, many in found.items()]


def taken(offered: Sequence[Arm], entries: Sequence[Sequence[Any]]) -> list[Arm]:
    """The arms for the given numbers; a weapon uses one profile, and a model does not mix PISTOLs with other guns."""
    found: list[Arm] = []
    for name, many in entries:
        able = [arm for arm in offered if arm.name == name and fits(arm, found)]
        if len(able) < many:
            raise FIELDS.fault("weapons", "too-many", thing=name, most=len(able))
        found += able[:many]
    if not found:
        raise FIELDS.fault("weapons", "nothing")
    return found


def fits(arm: Arm, others: Sequence[Arm]) -> bool:
    """True if a model may use a weapon in addition to those it already uses."""
    own = [one for one in others if one.model.row == arm.model.row]
    if any(one.weapon == arm.weapon for one in own):
        return False
    if arm.carried.is_melee:
        main = [one for one in (arm, *own) if not one.carried.lines[one.line].has("extra-attacks")]
        return len(main) < 2
    return bool(arm.model.profile.is_large) or all(one.is_pistol == arm.is_pistol for one in own)


# ---------------------------------------------------------------- the query


def query(position: Position, kind: str, arms: Sequence[Arm]) -> Query:
    shots = tuple(declared(position, kind, arms))
    titles = tuple({arm.name: arm.title for arm in arms}.values())
    volley = Volley(titles, partial(forecast, kind, shots), partial(play, shots))
    return Query(position, (volley,), first_suggestion, counted(position), len(counting.rows_of(position, 1)), RULES)


def declared(position: Position, kind: str, arms: Sequence[Arm]) -> list[Shots]:
    unit, target = Unit(position, ATTACKER), Unit(position, TARGET)
    if kind == MELEE:
        return [blows_as_shots(unit, Blow(*arm, TARGET)) for arm in arms]
    return [shots_of(Gun(*arm), target, snap=kind == OVERWATCH) for arm in arms]


def forecast(kind: str, shots: Sequence[Shots], position: Position) -> Forecast:
    way = MELEE if kind == MELEE else "shooting"
    return of_shots(Unit(position, ATTACKER), Unit(position, TARGET), shots, way)


async def play(shots: Sequence[Shots], position: Position) -> Position:
    """Resolve the attacks as the referee does, including HAZARDOUS tests."""
    await resolve(Unit(position, ATTACKER), shots)
    return position


def counted(position: Position) -> Mapping[str, counting.Counter]:
    """Counters of the models lost on both sides, and of wounds on the target if models have several."""
    own, foes = (counting.rows_of(position, side) for side in (0, 1))
    found = {"losses": counting.lost(foes)}
    if any(position.model(row).profile.w > 1 for row in foes):
        found["wounds-lost"] = counting.taken_from(position, counting.left_of(foes, wounds_left))
    return {**found, "losses-back": counting.lost(own)}
