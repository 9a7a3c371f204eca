"""The report of an experiment, as a page."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from campale.cli.common import Sorry, language, say, write_file


def add_to(lab: typer.Typer) -> None:
    lab.command(epilog="Example: campale lab report results --out report.html")(report)


def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of an experiment's results.")],
    out: Annotated[Path | None, typer.Option(help="The page; default: report.html in the folder.")] = None,
) -> None:
    """Make a page of an experiment: who is stronger, what a change does, what each unit is worth."""
    for package in ("pyarrow", "matplotlib", "openskill"):
        if importlib.util.find_spec(package) is None:
            raise Sorry(say("lab.no-extra", package=package, extra="lab"))
    from campale.lab.errors import LabError
    from campale.lab.report import report as told

    try:
        page = told(folder, language.get())
    except LabError as error:
        raise Sorry(say(f"lab.{error.key}", **error.values)) from None
    except (OSError, ValueError) as error:
        raise Sorry(say("lab.no-results", folder=folder, error=error)) from None
    write_file(file := out or folder / "report.html", page.encode())
    typer.echo(say("lab.page", file=file))
