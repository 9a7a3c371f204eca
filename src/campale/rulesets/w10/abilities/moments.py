"""Abilities used at a moment: which can be used, and the question to their owner (q/when, s/just-after)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, NamedTuple

from campale.referee.ask import choose
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import Carried, carried, is_led_by, is_unit_so
from campale.rulesets.w10.abilities.uses import ANYBODY, is_left
from campale.rulesets.w10.abilities.vocabulary import Effect
from campale.rulesets.w10.basics.units import distance, has_each, members, units_of
from campale.table.shapes import TOLERANCE

PASS = "pass"
RARELY = 1.5
OFF_TABLE = ("falls", "phase-ends")
"""Moments of models that are no longer on the table."""

About = dict[str, Any]


class Use(NamedTuple):
    """An ability that may be used now; ``picked``: the unit it is used on (-1: none picked)."""

    position: Position
    one: Carried
    about: About
    picked: int = ANYBODY

    @property
    @rule("t/you")
    def side(self) -> int:
        return self.position.side_of[self.one.row]

    @property
    def bearer(self) -> Model:
        return self.position.model(self.one.row)

    @property
    def unit(self) -> Unit:
        """The unit of the bearer."""
        return self.bearer.unit

    @property
    def key(self) -> tuple[Plain, ...]:
        """The ability's name, its owner (a unit, or -1: the army), and the unit picked."""
        owner = ANYBODY if self.one.ability.who == "army" else self.unit.row
        return self.one.name, owner, self.picked

    @property
    def target(self) -> Unit:
        """The unit affected: the one picked, otherwise the bearer's."""
        return self.unit if self.picked == ANYBODY else Unit(self.position, self.picked)


class Deed(NamedTuple):
    """An effect as two functions: can it do anything, and do it."""

    can: Callable[[Use, Effect], bool]
    do: Callable[[Use, Effect], Awaitable[None]]


Deeds = Mapping[str, Deed]
"""Deeds by the name of the effect or act."""


def name_of(effect: Effect) -> str:
    """The name of an effect among the deeds."""
    named = next(name for name in effect.__struct_fields__ if getattr(effect, name) is not None)
    return str(effect.act) if named == "act" else named


# ---------------------------------------------------------------- abilities that may be used


@rule("f/model-phase", "f/unit-phase", "i/the-phase", "i/start-of")
def uses_at(position: Position, side: int, moment: str, about: About) -> list[Use]:
    """The abilities that a side may use at a moment, for each unit that may be picked; each one once per unit."""
    found: dict[tuple[Plain, ...], Use] = {}
    for one in carried(position):
        if one.ability.moment != moment or position.side_of[one.row] != side or one.ability.of == "stratagem":
            continue
        use = Use(position, one, about)
        if stands(use, moment) and concerns(use) and holds_now(use):
            for picked in picks(use):
                chosen = use._replace(picked=picked)
                if is_left(position, one, picked) and could_do(chosen):
                    found.setdefault(chosen.key, chosen)
    return list(found.values())


@rule("datasheet/wargear-ability", "p/bearer", "u/embarked", "u/reserves-abilities")
def stands(use: Use, moment: str) -> bool:
    """True if the bearer is where it can use an ability at this moment.

    It is on the table, or in Reserves if the ability picks no unit; at moments of models off the table it is off it.
    Abilities of an army need no bearer.
    """
    if use.one.ability.who == "army":
        return True
    if use.bearer.where == RESERVE and use.one.ability.pick is None:
        return moment not in OFF_TABLE
    return use.bearer.is_on_table != (moment in OFF_TABLE)


def concerns(use: Use) -> bool:
    """True if the moment concerns the bearer's unit."""
    units = use.about.get("units")
    return units is None or use.one.ability.who == "army" or use.unit.row in units


@rule("n/not-selected", "c/with-ability-x", "f/while-leading")
def holds_now(use: Use) -> bool:
    """True if all conditions of the ability on its unit and on the moment hold."""
    asked, unit, about = use.one.ability.condition, use.unit, use.about
    if use.one.ability.who == "led" and not is_led_by(unit, use.bearer):
        return False
    if asked.warlord and not use.bearer.profile.has("warlord"):
        return False
    if asked.attack and about.get("attack") != asked.attack:
        return False
    if asked.lost and unit.row not in about.get("lost", ()):
        return False
    return is_unit_so(use.one, unit)


@rule("within/model-unit-within")
def picks(use: Use) -> list[int]:
    """The rows of the units that may be picked; only ``ANYBODY`` if the ability picks none."""
    pick, position = use.one.ability.pick, use.position
    if pick is None:
        return list(own_units(use)) if use.one.ability.who == "army" and "units" in use.about else [ANYBODY]
    side = use.side if pick.side == "friendly" else 1 - use.side
    if use.one.ability.who == "army":
        near = units_of(position, side)
    else:
        near = list(near_model(use.bearer, pick.inches, side))
    among = use.about.get("among")
    rows = [one.row for one in near if has_each(one, pick.keyword)]
    return [row for row in rows if among is None or row in among]


def near_model(bearer: Model, inches: float, side: int) -> Iterator[Unit]:
    """The units within so many inches of the bearer itself, not of the rest of its unit."""
    for unit in units_of(bearer.position, side):
        if any(distance(bearer, model) <= inches + TOLERANCE for model in members(unit)):
            yield unit


def own_units(use: Use) -> Iterator[int]:
    """The rows of the units of its own side that the moment concerns."""
    return (row for row in use.about["units"] if use.position.unit_side[row] == use.side)


def deeds(position: Position) -> Deeds:
    book = position.ruleset.book
    found: Deeds = {} if book is None else book.deeds
    return found


def could_do(use: Use) -> bool:
    """True if at least one effect of an ability could do something."""
    known = deeds(use.position)
    return any(name_of(one) in known and known[name_of(one)].can(use, one) for one in use.one.ability.do)


# ---------------------------------------------------------------- asking


@rule("q/when", "s/just-after", "core-concepts/sequencing", "i/start-of")
async def raise_moment(position: Position, moment: str, first: int | None = None, **about: Any) -> None:
    """Raise a moment for both sides, the active one first: mandatory abilities, then those the owner chooses."""
    active = int(position.now["side"]) if first is None else first
    for side in (active, 1 - active):
        await use_all(position, side, moment, about)


async def use_all(position: Position, side: int, moment: str, about: About) -> None:
    """Use the abilities of a side at a moment, each ability of a bearer at most once."""
    done: set[tuple[Plain, ...]] = set()
    while left := [use for use in uses_at(position, side, moment, about) if use.key[:2] not in done]:
        must = next((use for use in left if not use.one.ability.optional), None)
        if must is not None:
            use = await pick_one([one for one in left if one.key[:2] == must.key[:2]])
        else:
            chosen = await choose_one(side, moment, left)
            if chosen is None:
                return
            use = chosen
        done.add(use.key[:2])
        await position.ruleset.book.perform(use)


async def choose_one(side: int, moment: str, uses: list[Use]) -> Use | None:
    """The ability that its owner chooses, or None for none."""
    by_key = {use.key: use for use in uses}
    odds: dict[Plain, float] = {PASS: RARELY}
    key = await choose(side, "ability", [PASS, *by_key], of="ability", odds=odds, moment=moment)
    return None if key == PASS else by_key[key]


async def pick_one(uses: list[Use]) -> Use:
    """The unit on which a mandatory ability is used."""
    if len(uses) == 1:
        return uses[0]
    by_row = {use.picked: use for use in uses}
    side, unit = uses[0].side, uses[0].unit.row
    return by_row[await choose(side, "ability-on", list(by_row), of="unit", unit=unit, title=title_of(uses[0]))]


def title_of(use: Use) -> Plain:
    title: dict[str, Plain] = dict(use.one.ability.title.in_both)
    return title
