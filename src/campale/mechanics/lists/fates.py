"""The fates of the lines of a list while a book makes an army from it, and the player's corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from campale.mechanics.lists.record import Line, UnitListed, say
from campale.referee.armies.lists import (
    BY_HAND,
    FATES,
    NOT_UNDERSTOOD,
    NOTED,
    PLAYED,
    Check,
    Fate,
    LineRead,
    Mend,
    MendChoice,
)
from campale.referee.telling.spoken import Spoken


class Fates:
    """The fates of lines, by their numbers.

    A line with several fates has the worst of them; a line without any was not understood, so no line is overlooked.
    """

    def __init__(self, lines: tuple[Line, ...], mends: Mapping[str, str]) -> None:
        self.lines, self.said = lines, mends
        self.fates: dict[int, set[Fate]] = {}
        self.whys: dict[int, dict[str, None]] = {}
        self.unit_of: dict[int, int] = {}
        self.mends: dict[str, Mend] = {}
        self.checks: list[Check] = []

    # ------------------------------------------------------------ fates of lines

    def played(self, line: int, why: str | None = None) -> None:
        self.tell(line, PLAYED, why)

    def by_hand(self, line: int, why: str | None = None) -> None:
        self.tell(line, BY_HAND, why)

    def noted(self, line: int, why: str | None = None) -> None:
        self.tell(line, NOTED, why)

    def not_understood(self, line: int, why: str) -> None:
        self.tell(line, NOT_UNDERSTOOD, why)

    def tell(self, line: int, fate: Fate, why: str | None) -> None:
        self.fates.setdefault(line, set()).add(fate)
        if why is not None:
            self.whys.setdefault(line, {})[why] = None

    def check(self, is_right: bool, text: str) -> None:
        self.checks.append(Check(is_right, text))

    def belongs(self, unit: UnitListed, number: int) -> None:
        """Assign all lines of a unit to it, except lines of a heading that mention it."""
        for line in lines_of(unit):
            if line >= unit.line:
                self.unit_of[line] = number

    def read(self) -> tuple[LineRead, ...]:
        return tuple(
            LineRead(line.text, line.depth, self.fate(k), tuple(self.whys.get(k, ())), self.unit_of.get(k))
            for k, line in enumerate(self.lines)
        )

    def fate(self, line: int) -> Fate:
        return next((one for one in FATES if one in self.fates.get(line, ())), NOT_UNDERSTOOD)

    # ------------------------------------------------------------ mends

    def choose(
        self,
        name: str,
        line: int,
        title: str,
        choices: Iterable[tuple[str, str]],
        default: str = "",
        is_needed: bool = False,
    ) -> str:
        """The player's choice among the values, otherwise the default; "" if there is none."""
        offered = tuple(MendChoice(value, told) for value, told in choices)
        said = self.said.get(name, "")
        value = said if any(said == one.value for one in offered) else default
        self.mends[name] = Mend(name, line, title, "choose", value, offered, is_needed=is_needed)
        return value

    def number(
        self, name: str, line: int, title: str, default: float | None, least: float, most: float
    ) -> float | None:
        """The player's number, if allowed, otherwise the default; without a default it is required."""
        value = default
        if (said := number_said(self.said.get(name, ""))) is not None and least <= said <= most:
            value = said
        shown = "" if value is None else f"{value:g}"
        self.mends[name] = Mend(name, line, title, "number", shown, (), least, most, is_needed=default is None)
        return value

    def text(
        self, name: str, line: int, title: str, shown: str, parse: Callable[[str], object], is_needed: bool = True
    ) -> str | None:
        """The player's text, if it can be read; otherwise None. ``shown``: the current text."""
        said = self.said.get(name, "")[:80]
        value = said if said and is_readable(said, parse) else None
        shown = shown[:80] if value is None else value
        self.mends[name] = Mend(name, line, title, "text", shown, is_needed=is_needed and value is None)
        return value


def is_readable(text: str, parse: Callable[[str], object]) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def number_said(text: str) -> float | None:
    try:
        value = float(text[:20].replace(",", "."))
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None


# ---------------------------------------------------------------- lines and their units


def lines_of(unit: UnitListed) -> set[int]:
    found = {unit.line, *(one.line for one in unit.profiles), *(one.line for one in unit.rules)}
    for entry in (*unit.models, *unit.entries):
        for one in entry.all():
            found |= {one.line, *(part.line for part in one.profiles), *(part.line for part in one.rules)}
    return found


# ---------------------------------------------------------------- sums


def sums(total: int, added: int, limit: int) -> list[tuple[bool, Spoken]]:
    """Whether a list's costs add up to its stated total, and do not exceed its size."""
    found = []
    if total:
        found.append((total == added, say("adds-up" if total == added else "differs", total=total, added=added)))
    else:
        found.append((True, say("added", added=added)))
    if limit:
        key = "within-limit" if added <= limit else "over-limit"
        found.append((added <= limit, say(key, added=added, limit=limit)))
    return found
