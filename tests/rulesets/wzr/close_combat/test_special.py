"""Special Combat Actions: who may use which on whom, and what comes of them."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push
from campale.referee.position import Position
from campale.referee.refusal import Refusal
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.attack import Attack, Onset, can_attack, candidates
from campale.rulesets.wzr.close_combat.combat import blows_of
from campale.rulesets.wzr.close_combat.special import SPECIALS, of_another_base
from campale.rulesets.wzr.close_combat.strength import arm_of
from campale.rulesets.wzr.close_combat.throwing import bars_landing, landing_hit
from campale.rulesets.wzr.squads.squads import is_pinned
from campale.rulesets.wzr.turn.menu import cannot_take
from tests.rulesets.wzr.kit import finish, piece, squad, table, vehicle
from tests.rulesets.wzr.melee import GRENADE, attacks, begin, blade, facing_off, fields_of, form, gone, needs

covers = pytest.mark.covers

BEHIND: dict[str, Any] = {"facing": 0.0}
"""An enemy who turns its Rear to the one before whom it stands."""


def together(own: dict[str, Any], foe: dict[str, Any] | None = None, friend: bool = True) -> Position:
    """One behind an enemy in contact, and a friend on the other side of it."""
    position = facing_off(own, {**BEHIND, **(foe or {})})
    if not friend:
        return position
    enemy = position.model(1)
    far = enemy.profile.shape.radius + 0.6
    return table(
        squad(**{"at": (20.0, 10.0), **own}),
        squad(side=1, at=enemy.at, **{**BEHIND, **(foe or {})}),
        squad(at=(enemy.x, enemy.y + far), facing=180.0),
    )


def refusal(position: Position, name: str, row: int = 0) -> str:
    found = cannot_take(position.model(row), name)
    assert found is None or isinstance(found, Refusal) or found.rule
    return "" if found is None else found.rule


# ---------------------------------------------------------------- whose, how often


@covers("close-combat/special-by-base", "close-combat/special-general")
@pytest.mark.parametrize(
    ("base", "names"),
    [
        ("small", {"backstab", "hold-small"}),
        ("medium", {"brutal-attack", "cleave", "throw", "hold-medium"}),
        ("large", {"crush", "hurl"}),
    ],
)
def test_each_base_has_its_own(base: str, names: set[str]) -> None:
    model = facing_off({"base": base}).model(0)
    assert {name for name, one in SPECIALS.items() if of_another_base(one, model) is None} == names
    walker = facing_off({"base": base, "vehicle": vehicle()}).model(0)
    assert all(of_another_base(one, walker) for one in SPECIALS.values())


@covers("close-combat/special-general", "turn/action-once", "actions/combat")
def test_a_special_action_is_in_place_of_a_combat_action() -> None:
    position = facing_off({"base": "medium"})
    model = position.model(0)
    begin(model)
    assert (refusal(position, "brutal-attack"), refusal(position, "combat")) == ("", "")
    for done in ("combat", "cleave", "trample"):
        model.jot(marks.DONE, (done,))
        assert refusal(position, "brutal-attack") == "close-combat/special-general"
    for done in ("cleave", "trample"):
        model.jot(marks.DONE, (done,))
        assert refusal(position, "combat") == "close-combat/special-general"


@covers("close-combat/special-general", "turn/action-once", "actions/charge")
@pytest.mark.parametrize(
    ("name", "rule", "word"),
    [
        ("combat", "turn/action-once", ""),
        ("brutal-attack", "close-combat/special-general", "one-attack"),
        ("charge", "actions/charge", "one-attack"),
    ],
)
def test_whoever_has_fought_is_told_why_it_fights_no_more(name: str, rule: str, word: str) -> None:
    position = facing_off({"base": "medium"})
    begin(position.model(0))
    position.model(0).jot(marks.DONE, ("combat",))
    found = cannot_take(position.model(0), name)
    assert found is not None
    assert (found.rule, found.word) == (rule, word)


@covers("close-combat/engaged-ap", "close-combat/special-general")
def test_the_engaged_may_use_them_with_their_one_point() -> None:
    position = facing_off({"base": "medium", "models": {marks.BEGAN_ENGAGED: 1}})
    begin(position.model(0), 1)
    assert refusal(position, "cleave") == ""
    assert refusal(position, "trample") == "close-combat/engaged-ap"


@covers("close-combat/special-roa", "cards/burn-rof")
def test_roa_is_one() -> None:
    position = facing_off({"base": "medium", "blades": (blade(roa=4),)})
    assert attacks(position, name="brutal-attack", dice="13").rolls == ["cc-test"]


@covers("close-combat/special-type")
@pytest.mark.parametrize(("type", "told"), [("piercing", "piercing"), ("fire", "fire")])
def test_piercing_but_for_a_weapon_with_a_type_of_its_own(type: str, told: str) -> None:
    position = facing_off({"base": "medium", "blades": (blade(type=type),)})
    (blow,) = blows_of(position, Attack(0, "brutal-attack", "sword", (), (1,)))
    assert blow.type == told


@covers("close-combat/special-type", "core/melee-weapon-profile")
@pytest.mark.parametrize(("name", "told"), [("sword", "piercing"), ("torch", "fire")])
def test_of_several_weapons_one_is_chosen_for_the_action(name: str, told: str) -> None:
    position = facing_off({"base": "medium", "blades": (blade(), blade("torch", type="fire"))})
    asked = fields_of(form(position.model(0), "brutal-attack"))
    assert (asked.prompt, asked.options()) == ("melee-arm", ["sword", "torch"])
    assert [one.type for one in blows_of(position, Attack(0, "brutal-attack", name, (), (1,)))] == [told]
    attacks(position, name="brutal-attack", dice="1", details=[name])
    assert gone(position) == [1]


@covers("close-combat/special-general", "armoury/grenade-antivehicle-melee")
def test_with_contact_grenades_there_is_none() -> None:
    position = facing_off({"base": "medium", "weapons": (GRENADE,)})
    assert attacks(position, name="brutal-attack", dice="13").prompts == []


# ---------------------------------------------------------------- Backstab


@covers("close-combat/backstab", "close-combat/rear-bonus", "armour/halved")
@pytest.mark.parametrize(("die", "lost"), [(6, []), (7, [1])])
def test_a_backstab_is_against_half_armour_without_the_rear_bonus(die: int, lost: list[int]) -> None:
    position = facing_off(foe={**BEHIND, "a": 12})
    attacks(position, name="backstab", dice=f"12 {die}")
    assert gone(position) == lost
    assert attacks(facing_off(foe=BEHIND), name="backstab", dice="13").rolls == ["cc-test"]


@covers("close-combat/backstab")
@pytest.mark.parametrize(
    ("foe", "is_so"),
    [
        ({**BEHIND}, True),
        ({"facing": 180.0}, False),
        ({**BEHIND, "base": "medium"}, True),
        ({**BEHIND, "base": "large"}, False),
    ],
)
def test_from_behind_a_small_or_medium_base(foe: dict[str, Any], is_so: bool) -> None:
    assert can_attack("backstab", facing_off(foe=foe).model(0)) is is_so


# ---------------------------------------------------------------- Hold Him


@covers("close-combat/hold-small", "close-combat/hold-medium")
@pytest.mark.parametrize(
    ("own", "foe", "friend", "is_so"),
    [
        ({}, {}, True, True),
        ({}, {}, False, False),
        ({}, {"facing": 180.0}, True, False),
        ({}, {"base": "medium"}, True, True),
        ({}, {"base": "large"}, True, False),
        ({"base": "medium"}, {"base": "large"}, True, True),
        ({"base": "medium"}, {"base": "large", "vehicle": vehicle()}, True, True),
        ({"base": "medium"}, {}, False, False),
    ],
)
def test_who_can_be_held(own: dict[str, Any], foe: dict[str, Any], friend: bool, is_so: bool) -> None:
    name = "hold-medium" if own else "hold-small"
    assert can_attack(name, together(own, foe, friend).model(0)) is is_so


@covers("close-combat/hold-medium")
@pytest.mark.parametrize(("apart", "is_so"), [(0.0, True), (0.5, False)])
def test_holding_needs_contact(apart: float, is_so: bool) -> None:
    own: dict[str, Any] = {"base": "medium"}
    position = facing_off(own, BEHIND, apart=apart)
    enemy = position.model(1)
    three = table(
        squad(at=(20, 10), **own), squad(side=1, at=enemy.at, **BEHIND), squad(at=(20, enemy.y + 1.2), facing=180.0)
    )
    assert can_attack("hold-medium", three.model(0)) is is_so


@covers("close-combat/hold-small", "close-combat/hold-medium", "core/linked")
@pytest.mark.parametrize("base", ["small", "medium"])
def test_whoever_is_held_takes_no_wound_and_is_struck_by_linked_attacks(base: str) -> None:
    position = together({"base": base})
    name = f"hold-{base}"
    assert attacks(position, name=name, dice="12").rolls == ["cc-test"]
    assert position.model(1).marks(marks.HELD) == 1
    assert attacks(position, row=2, dice="19 13", answers=["linked"]).rolls == ["cc-test"] * 2
    position = together({"base": base})
    attacks(position, name=name, dice="13")
    assert position.model(1).marks(marks.HELD) == 0


# ---------------------------------------------------------------- Brutal Attack, Crush


@covers("close-combat/brutal-attack", "morale/pinning-test")
@pytest.mark.parametrize(("die", "pinned"), [(10, False), (11, True)])
def test_a_brutal_attack_that_removes_pins_at_minus_four(die: int, pinned: bool) -> None:
    position = table(squad(at=(20, 10), base="medium"), squad(2, side=1, at=[(30, 30), (20, 11.4)]))
    played = attacks(position, name="brutal-attack", dice=f"1 {die}")
    assert (played.rolls[-1], is_pinned(position.model(1))) == ("pinning", pinned)


@covers("close-combat/brutal-attack")
def test_without_a_loss_nobody_tests() -> None:
    position = table(squad(at=(20, 10), base="medium"), squad(2, side=1, at=[(20, 11.4), (30, 30)]))
    assert attacks(position, name="brutal-attack", dice="5 12").rolls == ["cc-test", "armour"]


@covers("close-combat/crush", "core/critical")
@pytest.mark.parametrize(("w", "lost"), [(3, [1]), (4, [])])
def test_a_crush_costs_three_wounds(w: int, lost: list[int]) -> None:
    position = facing_off({"base": "large"}, {"w": w})
    attacks(position, name="crush", dice="5 20")
    assert gone(position) == lost


@covers("close-combat/crush", "close-combat/special-general", "actions/charge-bonus")
def test_a_crush_has_the_weapons_and_the_charges_strength() -> None:
    position = facing_off({"base": "large", "blades": (blade(st=2, avv=1),)})
    (blow,) = blows_of(position, Attack(0, "crush", "sword", (), (1,), onset=tuple(Onset(3, 1))))
    assert (blow.st, blow.avv, blow.critical, blow.rules) == (15, 2, 3, ("crush",))


@covers("close-combat/crush", "close-combat/hurl-test", "close-combat/throw-test")
@pytest.mark.parametrize(
    ("name", "own", "foe", "is_so"),
    [
        ("crush", "large", "medium", True),
        ("crush", "large", "large", False),
        ("hurl", "large", "medium", True),
        ("hurl", "large", "large", False),
        ("throw", "medium", "small", True),
        ("throw", "medium", "medium", False),
    ],
)
def test_only_smaller_bases(name: str, own: str, foe: str, is_so: bool) -> None:
    assert can_attack(name, facing_off({"base": own}, {"base": foe}).model(0)) is is_so


# ---------------------------------------------------------------- Cleave


@covers("close-combat/cleave")
def test_a_cleave_strikes_everybody_in_front_and_reach_once_at_unmodified_strength() -> None:
    position = table(
        squad(at=(20, 10), base="medium", st=9, blades=(blade(st=3, roa=3, avv=2),)),
        squad(3, side=1, at=[(20, 11.9), (18.4, 11), (20, 8)], facing=180.0),
    )
    onset = tuple(Onset(2, 0))
    found = blows_of(position, Attack(0, "cleave", "sword", (), (1, 2), onset=onset))
    assert [(blow.target, blow.st, blow.avv) for blow in found] == [(1, 9, 2), (2, 9, 2)]
    position.model(0).mark(marks.APPROACHED, 1)
    assert attacks(position, name="cleave", dice="13 14").rolls == ["cc-test"] * 2


# ---------------------------------------------------------------- Throw, Hurl


@covers("close-combat/throw-test", "close-combat/throw-placement", "close-combat/throw-no-free-strike")
def test_a_thrown_victim_lands_where_the_throwers_player_likes() -> None:
    """And keeps its facing."""
    position = facing_off({"base": "medium"})
    victim = position.model(1)
    played = attacks(position, name="throw", dice="12 5", answers=[[[21.0, 14.0, 90.0]]])
    assert (victim.at, victim.facing, played.rolls) == ((21.0, 14.0), 180.0, ["cc-test", "armour"])
    assert played.questions[1].side == 0
    position = facing_off({"base": "medium"})
    assert attacks(position, name="throw", dice="13").prompts == []


@covers("close-combat/throw-placement", "close-combat/hurl-test", "core/measuring")
@pytest.mark.parametrize(
    ("name", "base", "at", "is_free"),
    [
        ("throw", "medium", (20.0, 15.4), True),
        ("throw", "medium", (20.0, 15.41), False),
        ("hurl", "large", (20.0, 17.6), True),
        ("hurl", "large", (20.0, 17.61), False),
        ("throw", "medium", (24.0, 9.41), True),
        ("throw", "medium", (24.0, 9.3), False),
        ("throw", "medium", (17.0, 13.0), False),
        ("throw", "medium", (23.0, 13.0), False),
    ],
)
def test_where_it_may_land(name: str, base: str, at: tuple[float, float], is_free: bool) -> None:
    """In the Front, near enough, on nobody, on no impassable ground."""
    pool = piece((22, 12), (2, 2), ("impassable",))
    position = table(
        squad(2, at=[(20, 10), (17, 13)], of=[{"base": base}]), squad(side=1, at=(20, 11.4)), pieces=[pool]
    )
    thrower, victim = position.model(0), position.model(2)
    assert (bars_landing(thrower, victim, SPECIALS[name], *at, 0.0) is None) is is_free


@covers("close-combat/throw-placement")
def test_past_others_it_may_fly() -> None:
    position = table(squad(2, at=[(20, 10), (20, 13)], of=[{"base": "medium"}]), squad(side=1, at=(20, 11.4)))
    attacks(position, name="throw", dice="12 5", answers=[[[20.0, 15.0, 0.0]]])
    assert position.model(2).at == (20.0, 15.0)


def on_a_roof(base: str, z: float, **options: bool) -> Position:
    roof = piece((18, 8), (4, 4.1), (), z, floors=(z,), name="roof")
    return table(
        squad(at=(20, 10), base=base, z=z, st=9), squad(side=1, at=(20, 11.4), z=z), pieces=[roof], options=options
    )


@covers("close-combat/throw-hit", "close-combat/throw-lower-level", "close-combat/hurl-hit", "core/rounding")
@pytest.mark.parametrize(
    ("name", "drop", "options", "st"),
    [
        ("throw", 0.0, {}, 13),
        ("throw", 2.9, {}, 15),
        ("throw", 3.0, {}, 16),
        ("hurl", 3.0, {}, 16),
        ("hurl", 3.0, {"hurl_drop": False}, 13),
        ("throw", 3.0, {"hurl_drop": False}, 16),
    ],
)
def test_the_landing_hits_at_plus_four_and_more_from_above(
    name: str, drop: float, options: dict[str, bool], st: int
) -> None:
    position = facing_off({"base": "medium", "st": 9, "blades": (blade(st=3),)}, options=options)
    hit = landing_hit(position.model(0), position.model(1), SPECIALS[name], drop)
    assert (hit.st, hit.type, hit.power_shot) == (st, "piercing", False)


@covers("close-combat/throw-placement", "close-combat/throw-lower-level", "core/levels")
def test_from_a_roof_the_victim_falls() -> None:
    position = on_a_roof("medium", 3.0)
    played = attacks(position, name="throw", dice="12 5", answers=[[[20.0, 14.0, 0.0, 0.0]]])
    assert (position.model(1).z, played.rolls) == (0.0, ["cc-test", "armour"])
    assert needs(played, "armour") == [12 - (9 + 4 + 3 - 10)]


@covers("close-combat/throw-placement", "close-combat/hurl-test", "structures/intact")
@pytest.mark.parametrize(
    ("y", "z", "is_free"), [(14.0, 0.0, False), (14.6, 0.0, True), (11.7, 3.0, True), (11.9, 3.0, False)]
)
@pytest.mark.parametrize(("name", "base"), [("throw", "medium"), ("hurl", "large")])
def test_below_it_lands_on_nobody_and_above_within_the_floor(
    name: str, base: str, y: float, z: float, is_free: bool
) -> None:
    """The roof ends at 12.4; another model stands on the table at 13.4."""
    roof = piece((18, 8), (4, 4.4), ("intact",), 3.0, floors=(3.0,), name="roof")
    position = table(
        squad(at=(20, 10), base=base, z=3.0),
        squad(side=1, at=(20, 11.4), z=3.0),
        squad(side=1, at=(20, 13.4), z=0.0),
        pieces=[roof],
    )
    found = bars_landing(position.model(0), position.model(1), SPECIALS[name], 20.0, y, z)
    assert (found is None) is is_free


@covers("abilities/berserk-actions", "close-combat/special-general")
@pytest.mark.parametrize(("berserk", "rows"), [(0, [2]), (1, [])])
def test_a_berserker_uses_them_on_the_nearest_enemy_alone(berserk: int, rows: list[int]) -> None:
    """The nearest is too large to be thrown, the next would do."""
    position = table(
        squad(at=(20, 10), base="medium", models={marks.BERSERK: berserk}),
        squad(side=1, at=(19.3, 11.5), base="medium"),
        squad(side=1, at=(21.4, 11.2)),
    )
    model = position.model(0)
    assert candidates(model, arm_of(model, "bare"), "throw") == rows


@covers("close-combat/throw-placement")
def test_without_a_place_nothing_comes_of_it() -> None:
    ring = piece((10, 8.9), (20, 11), ("impassable",))
    position = table(squad(at=(20, 10), base="medium"), squad(side=1, at=(20, 11.4)), pieces=[ring])
    push(position, ("thrown", 0, 1, "throw"))
    played = finish(position)
    assert ("no-landing" in played.kinds, position.model(1).at) == (True, (20.0, 11.4))
