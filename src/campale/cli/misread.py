"""Errors in the command line, told in one sentence like all other errors.

The parser reports them in English and in its own way; this module reads fault and place from the parser's error.
"""

from __future__ import annotations

from typing import Any

from campale.cli.common import say

OF_NUMBERS = ("int_", "greater_", "less_")
"""The prefixes of the fault types of whole numbers. The commands take no other numbers."""


def told(error: Any) -> str:
    """The sentence for an error of the parser; the parser's own message if the kind is unknown."""
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
    """The sentence for an unknown command, for extra words, or for another error."""
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
    """The sentence for an impossible value, with the values that are possible."""
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
    """The written value and its fault, if the parser keeps them; otherwise empty."""
    errors = getattr(error.__cause__, "errors", None)
    return dict(errors()[0]) if errors is not None else {}


def name_of(param: Any) -> str:
    """The name on the command line: an option's longest name, or an argument's name in the help."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return str(param.metavar or param.name.upper())


def command_of(error: Any) -> str:
    """The command meant, with ``campale`` as the program's name however it was called."""
    return " ".join(("campale", *(error.ctx.command_path.split()[1:] if error.ctx is not None else ())))
