"""The experiments that a designer asks first: listed, and written for a rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from campale.cli.common import Sorry, language, player_chosen, ruleset_named, say, write_file


def add_to(lab: typer.Typer) -> None:
    lab.command(epilog="Example: campale lab templates")(templates)
    lab.command(epilog="Example: campale lab new unit RULESET --unit 3 --bot script")(new)


def templates() -> None:
    """List the questions that come ready, and what each rulebook has for them."""
    from campale.lab.plan import offers_of
    from campale.lab.templates import KINDS
    from campale.referee.ruleset import load_ruleset, ruleset_names

    for kind in KINDS:
        typer.echo(f"{kind:<10} {say(f'lab.template.{kind}')}")
    typer.echo(say("lab.templates-how"))
    for name in ruleset_names():
        ruleset = load_ruleset(name)
        forces = ", ".join(one.name for one in offers_of(ruleset).forces)
        options = ", ".join(one.name for one in ruleset.switches)
        typer.echo(say("lab.templates-of", book=name, forces=forces or "-", options=options or "-"))


def new(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The question: unit, first, option or missions.")],
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="The rulebook's short name.")],
    force: Annotated[str, typer.Option(help="The army to examine; default: the first that has an equal.")] = "",
    against: Annotated[str, typer.Option(help="The army it meets.")] = "",
    unit: Annotated[str, typer.Option(help="The unit, by its name in the army's file or by its place.")] = "",
    option: Annotated[str, typer.Option(help="The option or reading to examine; default: the first.")] = "",
    bot: Annotated[str, typer.Option(help="The bot that plays both sides.")] = "greedy",
    battles: Annotated[int, typer.Option(min=2, max=1_000_000, help="How many battles of each variant.")] = 400,
    out: Annotated[Path | None, typer.Option(help="The file; default: KIND-RULESET.yaml.")] = None,
) -> None:
    """Write the experiment of a question, ready for `campale lab run`."""
    from campale.lab.errors import LabError
    from campale.lab.templates import KINDS, Wanted, template, written

    if kind not in KINDS:
        raise Sorry(say("lab.no-kind", kind=kind, known=", ".join(KINDS)))
    book = ruleset_named(ruleset)
    player_chosen(bot, "1")
    file = out or Path(f"{kind}-{ruleset}.yaml")
    if file.exists():
        raise Sorry(say("lab.file-there", file=file))
    wanted = Wanted(force, against, unit, option, bot, battles, language.get())
    try:
        content = template(book, kind, wanted)
    except LabError as error:
        raise Sorry(say(f"lab.{error.key}", **error.values)) from None
    head = f"{say(f'lab.template.{kind}')}\ncampale lab run {file.name}"
    write_file(file, written(content, head))
    typer.echo(say("lab.new-written", file=file))
