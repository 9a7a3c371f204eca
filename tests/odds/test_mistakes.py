"""What other calculators have got wrong, each shown not to be so here.

Where neither book has such a rule, a small one is written for it and told by the same enumeration.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from campale.dice.needs import Need, Part
from campale.dice.odds import exact
from campale.dice.stages import through
from campale.odds.answers import answered
from campale.referee.ask import reroll, roll
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES, words
from tests.odds.test_answers import over, stage

UNITS, MODELS = load_ruleset("e55"), load_ruleset("ragnarok")


class Nowhere:
    """A position in which nothing is."""

    def copy(self) -> Nowhere:
        return self


CRITICAL = ((1, 2), (3, 4, 5))
"""Misses, hits, and the 6 apart."""
ON_THREES, ON_FOURS = Need(3, always=(6,), never=(1,)), Need(4, always=(6,), never=(1,))


async def hits_of(many: int, extra: bool) -> tuple[int, int]:
    """Hits that must wound, and those that wound by themselves: a 6 makes an extra hit, or wounds at once."""
    faces = (await roll(0, "to-hit", many, needed=ON_THREES, tells=CRITICAL)).ascending
    sixes = sum(face == 6 for face in faces)
    hits = sum(face >= 3 for face in faces)
    return (hits + sixes, 0) if extra else (hits - sixes, sixes)


async def wounds_of(hits: tuple[int, int]) -> int:
    rolled, automatic = hits
    return automatic + (await roll(0, "to-wound", rolled, needed=ON_FOURS)).successes


def wounds(many: int, extra: bool) -> dict[int, Fraction]:
    async def first(_: Any) -> tuple[int, int]:
        return await hits_of(many, extra)

    return dict(exact(Nowhere(), lambda _: through((first, wounds_of), ())).outcomes)


def test_an_extra_hit_must_wound_and_an_automatic_wound_need_not() -> None:
    """One die: 1/2 for a hit, twice half for a hit that makes another, a whole wound for one that wounds at once."""
    half, third, sixth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
    assert wounds(1, True) == {
        0: third + half * half + sixth / 4,
        1: half * half + sixth / 2,
        2: sixth / 4,
    }
    assert wounds(1, False) == {0: third + half * half, 1: half * half + sixth}


def test_criticals_are_kept_when_everything_else_is_rolled_again() -> None:
    async def criticals(_: Any) -> int:
        first = await roll(0, "to-hit", 2, needed=ON_THREES, tells=((1, 2, 3, 4, 5),))
        then = await reroll(0, "to-hit-again", first, (1, 2, 3, 4, 5), tells=((1, 2, 3, 4, 5),))
        return sum(face == 6 for face in then.ascending)

    one = Fraction(1, 6) + Fraction(5, 6) * Fraction(1, 6)
    found = exact(Nowhere(), criticals)
    assert found[2] == one**2
    assert found.mean == 2 * one


def test_damage_does_not_spill_over_and_the_answer_says_so() -> None:
    """A single hit that is deadly to two wounds takes one model, whatever else stands beside it."""
    beasts = {
        "target": {
            "profile": "captain",
            "count": 4,
            "changes": {"w": 2, "armour_save": None, "invulnerable_save": None},
        }
    }
    one_shot = {"attacker": "veteran", "attacker-models": 1, "attacker-adds": "fusion-gun", "distance": 5}
    answer = answered(UNITS, {**one_shot, **beasts, "weapons": "fusion-gun"})
    assert [number for number, _ in over(answer, "losses").chances] == [0, 1]
    assert ("odds.note.no-spill", "2.3.2/excess-wounds") in answer.notes
    plain = answered(UNITS, {**one_shot, "target": "militia", "weapons": "fusion-gun"})
    assert ("odds.note.no-excess", "2.3.2/identical-excess") in plain.notes
    among_models = answered(MODELS, {"weapons": "steam_musket*2"})
    assert ("odds.note.no-spill", "wounds/one-at-a-time") in among_models.notes
    for ruleset, of in ((UNITS, answer), (UNITS, plain), (MODELS, among_models)):
        for language in LANGUAGES:
            known = words(language, ruleset.folder / "words")
            assert all(known.has(key) for key, _ in of.notes)


def test_the_modifier_comes_before_the_second_roll() -> None:
    """A die is rolled again if it failed with its modifiers, and needs the same with them."""
    need = Need(4, (Part("x", -1),), always=(6,), never=(1,))

    async def right(_: Any) -> int:
        first = await roll(0, "to-hit", needed=need)
        return (await reroll(0, "to-hit-again", first)).successes

    async def wrong(_: Any) -> int:
        """Rolled again where the bare face fails, and modified only then."""
        face = (await roll(0, "to-hit", tells=())).faces[0]
        if face < 4:
            face = (await roll(0, "to-hit-again", tells=())).faces[0]
        return int(need.is_met_by(face))

    assert exact(Nowhere(), right)[1] == Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 3)
    assert exact(Nowhere(), wrong)[1] == Fraction(1, 3) + Fraction(1, 2) * Fraction(1, 3)


def test_a_twin_linked_weapon_needs_again_what_it_needed() -> None:
    """Skill 4 beyond 12 inches needs 3+, and 3+ once more: as the referee rolls it."""
    own = {"profile": "veteran", "count": 1, "weapons": ["twin-machine-gun"]}
    answer = answered(UNITS, {"attacker": own, "target": "militia", "distance": 20})
    p = 2 / 3
    assert answer.volleys[0].dice == 3
    assert stage(answer, "hits").mean == pytest.approx(3 * (p + (1 - p) * p))


def test_means_are_not_multiplied_as_if_wounds_were_models() -> None:
    """Unsaved wounds by the wounds of a model would be far too many models: they lie on several of them."""
    beasts = {
        "target": {"profile": "great-beast", "count": 3, "changes": {"t": 4, "armour_save": None}},
        "distance": 10,
    }
    answer = answered(UNITS, {"attacker": "veteran", "attacker-models": 5, **beasts})
    naive = stage(answer, "unsaved").mean / 4
    assert over(answer, "losses").mean < 0.5 * naive
    assert over(answer, "wounds-left").mean == pytest.approx(3 * 4 - stage(answer, "unsaved").mean, abs=0.01)
