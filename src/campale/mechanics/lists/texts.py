"""Plain texts as players paste them: units with points, and below them their models and equipment.

The dialects differ in bullets, brackets and headings; a line is read by its form, not by the program that wrote it.
Anything that cannot be distinguished without a datasheet (a model, a weapon, an enhancement) is an ``Entry``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from campale.mechanics.lists.headings import (
    BULLET,
    FENCE,
    Heading,
    heading_of,
    is_section,
    keyed,
    priced,
    program_of,
    said_of_unit,
)
from campale.mechanics.lists.matching import folded
from campale.mechanics.lists.record import (
    MOST_LINES,
    MOST_PASTED,
    MOST_UNITS,
    ArmyListed,
    Aside,
    Entry,
    Lines,
    ListError,
    UnitListed,
    say,
)

TAG = re.compile(r"^(?:char|[A-Z]{2,4})\s?\d{1,2}:\s*", re.IGNORECASE)
NUMBERED = re.compile(r"^(?P<count>\d{1,3})\s*(?:x|×)?\s+(?P<name>\S.*)$", re.IGNORECASE)
WITH = re.compile(r"^(?P<count>\d{1,3})\s*x?\s+(?:with|con|avec)\s+(?P<rest>.*)$", re.IGNORECASE)
PLUS = re.compile(r"\s*[\[(]\+?(?P<points>\d{1,4})\s*(?:pts?|points?|punti)?[\])]\s*$", re.IGNORECASE)
LABEL = re.compile(r"^(?:enhancements?|e|potenziament[oi]|optimisations?)\s*:\s*", re.IGNORECASE)
SIGNS = re.compile(r"[,()\[\]]")
CHOICE = re.compile(r"^(?P<name>[^()]+?)\s*\((?P<rest>[^()]+)\)$")
WARLORD = "Warlord"
MOST_INDENT = 60
ENHANCEMENT, CHOSEN = "enhancement", "choice"
"""Keywords of entries: an Enhancement; a choice by its name, with its results in ``entries``."""


class Row(NamedTuple):
    """A line of the text: its number, its indentation, whether it has a bullet, and its content."""

    line: int
    indent: int
    bullet: str
    text: str


def read_text(text: str) -> ArmyListed:
    """Read a text. Raises ListError if it has no unit with points, or is longer than any list."""
    if len(text) > MOST_PASTED:
        raise ListError(say("long-text", most=MOST_PASTED))
    lines = Lines()
    rows = rows_of(text, lines)
    start = first_unit(rows)
    if start is None:
        raise ListError(say("no-units"))
    heading = heading_of([one.text for one in rows[:start] if one.text])
    units, asides = units_of(rows[start:])
    units = with_heading(rows[:start], rows[start:], units)
    if len(units) > MOST_UNITS:
        raise ListError(say("too-many-units", most=MOST_UNITS))
    return as_army(text, lines, heading, units, [*(Aside(one.line, "heading") for one in rows[:start]), *asides])


def as_army(text: str, lines: Lines, heading: Heading, units: list[UnitListed], asides: list[Aside]) -> ArmyListed:
    return ArmyListed(
        program=program_of(text),
        lines=tuple(lines.found),
        units=tuple(units),
        asides=tuple(asides),
        name=heading.name,
        faction=heading.faction,
        detachment=heading.detachment,
        total=heading.total,
        added=sum(one.points for one in units),
        limit=heading.limit,
    )


# ---------------------------------------------------------------- lines


def rows_of(text: str, lines: Lines) -> list[Row]:
    """The lines with content, as rows."""
    found = []
    for raw in text.splitlines()[: MOST_LINES * 2]:
        bare = raw.replace("\u00a0", " ").replace("\u202f", " ").expandtabs(2).rstrip()
        said = " ".join(bare.split())
        if not said:
            continue
        hit, indent = BULLET.match(said), min(len(bare) - len(bare.lstrip()), MOST_INDENT)
        bullet, rest = (hit["bullet"], hit["rest"]) if hit is not None and not FENCE.match(said) else ("", said)
        found.append(Row(lines.add(said, min(indent // 2, 6)), indent, bullet, rest.strip()))
    return found


def first_unit(rows: list[Row]) -> int | None:
    """The end of the heading: the first section followed by a unit, or the first unit with lines beneath it."""
    for k, row in enumerate(rows):
        after = rows[k + 1] if k + 1 < len(rows) else None
        if is_unit(row) and (TAG.match(row.text) or within(rows, k)):
            return k
        if after is not None and is_section(row.text) and not row.bullet and is_unit(after) and k > 0:
            return k
        if after is not None and FENCE.match(row.text) and is_unit(after):
            return k
    return next((k for k, row in enumerate(rows) if k and is_unit(row)), None)


def within(rows: list[Row], k: int) -> bool:
    """Whether entries follow for the line itself, and not only in the next section."""
    found = priced(rows[k].text)
    follows = k + 1 < len(rows) and (bool(rows[k + 1].bullet) or rows[k + 1].indent > rows[k].indent)
    return follows or (found is not None and bool(found.rest))


def is_unit(row: Row) -> bool:
    if row.bullet or row.text[:1] in "#+&" or LABEL.match(row.text):
        return False
    found = priced(row.text)
    return found is not None and not found.is_more and keyed(row.text) is None


def units_of(rows: list[Row]) -> tuple[list[UnitListed], list[Aside]]:
    """Each unit with the lines beneath it; headings and other lines are asides."""
    units: list[UnitListed] = []
    asides: list[Aside] = []
    beneath: list[Row] = []
    for row in rows:
        if is_unit(row):
            close(units, beneath)
            units.append(unit_of(row))
        elif not row.bullet and not row.indent and (is_section(row.text) or FENCE.match(row.text) or keyed(row.text)):
            close(units, beneath)
            asides.append(Aside(row.line, "heading"))
        elif units and (row.bullet or row.indent or WITH.match(row.text) or LABEL.match(row.text)):
            beneath.append(row)
        else:
            asides.append(Aside(row.line, "note"))
    close(units, beneath)
    return units, asides


def close(units: list[UnitListed], beneath: list[Row]) -> None:
    """Give the last unit the lines beneath it."""
    if units and beneath:
        units[-1] = replace(units[-1], entries=(*units[-1].entries, *tree_of(beneath)))
        beneath.clear()


# ---------------------------------------------------------------- units and their entries


def unit_of(row: Row) -> UnitListed:
    found = priced(TAG.sub("", row.text))
    assert found is not None
    count, name = numbered(found.name)
    return UnitListed(row.line, name, count=max(count, 0), points=found.points, entries=items(found.rest, row.line))


def with_heading(heading: list[Row], rows: list[Row], units: list[UnitListed]) -> list[UnitListed]:
    """Add Enhancements and the Warlord from the heading if the units do not repeat them."""
    tags = {folded(hit[0]): row.line for row in rows if (hit := TAG.match(row.text)) is not None}
    for row in heading:
        said = said_of_unit(row.text)
        tag = TAG.match(said.unit) if said is not None else None
        name = folded(TAG.sub("", said.unit)) if said is not None else ""
        line = tags.get(folded(tag[0])) if tag is not None else None
        at = next((k for k, one in enumerate(units) if line in (None, one.line) and folded(one.name) == name), None)
        if said is None or at is None:
            continue
        entry = Entry(row.line, said.name or WARLORD, keywords=(ENHANCEMENT,) if said.name else ())
        has = {folded(one.name) for inner in units[at].entries for one in inner.all()}
        if folded(entry.name) not in has:
            units[at] = replace(units[at], entries=(*units[at].entries, entry))
    return units


def tree_of(rows: list[Row]) -> list[Entry]:
    """The entries of rows: indented lines belong to the bulleted line above; without a bullet they are on its level."""
    found: list[Entry] = []
    k = 0
    while k < len(rows):
        row, end = rows[k], k + 1
        while end < len(rows) and rows[end].bullet and rows[end].indent > row.indent:
            end += 1
        new = entry_of(row, tree_of(rows[k + 1 : end]))
        if found and takes(found[-1], new):
            found[-1] = replace(found[-1], entries=(*found[-1].entries, *new))
        else:
            found += new
        k = end
    return found


def takes(model: Entry, new: list[Entry]) -> bool:
    """Whether ``7 with Rifle`` tells the equipment of some of the models in the line above."""
    told = sum(one.count for one in model.entries if not one.name)
    only = all(not one.name for one in model.entries)
    return bool(model.name and only and len(new) == 1 and not new[0].name) and told + new[0].count <= model.count


def entry_of(row: Row, inner: list[Entry]) -> list[Entry]:
    text = row.text
    if hit := WITH.match(text):
        count = int(hit["count"])
        return [Entry(row.line, "", count, entries=(*of_each(items(hit["rest"], row.line), count), *inner))]
    if LABEL.match(text):
        return [replace(one, keywords=(ENHANCEMENT,)) for one in items(LABEL.sub("", text), row.line)]
    head, colon, rest = text.partition(": ")
    if colon:
        count, name = numbered(head)
        many = max(count, 1)
        each = entry_of(row._replace(text=rest), []) if WITH.match(rest) else items(rest, row.line, many)
        return [Entry(row.line, name, many, entries=(*each, *inner))]
    parts = items(text, row.line)
    if inner and len(parts) == 1:
        return [replace(parts[0], entries=tuple(inner))]
    return [*parts, *inner]


def of_each(carried: tuple[Entry, ...], models: int) -> tuple[Entry, ...]:
    """The items of each of several models, with total counts."""
    return tuple(replace(one, count=one.count * models) for one in carried)


def items(text: str, line: int, usual: int = 1) -> tuple[Entry, ...]:
    """The items of ``Warlord, Blade, 2x Pistol``, each with its number; ``usual``: the number of items without one."""
    return tuple(item(one.strip(), line, usual) for one in parted(text) if one.strip(" .,"))


def parted(text: str) -> Iterator[str]:
    """The parts between commas; commas within brackets do not part."""
    start, waiting = 0, list[int]()
    for hit in SIGNS.finditer(text):
        if hit[0] == ",":
            waiting.append(hit.start())
        elif hit[0] in ")]":
            waiting.clear()
        else:
            for comma in waiting:
                yield text[start:comma]
                start = comma + 1
            waiting.clear()
    for comma in waiting:
        yield text[start:comma]
        start = comma + 1
    yield text[start:]


def item(text: str, line: int, usual: int) -> Entry:
    kept = (ENHANCEMENT,) if LABEL.match(text) else ()
    text = LABEL.sub("", text)
    hit = PLUS.search(text)
    text = PLUS.sub("", text)
    if (choice := CHOICE.match(text)) is not None and not hit:
        count, name = numbered(choice["name"])
        return Entry(line, name, count or usual, keywords=(CHOSEN,), entries=items(choice["rest"], line, usual))
    count, name = numbered(text)
    return Entry(line, name, count or usual, int(hit["points"]) if hit else 0, keywords=kept)


def numbered(text: str) -> tuple[int, str]:
    """The number and the name: ``9x Rifle`` is 9 and ``Rifle``; 0 without a number."""
    hit = NUMBERED.match(text.strip())
    return (int(hit["count"]), hit["name"].strip()) if hit else (0, text.strip())
