"""What stands on the command line and cannot be read, told in one sentence like everything else that goes wrong.

The parser knows what is amiss, and says it in English and in its own way; here it is asked what it found where.
"""

from __future__ import annotations

from typing import Any

from campale.cli.common import say

OF_NUMBERS = ("int_", "greater_", "less_")
"""How the names of faults of whole numbers begin. The commands take no others."""


def told(error: Any) -> str:
    """The sentence for an error of the parser; what it says itself, where its kind is not known."""
    param = getattr(error, "param", None)
    if type(error).__name__ == "NoSuchOption":
        what = no_option(error)
    elif type(error).__name__ == "BadOptionUsage":
        what = say("misread.no-value" if "requires" in error.message else "misread.no-flag", option=error.option_name)
    elif type(error).__name__ == "MissingParameter" and param is not None:
        what = say("misread.missing", name=name_of(param))
    elif type(error).__name__ == "BadParameter" and param is not None:
        what = bad_value(error, param)
    else:
        what = of_words(error)
    return f"{what} {say('misread.help', command=command_of(error))}"


def no_option(error: Any) -> str:
    like = ", ".join(sorted(error.possibilities or ()))
    return say("misread.no-option-like" if like else "misread.no-option", option=error.option_name, like=like)


def of_words(error: Any) -> str:
    """A command that there is not, words too many, or something else."""
    begin, _, rest = error.format_message().partition("No such command ")
    if not begin and rest:
        return say("misread.no-command", name=rest.rstrip(".").strip("'\""), known=", ".join(commands_of(error)))
    begin, found, words = error.format_message().partition("unexpected extra argument")
    if found:
        return say("misread.too-many", words=words.partition("(")[2].removeprefix("s) (").rstrip(")."))
    return str(error.format_message()).rstrip(".") + "."


def commands_of(error: Any) -> list[str]:
    return list(getattr(getattr(error.ctx, "command", None), "commands", {}))


def bad_value(error: Any, param: Any) -> str:
    """Which value cannot be, and which can."""
    fault = fault_of(error)
    if not fault.get("type", "").startswith(OF_NUMBERS):
        return say("misread.bad", name=name_of(param), why=error.message.rstrip("."))
    least, most = getattr(param, "min", None), getattr(param, "max", None)
    bounds = (
        "" if least is None and most is None else "-to" if least is None else "-from" if most is None else "-within"
    )
    wanted = say(f"misread.whole{bounds}", least=least, most=most)
    return say("misread.bad-value", name=name_of(param), value=fault["input"], wanted=wanted)


def fault_of(error: Any) -> dict[str, Any]:
    """What was written and what is wrong with it, where the parser keeps that."""
    errors = getattr(error.__cause__, "errors", None)
    return dict(errors()[0]) if errors is not None else {}


def name_of(param: Any) -> str:
    """As it is written on the command line: an option by its longest name, an argument by that of the help."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return str(param.metavar or param.name.upper())


def command_of(error: Any) -> str:
    """The command that was meant, however Campale itself was called."""
    return " ".join(("campale", *(error.ctx.command_path.split()[1:] if error.ctx is not None else ())))
