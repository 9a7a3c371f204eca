"""The command that begins a club."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from campale.cli import app
from campale.server.battle.seats import Keys
from campale.server.club.members import Members
from campale.server.club.phrases import Phrases
from campale.server.database.store import Store

PHRASE = "a lantern in the marsh"


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/club.db"


@pytest.fixture
def members(database: str) -> Iterator[Members]:
    store = Store(database)
    store.migrate()
    yield Members(store, Keys(), Phrases())
    store.close()


def told(*words: str, code: int = 0) -> str:
    found = CliRunner().invoke(app, ["club", "organiser", *words])
    assert found.exit_code == code, found.output
    return found.output


def test_somebody_new_comes_by_the_address_that_is_printed(database: str, members: Members) -> None:
    text = told("Ada", "--database", database)
    code = re.search(r"/club/come/(\w+)", text)
    assert code is not None
    assert members.come(code[1], "Ada", PHRASE).account.role == "organiser"
    assert "Invito per Bo" in told("Bo", "--database", database, "--lang", "it")


def test_a_member_of_that_name_becomes_organiser(database: str, members: Members) -> None:
    members.come(members.invite("member", 1), "Ada", PHRASE)
    assert told(" ADA", "--database", database) == "Ada is an organiser of the club now.\n"
    assert [one.role for one in members.all()] == ["organiser"]


def test_what_is_no_name_is_told(database: str) -> None:
    assert "1 to 40 characters" in told("x" * 41, "--database", database, code=2)
