"""3/start-of-turn: what comes before the movement phase, in its order."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.battle import missions, reserves
from campale.rulesets.e55.definitions.units import (
    ALOFT,
    ARRIVED,
    AT_PHASE_START,
    BROKEN,
    COMBAT,
    FACED_THEN,
    SPEED,
    WARP,
)
from campale.rulesets.e55.turn.start_of_turn import ITEM, ITEMS, start_phase
from campale.rulesets.e55.vehicles import vehicles
from tests.rulesets.e55.kit import PROPOSAL, Played, model, play, profile, squad, table, unit


def begin(position: Position, dice: str = "", answers: list[object] | None = None) -> Played:
    """The whole start of a turn, run by run."""

    async def to_the_end() -> None:
        while await start_phase(position):
            pass

    return play(to_the_end(), dice, answers or [], position)


def start(*squads: object, **more: object) -> Position:
    return table(*squads, phase="start", **more)  # type: ignore[arg-type]


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done by other chapters, in order."""
    done: list[str] = []

    async def arrive(position: Position, side: int) -> bool:
        done.append(f"arrivals {side}")
        return False

    monkeypatch.setattr(missions, "score_start_of_turn", lambda position, side: done.append(f"score {side}"))
    monkeypatch.setattr(vehicles, "begin_movement", lambda position: done.append("begin movement"))
    monkeypatch.setattr(reserves, "arrivals", arrive)
    return done


@pytest.mark.covers("3/start-of-turn")
def test_the_items_follow_in_their_order(order: list[str]) -> None:
    position = start(
        squad("jump-trooper", at=(10, 20)),
        squad("jump-trooper", side=1, at=(10, 40), aloft=1),
        squad("militia", at=(30, 20), broken=1),
        squad(profile("veteran", psyker=2), at=(50, 20)),
    )
    done = begin(position, "6 6 | 4", [["ground"]])
    assert order == ["score 0", "begin movement", "arrivals 0"]
    marked = [(e.values["unit"], e.values["marker"]) for e in done.events if e.kind == "mark-unit"]
    assert marked[:2] == [(0, ALOFT), (1, ALOFT)]
    assert [question.prompt for question in done.questions] == ["flying-modes", "rally", "broken-fall-back"]
    assert done.questions[0].side == 1
    assert model(position, 3).marks(WARP) == 2
    assert position.snapshots["turn"][2][:2] == (30, 16)


@pytest.mark.covers("3/start-of-turn")
def test_points_are_scored_before_the_landed_fly_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    position = start(squad("jump-trooper"))
    monkeypatch.setattr(
        missions, "score_start_of_turn", lambda position, side: seen.append(unit(position, 0).marks(ALOFT))
    )
    begin(position)
    assert seen == [0]
    assert unit(position, 0).marks(ALOFT) == 1


@pytest.mark.covers("3/start-of-turn")
def test_it_can_be_taken_up_again_after_any_run() -> None:
    position = start(squad("militia", at=(20, 20), broken=1), squad("militia", at=(30, 20), broken=1))
    before = []
    for _ in range(len(ITEMS) + 1):
        before.append(position.now.get(ITEM, 0))
        answers: list[object] = [0] if position.now.get(ITEM) == 4 and "rallying" not in position.declared else []
        dice = "1 1" if position.now.get(ITEM) == 4 else ""
        copy = Position.from_bytes(position.ruleset, position.to_bytes())
        more = play(start_phase(copy), dice, answers, copy).value
        position = copy
    assert not more
    assert before == [0, 1, 2, 3, 4, 4, 5, 6, 7, 8][: len(before)]
    assert ITEM not in position.now
    assert not any(one.marks(BROKEN) for one in position.units)


@pytest.mark.covers("4.2/rally", "3/start-of-turn")
def test_only_the_active_players_broken_units_test_in_the_order_that_he_wants() -> None:
    position = start(
        squad("militia", at=(20, 20), broken=1),
        squad("militia", at=(30, 20), broken=1),
        squad("militia", side=1, at=(30, 40), broken=1),
    )
    played = begin(position, "6 6 | 1 || 1 1", [1])
    assert [question.prompt for question in played.questions] == [
        "rally-next",
        "rally",
        "broken-fall-back",
        "rally",
    ]
    assert [one.marks(BROKEN) for one in position.units] == [0, 1, 1]


@pytest.mark.covers("4.2/rally")
def test_a_unit_that_fails_is_not_tested_twice() -> None:
    position = start(squad("militia", at=(20, 20), broken=1))
    assert begin(position, "6 6 | 1").rolls == ["rally", "broken-fall-back"]


@pytest.mark.covers("5/warp-charges", "3/start-of-turn")
def test_only_the_active_players_psykers_renew_their_charges() -> None:
    psyker = profile("veteran", psyker=2)
    position = start(squad(psyker), squad(psyker, side=1, at=(10, 40)), squad("carrier", at=(50, 20)), squad(psyker))
    position.take_off(model(position, 3), aboard_of=model(position, 2))
    model(position, 1).mark(WARP, 1)
    begin(position)
    assert [model(position, row).marks(WARP) for row in (0, 1, 3)] == [2, 1, 2]


@pytest.mark.covers("3/start-of-turn")
def test_positions_and_facings_are_recorded_after_the_fall_backs() -> None:
    position = start(
        squad("militia", at=(20, 20), faces=1), squad("militia", side=1, at=(30, 40)), squad("militia", at=(40, 20))
    )
    position.snapshots.clear()
    begin(position)
    assert position.snapshots["turn"][0][:2] == (20, 20)
    assert [one.note(FACED_THEN) for one in position.units] == [1, None, None]
    unit(position, 0).mark("faces", 0)
    assert unit(position, 0).note(FACED_THEN) == 1


@pytest.mark.covers("3/start-of-turn", "4.1/trigger-casualties")
def test_reserves_come_last_and_their_heads_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    position = start(
        squad("militia", 2, at=(20, 20)), squad(profile("veteran", psyker=1), 3, at=None, at_phase_start=0)
    )
    unit(position, 1).mark(AT_PHASE_START, 0)
    position.now["lost-before"] = 0

    async def arrive(position: Position, side: int) -> bool:
        assert "turn" in position.snapshots
        for row in (2, 3):
            model(position, row).move_to(30 + 2 * row, 4)
        position.remove(model(position, 4), "deep-strike")
        unit(position, 1).mark(ARRIVED, 1)
        return False

    monkeypatch.setattr(reserves, "arrivals", arrive)
    begin(position)
    assert unit(position, 1).marks(AT_PHASE_START) == 3
    assert [model(position, row).marks(WARP) for row in (2, 3)] == [1, 1]
    assert sorted(position.snapshots["turn"]) == [0, 1]


@pytest.mark.covers("5/warp-charges", "3/start-of-turn")
def test_a_psyker_who_arrives_inside_a_transport_has_his_charges(monkeypatch: pytest.MonkeyPatch) -> None:
    position = start(squad("carrier", at=None), squad(profile("veteran", psyker=2), at=None))

    async def arrive(position: Position, side: int) -> bool:
        model(position, 0).move_to(30, 4)
        position.take_off(model(position, 1), aboard_of=model(position, 0))
        for number in (0, 1):
            unit(position, number).mark(ARRIVED, 1)
        return False

    monkeypatch.setattr(reserves, "arrivals", arrive)
    begin(position)
    assert model(position, 1).marks(WARP) == 2


@pytest.mark.covers("3/start-of-turn")
def test_the_speed_of_the_last_turn_is_over() -> None:
    position = start(squad("tank"), squad("tank", side=1, at=(10, 40)))
    for row in (0, 1):
        model(position, row).mark(SPEED, 2)
    begin(position)
    assert [model(position, row).marks(SPEED) for row in (0, 1)] == [0, 2]


@pytest.mark.covers("6.1.1/own-turn-mode-option", "3/start-of-turn")
def test_with_the_option_the_active_player_chooses_instead_of_returning() -> None:
    position = start(squad("jump-trooper"), options={"own_turn_mode": True})
    played = begin(position, "", [PROPOSAL])
    assert played.prompts == ["flying-modes"]
    assert unit(position, 0).marks(ALOFT) == 0
    assert not begin(start(squad("jump-trooper"))).prompts


@pytest.mark.covers("3/decision-order")
def test_the_active_player_does_his_part_before_the_other_chooses() -> None:
    position = start(
        squad("jump-trooper"), squad("jump-trooper", side=1, at=(10, 40)), options={"own_turn_mode": True}, side=1
    )
    played = begin(position, "", [PROPOSAL, PROPOSAL])
    assert [question.side for question in played.questions] == [1, 0]


@pytest.mark.covers("6.1.1/fmc-locked", "3/start-of-turn")
def test_who_is_locked_in_combat_stays_as_he_is() -> None:
    position = start(squad("winged-beast", at=(30, 20), combat=1), squad("veteran", side=1, at=(30, 21.75), combat=1))
    assert not begin(position).prompts
    assert unit(position, 0).marks(ALOFT) == 0
    assert unit(position, 0).marks(COMBAT)
