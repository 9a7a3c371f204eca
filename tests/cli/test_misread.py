"""What cannot be read of a command line is told in one sentence, in the language asked for."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from campale.cli import app

CASES: list[tuple[str, str, str]] = [
    ("lab replay x --battle -1", "--battle cannot be '-1': it must be a whole number, 0 or more.", "da 0 in su"),
    ("lab replay x --battle y", "--battle cannot be 'y': it must be a whole number, 0 or more.", "da 0 in su"),
    ("replay x --at y", "--at cannot be 'y': it must be a whole number.", "ci vuole un numero intero."),
    ("lab run x --workers 0", "--workers cannot be '0': it must be a whole number, 1 or more.", "da 1 in su"),
    ("lab arena --battles 1", "--battles cannot be '1': it must be a whole number, 2 or more.", "da 2 in su"),
    ("serve --port 65536", "--port cannot be '65536': it must be a whole number from 0 to 65535.", "da 0 a 65535"),
    ("lab replay x", "--battle is missing.", "manca --battle."),
    ("lab replay", "FOLDER is missing.", "manca FOLDER."),
    ("lab replay x --battle", "--battle needs a value: write it after the option.", "vuole un valore"),
    ("lab run x --extend=3", "--extend takes no value: write it alone.", "scrivila da sola"),
    ("lab run x --worker 2", "there is no option --worker; did you mean --workers?", "forse --workers?"),
    ("lab run x --zzz", "there is no option --zzz.", "non c'è l'opzione --zzz."),
    ("--zzz", "there is no option --zzz.", "non c'è l'opzione --zzz."),
    (
        "lab nope",
        "there is no command 'nope'; there are: run, merge, replay, arena, templates, new, report.",
        "il comando 'nope'",
    ),
    ("nope", "there is no command 'nope'; there are: play, ", "il comando 'nope'"),
    ("lab run one two three", "too many words: two three.", "di troppo: two three."),
]


def told(words: str, **environment: str) -> Any:
    return CliRunner().invoke(app, words.split(), env={"CAMPALE_LANG": None, **environment})


@pytest.mark.parametrize(("words", "english", "italian"), CASES)
def test_one_sentence_says_what_is_amiss_and_where_to_look(words: str, english: str, italian: str) -> None:
    for found, sentence in (
        (told(words), english),
        (told(f"{words} --lang=it"), italian),
        (told(words, CAMPALE_LANG="it"), italian),
    ):
        assert (found.exit_code, found.stdout) == (2, "")
        assert found.stderr.startswith("campale: ")
        assert found.stderr.count("\n") == 1
        assert sentence in found.stderr
        assert found.stderr.rstrip().endswith("--help")


def test_the_help_named_is_that_of_the_command() -> None:
    assert told("lab replay x --battle -1").stderr.rstrip().endswith("campale lab replay --help")


def test_what_can_be_read_is_not_complained_of() -> None:
    assert "cannot be" not in told("lab replay nowhere --battle 0").stderr
    assert told("lab").stderr.startswith("Usage: ")
