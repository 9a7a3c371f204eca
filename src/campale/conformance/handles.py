"""Finds handles in data that copies of a position share: such a handle would show another battle's model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from types import FunctionType, ModuleType
from typing import Any

from campale.referee.position import Model, Position, Unit

HANDLES = Model, Unit, Position
PLAIN = str, bytes, int, float, type, ModuleType


def handle_in(value: Any) -> Any:
    """The first handle in a value, at any depth: in containers, in records, in the closure of a function."""
    seen: set[int] = set()
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, HANDLES):
            return one
        if one is None or isinstance(one, PLAIN) or id(one) in seen:
            continue
        seen.add(id(one))
        left += parts_of(one)
    return None


def parts_of(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        return chain(value.keys(), value.values())
    if isinstance(value, tuple | list | set | frozenset):
        return iter(value)
    if isinstance(value, partial):
        return iter((value.func, value.args, value.keywords))
    if isinstance(value, FunctionType):
        return (cell.cell_contents for cell in value.__closure__ or ())
    names = chain(getattr(value, "__dict__", ()), getattr(type(value), "__slots__", ()) or ())
    return (getattr(value, name) for name in names if hasattr(value, name))
