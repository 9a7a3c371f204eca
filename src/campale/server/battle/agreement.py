"""The agreement before the first die, as lines for one side to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.referee.offers import Offers
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.referee.scenarios.puzzle import in_language
from campale.referee.telling.teller import Teller
from campale.server.battle.draft import Clock, Draft
from campale.server.routes.catalogue import offers_of, title_of, told_value
from campale.server.told import called, told

Line = tuple[str, str, str]
"""A title, a value, and the rule that leaves it to agreement ("": none)."""


def lines(draft: Draft, side: int | None, language: str, is_over: bool = False) -> list[Line]:
    """The whole agreement: the book, its terms, the forces that the side may know, the options.

    When the battle ``is_over`` everybody may know everything.
    """
    ruleset = load_ruleset(draft.book)
    offers = offers_of(ruleset)
    title = ruleset.title[language]
    return [
        (told(language, "setup.book"), title, ""),
        *terms_told(offers, draft, language),
        *forces_told(ruleset, draft, draft.forces if is_over else seen_forces(ruleset, draft, side), language),
        *options_told(ruleset, draft, language),
        (told(language, "setup.dice"), told(language, f"setup.dice.{draft.dice}"), ""),
        *clock_told(draft.clock, language),
    ]


def title(draft: Draft, language: str) -> str:
    """A battle's title, without secrets: the book, the mission, the table."""
    ruleset = load_ruleset(draft.book)
    if draft.puzzle is not None:
        return f"{ruleset.title[language]} · {in_language(draft.puzzle.title, language)}"
    offers = offers_of(ruleset)
    named = [title_of(offers, name, draft.agreed.get(name), language) for name in (offers.mission, offers.layout)]
    return " · ".join([ruleset.title[language], *filter(None, named)])


def terms_told(offers: Offers, draft: Draft, language: str) -> list[Line]:
    """The agreed terms; unsettled ones (such as the size of a ready battle) are left out."""
    told_terms = (
        (term.title[language], title_of(offers, term.name, draft.agreed.get(term.name), language), term.rule)
        for term in offers.terms
    )
    return [line for line in told_terms if line[1]]


def forces_told(ruleset: Ruleset, draft: Draft, forces: Sequence[dict[str, Any] | None], language: str) -> list[Line]:
    found = []
    for k, force in enumerate(forces):
        name = called(draft.seats[k].name, k, language)
        value = told(language, "setup.awaited") if force is None else force_told(ruleset, force, language)
        found.append((told(language, "setup.force", name=name), value, ""))
    return found


def seen_forces(ruleset: Ruleset, draft: Draft, side: int | None) -> list[dict[str, Any] | None]:
    """The forces as a side may know them: None is not chosen yet, an empty one is a secret."""
    setup = Setup(draft.book, draft.options, tuple(one or {} for one in draft.forces), draft.agreed)
    seen = ruleset.setup_seen_by(side, setup).forces
    return [None if draft.forces[k] is None else dict(one) for k, one in enumerate(seen)]


def force_told(ruleset: Ruleset, force: dict[str, Any], language: str) -> str:
    if not force:
        return told(language, "setup.hidden")
    try:
        title, cost, _ = offers_of(ruleset).roster(force)
    except ValueError:
        return told(language, "setup.own")
    return f"{title[language]} ({cost})"


def options_told(ruleset: Ruleset, draft: Draft, language: str) -> list[Line]:
    """The optional rules and rulings that differ from the defaults."""
    teller = Teller(ruleset, language)
    return [
        (switch.title[language], told_value(switch, draft.options[switch.name], teller), switch.rule)
        for switch in ruleset.switches
        if switch.name in draft.options and draft.options[switch.name] != switch.default
    ]


def clock_told(clock: Clock | None, language: str) -> list[Line]:
    if clock is None:
        return []
    word = "setup.clock.of" if clock.reaction else "setup.clock.plain"
    value = told(language, word, minutes=clock.main / 60.0, reaction=clock.reaction)
    added = told(language, "setup.clock.added", seconds=clock.increment) if clock.increment else ""
    return [(told(language, "setup.clock"), f"{value}{added}", "")]
