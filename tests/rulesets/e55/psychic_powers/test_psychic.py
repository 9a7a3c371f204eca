"""Chapter 5: psykers, warp charges, powers, psychic weapons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from campale.referee.position import Position, Unit
from campale.rulesets.e55.armies.profile import Line, Mount, Power, Profile, Rule, Weapon
from campale.rulesets.e55.assault_phase.melee import melee_phase
from campale.rulesets.e55.assault_phase.striking import BLOWS, Arm
from campale.rulesets.e55.assault_phase.striking import line_of as blade_of
from campale.rulesets.e55.definitions.units import BROKEN, SHOT, WARP
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.leadership_and_morale.leadership import leadership_test, modified_leadership
from campale.rulesets.e55.psychic_powers.powers import dread, haste, is_awake, line_of, lines_of, ward
from campale.rulesets.e55.psychic_powers.psychic import (
    castable,
    is_target,
    level_of,
    pay,
    psykers,
    renew_charges,
    shooting_fault,
    shooting_lines,
    spend,
    wakeable,
)
from campale.rulesets.e55.shooting_phase.fire import POWERS, declared
from campale.rulesets.e55.shooting_phase.shooting import shoot
from campale.rulesets.e55.turn.acting import Key, act_in_phase, refusal_of
from campale.rulesets.e55.turn.turns import end_turn
from tests.rulesets.e55.kit import changed, first_question, model, play, profile, refused, squad, table, unit, wall

BOLT = Line("ranged", 24.0, 6, False, 3, (Rule("assault", 1),))
ASLEEP, AWAKE = Line("melee", 0.0, 1, True, None), Line("melee", 0.0, 2, True, 2)
STAFF = Weapon("staff", {"en": "staff"}, (ASLEEP,), 1, AWAKE)


def power(
    kind: Literal["shooting", "ward", "haste", "dread", "smite", "overrun"], cost: int = 1, value: int = 0, **more: Any
) -> Power:
    shooting = BOLT if kind == "shooting" else None
    return Power(kind, {"en": kind}, cost, kind, value, shooting=shooting, **more)


def psyker(*powers: Power, level: int = 2, **more: Any) -> Profile:
    return profile("veteran", Mount(STAFF), psyker=level, powers=powers, **more)


def with_powers(*powers: Power, charges: int = 2, **more: Any) -> Position:
    """A psyker, a friendly unit beside him, an enemy unit before him."""
    position = table(
        squad(psyker(*powers), at=(30, 20), **more),
        squad("militia", 2, at=(30, 16)),
        squad("militia", 3, side=1, at=(30, 32)),
    )
    model(position, 0).mark(WARP, charges)
    return position


def cast(position: Position, answers: Sequence[Any] = (), dice: str = "", place: int = 0) -> Any:
    key = ("cast", 0, 0, place)
    return play(act_in_phase(position, str(position.now["phase"])), dice, [key, *answers], position)


def why_not(position: Position, key: Key = ("cast", 0, 0, 0)) -> str:
    found = refusal_of(position, key)
    return "" if found is None else found.rule


# ---------------------------------------------------------------- charges


@pytest.mark.covers("5/psyker")
def test_a_psyker_has_a_level_and_powers_of_his_own() -> None:
    position = with_powers(power("haste"), power("shooting"))
    assert level_of(model(position, 0)) == 2
    assert level_of(model(position, 1)) == 0
    assert [one.row for one in psykers(position, 0)] == [0]
    assert psykers(position, 1) == []
    assert castable(position, 0) == [("cast", 0, 0, 0)]


@pytest.mark.covers("5/warp-charges")
def test_the_charges_are_made_up_to_the_level_and_not_added() -> None:
    position = with_powers(charges=1)
    renew_charges(position.models)
    assert model(position, 0).marks(WARP) == 2
    renew_charges(position.models)
    assert model(position, 0).marks(WARP) == 2
    assert model(position, 1).marks(WARP) == 0


@pytest.mark.covers("5/warp-charges", "5/casting")
def test_a_power_takes_its_cost_from_the_charges_of_the_model() -> None:
    position = with_powers(power("haste", 2, 3))
    cast(position, [0])
    assert model(position, 0).marks(WARP) == 0
    position = with_powers(power("haste", 2, 3), charges=1)
    assert why_not(position) == "5/warp-charges"
    spend(model(position, 0), 1)
    assert model(position, 0).marks(WARP) == 0


# ---------------------------------------------------------------- casting


@pytest.mark.covers("5/casting", "5/casting-details")
def test_what_is_paid_for_succeeds_without_dice() -> None:
    position = with_powers(power("haste", 1, 3))
    played = cast(position, [1])
    assert played.rolls == []
    assert haste(unit(position, 1)) == 3
    assert haste(unit(position, 0)) == 0
    assert "cast" in played.kinds


@pytest.mark.covers("5/casting-details")
def test_powers_are_cast_in_the_owners_turn_when_nothing_else_is_being_resolved() -> None:
    position = with_powers(power("haste", 1, 3))
    act = position.ruleset.book.acts["cast"]
    assert act.phases == ("movement", "shooting", "charges")
    assert castable(position, 1) == []


@pytest.mark.covers("5/casting-details", "4.2/broken-cannot-act")
def test_a_broken_psyker_casts_nothing() -> None:
    position = with_powers(power("haste", 1, 3), broken=1)
    assert why_not(position) == "4.2/broken-cannot-act"
    unit(position, 0).mark(BROKEN, 0)
    assert why_not(position) == ""


@pytest.mark.covers("5/casting-details")
def test_a_psyker_inside_a_transport_casts_nothing() -> None:
    position = table(squad(psyker(power("haste", 1, 3))), squad("carrier", at=(50, 10)))
    model(position, 0).mark(WARP, 2)
    position.take_off(model(position, 0), aboard_of=model(position, 1))
    assert ("cast", 0, 0, 0) in castable(position, 0)
    assert why_not(position) == "5/casting-details"


@pytest.mark.covers("5/casting-details")
def test_a_target_must_be_seen_and_in_the_range_that_the_power_has() -> None:
    position = with_powers(power("dread", 1, 2, range=11.0))
    assert is_target(model(position, 0), power("dread", range=11.0), unit(position, 2))
    assert not is_target(model(position, 0), power("dread", range=10.0), unit(position, 2))
    assert why_not(position) == ""
    assert why_not(with_powers(power("dread", 1, 2, range=10.0))) == "5/casting-details"
    flying = table(squad(psyker(), at=(30, 20)), squad("jump-trooper", side=1, at=(30, 32), aloft=1))
    assert is_target(model(flying, 0), power("dread", range=11.0), unit(flying, 1))


@pytest.mark.covers("5/casting-details")
def test_who_cannot_be_seen_is_no_target() -> None:
    hidden = table(
        squad(psyker(power("dread", 1, 2))),
        squad("militia", side=1, at=(36, 40)),
        pieces=[wall(36, 32, 30, 1)],
    )
    model(hidden, 0).mark(WARP, 2)
    assert not is_target(model(hidden, 0), power("dread"), unit(hidden, 1))
    assert why_not(hidden) == "5/casting-details"
    assert is_target(model(hidden, 0), power("ward"), unit(hidden, 0))


@pytest.mark.covers("5/repeat")
def test_a_power_may_be_cast_again_as_long_as_the_charges_last() -> None:
    position = with_powers(power("haste", 1, 3))
    cast(position, [0])
    assert why_not(position) == ""
    cast(position, [1])
    assert haste(unit(position, 1)) == 3
    assert why_not(position) == "5/warp-charges"


# ---------------------------------------------------------------- what powers do


@pytest.mark.covers("5/casting")
def test_dread_worsens_the_leadership_of_an_enemy_until_the_turn_ends() -> None:
    position = with_powers(power("dread", 1, 2))
    cast(position)
    assert dread(unit(position, 2)) == 2
    assert modified_leadership(unit(position, 2)) == 5
    assert not play(leadership_test(unit(position, 2), "fear"), "3 3", position=position).value
    play(end_turn(position), position=position)
    assert dread(unit(position, 2)) == 0
    assert play(leadership_test(unit(position, 2), "fear"), "3 3", position=position).value


@pytest.mark.covers("5/casting")
def test_a_ward_lasts_through_the_opponents_turn() -> None:
    position = with_powers(power("ward", 1, 5), power("ward", 1, 4))
    cast(position, [1])
    assert ward(unit(position, 1)) == 5
    cast(position, [1], place=1)
    assert ward(unit(position, 1)) == 4
    assert ward(unit(position, 0)) is None
    play(end_turn(position), position=position)
    assert ward(unit(position, 1)) == 4
    position.now["turn"] = 4
    play(end_turn(position), position=position)
    assert ward(unit(position, 1)) is None


@pytest.fixture
def hits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, Hit]]:
    taken: list[tuple[int, Hit]] = []

    async def take(target: Unit, given: Sequence[Hit]) -> None:
        taken.extend((target.row, hit) for hit in given)

    monkeypatch.setattr(resolving, "take_hits", take)
    return taken


@pytest.mark.covers("5/casting")
def test_a_smite_hits_one_model_of_the_psykers_choice(hits: list[tuple[int, Hit]]) -> None:
    position = with_powers(power("smite", 1, 6))
    played = cast(position, [4])
    assert played.prompts == [str(position.now["phase"]), "smitten"]
    ((row, hit),) = hits
    assert row == 2
    assert (hit.strength, hit.ap, hit.target, hit.by_unit, hit.by_model) == (6, None, 4, 0, 0)


@pytest.mark.covers("4.1/trigger-overrun")
def test_an_overrun_makes_its_target_test_its_morale() -> None:
    position = with_powers(power("overrun"))
    assert cast(position, dice="6 2 | 1 1").rolls == ["overrun", "fall-back"]
    assert unit(position, 2).marks(BROKEN)


# ---------------------------------------------------------------- shooting powers


@pytest.mark.covers("5/shooting-power")
def test_shooting_powers_are_declared_with_the_weapons_and_cast_in_no_act() -> None:
    position = with_powers(power("shooting", 2))
    assert castable(position, 0) == []
    (offered,) = shooting_lines(model(position, 0))
    assert offered.shooting == BOLT
    pay(model(position, 0), offered)
    assert model(position, 0).marks(WARP) == 0
    assert shooting_lines(model(with_powers(power("shooting", 2), charges=1), 0)) == ()


@pytest.mark.covers("5/shooting-power-once", "5/repeat")
def test_a_shooting_power_is_cast_once_in_a_turn_by_the_same_model() -> None:
    bolt = power("shooting", 1)
    position = table(squad(psyker(bolt), 2, at=(30, 20)))
    for row in (0, 1):
        model(position, row).mark(WARP, 2)
    pay(model(position, 0), bolt)
    fault = shooting_fault(model(position, 0), bolt)
    assert fault is not None
    assert fault.rule == "5/shooting-power-once"
    assert shooting_fault(model(position, 1), bolt) is None
    play(end_turn(position), position=position)
    assert shooting_fault(model(position, 0), bolt) is None


@pytest.mark.covers("5/warp-charges", "5/shooting-power")
@pytest.mark.parametrize("type", ["monster", "bike"])
@pytest.mark.parametrize(("charges", "cast"), [(1, 1), (2, 2)])
def test_powers_that_are_declared_together_are_paid_for_together(type: str, charges: int, cast: int) -> None:
    """A monster fires all that it has, a bike with two riders two weapons."""
    other = Power("other", {"en": "other"}, 1, "shooting", shooting=BOLT)
    both = changed(psyker(power("shooting"), other), type=type, riders=2, x=12, mounts=())
    position = table(squad(both, at=(30, 20), faces=1), squad("militia", side=1, at=(30, 32)))
    model(position, 0).mark(WARP, charges)
    question = first_question(shoot(position, ("shoot", 0)))
    twice = [("fire", POWERS, 0, 1), ("fire", POWERS + 1, 0, 1)]
    assert refused(question, twice) == ("5/warp-charges" if cast == 1 else "")
    assert refused(question, [twice[0], ("hold",)]) == ""
    played = play(shoot(position, ("shoot", 0)), position=position, accepting=True)
    assert played.prompts == ["shots"]
    assert len(declared(position)) == cast
    assert model(position, 0).marks(WARP) == charges - cast


# ---------------------------------------------------------------- psychic equipment


@pytest.mark.covers("5/psychic-equipment")
def test_a_psychic_weapon_is_switched_on_for_the_phase_by_its_charges() -> None:
    position = with_powers()
    key = ("awaken", 0, 0, 0)
    assert wakeable(position, 0) == []
    position.now["phase"] = "charges"
    assert wakeable(position, 0) == [key]
    assert lines_of(model(position, 0), STAFF) == (ASLEEP,)
    position.now["phase"] = "charges"
    play(act_in_phase(position, "charges"), "", [key], position)
    assert model(position, 0).marks(WARP) == 1
    for phase in ("charges", "defence", "melee"):
        position.now["phase"] = phase
        assert is_awake(model(position, 0), STAFF)
        assert line_of(model(position, 0), STAFF) == AWAKE
    assert why_not(position, key) == "5/psychic-equipment"
    position.now["phase"] = "movement"
    assert line_of(model(position, 0), STAFF) == ASLEEP


def defending(charges: int, combat: int = 1) -> Position:
    position = table(
        squad("militia", at=(30, 20), combat=combat), squad(psyker(), side=1, at=(30, 21), combat=combat), phase="melee"
    )
    model(position, 1).mark(WARP, charges)
    return position


@pytest.mark.covers("5/psychic-equipment", "5/warp-charges")
def test_what_is_left_of_the_charges_serves_a_psychic_weapon_in_the_opponents_turn() -> None:
    position = defending(1)
    played = play(melee_phase(position), "", [("awaken", 1, 1, 0)], position)
    assert [question.side for question in played.questions] == [1]
    assert played.questions[0].suggestions()[0] == ("awaken", 1, 1, 0)
    assert is_awake(model(position, 1), STAFF)
    assert model(position, 1).marks(WARP) == 0
    position = defending(1)
    play(melee_phase(position), "", [("done",)], position)
    assert not is_awake(model(position, 1), STAFF)


@pytest.mark.covers("5/psychic-equipment", "5/warp-charges")
def test_nobody_is_asked_without_charges_out_of_a_combat_or_in_his_own_turn() -> None:
    assert not play(melee_phase(defending(0))).prompts
    assert not play(melee_phase(defending(1, combat=0))).prompts
    position = defending(1)
    position.now["side"] = 1
    assert not play(melee_phase(position)).prompts


@pytest.mark.covers("5/psychic-equipment", "3.2/declare-first")
def test_a_gun_is_switched_on_before_its_fire_is_declared() -> None:
    gun = Weapon("gun", {"en": "gun"}, (BOLT,), 1, BOLT)
    position = table(squad(profile("veteran", Mount(gun), psyker=1)))
    model(position, 0).mark(WARP, 1)
    key = ("awaken", 0, 0, 0)
    assert wakeable(position, 0) == [key]
    assert why_not(position, key) == ""
    unit(position, 0).mark(SHOT, 1)
    assert why_not(position, key) == "3.2/declare-first"
    for phase in ("movement", "charges"):
        position.now["phase"] = phase
        assert wakeable(position, 0) == []


@pytest.mark.covers("5/psychic-equipment")
def test_who_has_no_charges_cannot_switch_it_on() -> None:
    position = with_powers(charges=0)
    assert why_not(position, ("awaken", 0, 0, 0)) == "5/warp-charges"
    bearer = table(squad(profile("veteran", Mount(STAFF))))
    assert why_not(bearer, ("awaken", 0, 0, 0)) == "5/warp-charges"


@pytest.mark.covers("5/psychic-equipment")
def test_a_psychic_weapon_that_is_on_strikes_with_its_other_profile() -> None:
    position = with_powers()
    blow = Arm(0, BLOWS)
    position.now["phase"] = "charges"
    assert blade_of(model(position, 0), blow) == ASLEEP
    play(act_in_phase(position, "charges"), "", [("awaken", 0, 0, 0)], position)
    position.now["phase"] = "melee"
    assert blade_of(model(position, 0), blow) == AWAKE
