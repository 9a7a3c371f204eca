"""Files from strangers: what is taken, and what is said of the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from campale.referee.reading import SIZE_LIMIT, FileError, Written, read, read_file, shaped
from tests.work import at_most

Many = Annotated[int, msgspec.Meta(ge=1, le=40)]


class Guard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    post: Annotated[str, msgspec.Meta(max_length=10)]
    count: Many = 1
    awake: bool = False
    arms: Annotated[tuple[str, ...], msgspec.Meta(max_length=3)] = ()


class Title(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    en: str
    it: str


class Watch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["watch"]
    name: Title
    hours: Many
    guards: Annotated[tuple[Guard, ...], msgspec.Meta(min_length=1, max_length=30)]


def written(**changes: Any) -> str:
    """The text of a good file, with some of its keys changed; None takes one away."""
    content: dict[str, Any] = {
        "kind": "watch",
        "name": {"en": "Night", "it": "Notte"},
        "hours": 8,
        "guards": [{"post": "gate", "count": 2}],
    }
    content.update(changes)
    return json.dumps({key: value for key, value in content.items() if value is not None}, indent=1)


def guards(**changes: Any) -> str:
    return written(guards=[{"post": "gate", **changes}])


def refused(text: str | bytes) -> str:
    """The messages."""
    with pytest.raises(FileError) as error:
        shaped(read(text, "mine.yaml"), Watch)
    assert all(message.startswith("mine.yaml") for message in error.value.messages)
    return "\n".join(error.value.messages)


def test_a_file_and_its_text_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(written(), "utf-8")
    assert read_file(path, Watch)[0] == shaped(read(written(), "mine"), Watch)[0]
    assert read_file(path, Watch)[0].guards == (Guard("gate", 2),)


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, Path("a\0b")):
        with pytest.raises(FileError, match=r"does not exist|is a folder|cannot be opened"):
            read_file(path, Watch)


def test_a_file_that_may_not_be_opened_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(written(), "utf-8")

    def forbidden(*_: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(FileError, match="cannot be opened"):
        read_file(path, Watch)


BOMB = "a: &a [x,x]\n" + "\n".join(f"{b}: &{b} [*{a},*{a}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "anchors"),
        ("a: *b", "anchors"),
        ("points: .nan", "not a finite number"),
        ("points: -.inf", "not a finite number"),
        ("points: " + "9" * 5000, "not a valid int"),
        ("points: !!int abc", "not a valid int"),
        ("points: !!bool abc", "not a valid bool"),
        ("a: " + "[" * 200_000, "levels deep"),
        ("a: " + "{x: " * 50, "levels deep"),
        ("- " * 100_000, "levels deep"),
        ("a: 1\na: 2", "appears twice"),
        ("1: 2", "a key must be a word"),
        ("[a, b]: 2", "a key must be a word"),
        ("<<: {a: 1}", "a key must be a word"),
        ("a: !!python/object/apply:os.system [ls]", "is not allowed"),
        ("a: !!binary aGk=", "is not allowed"),
        ("a: !!set {x}", "is not allowed"),
        ("---\na: 1\n---\nb: 2", "second document"),
        ("a: 'never closed", "not valid"),
        ("a: b: c", "line 1"),
        ("a: \x01", "not valid"),
        ("x\ud800", "not a table"),
        (b"\xff\xfe\x00", "not a UTF-8"),
        (b"#" * (SIZE_LIMIT + 1), "larger than 256 kB"),
        ("", "empty"),
        ("# nothing", "empty"),
        ("just words", "not a table of keys"),
        ("2024-01-01", "not a table of keys"),
        ("~", "not a table of keys"),
    ],
)
def test_hostile_files_get_a_clear_answer_at_once(text: str | bytes, said: str) -> None:
    """What is loaded and read the first time that anything is refused does not count."""
    refused("just words")
    with at_most(20_000):
        assert said in refused(text)


def test_the_size_allowed_is_still_read() -> None:
    text = written()
    read(text + "#" * (SIZE_LIMIT - len(text)), "mine")
    assert "larger" in refused(text + "#" * (SIZE_LIMIT - len(text) + 1))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (written(kind="clock"), "'clock' is not one of 'watch'"),
        (written(hours="many"), "'many' is not a whole number"),
        (written(hours=True), "True is not a whole number"),
        (written(hours=None), "'hours' missing"),
        (written(hours=0), "below the minimum, 1"),
        (written(hours=41), "above the maximum, 40"),
        (written(hours=1.5), "1.5 is not a whole number"),
        (written(hours=8.0), "8.0 is not a whole number"),
        (written(name="Night"), "'Night' is not a table"),
        (written(name={"en": "Night"}), "'it' missing"),
        (written(guards=[]), "below the minimum"),
        (written(guards={}), "{} is not a list"),
        (written(guards=[{}]), "'post' missing"),
        (written(gaurds=[]), "Did you mean 'guards'?"),
        (guards(count=10**12), "above the maximum, 40"),
        (guards(awake="yes please"), "is not true or false"),
        (guards(arms="knife"), "'knife' is not a list"),
        (guards(arms=["knife"] * 4), "above the maximum, 3"),
        (guards(post=["gate"]), "is not text"),
        (guards(post="x" * 11), "above the maximum, 10"),
        (guards(hours=3), "'hours': not known here"),
    ],
)
def test_wrong_contents_get_a_clear_answer(text: str, said: str) -> None:
    assert said in refused(text)


def test_a_message_says_the_line_and_the_place() -> None:
    text = "kind: watch\nname: {en: A, it: B}\nhours: 8\nguards:\n  - {post: gate}\n  - {post: wall, count: two}\n"
    assert "mine.yaml, line 6, guards[2].count: 'two'" in refused(text)


def test_everything_wrong_is_said_at_once_in_the_order_of_the_file() -> None:
    said = refused("kind: clock\nname: {en: A, it: B}\nhours: many\nguards: none\n").splitlines()
    assert [line.split(",")[1] for line in said] == [" line 1", " line 3", " line 4"]


def test_a_thousand_mistakes_are_not_all_said() -> None:
    several = [{"post": "gate", "count": count} for count in range(41, 71)]
    assert len(refused(written(guards=several)).splitlines()) == 20


def test_what_only_the_types_refuse_is_still_said(tmp_path: Path) -> None:
    schema = tmp_path / "watch.schema.json"
    schema.write_text(json.dumps({"type": "object"}), "utf-8")
    with pytest.raises(FileError, match="mine: Expected `str`"):
        shaped(Written("mine", {"kind": "watch"}, {}), str, schema)
