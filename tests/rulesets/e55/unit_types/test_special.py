"""Chapter 8: who has a universal special rule, by profile, type or effect; feel no pain; rules that go with a type."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Effect
from campale.rulesets.e55.definitions.units import ALOFT, CLIPPED, LOST
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.unit_types import special
from tests.rulesets.e55.kit import model, play, profile, squad, table, unit


def has(kind: str, name: str, **marks: Any) -> bool:
    position = table(squad(kind, **marks))
    return special.has(model(position, 0), name)


@pytest.mark.covers("8/scope")
def test_a_rule_comes_from_the_profile_the_type_or_an_effect() -> None:
    position = table(squad(profile("veteran", adds=("scouts",))))
    trooper = model(position, 0)
    assert special.has(trooper, "scouts")
    assert not special.has(trooper, "stealth")
    position.begin(Effect("8/stealth", 0, until="turn"))
    position.begin(Effect("6.1/fear", 0, on="unit", until="turn"))
    assert special.has(trooper, "stealth")
    assert special.has(trooper, "fear")
    position.end_effects("turn")
    assert not special.has(trooper, "stealth")
    assert has("hound", "fleet")


@pytest.mark.covers("8/scope")
def test_of_a_rule_with_x_taken_twice_the_better_counts() -> None:
    position = table(squad(profile("veteran", adds=("feel-no-pain 6", "feel-no-pain 5"))), squad("militia"))
    assert special.value(model(position, 0), "feel-no-pain") == 5
    assert special.value(model(position, 1), "feel-no-pain") is None
    position.begin(Effect("8/feel-no-pain", 1, value=4))
    assert special.value(model(position, 1), "feel-no-pain") == 4


@pytest.mark.covers("8/scope", "8/favoured-enemy")
def test_the_keywords_of_a_favoured_enemy_are_all_of_them() -> None:
    position = table(squad(profile("veteran", adds=("favoured-enemy orks", "favoured-enemy elves"))))
    assert special.named_by(model(position, 0), "favoured-enemy") == ("orks", "elves")


@pytest.mark.covers("8/scope")
def test_all_or_any_of_a_unit() -> None:
    position = table(squad([profile("veteran", adds=("fleet",)), profile("veteran")]))
    mixed = unit(position, 0)
    assert special.any_has(mixed, "fleet")
    assert not special.all_have(mixed, "fleet")
    assert not special.any_has(mixed, "scouts")
    position.model(1).position.remove(position.model(1), "fire")
    assert special.all_have(mixed, "fleet")


@pytest.mark.covers("6.1/mc-rules")
def test_monstrous_creatures_have_fear_and_crushing_charge() -> None:
    assert has("great-beast", "fear")
    assert has("great-beast", "crushing-charge")
    assert not has("veteran", "fear")
    assert not has("veteran", "crushing-charge")


@pytest.mark.covers("6.1/mc-movement")
def test_monstrous_creatures_move_through_cover() -> None:
    assert has("great-beast", "move-through-cover")
    assert not has("hound", "move-through-cover")


@pytest.mark.covers("6.1.1/fmc-inherits")
def test_a_flying_monster_has_all_but_fear_while_it_flies() -> None:
    assert not has("winged-beast", "fear", aloft=1)
    assert has("winged-beast", "fear")
    for name in ("crushing-charge", "move-through-cover"):
        assert has("winged-beast", name, aloft=1)
        assert has("winged-beast", name)


@pytest.mark.covers("6.2/bike-rules", "6.2.1/jetbike-inherits", "7.16/walker-rules")
def test_bikes_jetbikes_and_walkers_have_crushing_charge() -> None:
    assert [has(kind, "crushing-charge") for kind in ("biker", "jetbiker", "walker", "tank", "hound")] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.covers("6.3/beast-fleet")
def test_beasts_are_fleet() -> None:
    assert has("hound", "fleet")
    assert not has("biker", "fleet")


@pytest.mark.covers("6.4/flying-infantry-inherits")
def test_flying_infantry_is_infantry_in_the_air_too() -> None:
    position = table(squad("jump-trooper", aloft=1), squad("jetbiker"))
    assert special.is_infantry(model(position, 0))
    assert model(position, 0).unit.marks(ALOFT)
    assert not special.is_infantry(model(position, 1))


@pytest.mark.covers("10.5/deep-strike-types")
@pytest.mark.parametrize("kind", ["jump-trooper", "winged-beast", "aircraft", "flyer", "jetbiker"])
def test_what_flies_may_deep_strike(kind: str) -> None:
    assert has(kind, "deep-strike")


@pytest.mark.covers("10.5/deep-strike-types")
def test_others_may_not_nor_who_has_lost_his_wings() -> None:
    assert not any(has(kind, "deep-strike") for kind in ("veteran", "great-beast", "biker", "tank", "walker"))
    position = table(squad("winged-beast"))
    model(position, 0).mark(CLIPPED, 1)
    assert not special.has(model(position, 0), "deep-strike")


# ---------------------------------------------------------------- 8/feel-no-pain


def hurt(dice: str, *, fnp: str = "feel-no-pain 5", strength: int = 4, count: int = 1) -> int:
    """The wounds that a captain without saves has lost after hits that all wound."""
    plain = profile("captain", adds=(fnp,) if fnp else (), armour_save=None, invulnerable_save=None)
    position = table(squad(plain), squad("militia", side=1))
    play(resolving.take_hits(unit(position, 0), [Hit(strength, 2, by_unit=1)] * count), dice, position=position)
    return model(position, 0).marks(LOST) if model(position, 0).is_on_table else 3


@pytest.mark.covers("8/feel-no-pain")
@pytest.mark.parametrize(("die", "lost"), [("4", 1), ("5", 0), ("6", 0), ("1", 1)])
def test_an_unsaved_wound_is_ignored_on_x_or_more(die: str, lost: int) -> None:
    assert hurt(f"6 {die}") == lost


@pytest.mark.covers("8/feel-no-pain")
def test_without_the_rule_no_die_is_rolled() -> None:
    assert hurt("6", fnp="") == 1


@pytest.mark.covers("8/feel-no-pain")
def test_pain_is_ignored_after_the_save_wound_by_wound() -> None:
    assert hurt("6 6 2 5", count=2) == 1


@pytest.mark.covers("8/feel-no-pain", "2.3.2/instant-death")
def test_an_ignored_wound_kills_nobody_outright() -> None:
    assert hurt("6 5", strength=8) == 0
    assert hurt("6 4", strength=8) == 3


@pytest.mark.covers("8/feel-no-pain")
def test_it_is_no_save_and_improves_none() -> None:
    position = table(
        squad(profile("captain", adds=("feel-no-pain 5",), invulnerable_save=None)), squad("militia", side=1)
    )
    played = play(resolving.take_hits(unit(position, 0), [Hit(4, None, by_unit=1)]), "6 2 5", position=position)
    assert played.rolls == ["to-wound", "save", "feel-no-pain"]


@pytest.mark.covers("8/feel-no-pain", "2.3.2/identical-models")
def test_in_a_group_it_is_rolled_for_every_failed_save() -> None:
    tough = profile("militia", adds=("feel-no-pain 5",), armour_save=5)
    position = table(squad([tough] * 3), squad("militia", side=1, at=(36, 40)))
    played = play(
        resolving.take_hits(unit(position, 0), [Hit(3, None, by_unit=1)] * 3), "4 4 4 | 5 1 2 | 5 4", [[0]], position
    )
    assert played.rolls == ["to-wound", "save", "feel-no-pain"]
    assert [m.is_on_table for m in position.models[:3]] == [False, True, True]
