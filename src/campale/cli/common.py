"""Shared by the commands: the language, errors in one sentence, and reading rulesets, set-ups and files."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from campale.players import Player
    from campale.referee.game import Game
    from campale.referee.records.saved import SavedGame
    from campale.referee.ruleset import Ruleset, Setup
    from campale.referee.telling.words import Words
    from campale.simulate.intervals import Interval

NOT_RIGHT, BAD_INPUT, UNFORESEEN, INTERRUPTED = 1, 2, 3, 130
LANGUAGES = ("en", "it")
language: ContextVar[str] = ContextVar("language", default="en")


class Sorry(Exception):
    """An error that the user can correct: one sentence with what, where, why and the remedy."""

    def __init__(self, sentence: str, code: int = BAD_INPUT) -> None:
        super().__init__(sentence)
        self.code = code


def complain(sentence: str) -> None:
    typer.echo(f"campale: {sentence}", err=True)


def own_words() -> Words:
    """The commands' own words in the chosen language."""
    from campale.referee.telling.words import words

    return words(language.get(), Path(__file__).parent / "words")


def say(key: str, **values: Any) -> str:
    """A sentence of the commands' own words in the chosen language."""
    return own_words().say(key, **values)


def share(found: Interval, sign: str = "") -> str:
    """A share with its interval, in per cent."""
    value, low, high = (own_words().percent(one, sign) for one in found)
    return f"{value} [{low}; {high}]"


def titled(titles: dict[str, str]) -> str:
    """A title in the chosen language."""
    return titles.get(language.get()) or titles.get("en") or next(iter(titles.values()), "")


# ------------------------------------------------------------------ rulesets and set-ups


def ruleset_named(name: str) -> Ruleset:
    from campale.referee.ruleset import load_ruleset, ruleset_names

    if name not in ruleset_names():
        raise Sorry(say("no-ruleset", name=name, names=", ".join(ruleset_names()) or "-"))
    try:
        return load_ruleset(name)
    except (ImportError, AttributeError) as error:
        raise Sorry(say("ruleset-unplayable", name=name, error=str(error))) from None


def setups_of(ruleset: Ruleset) -> list[Setup]:
    from campale.simulate import starters_of

    try:
        return starters_of(ruleset)
    except ValueError:
        raise Sorry(say("no-starters", name=ruleset.name)) from None


def setup_chosen(ruleset: Ruleset, mission: str, options: Sequence[str], file: Path | None = None) -> Setup:
    """The set-up of a mission (a name or a number; the first without one), or of a file, with options on top."""
    import msgspec

    setup = setup_from(file) if file is not None else mission_chosen(setups_of(ruleset), mission)
    chosen = {**setup.options, **dict(option_read(ruleset, text) for text in options)}
    setup = msgspec.structs.replace(setup, options=chosen)
    if setup.ruleset != ruleset.name:
        raise Sorry(say("setup-of-another", ruleset=setup.ruleset, wanted=ruleset.name))
    try:
        ruleset.with_options(chosen)
    except ValueError as error:
        raise Sorry(f"{error}.") from None
    return setup


def setup_from(file: Path) -> Setup:
    import msgspec

    from campale.referee.ruleset import Setup

    try:
        return msgspec.convert(yaml_of(file), Setup)
    except msgspec.ValidationError as error:
        raise Sorry(say("bad-setup", file=file, error=str(error))) from None


def yaml_of(file: Path) -> Any:
    """The contents of a YAML or JSON file, read as carefully as a stranger's file."""
    from campale.referee.reading import SIZE_LIMIT, FileError, read

    try:
        with file.open("rb") as stream:
            return read(stream.read(SIZE_LIMIT + 1), file.name).content
    except OSError as error:
        raise Sorry(say("cannot-read", file=file, error=error.strerror or str(error))) from None
    except FileError as error:
        raise Sorry("; ".join(error.told(language.get()))) from None


def mission_chosen(setups: list[Setup], mission: str) -> Setup:
    from campale.simulate.duel import mission_of

    if not mission:
        return setups[0]
    if mission.isdecimal() and 1 <= int(mission) <= len(setups):
        return setups[int(mission) - 1]
    found = [setup for setup in setups if mission_of(setup).casefold() == mission.casefold()]
    if found:
        return found[0]
    known = ", ".join(dict.fromkeys(mission_of(setup) for setup in setups))
    raise Sorry(say("no-mission", mission=mission, known=known, count=len(setups)))


def option_read(ruleset: Ruleset, text: str) -> tuple[str, Any]:
    """An option ``name=value``, with the value in the form of the ruleset's switch."""
    name, equals, value = text.partition("=")
    switch = next((one for one in ruleset.switches if one.name == name), None)
    if switch is None:
        raise Sorry(say("no-option", option=name, known=", ".join(one.name for one in ruleset.switches) or "-"))
    wanted = value.casefold() if equals else "true"
    wanted = {"yes": "true", "on": "true", "no": "false", "off": "false", "sì": "true", "si": "true"}.get(
        wanted, wanted
    )
    for possible in switch.values:
        if str(possible).casefold() == wanted:
            return name, possible
    raise Sorry(say("bad-option", option=name, value=value, values=", ".join(map(str, switch.values))))


def player_chosen(name: str, seed: str) -> Player:
    from campale.players import NAMES, player_named

    try:
        return player_named(name, seed)
    except KeyError:
        raise Sorry(say("no-player", name=name, names=", ".join(NAMES))) from None


# ------------------------------------------------------------------ saved games


def saved_at(file: Path) -> tuple[bytes, SavedGame]:
    """The bytes of a saved game and its parts."""
    from campale.referee.records.saved import read, read_file

    data = read_file(file)
    return data, read(data)


def game_at(file: Path, entries: int | None = None) -> Game:
    """The battle in a file, after ``entries`` entries of its record (None: all)."""
    from campale.dice.sources import ByHand, Seeded
    from campale.referee.game import Game, effective
    from campale.referee.records.saved import load, ruleset_of

    data, saved = saved_at(file)
    if entries is None:
        return load(data)
    line = effective(saved.record)
    if not 0 <= entries <= len(line):
        raise Sorry(say("no-such-entry", at=entries, file=file, last=len(line)))
    # dice after the cut would come from the seed, so a cut battle takes typed dice
    dice = Seeded(saved.seed) if entries == len(line) and saved.dice == "seeded" else ByHand()
    return Game(ruleset_of(saved), saved.setup, saved.seed, dice, True, "all", line[:entries])


def write_file(file: Path, contents: str | bytes) -> None:
    """Write a file whole or not at all."""
    partial = file.with_name(file.name + ".part")
    try:
        partial.write_bytes(contents.encode() if isinstance(contents, str) else contents)
        partial.replace(file)
    except OSError as error:
        raise Sorry(say("cannot-write", file=file, error=error.strerror or str(error))) from None


def progress() -> Any:
    """A progress bar on stderr; nothing if stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    return Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
