"""The holder of a seat: the owner of its token and, wherever signed in, the owner of the account it counts for."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import msgspec

from campale.server.battle.draft import Denied, Taken
from campale.server.battle.seats import LONGEST_TOKEN, hashed
from campale.server.club.house import Club
from campale.server.club.members import SignedOut
from campale.server.database.schema import SeatRow
from campale.server.database.store import Store
from campale.server.sockets.wire import Again


class Holding:
    """Tokens of seats and of sessions over a database. The methods block: they are called in threads."""

    def __init__(self, store: Store, club: Club) -> None:
        self.store, self.club = store, club

    def side(self, battle: str, token: str) -> int | None:
        """The side of a token, if any. Raises Denied."""
        if not token:
            return None
        seat = self._of_token(token)
        if seat is None:
            return self._of_session(token).get(battle)
        if seat.battle != battle:
            raise Denied("not-yours")
        return seat.side

    def _of_token(self, token: str) -> SeatRow | None:
        return self.store.seat_of_token(hashed(token)) if 0 < len(token) <= LONGEST_TOKEN else None

    def _of_session(self, token: str) -> dict[str, int]:
        try:
            return self.club.ties.seats(self.club.members.of_token(token).id)
        except SignedOut:
            raise Denied("not-yours") from None

    def seats(self, tokens: Iterable[str]) -> list[tuple[str, int, bool]]:
        """The battles and sides of the tokens, and whether the seat counts for one of their accounts."""
        held: dict[tuple[str, int], bool] = {}
        for token in tokens:
            seat = self._of_token(token)
            if seat is not None:
                held.setdefault((seat.battle, seat.side), False)
                continue
            with suppress(Denied):
                held |= dict.fromkeys(self._of_session(token).items(), True)
        return [(battle, side, is_counted) for (battle, side), is_counted in held.items()]

    def goes_on(self, again: Again, token: str) -> Again:
        """Reserve the seat of a rematch for the player of the previous battle, by token or account."""
        if self._of_token(token) is not None:
            self.store.seat_kept(again.battle, again.side, hashed(again.token))
            return again
        with suppress(SignedOut, Taken):
            self.club.ties.tie(self.club.members.of_token(token).id, again.battle, again.side)
        return msgspec.structs.replace(again, token="")
