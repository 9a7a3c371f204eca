"""Saving throws and what helps them (attack/saving-throw*, attack/invulnerable-save, terrain/benefit-of-cover)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import roll
from campale.rulesets.w10.armies.profile import Weapon
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.attack.saves import armour_need, cover_part, save_need
from campale.rulesets.w10.basics.cover import cover_of, helps
from tests.rulesets.w10.kit import attack, blade, gun, handfuls, left, model, piece, play, shots, squad, table, unit

covers = pytest.mark.covers


def facing(
    weapon: Weapon, covered: bool = False, at: tuple[float, float] = (30, 20), **changes: Any
) -> tuple[Position, Any]:
    """A target in or out of woods, and an attack on it."""
    pieces = [piece("woods", *at)] if covered else []
    position = table(squad("line-squad"), squad("line-squad", 1, 1, at, **changes), pieces=pieces)
    return position, attack(weapon.lines[0])


@covers("attack/saving-throw", "c/save-against")
@pytest.mark.parametrize(("ap", "least"), [(0, 3), (-1, 4), (-2, 5), (-3, 6), (-4, 7)])
def test_armour_penetration_is_added_to_the_throw(ap: int, least: int) -> None:
    position, one = facing(gun(ap=ap), sv=3)
    need = armour_need(model(position, 1), one)
    assert [face for face in range(1, 7) if need.is_met_by(face)] == list(range(least, 7))


@covers("attack/saving-throw", "modifiers/improve-ws-bs-sv-ld")
def test_a_one_always_fails() -> None:
    position, one = facing(gun(), sv=1)
    need = armour_need(model(position, 1), one)
    assert [need.is_met_by(face) for face in (1, 2)] == [False, True]


@covers("terrain/benefit-of-cover")
@pytest.mark.parametrize(("sv", "ap", "value"), [(4, 0, 1), (3, 0, 0), (3, -1, 1), (2, 0, 0), (4, -1, 1)])
def test_cover_adds_one_but_not_to_a_good_save_against_no_penetration(sv: int, ap: int, value: int) -> None:
    position, one = facing(gun(ap=ap), covered=True, sv=sv)
    assert sum(part.value for part in cover_part(model(position, 1), one)) == value
    assert helps(sv, ap) is bool(value)


@covers("weapon-abilities/ignores-cover")
def test_cover_does_not_work_against_weapons_that_ignore_it() -> None:
    position, one = facing(gun(ap=-1, abilities=("ignores-cover",)), covered=True)
    assert cover_part(model(position, 1), one) == ()


@covers("terrain/benefit-of-cover")
def test_cover_does_not_work_against_melee_attacks() -> None:
    position, one = facing(blade(ap=-1), covered=True)
    assert cover_part(model(position, 1), one) == ()


@covers("weapon-abilities/indirect-fire", "b/cover-condition")
def test_a_target_of_indirect_fire_that_nobody_saw_has_cover_in_the_open() -> None:
    position, _ = facing(gun())
    one = attack(gun(ap=-1).lines[0], covered=True)
    assert [part.rule for part in cover_part(model(position, 1), one)] == ["weapon-abilities/indirect-fire"]


@covers("attack/saving-throw-cap")
def test_a_save_improves_by_one_at_most_penetration_counted_in() -> None:
    position, one = facing(gun(ap=-1), covered=True, sv=4)
    assert armour_need(model(position, 1), one).modifier == 0
    position, one = facing(gun(), covered=True, sv=4)
    assert armour_need(model(position, 1), one).modifier == 1


@covers("attack/invulnerable-save", "m/negative-modifier")
@pytest.mark.parametrize(("ap", "base"), [(0, 3), (-1, 3), (-2, 4)])
def test_the_better_of_two_saves_is_taken_and_penetration_spares_the_invulnerable_one(ap: int, base: int) -> None:
    position, one = facing(gun(ap=ap), sv=3, invulnerable=4)
    need = save_need(model(position, 1), one)
    assert need.base == base
    assert need.is_met_by(4)


@covers("attack/invulnerable-save", "m/positive-modifier")
def test_cover_does_nothing_to_an_invulnerable_save() -> None:
    position, one = facing(gun(ap=-4), covered=True, sv=4, invulnerable=5)
    assert save_need(model(position, 1), one).parts == ()


@covers("attack/saving-throw", "attack/fast-dice", "s/saved")
@pytest.mark.parametrize(("dice", "count"), [("4", 1), ("3", 0)])
def test_a_save_that_fails_costs_the_model(dice: str, count: int) -> None:
    position = table(squad("line-squad", weapons=(gun(),)), squad("line-squad", 1, 1, (30, 20), sv=4, w=1))
    play(resolve(unit(position, 0), shots(position, 0, 1)), f"3 4 {dice}", position=position)
    assert left(position, 1) == count


@covers("attack/fast-dice", "attack/saving-throw")
def test_models_that_save_alike_throw_together_others_one_by_one() -> None:
    alike = table(squad("line-squad", weapons=(gun(a="2"),)), squad("line-squad", 2, 1, (30, 20)))
    played = play(resolve(unit(alike, 0), shots(alike, 0, 1)), "3 3 | 4 4 | 5 5", [[1, 2]], alike)
    assert [q.count for q in handfuls(played, "save")] == [2]
    mixed = squad("line-squad", 2, 1, (30, 20))
    mixed.profiles[1] = squad("line-squad", sv=5).profiles[0]
    apart = table(squad("line-squad", weapons=(gun(a="2"),)), mixed)
    played = play(resolve(unit(apart, 0), shots(apart, 0, 1)), "3 3 | 4 4 | 5 5", [[2, 1]], apart)
    assert [(q.count, q.needed and q.needed.base) for q in handfuls(played, "save")] == [(1, 5), (1, 5)]


@covers("attack/invulnerable-save")
@pytest.mark.parametrize(
    ("ap", "covered", "told"),
    [
        (0, False, [("armour", "invulnerable", 4)]),
        (-1, False, []),
        (-2, False, [("invulnerable", "armour", 5)]),
        (-4, False, [("invulnerable", "armour", 7)]),
        (-1, True, [("with-cover", "invulnerable", 4)]),
        (-3, True, [("invulnerable", "with-cover", 5)]),
    ],
)
def test_the_journal_tells_which_save_is_taken_as_the_better_one(
    ap: int, covered: bool, told: list[tuple[str, str, int]]
) -> None:
    pieces = [piece("woods", 30, 20)] if covered else []
    target = squad("line-squad", 1, 1, (30, 20), sv=3, w=1, invulnerable=4)
    position = table(squad("line-squad", weapons=(gun(ap=ap),)), target, pieces=pieces)
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), "3 4 6", position=position)
    assert takings(played) == told


@covers("attack/invulnerable-save")
def test_saves_thrown_one_by_one_are_told_each() -> None:
    mixed = squad("line-squad", 2, 1, (30, 20), sv=4, invulnerable=5)
    mixed.profiles[1] = squad("line-squad", sv=4).profiles[0]
    position = table(squad("line-squad", weapons=(gun(a="2", ap=-2),)), mixed)
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), "3 3 | 4 4 | 5 4", [[1, 2]], position)
    assert takings(played) == [("invulnerable", "armour", 6)] * 2


def takings(played: Any) -> list[tuple[str, str, int]]:
    """For each handful of saves that tells it: the save taken, the other one, the number needed with the other one."""
    told = [handful.about for handful in handfuls(played, "save")]
    return [(about["save"], about["instead"], about["worse"]) for about in told if "save" in about]


@covers("attack/invulnerable-save")
@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Line squad, invulnerable save taken, better than armour save with cover 5+: 4+ → 6 ✓"),
        ("it", "Squadra di linea, Invulnerabilità, meglio di armatura con copertura 5+: 4+ → 6 ✓"),
    ],
)
def test_the_save_taken_is_told_in_words(language: str, told: str) -> None:
    values = {"why": "save", "side": 1, "answer": [6], "count": 1, "sides": 6, "unit": 0, "needed": {"base": 4}}
    taken = {"save": "invulnerable", "instead": "with-cover", "worse": 5}
    teller = Teller(load_ruleset("w10"), language, units=["Line squad" if language == "en" else "Squadra di linea"])
    assert roll(values | taken, teller) == told


# ---------------------------------------------------------------- who has cover


def covered_by(kind: str, at: tuple[float, float], target: tuple[float, float], **target_fields: Any) -> str | None:
    """By which rule a model has cover from one at (30, 10)."""
    pieces = [piece(kind, *at)]
    position = table(
        squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, target, **target_fields), pieces=pieces
    )
    return cover_of(model(position, 1), [model(position, 0)])


@covers("terrain/ruins-cover", "terrain/woods", "within/wholly-within")
@pytest.mark.parametrize(("kind", "rule"), [("ruins", "terrain/ruins-cover"), ("woods", "terrain/woods")])
def test_who_is_wholly_within_has_cover(kind: str, rule: str) -> None:
    assert covered_by(kind, (30, 20), (30, 20)) == rule
    assert covered_by(kind, (30, 20), (30, 15)) is None


@covers("terrain/not-fully-visible", "terrain/woods")
def test_who_is_seen_through_woods_has_cover_whoever_stands_before_them_has_not() -> None:
    assert covered_by("woods", (30, 20), (30, 26)) == "terrain/not-fully-visible"
    assert covered_by("woods", (30, 20), (30, 15)) is None
    assert covered_by("woods", (30, 10), (30, 26)) is None


@covers("terrain/woods")
def test_a_towering_model_has_no_cover_by_woods_in_between() -> None:
    assert covered_by("woods", (30, 20), (30, 26), keywords=("monster", "towering")) is None


@covers("terrain/craters", "i/wholly-on-crater")
def test_only_infantry_wholly_on_craters_has_cover() -> None:
    assert covered_by("craters", (30, 20), (30, 20)) == "terrain/craters"
    assert covered_by("craters", (30, 20), (30, 22.2)) is None
    assert covered_by("craters", (30, 20), (30, 20), keywords=("vehicle",)) is None


@covers("terrain/barricades")
def test_only_infantry_wholly_within_three_inches_behind_a_barricade_has_cover() -> None:
    size = 32 / 25.4
    wholly = 20.25 + 3.0 - size / 2
    assert covered_by("barricade", (30, 20), (30, wholly)) == "terrain/barricades"
    assert covered_by("barricade", (30, 20), (30, wholly + 0.05)) is None
    assert covered_by("barricade", (30, 20), (30, wholly), keywords=("vehicle",)) is None
    assert covered_by("barricade", (30, 20), (30, 18)) is None


@covers("terrain/barricades")
@pytest.mark.parametrize(("behind", "rule"), [(22.0, None), (18.9, "terrain/barricades")])
def test_the_barricade_that_hides_a_model_is_the_one_that_it_stands_by(behind: float, rule: str | None) -> None:
    """One barricade hides the model from afar, another is close to it, on the far side or on the near side."""
    pieces = [piece("barricade", 30, 15), piece("barricade", 30, behind)]
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 20.5)), pieces=pieces)
    assert cover_of(model(position, 1), [model(position, 0)]) == rule


@covers("terrain/debris")
def test_who_is_partly_behind_debris_has_cover() -> None:
    assert covered_by("debris", (30, 20), (30, 24)) == "terrain/debris"
    assert covered_by("debris", (30, 20), (31.4, 24), height=4.0) == "terrain/debris"
    assert covered_by("debris", (30, 20), (36, 24)) is None
    assert covered_by("debris", (30, 20), (30, 17)) is None


@covers("terrain/debris", "terrain/barricades")
def test_debris_covers_who_is_too_far_behind_a_barricade_to_be_covered_by_it() -> None:
    position = table(
        squad("line-squad", at=(30, 10)),
        squad("line-squad", 1, 1, (30, 26)),
        pieces=[piece("barricade", 30, 18), piece("debris", 30, 21)],
    )
    assert cover_of(model(position, 1), [model(position, 0)]) == "terrain/debris"


@covers("terrain/not-fully-visible", "visibility/fully-visible-model")
def test_one_attacker_who_does_not_see_it_fully_gives_a_model_cover_from_all() -> None:
    position = table(
        squad("line-squad", 2, at=[(30, 10), (44, 10)]),
        squad("line-squad", 1, 1, (44, 26)),
        pieces=[piece("woods", 37, 18)],
    )
    veiled, clear = model(position, 0), model(position, 1)
    target = model(position, 2)
    assert cover_of(target, [clear]) is None
    assert cover_of(target, [veiled]) == "terrain/not-fully-visible"
    assert cover_of(target, [clear, veiled]) == "terrain/not-fully-visible"


@covers("terrain/not-fully-visible", "visibility/see-through")
def test_models_in_the_way_give_no_cover() -> None:
    position = table(
        squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 26)), squad("walker", at=(31, 18))
    )
    assert cover_of(model(position, 1), [model(position, 0)]) is None
