"""Models that take wounds one after another."""

from __future__ import annotations

import pytest

from campale.mechanics.ranks import Ranks, ranks_of, wounded


@pytest.mark.parametrize(
    ("wounds", "kept", "spilt"),
    [
        (0, Ranks(3, 1, 2), Ranks(3, 1, 2)),
        (1, Ranks(2, 2, 2), Ranks(2, 2, 2)),
        (2, Ranks(2, 2, 2), Ranks(2, 1, 2)),
        (4, Ranks(2, 2, 2), Ranks(1, 1, 2)),
        (5, Ranks(2, 2, 2), Ranks(0, 0, 2)),
        (9, Ranks(2, 2, 2), Ranks(0, 0, 2)),
    ],
)
def test_wounds_beyond_those_of_a_model_are_lost_or_spill_over(wounds: int, kept: Ranks, spilt: Ranks) -> None:
    hurt = Ranks(3, 1, 2)
    assert wounded(hurt, wounds) == kept
    assert wounded(hurt, wounds, spills=True) == spilt


def test_nobody_is_left_to_be_hurt() -> None:
    nobody = ranks_of(0, 2)
    assert nobody.wounds == 0
    assert wounded(nobody, 3) == wounded(nobody, 3, spills=True) == nobody
    assert ranks_of(3, 2).wounds == 6
    assert Ranks(3, 1, 2).wounds == 5
