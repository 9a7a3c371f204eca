"""What the search of the site says, in its language: the generator has it in English, and no setting for it."""

from __future__ import annotations

import json
from pathlib import Path

from tools.site.words import WORDS

PROGRAM = "assets/javascripts/bundle.*.js"
SAID = {
    "search": 'placeholder:"{}"',
    "search-label": '"aria-label":"{}"',
    "search-close": '"aria-label":"{}"',
    "search-results": '"aria-label":"{}"',
    "search-filters": '"aria-label":"{}"',
    "search-filters-title": 'children:"{}"',
    "search-tags": 'children:"{}"',
    "search-tags-how": '"{}"',
    "search-loading": '"{}"',
    "search-broken": '"{}"',
    "search-none": '="{}"',
    "search-one": '?"{}":',
    "search-more": ':"{}"}}',
    "search-numbers": 'NumberFormat("{}")',
}
"""How each of the words stands in the generator's program; in English it is what stands there."""


class OtherSearch(Exception):
    """The generator's search says something else than it did; says what it no longer says."""


def translate(site: Path, language: str) -> None:
    """Have the search of a built site speak its language. Raises OtherSearch."""
    for path in site.glob(PROGRAM):
        program = path.read_text("utf-8")
        for word in SAID:
            if piece(word, "en") not in program:
                raise OtherSearch(f"{path.name} has no {piece(word, 'en')}: tools/site/words.py has to follow it.")
            program = program.replace(piece(word, "en"), piece(word, language))
        path.write_text(program, "utf-8")


def piece(word: str, language: str) -> str:
    return SAID[word].format(json.dumps(WORDS[language][word])[1:-1])
