"""The messages of the page are those of the server."""

from __future__ import annotations

import json

import msgspec
import pytest
from tools.wire import TARGET, told, written

from campale.referee.refusal import Plain
from campale.referee.telling.words import LANGUAGES, PLACEHOLDER
from campale.server.sockets import wire
from campale.server.told import FOLDER
from campale.server.told import told as sentence


def test_the_messages_of_the_page_are_written_from_those_of_the_server() -> None:
    assert TARGET.read_text(encoding="utf-8") == written(), "write them anew: python -m tools.wire"


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (list[list[float | None]], "((number | null)[])[]"),
        (tuple[str, float], "[string, number]"),
        (dict[str, list[int]], "{ [key: string]: number[] }"),
        (Plain, "Plain"),
        (wire.SeatShown | None, "SeatShown | null"),
    ],
)
def test_a_type_is_written_as_typescript(hint: object, text: str) -> None:
    assert told(hint) == text


def test_every_message_has_a_tag_of_its_own() -> None:
    for base in (wire.Asks, wire.Tells):
        tags = [kind.__struct_config__.tag for kind in base.__subclasses__()]
        assert len(set(tags)) == len(tags)


def test_a_message_with_a_field_too_many_is_refused() -> None:
    decoder = msgspec.json.Decoder(wire.Message)
    assert decoder.decode(b'{"do": "ping", "n": 3}') == wire.Ping(3)
    for raw in (b'{"do": "ping", "m": 3}', b'{"do": "rule"}', b'{"n": 3}', b"[]"):
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(raw)


def test_the_words_of_the_server_are_the_same_in_both_languages() -> None:
    first, second = (json.loads((FOLDER / f"{language}.json").read_text("utf-8")) for language in LANGUAGES)
    assert set(first) == set(second)
    for key, text in first.items():
        assert text.strip()
        assert set(PLACEHOLDER.findall(text)) == set(PLACEHOLDER.findall(second[key])), key


def test_a_sentence_in_a_language_that_there_is_not_is_english() -> None:
    assert sentence("tlh", "no-book", book="x") == sentence("en", "no-book", book="x")
    assert sentence("en", "no-book", book="x").startswith("There is no rulebook x. ")
