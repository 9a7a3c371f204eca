"""Lists of other programs at the command line: the fate of every line, what to mend, and the army file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from campale.cli.common import NOT_RIGHT, Sorry, language, ruleset_named, say, write_file
from campale.referee.armies.lists import FATES, NOT_UNDERSTOOD, NOTED, ListAsked, ListRead, Mend
from campale.referee.telling.spoken import told

if TYPE_CHECKING:
    from campale.referee.ruleset import Ruleset

MOST_BYTES = 20_000_000


def read_and_tell(file: Path, name: str, out: Path | None, mends: dict[str, str], known: Sequence[Any]) -> None:
    """Read a list and print the fates of its lines.

    The exit code is 1 if something was not understood, or must be answered before all units can be played.
    """
    ruleset = reader_named(name)
    assert ruleset.read_list is not None
    forces = tuple(one for one in known if isinstance(one, dict))
    found = ruleset.read_list(ListAsked(bytes_of(file), mends, forces))
    if found.refused:
        raise Sorry("; ".join(told(one, language.get()) for one in found.refused))
    for line in told_list(found):
        typer.echo(line)
    if out is not None and found.force is not None:
        write_file(out, json.dumps(found.force, ensure_ascii=False, indent=1) + "\n")
        typer.echo(say("saved", file=out))
    if found.count(NOT_UNDERSTOOD) or found.force is None:
        raise typer.Exit(NOT_RIGHT)


def reader_named(name: str) -> Ruleset:
    """The ruleset with this name, or the first that reads lists."""
    from campale.referee.ruleset import load_ruleset, ruleset_names

    if name:
        chosen = ruleset_named(name)
        if chosen.read_list is None:
            raise Sorry(say("reads-no-lists", name=name))
        return chosen
    found = next((one for one in map(load_ruleset, ruleset_names()) if one.read_list is not None), None)
    if found is None:
        raise Sorry(say("nobody-reads-lists"))
    return found


def bytes_of(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(MOST_BYTES)
    except OSError as error:
        raise Sorry(say("cannot-read", file=file, error=error.strerror or str(error))) from None


def told_list(found: ListRead) -> Iterator[str]:
    """The lines about the battle with their fates, then the checks, then the possible mends."""
    for line in found.lines:
        if line.fate != NOTED:
            yield f"{say(f'fate-{line.fate}'):<16}{'  ' * line.depth}{line.text}"
            yield from (f"{'':<16}{'  ' * line.depth}  {told(why, language.get())}" for why in line.whys)
    yield say("list-lines", **{fate.replace("-", "_"): found.count(fate) for fate in FATES})
    yield from (("" if one.is_right else "! ") + told(one.text, language.get()) for one in found.checks)
    if found.mends:
        yield say("list-mends")
        yield from map(told_mend, found.mends)


def told_mend(mend: Mend) -> str:
    choices = ", ".join(f"{one.value} ({told(one.title, language.get())})" for one in mend.choices[:8])
    offered = choices or (f"{mend.least:g} – {mend.most:g}" if mend.kind == "number" else "")
    mark, title = "! " if mend.is_needed else "  ", told(mend.title, language.get())
    return f"{mark}--mend {mend.name}={mend.value}   {title}{f' [{offered}]' if offered else ''}"
