"""A rematch with sides swapped: proposed, accepted, and found again whatever happens in between.

The old battle keeps only the id of the new one. The token of a seat there is derived from that of the other seat here,
which only its owner has: it is computed again whenever he comes, and only its hash is stored.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING

import msgspec

from campale.server.battle.draft import Draft, SeatDraft, TableError
from campale.server.sockets.wire import Again, Done, Tells

if TYPE_CHECKING:
    from campale.server.battle.live import Live

PURPOSE = "campale-rematch/"


class NoRematch(TableError):
    """Why there is no rematch."""


def propose(live: Live, side: int | None, n: int) -> Tells:
    """Propose a rematch with sides swapped, once this battle is over; None: withdraw the proposal.

    Bots are not asked: they accept.
    """
    if live.battle.stage != "over" or is_agreed(live):
        raise NoRematch("rematch.not-now")
    if not all(live.draft.forces):
        raise NoRematch("rematch.unknown-force")
    live.is_rematched = side is not None and all(one.kind == "bot" for one in live.seats if one.side != side)
    live.battle = msgspec.structs.replace(live.battle, rematch=side)
    return Done(n)


def agree(live: Live, side: int, n: int) -> Tells:
    """Accept the other side's proposal, once. It stays open until the new battle is there."""
    if is_agreed(live) or live.battle.rematch in (None, side):
        raise NoRematch("rematch.not-now")
    live.is_rematched = True
    return Done(n)


def is_agreed(live: Live) -> bool:
    return live.is_rematched or live.battle.next is not None


def follow_up(live: Live, battle: str) -> None:
    """Note that the new battle is there."""
    live.battle = msgspec.structs.replace(live.battle, rematch=None, next=battle)


def again(live: Live, side: int | None, token: str) -> Again | None:
    """The rematch for the holder of a token; the seat there is his from now on."""
    if side is None or live.battle.next is None:
        return None
    return Again(live.battle.next, 1 - side, token_after(token, live.battle.next))


def token_after(token: str, battle: str) -> str:
    """The token of a seat in the next battle, derived from its owner's present one."""
    digest = hmac.digest(token.encode(), (PURPOSE + battle).encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def swapped(live: Live) -> Draft:
    strengths = [one.strength for one in live.draft.seats]
    seats = tuple(
        SeatDraft("bot" if seat.kind == "bot" else "me", seat.name, strengths[seat.side])
        for seat in reversed(live.seats)
    )
    forces, is_again = live.draft.forces[::-1], live.draft.is_apart
    return msgspec.structs.replace(live.draft, seats=seats, forces=forces, is_agreed=False, is_again=is_again)
