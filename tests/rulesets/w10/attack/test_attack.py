"""Numbers of attacks, rolls to hit and to wound, weapon abilities (attack/*, weapon-abilities/*, auto-success/*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.needs import Part
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.attack.attack import attacks_of, chart, hit_need, hits_of, wound_need, wounds_of
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.attack.values import Attack, Hit
from campale.rulesets.w10.shooting.declaring import declare
from campale.rulesets.w10.shooting.eligible import spend
from campale.rulesets.w10.shooting.phase import shoot_with_a_unit
from campale.rulesets.w10.shooting.targets import blast_of, critical_of, shots_of
from tests.rulesets.w10.kit import attack, guns, left, model, piece, play, shots, squad, table, unit, wounds
from tests.rulesets.w10.kit import gun as weapon

covers = pytest.mark.covers


def line(*abilities: str, **fields: Any) -> Line:
    return weapon(abilities=abilities, **fields).lines[0]


def two_units(*weapons: Any, far: float = 10.0, count: int = 5, **target: Any) -> Any:
    """A shooter with these weapons, and a unit of Line Squad models so far away from it."""
    gap = far + 32 / 25.4
    return table(
        squad("line-squad", at=(30, 10), weapons=weapons), squad("line-squad", count, 1, at=(30, 10 + gap), **target)
    )


def hits(faces: str, *attacks: Attack) -> list[Hit]:
    position = two_units(weapon())
    found: list[Hit] = play(hits_of(position, attacks), faces, position=position).value
    return found


def wound_rolls(faces: str, *found: Hit, answers: tuple[Any, ...] = ()) -> Any:
    position = two_units(weapon())
    return play(wounds_of(position, found), faces, answers, position)


# ---------------------------------------------------------------- the number of attacks


@covers("shooting-phase/number-of-attacks", "c/attack-profile")
def test_a_weapon_makes_as_many_attacks_as_it_says_each_with_its_own_die() -> None:
    position = two_units(weapon("a", a="3"), weapon("b", a="D6"))
    found = play(attacks_of(position, shots(position, 0, 1)), "2", position=position).value
    assert [one.line.a for one in found] == ["3"] * 3 + ["D6"] * 2


@covers("weapon-abilities/rapid-fire", "b/target-condition", "within/within")
@pytest.mark.parametrize(("far", "count"), [(12.0, 2), (12.01, 1)])
def test_rapid_fire_adds_attacks_within_half_range(far: float, count: int) -> None:
    position = two_units(weapon(abilities=("rapid-fire 1",)), far=far, count=1)
    assert len(play(attacks_of(position, shots(position, 0, 1)), position=position).value) == count


@covers("weapon-abilities/rapid-fire", "weapon-abilities/melta", "b/target-condition", "t/damage-roll")
@pytest.mark.parametrize(("far", "lost"), [(12.0, 5), (12.01, 3)])
def test_melta_adds_to_the_damage_within_half_range(far: float, lost: int) -> None:
    position = two_units(weapon(d="D6", s=9, ap=-4, abilities=("melta 2",)), far=far, count=1, w=9)
    play(resolve(unit(position, 0), shots(position, 0, 1)), "3 | 3 | 4 | 3", position=position)
    assert wounds(position, 1) == lost


@covers("weapon-abilities/blast", "b/target-condition")
@pytest.mark.parametrize(("count", "more"), [(4, 0), (5, 1), (9, 1), (10, 2), (11, 2)])
def test_blast_adds_an_attack_for_every_five_models(count: int, more: int) -> None:
    position = two_units(weapon(), count=count)
    assert blast_of(line("blast"), unit(position, 1)) == more
    assert blast_of(line(), unit(position, 1)) == 0


@covers("weapon-abilities/blast", "shooting-phase/number-of-attacks")
def test_two_dice_of_nine_and_eleven_models_make_eleven_attacks() -> None:
    position = two_units(weapon(a="2D6", abilities=("blast",)), count=11)
    assert len(play(attacks_of(position, shots(position, 0, 1)), "4 5", position=position).value) == 11


# ---------------------------------------------------------------- to hit


@covers("attack/hit-roll", "attack/sequence")
@pytest.mark.parametrize(
    ("skill", "value", "least"), [(3, 0, 3), (3, 1, 2), (3, -1, 4), (2, 1, 2), (6, -1, 6), (4, -1, 5)]
)
def test_the_least_face_that_hits(skill: int, value: int, least: int) -> None:
    parts = (Part("core-abilities/stealth", value),) if value else ()
    need = hit_need(attack(line(skill=skill), parts=parts))
    assert need is not None
    assert [face for face in range(1, 7) if need.is_met_by(face)] == list(range(least, 7))


@covers("c/critical-hit")
def test_only_a_natural_six_is_critical() -> None:
    plus = (Part("weapon-abilities/heavy", 1),)
    found = hits("5 6", *[attack(line("sustained-hits 1"), parts=plus)] * 2)
    assert len(found) == 3


@covers("weapon-abilities/sustained-hits")
@pytest.mark.parametrize(("number", "count"), [(1, 2), (2, 3)])
def test_sustained_hits_add_hits_to_a_critical_one(number: int, count: int) -> None:
    assert len(hits("6", attack(line(f"sustained-hits {number}")))) == count
    assert len(hits("5", attack(line(f"sustained-hits {number}")))) == 1


@covers("weapon-abilities/lethal-hits", "f/auto-wounds", "auto-success/wound", "auto-success/no-roll")
def test_a_critical_hit_of_lethal_hits_wounds_without_a_roll() -> None:
    found = hits("5 6", *[attack(line("lethal-hits"))] * 2)
    assert [hit.wounds for hit in found] == [False, True]
    rolled = wound_rolls("1", *found)
    assert len(rolled.value) == 1


@covers("auto-success/example-lethal-hits", "auto-success/wound", "weapon-abilities/devastating-wounds")
def test_a_wound_of_lethal_hits_is_not_devastating() -> None:
    (hit,) = hits("6", attack(line("lethal-hits", "devastating-wounds")))
    assert [wound.mortal for wound in wound_rolls("", hit).value] == [False]


@covers("c/additional-hits-example", "c/additional-hits")
def test_of_lethal_and_sustained_hits_the_additional_hit_alone_rolls_to_wound() -> None:
    found = hits("6", attack(line("lethal-hits", "sustained-hits 1")))
    assert [hit.wounds for hit in found] == [True, False]
    rolled = wound_rolls("1", *found)
    assert len(rolled.value) == 1
    assert rolled.rolls == ["to-wound"]


@covers("weapon-abilities/torrent", "c/auto-hits", "auto-success/hit", "auto-success/no-roll")
def test_torrent_hits_without_a_roll_and_is_never_critical() -> None:
    found = hits("", attack(line("torrent", "lethal-hits", "sustained-hits 2", skill=None)))
    assert [hit.wounds for hit in found] == [False]


@covers("weapon-abilities/heavy", "r/remain-stationary")
@pytest.mark.parametrize(("marks", "value"), [({"stationary": 1}, 1), ({"moved": 1}, 0)])
def test_heavy_helps_who_remained_stationary(marks: dict[str, int], value: int) -> None:
    position = table(
        squad("line-squad", weapons=(weapon(abilities=("heavy",)),), marks=marks), squad("line-squad", 1, 1, (30, 20))
    )
    (shot,) = shots(position, 0, 1)
    assert sum(part.value for part in shot.parts) == value


@covers("core-abilities/stealth")
def test_stealth_needs_every_model() -> None:
    whole = table(squad("line-squad", weapons=(weapon(),)), squad("scout-team", 2, 1, (30, 20)))
    mixed = table(
        squad("line-squad", weapons=(weapon(),)),
        squad("scout-team", 2, 1, (30, 20)),
        squad("captain", 1, 1, (30, 22), leads=1),
    )
    found = [shots(position, 0, 1)[0].parts for position in (whole, mixed)]
    assert found == [(Part("core-abilities/stealth", -1),), ()]


# ---------------------------------------------------------------- to wound


@covers("attack/wound-roll")
@pytest.mark.parametrize(("strength", "need"), [(8, 2), (7, 3), (5, 3), (4, 4), (3, 5), (2, 6), (1, 6)])
def test_what_wounds_toughness_four(strength: int, need: int) -> None:
    assert chart(strength, 4) == need


@covers("attack/wound-roll", "i/scores-a-wound")
@pytest.mark.parametrize(("strength", "toughness", "need"), [(3, 5, 5), (3, 6, 6), (9, 5, 3), (10, 5, 2), (9, 9, 4)])
def test_doubles_and_halves_are_exact(strength: int, toughness: int, need: int) -> None:
    assert chart(strength, toughness) == need


@covers("f/critical-wound", "attack/wound-roll")
def test_a_six_always_wounds_and_a_one_never() -> None:
    need = wound_need(attack(line(s=1), toughness=12))
    assert [need.is_met_by(face) for face in (1, 5, 6)] == [False, False, True]
    assert not wound_need(attack(line("lance", s=12), charged=True)).is_met_by(1)


@covers("weapon-abilities/lance", "charging/has-charged")
@pytest.mark.parametrize(
    ("abilities", "charged", "least"), [(("lance",), True, 3), (("lance",), False, 4), ((), True, 4)]
)
def test_lance_helps_who_charged(abilities: tuple[str, ...], charged: bool, least: int) -> None:
    need = wound_need(attack(line(*abilities), charged=charged))
    assert min(face for face in range(1, 7) if need.is_met_by(face)) == least


@covers("weapon-abilities/anti", "f/critical-wound", "keywords/has", "keywords/non")
def test_anti_wounds_a_target_with_the_keyword_more_easily() -> None:
    position = table(squad("line-squad"), squad("walker", 1, 1, (30, 20)), squad("line-squad", 1, 1, (40, 20)))
    against = line("anti-vehicle 4+", s=3)
    assert [critical_of(against, unit(position, row)) for row in (1, 2)] == [4, 6]
    need = wound_need(attack(against, toughness=9, critical=4))
    assert [need.is_met_by(face) for face in (3, 4)] == [False, True]


@covers("keywords/mixed-unit-example", "keywords/mixed-unit", "weapon-abilities/anti")
def test_a_leader_gives_the_whole_unit_its_keyword_while_it_lives() -> None:
    position = table(squad("line-squad"), squad("line-squad", 2, 1, (30, 20)), squad("seer", 1, 1, (30, 22), leads=1))
    against = line("anti-psyker 4+")
    assert critical_of(against, unit(position, 1)) == 4
    position.remove(model(position, 3), "shooting")
    assert critical_of(against, unit(position, 1)) == 6


@covers("weapon-abilities/devastating-wounds", "f/critical-wound", "weapon-abilities/anti")
def test_critical_wounds_of_devastating_wounds_become_mortal() -> None:
    rolled = wound_rolls("4 5 6", *[Hit(attack(line("devastating-wounds")))] * 3)
    assert [wound.mortal for wound in rolled.value] == [False, False, True]
    rolled = wound_rolls("3 4", *[Hit(attack(line("devastating-wounds", s=5), critical=4))] * 2)
    assert [wound.mortal for wound in rolled.value] == [False, True]


@covers("weapon-abilities/twin-linked", "re-rolls/once")
def test_twin_linked_rolls_failures_again_once() -> None:
    rolled = wound_rolls("1 4 2 | 3 5", *[Hit(attack(line("twin-linked")))] * 3)
    assert len(rolled.value) == 2
    assert rolled.rolls == ["to-wound", "twin-linked"]
    assert rolled.cites("weapon-abilities/twin-linked")


@covers("weapon-abilities/twin-linked", "re-rolls/before-modifiers", "weapon-abilities/lance")
@pytest.mark.parametrize(("again", "count"), [("3", 1), ("2", 0)])
def test_modifiers_are_applied_after_the_re_roll(again: str, count: int) -> None:
    rolled = wound_rolls(f"2 | {again}", Hit(attack(line("twin-linked", "lance"), charged=True)))
    assert len(rolled.value) == count


@covers("weapon-abilities/twin-linked", "re-rolls/once", "weapon-abilities/devastating-wounds")
def test_twin_linked_may_roll_plain_wounds_again_to_get_devastating_ones() -> None:
    several = [Hit(attack(line("twin-linked", "devastating-wounds")))] * 3
    fished = wound_rolls("1 4 6 | 6 2", *several, answers=("not-critical",))
    assert [wound.mortal for wound in fished.value] == [True, True]
    plain = wound_rolls("1 4 6 | 2", *several, answers=("failures",))
    assert [wound.mortal for wound in plain.value] == [False, True]


# ---------------------------------------------------------------- what a unit does with its weapons


@covers("weapon-abilities/one-shot", "u/one-shot")
def test_a_one_shot_weapon_shoots_once_and_each_of_two_copies_once() -> None:
    missile = weapon("missile", abilities=("one-shot",))
    position = two_units(weapon(), missile, missile)
    first, second = [gun for gun in guns(position, 0) if gun.carried.id == "missile"]
    spend(first)
    assert [gun.weapon for gun in guns(position, 0)] == [0, 2]
    spend(second)
    assert [gun.weapon for gun in guns(position, 0)] == [0]


@covers("weapon-abilities/one-shot", "shooting-phase/sequence", "h/has-shot")
def test_a_missile_is_used_up_by_shooting() -> None:
    position = two_units(weapon("missile", abilities=("one-shot",)))
    play(shoot_with_a_unit(position, 0), "1", [0, [1]], position)
    assert guns(position, 0) == []
    assert unit(position, 0).marks("shot")


@covers("weapon-abilities/hazardous", "h/resolved-attacks", "t/finish-attacks", "r/resolve-attack")
def test_each_one_of_hazardous_weapons_costs_a_model_with_one() -> None:
    plasma = weapon("plasma", abilities=("hazardous",))
    position = table(
        squad("line-squad", 3, weapons=(weapon(),), last=(plasma,)), squad("line-squad", 1, 1, (30, 20), sv=2)
    )
    play(resolve(unit(position, 0), shots(position, 0, 1, ["plasma"])), "1 | 1", position=position)
    assert [m.row for m in unit(position, 0).models] == [0, 1]
    assert position.losses[-1].cause == "hazardous"


@covers("weapon-abilities/hazardous")
def test_a_two_of_a_hazardous_weapon_costs_nothing() -> None:
    position = table(
        squad("line-squad", 1, weapons=(weapon("plasma", abilities=("hazardous",)),)),
        squad("line-squad", 1, 1, (30, 20)),
    )
    play(resolve(unit(position, 0), shots(position, 0, 1)), "1 | 2", position=position)
    assert left(position, 0) == 1


@covers("weapon-abilities/hazardous", "destroyed/by")
@pytest.mark.parametrize("name", ["captain", "walker"])
def test_characters_and_vehicles_suffer_three_mortal_wounds_instead(name: str) -> None:
    plasma = weapon("plasma", abilities=("hazardous",))
    position = table(squad(name, weapons=(plasma,), w=4), squad("line-squad", 1, 1, (30, 20)))
    play(resolve(unit(position, 0), shots(position, 0, 1)), "1 | 1", position=position)
    assert wounds(position, 0) == 3


@covers("weapon-abilities/hazardous", "mortal-wounds/one-at-a-time")
def test_what_is_over_of_a_hazard_goes_on_to_the_unit_of_the_character() -> None:
    plasma = weapon("plasma", abilities=("hazardous",))
    position = table(
        squad("line-squad", 1, weapons=(weapon(),)),
        squad("captain", at=(30, 12), w=1, weapons=(plasma,), leads=0),
        squad("line-squad", 1, 1, (30, 20)),
    )
    play(resolve(unit(position, 0), shots(position, 0, 2, ["plasma"])), "1 | 1", position=position)
    assert not model(position, 1).is_on_table
    assert not model(position, 0).is_on_table


@covers("shooting-phase/declared-attacks-stand", "shooting-phase/resolve-order")
def test_attacks_on_a_target_that_is_gone_are_lost_and_their_weapon_takes_its_test() -> None:
    first, second = weapon("first"), weapon("second", abilities=("hazardous",))
    position = two_units(first, second, count=1, w=1, sv=7)
    played = play(
        resolve(unit(position, 0), shots(position, 0, 1)), "3 | 4 | 2 | 2", [[["first", 0], ["second", 0]]], position
    )
    assert left(position, 1) == 0
    assert played.rolls == ["to-hit", "to-wound", "save", "hazardous"]


@covers("shooting-phase/resolve-order")
def test_the_attacker_orders_targets_and_profiles() -> None:
    position = table(
        squad("line-squad", weapons=(weapon("a"), weapon("b", skill=4))),
        squad("line-squad", 1, 1, (30, 20)),
        squad("line-squad", 1, 1, (34, 20)),
    )
    all_ = [*shots(position, 0, 1), *[shots_of(one, unit(position, 2)) for one in guns(position, 0)]]
    answers = [[2, 1], [["b", 0], ["a", 0]], [["a", 0], ["b", 0]]]
    played = play(resolve(unit(position, 0), all_), "1 1 1 1", answers, position)
    assert played.prompts == ["target-order", "profile-order", "profile-order"]
    rolls: list[Any] = [question for question in played.questions if question.is_chance]
    assert [(one.about["target"], one.needed.base) for one in rolls] == [(2, 4), (2, 3), (1, 3), (1, 4)]


@covers("datasheet/several-profiles", "shooting-phase/select-targets")
def test_of_a_weapon_with_several_profiles_one_is_chosen() -> None:
    two = weapon("two")
    two = type(two)("two", two.title, (line(s=4), line(s=8)))
    position = two_units(two)
    found = play(declare(unit(position, 0)), "", [[1, 1]], position).value
    assert [(gun.profile.s, target) for gun, target in found] == [(8, 1)]


@covers("shooting-phase/split", "b/single-target-model", "b/single-target-unit")
def test_weapons_of_a_model_may_have_different_targets() -> None:
    position = table(
        squad("line-squad", weapons=(weapon("a"), weapon("b"))),
        squad("line-squad", 1, 1, (30, 20)),
        squad("line-squad", 1, 1, (36, 20)),
    )
    found = play(declare(unit(position, 0)), "", [["split", 1, 2]], position).value
    assert [(gun.carried.id, target) for gun, target in found] == [("a", 1), ("b", 2)]


@covers("shooting-phase/split", "b/single-target-unit")
def test_models_of_a_unit_may_have_different_targets() -> None:
    position = table(
        squad("line-squad", 2, weapons=(weapon(),)),
        squad("line-squad", 1, 1, (30, 20)),
        squad("line-squad", 1, 1, (36, 20)),
    )
    found = play(declare(unit(position, 0)), "", [["split", "each", 2, 1]], position).value
    assert [(gun.model.row, target) for gun, target in found] == [(0, 2), (1, 1)]


@covers("weapon-abilities/indirect-fire", "b/target-condition", "visibility/visible")
def test_indirect_fire_at_nobody_seen_is_worse_to_hit_and_gives_cover() -> None:
    mortar = weapon("mortar", abilities=("indirect-fire",), range=48.0)
    hidden = table(
        squad("line-squad", weapons=(mortar,)), squad("line-squad", 1, 1, (30, 30)), pieces=[piece("ruins", 30, 20)]
    )
    open_ = table(squad("line-squad", weapons=(mortar,)), squad("line-squad", 1, 1, (30, 30)))
    found = [shots(position, 0, 1)[0] for position in (hidden, open_)]
    assert [(shot.covered, sum(part.value for part in shot.parts)) for shot in found] == [(True, -1), (False, 0)]
