"""Looking at a model: its card, its reaches, its lines of sight to every other model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campale.referee.game import Game
from campale.referee.looks import CLEAR, Arm, Changed, Reach, Sight
from campale.referee.position import Model, Position
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.scene import Eyes, capital, eyes, models_of
from campale.screen.sheet import refusal_shown
from campale.screen.shown import Card, CardLine, CardTable, Look, MarkShown, Ray, Ring, RuleShown, Sighting

KIND = ("type", "subtypes")
"""The fields of a card that say what a model is, shown under its name."""


def look(game: Game, side: int | None, row: int, language: str) -> Look | None:
    """Everything that a side may know of a model; None if it may not see it, or there is none."""
    seen = eyes(game, side, language)
    return look_at(seen, row)


def look_at(seen: Eyes, row: int) -> Look | None:
    position, teller = seen.position, seen.teller
    if not 0 <= row < len(position.names):
        return None
    model = position.model(row)
    rings = [ring(one, teller) for one in reaches_of(model)] if model.is_on_table else []
    marks = models_of(position, teller)[row].marks
    return Look(row, card_of(model, teller, marks), rings, sightings(model, teller))


# ---------------------------------------------------------------- the card


def card(model: Model, language: str) -> Card:
    """The card of a model outside of any battle."""
    position = model.position
    return card_of(model, Teller(position.ruleset, language, position.names, position.unit_names, (), [model.profile]))


def card_of(model: Model, teller: Teller, marks: Sequence[MarkShown] = ()) -> Card:
    ruleset = model.position.ruleset
    fields = ruleset.card(model) if ruleset.card is not None else {}
    changes = ruleset.changes(model) if ruleset.changes is not None else {}
    arms = ruleset.arms(model) if ruleset.arms is not None else ()
    tables = {arm.table for arm in arms}
    line = [
        card_line(name, value, changes.get(name), teller)
        for name, value in fields.items()
        if name not in KIND and not isinstance(value, list)
    ]
    notes = [
        f"{capital(teller.word('field', name))}: {', '.join(note(name, one, teller) for one in value)}"
        for name, value in fields.items()
        if isinstance(value, list) and value and name not in (*KIND, *tables)
    ]
    carried = card_tables(arms, teller)
    return Card(title_of(model, teller), subtitle(fields, teller), line, carried, notes, list(marks))


def title_of(model: Model, teller: Teller) -> str:
    return teller.model(model.row) if model.row < len(teller.names) else teller.kind_of(0)


def subtitle(fields: dict[str, Plain], teller: Teller) -> str:
    """The subtitle of a model: its type and further kinds."""
    return ", ".join(teller.value(name, fields[name]) for name in KIND if fields.get(name))


def card_line(name: str, value: Plain, changed: Changed | None, teller: Teller) -> CardLine:
    now, title = cell(name, value, teller), teller.word("field", name)
    if changed is None:
        return CardLine(name, title, now)
    return CardLine(name, title, now, cell(name, changed.was, teller), rules(changed.rules, teller))


def plain(value: Plain, teller: Teller) -> str:
    """A number or a word of a card as text; a missing value is a dash."""
    return "–" if value is None else teller.value("", value) if not isinstance(value, str) else value


def note(name: str, one: Plain, teller: Teller) -> str:
    """An entry of a list, told by its first word: ``favoured-enemy marsh``."""
    word, _, more = str(one).partition(" ")
    told = teller.word(name, word)
    return f"{told} {teller.word(name, more)}" if more else told


def card_tables(arms: Sequence[Arm], teller: Teller) -> list[CardTable]:
    """A table for each kind of equipment, without empty columns."""
    made = []
    for name in dict.fromkeys(arm.table for arm in arms):
        of = [arm for arm in arms if arm.table == name]
        columns = [key for key in dict.fromkeys(key for arm in of for key in arm.values) if any_has(of, key)]
        has_rules = any(arm.rules for arm in of)
        rows = [row(arm, columns, has_rules, teller) for arm in of]
        titles = [capital(teller.word("field", column)) for column in (*columns, *(("rules",) if has_rules else ()))]
        made.append(CardTable(capital(teller.word("field", name)), ["", *titles], rows))
    return made


def any_has(arms: Iterable[Arm], key: str) -> bool:
    return any(arm.values.get(key) is not None for arm in arms)


def row(arm: Arm, columns: Sequence[str], has_rules: bool, teller: Teller) -> list[str]:
    cells = [cell(column, arm.values.get(column), teller) for column in columns]
    told = [", ".join(rule_of(name, value, teller) for name, value in arm.rules)] if has_rules else []
    return [capital(arm.title[teller.language] if arm.title else teller.word("weapon", arm.id)), *cells, *told]


def cell(column: str, value: Plain, teller: Teller) -> str:
    return teller.word(column, value) if isinstance(value, str) else plain(value, teller)


def rule_of(name: str, value: Plain, teller: Teller) -> str:
    told = teller.word("weapon-rule", name)
    return told if value is None else f"{told} {plain(value, teller)}"


def rules(ids: Iterable[str], teller: Teller) -> list[RuleShown]:
    return [RuleShown(one, teller.rule(one)) for one in ids if one]


# ---------------------------------------------------------------- rings


def reaches_of(model: Model) -> Sequence[Reach]:
    ruleset = model.position.ruleset
    return ruleset.reaches(model) if ruleset.reaches is not None else ()


def ring(reach: Reach, teller: Teller) -> Ring:
    told = teller.word("reach", reach.kind)
    text = f"{capital(teller.word('weapon', reach.of))}: {told}" if reach.of else told
    return Ring(reach.kind, f"{text} {teller.far(reach.reach)}", reach.reach, reach.arc)


# ---------------------------------------------------------------- sight


def sightings(model: Model, teller: Teller) -> list[Sighting]:
    """The sightings of every model of the other side on the table, nearest first."""
    sight = model.position.ruleset.sight
    if sight is None or not model.is_on_table:
        return []
    others = others_of(model.position, model.side)
    found = [sighting(other, sight(model, other), teller) for other in others]
    return sorted(found, key=lambda one: (one.distance, one.model))


def others_of(position: Position, side: int) -> list[Model]:
    return [other for other in position.on_table() if other.side != side]


def sighting(other: Model, seen: Sight, teller: Teller) -> Sighting:
    rays = [Ray(one.start, one.end, one.stop is None, None if one.stop is None else one.stop[:2]) for one in seen.rays]
    blockers = [capital(teller.word("piece", one)) for one in seen.blockers] + [
        teller.model(one) for one in seen.bodies
    ]
    free = sum(one.stop is None for one in seen.rays)
    word = f"sight.{seen.sees}" if blockers or seen.sees == CLEAR else f"sight.{seen.sees}.bare"
    text = teller.words.say(word, free=free, of=len(rays), target=teller.model(other.row), blockers=", ".join(blockers))
    cited = RuleShown(seen.rule, teller.rule(seen.rule)) if seen.rule else None
    barred = [refusal_shown(one, teller) for one in seen.barred]
    told = " ".join([text, *(one.text for one in barred)])
    return Sighting(other.row, seen.sees, told, seen.distance, rays, blockers, cited, barred)
