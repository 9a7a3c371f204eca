"""The commands that read the rules: one rule, a search, the whole book."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from campale.cli.common import NOT_RIGHT, Sorry, language, say, titled, write_file

if TYPE_CHECKING:
    from campale.referee.ledgers.ledger import Entry, Ledger


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: campale rule fire/mod-half-range. Exit code 1 when no ledger has the rule.")(rule)
    app.command(epilog="Example: campale rules RULESET control area")(rules)
    app.command(epilog="Example: campale book RULESET --out book.html")(book)


def rule(id_: Annotated[str, typer.Argument(metavar="ID", help="The rule's id, chapter/name.")]) -> None:
    """Tell a rule: its text, our ruling, where it stands in the ledger, its functions and its tests."""
    from campale.referee.ledgers.sources import ledger_folders

    found = [(name, folder) for name, folder in ledger_folders().items() if has(folder, id_)]
    for name, folder in found:
        tell(ledger_in(folder).entries[id_], name, folder)
    if not found:
        typer.echo(say("no-rule", id=id_, like=", ".join(like(id_)) or "-"), err=True)
        raise typer.Exit(NOT_RIGHT)


def has(folder: Path, id_: str) -> bool:
    """Whether a ledger has an entry; ledgers that cannot have it are not read."""
    return id_ in (folder / "rules.yaml").read_text(encoding="utf-8") and id_ in ledger_in(folder).entries


def ledger_in(folder: Path) -> Ledger:
    from campale.referee.ledgers.ledger import read_ledger

    return read_ledger(folder / "rules.yaml")


def like(id_: str) -> list[str]:
    from campale.referee.ledgers.sources import ledger_folders

    known = [one for folder in ledger_folders().values() for one in ledger_in(folder).entries]
    return get_close_matches(id_, known, 4)


def tell(entry: Entry, name: str, folder: Path) -> None:
    """Print an entry with the functions that carry it out and its tests."""
    from campale.cli.entries import told_entry
    from campale.referee.ledgers import sources

    other = "it" if language.get() == "en" else "en"
    typer.echo(f"{entry.id}  {titled(entry.title)}  ({entry.title.get(other, '')})  [{name}, {entry.kind}]")
    for text in told_entry(entry, language.get()):
        typer.echo(f"\n  {text}")
    if entry.needs:
        typer.echo(f"\n  {say('needs')}: {', '.join(entry.needs)}")
    ledger = folder / "rules.yaml"
    typer.echo(f"\n{say('ledger')}\n  {sources.near(ledger)}:{sources.line_in_ledger(ledger, entry.id)}")
    typer.echo(say("code"))
    places = [f"{sources.near(p.path)}:{p.line}  {p.name}" for p in sources.functions_citing(folder, entry.id)]
    places += [f"{sources.near(path)}:{line}" for path, line in sources.lines_citing(folder, entry.id)]
    for place in places or ["-"]:
        typer.echo(f"  {place}")
    typer.echo(say("tests"))
    covering = sources.covering(folder, entry.id).get(entry.id, ())
    tests = [f"{sources.near(path)}  {test}" for path, test in covering]
    for test in tests or ["-"]:
        typer.echo(f"  {test}")


def folder_of(name: str) -> Path:
    from campale.referee.ledgers.sources import ledger_folders

    folders = ledger_folders()
    if name not in folders:
        raise Sorry(say("no-ruleset", name=name, names=", ".join(folders)))
    return folders[name]


def rules(
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="The ruleset's short name.")],
    words: Annotated[list[str] | None, typer.Argument(help="Words that must all occur; default: all rules.")] = None,
) -> None:
    """List a ruleset's rules, or those in which some words occur."""
    ledger = ledger_in(folder_of(ruleset))
    found = ledger.find(" ".join(words or []))
    wide = max((len(entry.id) for entry in found), default=0)
    for entry in found if words else ledger.entries.values():
        typer.echo(f"{entry.id:<{wide}}  {titled(entry.title)}")
    if not found:
        typer.echo(say("no-rules-found", words=" ".join(words or [])), err=True)
        raise typer.Exit(NOT_RIGHT)


def book(
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="The ruleset's short name.")],
    out: Annotated[Path | None, typer.Option(help="The file; default: RULESET.html.")] = None,
) -> None:
    """Make an HTML rulebook in the ledger's order: text, rulings, the code of each rule and its tests."""
    from campale.cli.book import html

    path = out or Path(f"{ruleset}.html")
    write_file(path, html(folder_of(ruleset), language.get()))
    typer.echo(say("saved", file=path))
