"""The group of commands: it accepts the language anywhere on the line, and never shows a traceback."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from campale.cli.common import BAD_INPUT, INTERRUPTED, LANGUAGES, UNFORESEEN, Sorry, complain, language, say
from campale.cli.misread import told


class Commands(TyperGroup):
    """The commands, with ``--lang`` accepted anywhere on the line, and without tracebacks."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        rest: list[str] = []
        chosen: list[str] = []
        words = iter(args)
        for word in words:
            if word == "--":
                rest += [word, *words]
            elif word == "--lang":
                chosen += [word, *([next(words)] if len(rest) + len(chosen) + 1 < len(args) else [])]
            elif word.startswith("--lang="):
                chosen.append(word)
            else:
                rest.append(word)
        provisional(chosen)
        try:
            return list(super().parse_args(ctx, chosen + rest))
        except Exception as error:
            misread(error)
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Sorry as error:
            complain(str(error))
            raise typer.Exit(error.code) from None
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # nobody reads on: the rest goes nowhere
            raise typer.Exit(0) from None
        except KeyboardInterrupt:
            complain(say("interrupted"))
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            misread(error)
            if os.environ.get("CAMPALE_DEBUG") or is_of_the_parser(error):
                raise
            if is_about_a_file(error):
                complain(str(error))
                raise typer.Exit(BAD_INPUT) from None
            complain(say("unforeseen", error=f"{type(error).__name__}: {error}", command=reproducing()))
            raise typer.Exit(UNFORESEEN) from None


def provisional(words: Sequence[str]) -> None:
    """Set a language for errors in the command line itself, before it is parsed."""
    chosen = words[-1].removeprefix("--lang=") if words else os.environ.get("CAMPALE_LANG", "")
    language.set(chosen if chosen in LANGUAGES else LANGUAGES[0])


def misread(error: Exception) -> None:
    """If the error is the command-line parser's, report it in our own words and exit."""
    if is_of_the_parser(error) and type(error).__name__ != "NoArgsIsHelpError":
        complain(told(error))
        raise typer.Exit(BAD_INPUT) from None


def is_of_the_parser(error: Exception) -> bool:
    """Whether an error comes from the command-line parser."""
    return hasattr(error, "exit_code") and hasattr(error, "show")


def is_about_a_file(error: Exception) -> bool:
    """Whether an error is about an unusable saved game; its module is loaded in that case."""
    saved = sys.modules.get("campale.referee.records.saved")
    return saved is not None and isinstance(error, saved.SavedGameError)


def reproducing() -> str:
    """The command as given, set to show tracebacks."""
    return "CAMPALE_DEBUG=1 campale " + shlex.join(sys.argv[1:])
