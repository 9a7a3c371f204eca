"""All of a database in a file while battles go on, and back again into either kind of database."""

from __future__ import annotations

import gzip
import json
import stat
import sys
import threading
from pathlib import Path
from random import Random

import msgspec
import pytest
from sqlalchemy import Boolean, Column, Float, Integer, MetaData, String, Table, Text, select
from typer.testing import CliRunner

from campale.cli import app
from campale.referee.records.saved import verify
from campale.server.database.backup import AT_A_TIME, BackupError, backup, go_on_counting, kept, restore, tables_of
from campale.server.database.schema import CHAT
from campale.server.database.store import Store
from tests.server.conftest import Serve, draft
from tests.server.page import Page, next_asked
from tests.server.rows import battle, insert_at, seats

BOOK = "ragnarok"


def run(*words: str) -> str:
    found = CliRunner().invoke(app, list(words))
    assert found.exit_code == 0, found.output
    return found.stdout


def filled(folder: Path) -> Store:
    store = Store(f"sqlite:///{folder}/from.db")
    store.migrate()
    store.insert(battle("b"), seats("b"))
    return store


def play(page: Page, seed: int, until: threading.Event) -> None:
    rng = Random(seed)
    while not until.is_set() and not page.is_over:
        if page.question:
            page.play(rng, 1)
        else:
            page.rest(0.05)


# ---------------------------------------------------------------- while battles go on


@pytest.mark.parametrize("is_embedded", [True, False])
def test_what_was_told_before_the_copy_is_in_it_though_people_play_on(
    database: str, is_embedded: bool, tmp_path: Path, serve: Serve
) -> None:
    """Out of the one kind of database, into the other, and back into the first."""
    url, there = f"sqlite:///{tmp_path}/own.db", database
    if not is_embedded:
        url, there = there, url
    server, stop, file = serve(database=url), threading.Event(), tmp_path / "club.campale"
    made = server.create(draft(BOOK, "me", "me", is_agreed=True))
    with server.page(made, 0) as page, server.page(made, 1) as other:
        page.until("state")
        other.until("state")
        players = [threading.Thread(target=play, args=(one, n, stop)) for n, one in enumerate((page, other))]
        for one in players:
            one.start()
        while len(server.hall.store.entries(made.battle)) < 30:
            stop.wait(0.01)
        before = server.hall.store.entries(made.battle)
        assert run("backup", str(file), "--database", url).startswith(f"{file}: 1 battle, ")
        while len(server.hall.store.entries(made.battle)) <= len(before):
            stop.wait(0.01)
        stop.set()
        for one in players:
            one.join(60)
    after = server.hall.store.entries(made.battle)
    run("restore", str(file), "--database", there)
    again = serve(database=there)
    copied = again.hall.store.entries(made.battle)
    assert (copied, copied[: len(before)]) == (after[: len(copied)], before)
    assert verify(again.call(again.hall.kept(made.battle)).saved).identical
    with again.page(made, 0) as page, again.page(made, 1) as other:
        page.until("state")
        other.until("state")
        one_asked = next_asked(page, other)
        assert one_asked.answer(one_asked.proposal(None))["is"] == "done"
    server.end()
    server.hall.store.close()
    run("restore", str(file), "--database", url, "--replace")
    store = Store(url)
    assert store.entries(made.battle) == copied
    store.close()


def test_a_database_on_which_somebody_plays_is_left_alone(either: str, tmp_path: Path) -> None:
    file, store = tmp_path / "club.campale", Store(either)
    store.migrate()
    store.insert(battle("b"), seats("b"))
    backup(store, file)
    assert store.lease("b", "somebody", 60.0)
    with pytest.raises(BackupError, match="in-use"):
        restore(store, file, replaces=True)
    store.release(["b"], "somebody")
    assert store.lease("b", "somebody who is gone", -1.0)
    restore(store, file, replaces=True)
    assert store.battle("b") == battle("b")
    store.close()


# ---------------------------------------------------------------- other versions


def test_a_copy_of_an_earlier_version_is_brought_up_to_date(either: str, tmp_path: Path) -> None:
    old, file = Store(f"sqlite:///{tmp_path}/old.db"), tmp_path / "old.campale"
    insert_at("0002", old, battle("b"), seats("b"))
    counted = backup(old, file)
    store = Store(either)
    assert restore(store, file) == counted
    assert counted == {"battle": 1, "seat": 2, "chat": 0, "entry": 0, "journal": 0}
    assert (store.battle("b"), store.seats("b")) == (battle("b"), seats("b"))
    store.close()
    old.close()


def test_a_copy_of_a_later_version_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    store, file = filled(tmp_path), tmp_path / "later.campale"
    backup(store, file)
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    for head in ({"revision": "9999"}, {"version": 2}):
        file.write_bytes(gzip.compress(msgspec.json.encode(json.loads(lines[0]) | head) + b"\n" + b"".join(lines[1:])))
        with pytest.raises(BackupError, match="backup-too-new"):
            restore(store, file, replaces=True)
        assert store.battle("b") == battle("b")
    store.close()


# ---------------------------------------------------------------- what is in the way


def test_a_damaged_copy_changes_nothing(either: str, tmp_path: Path) -> None:
    source, file, store = filled(tmp_path), tmp_path / "b.campale", Store(either)
    backup(source, file)
    whole, plain = file.read_bytes(), gzip.decompress(file.read_bytes())
    lines = plain.splitlines(keepends=True)
    store.migrate()
    store.insert(battle("kept"), seats("kept"))
    damaged = {
        "cut": whole[: len(whole) * 2 // 3],
        "without its end": gzip.compress(b"".join(lines[:-1])),
        "without a row": gzip.compress(b"".join([*lines[:2], *lines[3:]])),
        "half a row": gzip.compress(plain[: len(plain) // 2]),
        "of another table": gzip.compress(lines[0] + b'["nowhere",{}]\n' + lines[-1]),
        "nothing": b"",
        "no copy": b"a file of somebody's",
        "some JSON": gzip.compress(b'{"format":"campale-game","version":1,"campale":"","revision":""}\n'),
    }
    for what, data in damaged.items():
        file.write_bytes(data)
        with pytest.raises(BackupError, match=r"backup-cut-short|no-backup"):
            restore(store, file, replaces=True)
        assert store.battle("kept") is not None, what
        assert store.battle("b") is None
    store.close()
    source.close()


def test_what_a_database_holds_is_given_up_only_where_that_is_wanted(tmp_path: Path) -> None:
    store, file = filled(tmp_path), tmp_path / "b.campale"
    backup(store, file)
    store.insert(battle("later"), seats("later"))
    with pytest.raises(BackupError, match="not-empty"):
        restore(store, file)
    assert store.battle("later") is not None
    restore(store, file, replaces=True)
    assert (store.battle("later"), store.battle("b")) == (None, battle("b"))
    store.close()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["backup", "there"], "is there already"),
        (["backup", "nowhere/file"], "cannot write"),
        (["restore", "nowhere"], "cannot read"),
        (["restore", "there"], "is no backup"),
        (["backup", "new"], "no server has ever used this database"),
    ],
)
def test_what_is_in_the_way_is_told(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there").write_text("something")
    found = CliRunner().invoke(app, [*words, "--database", "sqlite:///new.db"])
    assert (found.exit_code, told in found.stderr) == (2, True), found.stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".db") == ["there"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_the_copy_is_for_its_owner_alone(tmp_path: Path) -> None:
    store, file = filled(tmp_path), tmp_path / "b.campale"
    backup(store, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    store.close()


# ---------------------------------------------------------------- every table


def test_there_are_no_columns_that_a_copy_cannot_carry(database: str, tmp_path: Path) -> None:
    for store in (Store(database), Store(f"sqlite:///{tmp_path}/a.db")):
        store.migrate()
        with store.reading() as connection:
            for table in kept(tables_of(connection)):
                for column in table.columns:
                    assert isinstance(column.type, (String, Integer, Float, Boolean)), f"{column}: {column.type!r}"
        store.close()


def test_many_rows_are_carried_in_their_order(tmp_path: Path) -> None:
    source, file = filled(tmp_path), tmp_path / "b.campale"
    lines = [{"number": n, "side": None, "name": "", "text": f"è {n}", "at": n / 3} for n in range(2 * AT_A_TIME + 1)]
    with source.writing() as connection:
        connection.execute(CHAT.insert(), [{**one, "battle": "b"} for one in lines])
    assert backup(source, file)["chat"] == len(lines)
    store = Store(f"sqlite:///{tmp_path}/into.db")
    restore(store, file)
    assert store.chat("b", len(lines), "!") == source.chat("b", len(lines), "!")
    assert len(store.chat("b", len(lines), "!")) == len(lines)
    store.close()
    source.close()


def test_a_table_that_counts_by_itself_goes_on_where_it_had_come_to(database: str) -> None:
    own, store = (
        Table("own", MetaData(), Column("id", Integer, primary_key=True), Column("what", Text)),
        Store(database),
    )
    own.metadata.create_all(store.engine)
    with store.writing() as connection:
        connection.execute(own.insert(), [{"id": number, "what": ""} for number in (1, 2, 7)])
        go_on_counting(connection, own)
        connection.execute(own.insert(), {"what": "the next"})
        assert connection.execute(select(own.c.id).where(own.c.what == "the next")).scalar() == 8
    store.close()
