"""Dice that nobody has chosen: what binds them, what they are made of, and that a forged file is told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from campale.referee.fair import Fair, commitment, game_seed, new_seed
from campale.referee.records.saved import read, save, verify
from tests.referee.playing import begun

PARTS = st.lists(st.text(max_size=6), min_size=1, max_size=4)


def fair(server: str = "server", seats: tuple[str, ...] = ("one", "two")) -> Fair:
    return Fair(commitment(server), server, seats)


def test_a_seed_of_the_server_is_never_the_same() -> None:
    assert len({new_seed() for _ in range(20)}) == 20
    assert len(new_seed()) == 64


def test_the_commitment_is_the_plain_sha256_of_the_seed() -> None:
    """As anybody can make it with a tool of his own."""
    assert commitment("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(PARTS, PARTS)
def test_only_the_same_parts_give_the_same_seed(one: list[str], other: list[str]) -> None:
    same = game_seed(one[0], one[1:]) == game_seed(other[0], other[1:])
    assert same == (one == other)


def test_the_seed_hangs_on_everybody() -> None:
    first = game_seed("server", ("one", "two"))
    assert first not in {game_seed("server", ("two", "one")), game_seed("other", ("one", "two"))}
    assert first != game_seed("server", ("one", "")) != game_seed("server", ("", "one"))


def played(parts: Fair, seed: str | None = None) -> bytes:
    return save(begun(seed or game_seed(parts.server_seed, parts.seat_seeds)), parts)


def test_a_file_that_tells_what_its_dice_were_made_of_verifies() -> None:
    data = played(fair())
    assert verify(data).identical
    assert read(data).fair == fair()


def test_a_seed_that_was_not_bound_is_told() -> None:
    found = verify(played(Fair(commitment("another"), "server", ("one", "two"))))
    assert (found.identical, found.what) == (False, "commitment")


def test_dice_of_another_seed_are_told() -> None:
    found = verify(played(fair(), "a seed that suits somebody"))
    assert (found.identical, found.what) == (False, "seed")


def test_a_player_s_seed_that_was_not_bound_is_told() -> None:
    seals = commitment("one"), commitment("two")
    parts = fair()
    assert verify(played(Fair(*parts_of(parts), seals))).identical
    for forged in ((seals[0], commitment("three")), (seals[0], ""), (seals[0],), (seals[1], seals[0])):
        found = verify(played(Fair(*parts_of(parts), forged)))
        assert (found.identical, found.what) == (False, "seal")


def parts_of(parts: Fair) -> tuple[str, str, tuple[str, ...]]:
    return parts.commitment, parts.server_seed, parts.seat_seeds


def test_a_file_without_seeds_verifies_as_ever() -> None:
    assert verify(save(begun("7"))).identical
