"""The laboratory's commands: experiments, shards put together, battles replayed from the table, bots in the pits."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from campale.cli.common import (
    INTERRUPTED,
    NOT_RIGHT,
    Sorry,
    language,
    own_words,
    player_chosen,
    progress,
    ruleset_named,
    say,
    share,
    write_file,
)

if TYPE_CHECKING:
    from campale.lab.keeping import Folder, Shard
    from campale.lab.plan import Plan
    from campale.lab.running import Run
    from campale.lab.tables import BattleRow

Experiment = Annotated[Path, typer.Argument(metavar="EXPERIMENT", help="An experiment file, in YAML.")]
Results = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of an experiment's results.")]
Out = Annotated[Path | None, typer.Option(help="The folder of the results; default: beside the file, ending in .lab.")]
Workers = Annotated[int, typer.Option(min=1, help="How many processes play the battles.")]
Cluster = Annotated[
    str, typer.Option(metavar="ADDRESS", help="A Dask cluster, like tcp://HOST:PORT; local for one of your own.")
]
CORES = os.cpu_count() or 1
TELL_EVERY = 60.0
"""Seconds between two progress lines of a run if there is no terminal."""

lab = typer.Typer(
    no_args_is_help=True,
    help="The laboratory: many battles of one experiment, in tables; stopped and resumed as you like.",
)


def add_to(app: typer.Typer) -> None:
    lab.command(epilog="Example: campale lab run experiment.yaml --out results --workers 4")(run)
    lab.command(epilog="Example: campale lab merge whole shard-1 shard-2 shard-3")(merge)
    lab.command(epilog="Example: campale lab replay results --battle 17 --out game.json")(replay)
    lab.command(epilog="Example: campale lab arena --battles 40 --out pits")(arena)
    importlib.import_module("campale.cli.lab_new").add_to(lab)
    if importlib.util.find_spec("campale.cli.lab_report") is not None:
        importlib.import_module("campale.cli.lab_report").add_to(lab)
    app.add_typer(lab, name="lab")


@contextmanager
def sorry() -> Iterator[None]:
    """Turn errors of an experiment or its folder into one sentence."""
    from campale.lab.errors import LabError
    from campale.referee.reading import FileError

    try:
        yield
    except LabError as error:
        raise Sorry(say(f"lab.{error.key}", **error.values)) from None
    except FileError as error:
        raise Sorry("\n".join(error.told(language.get()))) from None


def check_extras(*packages: str) -> None:
    """Check before playing that the packages for writing the results are installed."""
    for package in packages or ("pyarrow",):
        if importlib.util.find_spec(package) is None:
            raise Sorry(say("lab.no-extra", package=package, extra="lab"))


# ---------------------------------------------------------------- run


def run(
    experiment: Experiment,
    out: Out = None,
    workers: Workers = CORES,
    cluster: Cluster = "",
    shard: Annotated[str, typer.Option(metavar="K/N", help="Only the K-th of N shares, for batch systems.")] = "",
    extend: Annotated[
        bool, typer.Option("--extend", help="Play more of the same: the file now asks for more.")
    ] = False,
) -> None:
    """Play an experiment, or go on with it: the same command resumes what was stopped.

    The tables are the same whatever played the battles and however often it was interrupted (but for times).
    """
    check_extras()
    check_file(experiment)
    with sorry():
        from campale.lab.keeping import Folder, Kept
        from campale.lab.planning import plan_of

        plan = plan_of(experiment)
        folder = Folder(out or experiment.with_suffix(".lab"), Kept(plan, shard_chosen(shard, plan)), extend)
        try:
            shutil.copyfile(experiment, folder.path / "experiment.yaml")
            tell(played(folder, workers, cluster))
        finally:
            folder.close()


def check_file(experiment: Path) -> None:
    if not experiment.is_file():
        raise Sorry(say("lab.is-folder" if experiment.is_dir() else "lab.no-file", file=experiment))


def shard_chosen(text: str, plan: Plan) -> Shard:
    from campale.lab.running import shard_of

    try:
        shard = shard_of(text)
    except ValueError:
        raise Sorry(say("lab.bad-shard", shard=text)) from None
    if text and plan.precision is not None:
        raise Sorry(say("lab.shard-of-precision"))
    return shard


def played(folder: Folder, workers: int, cluster: str) -> Run:
    """Play the remaining battles and show progress; an interruption still writes tables of the finished battles."""
    from campale.lab.running import Run
    from campale.lab.workers import crew_of

    with progress() as bar, stopped_by_term():
        at_work = Run(folder, Progress(bar, folder))
        if at_work.is_complete:
            at_work.end()
            return at_work
        crew = crew_of(workers, cluster)
        try:
            at_work.play(crew)
        except KeyboardInterrupt:
            deaf()
            interrupted(at_work)
        finally:
            if crew is not None:
                crew.close()
        at_work.end()
    return at_work


def interrupted(at_work: Run) -> None:
    folder = at_work.folder
    typer.echo(say("lab.interrupted", count=len(folder.rows), folder=folder.path), err=True)
    at_work.end()
    raise typer.Exit(INTERRUPTED)


STOPPING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopped_by_term() -> Iterator[None]:
    """Let a batch system's SIGTERM stop a run like Ctrl-C."""
    before = [signal.getsignal(one) for one in STOPPING]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        for one, handler in zip(STOPPING, before, strict=True):
            signal.signal(one, handler)


def deaf() -> None:
    """Ignore a second signal, so that the tables are still written."""
    for one in STOPPING:
        signal.signal(one, signal.SIG_IGN)


class Progress:
    """The progress of a run: a bar with an estimate, or now and then a line if there is no terminal."""

    def __init__(self, bar: Any, folder: Folder) -> None:
        self.bar = bar
        self.total = sum(1 for _ in folder.plan.numbers(folder.shard))
        self.task = bar.add_task(say("playing"), total=self.total, completed=len(folder.rows))
        self.told = now()
        self.first: tuple[int, float] | None = None

    def __call__(self, at_work: Run) -> None:
        count = len(at_work.folder.rows)
        self.bar.update(self.task, completed=count)
        at = now()
        if self.first is None:
            self.first = count, at
        if self.bar.disable and at - self.told > TELL_EVERY:
            self.told = at
            typer.echo(self.so_far(count, at, at_work.plan.precision is None), err=True)

    def so_far(self, count: int, at: float, is_all: bool) -> str:
        """The progress in words. The estimate starts at the first battles: loading and compiling come before."""
        known, since = self.first or (count, at)
        if count == known:
            return say("lab.so-far-begun", count=count, total=self.total)
        left = duration((at - since) / (count - known) * (self.total - count))
        return say("lab.so-far" if is_all else "lab.so-far-at-most", count=count, total=self.total, left=left)


def now() -> float:
    return time.monotonic()


def duration(seconds: float) -> str:
    for length, unit in ((3600.0, "h"), (60.0, "min")):
        if seconds >= 2.0 * length:
            return f"{own_words().number(seconds / length, 0 if unit == 'min' else 1)} {unit}"
    return f"{seconds:.0f} s"


# ---------------------------------------------------------------- results


def tell(at_work: Run) -> None:
    """Print the results by variant; the files have the whole table."""
    folder, plan = at_work.folder, at_work.plan
    rows = [folder.rows[number] for number in at_work.numbers() if number in folder.rows]
    for number, variant in enumerate(plan.variants):
        of = [row for row in rows if row.variant == number]
        typer.echo(say("lab.variant", number=number, label=variant.label or plan_told(plan), battles=len(of)))
        for line in told_of(at_work, number, of):
            typer.echo(f"  {line}")
    typer.echo(say("lab.reading"))
    typer.echo(say("lab.written", folder=folder.path), err=True)
    failed = sum(row.winner == "failed" for row in rows)
    if failed:
        typer.echo(say("lab.failed", count=failed), err=True)
        raise typer.Exit(NOT_RIGHT)


def plan_told(plan: Plan) -> str:
    first, second = plan.variants[0].first, plan.variants[0].second
    return f"{first.force_name} ({first.player_told}) – {second.force_name} ({second.player_told})"


def told_of(at_work: Run, variant: int, rows: Sequence[BattleRow]) -> Iterator[str]:
    from campale.lab.stopping import differences, estimate, pair_scores
    from campale.simulate.intervals import wilson

    plan, scores = at_work.plan, at_work.stopping.scores
    pairs = plan.battles // 2 if at_work.stopping.limit is None else at_work.stopping.limit // plan.per_pair
    counts = {kind: sum(row.winner == kind for row in rows) for kind in ("first", "draw", "second", "stalled")}
    of_pairs = pair_scores(plan, scores, variant, pairs)
    if of_pairs:
        yield say("lab.score", score=share(estimate(of_pairs, 1.0)), pairs=len(of_pairs))
    rate = wilson(counts["first"], counts["first"] + counts["draw"] + counts["second"])
    yield say("lab.counts", **counts, rate=share(rate))
    apart = differences(plan, scores, variant, pairs) if variant else []
    if apart:
        yield say("lab.difference", difference=share(estimate(apart, 2.0), "+"), pairs=len(apart))


# ---------------------------------------------------------------- merge, replay


def merge(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder of the whole.")],
    shards: Annotated[list[Path], typer.Argument(metavar="SHARD...", help="The folders of the shards.")],
    partial: Annotated[bool, typer.Option("--partial", help="Merge even if some battles are missing.")] = False,
) -> None:
    """Put the shards of an experiment together: the same tables as of one run."""
    check_extras()
    with sorry():
        from campale.lab.merging import merge as merged

        ending = merged(out, shards, partial)
        typer.echo(say("lab.merged", count=len(ending.numbers), folder=out))


def replay(
    folder: Results,
    battle: Annotated[int, typer.Option(min=0, help="The number of the battle in the table.")],
    out: Annotated[Path | None, typer.Option(help="The saved game; default: battle-N.json.")] = None,
) -> None:
    """Write a battle of the table as a saved game: `campale replay` tells it, the page in the browser shows it."""
    with sorry():
        from campale.lab.replaying import replayed
        from campale.referee.records.saved import save

        game = replayed(folder, battle)
        write_file(file := out or Path(f"battle-{battle}.json"), save(game))
        typer.echo(say("saved", file=file))


# ---------------------------------------------------------------- arena


def arena(
    out: Annotated[Path, typer.Option(help="The folder of the results, with one folder per rulebook.")] = Path("arena"),
    book: Annotated[list[str] | None, typer.Option("--book", help="Only this rulebook; default: all.")] = None,
    player: Annotated[list[str] | None, typer.Option("--player", help="Only these players; default: all.")] = None,
    battles: Annotated[int, typer.Option(min=2, help="How many battles of every two players in each rulebook.")] = 40,
    seed: Annotated[str, typer.Option(help="The seed of all dice and players.")] = "1",
    workers: Workers = CORES,
    cluster: Cluster = "",
) -> None:
    """Let the bots play each other in the books, from both sides, and rate them. The same command resumes."""
    check_extras("pyarrow", "openskill")
    from campale.lab.arena import results
    from campale.players import PLAYERS
    from campale.referee.ruleset import ruleset_names

    players = list(dict.fromkeys(player or PLAYERS))
    for name in players:
        player_chosen(name, "1")
    if len(players) < 2:
        raise Sorry(say("lab.one-player"))
    games: list[tuple[str, str, float]] = []
    with sorry():
        for name in book or ruleset_names():
            found = results(pit(out / name, name, players, battles + battles % 2, seed, (workers, cluster)))
            rated(name, found)
            games += found
    if len(book or ruleset_names()) > 1:
        rated(say("lab.all-books"), games)


def pit(
    path: Path, book: str, players: Sequence[str], battles: int, seed: str, crew: tuple[int, str]
) -> list[BattleRow]:
    """Play the battles of one book."""
    from campale.lab.arena import arena as planned
    from campale.lab.keeping import Folder, Kept

    ruleset = ruleset_named(book)
    try:
        plan = planned(ruleset, players, battles, seed)
    except ValueError:
        raise Sorry(say("no-starters", name=book)) from None
    folder = Folder(path, Kept(plan))
    try:
        at_work = played(folder, *crew)
        return [folder.rows[number] for number in at_work.numbers()]
    finally:
        folder.close()


def rated(title: str, games: Sequence[tuple[str, str, float]]) -> None:
    """The rating table of some battles."""
    from campale.lab.ratings import ratings

    typer.echo(say("lab.ratings", title=title, battles=len(games)))
    for one in ratings(games):
        value, low, high = (own_words().number(number, 2) for number in (one.value, one.low, one.high))
        typer.echo(f"  {one.name:<12} {value:>6} [{low}; {high}]  {one.battles}")
