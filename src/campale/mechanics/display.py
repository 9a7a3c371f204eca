"""Display on tables: parts of options, the state of a battle, numbers of cards, reasons for restrictions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from campale.referee.looks import BLADE, DONE, GUN, RIFLE
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain, Refusal, Restriction, first_refusal

Parts = dict[str, Plain]
"""The values for the words of an option or a line."""

Standing = tuple[str, Parts]
"""A line of the state of a battle: the key of its words, and their values."""

Teller = Callable[[Sequence[Any], Any, Plain], Parts | None]
"""``teller(profiles, question, key)``: the parts of an option; None if its name is enough."""


# ---------------------------------------------------------------- options


def parts_by_kind(
    tellers: Mapping[str, Teller], profiles: Sequence[Any], question: Question, key: Plain
) -> Parts | None:
    """The parts of an option, by the teller for its question's prompt, or for the kind of its keys."""
    teller = tellers.get(question.prompt) or tellers.get(str(getattr(question, "of", "")))
    return None if teller is None else teller(profiles, question, key)


# ---------------------------------------------------------------- the looks of models


def armed(has_gun: bool, has_rifle: bool) -> str:
    """The likeness of a model on foot, by its weapons: heavy, two-handed, or for close combat."""
    return GUN if has_gun else RIFLE if has_rifle else BLADE


def shown_by(
    states: Mapping[str, str], done_in: Mapping[str, str] | None = None
) -> Callable[[Position], Mapping[str, str]]:
    """The value for ``Ruleset.states``: how marks are shown. ``done_in``: by phase, the mark of models that are
    done."""
    by_phase = {phase: {**states, mark: DONE} for phase, mark in (done_in or {}).items()}
    return lambda position: by_phase.get(str(position.now.get("phase")), states)


# ---------------------------------------------------------------- the state of the battle


def score_line(score: Sequence[int]) -> Standing:
    """The score if the battle ended now."""
    return "score", {"score": list(score)}


def length_line(round: int, rounds: int, most: int | None = None) -> Standing:
    """The turn and the number of turns, or their maximum (``most``)."""
    return "length", {"round": round, "turns": rounds if most is None else f"{rounds}–{most}"}


def place_line(kind: str, number: int, owner: int | None, **more: Plain) -> Standing:
    """A held place: its number, counted from 1, and its owner (None: nobody)."""
    return kind, {"number": number, "owner": None if owner == -1 else owner, **more}


def mission_lines(position: Position) -> list[Standing]:
    """A line for the mission, if it is settled."""
    mission = position.now.get("mission")
    return [] if mission is None else [("mission", {"mission": mission})]


# ---------------------------------------------------------------- cards


def at_least(number: int | None) -> str:
    """The number needed on a die: ``4+``, or ``-`` if there is none."""
    return "-" if number is None else f"{number}+"


def fields_of(profile: Any, *names: str) -> dict[str, Plain]:
    """Fields of a profile in the order of the card."""
    return {name: getattr(profile, name) for name in names}


def health(model: Model) -> tuple[int, int]:
    """Wounds left and total wounds, if a profile has ``wounds`` and the mark of that name counts those lost."""
    return wounds_left(model, model.profile.wounds)


def wounds_left(model: Model, full: int) -> tuple[int, int]:
    """Wounds left (at least 0) and total wounds."""
    return max(0, full - model.marks("wounds")), full


def all_refusals(restrictions: Iterable[Restriction], *about: Any) -> tuple[Refusal, ...]:
    """All refusals of the restrictions, not only the first."""
    found = (first_refusal((one,), *about) for one in restrictions)
    return tuple(one for one in found if one is not None)
