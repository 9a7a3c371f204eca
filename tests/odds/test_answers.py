"""What comes of a query: sums, plain enumeration, icepool, the table's forecast, changed rules, chains of volleys."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random
from typing import Any

import icepool
import pytest
from tools.odds import stages_of
from tools.rolling import played

from campale.dice.odds import exact
from campale.odds.answers import Answer, Stage, answer_of, answered, stage_of
from campale.odds.form import filled_in
from campale.referee.odds_queries import Query
from campale.referee.position import Position
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.rulesets.e55.definitions.dice import needed
from campale.rulesets.e55.odds import forecasts as table_of_units
from campale.rulesets.e55.shooting_phase import volley
from campale.rulesets.ragnarok.odds import forecasts as table_of_models
from campale.rulesets.ragnarok.shooting.fire import Shot

UNITS, MODELS, AREAS = load_ruleset("e55"), load_ruleset("ragnarok"), load_ruleset("e3m")
VETERANS: dict[str, Any] = {"attacker": "veteran", "target": "militia", "distance": 10}


def asked(ruleset: Ruleset, **written: Any) -> Answer:
    return answered(ruleset, {name.replace("_", "-"): value for name, value in written.items()})


def stage(answer: Answer, kind: str, place: int = 0) -> Stage:
    return next(one for one in answer.volleys[place].stages if one.kind == kind)


def over(answer: Answer, kind: str) -> Stage:
    return next(one for one in answer.over if one.kind == kind)


def everything(answer: Answer) -> list[Stage]:
    return [*answer.over, *(one for each in answer.volleys for one in each.stages)]


CASES: list[tuple[Ruleset, dict[str, Any]]] = [
    (MODELS, {}),
    (MODELS, {"weapons": "steam_musket*3"}),
    (MODELS, {"target": "barrow_jarl", "weapons": "steam_musket@steam*2"}),
    (MODELS, {"kind": "suppressive-fire", "weapons": "steam_musket*2"}),
    (MODELS, {"target-guard": "piston_cuirassier", "policy-bodyguard": "yes"}),
    (MODELS, {"exploration": 1, "exploration-of": "target", "policy-exploration": "spend"}),
    (MODELS, {"kind": "melee"}),
    (UNITS, VETERANS),
    (UNITS, {**VETERANS, "attacker-models": 3, "target": "captain", "cover": "woods"}),
    (UNITS, {**VETERANS, "target": "great-beast", "target-models": 3, "attacker-adds": "fusion-gun*2"}),
    (UNITS, {**VETERANS, "target": "tank", "attacker-adds": "fusion-gun*3", "distance": 5, "volleys": "apart"}),
    (UNITS, {"volleys": "apart", "attacker-models": 5}),
    (AREAS, {}),
    (AREAS, {"kind": "advancing", "attacker-states": "moved", "target-order": "halt-fired", "cover": "ruin"}),
    (AREAS, {"attacker": "siege-tank", "target": "brawler"}),
    (AREAS, {"attacker-options": "beam-cannon*2", "target": "gun-tank", "target-face": "rear"}),
    (AREAS, {"kind": "melee", "target": "line-warden"}),
    (AREAS, {"kind": "melee", "attacker-equipment": "krak-grenades", "target": "gun-tank", "target-speed": "slow"}),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_chances_add_up_and_are_told_in_order(case: int) -> None:
    ruleset, written = CASES[case]
    stages = everything(answered(ruleset, written))
    assert stages
    for one in stages:
        numbers = [number for number, _ in one.chances]
        assert abs(math.fsum(p for _, p in one.chances) - 1.0) < 1e-12
        assert numbers == sorted(set(numbers))
        assert all(0.0 <= p <= 1.0 + 1e-12 for _, p in one.chances)
        assert [p for _, p in one.at_least] == sorted((p for _, p in one.at_least), reverse=True)


def test_what_is_read_off_chances() -> None:
    one = stage_of("hits", "", {2: 0.25, 0: 0.25, 1: 0.25, 5: 0.25})
    assert one.chances == ((0, 0.25), (1, 0.25), (2, 0.25), (5, 0.25))
    assert (one.mean, one.median) == (2.0, 1)
    assert one.deviation == pytest.approx(math.sqrt((4 + 1 + 0 + 9) / 4))
    assert one.at_least == ((0, 1.0), (1, 0.75), (2, 0.5), (5, 0.25))
    assert stage_of("hits", "", {0: 0.49, 1: 0.51}).median == 1


# ---------------------------------------------------------------- no second formula


def test_page_and_table_agree_to_the_last_digit() -> None:
    """The forecast is that of the very function that the table shows, of the same position."""
    answer = asked(MODELS, weapons="steam_musket@steam")
    _, query = filled_in(MODELS, {"weapons": "steam_musket@steam"})
    table = table_of_models.forecast(query.position, Shot(1, 0, 0, doubling="steam"))
    assert [one.chances for one in answer.volleys[0].stages] == [one.chances for one in table.steps]
    (shown,) = [one for one in table_of_models.forecasts(query.position, 1, 0) if one.ways == ("steam",)]
    assert shown.steps == table.steps
    whole = answered(UNITS, {})
    _, units = filled_in(UNITS, {})
    told = table_of_units.forecasts(units.position, 0, units.position.unit_of.index(1))[0]
    assert told.ways == ("all",)
    assert [one.chances for one in whole.volleys[0].stages] == [one.chances for one in told.steps]


def test_an_option_of_the_book_changes_the_odds() -> None:
    hidden = {"attacker-states": "hidden"}
    as_usual, without = answered(MODELS, hidden), answered(MODELS, {**hidden, "option-hidden_shots": "none"})
    assert stage(as_usual, "hits").mean > stage(without, "hits").mean
    of_ruleset = answered(MODELS.with_options({"hidden_shots": "none"}), hidden)
    assert of_ruleset.over == without.over


def test_a_changed_rule_changes_the_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    before = answered(UNITS, VETERANS)
    monkeypatch.setattr(volley, "to_hit", lambda bs, parts: needed(6))
    after = answered(UNITS, VETERANS)
    assert stage(after, "hits").mean == pytest.approx(10 / 6)
    assert stage(before, "hits").mean == pytest.approx(10 * 5 / 6)
    assert over(after, "losses").mean < over(before, "losses").mean


# ---------------------------------------------------------------- oracles

TWO_VOLLEYS = {
    "attacker-models": 2,
    "attacker-adds": "fusion-gun",
    "weapons": "rifle@1,fusion-gun",
    "volleys": "apart",
}
FEW_OF_ALL: dict[str, Any] = {"target": {"profile": "brawler", "count": 3}, "distance": 14}
SMALL: list[tuple[Ruleset, dict[str, Any]]] = [
    (AREAS, {**FEW_OF_ALL, "attacker": {"profile": "line-warden", "count": 3}}),
    (AREAS, {**FEW_OF_ALL, "attacker": {"profile": "line-warden", "count": 3}, "attacker-states": "sniper"}),
    (AREAS, {**FEW_OF_ALL, "attacker": {"profile": "line-warden", "count": 4}, "policy-hits": "evenly", "distance": 7}),
    (AREAS, {**FEW_OF_ALL, "attacker": {"profile": "brood-captain"}, "cover": "wood", "target-spread": "0"}),
    (AREAS, {"attacker": {"profile": "line-warden", "weapons": ["beam-cannon"]}, "target": "gun-tank"}),
    (AREAS, {"kind": "melee", "attacker": {"profile": "line-warden", "count": 2}, "target": FEW_OF_ALL["target"]}),
    (MODELS, {"weapons": "steam_musket*2"}),
    (MODELS, {"target": "barrow_jarl"}),
    (UNITS, {**VETERANS, "attacker-models": 2, "target-models": 3}),
    (UNITS, {**VETERANS, "attacker-models": 1, "target": "captain", "attacker-adds": "fusion-gun"}),
    (UNITS, {**VETERANS, "attacker-models": 2, "target-models": 1, "target": "captain", "policy-save": "invulnerable"}),
    (UNITS, {**VETERANS, "attacker-models": 1, "target-models": 2, "target": "great-beast", "target-wounds": 3}),
]


def enumerated(query: Query, kind: str) -> dict[int, float]:
    async def whole(position: Position) -> Position:
        for one in query.volleys:
            position = await one.play(position)
        return position

    found = exact(query.position, whole, query.policy, lambda _, given: query.counted[kind](given))
    return {number: float(chance) for number, chance in found.outcomes.items() if chance}


@pytest.mark.parametrize("case", range(len(SMALL)))
def test_an_answer_is_the_plain_enumeration_of_the_whole(case: int) -> None:
    ruleset, written = SMALL[case]
    form, query = filled_in(ruleset, written)
    answer = answer_of(form, query)
    told = stages_of(answer, query)
    assert told
    for one in told:
        assert dict(one.chances) == pytest.approx(enumerated(query, one.kind), abs=1e-12)


def as_number(is_so: bool) -> int:
    return int(is_so)


def test_an_answer_is_what_icepool_makes_of_it() -> None:
    """Ten veterans' shots: 2+ to hit, 3+ to wound, 6+ to save; ten militiamen."""
    answer = asked(UNITS, attacker="veteran", target="militia", target_models=10, distance=10)
    hurt = icepool.d6.map(lambda face: icepool.d6 >= 3 if face >= 2 else False)
    dead = hurt.map(lambda wounded: icepool.d6 < 6 if wounded else False)
    of_ten = 10 @ dead.map(as_number)
    told = dict(over(answer, "losses").chances)
    expected = {int(number): float(of_ten.probability(number)) for number in of_ten.outcomes()}
    assert told == pytest.approx(expected, abs=1e-12)


def test_a_hit_of_a_musket_is_what_icepool_makes_of_it() -> None:
    """4+ to hit, a shield on 5+, armour on 6+; the second can do no more than the first to a model of one wound."""
    hit = icepool.d6.map(lambda face: icepool.d6 < 5 if face >= 4 else False)
    wound = hit.map(lambda past: icepool.d6 < 6 if past else False)
    any_of_two = (2 @ wound.map(as_number)) >= 1
    told = over(asked(MODELS), "out-of-action")
    assert told.mean == pytest.approx(float(any_of_two.probability(True)), abs=1e-12)


# ---------------------------------------------------------------- monotone


def is_no_worse(better: Stage, worse: Stage) -> bool:
    """Whether so much or more is never less likely."""
    numbers = {number for number, _ in (*better.chances, *worse.chances)}

    def at_least(one: Stage, least: int) -> float:
        return math.fsum(p for number, p in one.chances if number >= least)

    return all(at_least(better, number) >= at_least(worse, number) - 1e-12 for number in numbers)


def rising(several: list[Answer]) -> bool:
    stages = [one.over[0] for one in several]
    return all(is_no_worse(after, before) for before, after in pairwise(stages))


def own(name: str, **changes: int) -> dict[str, Any]:
    return {"profile": name, "count": 3, "changes": changes}


def test_more_skill_strength_or_dice_never_cost_less() -> None:
    base = {"target": own("captain", w=2), "distance": 20, "weapons": "rifle@1*3"}
    assert rising([answered(UNITS, {**base, "attacker": own("veteran", bs=bs)}) for bs in range(11)])
    assert rising([answered(UNITS, {**VETERANS, "target": own("militia", t=t)}) for t in range(10, 0, -1)])
    assert rising([answered(UNITS, {**VETERANS, "attacker-models": many}) for many in range(1, 8)])
    assert rising([answered(UNITS, {**VETERANS, "target": own("militia", armour_save=save)}) for save in range(2, 7)])


def test_more_skill_or_shots_never_cost_less_among_models() -> None:
    def rifleman(skill: int) -> dict[str, Any]:
        return {"profile": "steam_rifleman", "changes": {"shooting_skill": skill}}

    assert rising([answered(MODELS, {"attacker": rifleman(skill)}) for skill in (6, 5, 4, 3, 2)])
    assert rising([answered(MODELS, {"weapons": f"steam_musket*{many}"}) for many in range(1, 5)])
    assert rising([asked(MODELS, target="barrow_jarl", target_wounds=wounds) for wounds in (0, 1)])


# ---------------------------------------------------------------- volleys one after another


def test_what_is_fired_at_once_costs_the_same_in_any_order() -> None:
    mixed = {**VETERANS, "attacker-adds": "fusion-gun*2,machine-gun", "target": "great-beast", "distance": 5}
    one = answered(UNITS, {**mixed, "weapons": "rifle*2,fusion-gun*2,machine-gun"})
    other = answered(UNITS, {**mixed, "weapons": "machine-gun,fusion-gun*2,rifle*2"})
    assert dict(one.over[0].chances) == pytest.approx(dict(other.over[0].chances), abs=1e-12)
    assert one.volleys[0].dice == other.volleys[0].dice


def test_the_second_volley_begins_with_what_the_first_has_left() -> None:
    """Single wounds, all alike: two volleys come to what one of all comes to."""
    apart = answered(UNITS, {**VETERANS, "target-models": 4, "weapons": "rifle*3,rifle*2", "volleys": "apart"})
    at_once = answered(UNITS, {**VETERANS, "target-models": 4, "weapons": "rifle*5"})
    assert dict(apart.over[0].chances) == pytest.approx(dict(at_once.over[0].chances), abs=1e-12)
    first, second = (stage(apart, "losses", place).mean for place in (0, 1))
    assert first + second == pytest.approx(over(apart, "losses").mean, abs=1e-12)


def test_volleys_one_after_another_are_told_stage_by_stage_as_they_are_played() -> None:
    """What is told of the second volley is what it does to each that the first may leave, as likely as that."""
    written = {**VETERANS, **TWO_VOLLEYS, "target": "captain", "target-models": 2, "distance": 5}
    form, query = filled_in(UNITS, written)
    answer = answer_of(form, query)
    told = {kind: dict(stage(answer, kind, 1).chances) for kind in ("hits", "wounds", "unsaved", "losses")}
    first, second = query.volleys
    assert first.after is not None
    mixed: dict[str, dict[int, float]] = {kind: {} for kind in told}
    for position, chance in first.after(query.position):
        _, alone = filled_in(UNITS, written)
        steps = {one.kind: one.chances for one in alone.volleys[1].forecast(position).steps}
        for kind, sums in mixed.items():
            for number, share in steps.get(kind, ((0, 1.0),)):
                sums[number] = sums.get(number, 0.0) + chance * share
    for kind, sums in mixed.items():
        assert told[kind] == pytest.approx(sums, abs=1e-12)
    assert second.of != first.of


def test_the_same_is_told_however_often_it_is_asked() -> None:
    form, query = filled_in(UNITS, {**VETERANS, **TWO_VOLLEYS, "target": "captain", "target-models": 3, "distance": 5})
    first = answer_of(form, query)
    assert answer_of(form, query) == first
    assert first.decided
    again, anew = filled_in(UNITS, {**VETERANS, **TWO_VOLLEYS, "target": "captain", "target-models": 3, "distance": 5})
    assert answer_of(again, anew) == first


def test_many_who_fire_at_a_vehicle_are_told_to_the_end() -> None:
    """Who fires makes a difference only where the vehicle's cover from them does."""
    fired = {**VETERANS, "attacker-models": 20, "attacker-adds": "fusion-gun*3", "target": "walker", "distance": 5}
    for volleys in ("together", "apart"):
        answer = answered(UNITS, {**fired, "weapons": "rifle*17,fusion-gun*3", "volleys": volleys})
        assert [one.gap for one in answer.volleys] == [""] * len(answer.volleys)
        assert over(answer, "structure").mean == pytest.approx(
            sum(stage(answer, "structure", place).mean for place in range(len(answer.volleys)))
        )


def test_a_query_is_played_piece_by_piece_as_it_is_played_at_once() -> None:
    hand_to_hand = {"attacker": "veteran", "target": "militia"}
    for written in (VETERANS, {**hand_to_hand, "kind": "melee"}, {**hand_to_hand, "kind": "charge", "distance": 3}):
        _, query = filled_in(UNITS, written)
        (one,) = query.volleys
        for seed in range(20):
            whole = played(one.play(query.position.copy()), query.policy, Random(seed))
            rng, position, handed_on, pieces = Random(seed), query.position.copy(), None, 0
            assert one.piece is not None
            while handed_on is not None or not pieces:
                position, handed_on = played(one.piece(position, handed_on), query.policy, rng)
                pieces += 1
            assert position.to_bytes() == whole.to_bytes()


def test_shots_one_after_another_find_the_shield_gone_or_not() -> None:
    """A weapon that pulls shields away helps those that come after it, so the order matters."""
    puller = {"profile": "raider", "adds": ["steam_musket", "drum_gun"]}
    answer = answered(MODELS, {"attacker": puller, "weapons": "steam_musket,drum_gun"})
    assert len(answer.volleys) == 2
    assert over(answer, "out-of-action").mean > stage(answer, "out-of-action").mean


# ---------------------------------------------------------------- decisions


def test_a_policy_changes_what_it_decides_and_is_told() -> None:
    proposed = answered(UNITS, {**VETERANS, "target": "captain", "cover": "woods", "attacker-adds": "fusion-gun*3"})
    worse = answered(
        UNITS,
        {**VETERANS, "target": "captain", "cover": "woods", "attacker-adds": "fusion-gun*3", "policy-save": "armour"},
    )
    assert proposed.decided
    assert over(worse, "losses").mean > over(proposed, "losses").mean
    kept, spent, against = (
        answered(MODELS, {"exploration": 2, "exploration-of": side, "policy-exploration": what})
        for side, what in (("attacker", "keep"), ("attacker", "spend"), ("target", "spend"))
    )
    assert spent.over[0].mean > kept.over[0].mean > against.over[0].mean
    guarded = {"target-guard": "piston_cuirassier"}
    sent, stays = answered(MODELS, {**guarded, "policy-bodyguard": "yes"}), answered(MODELS, guarded)
    assert stays.over == answered(MODELS, {}).over
    assert stays.over[0].mean == pytest.approx(1 - (1 - 5 / 18) ** 2)
    assert sent.over[0].mean == pytest.approx(2 * 1 / 2 * 13 / 72)


def test_nobody_left_is_told_with_its_chance() -> None:
    answer = asked(UNITS, attacker="veteran", attacker_models=3, target="militia", target_models=2, distance=10)
    assert answer.all_of_them == 2
    assert answer.wiped_out == pytest.approx(dict(over(answer, "losses").chances)[2])
    suppressed = asked(MODELS, kind="suppressive-fire")
    assert suppressed.losses is None
    assert suppressed.wiped_out is None


def test_a_shot_that_may_kill_whoever_fires_it_says_so() -> None:
    """Four dice with steam, of which each natural one scalds."""
    steamed, plain = asked(MODELS, weapons="steam_musket@steam"), asked(MODELS, weapons="steam_musket")
    own = stage(steamed, "own-out-of-action")
    assert steamed.own_risk == pytest.approx(1.0 - dict(own.chances)[0])
    assert steamed.own_risk == pytest.approx(0.5173, abs=0.0001)
    assert plain.own_risk is None
    assert asked(MODELS, kind="charge").own_risk is None
