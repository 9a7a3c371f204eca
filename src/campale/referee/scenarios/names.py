"""The names in a scenario file: models and units by their ids, choices by the words that players see."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from campale.referee.game import Game
from campale.referee.lawful import idle_answer
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Order, Question
from campale.referee.reading import FileError, Place, Written, meant
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset
from campale.referee.scenarios.file import LARGEST
from campale.referee.spatial import MoveUnit
from campale.referee.telling.teller import Teller
from campale.referee.telling.words import LANGUAGES

MODELS = frozenset(
    {"model", "models", "attackers", "shooter", "attacker", "target", "carrier", "ward", "guard", "actor"}
)
UNITS = frozenset({"unit", "units", "at", "by"})
"""The fields of a question's description whose values are models, and those whose values are units."""
SHOWN = "@"
"""The prefix of a choice that is named by the words that players see."""


def checked_numbers(written: Written) -> None:
    """Check that no number is so large that counting up to it would take long."""
    pending: list[tuple[Place, Any]] = [((), written.content)]
    while pending:
        place, value = pending.pop()
        if isinstance(value, dict):
            pending.extend(((*place, key), one) for key, one in value.items())
        elif isinstance(value, list):
            pending.extend(((*place, n), one) for n, one in enumerate(value))
        elif isinstance(value, int | float) and abs(value) > LARGEST:
            raise FileError(f"{written.where(place)}: {value} is farther from 0 than {LARGEST}. Give less.")


class Names:
    """The ids of a file, and the rows that they mean."""

    def __init__(self, written: Written, ruleset: Ruleset, position: Position) -> None:
        self.written = written
        self.ruleset = ruleset
        self.position = position

    def fail(self, place: Place, what: str) -> FileError:
        return FileError(f"{self.written.where(place)}: {what}")

    # ------------------------------------------------------------------ what may be named

    def model(self, name: str, place: Place) -> int:
        row = self.row_of(name)
        if row is None:
            raise self.fail(place, f"there is no model '{name}'. {meant(name, self.position.names)}")
        return row

    def row_of(self, name: str) -> int | None:
        """The row of a model. One that comes into play may be named by its unit and a number from 1: ``Lions 2``."""
        if name in self.position.names:
            return self.position.names.index(name)
        of, _, number = name.rpartition(" ")
        if of in self.position.unit_names and number.isdecimal():
            unit = self.position.unit_names.index(of)
            rows = [row for row, own in enumerate(self.position.bought_with) if own == unit]
            return rows[int(number) - 1] if 0 < int(number) <= len(rows) else None
        return None

    def unit(self, name: str, place: Place) -> int:
        if name not in self.position.unit_names:
            raise self.fail(place, f"there is no unit '{name}'. {meant(name, self.position.unit_names)}")
        return self.position.unit_names.index(name)

    def bearer(self, name: str, on: str | None, place: Place) -> tuple[str, int]:
        """The bearer of an effect: a model, or the unit of that name if there is no such model or ``on`` says so.

        A side, or the battle as a whole, is given by a number.
        """
        if on in ("side", "battle"):
            known = ("1", "2") if on == "side" else ("0", "1", "2")
            if name not in known:
                raise self.fail(place, f"no {on} is called '{name}'; write one of {', '.join(known)}")
            return str(on), int(name) - 1
        if on == "unit" or (on is None and name not in self.position.names and name in self.position.unit_names):
            return "unit", self.unit(name, place)
        return "model", self.model(name, place)

    def count(self, mark: str, value: int | str, place: Place) -> int:
        """A count of a unit; a count that means a unit is written as the name of that unit."""
        if not isinstance(value, str):
            return value
        meaning = self.ruleset.stage.naming if self.ruleset.stage is not None else ()
        if mark not in meaning:
            raise self.fail(place, f"{mark} is a number, not the name of a unit")
        return self.unit(value, place) + 1

    def known(self, kind: str, names: Iterable[str], place: Place) -> None:
        """Check that the ruleset's vocabulary has the names; a word ending in ``-`` is a prefix of names."""
        words = self.ruleset.stage.words.get(kind, ()) if self.ruleset.stage is not None else ()
        for name in names if words else ():
            if name not in words and not any(name.startswith(word) for word in words if word.endswith("-")):
                near = f"{meant(name, words)} All of them are in docs/en/scenario-words.md."
                raise self.fail((*place, name), f"{self.ruleset.name} has no {kind} '{name}'. {near}")

    def rules(self, ids: Sequence[str], place: Place) -> None:
        entries = self.ruleset.ledger.entries
        for k, id_ in enumerate(ids):
            if id_ not in entries:
                near = meant(id_, entries) if len(meant(id_, entries)) < 200 else "See `campale rules`."
                raise self.fail((*place, k), f"the ledger of {self.ruleset.name} has no rule '{id_}'. {near}")

    # ------------------------------------------------------------------ free values

    def value(self, value: Plain, place: Place) -> Plain:
        """A free value with models as rows; ``{model: Anna}``, ``{unit: Reds}``, ``{side: 2}`` and
        ``{text: Anna}`` remove doubt.
        """
        if isinstance(value, str):
            row = self.row_of(value)
            return value if row is None else row
        if isinstance(value, list | tuple):
            return tuple(self.value(one, (*place, n)) for n, one in enumerate(value))
        if isinstance(value, dict):
            return self.tagged(value, place)
        return value

    def tagged(self, value: dict[str, Plain], place: Place) -> Plain:
        match value:
            case {"model": str(name)} if len(value) == 1:
                return self.model(name, place)
            case {"unit": str(name)} if len(value) == 1:
                return self.unit(name, place)
            case {"side": 1 | 2 as number} if len(value) == 1 and not isinstance(number, bool):
                return int(number) - 1
            case {"text": str(text)} if len(value) == 1:
                return text
        return {key: self.value(one, (*place, key)) for key, one in value.items()}

    # ------------------------------------------------------------------ answers

    def answer(self, game: Game, question: Question | None, answer: Plain, place: Place) -> Plain:
        """An answer as the question takes it: models and units as rows, ``@Steam musket`` as the choice shown so."""
        if isinstance(question, Form) and isinstance(answer, list | tuple):
            return self.filled(game, question, answer, place)
        if isinstance(question, Form) and isinstance(answer, dict):
            return self.filled_by_name(game, question, answer, place)
        if isinstance(answer, dict) and isinstance(question, MoveUnit):
            return self.ways(question, answer, place)
        if isinstance(answer, list | tuple) and isinstance(question, Order):
            return [self.part(game, question, one, (*place, n)) for n, one in enumerate(answer)]
        return self.part(game, question, answer, place)

    def ways(self, question: MoveUnit, answer: dict[str, Plain], place: Place) -> list[Plain]:
        """The ways of several models: the points of those named, and for all the others one ``shift``, if any."""
        rows: Any = question.about.get("models", ())
        shift = self.points((answer["shift"],), (*place, "shift"))[0] if "shift" in answer else None
        named = {
            self.model(str(id_), place): self.way(at, (*place, id_)) for id_, at in answer.items() if id_ != "shift"
        }
        stranger = next((row for row in named if row not in rows), None)
        if stranger is not None:
            raise self.fail(place, f"{self.position.names[stranger]} is not among those who move here")
        found: list[Plain] = []
        for row in rows:
            model, points = self.position.model(row), named.get(row, [])
            if row not in named and shift is not None:
                points = [[model.x + shift[0], model.y + shift[1]]]
            found.append([points, None])
        return found

    def way(self, value: Plain, place: Place) -> list[Plain]:
        """A point, or several in turn."""
        is_single = isinstance(value, list | tuple) and bool(value) and isinstance(value[0], int | float)
        several = [value] if is_single else value
        if not isinstance(several, list | tuple):
            raise self.fail(place, "a way is a point like [30, 12], or a list of points")
        return [list(point) for point in self.points(several, place)]

    def points(self, values: Sequence[Plain], place: Place) -> list[Any]:
        for value in values:
            is_point = isinstance(value, list | tuple) and len(value) in (2, 3)
            if not is_point or not all(isinstance(n, int | float) and not isinstance(n, bool) for n in value):
                raise self.fail(place, f"{value!r} is no point: that is two numbers, like [30, 12]")
        return list(values)

    def filled(self, game: Game, form: Form, answer: Sequence[Plain], place: Place) -> list[Plain]:
        """The fields of a form one after another, because a field depends on those before it."""
        found: list[Plain] = []
        for n, one in enumerate(answer):
            field = self.field(form, found)
            found.append(self.answer(game, field, one, (*place, n)))
        return found

    def filled_by_name(self, game: Game, form: Form, answer: dict[str, Plain], place: Place) -> list[Plain]:
        """The fields of a form by their prompts, or by the models that they are about; fields not named are passed."""
        found: list[Plain] = []
        asked: list[str] = []
        while (field := self.field(form, found)) is not None:
            names = [self.about(field), field.prompt]
            asked += [name for name in names if name and name not in asked]
            key = next((name for name in names if name in answer), None)
            if key is not None:
                found.append(self.answer(game, field, answer[key], (*place, key)))
                continue
            idle = idle_answer(field)
            if idle is None:
                raise self.fail(place, f"the form asks for '{field.prompt}' too: say what")
            found.append(idle[0])
        stranger = next((str(key) for key in answer if key not in asked), None)
        if stranger is not None:
            raise self.fail(place, f"the form has no '{stranger}'; it asks for {', '.join(asked)}")
        return found

    def about(self, field: Question) -> str:
        """The name of the model that a field is about, if it is about one."""
        row = field.about.get("model")
        return self.position.names[row] if isinstance(row, int) and 0 <= row < len(self.position.names) else ""

    def field(self, form: Form, filled: Sequence[Plain]) -> Question | None:
        """The field after these answers; None if they fit so badly that there is none."""
        try:
            return form.field(filled)
        except Exception:
            return None

    def part(self, game: Game, question: Question | None, answer: Plain, place: Place) -> Plain:
        if isinstance(answer, str) and answer.startswith(SHOWN):
            return self.shown(game, question, answer[1:], place)
        if isinstance(answer, str):
            return self.named(question, answer, place)
        return self.value(answer, place)

    def named(self, question: Question | None, answer: str, place: Place) -> Plain:
        if getattr(question, "of", "") == "unit" and answer in self.position.unit_names:
            return self.position.unit_names.index(answer)
        return self.model(answer, place) if answer[:1].isupper() else answer

    def shown(self, game: Game, question: Question | None, words: str, place: Place) -> Plain:
        """The choice that players see with these words, in either language; case and dashes do not matter."""
        if not isinstance(question, Choose | Order):
            raise self.fail(place, f"nothing is chosen here that '{SHOWN}{words}' could name")
        among = question.candidates if isinstance(question, Choose) else question.items
        shown = {self.plainly(words_): key for key in among for words_ in self.all_words(game, question, key)}
        if self.plainly(words) not in shown:
            raise self.fail(place, f"nothing is shown as '{words}' here; shown are: {', '.join(shown)}")
        return shown[self.plainly(words)]

    def all_words(self, game: Game, question: Question, key: Plain) -> list[str]:
        return [Teller.of(game, language).option(question, key) for language in LANGUAGES]

    def plainly(self, words: str) -> str:
        return re.sub(r"[\W_]+", " ", words.casefold()).strip()

    def told_of(self, field: str, value: Plain) -> str:
        """A value of a question's description, with the names of models and units."""
        names = self.position.names if field in MODELS else self.position.unit_names if field in UNITS else None
        if names is None:
            return self.told(value)
        rows = value if isinstance(value, list | tuple) else [value]
        told = [names[row] if isinstance(row, int) and 0 <= row < len(names) else self.told(row) for row in rows]
        return "[" + ", ".join(told) + "]" if isinstance(value, list | tuple) else told[0]

    def told_key(self, game: Game, key: Plain, question: Question) -> str:
        """A choice as it can be written in a file: its word, the name of a model, or the words that players see."""
        plain = self.told(key, question)
        if not any(character.isdecimal() for character in plain) or not isinstance(question, Choose):
            return plain
        return f'"{SHOWN}{Teller.of(game, LANGUAGES[0]).option(question, key)}"'

    def told(self, value: Plain, question: Question | None = None) -> str:
        """A value as it would be written in a file, with the names of models."""
        if getattr(question, "of", "") == "model" and isinstance(value, int):
            return self.position.names[value] if 0 <= value < len(self.position.names) else str(value)
        if isinstance(value, list | tuple):
            return "[" + ", ".join(self.told(one, question) for one in value) + "]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key}: {self.told(one)}" for key, one in value.items()) + "}"
        return f"{value:g}" if isinstance(value, float) and math.isfinite(value) else str(value)
