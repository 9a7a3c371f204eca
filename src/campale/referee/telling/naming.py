"""The names of units and models in the reader's language, numbered if several have the same name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from campale.referee.position import Position

LANGUAGE_NOTE = "name_{language}"


def unit_names(position: Position, language: str) -> list[str]:
    """The names of the units by row; equal names are numbered.

    A unit that models have left their own for, such as one of models that act on their death, does not count.
    """
    note = LANGUAGE_NOTE.format(language=language)
    names, own = [str(unit.note(note) or unit.name) for unit in position.units], set(position.bought_with)
    told = iter(numbered([name for row, name in enumerate(names) if row in own]))
    return [next(told) if row in own else name for row, name in enumerate(names)]


def model_names(position: Position, language: str, units: Sequence[str]) -> list[str]:
    """The names of the models by row: equal names in a unit are numbered, and include the unit if other units have them
    too."""
    note = LANGUAGE_NOTE.format(language=language)
    plain = [str(model.note(note) or model.name) for model in position.models]
    homes = list(position.bought_with)
    sizes = Counter(homes)
    alike = Counter(zip(plain, homes, strict=True))
    elsewhere = Counter(name for name, _ in alike)
    counted: Counter[tuple[str, int]] = Counter()
    told = []
    for name, home in zip(plain, homes, strict=True):
        counted[name, home] += 1
        is_shared = elsewhere[name] > 1
        if is_shared and sizes[home] == 1:
            told.append(lone(name, units[home], numbered_like(name, homes, plain, home)))
            continue
        one = f"{name} {counted[name, home]}" if alike[name, home] > 1 else name
        told.append(f"{one} ({units[home]})" if is_shared else one)
    return told


def lone(name: str, unit: str, number: int) -> str:
    """A model that is a unit of its own bears the unit's number."""
    return unit if unit.startswith(name) else f"{name} {number}"


def numbered_like(name: str, homes: Sequence[int], names: Sequence[str], home: int) -> int:
    """The place of a unit among those that have a model of a name."""
    having = dict.fromkeys(unit for unit, one in zip(homes, names, strict=True) if one == name)
    return list(having).index(home) + 1


def numbered(names: Sequence[str]) -> list[str]:
    """The names, each with a number if there are several of it."""
    total, counted = Counter(names), Counter[str]()
    told = []
    for name in names:
        counted[name] += 1
        told.append(f"{name} {counted[name]}" if total[name] > 1 else name)
    return told


def titles(profiles: Sequence[Any], language: str) -> dict[str, str]:
    """The titles of models' equipment, by id: everything in their profiles that has an id and a title.

    A profile may have further titles (``titled``, by id).
    """
    found: dict[str, str] = {}
    for profile in {id(one): one for one in profiles}.values():
        for thing in (profile, *(getattr(profile, "weapons", ())), *(getattr(profile, "powers", ()))):
            title = getattr(thing, "title", None)
            title = getattr(title, "in_both", title)
            if isinstance(title, dict) and hasattr(thing, "id"):
                found.setdefault(str(thing.id), in_language(title, language))
        for name, title in getattr(profile, "titled", {}).items():
            found.setdefault(name, in_language(title, language))
    return found


def is_title(value: Any) -> bool:
    return isinstance(value, dict) and "en" in value


def in_language(title: dict[str, str], language: str) -> str:
    return str(title.get(language) or title["en"]) if title else ""
