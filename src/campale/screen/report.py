"""A battle as a report in Markdown: the armies, the events, the losses, and the luck of the dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from campale.referee.journal import Event
from campale.referee.position import TABLE
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import DICE, lines, without_empty_chapters
from campale.screen.luck import luck
from campale.screen.scene import Eyes, result_of
from campale.screen.shown import Luck

SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#"})
"""The signs with a meaning in Markdown."""


def report(seen: Eyes, events: Sequence[Event], agreed: Sequence[tuple[str, str, str]] = ()) -> str:
    """The report for a viewer of these events; ``agreed`` are the lines of the set-up."""
    ruleset = seen.teller.ruleset
    title = ruleset.title.get(seen.teller.language) or ruleset.name
    parts = [
        [f"# {plain(title)}: {' – '.join(plain(seen.teller.side(one)) for one in (0, 1))}"],
        *chapter(seen.teller, "set-up", (f"- {plain(name)}: {plain(value)}" for name, value, _ in agreed)),
        *chapter(seen.teller, "forces", forces(seen)),
        *chapter(seen.teller, "battle", story(events, seen.teller)),
        *chapter(seen.teller, "end", [plain(result_of(seen.position, seen.teller) or say(seen.teller, "goes-on"))]),
        *chapter(seen.teller, "losses", losses(seen) or [say(seen.teller, "no-losses")]),
        *chapter(seen.teller, "luck", dice(events, seen.teller)),
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def say(teller: Teller, key: str, **values: str | int) -> str:
    return teller.words.say(f"report.{key}", **values)


def plain(text: str) -> str:
    """A text with the signs of Markdown escaped."""
    return " ".join(text.translate(SPECIAL).split())


def chapter(teller: Teller, key: str, told: Iterable[str]) -> Iterator[list[str]]:
    """A heading with its content; empty if there is none."""
    body = list(told)
    if body:
        yield [f"## {say(teller, key)}"]
        yield body


# ---------------------------------------------------------------- the armies


def forces(seen: Eyes) -> list[str]:
    return [line for side in (0, 1) for line in force_of(seen, side)]


def force_of(seen: Eyes, side: int) -> list[str]:
    """The units as bought, single models by name, and how many of their models are left."""
    position, teller = seen.position, seen.teller
    rows: dict[int, list[int]] = {}
    for row, unit in enumerate(position.bought_with):
        if position.side_of[row] == side:
            rows.setdefault(unit, []).append(row)
    told = [f"- {plain(bought(teller, unit, of))}" for unit, of in sorted(rows.items())]
    standing = sum(position.where[row] == TABLE for of in rows.values() for row in of)
    full = sum(map(len, rows.values()))
    return [f"### {plain(teller.side(side))}", "", *told, "", say(teller, "left", left=standing, full=full), ""]


def bought(teller: Teller, unit: int, rows: list[int]) -> str:
    """A unit and its models; a model bought alone has the same name as in the journal."""
    return teller.model(rows[0]) if len(rows) == 1 else f"{teller.unit(unit)}: {teller.kinds(rows)}"


# ---------------------------------------------------------------- the events


def story(events: Sequence[Event], teller: Teller) -> list[str]:
    """The journal without its dice, under the headings of turns and phases."""
    without_dice = [event for event in events if event.kind not in DICE]
    told = []
    for line in without_empty_chapters(list(lines(without_dice, teller))):
        told += ["", f"{'#' * (line.level + 2)} {plain(line.text)}", ""] if line.level else [f"- {plain(line.text)}"]
    return told


def losses(seen: Eyes) -> list[str]:
    """Every lost model, in order, with the cause."""
    teller = seen.teller
    told = []
    for loss in seen.position.losses:
        author = f" ({plain(teller.author(loss.by))})" if loss.by >= 0 else ""
        told.append(f"- {plain(teller.model(loss.model))}: {plain(teller.word('cause', loss.cause))}{author}")
    return told


# ---------------------------------------------------------------- the dice


def dice(events: Sequence[Event], teller: Teller) -> list[str]:
    found = luck(events, teller)
    if not found.sides:
        return []
    columns = say(teller, "luck-columns").split("|")
    head = [f"| {' | '.join(one.strip() for one in columns)} |", f"|{'---|' * len(columns)}"]
    of_kind = [f"- {plain(teller.side(one.side))}, {plain(one.text)}: {counted(one, teller)}" for one in found.kinds]
    return [*head, *(row(one, teller) for one in found.sides), "", f"### {say(teller, 'luck-kinds')}", "", *of_kind]


def row(one: Luck, teller: Teller) -> str:
    share = say(teller, "share", share=round(100 * one.share))
    return f"| {plain(one.text)} | {one.count} | {teller.words.shown(round(one.expected, 1))} | {one.got} | {share} |"


def counted(one: Luck, teller: Teller) -> str:
    return f"{one.got} / {one.count} ({teller.words.shown(round(one.expected, 1))})"
