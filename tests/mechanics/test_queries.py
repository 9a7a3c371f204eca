"""The set-up of a query, its decisions and its counts, with no book in sight."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from campale.mechanics.queries import counting
from campale.mechanics.queries.decisions import answering
from campale.mechanics.queries.layout import APART, Body, Opposing, opposing
from campale.mechanics.queries.profiles import known_by, models_inline, picks_of, read_inline
from campale.referee.odds_queries import FieldError

MIDDLE = 50.0
ROUND, BIG = Body(1.0, 1.0), Body(2.5, 2.5)
HULL = Body(3.0, 5.0, True)


def nearest(attacker: Body, targets: list[Body], places: Opposing, k: int) -> float:
    """From the edge of an attacker to the nearest edge of a target, round bases all."""
    x, y, _ = places.attackers[k]
    gaps = [
        math.dist((x, y), at) - attacker.wide / 2.0 - target.wide / 2.0
        for at, target in zip(places.targets, targets, strict=True)
    ]
    return min(gaps)


@pytest.mark.parametrize("distance", [1.0, 6.0, 24.0])
@pytest.mark.parametrize(
    ("attackers", "targets"), [([ROUND] * 3, [ROUND] * 3), ([BIG] * 2, [ROUND] * 7), ([ROUND], [BIG])]
)
def test_the_front_rank_is_as_far_off_as_was_asked(attackers: list[Body], targets: list[Body], distance: float) -> None:
    places = opposing(attackers, targets, distance, MIDDLE)
    for k, attacker in enumerate(attackers):
        assert nearest(attacker, targets, places, k) == pytest.approx(distance)


def test_those_who_find_no_room_opposite_stand_round_the_ends_and_then_behind() -> None:
    attackers, targets = [ROUND] * 40, [ROUND]
    places = opposing(attackers, targets, 2.0, MIDDLE)
    turns = [turned for _, _, turned in places.attackers]
    assert turns[0] == 0.0
    assert turns[1] == -turns[2] < 0.0
    away = [nearest(ROUND, targets, places, k) for k in range(40)]
    first = [k for k in range(40) if away[k] == pytest.approx(2.0)]
    assert 1 < len(first) < 40
    assert min(away[k] for k in range(40) if k not in first) == pytest.approx(2.0 + 1.0 + APART)
    for one in range(40):
        for other in range(one):
            assert math.dist(places.attackers[one][:2], places.attackers[other][:2]) >= 1.0


def test_how_far_round_they_go_and_how_much_farther_off_may_be_said() -> None:
    whole = opposing([ROUND] * 6, [ROUND], 1.0, MIDDLE, widest=360.0, spare=0.01)
    assert [nearest(ROUND, [ROUND], whole, k) for k in range(6)] == pytest.approx([1.0, *[1.01] * 5])
    assert max(abs(turned) for _, _, turned in whole.attackers) > 80.0


def test_before_a_hull_there_is_room_for_several() -> None:
    places = opposing([ROUND] * 2, [HULL], 4.0, MIDDLE)
    assert [y for _, y, _ in places.attackers] == [MIDDLE - 4.5] * 2
    assert places.targets == [(MIDDLE, MIDDLE + 2.5)]


def test_some_decisions_are_answered_in_their_own_way_in_forms_too() -> None:
    def asked(prompt: str) -> Any:
        return SimpleNamespace(prompt=prompt)

    policy = answering({"save": lambda _: "cover"}, lambda question: f"usual {question.prompt}", ("wounds",))
    assert policy(asked("save")) == "cover"
    assert policy(asked("other")) == "usual other"
    fields = [asked("save"), asked("other")]
    form = SimpleNamespace(prompt="wounds", field=lambda filled: next(iter(fields[len(filled) :]), None))
    assert policy(form) == ["cover", "usual other"]


def test_what_is_lost_left_and_taken_is_counted() -> None:
    def position(*wounds: int) -> Any:
        models = [SimpleNamespace(is_on_table=left > 0, left=left) for left in wounds]
        return SimpleNamespace(model=models.__getitem__, side_of=[0, 1, 1])

    def wounds(model: Any) -> int:
        return int(model.left)

    before, after = position(1, 3, 2), position(1, 0, 2)
    rows = counting.rows_of(before, 1)
    left = counting.left_of(rows, wounds)
    assert rows == [1, 2]
    assert (counting.lost(rows)(after), left(after), counting.taken_from(before, left)(after)) == (1, 2, 3)
    assert counting.number_of(rows, lambda model: wounds(model) > 1)(after) == 1


def test_profiles_are_listed_once_and_what_is_written_inline_is_read_or_blamed() -> None:
    lists = [
        SimpleNamespace(title={"en": name}, profiles={"one": SimpleNamespace(title={"en": "One"})}) for name in "ab"
    ]
    picks = picks_of([("force:unit", {"en": "Unit"}, {"en": "Force"})], lists)
    assert [(pick.value, pick.under["en"]) for pick in picks] == [("force:unit", "Force"), ("one", "b")]
    assert read_inline("attacker", "5", int) == 5
    with pytest.raises(FieldError) as fault:
        read_inline("attacker", "five", int)
    assert fault.value.name == "attacker"
    assert set(fault.value.why) == {"en", "it"}


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    profile: str
    count: int = 1
    adds: tuple[str, ...] = ()


def test_models_are_written_inline_as_one_kind_or_as_several() -> None:
    def made(plain: dict[str, Any]) -> str:
        return f"{plain['profile']}{''.join(plain['adds'])}"

    assert models_inline({"profile": "a", "count": 2}, Written, made) == ["a", "a"]
    assert models_inline([{"profile": "a", "adds": ["x"]}, {"profile": "b", "count": 2}], Written, made) == [
        "ax",
        "b",
        "b",
    ]
    with pytest.raises(msgspec.ValidationError, match="cuont"):
        models_inline({"profile": "a", "cuont": 2}, Written, made)


def test_a_name_that_is_not_known_is_told_with_what_it_is_and_what_is_near() -> None:
    known = {"riders": 1, "pikes": 2}
    assert known_by("riders", known, "unit") == 1
    with pytest.raises(ValueError, match=r"^there is no unit 'rider'\. Did you mean 'riders'\?$"):
        known_by("rider", known, "unit")
