"""What is answered for a player who wants to be asked only when it can matter: both sides of each boundary."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.question import Choose, Form
from campale.rulesets.ragnarok.turn.tactical import END, HAND_OUT
from campale.rulesets.ragnarok.view.trifles import needless, vain
from tests.rulesets.ragnarok.kit import a, table

ACT = Form(0, "act", lambda filled: None)


def alone(charisma: int) -> Position:
    return table(a("raider", 0, (60, 60), charisma=charisma), a("raider", 1, (60, 20)))


def test_the_phase_goes_on_as_long_as_somebody_can_do_something() -> None:
    assert needless(alone(1), ACT) is None
    assert needless(alone(0), ACT) == ([END],)


def test_points_to_hand_out_are_something_to_do() -> None:
    position = table(a("raider", 0, (60, 60), charisma=0, commander=1), a("raider", 0, (62, 60), charisma=0))
    assert needless(position, ACT) == ([END],)
    position.gain(0, "bonus", 1)
    assert needless(position, ACT) is None


def test_other_questions_are_none_of_its_business() -> None:
    assert needless(alone(0), Choose(0, "countermove", ["move", "turn"])) is None


@pytest.mark.parametrize(
    ("roller", "changes", "given"),
    [(0, (1, 2), None), (0, (-1,), ("no",)), (1, (-1,), None), (1, (1, 3), ("no",)), (0, (-1, 1), None)],
)
def test_points_are_offered_where_they_could_help(roller: int, changes: tuple[int, ...], given: object) -> None:
    """A success of one's own, or a failure of the other side, is left as it is."""
    keys = ["no", *((place, change) for place, change in enumerate(changes))]
    question = Choose(0, "exploration-points", keys, of="bend", about={"faces": [1] * len(changes), "roller": roller})
    assert needless(alone(1), question) == given


def test_points_on_an_amount_are_for_the_player_to_say() -> None:
    question = Choose(0, "exploration-points", ["no", (0, -1)], of="bend", about={"total": 3})
    assert needless(alone(1), question) is None


@pytest.mark.parametrize(
    ("own", "against", "given"), [(4, 1, ("no",)), (4, 4, None), (2, 4, None), (1, 4, ("no",)), (2, 3, None)]
)
def test_points_are_offered_on_a_roll_off_that_they_can_turn(own: int, against: int, given: object) -> None:
    """With two points: not where the roll-off is won already, nor where they do not even level it."""
    about = {"own": own, "against": against}
    question = Choose(0, "exploration-points", ["no", (0, 1), (0, 2)], of="bend", about=about)
    assert needless(alone(1), question) == given


@pytest.mark.parametrize(
    ("act", "marks", "is_vain"),
    [
        ("recover", {}, True),
        ("recover", {"fatigue": 1}, False),
        ("hide", {"hidden": 1}, True),
        ("hide", {}, False),
        ("move", {}, False),
        ("move", {"used-move": 1}, True),
        ("move", {"used-hide": 1}, False),
    ],
)
def test_an_action_without_effect_or_that_tires_is_not_proposed(act: str, marks: dict[str, Any], is_vain: bool) -> None:
    position = table(a("raider", 0, (60, 60), **marks))
    assert vain(position, Choose(0, "action", (act,), about={"model": 0}), act) is is_vain


@pytest.mark.parametrize(("far", "is_vain"), [(60.0, False), (60.1, True)])
def test_a_shot_out_of_range_is_not_proposed(far: float, is_vain: bool) -> None:
    position = table(a("steam_rifleman", 0, (60, 20), facing=0), a("raider", 1, (60, 22.5 + far)))
    assert vain(position, Choose(0, "action", ("fire",), about={"model": 0}), "fire") is is_vain


@pytest.mark.parametrize(("far", "is_vain"), [(24.0, False), (24.1, True)])
def test_an_ability_that_nobody_near_by_could_use_is_not_proposed(far: float, is_vain: bool) -> None:
    """Furious Charge for a Jarl who moves 12 cm and charges 12 cm farther; concentrating on it is as vain."""
    position = table(a("barrow_jarl", 0, (60, 20), commander=1), a("raider", 1, (60, 22.5 + far)))
    for act in ("ability", "concentrate"):
        assert vain(position, Choose(0, "action", (act,), about={"model": 0}), act) is is_vain


@pytest.mark.parametrize(
    ("profile", "act", "prepared"), [("frost_hunter", "aim", "fire"), ("rune_seer", "concentrate", "ability")]
)
def test_nothing_is_prepared_that_would_tire(profile: str, act: str, prepared: str) -> None:
    for used in (0, 1):
        marks: dict[str, Any] = {f"used-{prepared}": used}
        position = table(a(profile, 0, (60, 20), **marks), a("raider", 1, (60, 40)))
        assert vain(position, Choose(0, "action", (act,), about={"model": 0}), act) is bool(used)


@pytest.mark.parametrize(("turn", "used", "is_vain"), [(1, 1, False), (1, 2, True), (3, 1, True)])
def test_the_second_move_of_a_scout_is_proposed_in_its_first_turn(turn: int, used: int, is_vain: bool) -> None:
    marks: dict[str, Any] = {"used-move": used}
    position = table(a("raider", 0, (60, 60), rules=("scout",), **marks), turn=turn)
    assert vain(position, Choose(0, "action", ("move",), about={"model": 0}), "move") is is_vain


DONE: dict[str, Any] = {"used-move": 1, "charisma": 1}


@pytest.mark.parametrize(("marks", "is_vain"), [({"charisma": 1}, False), (DONE, True), (DONE | {"charisma": 0}, True)])
def test_a_model_that_could_only_tire_itself_is_not_proposed(marks: dict[str, Any], is_vain: bool) -> None:
    position = table(a("raider", 0, (60, 60), **marks), a("raider", 1, (60, 10)))
    assert vain(position, Choose(0, "model", (0, END)), 0) is is_vain


@pytest.mark.parametrize(("used", "is_vain"), [(0, False), (1, True)])
def test_points_are_proposed_for_models_that_can_do_something_new_with_them(used: int, is_vain: bool) -> None:
    marks: dict[str, Any] = {"used-move": used, "charisma": 0}
    leader, other = a("raider", 0, (60, 60), commander=1), a("draugr", 0, (64, 60), **marks)
    position = table(leader, other, a("raider", 1, (60, 10)))
    assert vain(position, Choose(0, "model", (1, HAND_OUT, END)), HAND_OUT) is is_vain
    assert vain(position, Choose(0, "hand-out-to", (0, 1)), 1) is is_vain
    assert vain(position, Choose(0, "hand-out-to", (0, 1)), 0)
