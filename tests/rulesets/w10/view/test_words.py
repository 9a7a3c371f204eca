"""What the journal tells of units, in both languages."""

from __future__ import annotations

import pytest

from campale.referee.ruleset import load_ruleset
from campale.referee.teller import Teller
from campale.referee.words import LANGUAGES
from campale.rulesets.w10.basics.units import PHASE_FACTS, TURN_FACTS


def teller(language: str) -> Teller:
    return Teller(load_ruleset("w10"), language, ["A", "B"], ["Guards", "Foes"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_unit_has_done_has_words_and_is_told_as_they_say(language: str) -> None:
    words = teller(language).words
    facts = {*TURN_FACTS, *PHASE_FACTS}
    assert [fact for fact in sorted(facts) if not words.has(f"marker.{fact}")] == []
    assert [fact for fact in sorted(facts) if not words.has(f"event.mark.{fact}")] == []
