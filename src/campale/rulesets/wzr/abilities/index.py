"""What a model can do, and what abilities, cards and effects add to a value (abilities/*).

A model has an ability from its profile, from an effect or a card in play, from a neighbour's aura, or (a Specialist)
from its Commander. What each ability does is written in ``abilities.yaml`` and ``cards.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from campale.dice.needs import Part
from campale.referee.columns import Effect
from campale.referee.position import Model, Position
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.conditions import About as About
from campale.rulesets.wzr.abilities.conditions import holds
from campale.rulesets.wzr.abilities.vocabulary import Ability, Ground, Moment, Row, Test, Thing, Value, abilities_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import gap, within
from campale.rulesets.wzr.cards import catalogue
from campale.rulesets.wzr.cards.in_play import is_card, to_discard
from campale.rulesets.wzr.squads.squads import commander, is_routed
from campale.rulesets.wzr.vehicles.kinds import abilities_of_kind

EVERYBODY = "everybody"
SQUAD_TESTS = ("rout", "pinning", "rally", "unpin")
ON_BATTLE, ON_UNIT, ON_MODEL, ON_SIDE = "battle", "unit", "model", "side"


class Carried(NamedTuple):
    """An ability of one model, with its X (a number, or a ``word``) and the effect that gives it, if any."""

    name: str
    ability: Ability
    x: int = 0
    word: str = ""
    effect: Effect | None = None

    @property
    def amount(self) -> int:
        """X, but never more than the ability's ``most``."""
        return self.x if self.ability.most is None else min(self.x, self.ability.most)


Falling = tuple[Carried, Row]


@lru_cache(maxsize=1)
def known() -> dict[str, Ability]:
    """The abilities that consist of rows, and the cards, by name."""
    return {**catalogue.abilities(), **abilities_of(Path(__file__).parent / "abilities.yaml")}


# ---------------------------------------------------------------- abilities of a model


def printed(model: Model) -> tuple[Carried, ...]:
    """The abilities of the model's profile that consist of rows. Kept with the roster."""
    kept, key = model.position.roster, ("abilities", model.row)
    if key not in kept:
        numbers, words, rows = model.profile.numbers, model.profile.targets, known()
        own = [Carried(n, rows[n], x, words.get(n, "")) for n, x in numbers.items() if n in rows]
        by_kind = [Carried(n, rows[n]) for n in abilities_of_kind(model) if n not in numbers]
        kept[key] = (Carried(EVERYBODY, rows[EVERYBODY]), *own, *by_kind)
    found: tuple[Carried, ...] = kept[key]
    return found


def given(model: Model) -> Iterator[Carried]:
    """The abilities that effects give to the model itself, its squad, its side or everybody."""
    for effect in model.position.effects:
        ability = given_by(effect)
        if ability is not None and bears(model, effect):
            yield Carried(name_of(effect), ability, effect=effect)


def given_by(effect: Effect) -> Ability | None:
    """The ability that an effect gives. The effect's value begins with the ability's name."""
    return known().get(name_of(effect))


def name_of(effect: Effect) -> str:
    return str(effect.value[0]) if isinstance(effect.value, tuple) and effect.value else ""


def bears(model: Model, effect: Effect) -> bool:
    on = {ON_UNIT: model.position.unit_of[model.row], ON_MODEL: model.row, ON_SIDE: model.side}
    return effect.on == ON_BATTLE or on.get(effect.on) == effect.bearer


@rule("abilities/specialist-rules")
def of_commander(model: Model) -> tuple[Carried, ...]:
    """For a Specialist that has joined a squad: the Commander's abilities that change tests of the squad."""
    if not model.marks(marks.SPECIALIST):
        return ()
    leader = commander(model.unit)
    if leader is None or leader.row == model.row:
        return ()
    return tuple(one for one in printed(leader) if any(set(row.test) & set(SQUAD_TESTS) for row in one.ability.do))


@rule("morale/routed-effects")
def carried(model: Model) -> Iterator[Carried]:
    """All abilities of a model: its own, given ones, and its Commander's. Routed models use none but given ones."""
    routed = is_routed(model.unit)
    yield from printed(model)[:1] if routed else printed(model)
    if model.position.effects:
        yield from given(model)
    if not routed:
        yield from of_commander(model)


@rule("morale/routed-effects")
def own(model: Model) -> dict[str, int]:
    """The abilities on the profile that the model may use, each with its X. A routed model has none."""
    return {} if is_routed(model.unit) else model.profile.numbers


def has(model: Model, name: str) -> bool:
    """Whether the model can use an ability, printed on its profile or given to it."""
    return name in own(model) or any(one.name == name for one in carried(model))


@rule("morale/routed-effects")
def number(model: Model, name: str) -> int:
    """The X of an ability that the model can use, or 0."""
    ability = known().get(name)
    x = own(model).get(name, 0)
    return x if ability is None or ability.most is None else min(x, ability.most)


# ---------------------------------------------------------------- auras


def spreading(position: Position) -> tuple[tuple[int, Carried], ...]:
    """Every model that has an ability with an aura, paired with that ability. Kept with the roster."""
    kept = position.roster
    if "spreading" not in kept:
        kept["spreading"] = tuple(
            (model.row, one)
            for model in position.models
            for one in printed(model)
            if any(row.aura is not None for row in one.ability.do)
        )
    found: tuple[tuple[int, Carried], ...] = kept["spreading"]
    return found


@rule("abilities/inspiration", "abilities/dissent", "abilities/medic")
def reaching(model: Model) -> tuple[Falling, ...]:
    """The rows that neighbours' auras bring to a model; equal ones count once. Kept until something moves."""
    sources = spreading(model.position)
    if not sources:
        return ()
    position = model.position
    routed = tuple(position.of_units.columns.get(marks.ROUTED, ()))
    kept, key = position.layout, ("auras", model.row, routed)
    if key not in kept:
        found = {
            (one.name, one.x): (one, row)
            for source, one in sources
            for row in one.ability.do
            if is_reached(model, position.model(source), one, row)
        }
        kept[key] = tuple(found.values())
    reached: tuple[Falling, ...] = kept[key]
    return reached


@rule("abilities/inspiration", "abilities/dissent", "abilities/medic")
def is_reached(model: Model, bearer: Model, one: Carried, row: Row) -> bool:
    """Whether the bearer's aura reaches the model. No model is in its own aura, and routed models have none."""
    aura = row.aura
    on_table = model.is_on_table and bearer.is_on_table
    if aura is None or model.row == bearer.row or not on_table or is_routed(bearer.unit):
        return False
    wanted = bearer.side if aura.side == "friendly" else 1 - bearer.side
    return model.side == wanted and within(gap(model, bearer), one.x if aura.inches is None else aura.inches)


@rule("abilities/medic")
def is_healed_by(model: Model, medic: Model) -> bool:
    """Whether the model is in the aura of a Medic's Heal."""
    pairs = ((one, row) for source, one in spreading(model.position) if source == medic.row for row in one.ability.do)
    return any("heal" in row.value and is_reached(model, medic, one, row) for one, row in pairs)


# ---------------------------------------------------------------- rows in effect


@lru_cache(maxsize=1024)
def subjects(row: Row) -> tuple[str, ...]:
    """The subjects of a row, as ``falling`` is asked for them."""
    tests = tuple(f"test:{one}" for one in row.test)
    things = tuple(f"{kind}:{getattr(row, kind)}" for kind in ("allow", "ignore", "forbid") if getattr(row, kind))
    treats = ("treat",) if row.treat is not None else ()
    return (*row.value, *tests, *things, *treats, *((f"moment:{row.moment}",) if row.moment is not None else ()))


def by_subject(pairs: Iterable[Falling]) -> dict[str, tuple[Falling, ...]]:
    found: dict[str, tuple[Falling, ...]] = {}
    for one, row in pairs:
        for subject in subjects(row):
            found[subject] = (*found.get(subject, ()), (one, row))
    return found


def printed_rows(model: Model) -> dict[str, tuple[Falling, ...]]:
    """The rows of the model's own abilities, by subject. Kept with the roster."""
    kept, key = model.position.roster, ("rows", model.row)
    if key not in kept:
        kept[key] = by_subject((one, row) for one in printed(model) for row in one.ability.do)
    found: dict[str, tuple[Falling, ...]] = kept[key]
    return found


def given_rows(position: Position) -> dict[str, tuple[Falling, ...]]:
    """The rows that effects give, by subject. Kept until an effect begins or ends."""
    kept = position.cache
    if "given-rows" not in kept:
        named = ((effect, given_by(effect)) for effect in position.effects)
        gifts = (Carried(name_of(effect), one, effect=effect) for effect, one in named if one is not None)
        kept["given-rows"] = by_subject((one, row) for one in gifts for row in one.ability.do)
    found: dict[str, tuple[Falling, ...]] = kept["given-rows"]
    return found


@rule("morale/routed-effects")
def rows_on(model: Model, subject: str) -> Iterator[Falling]:
    """The rows on a subject that the model has, is given, or has through its Commander.

    Routed models use only given ones.
    """
    routed = is_routed(model.unit)
    own = printed_rows(model).get(subject, ())
    yield from (pair for pair in own if pair[0].name == EVERYBODY) if routed else own
    if model.position.effects:
        for one, row in given_rows(model.position).get(subject, ()):
            if one.effect is not None and bears(model, one.effect):
                yield one, row
    for one in () if routed else of_commander(model):
        yield from ((one, row) for row in one.ability.do if subject in subjects(row))


def printed_subjects(position: Position) -> frozenset[str]:
    """All subjects of the abilities on any profile. Kept with the roster."""
    kept = position.roster
    if "subjects" not in kept:
        kept["subjects"] = frozenset(subject for model in position.models for subject in printed_rows(model))
    found: frozenset[str] = kept["subjects"]
    return found


def is_changed_by_any(position: Position, subject: str) -> bool:
    """Whether any ability or effect in this battle, on any model, has this subject now."""
    if subject in printed_subjects(position):
        return True
    return bool(position.effects) and subject in given_rows(position)


def falling(about: About, subject: str) -> Iterator[Falling]:
    """Every row on a value, test or thing that applies to ``about`` and whose conditions hold."""
    if not is_changed_by_any(about.model.position, subject):
        return
    for who, bearer in (("self", about.model), ("target", about.target), ("attacker", about.attacker)):
        if bearer is not None:
            for one, row in rows_on(bearer, subject):
                if row.who == who and holds(row.condition, about, bearer, one):
                    yield one, row
    for one, row in reaching(about.model):
        if subject in subjects(row) and holds(row.condition, about, about.model, one):
            yield one, row


def parts(value: Value, about: About) -> tuple[Part, ...]:
    """The modifiers of a value by abilities, cards and effects, each with its rule."""
    found = (part_of(one, row) for one, row in falling(about, value))
    return tuple(part for part in found if part is not None)


def part_of(one: Carried, row: Row) -> Part | None:
    if row.add is not None:
        return Part(one.ability.rule, row.amount(row.add, one.amount), "raise")
    if row.times is not None:
        return Part(one.ability.rule, row.times, "multiply")
    return None if row.set is None else Part(one.ability.rule, row.amount(row.set, one.amount), "set")


def changed(value: Value, base: float, about: About) -> float:
    """A number that no die is rolled against, after every change. Lower bounds, then upper bounds, come last."""
    if not is_changed_by_any(about.model.position, value):
        return base
    found = list(falling(about, value))
    for kind in ("set", "times", "add"):
        for one, row in found:
            written = getattr(row, kind)
            if written is not None:
                base = applied(kind, base, row, row.amount(written, one.amount))
    low = [row.amount(row.at_least, one.amount) for one, row in found if row.at_least is not None]
    high = [row.amount(row.at_most, one.amount) for one, row in found if row.at_most is not None]
    return min([max([base, *low]), *high])


def applied(kind: str, base: float, row: Row, amount: float) -> float:
    if kind == "set":
        return amount
    if kind == "times":
        return base * amount
    return base + amount if row.least is None else max(base + amount, min(base, row.least))


# ---------------------------------------------------------------- what is allowed, ignored, forbidden


def granted(kind: Literal["allow", "ignore", "forbid"], thing: Thing, about: About) -> str:
    """The rule that allows, ignores or forbids a thing; "" if none does."""
    found = (one.ability.rule for one, _ in falling(about, f"{kind}:{thing}"))
    return next(found, "")


def allows(thing: Thing, about: About) -> bool:
    return bool(granted("allow", thing, about))


def ignores(thing: Thing, about: About) -> bool:
    return bool(granted("ignore", thing, about))


def forbids(thing: Thing, about: About) -> bool:
    return bool(granted("forbid", thing, about))


def is_open_to(model: Model, ground: Ground) -> bool:
    """Whether the model moves in such terrain as if it were open."""
    return any(ground in (row.treat or ()) for _, row in falling(About(model), "treat"))


# ---------------------------------------------------------------- tests without a die, further tests, re-rolls


def success(test: Test, model: Model) -> Carried | None:
    """The ability that passes a test without a die (for a test of the squad: the Commander's). Uses nothing up."""
    return next((one for one, _ in falling(About(model, test=test), f"test:{test}")), None)


def succeeds(test: Test, model: Model) -> str:
    """The rule that passes a test without a die, or "" if the model must roll.

    An ability that works once is used up.
    """
    found = success(test, model)
    if found is None:
        return ""
    if found.effect is not None and any(row.once == "next" for row in found.ability.do):
        end(model.position, found.effect)
    model.position.write("passes-unrolled", model=model.row, test=test, rule=found.ability.rule)
    return found.ability.rule


def end(position: Position, effect: Effect) -> None:
    """End a given ability before its time. A card goes to its player's discard pile."""
    if is_card(effect):
        to_discard(position, effect)
    else:
        position.end_effect(effect)


def causes(moment: Moment, about: About) -> tuple[tuple[Test, str], ...]:
    """The tests that an event caused by ``about.model`` brings about, each with its rule."""
    rows = falling(about, f"moment:{moment}")
    return tuple((row.cause, one.ability.rule) for one, row in rows if row.cause is not None)


@rule("abilities/duelist", "abilities/hatred")
def rerolls(value: Value, about: About) -> tuple[Carried, ...]:
    """The abilities, not yet used up, that let the model roll one failed die of a value again."""
    used = used_by(about.model)
    found = (one for one, row in falling(about, value) if row.reroll)
    return tuple(one for one in found if one.name not in used)


def used_by(model: Model) -> tuple[str, ...]:
    """The names of the abilities that the model has used up until its activation ends."""
    found: tuple[str, ...] = model.note(marks.USED, ())
    return found


@rule("abilities/duelist", "abilities/hatred")
def use(model: Model, name: str) -> None:
    """Note that the model has used an ability that works once in an activation."""
    model.jot(marks.USED, (*used_by(model), name))


def give(position: Position, name: str, on: str, bearer: int, until: str, *details: Plain) -> None:
    """Give an ability until a moment, to a model, squad or side (by its row) or to everybody (``ON_...``)."""
    position.begin(Effect(known()[name].rule, bearer, until=until, value=(name, *details), on=on))


def for_side(position: Position, value: Value, side: int, base: int) -> int:
    """A number that belongs to a side, with what effects on that side add."""
    rows = (row for one in position.effects for row in rows_for(one, side) if value in row.value)
    return base + sum(int(row.add or 0) for row in rows)


def rows_for(effect: Effect, side: int) -> tuple[Row, ...]:
    """The rows that an effect applies to a side."""
    ability = given_by(effect) if (effect.on, effect.bearer) == (ON_SIDE, side) else None
    return () if ability is None else ability.do
