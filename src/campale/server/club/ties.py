"""Battles tied to accounts: the holder of a seat's token may have the battle counted for an account."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from campale.server.battle.draft import Denied, Draft, Taken, Unknown
from campale.server.battle.seats import LONGEST_TOKEN, Keys, hashed
from campale.server.club.tables import SITTING, SittingRow
from campale.server.database.schema import BATTLE, CHAT, SEAT
from campale.server.database.store import Store

MOST_BATTLES = 500
"""The most battles of a list, the newest ones."""


class Tied(msgspec.Struct, frozen=True):
    """A battle with at least one account's seat, as the database has it.

    ``accounts``: by side, None without an account; ``are_open``: by side, whether nobody sits there yet.
    """

    battle: str
    book: str
    draft: str
    stage: str
    result: str | None
    created: float
    updated: float
    accounts: tuple[str | None, ...]
    names: tuple[str, ...]
    are_open: tuple[bool, ...]

    def winner(self) -> int | None:
        """The winning side; None if nobody has won, or not yet."""
        found = msgspec.json.decode(self.result) if self.result else {}
        side: int | None = found.get("winner")
        return side

    def has_result(self) -> bool:
        """Whether it was played to the end, with a winner or a draw."""
        return self.stage == "over" and bool(self.result) and "winner" in msgspec.json.decode(self.result or "{}")


class Ties:
    """The seats of accounts over a database. The methods block: they are called in threads."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self.store, self.keys = store, keys

    def claim(self, account: str, token: str) -> SittingRow:
        """Count the seat of a token for an account. Raises TableError.

        Only one seat of a battle can count, and not one of another account.
        """
        seat = self.store.seat_of_token(hashed(token)) if 0 < len(token) <= LONGEST_TOKEN else None
        if seat is None:
            raise Denied("not-yours")
        return self.tie(account, seat.battle, seat.side)

    def tie(self, account: str, battle: str, side: int) -> SittingRow:
        """Count a seat for an account. Raises Taken."""
        row = SittingRow(battle, side, account, self.keys.now())
        try:
            with self.store.writing() as connection:
                hold(connection, battle)
                tied = select(SITTING.c.side, SITTING.c.account).where(SITTING.c.battle == battle)
                found = connection.execute(tied).all()
                if any(one.side == side and one.account == account for one in found):
                    return row
                if any(account == one.account or one.side == side for one in found):
                    raise Taken("club.tied-already")
                connection.execute(SITTING.insert(), msgspec.structs.asdict(row))
        except IntegrityError:
            raise Taken("club.tied-already") from None
        return row

    def is_kept(self, battle: str, side: int) -> bool:
        """Whether a seat counts for an account; an empty one is reserved for its owner."""
        is_it = SITTING.c.battle == battle, SITTING.c.side == side
        return bool(self.store.rows(select(SITTING).where(*is_it), SittingRow))

    def seats(self, account: str) -> dict[str, int]:
        """The seats of an account, by battle: a seat is open wherever its owner signs in.

        Empty seats are left out: their owner takes them with a code.
        """
        is_it = (SEAT.c.battle == SITTING.c.battle) & (SEAT.c.side == SITTING.c.side) & (SEAT.c.kind == "person")
        query = select(SITTING.c.battle, SITTING.c.side).join(SEAT, is_it).where(SITTING.c.account == account)
        with self.store.reading() as connection:
            return {row.battle: row.side for row in connection.execute(query)}

    def code(self, account: str, battle: str) -> str | None:
        """A new code for the seat of an account; None: it is already taken. Raises Unknown."""
        code = self.keys.code()
        if "\0" in battle:
            raise Unknown("no-battle")
        with self.store.writing() as connection:
            mine = select(SITTING.c.side).where(SITTING.c.battle == battle, SITTING.c.account == account)
            side = connection.execute(mine).scalar()
            if side is None:
                raise Unknown("no-battle")
            is_open = SEAT.c.battle == battle, SEAT.c.side == side, SEAT.c.kind == "open"
            given = connection.execute(update(SEAT).where(*is_open).values(code=hashed(code)))
        return code if given.rowcount else None

    def let_go(self, account: str, battle: str) -> None:
        """Stop counting a battle, unless it has begun and counts for both: nobody may drop a battle that he is losing.

        Raises Unknown, Taken.
        """
        if "\0" in battle:
            raise Unknown("no-battle")
        with self.store.writing() as connection:
            hold(connection, battle)
            found = self.within(connection, [battle]).get(battle)
            if found is None or account not in found.accounts:
                raise Unknown("no-battle")
            if None not in found.accounts and found.stage in ("playing", "over"):
                raise Taken("club.counts-for-both")
            connection.execute(delete(SITTING).where(SITTING.c.account == account, SITTING.c.battle == battle))

    def of_account(self, account: str) -> list[Tied]:
        mine = select(SITTING.c.battle).where(SITTING.c.account == account)
        return self._tied(BATTLE.c.id.in_(mine))

    def all(self) -> list[Tied]:
        return self._tied(BATTLE.c.id.in_(select(SITTING.c.battle)))

    def named(self, battles: Iterable[str]) -> dict[str, Tied]:
        with self.store.reading() as connection:
            return self.within(connection, battles)

    def within(self, connection: Connection, battles: Iterable[str]) -> dict[str, Tied]:
        """The same, within an open transaction."""
        return {one.battle: one for one in tied_in(connection, BATTLE.c.id.in_(list(battles)), None)}

    def of_two(self, book: str | None) -> list[Tied]:
        """Finished battles between two accounts, the oldest first."""
        both = select(SITTING.c.battle).group_by(SITTING.c.battle).having(func.count() == 2)
        which = BATTLE.c.id.in_(both) & (BATTLE.c.stage == "over")
        if book is not None:
            which &= BATTLE.c.book == book
        found = self._tied(which, most=None)
        return sorted((one for one in found if one.has_result()), key=lambda one: (one.created, one.battle))

    def _tied(self, which: ColumnElement[bool], most: int | None = MOST_BATTLES) -> list[Tied]:
        with self.store.reading() as connection:
            return tied_in(connection, which, most)

    def write_out(self, account: str) -> list[dict[str, Any]]:
        """The chat messages of an account in its battles."""
        mine = (SITTING.c.account == account) & (SITTING.c.battle == CHAT.c.battle) & (SITTING.c.side == CHAT.c.side)
        query = select(CHAT.c.battle, CHAT.c.text, CHAT.c.at).join(SITTING, mine).order_by(CHAT.c.at)
        with self.store.reading() as connection:
            return [dict(one) for one in connection.execute(query).mappings()]


def hold(connection: Connection, battle: str) -> None:
    """Lock the battle against other ties until the transaction ends."""
    connection.execute(select(BATTLE.c.id).where(BATTLE.c.id == battle).with_for_update()).all()


def tied_in(connection: Connection, which: ColumnElement[bool], most: int | None) -> list[Tied]:
    columns = [BATTLE.c[name] for name in ("id", "book", "draft", "stage", "result", "created", "updated")]
    query = select(*columns).where(which).order_by(BATTLE.c.updated.desc()).limit(most)
    rows = connection.execute(query).all()
    battles = [row.id for row in rows]
    seats = _by_battle(connection, select(SEAT.c.battle, SEAT.c.side, SEAT.c.name, SEAT.c.kind), SEAT.c.battle, battles)
    sitting = select(SITTING.c.battle, SITTING.c.side, SITTING.c.account)
    ties = _by_battle(connection, sitting, SITTING.c.battle, battles)
    return [tied(tuple(row), seats.get(row.id, {}), ties.get(row.id, {})) for row in rows]


def take_names_out(connection: Connection, account: str) -> list[str]:
    """Take a leaving member's name out of the battles of his account.

    A process that plays one of them drops it and reads it again. Returns the battles that were in play in a process.
    """
    mine = select(SITTING.c.battle, SITTING.c.side).where(SITTING.c.account == account)
    played = []
    for battle, side in connection.execute(mine).all():
        hold(connection, battle)
        for table in (SEAT, CHAT):
            connection.execute(update(table).where(table.c.battle == battle, table.c.side == side).values(name=""))
        query = select(BATTLE.c.draft, BATTLE.c.stage, BATTLE.c.owner).where(BATTLE.c.id == battle)
        draft, stage, owner = connection.execute(query).one()
        values = {"draft": without_name(draft, side), "owner": None}
        connection.execute(update(BATTLE).where(BATTLE.c.id == battle).values(values))
        played += [battle] if owner is not None and stage == "playing" else []
    return played


def without_name(draft: str, side: int) -> str:
    found = msgspec.json.decode(draft, type=Draft)
    seats = tuple(msgspec.structs.replace(one, name="") if k == side else one for k, one in enumerate(found.seats))
    return msgspec.json.encode(msgspec.structs.replace(found, seats=seats)).decode()


def _by_battle(connection: Connection, query: Any, column: Any, battles: Sequence[str]) -> dict[str, dict[int, Any]]:
    """The values of a query after battle and side, keyed by these; read in lots of battles."""
    found: dict[str, dict[int, Any]] = {}
    for begin in range(0, len(battles), MOST_BATTLES):
        for battle, side, *values in connection.execute(query.where(column.in_(battles[begin : begin + MOST_BATTLES]))):
            found.setdefault(battle, {})[side] = values
    return found


def tied(row: tuple[Any, ...], seats: dict[int, Any], accounts: dict[int, Any]) -> Tied:
    """A row as a Tied battle. ``seats``: name and kind by side."""
    sides = sorted(seats)
    id_, book, draft, stage, result, created, updated = row
    by_side = tuple(accounts.get(side, [None])[0] for side in sides), tuple(seats[side][0] for side in sides)
    are_open = tuple(seats[side][1] == "open" for side in sides)
    return Tied(id_, book, draft, stage, result, created, updated, *by_side, are_open)
