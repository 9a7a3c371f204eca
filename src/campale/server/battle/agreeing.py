"""How a battle begins: all accept the set-up and seal a seed (send its hash), then all reveal their seeds.

Nobody, not even the owner of the server, knows another's seed before all are bound by their hashes. So the last player
to accept cannot choose the dice, even together with the owner of the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from campale.dice.sources import ByHand, Seeded
from campale.referee.game import Game
from campale.referee.ruleset import load_ruleset
from campale.server.battle.draft import TableError
from campale.server.battle.fair import commitment, game_seed, new_seed
from campale.server.battle.moment import has_revealed
from campale.server.battle.noting import note_anew
from campale.server.database.keeping import versions
from campale.server.sockets.wire import Done, Tells

if TYPE_CHECKING:
    from campale.server.battle.live import Live


class NotAgreed(TableError):
    """An agreement or a seed that is not possible now."""


def agree(live: Live, side: int, version: int, seal: str, n: int) -> Tells:
    """Agree to a version of the set-up.

    The battle begins once all have agreed and no seal is left unopened. A different seal for the same version makes
    everybody agree again, and voids the other seals.
    """
    stage, seat = live.battle.stage, live.seats[side]
    if stage == "open":
        raise NotAgreed("agree.not-now")
    if version != live.battle.version:
        raise NotAgreed("agree.other-version")
    if seat.agreed == version and seal == seat.seal:
        return Done(n)
    if stage != "agreeing" or (seat.agreed == version and has_revealed(seat)):
        raise NotAgreed("agree.not-now")
    if seat.agreed == version:
        begin_anew(live, side)
        return Done(n)
    live.with_seat(side, agreed=live.battle.version, seal=seal, seed="")
    begin_if_agreed(live)
    return Done(n)


def begin_anew(live: Live, side: int) -> None:
    """Void all seals after a player has lost a seed, or claims so; all agree to a new version.

    The server draws another seed too, and shows its hash before anybody seals a seed again.
    """
    drawn = new_seed()
    live.battle = msgspec.structs.replace(
        live.battle, version=live.battle.version + 1, server_seed=drawn, commitment=commitment(drawn)
    )
    for seat in live.seats:
        live.with_seat(seat.side, agreed=0, seal="", seed="")
    note_anew(live, side)


def reveal(live: Live, side: int, seed: str, n: int) -> Tells:
    """Reveal the seed of a seal, once all are bound."""
    seat = live.seats[side]
    if seat.seed and seat.seed == seed:
        return Done(n)
    if live.battle.stage != "agreeing" or not have_all_agreed(live) or has_revealed(seat):
        raise NotAgreed("agree.not-now")
    if commitment(seed) != seat.seal:
        raise NotAgreed("agree.other-seed")
    live.with_seat(side, seed=seed)
    begin_if_agreed(live)
    return Done(n)


def have_all_agreed(live: Live) -> bool:
    return all(seat.kind == "bot" or seat.agreed == live.battle.version for seat in live.seats)


def begin_if_agreed(live: Live) -> None:
    if live.battle.stage == "agreeing" and have_all_agreed(live) and all(map(has_revealed, live.seats)):
        begin(live, game_seed(live.battle.server_seed, [seat.seed for seat in live.seats]))


def begin_unasked(live: Live) -> None:
    """Begin without asking anybody to agree."""
    for seat in live.seats:
        live.with_seat(seat.side, agreed=live.battle.version)
    begin_if_agreed(live)


def begin(live: Live, seed: str) -> None:
    ruleset = load_ruleset(live.battle.book)
    setup = live.draft.setup(tuple(seat.name for seat in live.seats))
    dice = ByHand() if live.battle.dice == "real" else Seeded(seed)
    campale, content = versions(live.battle.book)
    live.game = Game(ruleset, setup, seed, dice)
    live.battle = msgspec.structs.replace(
        live.battle, seed=seed, stage="playing", campale=campale, ruleset_hash=content
    )
