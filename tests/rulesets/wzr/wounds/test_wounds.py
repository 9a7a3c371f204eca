"""Hits, Armour, Heal, wounds handed over, and what removals set off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from campale.dice import odds
from campale.dice.stages import play as play_stages
from campale.referee.position import Position
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import lines
from campale.rulesets.wzr.armies.profile import Fire, Weapon
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.squads.squads import commander
from campale.rulesets.wzr.squads.states import can_react, pin, settle, stun
from campale.rulesets.wzr.wounds.armour import heal_of, save_need
from campale.rulesets.wzr.wounds.handing import receivers
from campale.rulesets.wzr.wounds.hits import Hit, automatic, hit_frames, hit_of, plain, push_hits
from campale.rulesets.wzr.wounds.removals import losses_of, takers
from campale.rulesets.wzr.wounds.resolving import STAGES
from tests.rulesets.wzr.kit import Played, finish, resources, squad, table, unit, vehicle
from tests.rulesets.wzr.melee import needs

covers = pytest.mark.covers

HEAVY = Weapon(id="cannon", title={"en": "Cannon", "it": "Cannone"}, kind="heavy", fires=(Fire(range=24, st=14),))  # type: ignore[arg-type]


def struck(position: Position, *hits: Hit, dice: str = "", answers: Iterable[Any] = ()) -> Played:
    """The hits, with all that they set off."""
    push_hits(position, hits)
    return finish(position, dice, answers)


def need(a: int = 12, hit: Hit | None = None, **changes: Any) -> int:
    position = table(squad(a=a, **changes), squad(side=1, at=(24, 20)))
    return save_need(position.model(0), Hit(target=0) if hit is None else hit).number


def gone(position: Position) -> list[int]:
    return [m.row for m in position.models if not m.is_on_table]


# ---------------------------------------------------------------- a hit as a value


@covers("core/automatic-hit")
def test_an_automatic_hit_is_piercing_without_avv_and_no_power_shot_unless_the_rule_says_otherwise() -> None:
    hit = automatic(3, 8, "fall")
    assert (hit.type, hit.avv, hit.power_shot, hit.costs) == ("piercing", 0, False, 1)
    assert automatic(3, 8, "ichor", "explosive", 2).type == "explosive"


def test_a_hit_goes_into_a_frame_and_comes_back() -> None:
    hit = Hit(target=2, st=13, rules=("ichor",), halved=True, power_shot=True)
    assert hit_of(plain(hit)) == hit
    assert hit_frames([hit]) == (("hits", plain(hit)), ("removals",))


@covers("core/critical")
@pytest.mark.parametrize(("critical", "costs"), [(1, 1), (3, 3), (4, 4), (6, 4), (0, 1)])
def test_a_critical_hit_costs_so_many_wounds_never_more_than_four(critical: int, costs: int) -> None:
    assert Hit(target=0, critical=critical).costs == costs


# ---------------------------------------------------------------- Armour


@covers("armour/strength", "armour/test", "core/modifier-order")
@pytest.mark.parametrize(("st", "value"), [(10, 14), (13, 11), (8, 16), (11, 13), (9, 15), (25, -1)])
def test_strength_changes_armour_point_by_point_from_ten_on(st: int, value: int) -> None:
    assert need(14, Hit(target=0, st=st)) == value


@covers("armour/type-modifier", "core/damage-types")
def test_armour_may_be_better_or_worse_against_a_type() -> None:
    against = {"explosive": -3, "piercing": 2}
    assert need(12, Hit(target=0, type="explosive"), against=against) == 9
    assert need(12, Hit(target=0, type="piercing"), against=against) == 14
    assert need(12, Hit(target=0, type="plasma"), against=against) == 12


@covers("armour/halved", "core/rounding")
def test_halved_armour_is_rounded_up_before_anything_is_added() -> None:
    assert need(13, Hit(target=0, st=12, halved=True)) == 5
    assert need(13, Hit(target=0, st=12)) == 11


@covers("armour/impenetrable")
@pytest.mark.parametrize(("st", "value"), [(20, 10), (12, 10), (11, 11)])
def test_impenetrable_armour_counts_where_it_is_the_better_of_the_two(st: int, value: int) -> None:
    assert need(12, Hit(target=0, st=st, halved=False), impenetrable=10) == value


@covers("armour/impenetrable", "psychic/shooting-defence")
def test_against_a_psychic_attack_will_stands_in_for_armour_and_nothing_is_impenetrable() -> None:
    assert need(18, Hit(target=0, st=20, save="wp"), wp=14, impenetrable=10) == 4
    assert need(18, Hit(target=0, st=10, save="wp"), wp=14) == 14


@covers("abilities/fireproof", "abilities/flammable")
@pytest.mark.parametrize(
    ("abilities", "flame", "value"),
    [((), True, 6), (("fireproof",), True, 16), (("fireproof",), False, 6), (("flammable",), True, 2)],
)
def test_what_burns_and_what_does_not(abilities: tuple[str, ...], flame: bool, value: int) -> None:
    """A 12, halved by cover: Fireproof armour is not halved and 4 better, Flammable a further 4 worse."""
    assert need(12, Hit(target=0, halved=True, flame=flame), abilities=abilities) == value


# ---------------------------------------------------------------- one Wound Effect


@covers("core/wound-effect", "armour/test", "core/natural-results")
@pytest.mark.parametrize(("die", "falls"), [(12, False), (13, True), (1, False), (20, True)])
def test_a_failed_armour_test_costs_a_wound_and_the_last_one_the_model(die: int, falls: bool) -> None:
    position = table(squad(2), squad(side=1, at=(24, 20)))
    played = struck(position, Hit(target=1, by=2, ranged=True), dice=f"{die}")
    assert gone(position) == ([1] if falls else [])
    assert played.cites("armour/test")


@covers("core/wound-effect")
def test_a_model_with_two_wounds_stands_after_the_first() -> None:
    position = table(squad(w=2), squad(side=1, at=(24, 20)))
    struck(position, Hit(target=0, by=1), dice="13")
    assert position.model(0).marks(marks.WOUNDS) == 1
    assert position.model(0).is_on_table


@covers("core/power-shot", "abilities/heal-power-shot", "armour/resolve-order")
def test_a_power_shot_allows_neither_armour_nor_heal() -> None:
    position = table(squad(w=2, abilities=("heal 8",)), squad(side=1, at=(24, 20)))
    resources(position, 0, 2)
    played = struck(position, Hit(target=0, by=1, power_shot=True))
    assert position.model(0).marks(marks.WOUNDS) == 1
    assert played.rolls == []


@covers("core/critical", "abilities/heal")
def test_a_critical_hit_takes_its_wounds_each_with_its_own_roll_of_heal() -> None:
    position = table(squad(w=4, abilities=("heal 5",)), squad(side=1, at=(24, 20)))
    struck(position, Hit(target=0, by=1, critical=3), dice="20 | 5 6 20")
    assert position.model(0).marks(marks.WOUNDS) == 2


@covers("core/wound-effect")
@pytest.mark.parametrize(("w", "told"), [(1, ["remove"]), (2, ["mark"])])
def test_the_last_wound_is_told_as_the_loss_of_the_model(w: int, told: list[str]) -> None:
    played = struck(table(squad(w=w), squad(side=1, at=(24, 20))), Hit(target=0, by=1), dice="13")
    assert [kind for kind in played.kinds if kind in ("mark", "remove")] == told


@covers("core/critical")
def test_wounds_beyond_the_last_are_lost() -> None:
    position = table(squad(w=1, abilities=("heal 5",)), squad(side=1, at=(24, 20)))
    struck(position, Hit(target=0, by=1, critical=3), dice="20 | 6")
    assert gone(position) == [0]


@covers("core/removal")
def test_hits_on_a_model_that_is_gone_are_lost() -> None:
    position = table(squad(3), squad(side=1, at=(24, 20)))
    played = struck(position, Hit(target=1, by=3), Hit(target=1, by=3), dice="20")
    assert gone(position) == [1]
    assert played.rolls == ["armour"]


# ---------------------------------------------------------------- Heal


@covers("abilities/heal", "abilities/medic")
def test_the_highest_heal_counts_up_to_eight_and_no_medic_heals_himself() -> None:
    far = squad(abilities=("medic 6",), at=(24, 16.2 + 6.01))
    near = squad(abilities=("medic 6",), at=(24, 16.2 + 6))
    wounded = squad(abilities=("heal 2",), at=(24, 15))
    enemy = squad(side=1, at=(2, 46))
    assert heal_of(table(wounded, near, enemy).model(0), Hit(target=0)) == 6
    assert heal_of(table(wounded, far, enemy).model(0), Hit(target=0)) == 2
    assert heal_of(table(near, enemy).model(0), Hit(target=0)) == 0
    assert heal_of(table(squad(abilities=("heal 9",)), enemy).model(0), Hit(target=0)) == 8


@covers("cards/burn-heal", "cards/burn-uses")
@pytest.mark.parametrize(("die", "wounds"), [(3, 0), (4, 1)])
def test_a_resource_card_gives_heal_three_once_for_the_wound(die: int, wounds: int) -> None:
    position = table(squad(w=2), squad(side=1, at=(24, 20)))
    resources(position, 0, 1)
    struck(position, Hit(target=0, by=1), dice=f"20 {die}", answers=["yes"])
    assert position.model(0).marks(marks.WOUNDS) == wounds
    assert position.holds(0, marks.BURNED) == 1


@covers("cards/burn-heal")
def test_no_card_is_offered_where_it_would_not_help() -> None:
    """With Heal (3) already, with no card ready, in a collapse."""
    enemy = squad(side=1, at=(24, 20))
    better = table(squad(w=2, abilities=("heal 3",)), enemy)
    resources(better, 0, 1)
    assert struck(better, Hit(target=0, by=1), dice="20 3").prompts == []
    assert struck(table(squad(w=2), enemy), Hit(target=0, by=1), dice="20").prompts == []
    collapsed = table(squad(w=2), enemy)
    resources(collapsed, 0, 1)
    assert struck(collapsed, Hit(target=0, heals=False), dice="20").prompts == []


@covers("setup/modes", "cards/burn-heal")
def test_in_the_basic_game_a_resource_is_burned_for_heal_too() -> None:
    basic = table(squad(w=2), squad(side=1, at=(24, 20)), options={"advanced": False})
    resources(basic, 0, 1)
    assert struck(basic, Hit(target=0, by=1), dice="20 3", answers=["yes"]).prompts == ["burn-heal"]
    assert basic.model(0).marks(marks.WOUNDS) == 0


# ---------------------------------------------------------------- handed over


def shielding(apart: float = 3.2, **changes: Any) -> Position:
    """A Lord, a soldier of another squad with his base so far from the Lord's as ``apart`` less 1.2; an enemy."""
    return table(squad(slot="lord", at=(20, 10)), squad(at=(20 + apart, 10), **changes), squad(side=1, at=(20, 30)))


@covers("abilities/shielded")
def test_a_lord_may_hand_over_to_a_friend_within_two_inches_who_is_not_shielded_too() -> None:
    shot = Hit(target=0, by=2, ranged=True)
    assert receivers(shielding().model(0), shot) == [1]
    assert receivers(shielding(3.21).model(0), shot) == []
    assert receivers(shielding(abilities=("human-shield",)).model(0), shot) == []
    assert receivers(shielding(slot="lord").model(0), shot) == []
    assert receivers(shielding(vehicle=vehicle("bike"), base="small").model(0), shot) == []


@covers("abilities/shielded", "abilities/human-shield")
def test_only_what_comes_of_a_ranged_attack_is_handed_over_and_only_once() -> None:
    position = shielding()
    assert receivers(position.model(0), Hit(target=0, by=2)) == []
    assert receivers(position.model(0), Hit(target=0, by=2, ranged=True, moved_on=True)) == []
    assert receivers(position.model(1), Hit(target=1, by=2, ranged=True)) == []


@covers("abilities/human-shield")
def test_human_shield_works_within_the_squad_upon_those_without_it() -> None:
    bearer = {"abilities": ("human-shield",)}
    shot = Hit(target=0, by=3, ranged=True)
    enemy = squad(side=1, at=(24, 30))
    assert receivers(table(squad(2, of=(bearer,)), squad(at=(24, 12)), enemy).model(0), shot) == [1]
    assert receivers(table(squad(2, of=(bearer, bearer)), enemy).model(0), shot) == []
    assert receivers(table(squad(1, of=(bearer,)), squad(at=(24, 12)), enemy).model(0), shot) == []


@covers("armour/resolve-order", "abilities/shielded", "core/power-shot")
def test_a_power_shot_handed_over_stays_one_and_strikes_the_receiver() -> None:
    position = shielding()
    struck(position, Hit(target=0, by=2, ranged=True, power_shot=True), answers=[1])
    assert gone(position) == [1]
    kept = shielding()
    struck(kept, Hit(target=0, by=2, ranged=True), dice="20", answers=["keep"])
    assert gone(kept) == [0]


@covers("armour/resolve-order", "abilities/shielded")
@pytest.mark.parametrize(
    ("language", "told"), [("en", "Lord passes the wound to Friend."), ("it", "Lord passa la ferita a Friend.")]
)
def test_who_takes_a_wound_over_is_named(language: str, told: str) -> None:
    position = shielding()
    played = struck(position, Hit(target=0, by=2, ranged=True), dice="1", answers=[1])
    teller = Teller(position.ruleset, language, ["Lord", "Friend", "Enemy"], ["Lord", "Friend", "Enemy"])
    assert told in [line.text for line in lines(played.events, teller)]


@covers("abilities/shielded")
def test_the_receiver_tests_his_own_armour() -> None:
    position = shielding(a=5)
    struck(position, Hit(target=0, by=2, ranged=True), dice="6", answers=[1])
    assert gone(position) == [1]


@covers("abilities/shielded", "armour/halved", "abilities/fireproof", "templates/flame-cover")
@pytest.mark.parametrize(
    ("abilities", "halved", "number"), [((), True, 6), ((), False, 12), (("fireproof",), True, 16)]
)
def test_a_hit_that_halves_armour_does_so_for_the_receiver_but_not_if_he_is_fireproof(
    abilities: tuple[str, ...], halved: bool, number: int
) -> None:
    position = shielding(abilities=abilities)
    hit = Hit(target=0, by=2, ranged=True, flame=True, halved=halved)
    played = struck(position, hit, dice="1", answers=[1])
    assert [one.about["model"] for one in played.questions if one.prompt == "armour"] == [1]
    assert needs(played, "armour") == [number]


@covers("shooting/sequence", "core/simultaneous")
def test_the_primary_goes_first_and_the_defender_orders_the_others() -> None:
    lord = {"slot": "lord"}
    position = table(squad(4, of=({}, {}, lord, lord), at=(20, 10)), squad(side=1, at=(20, 30)))
    hits = [Hit(target=row, by=4, ranged=True, primary=row == 1) for row in (2, 3, 1)]
    played = struck(position, *hits, dice="1 1 1", answers=[[3, 2], "keep", "keep"])
    assert [q.about["model"] for q in played.questions if q.prompt == "armour"] == [1, 3, 2]


@covers("shooting/sequence", "core/removal")
def test_models_that_have_fallen_to_another_weapon_of_the_volley_are_in_no_order_of_hits() -> None:
    lord = {"slot": "lord"}
    position = table(squad(4, of=({}, {}, lord, lord), at=(20, 10)), squad(side=1, at=(20, 30)))
    position.remove(position.model(3), "shooting")
    hits = [Hit(target=row, by=4, ranged=True) for row in (2, 3)]
    assert struck(position, *hits, dice="1", answers=["keep"]).prompts == ["hand-over"]


@covers("shooting/sequence", "abilities/medic")
@pytest.mark.parametrize(("x", "asked"), [(5.0, ["hit-order"]), (8.5, [])])
def test_the_defender_may_keep_a_medic_alive_until_those_near_him_are_healed(x: float, asked: list[str]) -> None:
    """The Medic (5) is hit before a trooper 3.8 or 7.3 inches away, unless the defender says otherwise."""
    places = [(10.0, 40.0), (20.0, 10.0), (20.0 + x, 10.0)]
    position = table(squad(of=({}, {"abilities": ("medic 5",)}), at=places), squad(side=1, at=(20, 30)))
    hits = [Hit(target=row, by=3, ranged=True) for row in (1, 2)]
    played = struck(position, *hits, dice="20 5 20" if asked else "20 20", answers=[[2, 1]] if asked else [])
    assert played.prompts == asked
    assert gone(position) == ([1] if asked else [1, 2])


@covers("shooting/sequence", "abilities/medic")
def test_hits_on_the_primary_target_come_first_even_if_he_is_a_medic() -> None:
    places = [(10.0, 40.0), (20.0, 10.0), (25.0, 10.0)]
    position = table(squad(of=({}, {"abilities": ("medic 5",)}), at=places), squad(side=1, at=(20, 30)))
    hits = [Hit(target=row, by=3, ranged=True, primary=row == 1) for row in (1, 2)]
    assert struck(position, *hits, dice="20 20").prompts == []
    assert gone(position) == [1, 2]


# ---------------------------------------------------------------- vehicles


@covers("core/damage-effect")
def test_a_hit_on_a_vehicle_takes_structure_points_and_no_wounds() -> None:
    position = table(squad(vehicle=vehicle(ps=2, av=12)), squad(side=1, at=(24, 20)))
    struck(position, Hit(target=0, by=1, avv=2, location="pilot"), dice="11")
    assert position.model(0).marks("ps-lost-pilot") == 1
    assert position.model(0).marks(marks.WOUNDS) == 0


# ---------------------------------------------------------------- what removals set off


@covers("squads/substitute")
def test_a_substitute_is_named_as_soon_as_the_commander_is_gone() -> None:
    position = table(squad(3), squad(side=1, at=(24, 20)))
    struck(position, Hit(target=0, by=3), dice="20", answers=[2])
    leader = commander(unit(position, 0))
    assert leader is not None
    assert leader.row == 2
    assert leader.marks(marks.SUBSTITUTE)


@covers("squads/substitute")
def test_nobody_is_named_for_a_squad_that_has_nobody_left() -> None:
    position = table(squad(1), squad(side=1, at=(24, 20)))
    assert struck(position, Hit(target=0, by=1), dice="20").prompts == []


@covers("abilities/specialist-attached")
def test_a_specialist_leads_only_when_he_is_the_last() -> None:
    position = table(squad(3), squad(side=1, at=(24, 20)))
    position.model(1).mark(marks.SPECIALIST, 1)
    struck(position, Hit(target=0, by=3), dice="20")
    assert position.model(2).marks(marks.SUBSTITUTE)
    assert not position.model(1).marks(marks.SUBSTITUTE)
    struck(position, Hit(target=2, by=3), dice="20")
    leader = commander(unit(position, 0))
    assert leader is not None
    assert leader.row == 1
    assert leader.marks(marks.SUBSTITUTE)


@covers("abilities/specialist-attached", "squads/substitute")
def test_one_of_several_specialists_leads_where_nobody_else_is_left() -> None:
    position = table(squad(3), squad(side=1, at=(24, 20)))
    for row in (1, 2):
        position.model(row).mark(marks.SPECIALIST, 1)
    struck(position, Hit(target=0, by=3), dice="20", answers=[2])
    leader = commander(unit(position, 0))
    assert leader is not None
    assert leader.row == 2


@covers("abilities/take-weapon")
def test_a_mate_within_three_inches_may_take_a_heavy_weapon_over_on_one_to_ten() -> None:
    bearer = {"weapons": (HEAVY,)}
    for die, weapons in ((10, 1), (11, 0)):
        position = table(squad(3, of=({}, bearer)), squad(side=1, at=(24, 20)))
        struck(position, Hit(target=1, by=3), dice=f"20 {die}", answers=[2])
        assert len(position.model(2).profile.weapons) == weapons
    declined = table(squad(3, of=({}, bearer)), squad(side=1, at=(24, 20)))
    struck(declined, Hit(target=1, by=3), dice="20", answers=["leave-it"])


@covers("abilities/take-weapon", "abilities/specialist-attached")
def test_who_may_take_a_weapon_over() -> None:
    """The last stands 3 inches off, base to base; then a hair farther. No Commander, Lord, or attached Specialist."""
    places = [(20.0, 10.0), (21.5, 10.0), (21.5, 14.2), (21.5, 5.79), (22.9, 10.0), (20.1, 11.5)]
    position = table(squad(6, at=places, of=({}, {"weapons": (HEAVY,)}, {}, {}, {"slot": "lord"}, {})))
    position.model(5).mark(marks.SPECIALIST, 1)
    position.remove(position.model(1), "shooting")
    assert takers(position.model(1)) == [2]


@covers("abilities/berserk-trigger")
@pytest.mark.parametrize(("die", "rages"), [(14, 0), (15, 1)])
def test_the_first_enemy_eliminated_makes_a_berserker_of_whom_fails_the_one_test(die: int, rages: int) -> None:
    position = table(squad(3), squad(2, side=1, at=(24, 20), abilities=("berserk",)))
    struck(position, Hit(target=1, by=3), dice=f"20 {die}")
    assert position.model(3).marks(marks.BERSERK) == rages
    assert struck(position, Hit(target=2, by=3), dice="20").rolls == ["armour"]


@covers("abilities/berserk-modifiers")
def test_a_wound_brings_a_berserker_to_its_senses_unless_it_is_healed() -> None:
    position = table(squad(w=3, abilities=("berserk", "heal 5"), models={marks.BERSERK: 1}), squad(side=1))
    struck(position, Hit(target=0, by=1), dice="20 5")
    assert position.model(0).marks(marks.BERSERK) == 1
    struck(position, Hit(target=0, by=1), dice="20 6")
    assert position.model(0).marks(marks.BERSERK) == 0


@covers("abilities/brutal", "morale/pinning-test")
@pytest.mark.parametrize(("die", "pinned"), [(14, 0), (15, 1)])
def test_whom_a_brutal_model_eliminates_leaves_his_squad_to_a_pinning_test(die: int, pinned: int) -> None:
    position = table(squad(3), squad(side=1, at=(24, 20), abilities=("brutal",)))
    struck(position, Hit(target=1, by=3), Hit(target=1, by=3), dice=f"20 {die}")
    assert [m.marks(marks.PINNED) for m in position.on_table(0)] == [pinned, pinned]


@covers("armoury/transfuser-nauseating", "close-combat/brutal-attack", "close-combat/crush", "morale/pinning-test")
@pytest.mark.parametrize(
    ("rules", "least"),
    [(("nauseating",), 11), (("brutal-attack",), 10), (("crush",), 10), (("nauseating", "crush"), 10)],
)
def test_several_causes_give_one_test_with_the_worst_modifier(rules: tuple[str, ...], least: int) -> None:
    """On the LD of 14: the highest face that still passes, and the next one."""
    for die, pinned in ((least, 0), (least + 1, 1)):
        position = table(squad(3), squad(side=1, at=(24, 20), abilities=("brutal",)))
        played = struck(position, Hit(target=1, by=3, rules=rules), dice=f"20 {die}")
        assert played.rolls == ["armour", "pinning"]
        assert position.model(0).marks(marks.PINNED) == pinned


@covers("squads/substitute", "core/removal")
def test_the_test_at_once_is_taken_on_the_ld_of_the_substitute() -> None:
    position = table(squad(3), squad(side=1, at=(24, 20), abilities=("brutal",)))
    struck(position, Hit(target=0, by=3), dice="20 13", answers=[1])
    assert position.model(1).marks(marks.PINNED) == 1


@covers("core/friendly-fire")
def test_losses_to_ones_own_side_count_for_no_test() -> None:
    position = table(squad(3), squad(at=(24, 14), abilities=("brutal", "berserk")), squad(side=1, at=(24, 40)))
    struck(position, Hit(target=1, by=3, ranged=True), dice="20")
    assert losses_of(unit(position, 0)) == (0, 0)
    struck(position, Hit(target=2, by=4, ranged=True), dice="20")
    assert losses_of(unit(position, 0)) == (1, 1)


# ---------------------------------------------------------------- Stun, Pinned


@covers("core/stunned", "abilities/relentless")
def test_a_stunned_model_leaves_sentry_and_cannot_react_a_relentless_one_is_never_stunned() -> None:
    position = table(squad(models={marks.SENTRY: 1}), squad(abilities=("relentless",), at=(10, 10)), squad(side=1))
    one, other = position.model(0), position.model(1)
    assert can_react(one)
    stun(one, 2)
    stun(other)
    assert (one.marks(marks.STUN), one.marks(marks.SENTRY), can_react(one)) == (2, 0, False)
    assert other.marks(marks.STUN) == 0


@covers("morale/pinned-effects")
def test_whoever_becomes_engaged_is_no_longer_pinned() -> None:
    position = table(squad(), squad(side=1, at=(24, 11.3)))
    position.model(0).mark(marks.PINNED, 1)
    settle(position)
    assert position.model(0).marks(marks.PINNED) == 1
    position.model(1).move_to(24, 11.2)
    settle(position)
    assert position.model(0).marks(marks.PINNED) == 0
    pin(position.model(0))
    assert position.model(0).marks(marks.PINNED) == 0


# ---------------------------------------------------------------- odds


@covers("armour/test", "core/critical", "abilities/heal")
def test_exact_odds_play_the_same_stages() -> None:
    """A 12 and Heal (5) against two hits: each takes the one wound with 8/20 times 15/20."""
    position = table(squad(w=2, abilities=("heal 5",)), squad(side=1, at=(24, 20)))
    hits = [Hit(target=0, by=1), Hit(target=0, by=1)]
    found = odds.exact(
        position, lambda copy: play_stages(copy, STAGES, hits), None, lambda copy, _: copy.model(0).is_on_table
    )
    assert float(found[False]) == pytest.approx((0.4 * 0.75) ** 2)


def test_a_changed_hit_is_another_value() -> None:
    hit = Hit(target=0)
    assert msgspec.structs.replace(hit, target=1) != hit


@covers("abilities/berserk-trigger", "armoury/transfuser-ichor")
def test_one_test_for_rage_in_the_game_though_the_ichor_eliminates_another_model() -> None:
    own = squad(at=(24, 10), abilities=("berserk",), ld=14)
    position = table(own, squad(side=1, at=(24, 20)), squad(side=1, at=(25.3, 20)))
    struck(position, Hit(target=1, by=0, power_shot=True, ranged=True, rules=("ichor",)), dice="20 14")
    assert gone(position) == [1, 2]
    assert (position.model(0).marks(marks.BERSERK_TESTED), position.model(0).marks(marks.BERSERK)) == (1, 0)
