"""Tells a battle: values, questions, answers and refusals as sentences in a language.

A ruleset's words come before the referee's. A key is looked up with its prefix (``event.move``, ``ask.deploy``,
``marker.prone``), then bare; if there are no words for it, the key itself is made readable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import groupby
from typing import Any

import msgspec

from campale.dice.needs import Need, Part
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain, Refusal
from campale.referee.ruleset import Ruleset
from campale.referee.telling import naming
from campale.referee.telling.words import Words, words

MODEL_FIELDS = frozenset(
    {
        "model",
        "models",
        "target",
        "targets",
        "shooter",
        "shooters",
        "attacker",
        "attackers",
        "defender",
        "defenders",
        "by",
        "at",
        "bearer",
        "source",
        "carrier",
        "aboard_of",
        "commander",
        "leader",
        "victim",
        "mover",
        "watcher",
        "reactor",
        "actor",
        "user",
        "guard",
        "ward",
        "instead",
        "charger",
        "fighter",
        "thrower",
        "chosen",
        "caster",
        "medic",
        "near",
    }
)
FACING, STRUCK = "facing", "struck"
PLACE = ("x", "y")
"""The fields of a place, told to a tenth like the ends of moves."""
UNIT_FIELDS = frozenset({"unit", "units"})
SIDE_FIELDS = frozenset({"side", "sides", "winner", "owner", "first", "attacking", "defending"})
KINDS = {"model": MODEL_FIELDS, "unit": UNIT_FIELDS, "side": SIDE_FIELDS}
Moved = tuple[tuple[int, int], ...]
KEYED_FIELDS = {"why": "roll", "on": "word"}


class Teller:
    """Tells one battle in one language. ``names`` and ``units``: the names by row; ``players``: the names of the sides.

    The ``profiles`` of the models name their equipment. A ruleset's words may add: ``alias.<of>``: options of this
    kind read like those of another; ``each.<of>``: how an option made of numbers reads (``{n0}`` is the first number,
    counted from one, ``{s1}`` the second with its sign); ``fields.unit`` (also ``.model``, ``.side``): the fields that
    hold a unit in this book, even if they hold something else in others. An option that begins with a word, and whose
    parts the ruleset names (``Ruleset.parts``), reads as ``<of>.<word>`` with the parts filled in. ``unit_of``: the
    current units of the models; ``bought_with``: the units that they were bought with (by default the same).
    """

    def __init__(
        self,
        ruleset: Ruleset,
        language: str = "en",
        names: Sequence[str] = (),
        units: Sequence[str] = (),
        players: Sequence[str] = (),
        profiles: Sequence[Any] = (),
        unit_of: Sequence[int] = (),
        bought_with: Sequence[int] = (),
    ) -> None:
        self.ruleset = ruleset
        self.words: Words = words(language, ruleset.folder / "words")
        self.names, self.units, self.players, self.profiles = names, units, players, profiles
        self.unit_of, self.bought_with = unit_of, bought_with or unit_of
        self.moments: dict[Moved, Teller] = {}
        own = {kind: set(self.words.messages.get(f"fields.{kind}", "").split()) for kind in KINDS}
        all_own = set().union(*own.values())
        self.fields = {kind: (known - all_own) | own[kind] for kind, known in KINDS.items()}
        self.of_both = frozenset(self.words.messages.get("fields.both", "").split())

    @classmethod
    def of(cls, game: Game, language: str = "en", position: Position | None = None) -> Teller:
        """The teller of a game, with names from the given position (for example of a view) or from the game's own."""
        at = position or game.position
        units = naming.unit_names(at, language)
        names = naming.model_names(at, language, units)
        return cls(game.ruleset, language, names, units, game.setup.players, at.profiles, at.unit_of, at.bought_with)

    def at(self, event: Event) -> Teller:
        """The same teller, but with the units as they were at an event."""
        if not event.moved and self.unit_of == self.bought_with:
            return self
        if event.moved not in self.moments:
            then, units = copy(self), list(self.bought_with)
            for row, unit in event.moved:
                units[row : row + 1] = [unit]
            then.unit_of = units
            self.moments[event.moved] = then
        return self.moments[event.moved]

    # ------------------------------------------------------------------ words

    @property
    def language(self) -> str:
        return self.words.language

    def key(self, *candidates: str) -> str | None:
        """The first of the keys for which there are words."""
        return next((key for key in candidates if self.words.has(key)), None)

    def word(self, kind: str, value: str) -> str:
        """The word for a value of a kind: ``marker.prone``, then ``prone``, then a rule's title, then as it is."""
        key = self.key(f"{kind}.{value}", value)
        if key is not None:
            return self.words.say(key)
        if value in self.titles:
            return self.titles[value]
        return self.rule(value) if value in self.ruleset.ledger.entries else self.named(kind, value)

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of models and equipment in their profiles, by id."""
        return naming.titles(self.profiles, self.language)

    def named(self, kind: str, value: str) -> str:
        """A name made of words and a number, like ``stone-wall-3``: known parts in words, the rest as it is."""
        told, left, known = list[str](), value.split("-"), False
        while left:
            stems = ("-".join(left[:end]) for end in range(len(left), 0, -1))
            key, stem = next(((k, s) for s in stems if (k := self.key(f"{kind}.{s}", s))), (None, left[0]))
            known = known or key is not None
            told.append(stem if key is None else self.words.say(key))
            left = left[stem.count("-") + 1 :]
        text = " ".join(told)
        if not known:
            return readable(value)
        return text if text != value.replace("-", " ") else text[:1].upper() + text[1:]

    def rule(self, id_: str) -> str:
        """The title of a rule in the language."""
        entry = self.ruleset.ledger.entries.get(id_)
        return id_ if entry is None else entry.title.get(self.language) or entry.title.get("en", id_)

    def side(self, side: Plain) -> str:
        """The name of a side: its player's name if given, else its colour. -1 means nobody, like None."""
        if not isinstance(side, int) or side < 0:
            return self.words.say("side.none")
        named = self.players[side] if 0 <= side < len(self.players) else ""
        if named and named != str(side + 1):
            return named
        return self.words.say(f"side.{side}") if self.words.has(f"side.{side}") else str(side + 1)

    def model(self, row: Plain) -> str:
        return self.names[row] if isinstance(row, int) and 0 <= row < len(self.names) else self.words.say("none")

    def unit(self, row: Plain) -> str:
        return self.units[row] if isinstance(row, int) and 0 <= row < len(self.units) else self.words.say("none")

    def author(self, row: int) -> str:
        """The name of the model or unit (the ruleset decides which) that caused a loss."""
        return self.unit(row) if self.ruleset.authors == "unit" else self.model(row)

    def rows_of(self, unit: int) -> list[int]:
        """The models of a unit."""
        return [row for row, home in enumerate(self.unit_of) if home == unit]

    def several(self, rows: Sequence[int]) -> str:
        """The name of several models: their unit's if they are several of one unit, else their own names."""
        different = list(dict.fromkeys(rows))
        homes = {self.unit_of[row] for row in different if 0 <= row < len(self.unit_of)}
        return self.unit(homes.pop()) if len(homes) == 1 < len(different) else ", ".join(map(self.model, different))

    # ------------------------------------------------------------------ values

    def carried(self, of: str, place: int, row: Plain) -> str | None:
        """The name of one of the things of a kind that a model carries, by index: ``weapon`` 1 of model 7."""
        known = isinstance(row, int) and 0 <= row < len(self.profiles)
        things = getattr(self.profiles[row], f"{of}s", ()) if known else ()
        return self.word(of, str(things[place].id)) if 0 <= place < len(things) else None

    def value(self, field: str, value: Plain) -> str:
        """A value as text, by the name of its field."""
        if isinstance(value, list | tuple):
            return self.listed(field, value)
        if isinstance(value, bool):
            return self.words.say("option.yes" if value else "option.no")
        if field in self.fields["side"]:
            return self.side(value)
        if field == FACING and is_number(value):
            return in_degrees(value)
        if field in PLACE and is_number(value):
            return self.words.shown(round(float(value), 1))
        if isinstance(value, int):
            return self.numbered(field, value)
        if isinstance(value, str):
            return self.word(KEYED_FIELDS.get(field, field), value)
        if naming.is_title(value):
            return naming.in_language(value, self.language)
        if isinstance(value, dict):
            return ", ".join(f"{self.word('field', str(k))} {self.value(str(k), v)}" for k, v in value.items())
        return self.words.shown(value) if value is not None else self.words.say("none")

    def numbered(self, field: str, value: int) -> str:
        if field in self.fields["model"]:
            return self.model(value)
        return self.unit(value) if field in self.fields["unit"] else self.words.shown(value)

    def listed(self, field: str, values: Sequence[Plain]) -> str:
        """A list as text; numbers with a fraction among them are a point, unless there is one for each side."""
        if not values:
            return self.words.say("none")
        if field in self.of_both:
            return ", ".join(f"{self.side(side)} {self.value(field, one)}" for side, one in enumerate(values))
        if is_point(values):
            return self.point(values)
        if field == STRUCK:
            return self.kinds(values)
        return ", ".join(self.value(field, one) for one in values)

    def point(self, at: Sequence[float]) -> str:
        return "(" + "; ".join(self.words.shown(float(one)) for one in at) + ")"

    def filled(self, key: str, values: dict[str, Plain], **told: Plain) -> str:
        """The words of a key with the values told; the ``told`` values go in as they are.

        A field such as ``card_text`` is what the book's words say of the ``card``.
        """
        wanted = self.words.fields(key) - told.keys()
        found = {name: self.value(name, values[name]) for name in wanted & values.keys()}
        texts = {name: name.removesuffix("_text") for name in wanted if name.endswith("_text")}
        found |= {name: self.words.say(f"{of}.{values[of]}.text") for name, of in texts.items()}
        text = self.words.say(key, **found | told)
        return text[:-1] if text.endswith("!.") else text

    def spelled(self, kind: str, values: dict[str, Plain]) -> str:
        """An event without words, spelled out as it is."""
        told = [f"{self.word('field', field)} {self.value(field, value)}" for field, value in values.items()]
        return f"{readable(kind)}: {', '.join(told)}." if told else f"{readable(kind)}."

    # ------------------------------------------------------------------ dice

    def need(self, need: Need | dict[str, Plain]) -> str:
        """The number needed on a die and how it is made up: ``5+ (4+; −1 beyond half range)``."""
        needed = need if isinstance(need, Need) else msgspec.convert(need, Need)
        face, base = needed.written(needed.face), needed.written(needed.base)
        parts = "; ".join(f"{self.change(part)} {self.rule(part.rule)}" for part in needed.parts)
        return f"{face} ({base}; {parts})" if parts else face

    def change(self, part: Part) -> str:
        """The effect of a modifier, with the decimal sign of the language."""
        return self.words.with_comma(changing(part.kind, part.value))

    # ------------------------------------------------------------------ questions

    def question(self, question: Question) -> str:
        """The sentence of a question."""
        prompt, told = question.prompt, self.told_about(question)
        more = ("aimed", question.kind) if "aims" in told else (question.kind,)
        asked = (f"ask.{prompt}", f"question.{prompt}", f"prompt.{prompt}", prompt)
        key = self.key(*(f"ask.{prompt}.{one}" for one in more), *asked)
        if question.is_chance:
            return self.chance(question)
        if key is not None:
            return self.filled(key, {"side": question.side, **question.about}, **told)
        models = [self.value(f, v) for f, v in question.about.items() if isinstance(v, int | str) and f in MODEL_FIELDS]
        return f"{readable(prompt)} ({', '.join(models)})" if models else readable(prompt)

    def told_about(self, question: Question) -> dict[str, Plain]:
        """The subject of a question in words: who its numbers mean, which thing of the model, at whom it is aimed."""
        about = question.about
        rows = about.get("models")
        told: dict[str, Plain] = {}
        if isinstance(rows, list | tuple) and rows and all(isinstance(row, int) for row in rows):
            told["who"] = self.kinds(rows) if len(rows) > 1 else self.model(rows[0])
        for name in ("weapon", "power"):
            place = about.get(name)
            carried = self.carried(name, place, about.get("model")) if isinstance(place, int) else None
            told |= {name: carried} if carried is not None else {}
        shown = about.get("shown")
        aims = shown.get("aims") if isinstance(shown, dict) else None
        return told | {"aims": ", ".join(self.model(aim[1]) for aim in aims)} if aims else told

    def kinds(self, rows: Sequence[int]) -> str:
        """Models by their kinds: ``Keeper ×3, Keeper warden``."""
        found = Counter(self.kind_of(row) for row in rows)
        return ", ".join(f"{name} ×{many}" if many > 1 else name for name, many in found.items())

    def kind_of(self, row: int) -> str:
        title = getattr(self.profiles[row], "title", None) if 0 <= row < len(self.profiles) else None
        return naming.in_language(title, self.language) if title and naming.is_title(title) else self.model(row)

    def chance(self, question: Question) -> str:
        """The roll or draw in words: ``to hit: 2D6, 4+``."""
        extent = question.extent()
        why = self.word("roll", question.prompt)
        if question.kind == "roll":
            needed = extent["needed"]
            dice = f"{extent['count']}D{extent['sides']}"
            return f"{why}: {dice}" + (f", {self.need(needed)}" if needed else "")
        return self.words.say(f"chance.{question.kind}", why=why, **{k: str(v) for k, v in extent.items()})

    def option(self, question: Question, key: Plain) -> str:
        """One option of a choice in words."""
        parts = self.parts(question, key) if self.ruleset.parts is not None else None
        if parts is not None:
            return parts
        of = getattr(question, "of", "word")
        of = self.words.messages.get(f"alias.{of}", of)
        if self.words.has(f"each.{of}") and not isinstance(key, str):
            return self.words.say(f"each.{of}", **counted(key if isinstance(key, list | tuple) else [key]))
        if is_point(key):
            return self.point(key)
        if isinstance(key, list | tuple):
            return " · ".join(self.part(question, of, part) for part in key if part is not None)
        return self.part(question, of, key)

    def parts(self, question: Question, key: Plain) -> str | None:
        """An option whose parts the ruleset names; None if there are no words for it."""
        assert self.ruleset.parts is not None
        named = self.ruleset.parts(self.profiles, question, key)
        if named is None:
            return None
        of, first = getattr(question, "of", "word"), named.pop("word", None) or key[0]
        told = self.key(f"{question.prompt}.{first}", f"{of}.{first}")
        return self.filled(told, {"side": question.side, **question.about, **named}) if told is not None else None

    def part(self, question: Question, of: str, part: Plain) -> str:
        if isinstance(part, list | tuple):
            return self.option(question, part)
        if isinstance(part, bool) or part is None:
            return self.value("", part)
        if isinstance(part, int):
            carried = self.carried(of, part, question.about.get("model"))
            return carried or {"model": self.model, "unit": self.unit, "side": self.side}.get(of, str)(part)
        if isinstance(part, str):
            key = self.key(f"{question.prompt}.{part}", f"option.{part}", f"{of}.{part}", part)
            about = {"side": question.side, **question.about}
            return self.filled(key, about) if key is not None else self.word(of, part)
        return self.words.shown(part)

    def answer(self, question: Question, answer: Plain) -> str:
        """Any answer to a question in words."""
        tells = getattr(self, f"told_{question.kind}", None)
        return tells(question, answer) if tells is not None else self.words.shown(answer)

    def told_choose(self, question: Question, answer: Plain) -> str:
        return self.option(question, answer)

    def told_order(self, question: Question, answer: Plain) -> str:
        return in_a_row([self.option(question, one) for one in answer])

    def told_form(self, question: Any, answer: Plain) -> str:
        told: list[str] = []
        for place, one in enumerate(answer):
            field = question.field(answer[:place])
            if field is None:
                told.append(str(one))
                continue
            asked = self.question(field)
            told.append(f"{asked}{'' if asked.endswith('?') else ':'} {self.answer(field, one)}")
        return "; ".join(told) if told else self.words.say("none")

    def told_place(self, question: Question, answer: Plain) -> str:
        models = question.about.get("models", ())
        return "; ".join(f"{self.model(row)} {self.standing(at)}" for row, at in zip(models, answer, strict=False))

    def standing(self, at: Sequence[float]) -> str:
        return f"{self.point(at[:2])} {in_degrees(at[2])}°"

    def told_move(self, question: Question, answer: Plain) -> str:
        models = question.about.get("models")
        if models is None or (answer and isinstance(answer[0], list | tuple) and not is_way(answer)):
            return self.way(answer)
        return "; ".join(f"{self.model(row)} {self.way(way)}" for row, way in zip(models, answer, strict=False))

    def way(self, answer: Plain) -> str:
        points, facing = answer
        told = " → ".join(self.point(point[:2]) for point in points) or self.words.say("stays")
        return told if facing is None else f"{told} {in_degrees(facing)}°"

    def told_along(self, question: Question, answer: Plain) -> str:
        return self.words.say("lets-pass") if answer is None else self.words.shown(float(answer))

    def told_aim(self, question: Question, answer: Plain) -> str:
        if len(answer) < 3:
            return self.point(answer)
        is_wide = "diameter" in getattr(question, "shown", {})
        return f"{self.point(answer[:2])} ⌀ {self.far(float(answer[2]))}" if is_wide else self.standing(answer)

    def told_allot(self, question: Any, answer: Plain) -> str:
        told = zip(question.items, answer, strict=False)
        return "; ".join(f"{self.item(item)} → {self.model(row)}" for item, row in told)

    def item(self, item: Plain) -> str:
        """An allotted thing: its word, or the text as it is; a thing with several values by the words of each.

        Values without words (``item.<name>``) only serve to tell the others.
        """
        if isinstance(item, dict) and not naming.is_title(item):
            return " · ".join(self.filled(f"item.{name}", item) for name in item if self.words.has(f"item.{name}"))
        is_word = isinstance(item, str) and any(letter.isalpha() for letter in item)
        return self.value("item", item) if is_word or not isinstance(item, str) else item

    # ------------------------------------------------------------------ refusals

    def refusal(self, refusal: Refusal) -> str:
        """A refusal: the sentence or the rule's title, the length measured and allowed, who and where.

        Numbers that the sentence itself contains are no lengths, and are not repeated.
        """
        values = {
            "model": self.model(refusal.model),
            "measured": self.measure(refusal.measured),
            "limit": self.measure(refusal.limit),
            "unit": self.unit_for(refusal.limit if refusal.limit is not None else refusal.measured),
        }
        key = self.key(f"refusal.{refusal.word}", refusal.word) if refusal.word else None
        key = key or self.key(f"refusal.{refusal.rule}")
        numbers = self.words.fields(key) & {"measured", "limit"} if key is not None else set()
        if key is None or any(getattr(refusal, name) is None for name in numbers):
            key, numbers = None, set()
        told = self.words.say(key, **values) if key is not None else self.rule(refusal.rule)
        details = self.details(refusal, has_numbers=not numbers)
        return " ".join(part for part in (told, details, self.cited(refusal.rule)) if part)

    def details(self, refusal: Refusal, has_numbers: bool = True) -> str:
        told: list[str] = []
        if has_numbers and (refusal.measured, refusal.limit) != (None, None):
            told.append(self.lengths(refusal.measured, refusal.limit))
        if refusal.model is not None and refusal.model >= 0:
            told.append(self.model(refusal.model))
        if refusal.where is not None:
            told.append(self.words.say("refusal-where", where=self.point(refusal.where[:2])))
        return f"({', '.join(told)})" if told else ""

    def lengths(self, measured: float | None, limit: float | None) -> str:
        """The length measured, and the limit."""
        if limit is None:
            return f"{self.measure(measured)} {self.unit_for(measured)}"
        values = {"measured": self.measure(measured), "limit": self.measure(limit), "unit": self.unit_for(limit)}
        return self.words.say("refusal-limit" if measured is None else "refusal-measured", **values)

    def cited(self, rule: str) -> str:
        return f"[{rule}]" if rule else ""

    @property
    def unit_of_length(self) -> str:
        return self.words.say(f"unit.{self.ruleset.unit}")

    def unit_for(self, length: float | None) -> str:
        """The unit of length after a number, in the singular after one."""
        one = f"unit.{self.ruleset.unit}.one"
        return self.words.say(one) if self.measure(length) == "1" and self.words.has(one) else self.unit_of_length

    def measure(self, length: float | None) -> str:
        return "" if length is None else self.words.shown(length)

    def far(self, length: float) -> str:
        """A length with the sign of its unit: ``24″``, ``30 cm``."""
        return f"{self.words.shown(length)}{'″' if self.ruleset.unit == 'inch' else f' {self.unit_of_length}'}"


def is_way(answer: Plain) -> bool:
    """Whether an answer is several ways: its first part is then a way itself, [points, facing]."""
    first = answer[0]
    return len(first) == 2 and isinstance(first[0], list | tuple) and (not first[0] or not is_number(first[0][0]))


def is_point(values: Plain) -> bool:
    """Whether values are two or three numbers, with at least one float among them."""
    if not isinstance(values, list | tuple) or len(values) not in (2, 3):
        return False
    return all(is_number(one) for one in values) and any(isinstance(one, float) for one in values)


def counted(numbers: Sequence[Plain]) -> dict[str, Plain]:
    """The numbers of an option as values for its words: counted from one, and with a sign."""
    told: dict[str, Plain] = {}
    for place, one in enumerate(numbers):
        told |= {f"n{place}": one + 1, f"s{place}": f"{'−' if one < 0 else '+'}{abs(one)}"}
    return told


def in_a_row(texts: Sequence[str]) -> str:
    """Texts one after another; a run of equal ones appears once, with its number."""
    runs = [(text, len(list(run))) for text, run in groupby(texts)]
    between = "; " if any("," in text for text in texts) else ", "
    return between.join(f"{text} ×{many}" if many > 1 else text for text, many in runs)


def in_degrees(angle: float) -> str:
    """An angle as players tell it: in whole degrees, from 0 to 359."""
    return str(round(angle) % 360)


def is_number(value: Plain) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def changing(kind: str, value: float) -> str:
    """The effect of a modifier: ``−1``, ``+1``, ``×2``, ``÷2``, ``=4``, ``±1 at most``."""
    number = f"{abs(value):g}"
    signs = {"set": "=", "divide": "÷", "multiply": "×", "cap": "max ±"}
    return f"{signs[kind]}{number}" if kind in signs else f"{'−' if value < 0 else '+'}{number}"


def readable(key: str) -> str:
    """A key made readable, for lack of words."""
    text = key.rpartition("/")[2].replace("-", " ").replace("_", " ").replace(".", " ")
    return text[:1].upper() + text[1:]
