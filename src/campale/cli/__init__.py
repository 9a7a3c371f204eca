"""The command line. Every command imports what it needs when it runs, so that the small ones are quick."""

from __future__ import annotations

from typing import Annotated

import typer

from campale.cli import analysing, authors, club, database, files, lab, odds, playing, rulebook, serving
from campale.cli.commands import Commands
from campale.cli.common import LANGUAGES, Sorry, language, say

EPILOG = """
Exit codes: 0 all is well; 1 what was checked is not right (a game that does not verify, a file with problems, a battle
that failed); 2 the input cannot be used; 3 an unforeseen fault; 130 interrupted.

Examples:

campale play RULESET --you red

campale battle RULESET --seed 7 --red greedy --blue random --out game.json

campale rule fire/mod-half-range --lang it
"""

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
)


def tell_version(wanted: bool) -> None:
    if wanted:
        import campale as package

        typer.echo(f"campale {package.__version__}")
        raise typer.Exit


@app.callback()
def campale(
    lang: Annotated[
        str,
        typer.Option(envvar="CAMPALE_LANG", metavar="en|it", help="The language of all output; anywhere."),
    ] = "en",
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", is_eager=True, callback=tell_version)
    ] = False,
) -> None:
    """A referee for tabletop miniature battles."""
    if lang not in LANGUAGES:
        raise Sorry(say("no-language", lang=lang))
    language.set(lang)


playing.add_to(app)
files.add_to(app)
analysing.add_to(app)
rulebook.add_to(app)
odds.add_to(app)
serving.add_to(app)
club.add_to(app)
database.add_to(app)
lab.add_to(app)
authors.add_to(app)


def main() -> None:
    """The entry point of the ``campale`` command."""
    app(prog_name="campale")
