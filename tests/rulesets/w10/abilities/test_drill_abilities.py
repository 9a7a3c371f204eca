"""The abilities of the drill roster that hold all the time, on both sides of what they ask for."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from campale.referee.position import Position
from campale.referee.telling.teller import Teller
from campale.rulesets.w10.abilities.effects import save_of_unit
from campale.rulesets.w10.attack.attack import attack_of, hit_need, line_of, skill_of, wound_need
from campale.rulesets.w10.attack.damage import mortal_wounds, points_of, take_stored
from campale.rulesets.w10.attack.ignoring import choose_ignored
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.attack.saves import armour_need, cover_part, save_need
from campale.rulesets.w10.attack.unit_save import forget_saves, settle_saves
from campale.rulesets.w10.attack.values import Attack
from campale.rulesets.w10.basics.characteristics import leadership, objective_control
from campale.rulesets.w10.basics.dice import leadership_test
from campale.rulesets.w10.basics.flying import crosses_enemies
from campale.rulesets.w10.bots.prospects import expected
from campale.rulesets.w10.charge.charging import charge_distance, is_barred
from campale.rulesets.w10.fight.declaring import Blow, blows_as_shots
from campale.rulesets.w10.fight.fight import has_first
from campale.rulesets.w10.fight.pile_in import reach_of
from campale.rulesets.w10.movement.aircraft import Flight, too_short
from campale.rulesets.w10.movement.reserves import keeps_off_arriving
from campale.rulesets.w10.movement.transports import has_ramp
from campale.rulesets.w10.odds.forecasts import forecasts
from campale.rulesets.w10.shooting.phase import shoot
from campale.rulesets.w10.shooting.targets import targets_of
from campale.rulesets.w10.windows.costs import price_of
from campale.rulesets.w10.windows.stratagems import CORE
from campale.rulesets.w10.windows.windows import spend
from campale.screen.orders import at_first, standing_answer
from tests.rulesets.w10.kit import (
    ability,
    blade,
    gun,
    guns,
    handfuls,
    model,
    play,
    question_after,
    shots,
    squad,
    table,
    unit,
    wounds,
)

covers = pytest.mark.covers
TOUCHING = 10 + (40 + 32) / 50.8


def shot(*squads: Any, target: int = 1) -> tuple[Position, Attack]:
    position = table(*squads)
    (one, *_) = shots(position, 0, target)
    return position, attack_of(one, line_of(position, one))


def blow(*squads: Any, target: int = 1, weapon: int = 0) -> tuple[Position, Attack]:
    position = table(*squads, phase="fight")
    one = blows_as_shots(unit(position, 0), Blow(model(position, 0), weapon, 0, target))
    return position, attack_of(one, line_of(position, one))


def hits(attack: Attack) -> int:
    """The lowest face that hits."""
    need = hit_need(attack)
    assert need is not None
    return next(face for face in range(1, 8) if need.is_met_by(face))


def wounds_on(attack: Attack) -> int:
    return next(face for face in range(1, 8) if wound_need(attack).is_met_by(face))


# ---------------------------------------------------------------- Gunners


@covers("modifiers/ignore", "m/negative-modifier")
@pytest.mark.parametrize(("aim", "first"), [({}, 6), (ability(weapons="ranged", do=[{"ignore": ["bs", "hit"]}]), 4)])
def test_steady_aim_ignores_what_makes_a_shot_worse(aim: Any, first: int) -> None:
    worse = ability(attacks="against", do=[{"roll": ["hit", "subtract", 1]}, {"modify": ["bs", "worsen", 1]}])
    _, found = shot(
        squad("gunners", 1, weapons=(gun(skill=4),), rules=aim), squad("line-squad", 1, 1, at=(30, 20), rules=worse)
    )
    assert hits(found) == first


@covers("modifiers/ignore")
def test_it_keeps_what_makes_a_shot_better() -> None:
    aim = ability(weapons="ranged", do=[{"ignore": ["bs", "hit"]}, {"roll": ["hit", "add", 1]}])
    _, found = shot(squad("gunners", 1, weapons=(gun(skill=4),), rules=aim), squad("line-squad", 1, 1, at=(30, 20)))
    assert hits(found) == 3


MODIFIED: Any = ability(attacks="against", do=[{"roll": ["hit", "subtract", 1]}, {"modify": ["bs", "worsen", 1]}])
AIM: Any = ability(weapons="ranged", do=[{"ignore": ["bs", "hit"]}, {"roll": ["hit", "add", 1]}])


@covers("modifiers/ignore", "m/positive-modifier", "m/negative-modifier")
@pytest.mark.parametrize(
    ("ticked", "first"),
    [
        (["ignore", "ignore", "keep"], 3),
        (["keep", "ignore", "keep"], 4),
        (["ignore", "keep", "keep"], 4),
        (["ignore", "ignore", "ignore"], 4),
        (["keep", "keep", "ignore"], 6),
    ],
)
def test_each_modifier_is_ignored_or_kept_as_the_attacker_says(ticked: list[str], first: int) -> None:
    aiming = squad("gunners", 2, weapons=(gun(skill=4),), rules=AIM)
    position = table(aiming, squad("line-squad", 1, 1, at=(30, 20), rules=MODIFIED))
    played = play(choose_ignored(unit(position, 0), shots(position, 0, 1)), "", [ticked], position)
    assert played.prompts == ["ignoring"]
    assert [hits(attack_of(one, line_of(position, one))) for one in played.value] == [first, first]


@covers("modifiers/ignore")
@pytest.mark.parametrize(("aim", "snap"), [({}, False), (AIM, True)])
def test_who_may_ignore_nothing_is_not_asked(aim: Any, snap: bool) -> None:
    aiming = squad("gunners", 1, weapons=(gun(skill=4),), rules=aim)
    position = table(aiming, squad("line-squad", 1, 1, at=(30, 20), rules=MODIFIED))
    declared = [replace(one, snap=snap) for one in shots(position, 0, 1)]
    assert play(choose_ignored(unit(position, 0), declared), position=position).value == declared


@covers("modifiers/ignore")
def test_what_is_ignored_at_first_is_for_the_worse() -> None:
    position = table(squad("gunners", 1, rules=AIM), squad("line-squad", 1, 1, at=(30, 20), rules=MODIFIED))
    question = question_after(choose_ignored(unit(position, 0), shots(position, 0, 1)))
    assert question.suggestions()[0] == ["ignore", "ignore", "keep"]
    teller = Teller(position.ruleset)
    given = standing_answer(question, at_first(teller.words.messages), position, teller)
    assert given == (["ignore", "ignore", "keep"],)
    assert standing_answer(question, {"default": "matter"}, position, teller) is None


@covers("c/unit-save", "modifiers/improve-ap")
@pytest.mark.parametrize(("saves", "first"), [((3, 3, 4), 6), ((4, 4, 3), 5), ((3, 3, 4, 4), 5)])
def test_weak_seams_asks_for_the_most_common_save(saves: tuple[int, ...], first: int) -> None:
    targets = [
        squad("line-squad", 1, 1, at=(30 + 2 * k, 20), sv=sv, leads=1 if k else None) for k, sv in enumerate(saves)
    ]
    position = table(squad("gunners", 1, weapons=(gun(ap=-1),)), *targets)
    (one, *_) = shots(position, 0, 1)
    found = attack_of(one, line_of(position, one))
    four = next(m for m in position.models if m.side == 1 and m.profile.sv == 4)
    assert next(face for face in range(1, 8) if save_need(four, found).is_met_by(face)) == first


def seams(saves: tuple[int, ...], **fields: Any) -> Position:
    """Gunners that ask for a Save of 3+ or better, and a unit of models with these Saves."""
    targets = [
        squad("line-squad", 1, 1, at=(30 + 2 * k, 20), sv=sv, leads=1 if k else None) for k, sv in enumerate(saves)
    ]
    return table(squad("gunners", 1, **fields), *targets)


@covers("c/unit-save")
@pytest.mark.parametrize(("answer", "save"), [("4+", 4), ("3+", 3)])
def test_the_owner_says_which_of_two_saves_counts(answer: str, save: int) -> None:
    position = seams((4, 3))
    played = play(settle_saves(unit(position, 0), [1]), "", [answer], position)
    assert [one.side for one in played.questions] == [1]
    assert save_of_unit(unit(position, 1)) == save
    forget_saves(position, [1])
    assert save_of_unit(unit(position, 1)) == 4


@covers("c/unit-save")
@pytest.mark.parametrize(("saves", "rules"), [((4, 3, 3), None), ((5, 4), None), ((3, 2), None), ((4, 3), {})], ids=str)
def test_nobody_is_asked_where_it_makes_no_difference(saves: tuple[int, ...], rules: Any) -> None:
    position = seams(saves, **({} if rules is None else {"rules": rules}))
    play(settle_saves(unit(position, 0), [1]), position=position)


@covers("c/unit-save")
@pytest.mark.parametrize(("answer", "lost"), [("3+", 1), ("4+", 0)])
def test_it_is_asked_before_the_shots_and_forgotten_after_them(answer: str, lost: int) -> None:
    position = seams((4, 3), weapons=(gun(abilities=("torrent",), s=8, ap=0),))
    played = play(shoot(unit(position, 0), [(guns(position, 0)[0], 1)]), "2 | 4", [answer], position, accepting=True)
    assert played.prompts[0] == "unit-save"
    assert sum(wounds(position, row) for row in (1, 2)) == lost
    assert unit(position, 1).note("unit-save") is None


@covers("re-rolls/halved-dice", "re-rolls/specific-results")
@pytest.mark.parametrize(("dice", "points"), [("2 | 6", 3), ("1 | 3", 2), ("3", 2)])
def test_fine_powder_rolls_a_d3_of_one_again(dice: str, points: int) -> None:
    position, found = shot(squad("gunners", 1), squad("line-squad", 1, 1, at=(30, 20)))
    assert play(points_of(position, found), dice, position=position).value == points


@covers("c/critical-hit")
def test_keen_hits_are_critical_from_five() -> None:
    _, found = shot(squad("gunners", 1), squad("line-squad", 1, 1, at=(30, 20)))
    assert found.critical_hit == 5


@covers("c/treated-as-roll")
def test_true_eye_turns_one_die_into_a_six_once_a_turn() -> None:
    lethal = gun(a="2", skill=4, ap=-6, abilities=("lethal-hits",))
    rules = ability(once="turn", do=[{"treat": ["hit", 6]}])
    position = table(
        squad("gunners", 1, weapons=(lethal,), rules=rules),
        squad("wardens", 1, 1, at=(30, 20), w=9, invulnerable=None, rules={}),
    )
    play(resolve(unit(position, 0), shots(position, 0, 1)), "2 2 | 1", ["treat"], position)
    assert wounds(position, 1) == 1
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), "2 2", position=position)
    assert len(handfuls(played, "to-hit")) == 1


# ---------------------------------------------------------------- Riders


@covers("core-abilities/fights-first", "re-rolls/any-of-several")
@pytest.mark.parametrize(("charged", "again"), [(1, ("hit-any", "wound-any")), (0, ())])
def test_headlong_and_shock_ask_for_a_charge(charged: int, again: tuple[str, ...]) -> None:
    position, found = blow(squad("riders", 1, marks={"charged": charged}), squad("idol", 1, 1, at=(30, 13.2)))
    assert has_first(unit(position, 0)) is bool(charged)
    assert found.again == again


@covers("duplicate-abilities/no-stacking", "duplicate-abilities/numbered-choice", "duplicate-abilities/anti-identity")
@pytest.mark.parametrize(("target", "critical"), [("idol", 4), ("great-engine", 5), ("gunners", 6)])
def test_of_two_antis_of_one_keyword_the_better_counts(target: str, critical: int) -> None:
    _, found = blow(squad("riders", 1), squad(target, 1, 1, at=(30, 18)))
    assert found.critical == critical


@covers("s/discard-dice", "r/lowest-die", "charge-phase/charge-roll")
def test_spur_rolls_three_dice_and_drops_the_lowest() -> None:
    position = table(squad("riders", 1), phase="charge")
    assert play(charge_distance(unit(position, 0), ()), "1 4 6", position=position).value == 10.0


@covers("m/pile-in-modified", "m/consolidation-modified")
@pytest.mark.parametrize(("name", "far"), [("riders", 6.0), ("wardens", 3.0)])
def test_long_reach(name: str, far: float) -> None:
    position = table(squad(name, 1))
    assert {reach_of(unit(position, 0), move) for move in ("pile-in", "consolidate")} == {far}


@covers("charge-phase/eligible", "weapon-abilities/assault")
def test_on_the_move() -> None:
    position = table(squad("riders", 1, marks={"advanced": 1}), squad("wardens", 1, at=(50, 10), marks={"advanced": 1}))
    assert [is_barred(unit(position, row)) for row in (0, 1)] == [False, True]


# ---------------------------------------------------------------- Wardens


@covers("rule-priority/attacker", "rule-priority/check")
@pytest.mark.parametrize(("attacker", "first"), [("wardens", 2), ("riders", 4)])
def test_unerring_goes_before_only_by_might(attacker: str, first: int) -> None:
    weapon = blade(s=12)
    mine = squad(attacker, 1, weapons=(weapon,))
    _, found = blow(mine, squad("wardens", 1, 1, at=(30, 12)))
    assert wounds_on(found) == first


@covers("c/attack-modifiers-local", "modifiers/floor-s-t-a-d")
@pytest.mark.parametrize(("d", "points"), [("3", 2), ("1", 1)])
def test_thick_plates_take_one_from_the_damage(d: str, points: int) -> None:
    position, found = shot(squad("gunners", 1, weapons=(gun(d=d),), rules={}), squad("wardens", 1, 1, at=(30, 20)))
    assert play(points_of(position, found, model(position, 1)), position=position).value == points


@covers("c/against-characteristic", "c/save-against")
@pytest.mark.parametrize(("d", "first"), [("1", 3), ("2", 3), ("3", 4), ("D3", 4)])
def test_proof_asks_for_damage_one_after_all_changes(d: str, first: int) -> None:
    position, found = shot(
        squad("gunners", 1, weapons=(gun(d=d, ap=-2),), rules={}), squad("wardens", 1, 1, at=(30, 20))
    )
    need = armour_need(model(position, 1), found)
    assert next(face for face in range(1, 8) if need.is_met_by(face)) == first


@covers("modifiers/damage-zero", "s/saved")
@pytest.mark.parametrize(("answer", "lost"), [("charmed", 0), ("no", 2)])
def test_charmed_changes_a_damage_to_nothing_once(answer: str, lost: int) -> None:
    hit = gun(s=16, ap=-6, d="3", abilities=("torrent",))
    position = table(
        squad("gunners", 1, weapons=(hit,), rules={}), squad("wardens", 1, 1, at=(30, 20), invulnerable=None)
    )
    play(resolve(unit(position, 0), shots(position, 0, 1)), "4 | 1", [answer], position)
    assert wounds(position, 1) == lost


@covers("modifiers/damage-zero")
@pytest.mark.parametrize(("option", "points"), [("first", 3), ("over-replacements", 0)])
def test_what_a_damage_of_nothing_goes_before(option: str, points: int) -> None:
    given = ability(attacks="allocated", do=[{"modify": ["d", "set", 3]}])
    position = table(
        squad("gunners", 1, weapons=(gun(d="2"),), rules={}),
        squad("wardens", 1, 1, at=(30, 20), rules=given),
        options={"damage_zero": option},
    )
    (one,) = shots(position, 0, 1)
    found = attack_of(one, line_of(position, one))
    assert play(points_of(position, found, model(position, 1), zero=True), position=position).value == points


@covers("modifiers/devastating-damage")
def test_devastating_damage_is_changed_by_whoever_would_take_it() -> None:
    deadly = gun(s=16, d="3", abilities=("devastating-wounds", "torrent"))
    position = table(squad("gunners", 1, weapons=(deadly,), rules={}), squad("wardens", 1, 1, at=(30, 20)))
    play(resolve(unit(position, 0), shots(position, 0, 1)), "6", position=position)
    assert wounds(position, 1) == 2


# ---------------------------------------------------------------- Great Engine, Idol


@covers("modifiers/mortal-wounds-unmodified", "f/critical-wound")
@pytest.mark.parametrize(("face", "lost"), [(6, 3), (5, 2)])
def test_the_bombard_adds_a_mortal_wound_to_a_critical_one(face: int, lost: int) -> None:
    weapon = gun(s=16, ap=-6, d="3", abilities=("critical-mortal 1", "torrent"))
    position = table(
        squad("great-engine", 1, weapons=(weapon,)),
        squad("wardens", 1, 1, at=(30, 30), w=9, invulnerable=None, feel_no_pain=None),
    )
    play(resolve(unit(position, 0), shots(position, 0, 1)), f"{face} | 1", ["no"], position)
    assert wounds(position, 1) == lost
    assert take_stored(position) == []


@covers("c/attack-modifiers-local", "modifiers/round-up")
def test_half_harm_and_iron_hide() -> None:
    position, found = shot(
        squad("gunners", 1, weapons=(gun(s=12, d="3"),), rules={}), squad("great-engine", 1, 1, at=(30, 20))
    )
    assert play(points_of(position, found, model(position, 1)), position=position).value == 2
    assert wounds_on(found) == 4
    _, weaker = shot(squad("gunners", 1, weapons=(gun(s=11),), rules={}), squad("great-engine", 1, 1, at=(30, 20)))
    assert wounds_on(weaker) == 4


@covers("transports/disembark-after")
def test_assault_ramp() -> None:
    position = table(squad("great-engine"), squad("carrier", at=(50, 10)))
    assert [has_ramp(model(position, row)) for row in (0, 1)] == [True, False]


@covers("core-abilities/lone-operative")
@pytest.mark.parametrize(("y", "is_target"), [(29.9, True), (30.7, False)])
def test_the_veil_hides_beyond_eighteen_inches(y: float, is_target: bool) -> None:
    position = table(squad("gunners", 1), squad("idol", 1, 1, at=(30, y)))
    assert (1 in targets_of(position, 0, guns(position, 0))) is is_target


@covers("c/null-characteristics", "l/worst", "l/best")
def test_an_idol_has_its_toughness_for_leadership() -> None:
    position = table(squad("idol", rules={}))
    assert leadership(unit(position, 0)) == 8


@covers("l/worst", "datasheet/aura", "modifiers/roll-after-rerolls")
@pytest.mark.parametrize(("y", "dice", "passes"), [(17, "4 4", True), (17, "4 3", False), (30, "3 3", True)])
def test_dread_takes_the_worst_leadership_and_one_less(y: float, dice: str, passes: bool) -> None:
    squads = (
        squad("line-squad", 2, ld=7),
        squad("captain", at=(33.2, 10), leads=0, ld=6),
        squad("idol", 1, 1, at=(30, y)),
    )
    position = table(*squads)
    assert play(leadership_test(unit(position, 0), "battle-shock"), dice, position=position).value is passes


@covers("rule-priority/reinforcements")
@pytest.mark.parametrize(("name", "far"), [("idol", 12.0), ("gunners", 9.0)])
def test_no_ground_keeps_reinforcements_off(name: str, far: float) -> None:
    position = table(squad("wardens", where="reserve"), squad(name, 1, 1, at=(30, 30)))
    found = keeps_off_arriving(model(position, 0), model(position, 1))
    assert found is not None
    assert far < found < far + 0.1


@covers("modifiers/floor-ap-oc", "modifiers/improve-others", "modifiers/worsen-ap", "datasheet/aura")
def test_weight_and_blunting() -> None:
    position, found = blow(
        squad("line-squad", 1, at=(30, 10), oc=1, weapons=(blade(a="2", s=8, ap=-1),)), squad("idol", 1, 1, at=(30, 13))
    )
    assert objective_control(model(position, 0)) == 0
    assert wounds_on(found) == 5
    assert next(face for face in range(1, 8) if save_need(model(position, 1), found).is_met_by(face)) == 4


@covers("modifiers/stratagem-cost-floor", "modifiers/stratagem-cost-duration", "e/stratagem-labels")
def test_the_jammer_and_the_quartermaster_change_what_stratagems_cost() -> None:
    rules = ability(who="aura", aura={"inches": 12}, once="turn", do=[{"cost": ["wargear", "subtract", 2]}])
    squads = squad("line-squad", 1), squad("idol", 1, 1, at=(30, 22)), squad("captain", at=(20, 10), rules=rules)
    grenade, ambush = (next(one for one in CORE if one.name == name) for name in ("grenade", "go-to-ground"))
    position = table(*squads)
    assert [price_of(position, one, 0) for one in (grenade, ambush)] == [0, 2]
    assert [price_of(table(squads[0]), one, 0) for one in (grenade, ambush)] == [1, 1]


@covers("modifiers/stratagem-cost-duration", "modifiers/stratagem-cost-floor")
def test_a_change_of_price_once_a_turn_is_good_for_one_use() -> None:
    rules = ability(who="aura", aura={"inches": 12}, once="turn", do=[{"cost": ["wargear", "subtract", 2]}])
    position = table(squad("line-squad", 1), squad("captain", at=(20, 10), rules=rules))
    grenade = next(one for one in CORE if one.name == "grenade")
    position.gain(0, "cp", 5)
    spend(position, 0, grenade, 0)
    assert (position.holds(0, "cp"), price_of(position, grenade, 0)) == (5, 1)
    spend(position, 0, grenade, 0)
    assert position.holds(0, "cp") == 4


# ---------------------------------------------------------------- Marshal, Mystic, Veterans


@covers("datasheet/aura", "keywords/non")
@pytest.mark.parametrize(("name", "again"), [("line-squad", ("hit-ones",)), ("walker", ())])
def test_drillmaster_leaves_vehicles_out(name: str, again: tuple[str, ...]) -> None:
    _, found = shot(
        squad(name, 1),
        squad("line-squad", 1, 1, at=(30, 20)),
        squad(
            "marshal",
            at=(34, 10),
            rules=ability(
                who="aura",
                aura={"inches": 6, "keyword": "line", "without": "vehicle"},
                do=[{"reroll": ["hit", "ones"]}],
            ),
        ),
    )
    assert found.again == again


@covers("core-abilities/feel-no-pain-choice", "i/feel-no-pain", "f/while-leading")
@pytest.mark.parametrize(("leads", "dice", "lost"), [(0, "5", 0), (0, "4", 1), (None, "", 1)])
def test_witch_proof_helps_against_mortal_wounds(leads: int | None, dice: str, lost: int) -> None:
    position = table(squad("veterans", 1), squad("mystic", at=(32, 10), leads=leads))
    play(mortal_wounds(unit(position, 0), 1, -1, "grenade"), dice, position=position)
    assert wounds(position, 0) == lost


@covers("b/cover-without-terrain", "datasheet/wargear-ability")
def test_the_banner_gives_cover_while_its_bearer_stands() -> None:
    banner = ability(of="wargear", do=[{"grant": "cover"}])
    position, found = shot(
        squad("gunners", 1, weapons=(gun(ap=-1),), rules={}),
        squad("veterans", 1, 1, at=(30, 20), rules={}),
        squad("veterans", 1, 1, at=(32, 20), rules=banner, leads=1),
    )
    assert [part.rule for part in cover_part(model(position, 1), found)] == ["b/cover-without-terrain"]
    position.remove(model(position, 2), "shooting")
    assert cover_part(model(position, 1), found) == ()


# ---------------------------------------------------------------- Omens, switches


@covers("modifiers/model-ws", "modifiers/model-bs", "modifiers/worsen-ws-bs-sv-ld")
def test_skills_are_worsened() -> None:
    given = ability(do=[{"modify": ["ws", "worsen", 1]}, {"modify": ["bs", "worsen", 1]}])
    _, found = shot(squad("gunners", 1, weapons=(gun(skill=3),), rules=given), squad("line-squad", 1, 1, at=(30, 20)))
    assert (skill_of(found), hits(found)) == (4, 4)


@covers("c/unit-save-modifier", "modifiers/improve-ws-bs-sv-ld", "modifiers/roll-minimum")
@pytest.mark.parametrize(("option", "first"), [("as-printed", 2), ("two-plus", 4)])
def test_how_good_a_modified_save_may_be(option: str, first: int) -> None:
    """With AP -2 a Save of 1+ is passed by whatever counts as 1 at the least; one of 2+ by a 4."""
    given = ability(do=[{"modify": ["sv", "improve", 1]}])
    position = table(
        squad("gunners", 1, weapons=(gun(ap=-2),), rules={}),
        squad("wardens", 1, 1, at=(30, 20), rules=given, invulnerable=None, sv=2),
        options={"best_save": option},
    )
    (one,) = shots(position, 0, 1)
    need = armour_need(model(position, 1), attack_of(one, line_of(position, one)))
    assert next(face for face in range(1, 8) if need.is_met_by(face)) == first


@covers("v/fly", "keywords/models-only", "keywords/mixed-unit")
@pytest.mark.parametrize(("option", "crosses"), [("model", False), ("unit", True)])
def test_who_crosses_enemies_in_a_mixed_unit(option: str, crosses: bool) -> None:
    position = table(
        squad("jump-squad", 1),
        squad("captain", at=(32, 10), leads=0),
        squad("captain", at=(50, 10)),
        options={"mixed_fly": option},
    )
    assert [crosses_enemies(model(position, row)) for row in (0, 1, 2)] == [True, crosses, False]


@covers("m/minimum-move", "aircraft/move")
@pytest.mark.parametrize(
    ("option", "facing", "is_allowed"),
    [("before-pivot", 90.0, True), ("after-pivot", 90.0, False), ("after-pivot", 0.0, True)],
)
def test_when_the_twenty_inches_of_aircraft_are_judged(option: str, facing: float, is_allowed: bool) -> None:
    position = table(squad("flyer", at=(30, 10)), options={"aircraft_minimum": option})
    assert (too_short(Flight(model(position, 0), (30.0, 30.0), facing)) is None) is is_allowed


# ---------------------------------------------------------------- odds and bots see the same


@covers("c/attack-modifiers-local", "re-rolls/any-of-several", "i/feel-no-pain")
@pytest.mark.parametrize(
    ("theirs", "share"),
    [
        (ability(attacks="allocated", do=[{"modify": ["d", "subtract", 1]}]), 0.5),
        (ability(do=[{"fnp": 4}]), 0.5),
        (ability(attacks="against", do=[{"reroll": ["hit", "any"]}]), 1.5),
    ],
)
def test_bots_expect_what_abilities_make_of_attacks(theirs: Any, share: float) -> None:
    def worth(rules: Any) -> float:
        mine = squad("gunners", 1, weapons=(gun(d="2", skill=4),), rules={})
        position = table(mine, squad("wardens", 1, 1, at=(30, 20), rules=rules))
        return expected(position, shots(position, 0, 1)[0])

    assert worth(theirs) == pytest.approx(share * worth({}))


@covers("modifiers/mortal-wounds-unmodified", "mortal-wounds/normal-first", "shooting-phase/select-targets")
def test_odds_count_an_additional_mortal_wound_among_the_losses_alone() -> None:
    weapon = gun(s=16, ap=-6, d="1", abilities=("critical-mortal 1", "torrent"))
    position = table(
        squad("great-engine", 1, weapons=(weapon,), rules={}),
        squad("wardens", 2, 1, at=[(30, 30), (33, 30)], w=1, invulnerable=None, rules={}),
    )
    (found,) = forecasts(position, 0, 1)
    steps = {step.kind: dict(step.chances) for step in found.steps}
    assert max(steps["wounds"]) == 1
    assert steps["losses"][2] == pytest.approx(1 / 6)
