"""The command that analyses a saved battle: the decisions that cost a side most."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from campale.cli.common import Sorry, game_at, language, own_words, progress, say
from campale.cli.files import File

if TYPE_CHECKING:
    from campale.server.processes.analysing import DecisionShown
    from campale.simulate.analysis import Analysis

SIDES = {"red": 0, "0": 0, "blue": 1, "1": 1}
PIECE = 2.0
"""Seconds between checks whether the time is up."""

DECIDES = 0.1
"""From this loss of win chance on, the cost is given as win chance, because points say little about it."""


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: campale analyse game.json --side blue --minutes 5")(analyse)


def analyse(
    file: File,
    side: Annotated[str, typer.Option(help="Whose decisions: red or blue (0 or 1).")] = "red",
    seed: Annotated[
        str, typer.Option(help="The seed of the imagined dice: the same seed gives the same result.")
    ] = "1",
    lines: Annotated[int, typer.Option(min=1, help="How many lines are tried for a closer look.")] = 20,
    lucks: Annotated[int, typer.Option(min=2, help="With how many lucks two lines are compared.")] = 10,
    minutes: Annotated[float, typer.Option(min=0.0, help="How long it may take; what is done by then is told.")] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look for the five decisions that cost a side most in a saved battle, and what would have been better.

    Decisions are compared before their dice, by what the side knew. Ctrl-C stops, and tells what was found so far.
    """
    from campale.server.processes.analysing import decision_shown
    from campale.simulate.analysis import Analysis, Kept, decisions

    if side.casefold() not in SIDES:
        raise Sorry(say("analysis-no-side", side=side))
    whose = SIDES[side.casefold()]
    analysis = Analysis(decisions(Kept.of(game_at(file)), whose), seed, lines, lucks)
    is_cut = not went_through(analysis, 60.0 * minutes)
    costly = analysis.costliest()
    found = [(one.decision.entries, decision_shown(one, seed, language.get())) for one in costly]
    if as_json:
        typer.echo(as_text_of_json(analysis, whose, is_cut, found))
        return
    glanced, of, looked, closer = analysis.counts
    typer.echo(say("analysis-counts", glanced=glanced, of=of, looked=looked, closer=closer))
    if is_cut:
        typer.echo(say("analysis-cut"))
    for number, (entries, one) in enumerate(found, 1):
        typer.echo("\n".join(told(number, one, f"campale replay {file} --at {entries}")))
    if not found:
        typer.echo(say("analysis-nothing"))


def went_through(analysis: Analysis, seconds: float) -> bool:
    """Run the analysis piece by piece. Returns whether it was completed in time, without an interruption."""
    begun = time.monotonic()
    with progress() as bar:
        task = bar.add_task(say("analysis-progress"), total=None)
        try:
            while (piece := analysis.next(passed(begun, seconds), PIECE)) is not None:
                analysis.take(piece.done())
                glanced, of, looked, closer = analysis.counts
                bar.update(task, completed=glanced + looked, total=of + closer)
        except KeyboardInterrupt:
            pass
    return analysis.is_whole


def passed(begun: float, seconds: float) -> float:
    return (time.monotonic() - begun) / seconds if seconds else 1.0


def told(number: int, one: DecisionShown, command: str) -> Iterator[str]:
    """A decision in a few lines: its time, its cost, the line played, the better line and why, and how to see it."""
    shown = own_words().shown
    if one.won >= DECIDES:
        yield say("analysis-cost-battle", number=number, when=one.when, chance=round(50 * one.won))
    else:
        yield say("analysis-cost", number=number, when=one.when, loss=shown(one.loss), doubt=shown(one.doubt))
    yield say("analysis-played", line="; ".join(one.played))
    yield say("analysis-better", line="; ".join(one.better))
    yield say("analysis-why", reasons="; ".join(reasons(one)))
    yield f"   {command}"


def reasons(one: DecisionShown) -> Iterator[str]:
    """The reasons for the better line, the known parts of the judgement first."""
    shown = own_words().shown
    for name in one.reasons:
        yield say(f"analysis-{name}", much=shown(abs(getattr(one, name.split("-")[0], 0.0))))


def as_text_of_json(analysis: Analysis, side: int, is_cut: bool, found: list[tuple[int, DecisionShown]]) -> str:
    import msgspec

    glanced, of, looked, closer = analysis.counts
    told: dict[str, Any] = {
        "side": side,
        "seed": analysis.seed,
        "lines": analysis.lines,
        "lucks": analysis.lucks,
        "glanced": glanced,
        "of": of,
        "looked": looked,
        "closer": closer,
        "is_cut": is_cut,
        "decisions": [{"entries": entries, **msgspec.to_builtins(one)} for entries, one in found],
    }
    return msgspec.json.format(msgspec.json.encode(told)).decode()
