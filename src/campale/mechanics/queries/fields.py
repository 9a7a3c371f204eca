"""Fields of a form, with the titles of the book."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campale.mechanics.titles import in_both
from campale.referee.odds_queries import Field, FieldError, Part, Pick, Title
from campale.referee.refusal import Plain
from campale.referee.telling.words import LANGUAGES, words

Asked = Any
"""A generator of fields that returns their result: models, for instance, or an answer."""

Values = Sequence[str | Pick]
"""The values to choose from; the words have the title of a plain value."""


@dataclass(frozen=True)
class Fields:
    """Makes fields. Their titles are the words ``odds.<name>`` and ``odds.<name>.<value>`` of the book in ``folder``.

    ``titled``: the name with the title, if it is another.
    """

    folder: Path

    def title(self, key: str) -> Title:
        return in_both(self.folder, f"odds.{key}")

    def picks(self, name: str, values: Values) -> tuple[Pick, ...]:
        return tuple(one if isinstance(one, Pick) else Pick(one, self.title(f"{name}.{one}")) for one in values)

    def choice(self, name: str, part: Part, values: Values, rule: str = "") -> Field:
        """One of the values, by default the first."""
        picks = self.picks(name, values)
        return Field(name, self.title(name), "choice", part, picks[0].value, picks, rule)

    def several(self, name: str, part: Part, values: Values, rule: str = "", titled: str = "") -> Field:
        """Any of the values, by default none."""
        titled = titled or name
        return Field(name, self.title(titled), "several", part, [], self.picks(titled, values), rule)

    def number(
        self,
        name: str,
        part: Part,
        default: int,
        between: tuple[float, float],
        rule: str = "",
        unit: str = "",
        titled: str = "",
    ) -> Field:
        """A whole number. ``unit``: the things that it counts."""
        least, most = between
        return Field(
            name, self.title(titled or name), "number", part, default, (), rule, (float(least), float(most)), 1.0, unit
        )

    def counted(
        self,
        name: str,
        part: Part,
        values: Values,
        most: int,
        default: list[list[Plain]] | None = None,
        rule: str = "",
        titled: str = "",
    ) -> Field:
        """Values with their numbers, in an order that matters: lists of [value, number]."""
        title, picks = self.title(titled or name), self.picks(name, values)
        return Field(name, title, "counted", part, default or [], picks, rule, (0.0, float(most)))

    def figure(self, part: Part, default: str, picks: tuple[Pick, ...], rule: str) -> Field:
        """The attacker, or the target."""
        return Field(part, self.title(part), "figure", part, default, picks, rule)

    def fault(self, name: str, key: str, **values: Plain) -> FieldError:
        """An error at a field, in the book's words under ``odds.trouble.<key>``."""
        why = {one: words(one, self.folder / "words").say(f"odds.trouble.{key}", **values) for one in LANGUAGES}
        return FieldError(name, why)
