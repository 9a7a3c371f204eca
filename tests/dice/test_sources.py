from __future__ import annotations

from collections import Counter

import pytest

from campale.dice.needs import divided, halved
from campale.dice.sources import Alike, ByHand, Redrawn, Scripted, ScriptError, Seeded, Stream
from campale.referee.chance import Chance, Direction, Draw, Roll

FOUR = Roll(0, "four", 4)


def test_a_seed_gives_the_same_numbers_for_ever() -> None:
    dice = Seeded("campale")
    asked: list[Chance] = [
        Roll(0, "r", 8),
        Roll(0, "r", 5, 20),
        Direction(0, "d", 0.1),
        Draw(0, "c", list("abcdefgh"), 4),
        Roll(1, "r", 3, 1000),
        Roll(1, "r", 2, 100_000),
    ]
    assert [dice.answer(one) for one in asked] == GOLDEN
    assert dice.counter == len(asked)


GOLDEN: list[object] = [
    [6, 1, 4, 2, 5, 6, 3, 6],
    [18, 8, 10, 3, 19],
    113.9,
    [0, 6, 2, 5],
    [797, 561, 484],
    [27805, 43033],
]


def test_other_seeds_and_other_places_give_other_numbers() -> None:
    long = Roll(0, "r", 40)
    one, two = Seeded("1"), Seeded("2")
    first = one.answer(long)
    assert first != two.answer(long)
    assert first != one.answer(long)
    assert first == Seeded("1").answer(long)
    assert one.copy().answer(long) == one.answer(long)
    assert Seeded("1", 2).answer(long) == Seeded("1", 2).answer(long) != first


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 66, 100, 300])
def test_every_face_is_as_likely_as_the_others(sides: int) -> None:
    """Chi-square over a fixed seed, far inside its 99.9 % bound."""
    count = sides * 400
    found = Counter(Seeded("fair").answer(Roll(0, "r", count, sides)))
    assert set(found) == set(range(1, sides + 1))
    square = sum((found[face] - 400) ** 2 / 400 for face in range(1, sides + 1))
    assert square < sides + 3.1 * (2 * sides) ** 0.5 + 6


def test_bytes_that_would_favour_low_faces_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    given = iter([255, 252, 251])
    monkeypatch.setattr(Stream, "byte", lambda self: next(given))
    assert Stream("s", 0).below(6) == 251 % 6
    assert list(given) == []


def test_a_block_is_followed_by_another() -> None:
    stream = Stream("s", 0)
    assert len({tuple(stream.byte() for _ in range(64)) for _ in range(4)}) == 4


def test_a_draw_takes_each_place_once() -> None:
    drawn = Seeded("d").answer(Draw(0, "deck", list(range(52)), 52))
    assert sorted(drawn) == list(range(52))
    assert drawn != list(range(52))


def test_dice_read_halved_or_divided_stay_fair() -> None:
    faces = Seeded("halves").answer(Roll(0, "r", 6000))
    assert all(abs(count - 2000) < 150 for count in Counter(map(halved, faces)).values())
    faces = Seeded("d20").answer(Roll(0, "r", 8000, 20))
    assert set(map(halved, faces)) == set(range(1, 11))
    assert {divided(face, 4) for face in faces} == {1, 2, 3, 4, 5}


def test_dice_of_a_record_are_drawn_where_they_were() -> None:
    dice = Seeded("r")
    first, second, third = (dice.answer(FOUR) for _ in range(3))
    again = Redrawn("r", [0, 2])
    assert [again.answer(FOUR), again.answer(FOUR)] == [first, third] != [first, second]
    with pytest.raises(LookupError, match="four"):
        again.answer(FOUR)


def test_a_script_is_used_up_in_order() -> None:
    dice = Scripted([1, 2, 3, 4, 18.0, 1, 0])
    assert dice.answer(FOUR) == [1, 2, 3, 4]
    kept = dice.copy()
    assert dice.answer(Direction(0, "d", 18.0)) == 18.0
    assert dice.answer(Draw(0, "c", "abc", 2)) == [1, 0]
    assert dice.left == []
    assert kept.left == [18.0, 1, 0]


def test_a_script_that_has_run_out_says_for_what() -> None:
    dice = Scripted([1, 2])
    with pytest.raises(ScriptError, match="roll 'four' wants 4, 2 left"):
        dice.answer(FOUR)
    assert dice.left == [1, 2]


@pytest.mark.parametrize(
    ("asked", "script"),
    [
        (FOUR, [1, 2, 3, 7]),
        (FOUR, [0, 2, 3, 6]),
        (FOUR, [1.5, 2, 3, 6]),
        (Direction(0, "d", 18.0), [17.0]),
        (Draw(0, "c", "abc", 2), [1, 1]),
    ],
)
def test_a_script_cannot_hold_what_cannot_come_up(asked: Chance, script: list[float]) -> None:
    dice = Scripted(script)
    with pytest.raises(ScriptError, match="cannot come up"):
        dice.answer(asked)
    assert dice.left == script


def test_dice_typed_in_wait_for_a_person() -> None:
    dice = ByHand()
    assert dice.answer(FOUR) is None
    assert dice.copy() is dice


# ---------------------------------------------------------------- luck that is shared


def test_dice_that_are_alike_show_the_same_whatever_else_was_rolled() -> None:
    hits, saves = Roll(0, "hits", 20, about={"unit": 3}), Roll(1, "saves", 20, about={"unit": 3})
    one, other = Alike("luck"), Alike("luck")
    first = one.answer(hits), one.answer(hits), one.answer(saves)
    assert (other.answer(saves), other.answer(hits), other.answer(hits)) == (first[2], first[0], first[1])
    assert first[0] != first[1]
    assert Alike("other luck").answer(hits) != first[0]


def test_dice_that_are_alike_are_those_of_whoever_rolls() -> None:
    """Another unit rolls otherwise, the same one against another enemy does not."""
    rolls = [Roll(0, "hits", 20, about={"unit": unit, "target": target}) for unit, target in ((3, 7), (3, 8), (4, 7))]
    mine, against_another, of_another = (Alike("luck").answer(one) for one in rolls)
    assert mine == against_another != of_another


def test_a_copy_of_dice_that_are_alike_goes_on_by_itself() -> None:
    dice = Alike("luck")
    dice.answer(FOUR)
    copied = dice.copy()
    assert dice.answer(FOUR) == copied.answer(FOUR)
    assert dice.answer(Direction(0, "d", 0.1)) == copied.answer(Direction(0, "d", 0.1))
    assert dice.answer(Draw(0, "c", list("abcdef"), 6)) == copied.answer(Draw(0, "c", list("abcdef"), 6))


def test_the_lucks_of_a_seed_spread_what_a_roll_shows() -> None:
    """Two lucks: a low result and a high one; 64 lucks: each face about as often."""
    for unit in range(40):
        die = Roll(0, "courage", 1, about={"unit": unit})
        shown = [Alike("luck", number).answer(die)[0] for number in range(64)]
        for first in range(0, 64, 2):
            assert sum(face <= 3 for face in shown[first : first + 2]) == 1
        assert all(9 <= shown.count(face) <= 12 for face in range(1, 7))


def test_two_rolls_are_spread_independently_of_each_other() -> None:
    dice = [Alike(f"luck {seed}", number) for seed in range(300) for number in range(4)]
    pairs = [tuple(one.answer(Roll(0, name, 1))[0] > 3 for name in ("hits", "saves")) for one in dice]
    assert all(240 <= pairs.count(pair) <= 360 for pair in set(pairs))
    assert len(set(pairs)) == 4


def test_the_sum_of_two_dice_is_as_likely_as_ever() -> None:
    sums = [
        sum(Alike(f"luck {seed}", number).answer(Roll(0, "morale", 2))) for seed in range(90) for number in range(40)
    ]
    assert all(abs(sums.count(total) / 100 - (6 - abs(total - 7))) < 1.2 for total in range(2, 13))


def test_the_faces_of_many_dice_come_up_about_equally_often() -> None:
    """Within a roll the count of a face is off by less than one; over all rolls each die is fair, at every place."""
    rolls = [Alike(f"luck {seed}").answer(Roll(0, "hits", 15)) for seed in range(1200)]
    assert all(2 <= shown.count(face) <= 3 for shown in rolls for face in range(1, 7))
    for place in range(15):
        at_place = [shown[place] for shown in rolls]
        assert all(140 <= at_place.count(face) <= 260 for face in range(1, 7))
