"""Members over both databases: lockout, sessions and invitations that end, and races for what there is once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import inspect, text

from campale.server.battle.draft import TableError, Taken, Unknown
from campale.server.battle.seats import hashed
from campale.server.club import members as membership
from campale.server.club.members import DAY, SESSION_LASTS, Members, SignedOut, lock_after
from campale.server.club.phrases import Phrases
from campale.server.club.seasons import Seasons
from campale.server.club.tables import SeasonRow
from campale.server.club.ties import Ties
from campale.server.database.backup import backup, restore
from campale.server.database.schema import METADATA
from campale.server.database.store import Store
from tests.server.club.people import PHRASE, Clock
from tests.server.rows import battle, insert_at, seats


@pytest.fixture
def store(either: str) -> Iterator[Store]:
    """A database of its own, not yet made."""
    made = Store(either)
    yield made
    made.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def members(store: Store, clock: Clock) -> Members:
    store.migrate()
    return Members(store, clock, Phrases())


def came(members: Members, name: str, role: str = "member") -> membership.Session:
    return members.come(members.invite(role, 1), name, PHRASE)


def wrong(members: Members, name: str = "Ada") -> TableError:
    with pytest.raises(TableError) as found:
        members.sign_in(name, "not that one")
    return found.value


def test_a_club_is_added_to_a_database_that_has_battles(store: Store, clock: Clock) -> None:
    insert_at("0003", store, battle("b"), seats("b"))
    store.migrate()
    found = inspect(store.engine)
    for table in METADATA.sorted_tables:
        assert {column["name"] for column in found.get_columns(table.name)} == set(table.columns.keys())
    assert store.battle("b") == battle("b")
    assert not Members(store, clock, Phrases()).are_there()


def test_after_five_wrong_phrases_a_name_waits_and_ever_longer(members: Members, clock: Clock) -> None:
    came(members, "Ada")
    assert [wrong(members).word for _ in range(6)] == ["club.wrong"] * 5 + ["club.locked"]
    with pytest.raises(TableError, match="locked") as right:
        members.sign_in("ADA", PHRASE)
    assert (right.value.status, right.value.values) == (429, {"seconds": 30})
    clock.goes_on(29.0)
    assert wrong(members).values == {"seconds": 1}
    clock.goes_on(1.0)
    assert [wrong(members).word for _ in range(2)] == ["club.wrong", "club.locked"]
    assert wrong(members).values == {"seconds": 60}
    clock.goes_on(60.0)
    assert members.sign_in("Ada", PHRASE).account.name == "Ada"
    assert [wrong(members).word for _ in range(5)] == ["club.wrong"] * 5


def test_a_name_that_there_is_not_waits_as_well(members: Members, clock: Clock) -> None:
    assert [wrong(members, "Zoe").word for _ in range(6)] == ["club.wrong"] * 5 + ["club.locked"]
    for name in ("Ada", "", "\0", "\ud800", "x" * 400):
        assert wrong(members, name).word == "club.wrong"
    clock.goes_on(DAY + 1.0)
    assert wrong(members, "Zoe").word == "club.wrong"


def test_the_wait_grows_to_a_quarter_of_an_hour() -> None:
    assert [lock_after(n) for n in (0, 4, 5, 6, 9, 10, 10**6)] == [0.0, 0.0, 30.0, 60.0, 480.0, 900.0, 900.0]


def test_many_guesses_at_once_are_no_more_than_one_after_the_other(members: Members) -> None:
    came(members, "Ada")
    with ThreadPoolExecutor(8) as threads:
        words = list(threads.map(lambda _: wrong(members).word, range(24)))
    assert 1 <= words.count("club.wrong") <= 5
    assert set(words) == {"club.wrong", "club.locked"}


def test_who_is_signed_in_cannot_guess_the_phrase_either(members: Members) -> None:
    ada = came(members, "Ada").account

    def word() -> str:
        with pytest.raises(TableError) as found:
            members.judge(ada, "not that one")
        return found.value.word

    assert [word() for _ in range(6)] == ["club.wrong-phrase"] * 5 + ["club.locked"]


def test_a_failed_sign_in_takes_as_long_whether_the_name_exists_or_not(
    members: Members, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hash is worked out in both cases, once, with the same parameters; and so it is the same work."""
    members.phrases.hasher = PasswordHasher()
    came(members, "Ada")
    monkeypatch.setattr(membership, "FREE_FAILURES", 1_000)
    hashes: dict[str, list[str]] = {}
    verify = members.phrases.hasher.verify
    assert members.phrases.nobodys

    class Watched:
        def verify(self, kept: str, phrase: str) -> bool:
            hashes.setdefault(phrase, []).append(kept.rpartition("$")[0].rpartition("$")[0])
            return verify(kept, phrase)

    monkeypatch.setattr(members.phrases, "hasher", Watched())
    took: dict[str, list[float]] = {"Ada": [], "Zoe": []}
    for _ in range(9):
        for name, times in took.items():
            begun = process_time()
            wrong(members, name)
            times.append(process_time() - begun)
    (seen,) = hashes.values()
    assert len(seen) == 18
    assert len(set(seen)) == 1
    ada, zoe = median(took["Ada"]), median(took["Zoe"])
    assert max(ada, zoe) < 2.0 * min(ada, zoe), took


def test_a_session_ends_when_it_is_not_used(members: Members, clock: Clock) -> None:
    token = came(members, "Ada").token
    for _ in range(3):
        clock.goes_on(SESSION_LASTS - 60.0)
        assert members.of_token(token).name == "Ada"
    clock.goes_on(SESSION_LASTS + 1.0)
    with pytest.raises(SignedOut):
        members.of_token(token)
    members.forget()
    assert members.sessions(members.all()[0].id) == []


def test_an_account_has_so_many_sessions_and_the_longest_unused_go(members: Members, clock: Clock) -> None:
    tokens = [came(members, "Ada").token]
    for _ in range(membership.MOST_SESSIONS):
        clock.goes_on(1.0)
        tokens.append(members.sign_in("Ada", PHRASE).token)
    with pytest.raises(SignedOut):
        members.of_token(tokens[0])
    for token in tokens[1:]:
        assert members.of_token(token).name == "Ada"


def test_an_invitation_ends_and_is_forgotten(members: Members, clock: Clock) -> None:
    code = members.invite("member", 1)
    clock.goes_on(DAY - 1.0)
    assert members.invited(code).role == "member"
    clock.goes_on(2.0)
    with pytest.raises(Unknown):
        members.come(code, "Ada", PHRASE)
    members.forget()
    clock.goes_on(-DAY)
    with pytest.raises(Unknown):
        members.invited(code)


def test_there_are_so_many_invitations_at_a_time(members: Members, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "MOST_INVITATIONS", 2)
    code = members.invite("member", 1)
    members.invite("member", 1)
    with pytest.raises(Taken, match="too-many"):
        members.invite("member", 1)
    members.come(code, "Ada", PHRASE)
    members.invite("member", 1)


def at_once(*work: Callable[[], Any]) -> list[Any]:
    """What comes of several at once: a value, or the word of the refusal."""

    def tried(one: Callable[[], Any]) -> Any:
        try:
            return one()
        except TableError as error:
            return error.word

    with ThreadPoolExecutor(len(work)) as threads:
        return list(threads.map(tried, work))


def test_of_many_who_come_by_one_invitation_one_comes_in(members: Members) -> None:
    code = members.invite("member", 1)
    told = at_once(*(lambda k=k: members.come(code, f"P{k}", PHRASE) for k in range(4)))
    assert told.count("club.no-invitation") == 3
    assert len(members.all()) == 1


def test_of_two_who_choose_one_name_one_has_it(members: Members) -> None:
    codes = [members.invite("member", 1) for _ in range(2)]
    told = at_once(*(lambda c=c: members.come(c, "Ada", PHRASE) for c in codes))
    assert told.count("club.name-taken") == 1
    assert len(members.all()) == 1


def test_of_two_organisers_who_go_at_once_one_stays(members: Members) -> None:
    ids = [came(members, name, "organiser").account.id for name in ("Ada", "Bo")]
    came(members, "Cy")
    told = at_once(*(lambda i=i: members.remove(i) for i in ids))
    assert told.count("club.last-organiser") == 1


def test_of_two_who_claim_one_seat_one_has_it(members: Members, clock: Clock) -> None:
    ties = Ties(members.store, clock)
    one, *others = seats("b")
    members.store.insert(battle("b"), [one, *others])
    with members.store.writing() as connection:
        connection.execute(text("UPDATE seat SET token = :token WHERE side = 0"), {"token": hashed("seat")})
    ids = [came(members, name).account.id for name in ("Ada", "Bo")]
    told = at_once(*(lambda i=i: ties.claim(i, "seat") for i in ids))
    assert told.count("club.tied-already") == 1


def test_a_club_goes_into_a_backup_and_comes_back(members: Members, clock: Clock, tmp_path: Path) -> None:
    ada = came(members, "Ada")
    one, *others = seats("b")
    members.store.insert(battle("b"), [one, *others])
    with members.store.writing() as connection:
        connection.execute(text("UPDATE seat SET token = :token WHERE side = 0"), {"token": hashed("seat")})
    Ties(members.store, clock).claim(ada.account.id, "seat")
    backup(members.store, tmp_path / "club.campale")
    other = Store(f"sqlite:///{tmp_path}/other.db")
    restore(other, tmp_path / "club.campale")
    again = Members(other, clock, Phrases())
    assert again.of_token(ada.token) == ada.account
    assert again.sign_in("Ada", PHRASE).account == ada.account
    assert [tied.battle for tied in Ties(other, clock).of_account(ada.account.id)] == ["b"]
    other.close()


def season_of(members: Members, clock: Clock, *accounts: str) -> Seasons:
    seasons = Seasons(members.store, clock, Ties(members.store, clock))
    seasons.make(SeasonRow("s", "Autumn", "", "book", "swiss", 5, "[]", "joining", clock.now()))
    for one in accounts:
        seasons.enter("s", one)
    return seasons


def test_a_round_is_paired_once_by_whoever_is_first(members: Members, clock: Clock) -> None:
    ids = [came(members, name).account.id for name in ("Ada", "Bo", "Cy")]
    seasons = season_of(members, clock, *ids)
    told = at_once(*(lambda: seasons.pair("s", None) for _ in range(3)))
    assert sorted(map(str, told)) == ["None", "club.round-open", "club.round-open"]
    assert len(seasons.season("s").pairings) == 2


def test_of_many_who_enter_at_once_each_has_a_number(members: Members, clock: Clock) -> None:
    ids = [came(members, f"P{k}").account.id for k in range(4)]
    seasons = season_of(members, clock)
    assert at_once(*(lambda i=i: seasons.enter("s", i) for i in [*ids, *ids])) == [None] * 8
    assert [one.number for one in seasons.season("s").entrants] == [1, 2, 3, 4]


def test_a_member_who_goes_leaves_a_season_that_runs_and_was_never_in_one_to_come(
    members: Members, clock: Clock
) -> None:
    ids = [came(members, name).account.id for name in ("Ada", "Bo", "Cy")]
    seasons = season_of(members, clock, *ids)
    members.remove(ids[2])
    assert [one.account for one in seasons.season("s").entrants] == ids[:2]
    seasons.pair("s", None)
    members.remove(ids[1])
    assert [(one.account, one.has_left) for one in seasons.season("s").entrants] == [(ids[0], 0), (None, 1)]
