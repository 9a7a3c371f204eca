"""The commands on files: saved games, scenarios, armies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from campale.cli.common import NOT_RIGHT, Sorry, game_at, language, ruleset_named, saved_at, say, write_file, yaml_of

if TYPE_CHECKING:
    from campale.referee.position import Position

File = Annotated[Path, typer.Argument(metavar="FILE", help="A saved game.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="The files to check.")]
Scenarios = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files, or folders of them.")]

FORGED = {"commitment": "forged-commitment", "seal": "forged-seal", "seed": "forged-seed", "hand": "forged-hand"}
"""The messages for dice that do not come from their stated source."""

scenario = typer.Typer(no_args_is_help=True, help="Scenario files: a position, dice, decisions, what is expected.")
army = typer.Typer(no_args_is_help=True, help="Army files.")


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: campale replay game.json --side blue")(replay)
    app.command(epilog="Example: campale verify game.json. Exit code 1 when the game differs.")(verify)
    app.command(epilog="Example: campale draw game.json --at 40 --sight 3:12 --out turn.svg")(draw)
    app.add_typer(scenario, name="scenario")
    app.add_typer(army, name="army")


def replay(
    file: File,
    at: Annotated[int | None, typer.Option(help="Only this many entries of the record.")] = None,
    side: Annotated[str, typer.Option(help="As red, blue or the public may know it; default: everything.")] = "",
    rules: Annotated[bool, typer.Option(help="Cite the rules.")] = True,
) -> None:
    """Tell a saved battle from its beginning."""
    from campale.referee.telling.teller import Teller
    from campale.referee.telling.transcript import lines

    sides = {"": None, "public": None, "red": 0, "0": 0, "blue": 1, "1": 1}
    if side.casefold() not in sides:
        raise Sorry(say("no-side", side=side))
    game = game_at(file, at)
    as_side = sides[side.casefold()]
    events = [seen for event in game.journal if (seen := event.as_seen_by(as_side)) is not None]
    for line in lines(game.journal if not side else events, Teller.of(game, language.get())):
        typer.echo(line.as_text(rules))


def verify(file: File) -> None:
    """Play a saved game again, judging every answer and drawing every die anew, and compare."""
    from campale.referee.records.saved import verify as verified

    data, saved = saved_at(file)
    report = verified(data)
    if report.identical:
        typer.echo(say("identical", entries=len(saved.record)))
        typer.echo(say("checked" if report.dice == "seeded" else "checked-by-hand"))
        if saved.fair is not None:
            typer.echo(say("fair", commitment=saved.fair.commitment))
            if saved.fair.seals:
                typer.echo(say("fair-seals", seals=", ".join(filter(None, saved.fair.seals))))
        for what in report.unchecked:
            typer.echo(say(f"unchecked-{what}"))
        return
    key = FORGED.get(report.what, "differs")
    typer.echo(say(key, what=report.what, at=report.at, detail=report.detail))
    raise typer.Exit(NOT_RIGHT)


def draw(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game or a scenario.")],
    out: Annotated[Path | None, typer.Option(help="Write the picture here; default: beside the file.")] = None,
    at: Annotated[int | None, typer.Option(help="After this many entries of the record; default: all.")] = None,
    sight: Annotated[list[str] | None, typer.Option(help="A line of sight, FROM:TO, by the models' numbers.")] = None,
    distances: Annotated[bool, typer.Option("--distances", help="The gap to the nearest enemy of each.")] = False,
) -> None:
    """Draw a position as SVG: bases, facings, terrain with heights, tokens."""
    from campale.draw import distances as gaps
    from campale.draw import sight_line, svg

    position = position_of(file, at)
    extras: list[str] = []
    for pair in sight or []:
        drawn, told = sight_line(position, *rows_of(pair, position))
        extras += drawn
        typer.echo(told)
    if distances:
        extras += gaps(position)
    path = out or file.with_suffix(".svg")
    write_file(path, svg(position, extras, title=file.stem))
    typer.echo(say("saved", file=path))


def position_of(file: Path, at: int | None) -> Position:
    """The position of a saved game, or the first position of a scenario."""
    if file.suffix not in {".yaml", ".yml"}:
        return game_at(file, at).position
    try:
        position: Position = scenario_module().read_scenario(file).game.position
    except ValueError as error:
        raise Sorry("; ".join(getattr(error, "messages", (str(error),)))) from None
    return position


def rows_of(pair: str, position: Position) -> tuple[int, int]:
    """The rows of two models on the table, from ``3:12``."""
    first, colon, second = pair.partition(":")
    if not (colon and first.isdecimal() and second.isdecimal()):
        raise Sorry(say("bad-pair", pair=pair))
    for row in (int(first), int(second)):
        if row >= len(position.names) or not position.model(row).is_on_table:
            raise Sorry(say("not-on-table", row=row))
    return int(first), int(second)


def scenario_module() -> Any:
    import importlib

    try:
        return importlib.import_module("campale.referee.scenarios.scenario")
    except ModuleNotFoundError:
        raise Sorry(say("no-part", part="campale.referee.scenarios.scenario")) from None


def checker(file: Path) -> Any:
    """The function that checks a scenario file: it solves a puzzle and plays any other."""
    return solving_module() if is_puzzle(file) else scenario_module()


def tracer(file: Path) -> Any:
    """The function that tells the course of a scenario file."""
    import importlib

    return solving_module() if is_puzzle(file) else importlib.import_module("campale.referee.scenarios.trace")


def is_puzzle(file: Path) -> bool:
    from campale.referee.scenarios import puzzle

    return puzzle.is_puzzle(file)


def solving_module() -> Any:
    from campale.simulate import solving

    return solving


@scenario.command(
    "check", epilog="Example: campale scenario check duel.yaml my-rulings/. Exit code 1: one does not hold."
)
def scenario_check(files: Scenarios) -> None:
    """Play scenario files, those of whole folders too, and tell what is not as they expect."""
    wrong = 0
    for file in scenario_files(files):
        problems = checker(file).check(file)
        wrong += bool(problems)
        typer.echo(say("scenario-fails" if problems else "scenario-holds", file=file))
        for problem in problems:
            typer.echo(f"  {problem}")
        if problems:
            tell_last(file)
    if wrong:
        raise typer.Exit(NOT_RIGHT)


def tell_last(file: Path) -> None:
    """Print the last lines before a scenario went wrong."""
    from campale.referee.scenarios.trace import LAST

    happened, _ = tracer(file).trace(file, language.get())
    if happened:
        typer.echo("  " + say("scenario-last", file=file))
    for line in happened[-LAST:]:
        typer.echo(f"  {line}")


@scenario.command("trace", epilog="Example: campale scenario trace duel.yaml. Exit code 1: it does not hold.")
def scenario_trace(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A scenario file.")],
) -> None:
    """Tell what happens in a scenario: every question with its offers, every answer, every die with its roll."""
    happened, problems = tracer(file).trace(file, language.get())
    for line in happened:
        typer.echo(line)
    typer.echo(say("scenario-fails" if problems else "scenario-holds", file=file))
    for problem in problems:
        typer.echo(f"  {problem}")
    if problems:
        raise typer.Exit(NOT_RIGHT)


def scenario_files(given: list[Path]) -> list[Path]:
    """The given files, and the scenario files in given folders."""
    found: list[Path] = []
    for path in given:
        inside = scenario_module().files_in(path) if path.is_dir() else [path]
        if not inside:
            raise Sorry(say("no-scenarios", folder=path))
        found += inside
    return found


@army.command("check", epilog="Example: campale army check my-army.yaml. Exit code 1 when the book forbids it.")
def army_check(
    files: Files,
    ruleset: Annotated[str, typer.Option(help="The ruleset, where the file does not name it.")] = "",
    agreed: Annotated[list[str] | None, typer.Option(help="What is agreed on, NAME=VALUE.")] = None,
) -> None:
    """Check army files against what their book asks of a force."""
    wrong = 0
    for file in files:
        problems = problems_of(file, ruleset, dict(pair.partition("=")[::2] for pair in agreed or []))
        wrong += bool(problems)
        for problem in problems:
            typer.echo(f"{file}: {problem}")
        if not problems:
            typer.echo(say("file-holds", file=file))
    if wrong:
        raise typer.Exit(NOT_RIGHT)


@army.command("read", epilog="Example: campale army read list.rosz --out army.json. Exit code 1: see what to mend.")
def army_read(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A list: .ros, .rosz, .json, or a text.")],
    ruleset: Annotated[str, typer.Option(help="The ruleset; default: the first that reads lists.")] = "",
    out: Annotated[Path | None, typer.Option(help="Write the army here, as an army file.")] = None,
    mend: Annotated[list[str] | None, typer.Option(help="Fill in what was not understood, NAME=VALUE.")] = None,
    known: Annotated[list[Path] | None, typer.Option(help="An army file whose units a text may name.")] = None,
) -> None:
    """Make an army of a list that another program wrote, and tell what becomes of each line."""
    from campale.cli import lists

    mends = dict(pair.partition("=")[::2] for pair in mend or [])
    lists.read_and_tell(file, ruleset, out, mends, [yaml_of(one) for one in known or []])


def problems_of(file: Path, ruleset: str, agreed: dict[str, str]) -> list[str]:
    """The faults of an army file, in sentences."""
    force = yaml_of(file)
    if not isinstance(force, dict):
        raise Sorry(say("no-force", file=file))
    chosen = ruleset_named(ruleset or str(force.get("ruleset", "")))
    if chosen.check_force is None:
        raise Sorry(say("no-force-check", name=chosen.name))
    return [told_fault(chosen.name, fault) for fault in chosen.check_force(force, dict(agreed))]


def told_fault(name: str, fault: Any) -> str:
    """A fault of a force in words: a sentence, in both languages if it has them, or a refusal."""
    from campale.referee.refusal import Refusal
    from campale.referee.telling.spoken import told
    from campale.referee.telling.teller import Teller

    if isinstance(fault, Refusal):
        return Teller(ruleset_named(name), language.get()).refusal(fault)
    return told(fault, language.get())
