"""What tables show: parts of options, how a battle stands, numbers of cards, why something is barred."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from campale.referee.looks import BLADE, DONE, GUN, RIFLE
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain, Refusal, Restriction, first_refusal

Parts = dict[str, Plain]
"""What the words of an option, or of a line, are filled with."""

Standing = tuple[str, Parts]
"""A line of how a battle stands: the key of its words, and what they are filled with."""

Teller = Callable[[Sequence[Any], Any, Plain], Parts | None]
"""``teller(profiles, question, key)``: the parts of an option; None where its name says enough."""


# ---------------------------------------------------------------- options


def parts_by_kind(
    tellers: Mapping[str, Teller], profiles: Sequence[Any], question: Question, key: Plain
) -> Parts | None:
    """The parts of an option, by the teller of its question's prompt, or of what its keys are."""
    teller = tellers.get(question.prompt) or tellers.get(str(getattr(question, "of", "")))
    return None if teller is None else teller(profiles, question, key)


# ---------------------------------------------------------------- how models are drawn


def armed(has_gun: bool, has_rifle: bool) -> str:
    """Somebody on foot, by what he fights with: a heavy weapon, one with two hands, or at close quarters."""
    return GUN if has_gun else RIFLE if has_rifle else BLADE


def shown_by(
    states: Mapping[str, str], done_in: Mapping[str, str] | None = None
) -> Callable[[Position], Mapping[str, str]]:
    """What ``Ruleset.states`` wants: which marks show as what. ``done_in``: by phase the mark of whoever is done."""
    by_phase = {phase: {**states, mark: DONE} for phase, mark in (done_in or {}).items()}
    return lambda position: by_phase.get(str(position.now.get("phase")), states)


# ---------------------------------------------------------------- how a battle stands


def score_line(score: Sequence[int]) -> Standing:
    """The points that there would be if the battle ended now."""
    return "score", {"score": list(score)}


def length_line(round: int, rounds: int, most: int | None = None) -> Standing:
    """The turn and how many there are, or how many there may be (``most``)."""
    return "length", {"round": round, "turns": rounds if most is None else f"{rounds}–{most}"}


def place_line(kind: str, number: int, owner: int | None, **more: Plain) -> Standing:
    """Something that is held: which one, counted from 1, and by whom (None: nobody)."""
    return kind, {"number": number, "owner": None if owner == -1 else owner, **more}


def mission_lines(position: Position) -> list[Standing]:
    """The mission, if it is settled."""
    mission = position.now.get("mission")
    return [] if mission is None else [("mission", {"mission": mission})]


# ---------------------------------------------------------------- cards


def at_least(number: int | None) -> str:
    """What a die must show: ``4+``, or ``-`` for what there is not."""
    return "-" if number is None else f"{number}+"


def fields_of(profile: Any, *names: str) -> dict[str, Plain]:
    """Fields of a profile in the order of the card."""
    return {name: getattr(profile, name) for name in names}


def health(model: Model) -> tuple[int, int]:
    """Wounds left and wounds in all, where a profile has ``wounds`` and the mark of that name counts those lost."""
    return wounds_left(model, model.profile.wounds)


def wounds_left(model: Model, full: int) -> tuple[int, int]:
    """Wounds left (no fewer than none) and wounds in all."""
    return max(0, full - model.marks("wounds")), full


def all_refusals(restrictions: Iterable[Restriction], *about: Any) -> tuple[Refusal, ...]:
    """Everything that the restrictions have against something, not the first alone."""
    found = (first_refusal((one,), *about) for one in restrictions)
    return tuple(one for one in found if one is not None)
