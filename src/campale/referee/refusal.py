"""Reasons why something is not allowed: the rule, the place on the table and the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from campale.referee.rule import rules_of
from campale.table.shapes import Point

Plain = Any
"""Plain data: None, bool, int, float, str, and lists, tuples and dictionaries of them."""


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """The finding of a restriction. It names no rule if the restriction itself is marked with one."""

    where: Point | None = None
    measured: float | None = None
    limit: float | None = None
    model: int | None = None
    word: str = ""
    rule: str = ""


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A "no" with its reason. ``word`` is the key of a sentence; without one the rule's title is shown."""

    rule: str
    where: Point | None = None
    measured: float | None = None
    limit: float | None = None
    model: int | None = None
    word: str = ""


Restriction = Callable[..., Fault | None]


def refused(fault: Fault, rule: str) -> Refusal:
    return Refusal(fault.rule or rule, fault.where, fault.measured, fault.limit, fault.model, fault.word)


def first_refusal(restrictions: Iterable[Restriction], *of: Any) -> Refusal | None:
    """The refusal of the first restriction that forbids, cited by the first id the restriction is marked with."""
    for restriction in restrictions:
        fault = restriction(*of)
        if fault is not None:
            return refused(fault, next(iter(rules_of(restriction)), ""))
    return None
