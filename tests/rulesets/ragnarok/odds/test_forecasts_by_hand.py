"""The odds of melees and charges: as the plain enumeration tells them, and as the referee plays."""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from random import Random
from typing import Any

import pytest

from campale.dice import odds
from campale.dice.odds import first_suggestion
from campale.mechanics.moves.move_paths import answer_of
from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.close_combat import melee
from campale.rulesets.ragnarok.close_combat.charge import charge_path, farthest
from campale.rulesets.ragnarok.close_combat.engagement import melees
from campale.rulesets.ragnarok.odds import forecasts, melee_odds
from campale.rulesets.ragnarok.odds.melee_odds import Melee, charge_forecast, charged, melee_forecast
from campale.rulesets.ragnarok.odds.reaction_odds import answered_charges
from campale.rulesets.ragnarok.shooting.fire import REACTION, Shot
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.rulesets.ragnarok.turn.tactical import act, tactical_phase
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import Figure, a, question_after, table
from tests.rulesets.ragnarok.odds.test_forecasts import Asked
from tests.rulesets.simulated import adds_up, chances, is_near, played, simulated, step


def duel(one: Figure, other: Figure, *more: Figure, gap: float = 0.0, **given: Any) -> Position:
    """Two models that face each other, in contact unless they are a gap apart."""
    one.at, one.facing, other.facing = (60.0, 40.0), 0.0, 180.0
    other.side = 1
    other.at = (60.0, 40.0 + one.profile.base_radius + gap + other.profile.base_radius)
    return table(one, other, *more, **given)


ONE = {"attacks": 1}


def beside(profile: str, side: int, left: bool) -> Figure:
    """In contact with the second of a duel, on one side of it."""
    facing = 0.0 if side == 0 else 180.0
    return a(profile, side, at=(60.0 + (-2.5 if left else 2.5), 42.5), facing=facing, changes=ONE)


FIGHTS: dict[str, Position] = {
    "even": duel(a("raider"), a("raider")),
    "no armour": duel(a("raider"), a("steam_rifleman")),
    "several wounds": duel(a("piston_cuirassier"), a("raider")),
    "a charger": duel(a("raider", charged=1), a("steam_rifleman")),
    "shot at in the charge": duel(a("raider", charged=1), a("raider")),
}
FIGHTS["shot at in the charge"].model(0).mark("shot-in-charge", 2)


ROUNDS: dict[str, Position] = {
    "even": duel(a("raider", changes=ONE), a("raider", changes=ONE)),
    "no armour": duel(a("raider", changes=ONE), a("steam_rifleman", changes=ONE)),
    "two on one": duel(a("steam_rifleman", changes=ONE), a("raider", changes=ONE), beside("steam_rifleman", 0, True)),
}


def one_round(position: Position) -> Any:
    return melee.fight_round(position, melees(position)[0])


@pytest.mark.parametrize("case", ROUNDS)
@pytest.mark.covers("melee/simultaneous", "melee/attack", "melee/wound-count")
def test_a_round_is_the_plain_enumeration_of_its_blows(case: str) -> None:
    position = ROUNDS[case]
    before = position.to_bytes()
    found = melee_forecast(position, 0, 1)
    assert found is not None
    assert adds_up(found)
    plain = odds.exact(position, one_round)
    for kind, side in (("dealt", 0), ("taken", 1)):
        expected = {n: float(p) for n, p in plain.of(itemgetter(side)).outcomes.items()}
        assert chances(found, kind) == pytest.approx(expected, abs=1e-12)
    assert position.to_bytes() == before


async def fought(position: Position) -> None:
    await melee.fight(position, melees(position)[0])


def left(position: Position) -> tuple[int, int]:
    """How many of each side are able after the melee."""
    able = [model.side for model in position.models if is_able(model)]
    return able.count(0), able.count(1)


def to_the_end(position: Position, seed: int = 1, times: int = 1000) -> Any:
    """By the referee: how many of each side are left."""
    found = []

    def once(rng: Random) -> int:
        copy = position.copy()
        played(fought(copy), plays, rng)
        found.append(left(copy))
        return left(copy)[1]

    simulated(once, seed, times)
    return found


def plays(question: Any) -> Any:
    return "no" if question.prompt == "consolidate" else first_suggestion(question)


@pytest.mark.parametrize("case", ["even", "several wounds", "a charger", "shot at in the charge"])
@pytest.mark.covers("melee/tie", "melee/winner", "melee/losers-removed", "reaction-fire/against-charge")
def test_the_end_of_a_melee_is_what_the_referee_plays(case: str) -> None:
    position = FIGHTS[case]
    found = melee_forecast(position, 0, 1)
    assert found is not None
    ends = to_the_end(position)
    count = {kind: simulated(lambda _: 0, times=0) for kind in ("out-of-action", "own-out-of-action", "won", "lost")}
    for own, foes in ends:
        count["out-of-action"][1 - foes] += 1
        count["own-out-of-action"][1 - own] += 1
        count["won"][int(own > 0 and foes == 0)] += 1
        count["lost"][int(foes > 0 and own == 0)] += 1
    for kind, numbers in count.items():
        assert is_near(numbers, step(found, kind)), kind


@pytest.mark.covers("melee/multiple-sum", "melee/groups")
def test_of_a_melee_of_several_all_losers_go() -> None:
    position = duel(a("raider"), a("raider"), beside("raider", 0, True))
    (group,) = melees(position)
    assert len(group) == 3
    found = melee_forecast(position, 2, 1)
    assert found is not None
    assert found == melee_forecast(position, 2, 1)
    assert step(found, "won").mean > step(found, "lost").mean
    assert chances(found, "own-out-of-action")[2] >= chances(found, "lost")[1] - 1e-12
    ends = to_the_end(position, times=500)
    won = sum(foes == 0 and own > 0 for own, foes in ends)
    assert abs(won - 500 * step(found, "won").mean) < 4 * (500 * 0.25) ** 0.5


@pytest.mark.covers("melee/tie")
def test_rounds_without_end_are_solved_as_the_chain_they_are() -> None:
    """Two who often miss: after each round as after the last, and the chances of the ends keep their proportion."""
    position = FIGHTS["even"]
    fight = Melee(position, melees(position)[0])
    first = fight.first_round()
    again = sum(chance for (_, (_, outcome)), chance in first.items() if outcome is None)
    over: dict[int, float] = {}
    for (_, (_, outcome)), chance in first.items():
        if outcome is not None:
            over[outcome] = over.get(outcome, 0.0) + chance
    ends: dict[int, float] = {}
    for end, chance in fight.ends().items():
        ends[end.winner] = ends.get(end.winner, 0.0) + chance
    assert ends == pytest.approx({winner: chance / (1 - again) for winner, chance in over.items()}, abs=1e-12)


@pytest.mark.covers("melee/engaged")
def test_who_is_in_no_melee_has_no_odds_in_one() -> None:
    assert melee_forecast(duel(a("raider"), a("raider"), gap=5.0), 0, 1) is None


@pytest.mark.covers("weapon-rules/parry")
def test_what_players_decide_in_a_melee_is_named() -> None:
    found = melee_forecast(duel(a("raider"), a("raider")), 0, 1)
    assert found is not None
    assert found.decided == ("strike-order",)


def test_what_is_too_much_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(melee_odds, "MOST_PLAYED", 3)
    found = melee_forecast(FIGHTS["even"], 0, 1)
    assert found is not None
    assert (found.gap, found.steps) == ("too-many", ())


@pytest.mark.covers("melee/winner")
def test_where_the_end_is_too_much_the_first_round_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = melee_forecast(FIGHTS["even"], 0, 1)
    monkeypatch.setattr(melee_odds, "MOST_ROUNDS", 0)
    found = melee_forecast(FIGHTS["even"], 0, 1)
    assert whole is not None
    assert found is not None
    assert (found.gap, [one.kind for one in found.steps]) == ("no-end", ["dealt", "taken"])
    assert found.steps == whole.steps[:2]


# ---------------------------------------------------------------- charges


@pytest.mark.parametrize(("gap", "reaches"), [(10.0, 1.0), (18.0, 30 / 36), (25.0, 1 / 36)])
@pytest.mark.covers("charge/distance", "charge/path")
def test_a_charge_reaches_as_often_as_its_dice_say(gap: float, reaches: float) -> None:
    """M 13 and two dice."""
    position = duel(a("raider"), a("steam_rifleman"), gap=gap)
    assert position.model(0).profile.movement == 13
    before = position.to_bytes()
    found = charge_forecast(position, 0, 1)
    assert found is not None
    assert chances(found, "reaches").get(1, 0.0) == pytest.approx(reaches)
    assert found.notes == ("reactions",)
    assert adds_up(found)
    assert position.to_bytes() == before


@pytest.mark.covers("charge/distance", "charge/attack-bonus")
def test_the_melee_after_a_charge_is_told_too_and_is_what_the_referee_plays() -> None:
    position = duel(a("raider"), a("steam_rifleman"), gap=18.0)
    found = charge_forecast(position, 0, 1)
    assert found is not None
    kinds = [one.kind for one in found.steps]
    assert kinds == ["reaches", "dealt", "taken", "out-of-action", "own-out-of-action", "won", "lost"]
    path = charge_path(position.model(0), position.model(1))
    assert path is not None

    async def whole(copy: Position) -> bool:
        if await charged(copy, 0, 1, path):
            await fought(copy)
        return left(copy) == (1, 0)

    def once(rng: Random) -> int:
        return int(played(whole(position.copy()), plays, rng))

    assert is_near(simulated(once), step(found, "won"))


@pytest.mark.covers("charge/declaration", "melee-phase/all-fight")
def test_charges_and_melees_are_told_when_they_are_declared() -> None:
    apart, fighting = duel(a("raider"), a("steam_rifleman"), gap=18.0), FIGHTS["even"]
    of: Any = partial(forecasts.forecast_of, apart)
    expected = charge_forecast(apart, 0, 1)
    assert of(Asked("act"), [0, "charge", 1]) == expected
    assert of(Asked("act"), [0, "charge"]) is None
    assert expected in forecasts.forecasts(apart, 0, 1)
    assert melee_forecast(fighting, 0, 1) in forecasts.forecasts(fighting, 0, 1)
    asked = Asked("which-melee")
    asked.side = 0  # type: ignore[attr-defined]
    assert forecasts.forecast_of(fighting, asked, (0, 1)) == melee_forecast(fighting, 0, 1)  # type: ignore[arg-type]


# ---------------------------------------------------------------- reactions


def declares(reaction: str) -> Any:
    def decide(question: Any) -> Any:
        if question.kind == "form" and question.prompt == "reactions":
            return [reaction]
        return plays(question)

    return decide


async def whole_charge(position: Position, path: Any) -> None:
    """The charge as it is declared and answered, and then the melee to its end."""
    await act(Declaration(position.model(0), "charge", [1, answer_of(path)]))
    for group in melees(position):
        await melee.fight(position, group)


def fallen(position: Position, side: int) -> int:
    return sum(not is_able(model) for model in position.models if model.side == side)


@pytest.mark.parametrize("reaction", ["reaction-fire", "countercharge", "go-prone"])
@pytest.mark.covers(
    "reaction-fire/against-charge",
    "countercharge/against-charge",
    "tactical/resolution-order",
    "prone/reaction",
)
def test_a_charge_that_is_answered_is_what_the_referee_plays(reaction: str) -> None:
    position = duel(a("raider", charisma=3), a("steam_rifleman", charisma=5), gap=18.0)
    before = position.to_bytes()
    found = next(one for one in answered_charges(position, 0, 1) if one.ways[1] == f"against-{reaction}")
    assert adds_up(found)
    assert position.to_bytes() == before
    path = charge_path(position.model(0), position.model(1), farthest(position.model(0)))
    rng, counted = Random(2), {kind: simulated(lambda _: 0, times=0) for kind in ("own-out-of-action", "out-of-action")}
    for _ in range(600):
        copy = position.copy()
        played(whole_charge(copy, path), declares(reaction), rng)
        counted["own-out-of-action"][fallen(copy, 0)] += 1
        counted["out-of-action"][fallen(copy, 1)] += 1
    for kind, numbers in counted.items():
        assert is_near(numbers, step(found, kind)), kind


@pytest.mark.covers("tactical/reaction-eligibility", "reaction-fire/against-charge")
def test_a_charge_is_told_against_each_reaction_that_its_target_may_declare() -> None:
    position = duel(a("raider"), a("steam_rifleman"), gap=18.0)
    ways = [one.ways for one in forecasts.forecasts(position, 0, 1) if one.ways[:1] == ("charge",)]
    assert ways == [
        ("charge",),
        ("charge", "against-reaction-fire"),
        ("charge", "against-countercharge"),
        ("charge", "against-go-prone"),
    ]
    prone = duel(a("raider"), a("steam_rifleman", prone=9), gap=18.0)
    ways = [one.ways for one in forecasts.forecasts(prone, 0, 1) if one.ways[:1] == ("charge",)]
    assert ways == [("charge",)]


def reacted(position: Position, answer: str, action: str = "charge") -> Any:
    question = Asked("reaction", model=1, actor=0, action=action, free=False)
    return forecasts.forecast_of(position, question, answer)  # type: ignore[arg-type]


@pytest.mark.covers("reactions/list", "tactical/resolution-order")
def test_whoever_may_react_is_told_the_charge_from_its_own_side() -> None:
    position = duel(a("raider"), a("steam_rifleman"), gap=18.0)
    shot, none = reacted(position, "reaction-fire"), reacted(position, "none")
    charger = next(one for one in answered_charges(position, 0, 1) if one.ways[1] == "against-reaction-fire")
    assert step(shot, "out-of-action").chances == step(charger, "own-out-of-action").chances
    assert step(shot, "lost").chances == step(charger, "won").chances
    assert step(shot, "out-of-action").mean > step(none, "out-of-action").mean
    assert shot.notes == ("at-this", "others")
    assert reacted(position, "fall-back").gap == reacted(position, "countermove").gap == "goes"
    assert reacted(duel(a("raider"), a("steam_rifleman"), gap=40.0), "none").gap == "not-at-it"


@pytest.mark.covers("charge/distance", "hide/bonus", "reactions/list")
@pytest.mark.parametrize("hidden", [0, 1])
def test_whoever_is_charged_is_told_the_charge_as_it_was_declared(hidden: int) -> None:
    position = duel(a("raider", hidden=hidden), a("steam_rifleman"), gap=10.0)
    x, y = position.model(1).at
    detour = [[x - 8.0, position.model(0).y], [x - 2.5, y]]
    asked = question_after(tactical_phase(position), answers=[[0, "charge", 1, [detour, None]]])
    about = {**asked.about, "model": 1, "free": True}
    found: Any = forecasts.forecast_of(position, Asked("reaction", **about), "none")  # type: ignore[arg-type]
    path = Path((position.model(0).at, *((at[0], at[1]) for at in detour)))
    position.model(0).mark("hidden", hidden)
    several: list[Any] = [charge_forecast(position, 0, 1, way) for way in (None, path)]
    straight, declared = several
    assert found.notes == ("others",)
    assert step(found, "reaches").chances == step(declared, "reaches").chances != step(straight, "reaches").chances
    assert step(found, "lost").mean == pytest.approx(step(declared, "won").mean)


@pytest.mark.covers("tactical/reactions-aim", "reactions/list")
def test_a_charge_at_another_model_has_no_odds_for_whoever_stands_by() -> None:
    position = duel(a("raider"), a("steam_rifleman"), gap=18.0)
    about = {"model": 1, "actor": 0, "action": "charge", "free": False, "shown": {"aims": [[0, 2]]}}
    of: Any = partial(forecasts.forecast_of, position, Asked("reaction", **about))  # type: ignore[arg-type]
    assert of("none") is None
    assert of("reaction-fire").gap == of("countercharge").gap == "moves-first"


@pytest.mark.covers("reaction-fire/basic", "countercharge/basic")
def test_a_reaction_to_whoever_stays_is_told_as_things_are() -> None:
    position = duel(a("raider"), a("steam_rifleman"), gap=18.0)
    shot = reacted(position, "reaction-fire", "hide")
    assert shot.steps == forecasts.forecast(position, Shot(1, 0, 0, REACTION)).steps
    assert shot.notes == ("as-now",)
    assert reacted(position, "reaction-fire", "move").gap == "moves-first"
    assert reacted(position, "none", "hide") is None
    away = duel(a("raider"), a("steam_rifleman"), gap=18.0)
    away.turn(away.model(1), 0.0)
    assert reacted(away, "reaction-fire", "hide").gap == "no-shot"
    back = reacted(position, "countercharge", "hide")
    assert step(back, "reaches").mean == pytest.approx(step(charge_forecast(position, 1, 0), "reaches").mean)  # type: ignore[arg-type]
