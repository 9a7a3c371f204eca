"""The odds of a Fire: by hand, as the plain enumeration tells them, and as the referee plays."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campale.dice import odds
from campale.dice.odds import first_suggestion
from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.morale import psychology
from campale.rulesets.ragnarok.morale.psychology import go_prone
from campale.rulesets.ragnarok.odds import forecasts, shooting_odds
from campale.rulesets.ragnarok.shooting.fire import (
    REACTION,
    SUPPRESSIVE,
    THROWERS_MODIFIERS,
    Shot,
    aiming_of,
    shoot,
    to_hit,
)
from campale.rulesets.ragnarok.shooting.thrown import throw
from campale.rulesets.ragnarok.turn.actions import fire_weapons, shooting_fields, those_who_stand_first
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from tests.rulesets.ragnarok.kit import a, face_off, question_after, table, way
from tests.rulesets.simulated import adds_up, chances, is_near, played, simulated, step

SCREEN = (a("raider", 1, at=(60, 20), facing=0),)


def told(position: Position, **how: Any) -> Forecast:
    return forecasts.forecast(position, Shot(0, 1, 0, **how))


@pytest.mark.covers("fire/sequence", "fire/saves", "equipment-profile/shield-save", "wounds/out-of-action")
def test_the_stages_of_a_fire_are_those_worked_out_by_hand() -> None:
    """Two dice on 4+; a shield on 5+, armour on 6+; lethal with a 6 and an armour die of 1; one wound."""
    found = told(face_off(20))
    assert [one.kind for one in found.steps][:4] == ["hits", "past-shield", "unsaved", "out-of-action"]
    assert chances(found, "hits") == pytest.approx({0: 1 / 4, 1: 1 / 2, 2: 1 / 4})
    assert chances(found, "past-shield") == pytest.approx({0: 4 / 9, 1: 4 / 9, 2: 1 / 9})
    one = 5 / 18
    assert chances(found, "unsaved") == pytest.approx({0: (1 - one) ** 2, 1: 2 * one * (1 - one), 2: one**2})
    assert chances(found, "out-of-action") == pytest.approx({0: (1 - one) ** 2, 1: 1 - (1 - one) ** 2})
    assert (found.dice, found.decided, found.gap) == (2, (), "")


def out_of_action(position: Position, _: Any) -> int:
    return sum(not is_able(model) for model in position.models if model.side == 1)


CASES: dict[str, tuple[Position, dict[str, Any]]] = {
    "plain": (face_off(20), {}),
    "steam": (face_off(20), {"doubling": "steam"}),
    "in reaction": (face_off(20), {"kind": REACTION}),
    "past a screen": (face_off(20, "steam_rifleman", "raider", *SCREEN), {}),
    "four dice": (face_off(20, "anvil_turret", "piston_cuirassier"), {}),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.covers("fire/sequence", "wounds/out-of-action")
def test_a_forecast_is_the_plain_enumeration_of_the_shooting(case: str) -> None:
    position, how = CASES[case]
    plain = odds.exact(position, lambda p: shoot(p, Shot(0, 1, 0, **how)), outcome=out_of_action)
    found = told(position, **how)
    assert chances(found, "out-of-action") == pytest.approx({n: float(p) for n, p in plain.outcomes.items()})
    assert adds_up(found)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.covers("fire/sequence")
def test_a_forecast_is_what_the_referee_plays(case: str) -> None:
    position, how = CASES[case]

    def once(rng: Random) -> int:
        copy = position.copy()
        played(shoot(copy, Shot(0, 1, 0, **how)), first_suggestion, rng)
        return out_of_action(copy, None)

    assert is_near(simulated(once), step(told(position, **how), "out-of-action"))


@pytest.mark.covers("suppressive-fire/effect", "suppressive-fire/action")
def test_suppressive_fire_is_told_up_to_its_markers() -> None:
    found = told(face_off(20), kind=SUPPRESSIVE)
    assert [one.kind for one in found.steps] == ["hits", "markers", "pinned"]
    assert step(found, "markers").mean == pytest.approx(2 * 1 / 2 * 2)
    assert chances(found, "markers")[6] == pytest.approx(1 / 36)
    assert found.ways == (SUPPRESSIVE,)


@pytest.mark.covers("overlap/enemy-covers", "opt-night/spotting")
def test_a_screen_and_the_night_are_stages_of_their_own() -> None:
    behind = told(face_off(20, "steam_rifleman", "raider", *SCREEN))
    assert behind.steps[0].kind == "past-screen"
    assert chances(behind, "past-screen") == pytest.approx({0: 1 / 2, 1: 1 / 2})
    assert "past-shield" not in [one.kind for one in behind.steps]
    dark = told(face_off(20, night=1))
    assert dark.steps[0].kind == "spotted"


@pytest.mark.covers("fire/range")
@pytest.mark.parametrize(("gap", "word"), [(40, ""), (100, "out-of-range")])
def test_beyond_the_range_there_is_nothing_to_tell(gap: float, word: str) -> None:
    found = told(face_off(gap))
    assert found.gap == word
    assert bool(found.steps) == (word == "")


@pytest.mark.covers("weapon-rules/salvo", "weapon-rules/steam", "fire/sequence")
def test_every_way_to_shoot_is_told_and_the_position_stays_as_it_is() -> None:
    position = face_off(20)
    before = position.to_bytes()
    found = forecasts.forecasts(position, 0, 1)
    assert [one.ways for one in found][:5] == [(), ("steam",), (SUPPRESSIVE,), (SUPPRESSIVE, "steam"), ("charge",)]
    assert all(one.ways[0] == "charge" for one in found[5:])
    assert all(adds_up(one) for one in found)
    assert forecasts.forecasts(position, 0, 0) == []
    assert position.to_bytes() == before


# ---------------------------------------------------------------- nerves


NERVES: dict[str, tuple[Position, dict[str, Any]]] = {
    "a wounded giant": (face_off(20, "anvil_turret", "piston_cuirassier"), {}),
    "suppressed already": (face_off(20, "steam_rifleman", "piston_cuirassier", other={"suppressed": 1}), {}),
    "suppressive": (face_off(20), {"kind": SUPPRESSIVE}),
    "shaken already": (face_off(20, other={"morale": 6}), {"kind": SUPPRESSIVE}),
}


async def shot_and_tests(position: Position, how: dict[str, Any]) -> str:
    await shoot(position, Shot(0, 1, 0, **how))
    model = position.model(1)
    was_suppressed = model.marks("suppressed")
    if psychology.must_test_suppression(model):
        await psychology.suppression_test(model)
        if not model.is_on_table:
            return "flees"
    return "suppressed" if model.marks("suppressed") > was_suppressed else ""


async def shot_and_pinning(position: Position, how: dict[str, Any]) -> bool:
    await shoot(position, Shot(0, 1, 0, **how))
    if psychology.must_test_pinning(position.model(1)):
        await psychology.pinning_test(position.model(1))
    return bool(position.model(1).marks("prone"))


@pytest.mark.parametrize("case", NERVES)
@pytest.mark.covers("pinning/effect", "suppression/effect", "suppression/flight", "fire/morale-marker")
def test_whose_nerves_fail_is_the_plain_enumeration_of_shot_and_tests(case: str) -> None:
    position, how = NERVES[case]
    found = told(position, **how)
    kinds = [one.kind for one in found.steps]
    pinned = odds.exact(position, lambda p: shot_and_pinning(p, how))
    assert chances(found, "pinned")[1] == pytest.approx(float(pinned[True]), abs=1e-12)
    tested = odds.exact(position, lambda p: shot_and_tests(p, how))
    for kind in ("suppressed", "flees"):
        expected = float(tested[kind])
        assert (kind in kinds) is (expected > 0)
        assert not expected or chances(found, kind)[1] == pytest.approx(expected, abs=1e-12)
    assert adds_up(found)


# ---------------------------------------------------------------- thrown


def throwing(gap: float, weapon: str, *more: Any, **given: Any) -> tuple[Position, Shot]:
    position = face_off(gap, "steam_rifleman", "raider", *more, one={"adds": (weapon,)}, **given)
    places = [k for k, one in enumerate(position.profiles[0].weapons) if one.kind == "thrown"]
    return position, Shot(0, 1, places[0])


THROWN = {
    "near": throwing(6, "hand_bomb"),
    "far": throwing(44, "hand_bomb"),
    "among friends": throwing(30, "hand_bomb", a("raider", 1, at=(62, 42)), a("steam_rifleman", 0, at=(57, 42))),
    "by night": throwing(35, "hand_bomb", night=1),
}


def at_target(question: Any) -> Any:
    return 1 if question.prompt == "throw-at" else first_suggestion(question)


@pytest.mark.parametrize("case", THROWN)
@pytest.mark.covers("weapon-rules/thrown", "weapon-rules/blast", "opt-night/spotting")
def test_what_is_thrown_is_the_plain_enumeration_of_the_throw(case: str) -> None:
    position, shot = THROWN[case]
    plain = odds.exact(position, lambda p: throw(p, replace(shot, target=-1)), at_target, out_of_action)
    found = forecasts.forecast(position, shot)
    expected = {n: float(p) for n, p in plain.outcomes.items()}
    assert chances(found, "out-of-action") == pytest.approx(expected, abs=1e-12)
    assert adds_up(found)
    assert ("hits-friends" in [one.kind for one in found.steps]) is (case == "among friends")
    assert found.dice == 1


@pytest.mark.covers("weapon-rules/thrown")
def test_what_is_thrown_is_what_the_referee_plays() -> None:
    position, shot = THROWN["among friends"]

    def once(rng: Random) -> int:
        copy = position.copy()
        played(throw(copy, replace(shot, target=-1)), at_target, rng)
        return out_of_action(copy, None)

    assert is_near(simulated(once), step(forecasts.forecast(position, shot), "out-of-action"))


def of_throw(position: Position, prompt: str, answer: Any) -> Forecast:
    found = forecasts.forecast_of(position, Asked(prompt, model=0, blast=4), answer)  # type: ignore[arg-type]
    assert found is not None
    return found


def at_point(position: Position, question: Any) -> Any:
    if question.prompt == "throw-point":
        return list(position.model(1).at)
    return "point" if question.prompt == "throw-at" else first_suggestion(question)


@pytest.mark.parametrize("case", ["near", "far", "among friends"])
@pytest.mark.covers("weapon-rules/thrown", "weapon-rules/blast")
def test_a_point_or_a_target_named_after_the_roll_is_the_enumeration_of_what_was_hit(case: str) -> None:
    """All of the plain enumeration in which the roll to hit was passed: by the first of its dice."""
    position, shot = THROWN[case]
    need = to_hit(aiming_of(position, shot), THROWERS_MODIFIERS)
    for prompt, answer, policy in (
        ("throw-point", list(position.model(1).at), partial(at_point, position)),
        ("throw-at", 1, at_target),
    ):
        plain = odds.exact(position, lambda p: throw(p, replace(shot, target=-1)), policy, out_of_action)
        passed = sum(need.is_met_by(face) for face in range(1, 7)) / 6
        found = chances(of_throw(position, prompt, answer), "out-of-action")
        expected = {number: float(p) / passed for number, p in plain.outcomes.items() if number}
        assert {number: p for number, p in found.items() if number} == pytest.approx(expected, abs=1e-12)
    assert of_throw(position, "throw-at", "point").gap == "point-later"


@pytest.mark.covers("weapon-rules/thrown", "vision/geometry")
def test_a_throw_is_told_with_the_other_ways_and_when_it_is_declared() -> None:
    position, shot = THROWN["near"]
    found = [one for one in forecasts.forecasts(position, 0, 1) if one.of == ("hand_bomb",)]
    assert found == [forecasts.forecast(position, shot)]
    of: Any = partial(forecasts.forecast_of, position)
    assert of(Asked("act"), [0, "fire", shot.weapon]) == found[0]
    away = position.copy()
    away.turn(away.model(0), 180.0)
    assert of_throw(away, "act", [0, "fire", shot.weapon]).gap == "point-later"
    assert [one for one in forecasts.forecasts(away, 0, 1) if one.of == ("hand_bomb",)] == []


@pytest.mark.covers("vision/geometry")
def test_there_are_no_odds_against_whom_one_does_not_see() -> None:
    assert forecasts.forecasts(face_off(20, one={"facing": 180}), 0, 1) == []


@pytest.mark.covers("exploration/points")
def test_exploration_points_are_kept_as_is_proposed() -> None:
    position = face_off(20)
    position.gain(1, "exploration", 2)
    before = position.to_bytes()
    plain = odds.exact(position, lambda p: shoot(p, Shot(0, 1, 0)), outcome=out_of_action)
    found = told(position)
    assert plain.decided == found.decided == ("exploration-points",)
    assert chances(found, "out-of-action") == pytest.approx({n: float(p) for n, p in plain.outcomes.items()})
    assert position.to_bytes() == before


class Asked:
    """A question as forecasts look at it."""

    def __init__(self, prompt: str, **about: Any) -> None:
        self.prompt, self.about = prompt, about


@pytest.mark.covers("fire/sequence", "reaction-fire/basic")
def test_the_forecast_of_a_declaration_is_that_of_its_shot() -> None:
    position = face_off(20)
    of: Any = partial(forecasts.forecast_of, position)
    assert of(Asked("act"), [0, "fire", 0, 1, "steam"]) == told(position, doubling="steam")
    assert of(Asked("act"), [0, "fire", 0, 1]) == told(position)
    assert of(Asked("act"), [0, "fire", 0]) is None
    assert of(Asked("act"), [0, "move", 0, 1]) is None
    assert of(Asked("act"), ["end"]) is None
    assert of(Asked("reaction-weapon", model=0, target=1), 0) == told(position, kind=REACTION)
    assert of(Asked("doubling", model=0, weapon=0, target=1), "steam") is None
    of_reaction = Asked("doubling", model=0, weapon=0, target=1, hidden=False)
    assert of(of_reaction, "steam") == told(position, kind=REACTION, doubling="steam")


@pytest.mark.covers("tactical/resolution-order", "prone/reaction", "prone/fire-penalty")
@pytest.mark.parametrize(("action", "hidden"), [("fire", 0), ("fire", 1), ("suppressive-fire", 0)])
def test_who_may_react_is_told_the_odds_of_the_shot_after_what_comes_before_it(action: str, hidden: int) -> None:
    position = face_off(20, "steam_rifleman", "raider", a("raider", 1, at=None), other={"facing": 180})
    position.model(0).mark("hidden", hidden)
    position.declare("aimed", 0)
    question = question_after(tactical_phase(position), answers=[[0, action, 0, 1, "steam"]])
    assert question.prompt == "reactions"
    shot = Shot(0, 1, 0, action, "steam", is_aimed=True, from_hiding=bool(hidden))

    def found(reaction: str) -> Any:
        return forecasts.forecast_of(position, question, [reaction])

    usual = forecasts.forecast(position, shot)
    assert found("none") == found("fall-back") == replace(usual, ways=("declared", *usual.ways))

    def found_for(row: int, reaction: str) -> Any:
        asked: Any = Asked("reaction", **question.about, model=row, free=False)
        return forecasts.forecast_of(position, asked, reaction)

    assert found_for(1, "none") == found("none")
    assert found_for(1, "go-prone") == found("go-prone")
    assert found_for(2, "none") is None
    prone = position.copy()
    go_prone(prone.model(1))
    assert found("go-prone").steps == forecasts.forecast(prone, shot).steps != usual.steps
    assert not position.model(1).marks("prone")


@pytest.mark.covers("tactical/resolution-order", "weapon-rules/thrown")
@pytest.mark.parametrize("act", [[0, "fire", 1], [0, "move", "walk", [[], 0.0]]])
def test_what_has_no_target_yet_or_is_no_shot_has_no_odds_for_who_reacts(act: list[Any]) -> None:
    position = face_off(20, "raider", other={"facing": 180})
    question = question_after(tactical_phase(position), answers=[act])
    assert question.prompt == "reactions"
    assert forecasts.forecast_of(position, question, ["none"]) is None


@pytest.mark.covers("hide/bonus", "reaction-fire/basic")
@pytest.mark.parametrize("hidden", [0, 1])
def test_the_forecast_of_a_reactions_weapon_knows_of_a_shot_from_hiding(hidden: int) -> None:
    position = face_off(20, "raider", "frost_hunter", other={"adds": ["boiler_pistol"], "facing": 180})
    position.model(1).mark("hidden", hidden)
    question = question_after(tactical_phase(position), answers=[[0, "move", "walk", way()], ["reaction-fire"]])
    assert question.prompt == "reaction-weapon"
    shot = Shot(1, 0, 0, REACTION, from_hiding=bool(hidden))
    assert forecasts.forecast_of(position, question, 0) == forecasts.forecast(position, shot)


@pytest.mark.covers("aim/bonus", "hide/bonus", "weapon-rules/thrown", "lethal/condition")
@pytest.mark.parametrize(("aimed", "hidden", "sixes"), [(0, 0, 1 / 2), (1, 0, 1 / 3), (0, 1, 1 / 3)])
def test_a_throw_that_was_easier_hits_with_a_six_less_often(aimed: int, hidden: int, sixes: float) -> None:
    targets = [a("rune_seer", 1, at=(x, 40), facing=0) for x in (55, 65)]
    position = table(a("raider", at=(60, 20), hidden=hidden), *targets)
    if aimed:
        position.declare("aimed", 0)
    question = question_after(tactical_phase(position), "6", [[0, "fire", 1]])
    assert question.prompt == "throw-at"
    found = forecasts.forecast_of(position, question, 1)
    assert found is not None
    assert chances(found, "out-of-action").get(1, 0.0) == pytest.approx(sixes / 6)


@pytest.mark.covers("fire/sequence")
def test_what_has_too_many_cases_is_said_to_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shooting_odds, "MOST_RUNS", 5)
    found = told(face_off(20))
    assert (found.gap, found.steps) == ("too-many", ())


@pytest.mark.covers("weapon-rules/salvo")
def test_eight_dice_are_told() -> None:
    found = told(face_off(20, "anvil_turret", "raider"), doubling="salvo")
    assert (found.dice, found.gap) == (8, "")
    assert adds_up(found)


@pytest.mark.covers("out-of-action/further-wound", "wounds/out-of-action")
def test_of_one_who_has_fallen_it_is_told_whether_it_is_removed() -> None:
    found = told(face_off(20, other={"wounds": 1}))
    assert "out-of-action" not in {one.kind for one in found.steps}
    one = 5 / 18
    assert chances(found, "removed") == pytest.approx({0: (1 - one) ** 2, 1: 1 - (1 - one) ** 2})
    assert step(found, "removed").is_main
    assert "removed" not in {one.kind for one in told(face_off(20)).steps}


def test_those_who_stand_are_proposed_before_those_who_lie() -> None:
    """The nearer has fallen, and may still be shot at."""
    position = face_off(20, "steam_rifleman", "raider", a("raider", 1, at=(60, 90), facing=0), other={"wounds": 1})
    shooter = position.model(0)
    target = shooting_fields(shooter, [0], fire_weapons(shooter))
    assert target is not None
    assert target.options() == [2, 1]
    assert those_who_stand_first(shooter, [position.model(1), position.model(2)])[0].row == 2
