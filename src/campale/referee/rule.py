"""Marks functions with the ledger entries that they carry out, and finds these entries from running code.

A coroutine that is suspended is walked through ``cr_await``; while code runs, the Python frames are walked. Functions
are found by the identity of their code objects: two identical functions in two files have equal code objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from types import CodeType, FrameType
from typing import Any, TypeVar

import msgspec

F = TypeVar("F", bound=Callable[..., Any])


class Marked(msgspec.Struct, frozen=True):
    """A function and the ids of the entries it carries out."""

    function: Callable[..., Any]
    ids: tuple[str, ...]
    code: CodeType


BY_CODE: dict[int, Marked] = {}


def rule(*ids: str) -> Callable[[F], F]:
    """Register the function under its ledger ids and return the function itself."""

    def mark(function: F) -> F:
        code = function.__code__
        BY_CODE[id(code)] = Marked(function, ids, code)
        return function

    return mark


def rules_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The ids of a marked function, or of the function inside a partial; none if it is not marked."""
    function = getattr(function, "func", function)
    marked = BY_CODE.get(id(getattr(function, "__code__", None)))
    return marked.ids if marked is not None else ()


def marked_functions(package: str) -> tuple[Marked, ...]:
    """Every marked function of a package (by its dotted name), in the order of their marking."""
    inside = package + "."
    return tuple(m for m in list(BY_CODE.values()) if f"{m.function.__module__}.".startswith(inside))


def path_of(coroutine: Coroutine[Any, Any, Any]) -> tuple[str, ...]:
    """The rules in force where a coroutine is suspended, outermost first; a function's first id comes last."""
    ids: list[str] = []
    awaited: Any = coroutine
    while awaited is not None:
        code = getattr(awaited, "cr_code", None)
        marked = BY_CODE.get(id(code))
        if marked is not None:
            ids.extend(reversed(marked.ids))
        awaited = getattr(awaited, "cr_await", None)
    return tuple(ids)


def path_here() -> tuple[str, ...]:
    """The rules in force where this is called from, outermost first; a function's first id comes last."""
    layers: list[tuple[str, ...]] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        marked = BY_CODE.get(id(frame.f_code))
        if marked is not None:
            layers.append(marked.ids)
        frame = frame.f_back
    return tuple(one for layer in reversed(layers) for one in reversed(layer))


def each_once(path: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of a path without repeats: each stands at its innermost place, so that the last one stays the last."""
    return tuple(reversed(dict.fromkeys(reversed(path))))


def innermost(path: tuple[str, ...]) -> str:
    """The first id of the innermost function of a path, or the empty string."""
    return path[-1] if path else ""
