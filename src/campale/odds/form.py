"""The form of a query: a book's fields, filled in with the written values, with every error reported."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any

import msgspec

from campale.odds.troubles import BREAKS, QueryError, Trouble, broken
from campale.referee.odds_queries import Field, FieldError, Pick, Query, Script, Title
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Switch

MOST_TEXT = 4000
MOST_ENTRIES = 24
LARGEST, LONGEST, DEEPEST = 200.0, 120, 8
OPTION = "option-"
NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,4})?")
COUNT = re.compile(r"(.+?)\*(\d{1,3})")
NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")

MOST_LISTED = 8
OF_MANY = "-models"
"""The ending of a field's name that gives the number of models."""


class Filled(msgspec.Struct, frozen=True):
    """A field with its value. ``trouble``: why the written value was replaced by the default."""

    field: Field
    value: Plain
    trouble: Trouble | None = None


class Form(msgspec.Struct, frozen=True):
    """All fields of a book, in order, with their values: a complete query."""

    ruleset: str
    filled: tuple[Filled, ...]

    @property
    def values(self) -> dict[str, Plain]:
        return {one.field.name: one.value for one in self.filled}

    @property
    def troubles(self) -> list[Trouble]:
        return [one.trouble for one in self.filled if one.trouble is not None]


# ---------------------------------------------------------------- filling in


def filled_in(ruleset: Ruleset, written: Mapping[str, Any]) -> tuple[Form, Query]:
    """The complete form and its query. Raises QueryError for any value that cannot be used."""
    form, query = filled_as_far(ruleset, written)
    if form.troubles:
        raise QueryError(*form.troubles)
    known = form.values
    for name in written:
        if name not in known:
            raise QueryError(unknown_field(ruleset.name, name, written, list(known)))
    assert query is not None
    return form, query


def filled_as_far(ruleset: Ruleset, written: Mapping[str, Any]) -> tuple[Form, Query | None]:
    """The same for a form on a screen: a value that cannot be used is replaced by the default, with the trouble.

    Names that the form does not have are ignored.
    """
    script = script_of(ruleset)
    filled: list[Filled] = []
    try:
        field = next(script)
        while True:
            one = with_value(field, written)
            filled.append(one)
            field = script.send(one.value)
    except StopIteration as done:
        return Form(ruleset.name, tuple(filled)), done.value
    except FieldError as error:
        return blaming(ruleset, filled, error.name, Trouble("cannot-be", error.name, {"why": error.why})), None
    except QueryError:
        raise
    except BREAKS as error:
        return blaming(ruleset, filled, "attacker", broken(error, "attacker")), None


def blaming(ruleset: Ruleset, filled: list[Filled], name: str, trouble: Trouble) -> Form:
    """The form with the trouble at the faulty field (otherwise at the last)."""
    names = [one.field.name for one in filled]
    at = names.index(name) if name in names else len(names) - 1
    marked = msgspec.structs.replace(filled[at], trouble=trouble)
    return Form(ruleset.name, (*filled[:at], marked, *filled[at + 1 :]))


def with_value(field: Field, written: Mapping[str, Any]) -> Filled:
    if field.name not in written:
        return Filled(field, field.default)
    try:
        return Filled(field, understood(field, written[field.name]))
    except QueryError as error:
        return Filled(field, field.default, error.troubles[0])


def script_of(ruleset: Ruleset) -> Script:
    """The options of the book first, because all later fields depend on them."""
    if ruleset.odds_form is None:
        raise QueryError(Trouble("no-inquiries", "", {"book": ruleset.title}))
    chosen: dict[str, Plain] = {}
    for switch in ruleset.switches:
        chosen[switch.name] = yield option_field(switch, ruleset)
    return (yield from ruleset.odds_form(ruleset.with_options(chosen)))


def option_field(switch: Switch, ruleset: Ruleset) -> Field:
    default: Any = getattr(ruleset.options, switch.name, switch.default)
    picks = tuple(Pick(one, plain_title(one)) for one in switch.values if isinstance(one, str | int))
    return Field(OPTION + switch.name, switch.title, "choice", "option", default, picks, switch.rule)


def plain_title(value: str | int | bool) -> Title:
    if isinstance(value, bool):
        return {"en": "yes", "it": "sì"} if value else {"en": "no", "it": "no"}
    return {"en": str(value), "it": str(value)}


def unknown_field(book: str, name: str, written: Mapping[str, Any], known: list[str]) -> Trouble:
    of = name.removesuffix(OF_MANY)
    if of != name and of in known and is_inline(written.get(of)):
        return Trouble("count-inline", name[:60], {"of": of})
    near = get_close_matches(name[:60], known, 1)
    if not near:
        return Trouble("no-field-at-all", name[:60], {"book": book})
    return Trouble("no-field", name[:60], {"book": book, "near": near[0]})


# ---------------------------------------------------------------- what was written


def understood(field: Field, written: Any) -> Plain:
    """A value in its internal form. Raises QueryError."""
    if isinstance(written, str) and field.kind != "figure":
        written = READ[field.kind](field, written)
    return JUDGED[field.kind](field, written)


def wrong(field: Field, why: str, **values: Plain) -> QueryError:
    return QueryError(Trouble(why, field.name, values))


def is_inline(value: Any) -> bool:
    """Whether a profile is written inline instead of named."""
    return not isinstance(value, str) or value.lstrip().startswith("{")


def shortened(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return "".join(sign if sign.isprintable() else "?" for sign in text[:60])


def value_named(field: Field, text: Any) -> Any:
    """The value of the pick with this text."""
    for pick in field.picks:
        if as_text(pick.value) == text or (type(pick.value) is type(text) and pick.value == text):
            return pick.value
    known = [as_text(pick.value) for pick in field.picks]
    near = get_close_matches(str(text)[:80], known, 3)
    if near:
        raise wrong(field, "no-pick-near", given=shortened(text), known=", ".join(near))
    listed = ", ".join(known[:MOST_LISTED]) + (", …" if len(known) > MOST_LISTED else "")
    raise wrong(field, "no-pick", given=shortened(text), known=listed or "-")


def as_text(value: Plain) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def read_several(field: Field, text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


def read_number(field: Field, text: str) -> float:
    if not NUMBER.fullmatch(text.strip()):
        raise wrong(field, "no-number", given=shortened(text))
    return float(text)


def read_counted(field: Field, text: str) -> list[list[Plain]]:
    """``rifle*5,fusion-gun``: without a number, one."""
    found: list[list[Plain]] = []
    for one in read_several(field, text):
        counted = COUNT.fullmatch(one)
        found.append([counted[1].strip(), int(counted[2])] if counted else [one, 1])
    return found


def same(field: Field, text: str) -> str:
    return text


READ: dict[str, Callable[[Field, str], Any]] = {
    "choice": same,
    "several": read_several,
    "number": read_number,
    "counted": read_counted,
}


def judged_several(field: Field, given: Any) -> list[Plain]:
    """In the order of the picks, each once."""
    if not isinstance(given, list | tuple) or len(given) > MOST_ENTRIES:
        raise wrong(field, "no-list", given=shortened(given))
    chosen = [value_named(field, one) for one in given]
    return [pick.value for pick in field.picks if pick.value in chosen]


def judged_number(field: Field, given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise wrong(field, "no-number", given=shortened(given))
    least, most = field.between
    if not least <= given <= most:
        raise wrong(field, "not-between", given=as_text(float(given)), least=least, most=most)
    steps = (given - least) / field.step
    if abs(steps - round(steps)) > 1e-9:
        raise wrong(field, "no-step", given=as_text(float(given)), step=field.step)
    return int(given) if field.step.is_integer() and float(least).is_integer() else float(given)


def judged_counted(field: Field, given: Any) -> list[list[Plain]]:
    """The order is kept; duplicates stay; a count of 0 is left out."""
    if not isinstance(given, list | tuple) or len(given) > MOST_ENTRIES:
        raise wrong(field, "no-list", given=shortened(given))
    found = []
    for pair in given:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise wrong(field, "no-count", given=shortened(pair))
        count = judged_number(msgspec.structs.replace(field, step=1.0), pair[1])
        found += [[value_named(field, pair[0]), int(count)]] if count else []
    return found


def judged_figure(field: Field, given: Any) -> Plain:
    """A pick, or what is written inline: as text it is JSON."""
    if isinstance(given, str) and given[:1] in "{[":
        given = inline_read(field, given)
    if isinstance(given, str):
        return str(value_named(field, given))
    if not isinstance(given, dict | list) or not given:
        raise wrong(field, "no-figure", given=shortened(given))
    if not is_plain_enough(given) or len(msgspec.json.encode(given)) > MOST_TEXT:
        raise wrong(field, "too-long", most=MOST_TEXT)
    return given


def is_plain_enough(given: Any, depth: int = 0) -> bool:
    """Tables, lists, short texts, and numbers as small as those of any profile: strangers write it."""
    if isinstance(given, bool) or given is None:
        return True
    if isinstance(given, int | float):
        return -LARGEST <= given <= LARGEST
    if isinstance(given, str):
        return given.isprintable() and len(given) <= LONGEST
    if not isinstance(given, dict | list) or len(given) > LONGEST or depth > DEEPEST:
        return False
    several = [*given, *given.values()] if isinstance(given, dict) else given
    return all(is_plain_enough(one, depth + 1) for one in several)


def inline_read(field: Field, text: str) -> Any:
    if len(text) > MOST_TEXT:
        raise wrong(field, "too-long", most=MOST_TEXT)
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise wrong(field, "no-json", given=shortened(text)) from None


JUDGED: dict[str, Callable[[Field, Any], Any]] = {
    "choice": value_named,
    "several": judged_several,
    "number": judged_number,
    "counted": judged_counted,
    "figure": judged_figure,
}


# ---------------------------------------------------------------- as text again


def written_out(field: Field, value: Any) -> str:
    """A value as text that a link, a command or a file can read back."""
    return WRITE.get(field.kind, as_text)(value)


def counted_out(value: list[list[Any]]) -> str:
    return ",".join(as_text(one) if many == 1 else f"{as_text(one)}*{many}" for one, many in value)


def figure_out(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


WRITE: dict[str, Callable[[Any], str]] = {
    "several": lambda value: ",".join(map(as_text, value)),
    "counted": counted_out,
    "figure": figure_out,
    "number": partial(lambda value: f"{value:g}"),
}
