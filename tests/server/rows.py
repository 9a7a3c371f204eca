"""Rows for tests of the database alone."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import MetaData

from campale.server.database.schema import BattleRow, SeatRow
from campale.server.database.store import Store


def battle(name: str) -> BattleRow:
    return BattleRow(name, "book", "{}", "server", "seed", "commitment", 1.0, 1.0, "0", "hash")


def seats(name: str) -> list[SeatRow]:
    return [SeatRow(name, side, "person", f"P{side}", token=f"{name}-token-{side}") for side in (0, 1)]


def insert_at(revision: str, store: Store, row: BattleRow, of: Sequence[SeatRow]) -> None:
    """Into a database as it was at an earlier revision."""
    store.migrate(revision)
    known = MetaData()
    known.reflect(store.engine)
    with store.writing() as connection:
        for name, one in (("battle", row), *(("seat", seat) for seat in of)):
            columns = known.tables[name]
            values = {key: value for key, value in msgspec.structs.asdict(one).items() if key in columns.c}
            connection.execute(columns.insert(), values)


def seals_after_upgrade(store: Store) -> None:
    """What was agreed without seals is agreed anew where the battle has not begun, and holds where it has."""
    rows = [msgspec.structs.replace(battle(stage), stage=stage) for stage in ("agreeing", "playing")]
    for row in rows:
        agreed = [msgspec.structs.replace(seat, agreed=1, seed="told too soon") for seat in seats(row.id)]
        insert_at("0002", store, row, agreed)
    store.migrate()
    assert [(seat.agreed, seat.seed, seat.seal) for seat in store.seats("agreeing")] == [(0, "", "")] * 2
    assert [(seat.agreed, seat.seed, seat.seal) for seat in store.seats("playing")] == [(1, "told too soon", "")] * 2
    assert [store.battle(row.id) for row in rows] == rows
