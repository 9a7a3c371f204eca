"""The choices that a book offers before a battle are possible: forces, tables, and terms."""

from __future__ import annotations

import msgspec

from campale.referee.offers import Offers
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.referee.telling.words import LANGUAGES


def offered(name: str) -> tuple[Ruleset, Offers] | None:
    ruleset = load_ruleset(name)
    return (ruleset, ruleset.offers()) if ruleset.offers is not None else None


def setup_of(ruleset: Ruleset, offers: Offers, *forces: int) -> Setup:
    chosen = [offers.forces[k] for k in forces]
    size = {offers.size: max(one.points for one in chosen)} if offers.size else {}
    return Setup(ruleset.name, {}, tuple(one.plain for one in chosen), offers.agreed(size))


def test_whatever_is_offered_has_a_title_in_both_languages(name: str) -> None:
    if (found := offered(name)) is not None:
        _, offers = found
        titles = [*(one.title for one in offers.forces), *(one.title for one in offers.layouts)]
        titles += [one for term in offers.terms for one in (term.title, *(choice.title for choice in term.choices))]
        assert all(title.get(language) for title in titles for language in LANGUAGES)
        assert len({one.name for one in offers.forces}) == len(offers.forces)
        assert len({one.name for one in offers.layouts}) == len(offers.layouts)


def test_the_forces_are_sound_and_told_by_their_models(name: str) -> None:
    if (found := offered(name)) is not None:
        ruleset, offers = found
        for number, force in enumerate(offers.forces):
            assert ruleset.check_force is None or ruleset.check_force(force.plain, {}) == []
            title, cost, roster = offers.roster(force.plain)
            assert (title, cost) == (force.title, sum(line.points for line in roster))
            assert all(line.count > 0 and line.model(ruleset).profile is line.profile for line in roster)
            ruleset.set_out(ruleset, setup_of(ruleset, offers, number, number))


def test_the_terms_name_what_they_settle_and_cite_a_rule(name: str) -> None:
    if (found := offered(name)) is not None:
        ruleset, offers = found
        for special in filter(None, (offers.mission, offers.layout, offers.size)):
            assert offers.term(special) is not None
        for term in offers.terms:
            assert term.rule in ruleset.ledger.entries
            assert term.allows(term.default)
            assert not term.allows("something else")
        tables = offers.term(offers.layout)
        assert not offers.layouts or tables is not None
        assert {one.name for one in offers.layouts} <= {one.value for one in (tables.choices if tables else ())}


def test_of_an_army_that_the_view_hides_the_set_up_shows_nothing(name: str) -> None:
    """If two armies of the other side look the same at the beginning, the set-ups must look the same too."""
    if (found := offered(name)) is not None:
        ruleset, offers = found
        one, other = (setup_of(ruleset, offers, 0, k) for k in (0, 1))
        other = msgspec.structs.replace(other, agreed=one.agreed)
        views = [ruleset.seen_by(0, ruleset.set_out(ruleset, setup)).to_bytes() for setup in (one, other)]
        seen = [ruleset.setup_seen_by(0, setup) for setup in (one, other)]
        assert (views[0] == views[1]) == (seen[0] == seen[1])
        assert seen[0].forces[0] == one.forces[0]
        assert ruleset.setup_seen_by(1, other).forces[1] == other.forces[1]
        assert ruleset.setup_seen_by(None, other).agreed == other.agreed
