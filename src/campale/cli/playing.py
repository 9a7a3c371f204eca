"""The commands that play: a battle of people, of bots, many battles."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from campale.cli.common import (
    NOT_RIGHT,
    Sorry,
    language,
    mission_chosen,
    own_words,
    player_chosen,
    progress,
    ruleset_named,
    say,
    setup_chosen,
    setups_of,
    share,
    write_file,
)

if TYPE_CHECKING:
    from campale.referee.game import Game
    from campale.simulate import Duel

Name = Annotated[str, typer.Argument(metavar="RULESET", help="The ruleset's short name.")]
Mission = Annotated[str, typer.Option(help="The mission or ready set-up, by name or number; default: the first.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help="An option of the ruleset, NAME=VALUE.")]
Setup = Annotated[Path | None, typer.Option("--setup", help="A set-up of your own, in YAML or JSON.")]
Seed = Annotated[str, typer.Option(help="The seed of all dice: the same seed gives the same battle.")]
Red = Annotated[str, typer.Option(help="Who plays side 0: random, script, beginner, greedy, search, search:0.2s, ...")]
Blue = Annotated[str, typer.Option(help="Who plays side 1: random, script, beginner, greedy, search, search:0.2s, ...")]
Processes = Annotated[int, typer.Option(min=1, help="How many processes share the work.")]
SIDES = {"red": (0,), "0": (0,), "blue": (1,), "1": (1,), "both": (0, 1)}


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: campale play RULESET --you blue --red greedy --seed 3")(play)
    app.command(epilog="Example: campale battle RULESET --seed 7 --blue random --out game.json --transcript")(battle)
    app.command(epilog="Example: campale fuzz RULESET --battles 200 --seed 9. Exit code 1 when a battle fails.")(fuzz)
    app.command(epilog="Example: campale duel RULESET greedy random --battles 100 --processes 2")(duel)


def play(
    ruleset: Name,
    you: Annotated[str, typer.Option("--you", "--side", help="Your side: red, blue, or both (two people).")] = "red",
    red: Red = "greedy",
    blue: Blue = "greedy",
    mission: Mission = "",
    option: Options = None,
    setup: Setup = None,
    seed: Annotated[str, typer.Option(help="The seed of the dice; default: from the clock.")] = "",
    real_dice: Annotated[bool, typer.Option("--real-dice", help="You roll on the table and type the faces.")] = False,
    resume: Annotated[Path | None, typer.Option(help="Continue a saved game.")] = None,
) -> None:
    """Play a battle in the terminal, against a bot or another person.

    Numbered options are taken by number; Enter takes what is proposed; `help` tells all that can be typed.
    """
    from campale.cli.terminal import Quit, Terminal
    from campale.referee.records.saved import save

    people = SIDES.get(you.casefold())
    if people is None:
        raise Sorry(say("no-side", side=you))
    seed = seed or str(time.time_ns())
    game = begun(ruleset, mission, option, setup, seed, real_dice) if resume is None else resumed(resume, ruleset)
    bots = {side: player_chosen(name, seed) for side, name in enumerate((red, blue)) if side not in people}
    typer.echo(say("begins", ruleset=game.ruleset.title.get(language.get(), game.ruleset.name), seed=game.seed))
    try:
        Terminal(game, bots, language.get(), input, typer.echo).play()
    except Quit:
        write_file(path := Path(f"{game.ruleset.name}-left.json"), save(game))
        typer.echo("\n" + say("left", file=path, command=f"campale play {game.ruleset.name} --resume {path}"))


def begun(
    name: str, mission: str, option: list[str] | None, setup: Path | None, seed: str, real_dice: bool = False
) -> Game:
    """A new battle, on the seed's dice or on real ones."""
    from campale.dice.sources import ByHand
    from campale.referee.game import Game

    ruleset = ruleset_named(name)
    chosen = setup_chosen(ruleset, mission, option or [], setup)
    try:
        return Game(ruleset, chosen, seed, ByHand() if real_dice else None)
    except ValueError as error:
        raise Sorry(say("setup-refused", ruleset=name, error=str(error))) from None


def resumed(file: Path, name: str) -> Game:
    from campale.cli.common import game_at

    game = game_at(file)
    if game.ruleset.name != name:
        raise Sorry(say("setup-of-another", ruleset=game.ruleset.name, wanted=name))
    return game


def battle(
    ruleset: Name,
    seed: Seed = "1",
    mission: Mission = "",
    option: Options = None,
    setup: Setup = None,
    red: Red = "greedy",
    blue: Blue = "greedy",
    out: Annotated[Path | None, typer.Option(help="Save the game in this file.")] = None,
    transcript: Annotated[bool, typer.Option("--transcript", help="Tell the whole battle.")] = False,
) -> None:
    """Let two bots play a battle, and tell how it ends."""
    from campale.referee.records.saved import save
    from campale.referee.telling.teller import Teller
    from campale.referee.telling.transcript import lines
    from campale.referee.telling.transcript import transcript as whole
    from campale.simulate import play_on

    players = {side: player_chosen(name, f"{seed}/{side}") for side, name in enumerate((red, blue))}
    game = begun(ruleset, mission, option, setup, seed)
    with progress() as bar:
        bar.add_task(say("playing"), total=None)
        answers = play_on(game, players)
    if out is not None:
        write_file(out, save(game))
    if transcript:
        typer.echo(whole(game, language.get()), nl=False)
    else:
        last = [line.text for line in lines(game.journal[-1:], Teller.of(game, language.get()))]
        typer.echo(last[0] if game.is_over and last else say("stalled", answers=answers))
    typer.echo(say("played", answers=answers, state=game.position.state_hash(), seed=seed), err=True)


def fuzz(
    ruleset: Name,
    battles: Annotated[int, typer.Option(min=1, help="How many battles.")] = 100,
    seed: Seed = "1",
    folder: Annotated[Path, typer.Option(help="Where the file of a battle that fails is written.")] = Path(),
    first: Annotated[int, typer.Option(min=0, help="The number of the first battle: go on with an earlier run.")] = 0,
) -> None:
    """Play random battles in search of faults: dead ends, endless loops, records that do not replay."""
    from campale.simulate import fuzz as searched

    chosen = ruleset_named(ruleset)
    setups_of(chosen)
    done = 0

    def begins(name: str) -> None:
        nonlocal done
        done = number_of(name) - first
        bar.update(task, completed=done)

    try:
        with progress() as bar:
            task = bar.add_task(say("playing"), total=battles)
            failure = searched(chosen, battles, seed, folder, begins, first=first)
    except KeyboardInterrupt:
        typer.echo(say("fuzz-interrupted", battles=done, seed=seed, first=first + done))
        raise
    if failure is None:
        typer.echo(say("fuzz-clean", battles=battles, seed=seed))
        return
    typer.echo(say("fuzz-failed", seed=failure.seed, why=failure.why, file=failure.file or "-"))
    typer.echo(say("fuzz-setup", options=failure.setup.options, agreed=failure.setup.agreed))
    raise typer.Exit(NOT_RIGHT)


def number_of(seed: str) -> int:
    return int(seed.rpartition("/")[2])


def duel(
    ruleset: Name,
    first: Annotated[
        str, typer.Argument(help="A player: random, script, beginner, greedy, search, search:0.2s, ...")
    ] = "greedy",
    second: Annotated[str, typer.Argument(help="The player it meets.")] = "random",
    battles: Annotated[int, typer.Option(min=1, help="How many battles; each seed is played from both sides.")] = 100,
    seed: Seed = "1",
    mission: Annotated[str, typer.Option(help="Only this mission; default: all.")] = "",
    processes: Processes = max(1, (os.cpu_count() or 2) // 2),
) -> None:
    """Measure one player against another, over all missions and from both sides."""
    from campale.simulate import duel as fought

    chosen = ruleset_named(ruleset)
    setups = setups_of(chosen)
    for name in (first, second):
        player_chosen(name, "1")
    with progress() as bar:
        task = bar.add_task(say("playing"), total=battles)
        found = fought(
            chosen,
            (first, second),
            battles,
            [mission_chosen(setups, mission)] if mission else setups,
            seed,
            processes,
            lambda _: bar.advance(task),
        )
    tell(found, first, second)


def tell(found: Duel, first: str, second: str) -> None:
    """The result of a duel, mission by mission."""
    typer.echo(say("duel", first=first, second=second, battles=found.battles, score=share(found.score)))
    typer.echo(say("duel-count", won=found.won, drawn=found.drawn, lost=found.lost, stalled=found.stalled))
    answers, seconds = own_words().number(found.answers.value, 0), own_words().number(found.seconds.value, 3)
    typer.echo(say("duel-length", answers=answers, seconds=seconds))
    for mission, score in found.by_mission.items():
        typer.echo(f"  {mission}: {share(score)}")
