"""How terrain shows on the table: what nobody can pass, what nobody sees through, the cover it gives."""

from __future__ import annotations

import pytest

from campale.referee.ruleset import load_ruleset
from campale.screen.scene import facts_of
from campale.table.terrain import Piece

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))


@pytest.mark.parametrize(
    ("book", "tags", "shown"),
    [
        ("e55", ("impassable", "solid"), (True, True, "")),
        ("e55", ("difficult", "cover-4"), (False, False, "4+")),
        ("e3m", ("blocks", "cover-5"), (False, True, "5+")),
        ("ragnarok", ("solid",), (False, True, "")),
        ("w10", ("ruins",), (False, True, "")),
        ("wzr", ("impassable",), (True, False, "")),
        ("wzr", (), (False, False, "")),
    ],
)
def test_tags_show_as_the_book_says(book: str, tags: tuple[str, ...], shown: tuple[bool, bool, str]) -> None:
    assert facts_of(Piece("p", "wall", SQUARE, tags=tags), load_ruleset(book)) == shown
