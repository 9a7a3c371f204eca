"""Datasheet abilities in the closed vocabulary, on both sides of what they ask for (datasheet/*)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from campale.rulesets.w10.abilities.effects import added_to, save_of
from campale.rulesets.w10.abilities.moments import uses_at
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.attack.attack import attack_of, attacks_of, hit_need, line_of, wound_need
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.attack.saves import ap_of, by_rule, save_need
from campale.rulesets.w10.basics.characteristics import leadership, objective_control, toughness
from campale.rulesets.w10.basics.units import is_engaged
from campale.rulesets.w10.charge.charging import charge_at, is_barred
from campale.rulesets.w10.fight.declaring import Blow, blows_as_shots
from campale.rulesets.w10.fight.fight import has_first
from campale.rulesets.w10.movement.moves import advance, move_of, own_move
from campale.rulesets.w10.shooting.eligible import guns_of, is_eligible
from campale.rulesets.w10.shooting.targets import stealth
from tests.rulesets.w10.kit import PROPOSAL, ability, gun, left, model, play, shots, squad, table, unit, wounds

covers = pytest.mark.covers


def of_unit(**plain: Any) -> dict[str, Ability]:
    """An ability of a unit, if nothing else is said."""
    return ability(**{"who": "unit", **plain})


def attack_by(*squads: Any) -> Any:
    """The first attack of the first unit on the second."""
    position = table(*squads)
    (one, *_) = shots(position, 0, 1)
    return position, attack_of(one, line_of(position, one))


ENEMY = squad("line-squad", 1, 1, at=(30, 20))


# ---------------------------------------------------------------- what may be said


@covers("datasheet/wargear-ability")
@pytest.mark.parametrize(
    "plain",
    [
        {"do": []},
        {"do": [{"roll": ["hit", "add", 1], "inv": 4}]},
        {"do": [{"fly": True}]},
        {"do": [{"roll": ["luck", "add", 1]}]},
        {"do": [{"inv": 4}], "who": "aura"},
        {"do": [{"inv": 4}], "aura": {"inches": 6}},
        {"do": [{"inv": 4}], "who": "aura", "aura": {"inches": 600}},
        {"do": [{"grant": "extra-attacks"}]},
        {"do": [{"fnp": 4}], "if": {"psychic": True}},
        {"do": [{"roll": ["charge", "add", 1]}], "if": {"target": "vehicle"}},
        {"do": [{"modify": ["oc", "add", 1]}], "if": {"stronger": True}},
        {"do": [{"grant": "cover"}], "if": {"below_half": True}},
        {"do": [{"modify": ["ap", "worsen", 1]}], "if": {"damage": 1}, "attacks": "allocated"},
        {"do": [{"modify": ["d", "subtract", 1]}], "if": {"target": "vehicle"}, "attacks": "allocated"},
        {"do": [{"roll": ["hit", "add", 1]}], "if": {"lost": True}},
        {"do": [{"grant": "luck"}]},
        {"do": [{"reroll": ["damage", "failed"]}]},
        {"do": [{"roll": ["hit", "subtract", 1]}], "who": "bearer", "attacks": "against"},
    ],
)
def test_what_is_not_in_the_vocabulary_is_refused(plain: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        of_unit(**plain)


# ---------------------------------------------------------------- whom it falls on


@covers("f/while-leading", "f/while-leading-two", "training/captain")
@pytest.mark.parametrize(("leads", "far"), [(0, 5), (None, 4)])
def test_what_a_leader_gives_works_while_it_leads(leads: int | None, far: int) -> None:
    position = table(squad("line-squad", 5), squad("captain", at=(30, 12), leads=leads), phase="movement")
    chosen = 0 if leads is not None else 1
    play(advance(unit(position, chosen)), "4", [[[[], None] for _ in unit(position, chosen).models]], position)
    assert 4 + added_to(unit(position, chosen), "advance") == far


@covers("training/lieutenant", "re-rolls/specific-results", "f/while-leading")
def test_discipline_rolls_ones_again() -> None:
    shooters = squad("line-squad", 1, weapons=(gun(a="3", ap=-6),))
    enemy = squad("line-squad", 3, 1, at=(30, 20), sv=7, w=1)
    position = table(shooters, enemy, squad("lieutenant", at=(31.6, 10), leads=0, weapons=()))
    play(resolve(unit(position, 0), shots(position, 0, 1)), "1 2 3 | 3 | 4 4 | 2 2", [[2, 1, 3]], position)
    assert left(position, 1) == 1


@covers("datasheet/aura", "within/model-unit-within")
@pytest.mark.parametrize(("x", "hits_on"), [(37.2, 2), (37.4, 3)])
def test_an_aura_reaches_who_is_within_it(x: float, hits_on: int) -> None:
    bearer = squad(
        "line-squad", at=(x, 10), rules=of_unit(who="aura", aura={"inches": 6}, do=[{"roll": ["hit", "add", 1]}])
    )
    _, found = attack_by(squad("line-squad", at=(30, 10), weapons=(gun(skill=3),)), ENEMY, bearer)
    need = hit_need(found)
    assert need is not None
    assert need.is_met_by(hits_on)
    assert not need.is_met_by(hits_on - 1)


@covers("datasheet/aura", "duplicate-abilities/no-stacking")
def test_the_same_aura_twice_counts_once_and_the_dead_give_none() -> None:
    gives = of_unit(who="aura", aura={"inches": 6}, do=[{"modify": ["oc", "add", 1]}])
    position = table(
        squad("line-squad"), squad("seer", at=(32, 10), rules=gives), squad("seer", at=(28, 10), rules=gives)
    )
    assert objective_control(model(position, 0)) == 3
    for row in (1, 2):
        position.remove(model(position, row), "shooting")
    assert objective_control(model(position, 0)) == 2


@covers("datasheet/aura", "keywords/has")
def test_an_aura_may_ask_for_a_keyword_and_for_enemies() -> None:
    aura = {"inches": 6, "side": "enemy", "keyword": "psyker"}
    gives = of_unit(who="aura", aura=aura, do=[{"modify": ["ld", "worsen", 1]}])
    near = squad("seer", 1, 1, at=(30, 13)), squad("captain", 1, 1, at=(33, 13))
    position = table(squad("line-squad", rules=gives), *near)
    assert [leadership(unit(position, row)) for row in (1, 2)] == [7, 6]


# ---------------------------------------------------------------- attacks


@covers("modifiers/cumulative", "modifiers/roll-cap")
def test_rolls_against_a_unit_are_modified() -> None:
    hard = of_unit(attacks="against", weapons="ranged", do=[{"roll": ["hit", "subtract", 1]}])
    _, found = attack_by(
        squad("line-squad", weapons=(gun(skill=3),)), squad("line-squad", 1, 1, at=(30, 20), rules=hard)
    )
    need = hit_need(found)
    assert need is not None
    assert [need.is_met_by(face) for face in (3, 4)] == [False, True]


@covers("b/target-condition", "c/critical-hit", "f/critical-wound")
@pytest.mark.parametrize(("target", "first"), [("seer", 2), ("captain", 6)])
def test_an_ability_may_ask_for_a_keyword_of_the_target(target: str, first: int) -> None:
    keen = of_unit(do=[{"critical": ["wound", 2]}], **{"if": {"target": "psyker"}})
    near = squad(target, 1, 1, at=(30, 18), abilities=())
    _, found = attack_by(squad("line-squad", weapons=(gun(),), rules=keen), near)
    assert found.critical == first


@covers("modifiers/improve-ap", "modifiers/improve-others", "c/attack-modifiers-local")
def test_strength_and_ap_of_attacks_are_changed() -> None:
    mighty = of_unit(do=[{"modify": ["s", "improve", 1]}, {"modify": ["ap", "improve", 1]}])
    position, found = attack_by(squad("line-squad", weapons=(gun(s=4),), rules=mighty), ENEMY)
    assert wound_need(found).is_met_by(3)
    assert not save_need(model(position, 1), found).is_met_by(3)
    _, plain = attack_by(squad("line-squad", weapons=(gun(s=4),)), ENEMY)
    assert not wound_need(plain).is_met_by(3)


@covers("i/feel-no-pain", "core-abilities/feel-no-pain-choice", "attack/invulnerable-save")
def test_saves_that_are_given_count_if_they_are_better() -> None:
    given = of_unit(do=[{"fnp": 4}, {"inv": 3}])
    target = squad("line-squad", 1, 1, at=(30, 20), rules=given, invulnerable=5, feel_no_pain=6)
    position, found = attack_by(squad("line-squad", weapons=(gun(ap=-6, d="2"),)), target)
    assert save_need(model(position, 1), found).is_met_by(3)
    play(resolve(unit(position, 0), shots(position, 0, 1)), "3 4 2 | 4 3", position=position)
    assert wounds(position, 1) == 1


# ---------------------------------------------------------------- units


@covers("modifiers/unit-characteristic", "c/unit-toughness-mixed")
def test_characteristics_of_units_are_changed() -> None:
    given = of_unit(do=[{"modify": ["t", "add", 1]}, {"modify": ["m", "multiply", 2]}])
    position = table(squad("line-squad", 2, rules=given))
    assert toughness(unit(position, 0)) == 5
    assert move_of(unit(position, 0)) == 12


@covers("weapon-abilities/assault", "charge-phase/eligible", "core-abilities/fights-first")
def test_what_is_allowed_though_a_unit_advanced_and_what_is_granted() -> None:
    free = of_unit(do=[{"although": "shoot"}, {"although": "charge"}, {"grant": "fights-first"}])
    position = table(
        squad("line-squad", marks={"advanced": 1}, rules=free), squad("line-squad", at=(40, 10), marks={"advanced": 1})
    )
    assert [is_eligible(unit(position, row)) for row in (0, 1)] == [True, False]
    assert [is_barred(unit(position, row)) for row in (0, 1)] == [False, True]
    assert [has_first(unit(position, row)) for row in (0, 1)] == [True, False]


@covers("training/captain", "charge-phase/charge-roll")
@pytest.mark.parametrize(("y", "arrives"), [(17.2, True), (18.4, False)])
def test_forward_adds_to_a_charge(y: float, arrives: bool) -> None:
    captain = squad("captain", at=(31.6, 10), leads=0)
    position = table(squad("line-squad", 1), squad("line-squad", 1, 1, at=(30, y)), captain, phase="charge")
    answers = [PROPOSAL] if arrives else []
    play(charge_at(unit(position, 0), (1,)), "2 3", answers, position)
    assert is_engaged(unit(position, 0)) is arrives


@covers("b/target-condition-example", "b/target-condition", "command-phase/below-half-strength")
def test_whether_the_target_is_below_half_strength_is_read_as_it_is_selected() -> None:
    """Ten are not below half when they are chosen; that only four are left later changes nothing for those attacks."""
    hungry = of_unit(weapons="melee", do=[{"modify": ["a", "add", 1]}], **{"if": {"below_half": True}})
    position = table(
        squad("line-squad", 1, at=(30, 10), rules=hungry),
        squad("line-squad", 10, 1, (30, 10 + 32 / 25.4)),
        phase="fight",
    )
    strike = Blow(model(position, 0), 1, 0, 1)
    chosen = blows_as_shots(unit(position, 0), strike)
    for row in range(5, 11):
        position.remove(model(position, row), "melee")
    assert chosen.changes == ()
    assert [name for name, _ in blows_as_shots(unit(position, 0), strike).changes] == ["a"]


@covers("c/against-characteristic", "a/psychic-attack")
@pytest.mark.parametrize(("abilities", "number"), [(("psychic",), 1), ((), 2)])
def test_an_allocated_attack_may_be_asked_whether_it_is_psychic(abilities: tuple[str, ...], number: int) -> None:
    own = of_unit(do=[{"modify": ["ap", "worsen", 1]}], attacks="allocated", **{"if": {"psychic": True}})
    position, attack = attack_by(
        squad("line-squad", 1, weapons=(gun(ap=-2, abilities=abilities),)),
        squad("line-squad", 1, 1, at=(30, 20), rules=own),
    )
    assert ap_of(attack, model(position, 1)) == -number


# ---------------------------------------------------------------- conditions of the unit, and of its bearer alone


def with_bearer(count: int, side: int = 0, **plain: Any) -> Any:
    """A squad whose last model alone has an ability."""
    found = squad("line-squad", count, side, at=(30, 10))
    own = replace(found.profiles[-1], rules=of_unit(who="bearer", **plain))
    found.profiles[-1] = own
    return found


@covers("datasheet/wargear-ability", "p/bearer", "modifiers/unit-characteristic")
def test_a_characteristic_of_the_bearer_alone_is_changed() -> None:
    changes = [{"modify": [name, kind, 1]} for name, kind in (("oc", "add"), ("sv", "improve"), ("m", "add"))]
    changes += [{"modify": ["t", "add", 1]}, {"modify": ["ld", "improve", 1]}]
    position = table(with_bearer(2, do=changes), ENEMY)
    plain, bearer = model(position, 0), model(position, 1)
    assert objective_control(bearer) == objective_control(plain) + 1
    assert save_of(bearer) == save_of(plain) - 1
    assert own_move(bearer) == own_move(plain) + 1
    assert toughness(unit(position, 0)) == plain.profile.t + 1
    assert leadership(unit(position, 0)) == plain.profile.ld - 1


@covers("p/bearer", "modifiers/roll-after-rerolls")
@pytest.mark.parametrize(("count", "more"), [(1, 1), (2, 0)])
def test_what_helps_the_rolls_of_the_bearer_helps_a_unit_that_is_no_more_than_the_bearer(count: int, more: int) -> None:
    position = table(with_bearer(count, do=[{"roll": ["charge", "add", 1]}]), ENEMY)
    assert added_to(unit(position, 0), "charge") == more


@covers("duplicate-abilities/core-ability", "core-abilities/stealth", "b/cover-without-terrain")
@pytest.mark.parametrize(("count", "has_it"), [(1, True), (2, False)])
def test_stealth_of_the_bearer_helps_only_a_unit_of_bearers(count: int, has_it: bool) -> None:
    position = table(with_bearer(count, do=[{"grant": "stealth"}, {"grant": "cover"}]), ENEMY)
    assert bool(stealth(unit(position, 0))) == has_it
    assert by_rule(model(position, count - 1)) == "b/cover-without-terrain"
    assert (by_rule(model(position, 0)) is None) == (count > 1)


@covers("duplicate-abilities/core-ability", "weapon-abilities/heavy", "weapon-abilities/rapid-fire")
@pytest.mark.parametrize(
    ("given", "marks", "attacks", "parts"),
    [("rapid-fire 2", {}, 3, 0), ("heavy", {"stationary": 1}, 1, 1), ("heavy", {}, 1, 0)],
)
def test_an_ability_that_was_given_counts_as_if_it_were_printed(
    given: str, marks: dict[str, int], attacks: int, parts: int
) -> None:
    own = squad("line-squad", 1, weapons=(gun(),), rules=of_unit(do=[{"grant": given}]), marks=marks)
    position = table(own, ENEMY)
    found = play(attacks_of(position, shots(position, 0, 1)), position=position).value
    assert len(found) == attacks
    assert sum(part.value for part in found[0].parts) == parts


@covers("weapon-abilities/melta", "duplicate-abilities/core-ability")
def test_melta_that_was_given_adds_to_the_damage_at_half_range() -> None:
    own = squad("line-squad", 1, weapons=(gun(),), rules=of_unit(do=[{"grant": "melta 2"}]))
    _, attack = attack_by(own, ENEMY)
    assert (attack.near, attack.line.number("melta")) == (True, 2)


@covers("weapon-abilities/assault", "duplicate-abilities/core-ability")
@pytest.mark.parametrize("given", ["assault", "heavy"])
def test_assault_that_was_given_lets_a_unit_shoot_after_an_advance(given: str) -> None:
    own = squad(
        "line-squad", 1, weapons=(gun(),), rules=of_unit(do=[{"grant": given}]), marks={"advanced": 1, "moved": 1}
    )
    position = table(own, ENEMY)
    assert is_eligible(unit(position, 0)) == (given == "assault")
    assert bool(guns_of(unit(position, 0))) == (given == "assault")


@covers("datasheet/wargear-ability", "s/below-starting-strength", "charging/has-charged", "n/not-selected")
@pytest.mark.parametrize(
    ("asked", "marks", "at", "holds"),
    [
        ({"unengaged": True}, {}, (30, 20), True),
        ({"unengaged": True}, {}, (30, 11.9), False),
        ({"unshot": True}, {}, (30, 20), True),
        ({"unshot": True}, {"shot": 1}, (30, 20), False),
        ({"unfought": True}, {"fought": 1}, (30, 20), False),
        ({"enemy_turn": True}, {}, (30, 20), False),
        ({"can": "deep-strike"}, {}, (30, 20), False),
        ({"charged": True}, {"charged": 1}, (30, 20), True),
        ({"below_start": True}, {"start": 3}, (30, 20), True),
        ({"below_start": True}, {"start": 2}, (30, 20), False),
    ],
)
@pytest.mark.parametrize("moment", [None, "command-starts"])
def test_what_an_ability_asks_of_its_unit_is_asked_always_and_at_a_moment(
    asked: dict[str, Any], marks: dict[str, int], at: tuple[float, float], holds: bool, moment: str | None
) -> None:
    plain = {"moment": moment, "do": [{"suffers": "1"}]} if moment else {"do": [{"roll": ["charge", "add", 1]}]}
    own = squad("line-squad", 2, at=(30, 10), rules=ability(**{**plain, "if": asked}), marks=marks)
    position = table(own, squad("line-squad", 1, 1, at=at))
    unit(position, 0).mark("start", marks.get("start", 2))
    if moment is None:
        assert (added_to(unit(position, 0), "charge") == 1) == holds
    else:
        assert bool(uses_at(position, 0, moment, {})) == holds


@covers("weapon-abilities/torrent", "datasheet/weapon-profile")
@pytest.mark.parametrize("skill", [None, 4])
def test_a_weapon_without_a_skill_hits_without_a_roll(skill: int | None) -> None:
    _, attack = attack_by(squad("line-squad", 1, weapons=(gun(skill=skill),)), ENEMY)
    assert (hit_need(attack) is None) == (skill is None)
