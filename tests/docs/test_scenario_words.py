"""The pages with the words of scenario files are those of the books."""

from __future__ import annotations

import pytest
from tools.vocabulary import KINDS, PAGES, books, page


@pytest.mark.parametrize("language", PAGES)
def test_the_words_of_scenario_files_are_listed_as_they_are(language: str) -> None:
    assert PAGES[language].read_text("utf-8") == page(language), "write them anew: python -m tools.vocabulary"


def test_every_kind_of_word_of_every_book_is_listed() -> None:
    for book in books():
        assert book.stage is not None
        assert set(book.stage.words) <= set(KINDS)
        assert {"marks", "now", "declared", "causes"} <= set(book.stage.words)
