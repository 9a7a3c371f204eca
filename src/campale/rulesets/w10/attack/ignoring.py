"""Modifiers that the attacker may ignore: the attacker says which (modifiers/ignore)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from campale.dice.needs import Part
from campale.mechanics.script_form import fill_in_script
from campale.referee.position import Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.attack.attack import grouped, line_of
from campale.rulesets.w10.attack.values import Named, Shots
from campale.rulesets.w10.basics.modifiers import Change, plain

HIT = "hit"
IGNORE, KEEP = "ignore", "keep"


@rule("modifiers/ignore", "m/negative-modifier")
def is_worse(modifier: Part | Change) -> bool:
    """True for a modifier that lowers a roll or raises a skill number."""
    return worth(modifier) < 0


@rule("m/positive-modifier", "m/negative-modifier")
def worth(modifier: Part | Change) -> int:
    """How much a modifier helps (above 0) or hurts (below 0); 0 for one that does not add or subtract."""
    if isinstance(modifier, Part):
        return int(modifier.value)
    kind = plain(modifier, "bs").kind
    return {"add": -modifier.value, "subtract": modifier.value}.get(kind, 0)


@rule("modifiers/ignore")
def sorted_out(ignores: Sequence[str], modifiers: Iterable[Named]) -> dict[str, Any]:
    """Fields of ``Shots``: by default negative modifiers are ignored and the others are kept."""
    found = list(modifiers)
    left_out = tuple(one for one in found if one[0] in ignores and is_worse(one[1]))
    return {"ignores": tuple(ignores), **told_apart([one for one in found if one not in left_out], left_out)}


def told_apart(kept: Iterable[Named], left_out: Iterable[Named]) -> dict[str, Any]:
    kept = list(kept)
    return {
        "parts": tuple(one for name, one in kept if name == HIT),
        "changes": tuple((name, one) for name, one in kept if name != HIT),
        "left_out": tuple(left_out),
    }


def kept_by(shots: Shots) -> list[Named]:
    return [*((HIT, part) for part in shots.parts), *shots.changes]


def in_question(shots: Shots) -> list[Named]:
    """The modifiers that the attacker decides on; those ignored by default come first."""
    return [*shots.left_out, *(one for one in kept_by(shots) if one[0] in shots.ignores)]


@rule("modifiers/ignore")
async def choose_ignored(unit: Unit, shots: Sequence[Shots]) -> list[Shots]:
    """Ask with one form for all attacks of a weapon profile on a target with the same modifiers."""
    position = unit.position
    found = dict(enumerate(shots))
    for _, several in grouped(found.items(), lambda one: (one[1].target, line_of(position, one[1]), asked_of(one[1]))):
        first = several[0][1]
        if not asked_of(first):
            continue
        about: dict[str, Plain] = {"unit": unit.row, "target": first.target, "model": first.row, "weapon": first.weapon}
        ticked = await fill_in_script(unit.side, "ignoring", partial(ticks, unit.side, first), **about)
        for k, one in several:
            found[k] = with_ignored(one, ticked or ())
    return list(found.values())


def asked_of(shots: Shots) -> tuple[Named, ...]:
    return () if shots.snap else tuple(in_question(shots))


def ticks(side: int, shots: Shots) -> Generator[Question, Any, list[Named]]:
    """A checkbox for each modifier; returns the ticked ones, which are ignored."""
    found = []
    for k, (name, modifier) in enumerate(in_question(shots)):
        options = (IGNORE, KEEP) if k < len(shots.left_out) else (KEEP, IGNORE)
        about: dict[str, Plain] = {"modifier": modifier.rule, "value": worth(modifier)}
        if (yield Choose(side, f"ignore-{name}", options, "ignoring", about=about)) == IGNORE:
            found.append((name, modifier))
    return found


def with_ignored(shots: Shots, ticked: Iterable[Named]) -> Shots:
    left_out, kept = list(ticked), [one for one in kept_by(shots) if one[0] not in shots.ignores]
    counted = left_out[:]
    for one in in_question(shots):
        if one in counted:
            counted.remove(one)
        else:
            kept.append(one)
    return replace(shots, **told_apart(kept, left_out))
