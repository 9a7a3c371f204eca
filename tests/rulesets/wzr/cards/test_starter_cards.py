"""The cards of the starter set: price and target, what each does and until when (starter-cards/*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push
from campale.referee.position import Model, Position
from campale.rulesets.wzr.abilities import index
from campale.rulesets.wzr.abilities.index import About, changed, forbids, has, succeeds
from campale.rulesets.wzr.abilities.vocabulary import Act, Test, Value
from campale.rulesets.wzr.armies.profile import Fire, Weapon
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import needed
from campale.rulesets.wzr.cards.catalogue import cards
from campale.rulesets.wzr.cards.in_play import clear_the_turn, in_play, to_discard
from campale.rulesets.wzr.cards.playing import cannot_play, choices, play, targets
from campale.rulesets.wzr.cards.resources import burn, ready
from campale.rulesets.wzr.close_combat.disengage import free_strength
from campale.rulesets.wzr.close_combat.engaged import reach
from campale.rulesets.wzr.close_combat.strength import arms, strength_with
from campale.rulesets.wzr.turn.points import points_of
from campale.rulesets.wzr.vehicles import locations
from campale.rulesets.wzr.view.cards import measured
from tests.rulesets.wzr.guns import needs
from tests.rulesets.wzr.kit import Squad, squad, table, vehicle

covers = pytest.mark.covers


def gun(id: str = "rifle", kind: Any = "automatic", area: Any = "", range: float | None = 24.0) -> Weapon:
    title: Any = {"en": id, "it": id}
    return Weapon(id=id, title=title, kind=kind, fires=(Fire(range=range, st=12, area=area),))


RIFLE, CANNON, FLAMER = gun(), gun("cannon", "heavy"), gun("flamer", "special", "FP", None)


def field(*cards_held: str, squads: tuple[Squad, ...] = (), side: int = 0) -> Position:
    """A squad of two for each side 20 inches apart, and more squads; 9 Resources, and the cards in hand."""
    first = (squad(2, at=(10, 10), weapons=(RIFLE,)), squad(2, side=1, at=(10, 30), weapons=(RIFLE,)))
    position = table(*first, *squads)
    for one in (0, 1):
        position.gain(one, marks.RESOURCES, 9)
    position.hold(side, marks.HAND, cards_held)
    return position


def shot(position: Position, far: float = 20.0, by: int = 0, at: int = 2, **more: Any) -> About:
    own, other = position.model(by), position.model(at)
    return About(own, own, other, weapon=RIFLE, fire=RIFLE.fires[0], far=far, is_ranged=True, **more)


def total(value: Value, about: About, base: int = 10) -> int:
    return needed(base, index.parts(value, about)).number


@covers("starter-cards/list", "cards/burn-cost")
@pytest.mark.parametrize(
    ("name", "kind", "cost", "on"),
    [
        ("sandstorm", "strategy", 2, "battle"),
        ("radio-jamming", "strategy", 1, "battle"),
        ("quagmire", "strategy", 1, "battle"),
        ("moonless-night", "strategy", 2, "battle"),
        ("forced-march", "strategy", 2, "battle"),
        ("suppressing-fire", "tactic", 1, "friendly-squad"),
        ("cold-blood", "tactic", 1, "friendly-squad"),
        ("steady-aim", "tactic", 2, "friendly-squad"),
        ("onslaught", "tactic", 1, "friendly-squad"),
        ("hesitation", "tactic", 2, "enemy-squad"),
        ("smoke", "tactic", 1, "friendly-squad"),
        ("field-dressing", "tactic", 1, "friendly-squad"),
        ("scope", "equipment", 2, "friendly-model"),
        ("reinforced-plate", "equipment", 2, "friendly-model"),
        ("monofilament-blade", "equipment", 1, "friendly-model"),
        ("medical-supplies", "equipment", 2, "friendly-squad"),
        ("generator", "equipment", 3, "self"),
        ("shop-drills", "tactic", 1, "friendly-squad"),
    ],
)
def test_kind_price_and_target(name: str, kind: str, cost: int, on: str) -> None:
    card = cards()[name]
    assert (card.kind, card.cost, card.on) == (kind, cost, on)


# ---------------------------------------------------------------- strategies


@covers("starter-cards/sandstorm", "cards/strategy-end")
def test_sandstorm_hampers_shots_beyond_12_until_the_control_phase() -> None:
    position = field("sandstorm")
    play(position, 0, "sandstorm")
    assert [total(value, shot(position, 12.1)) for value in ("rs", "wp", "cc")] == [8, 8, 10]
    assert total("rs", shot(position, 12.1, by=2, at=0)) == 8
    assert total("rs", shot(position, 12.0)) == 10
    clear_the_turn(position)
    assert total("rs", shot(position, 12.1)) == 10


@covers("starter-cards/radio-jamming")
def test_radio_jamming_forbids_sentry_and_hampers_the_naming_of_targets() -> None:
    position = field("radio-jamming")
    assert not forbids("sentry", About(position.model(2)))
    play(position, 0, "radio-jamming")
    assert forbids("sentry", About(position.model(2)))
    model = position.model(0)
    assert [total("ld", About(model, test=test)) for test in ("target-identified", "pinning")] == [8, 10]


@covers("starter-cards/quagmire")
def test_quagmire_shortens_runs_and_charges_and_the_fast_moves_of_ground_vehicles() -> None:
    flyers = [
        squad(at=(20 + 4 * k, 10), vehicle=vehicle(kind)) for k, kind in enumerate(("jetbike", "air-tank", "tank"))
    ]
    position = field("quagmire", squads=tuple(flyers))
    play(position, 0, "quagmire")
    acts: tuple[Act, ...] = ("run", "charge", "attack-move", "rapid-move", "walk", "tactical")
    penalties = {
        row: [changed("move-penalty", 0, About(position.model(row), act=act)) for act in acts] for row in (0, 4, 5, 6)
    }
    slowed = [2, 2, 2, 2, 0, 0]
    assert penalties == {0: slowed, 4: [0] * 6, 5: [0] * 6, 6: slowed}


@covers("starter-cards/moonless-night")
def test_in_a_moonless_night_nobody_sees_beyond_18() -> None:
    position = field("moonless-night")
    assert changed("sight", 60, About(position.model(2))) == 60
    play(position, 0, "moonless-night")
    assert [changed("sight", far, About(position.model(2))) for far in (17, 18, 60)] == [17, 18, 18]


@covers("starter-cards/forced-march")
def test_a_forced_march_lengthens_walks() -> None:
    position = field("forced-march")
    play(position, 0, "forced-march")
    acts: tuple[Act, ...] = ("walk", "tactical", "run", "charge")
    assert [changed("move-bonus", 0, About(position.model(2), act=act)) for act in acts] == [1, 1, 0, 0]


# ---------------------------------------------------------------- tactics


@covers("starter-cards/suppressing-fire")
def test_suppressing_fire_makes_whoever_is_hit_test_pinning() -> None:
    position = field("suppressing-fire")
    assert index.causes("wounds", shot(position)) == ()
    play(position, 0, "suppressing-fire", 0)
    due = (("pinning", "starter-cards/suppressing-fire"),)
    assert [index.causes("wounds", shot(position, by=row, at=3 - row)) for row in (0, 1)] == [due, due]
    assert index.causes("wounds", shot(position, by=2, at=0)) == ()
    assert index.causes("wounds", shot(position)._replace(is_ranged=False)) == ()


@covers("starter-cards/cold-blood")
def test_cold_blood_passes_the_next_pinning_or_rout_test() -> None:
    position = field("cold-blood")
    play(position, 0, "cold-blood", 0)
    leader = position.model(0)
    tests: tuple[Test, ...] = ("fear", "rally")
    assert [succeeds(test, leader) for test in tests] == ["", ""]
    assert succeeds("rout", leader) == "starter-cards/cold-blood"
    assert succeeds("pinning", leader) == ""
    assert (in_play(position, 0), position.hand(0, marks.DISCARD)) == ([], ("cold-blood",))
    assert position.units[0].marks(marks.TACTIC)


@covers("starter-cards/steady-aim")
def test_steady_aim_helps_the_first_rs_test_of_each_model() -> None:
    position = field("steady-aim")
    play(position, 0, "steady-aim", 0)
    first = shot(position, first=True)
    assert total("rs", first) == 12
    assert total("wp", first) == 10
    assert total("rs", shot(position)) == 10
    assert total("rs", first._replace(weapon=FLAMER, fire=FLAMER.fires[0])) == 10
    assert total("rs", first._replace(weapon=gun("grenade", "grenade"))) == 10
    position.model(0).mark(marks.SHOT_BEFORE, 1)
    assert (total("rs", first), total("rs", shot(position, by=1, first=True))) == (10, 12)
    clear_the_turn(position)
    assert total("rs", shot(position, by=1, first=True)) == 10


@covers("starter-cards/onslaught")
def test_an_onslaught_gives_another_attack_in_the_combat_of_a_charge() -> None:
    gunners = squad(1, at=(30, 10), weapons=(CANNON,))
    position = field("onslaught", "onslaught", squads=(gunners,))
    play(position, 0, "onslaught", 0)
    play(position, 0, "onslaught", 2)
    charge = About(position.model(0), position.model(0), position.model(2), is_charging=True)
    assert changed("roa", 2, charge) == 3
    assert changed("roa", 2, charge._replace(is_charging=False)) == 2
    assert changed("roa", 2, charge._replace(is_special=True)) == 2
    assert changed("roa", 2, charge._replace(model=position.model(4))) == 2


@covers("starter-cards/hesitation", "turn/action-points")
@pytest.mark.parametrize(("engaged", "points"), [(False, 1), (True, 1)])
def test_hesitation_takes_an_ap_but_not_the_last(engaged: bool, points: int) -> None:
    position = field("hesitation")
    assert points_of(position.model(2), engaged) == (1 if engaged else 2)
    play(position, 0, "hesitation", 1)
    assert points_of(position.model(2), engaged) == points
    assert points_of(position.model(0), False) == 2


@covers("starter-cards/hesitation", "turn/action-points")
@pytest.mark.parametrize(("engaged", "lost", "points"), [(False, 1, 1), (True, 1, 0), (False, 2, 0)])
def test_hesitation_leaves_what_other_losses_leave(engaged: bool, lost: int, points: int) -> None:
    position = field("hesitation")
    position.model(2).mark(marks.AP_LOST, lost)
    play(position, 0, "hesitation", 1)
    assert points_of(position.model(2), engaged) == points


@covers("starter-cards/hesitation", "cards/tactic", "turn/squad-activation")
def test_hesitation_is_for_enemies_not_yet_activated_and_without_vehicles() -> None:
    tank, others = squad(side=1, at=(30, 30), vehicle=vehicle()), squad(side=1, at=(40, 30))
    position = field("hesitation", squads=(tank, others))
    assert targets(position, 0, cards()["hesitation"]) == [1, 3]
    position.units[1].mark(marks.ACTIVATED, 1)
    assert targets(position, 0, cards()["hesitation"]) == [3]
    push(position, ("squad-ends", 3))
    assert targets(position, 0, cards()["hesitation"]) == []
    assert cannot_play(position, 0, "hesitation") is not None


@covers("starter-cards/smoke")
def test_smoke_is_one_more_light_piece_before_every_shooter_on_the_ground() -> None:
    bikes = squad(side=1, at=(30, 30), vehicle=vehicle("jetbike"))
    position = field("smoke", squads=(bikes,))
    play(position, 0, "smoke", 0)
    assert [total(value, shot(position, by=2, at=0)) for value in ("rs", "wp", "cc")] == [8, 8, 10]
    assert total("rs", shot(position, by=4, at=0)) == 10
    assert total("rs", shot(position, by=0, at=2)) == 10
    assert total("rs", shot(position, by=2, at=0)._replace(is_ranged=False)) == 10


@covers("starter-cards/field-dressing")
def test_field_dressing_restores_a_lost_wound() -> None:
    position = field("field-dressing", squads=(squad(2, at=(30, 10), w=3),))
    card = cards()["field-dressing"]
    assert targets(position, 0, card) == []
    hurt = position.model(5)
    hurt.mark(marks.WOUNDS, 2)
    assert (targets(position, 0, card), choices(position, card, 2)) == ([2], [5])
    play(position, 0, "field-dressing", 2, 5)
    assert hurt.marks(marks.WOUNDS) == 1


@covers("starter-cards/field-dressing")
def test_field_dressing_restores_a_ps_of_a_location() -> None:
    position = field("field-dressing", squads=(squad(at=(30, 10), vehicle=vehicle(ps=2)),))
    tank = position.model(4)
    locations.take(tank, "drive", 2)
    card = cards()["field-dressing"]
    assert choices(position, card, 2) == [(4, "drive")]
    play(position, 0, "field-dressing", 2, (4, "drive"))
    assert locations.ps_left(tank, "drive") == 1


@covers("starter-forces/exercise-one")
def test_the_shop_drill_helps_every_rs_test_of_a_squad() -> None:
    position = field("shop-drills")
    play(position, 0, "shop-drills", 0)
    assert [total("rs", shot(position, by=row)) for row in (0, 1)] == [11, 11]
    assert total("rs", shot(position, by=2, at=0)) == 10


# ---------------------------------------------------------------- equipment


@covers("starter-cards/scope", "cards/equipment")
def test_a_scope_lengthens_one_weapon_without_a_template() -> None:
    gunners = squad(1, at=(30, 10), weapons=(FLAMER, CANNON, RIFLE))
    position = field("scope", squads=(gunners, squad(1, at=(40, 10))))
    card = cards()["scope"]
    assert targets(position, 0, card) == [0, 1, 4]
    assert choices(position, card, 4) == ["cannon", "rifle"]
    play(position, 0, "scope", 4, "cannon")
    model = position.model(4)
    ranges = [changed("range", 24, About(model, weapon=w, fire=w.fires[0])) for w in (CANNON, RIFLE, FLAMER)]
    assert ranges == [30, 24, 24]
    clear_the_turn(position)
    assert changed("range", 24, About(model, weapon=CANNON, fire=CANNON.fires[0])) == 30
    assert changed("range", 24, About(position.model(0), weapon=CANNON, fire=CANNON.fires[0])) == 24


@covers("starter-cards/scope", "core/weapon-profile")
def test_the_range_that_is_shown_is_the_longer_one() -> None:
    position = field("scope")
    model = position.model(0)
    assert measured(model, position.model(2))["rifle"] == 24.0
    play(position, 0, "scope", 0, "rifle")
    assert measured(model, position.model(2))["rifle"] == 30.0


def equipped(name: str, target: int = 0) -> tuple[Position, Model, Model]:
    position = field(name)
    play(position, 0, name, target)
    return position, position.model(0), position.model(1)


@covers("starter-cards/reinforced-plate")
def test_a_reinforced_plate_adds_to_the_armour_of_one_model() -> None:
    _, own, mate = equipped("reinforced-plate")
    assert [total("a", About(model)) for model in (own, mate)] == [11, 10]


@covers("starter-cards/monofilament-blade", "close-combat/ccwr-increase")
def test_a_monofilament_blade_reaches_farther_and_strikes_harder() -> None:
    before = reach(field().model(0))
    _, own, mate = equipped("monofilament-blade")
    assert (reach(own), reach(mate)) == (before + 0.5, before)
    assert [changed("strength", 12, About(model)) for model in (own, mate)] == [13, 12]
    assert changed("strength", 12, About(own, is_ranged=True)) == 12
    assert [strength_with(model, arms(model)[0]) for model in (own, mate)] == [11, 10]
    assert [free_strength(model, arms(model)[0]) for model in (own, mate)] == [12, 10]


@covers("starter-cards/medical-supplies", "abilities/heal")
def test_medical_supplies_give_a_squad_heal_2() -> None:
    position, own, mate = equipped("medical-supplies")
    assert [changed("heal", 0, About(model)) for model in (own, mate, position.model(2))] == [2, 2, 0]


@covers("starter-cards/medical-supplies", "morale/routed-effects")
@pytest.mark.parametrize("routed", [0, 1])
def test_the_routed_have_what_a_card_gives_them_and_nothing_of_their_own(routed: int) -> None:
    position = table(squad(abilities=("stealthy",), marks={marks.ROUTED: routed}))
    model = position.model(0)
    position.hold(0, marks.HAND, ("medical-supplies",))
    position.gain(0, marks.RESOURCES, 9)
    assert not has(model, "medical-supplies")
    play(position, 0, "medical-supplies", 0)
    assert [has(model, name) for name in ("medical-supplies", "stealthy")] == [True, not routed]


@covers("starter-cards/reinforced-plate", "starter-cards/monofilament-blade", "starter-cards/medical-supplies")
@pytest.mark.parametrize("name", ["reinforced-plate", "monofilament-blade", "medical-supplies"])
def test_equipment_that_is_for_no_vehicle(name: str) -> None:
    position = field(name, squads=(squad(at=(30, 10), vehicle=vehicle()),))
    on_squads = cards()[name].on == "friendly-squad"
    assert targets(position, 0, cards()[name]) == ([0] if on_squads else [0, 1])


@covers("starter-cards/generator", "cards/equipment")
@pytest.mark.parametrize("burned", [0, 2])
def test_a_generator_brings_a_resource_that_goes_with_it(burned: int) -> None:
    """9 of which 3 pay for it, one more; a burned one is taken away first."""
    position = field("generator")
    play(position, 0, "generator")
    assert (position.holds(0, marks.RESOURCES), ready(position, 0)) == (10, 7)
    burn(position, 0, burned, "heal")
    to_discard(position, in_play(position, 0)[0])
    assert (position.holds(0, marks.RESOURCES), ready(position, 0)) == (9, 7 - burned)


@covers("starter-cards/generator")
def test_the_last_ready_resource_goes_with_a_generator_if_none_is_burned() -> None:
    position = field("generator")
    play(position, 0, "generator")
    position.gain(0, marks.BURNED, -3)
    to_discard(position, in_play(position, 0)[0])
    assert (position.holds(0, marks.RESOURCES), ready(position, 0)) == (9, 9)


@covers("starter-cards/steady-aim")
@pytest.mark.parametrize("aimed", [0, 1])
def test_steady_aim_needs_no_aim_and_is_for_the_first_of_three_tests(aimed: int) -> None:
    triple = Weapon(id="hmg", title=RIFLE.title, kind="heavy", fires=(Fire(range=24, st=12, rof=3),))
    position = field("steady-aim", squads=(squad(1, at=(12.5, 10), weapons=(triple,), models={marks.AIMED: aimed}),))
    before = needs(position, "hmg", "keep", 2, 2, 2, row=4)
    play(position, 0, "steady-aim", 2)
    after = needs(position, "hmg", "keep", 2, 2, 2, row=4)
    assert [one - other for one, other in zip(after, before, strict=True)] == [2, 0, 0]
