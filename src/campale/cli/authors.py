"""The commands for authors: begin a ruleset, test it, list the rulesets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from campale.cli.common import NOT_RIGHT, Sorry, say, titled


def add_to(app: typer.Typer) -> None:
    app.command("rulesets", epilog="Exit code 1 when one of them is switched off.")(rulesets)
    app.command("new-ruleset", epilog='Example: campale new-ruleset mybook --title "My book"')(new_ruleset)
    app.command("conformance", epilog="Exit code 1 when a test fails.")(conformance)


def rulesets() -> None:
    """List the rulesets that can be played, and those installed that cannot, with the reason."""
    from campale.referee.ruleset import load_ruleset, package_named, ruleset_names, unplayable

    for name in ruleset_names():
        typer.echo(f"{name}  {titled(load_ruleset(name).title)}  ({package_named(name)})")
    for one in unplayable():
        typer.echo(say("rulesets.off", name=one.name, package=one.package, why=one.why), err=True)
    if unplayable():
        raise typer.Exit(NOT_RIGHT)


def new_ruleset(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its short name: small letters, digits, _.")],
    title: Annotated[str, typer.Option(help="Its title; the name without one.")] = "",
    folder: Annotated[Path, typer.Option(help="Where the package's folder is made.")] = Path(),
) -> None:
    """Begin a ruleset: a package of its own that plays at once, with tests, words, a scenario file."""
    from campale.cli.making import make

    try:
        package = make(name, title.strip() or name, folder)
    except OSError as error:
        raise Sorry(say("cannot-write", file=folder, error=error.strerror or error)) from None
    typer.echo(say("new.made", folder=package, name=name))


def conformance(
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="An installed ruleset, or a dotted package.")],
    only: Annotated[str, typer.Option("-k", metavar="WORDS", help="Only tests whose names have these words.")] = "",
) -> None:
    """Test what every ruleset has to hold: battles end, refusals leave no trace, views keep secrets."""
    try:
        import pytest
    except ImportError:
        raise Sorry(say("conformance.no-pytest")) from None
    os.environ["CAMPALE_RULESETS"] = ruleset
    words = ["--pyargs", "campale.conformance", "-q", "-p", "no:cacheprovider", *(["-k", only] if only else [])]
    raise typer.Exit(NOT_RIGHT if pytest.main(words) else 0)
