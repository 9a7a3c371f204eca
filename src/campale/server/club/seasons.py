"""The seasons of a club: entries, pairings of each round, and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, select, update

from campale.server.battle.draft import Denied, Taken, Unknown
from campale.server.battle.seats import Keys
from campale.server.club.pairing import Pair, robin, robin_rounds, swiss
from campale.server.club.standings import Met, Placed, Result, standings
from campale.server.club.tables import (
    ENTRANT,
    PAIRING,
    ROUND,
    SEASON,
    SITTING,
    EntrantRow,
    PairingRow,
    RoundRow,
    SeasonRow,
    SittingRow,
)
from campale.server.club.ties import Tied, Ties, hold
from campale.server.database.schema import BATTLE
from campale.server.database.store import Store

MOST_ENTRANTS, MOST_SEASONS = 128, 200
JOINING, RUNNING, OVER = "joining", "running", "over"
ROBIN = "robin"


class Season(msgspec.Struct):
    """A season with everything that belongs to it."""

    row: SeasonRow
    entrants: list[EntrantRow]
    rounds: list[RoundRow]
    pairings: list[PairingRow]

    def mine(self, account: str) -> EntrantRow | None:
        return next((one for one in self.entrants if one.account == account), None)

    def standings(self) -> list[Placed]:
        met = [
            Met(one.one, one.two, "one" if one.two is None else result_of(one))
            for one in self.pairings
            if one.two is None or one.confirmed
        ]
        return standings([one.number for one in self.entrants], met)

    def open_pairings(self) -> list[PairingRow]:
        """The pairings without a result that counts."""
        return [one for one in self.pairings if one.two is not None and not one.confirmed]

    def at(self, round_: int, place: int) -> PairingRow:
        """The pairing at a place of a round. Raises Unknown."""
        found = next((one for one in self.pairings if (one.round, one.place) == (round_, place)), None)
        if found is None or found.two is None:
            raise Unknown("club.no-pairing")
        return found

    def missions(self) -> list[str]:
        """The short names of the missions, round by round."""
        return msgspec.json.decode(self.row.missions, type=list[str])

    def mission(self, round_: int) -> str:
        """The short name of a round's mission; "": the two players agree on one."""
        chosen = self.missions()
        return chosen[(round_ - 1) % len(chosen)] if chosen else ""

    def rounds_in_all(self) -> int:
        return robin_rounds(len(self.entrants)) if self.row.kind == ROBIN else self.row.rounds

    def next_pairs(self) -> list[Pair]:
        gone = {one.number for one in self.entrants if one.has_left}
        if self.row.kind == ROBIN:
            numbers = [one.number for one in self.entrants]
            pairs = robin(numbers, len(self.rounds) + 1)
            return [pair for one in pairs if (pair := without(one, gone)) is not None]
        met = [(one.one, one.two) for one in self.pairings]
        return swiss([one.number for one in self.standings() if one.number not in gone], met)


class Paired(msgspec.Struct, frozen=True):
    """A pairing that is still to be played: its battle, if there is one, the mission, and the two accounts."""

    battle: str | None
    season: SeasonRow
    mission: str
    accounts: tuple[str, str]


def result_of(pairing: PairingRow) -> Result:
    found: Result = msgspec.convert(pairing.result, Result)
    return found


def without(pair: Pair, gone: set[int]) -> Pair | None:
    """A pair of a round robin after an entrant has left: his opponent has a bye."""
    here = [one for one in pair if one is not None and one not in gone]
    if not here:
        return None
    return (here[0], here[1] if len(here) > 1 else None)


class Seasons:
    """The seasons over a database. The methods block: they are called in threads."""

    def __init__(self, store: Store, keys: Keys, ties: Ties) -> None:
        self.store, self.keys, self.ties = store, keys, ties

    # ------------------------------------------------------------------ reading

    def all(self) -> list[SeasonRow]:
        return self.store.rows(select(SEASON).order_by(SEASON.c.created.desc()), SeasonRow)

    def season(self, id_: str) -> Season:
        """A season, with the results of battles finished in the meantime. Raises Unknown."""
        found = self._season(id_)
        battles = [one.battle for one in found.open_pairings() if one.battle is not None]
        if any(one.has_result() for one in self.ties.named(battles).values()):
            with self._changing(id_) as (connection, season):
                self._take_results(connection, season)
            found = self._season(id_)
        return found

    def _season(self, id_: str) -> Season:
        with self.store.reading() as connection:
            return read(connection, id_)

    def of_account(self, account: str) -> list[dict[str, Any]]:
        """The seasons that an account has entered, with its results."""
        mine = select(ENTRANT.c.season).where(ENTRANT.c.account == account)
        with self.store.reading() as connection:
            found = [read(connection, id_) for id_ in connection.execute(mine).scalars().all()]
        return [told_of(season, account) for season in found]

    @contextmanager
    def _changing(self, id_: str) -> Iterator[tuple[Connection, Season]]:
        """A season, locked against other changes. Raises Unknown."""
        with self.store.writing() as connection:
            if "\0" not in id_:
                connection.execute(select(SEASON.c.id).where(SEASON.c.id == id_).with_for_update()).all()
            yield connection, read(connection, id_)

    # ------------------------------------------------------------------ entering

    def make(self, row: SeasonRow) -> None:
        if len(self.all()) >= MOST_SEASONS:
            raise Taken("club.too-many-seasons", limit=MOST_SEASONS)
        with self.store.writing() as connection:
            connection.execute(SEASON.insert(), msgspec.structs.asdict(row))

    def remove(self, id_: str) -> None:
        with self._changing(id_) as (connection, season):
            connection.execute(delete(SEASON).where(SEASON.c.id == season.row.id))

    def enter(self, id_: str, account: str) -> None:
        """Enter a season before its first round. Raises TableError."""
        with self._changing(id_) as (connection, season):
            if season.row.stage != JOINING:
                raise Taken("club.season-begun")
            if season.mine(account) is not None:
                return
            if len(season.entrants) >= MOST_ENTRANTS:
                raise Taken("club.season-full", limit=MOST_ENTRANTS)
            number = max((one.number for one in season.entrants), default=0) + 1
            connection.execute(ENTRANT.insert(), msgspec.structs.asdict(EntrantRow(id_, number, account)))

    def withdraw(self, id_: str, account: str) -> None:
        """Before the first round the entry is removed; later the entrant is no longer paired. Raises TableError."""
        with self._changing(id_) as (connection, season):
            mine = season.mine(account)
            if mine is None or season.row.stage == OVER:
                raise Denied("club.not-entered")
            is_it = ENTRANT.c.season == id_, ENTRANT.c.number == mine.number
            if season.row.stage == JOINING:
                connection.execute(delete(ENTRANT).where(*is_it))
            else:
                connection.execute(update(ENTRANT).where(*is_it).values(has_left=1))

    # ------------------------------------------------------------------ rounds

    def pair(self, id_: str, deadline: float | None) -> None:
        """Pair the next round. Raises TableError while the last one is not over, and after the final round."""
        with self._changing(id_) as (connection, before):
            self._take_results(connection, before)
            season = read(connection, id_)
            self._check_ready(season)
            number = len(season.rounds) + 1
            row = RoundRow(id_, number, self.keys.now(), deadline)
            connection.execute(ROUND.insert(), msgspec.structs.asdict(row))
            pairings = [PairingRow(id_, number, k, *pair) for k, pair in enumerate(season.next_pairs(), 1)]
            connection.execute(PAIRING.insert(), [msgspec.structs.asdict(one) for one in pairings])
            connection.execute(update(SEASON).where(SEASON.c.id == id_).values(stage=RUNNING))

    def _check_ready(self, season: Season) -> None:
        if season.row.stage == OVER:
            raise Taken("club.season-over")
        if sum(not one.has_left for one in season.entrants) < 2:
            raise Taken("club.too-few")
        if season.rounds and len(season.rounds) >= season.rounds_in_all():
            raise Taken("club.no-more-rounds")
        open_ = len(season.open_pairings())
        if open_:
            raise Taken("club.round-open", count=open_)

    def end(self, id_: str) -> None:
        """End a season; pairings without a result keep none. Raises Unknown."""
        with self._changing(id_) as (connection, season):
            self._take_results(connection, season)
            connection.execute(update(SEASON).where(SEASON.c.id == id_).values(stage=OVER))

    # ------------------------------------------------------------------ results

    def enter_result(self, id_: str, at: tuple[int, int], result: Result, account: str, organises: bool) -> None:
        """Enter a result. Raises TableError.

        If one of the two players enters it, it counts once the other agrees. If an organiser who is neither enters it,
        it counts at once.
        """
        with self._changing(id_) as (connection, season):
            pairing, mine = self._mine(season, at, account, organises)
            if pairing.confirmed and mine is not None:
                raise Taken("club.result-counts")
            is_agreed = mine is None or (pairing.result == result and pairing.by not in (None, mine))
            by = None if mine is None else pairing.by if is_agreed else mine
            change(connection, pairing, result=result, by=by, confirmed=int(is_agreed))

    def confirm(self, id_: str, at: tuple[int, int], account: str) -> None:
        """Confirm the other's result. Raises TableError."""
        with self._changing(id_) as (connection, season):
            pairing, mine = self._mine(season, at, account, False)
            if pairing.result is None or pairing.confirmed or pairing.by == mine:
                raise Taken("club.nothing-to-confirm")
            change(connection, pairing, confirmed=1)

    def play(self, id_: str, at: tuple[int, int], battle: str, account: str) -> None:
        """Use a battle on this server for the pairing. Raises TableError.

        It must be of the season's rulebook and count for both players.
        """
        tied = self.ties.named([battle]).get(battle) if "\0" not in battle else None
        with self._changing(id_) as (connection, season):
            pairing, _ = self._mine(season, at, account, False)
            if pairing.confirmed:
                raise Taken("club.result-counts")
            sides = self._sides(season, pairing, tied)
            if tied is None or tied.book != season.row.book or sides is None:
                raise Taken("club.no-such-battle")
            hold(connection, battle)
            used = select(PAIRING.c.season).where(PAIRING.c.battle == battle)
            if connection.execute(used).first() is not None:
                raise Taken("club.battle-used")
            change(connection, pairing, battle=battle, result=None, by=None)
            self._take_results(connection, read(connection, id_))

    def paired(self, id_: str, at: tuple[int, int], account: str) -> Paired:
        """The asker's own unplayed pairing, with its terms. Raises TableError."""
        season = self.season(id_)
        with self.store.reading() as connection:
            return self._paired(connection, season, at, account)

    def seat(self, id_: str, at: tuple[int, int], battle: str, account: str) -> str:
        """The battle of a pairing, with both seats; the given new one if there is none yet.

        Raises TableError.
        """
        with self._changing(id_) as (connection, season):
            found = self._paired(connection, season, at, account)
            if found.battle is not None:
                connection.execute(delete(BATTLE).where(BATTLE.c.id == battle))
                return found.battle
            for side, one in enumerate(found.accounts):
                row = SittingRow(battle, side, one, self.keys.now())
                connection.execute(SITTING.insert(), msgspec.structs.asdict(row))
            change(connection, season.at(*at), battle=battle, result=None, by=None)
        return battle

    def _paired(self, connection: Connection, season: Season, at: tuple[int, int], account: str) -> Paired:
        pairing, _ = self._mine(season, at, account, False)
        if pairing.confirmed:
            raise Taken("club.result-counts")
        accounts = [
            one.account for number in (pairing.one, pairing.two) for one in season.entrants if one.number == number
        ]
        both = [one for one in accounts if one is not None]
        if len(both) < len(accounts):
            raise Taken("club.opponent-gone")
        tied = self.ties.within(connection, [pairing.battle or ""]).get(pairing.battle or "")
        is_on = tied is not None and tied.stage != "over" and self._sides(season, pairing, tied) is not None
        battle = pairing.battle if is_on else None
        return Paired(battle, season.row, season.mission(pairing.round), (both[0], both[1]))

    def _mine(
        self, season: Season, at: tuple[int, int], account: str, organises: bool
    ) -> tuple[PairingRow, int | None]:
        """A pairing, and which of the two players is the asker; None: an organiser. Raises TableError."""
        pairing = season.at(*at)
        if season.row.stage == OVER:
            raise Taken("club.season-over")
        mine = season.mine(account)
        if mine is not None and mine.number in (pairing.one, pairing.two):
            return pairing, mine.number
        if not organises:
            raise Denied("club.not-your-pairing")
        return pairing, None

    def _sides(self, season: Season, pairing: PairingRow, tied: Tied | None) -> dict[int, str] | None:
        """Which side of a battle belongs to which of the two; None: they do not both sit there."""
        accounts = {one.account: one.number for one in season.entrants if one.account is not None}
        numbers = [accounts.get(one) if one else None for one in (tied.accounts if tied is not None else ())]
        if set(numbers) != {pairing.one, pairing.two} or len(numbers) != 2:
            return None
        return {side: "one" if number == pairing.one else "two" for side, number in enumerate(numbers)}

    def _take_results(self, connection: Connection, season: Season) -> None:
        """Take the results of finished battles."""
        waiting = [one for one in season.open_pairings() if one.battle is not None]
        known = self.ties.within(connection, [one.battle for one in waiting if one.battle is not None])
        for one in waiting:
            tied = known.get(one.battle or "")
            sides = self._sides(season, one, tied)
            if tied is not None and sides is not None and tied.has_result():
                winner = tied.winner()
                result = "draw" if winner is None else sides[winner]
                change(connection, one, result=result, by=None, confirmed=1)


def leave_all(connection: Connection, account: str) -> None:
    """Withdraw a deleted account: its entry is removed if nothing is paired yet, otherwise it is no longer paired."""
    mine = ENTRANT.c.account == account
    joining = select(SEASON.c.id).where(SEASON.c.stage == JOINING)
    connection.execute(delete(ENTRANT).where(mine, ENTRANT.c.season.in_(joining)))
    connection.execute(update(ENTRANT).where(mine).values(has_left=1, account=None))


def change(connection: Connection, pairing: PairingRow, **values: Any) -> None:
    at = PAIRING.c.season == pairing.season, PAIRING.c.round == pairing.round, PAIRING.c.place == pairing.place
    connection.execute(update(PAIRING).where(*at).values(values))


def read(connection: Connection, id_: str) -> Season:
    """Read a season. Raises Unknown."""

    def rows(table: Any, *order: str) -> Sequence[Any]:
        query = select(table).where(table.c.season == id_).order_by(*(table.c[name] for name in order))
        return connection.execute(query).mappings().all()

    row = None
    if "\0" not in id_:
        row = connection.execute(select(SEASON).where(SEASON.c.id == id_)).mappings().first()
    if row is None:
        raise Unknown("club.no-season")
    return Season(
        SeasonRow(**row),
        [EntrantRow(**one) for one in rows(ENTRANT, "number")],
        [RoundRow(**one) for one in rows(ROUND, "number")],
        [PairingRow(**one) for one in rows(PAIRING, "round", "place")],
    )


def told_of(season: Season, account: str) -> dict[str, Any]:
    mine = season.mine(account)
    number = mine.number if mine is not None else 0
    return {
        "season": season.row.id,
        "title": season.row.title,
        "has_left": bool(mine is not None and mine.has_left),
        "pairings": [
            {"round": one.round, "result": one.result, "is_first": one.one == number, "counts": bool(one.confirmed)}
            for one in season.pairings
            if number in (one.one, one.two)
        ],
    }
