"""A battle during set-up, the records made from it, and its errors."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from campale.referee.ruleset import Setup
from campale.referee.scenarios.file import Goal, Told
from campale.referee.scenarios.puzzle import Verdict
from campale.server.sockets.wire import SeatShown

LONGEST_NAME = 40


class TableError(Exception):
    """A refused request: a key of the server's words, the values in its sentence, and the HTTP status."""

    status = 400

    def __init__(self, word: str, status: int = 0, **values: Any) -> None:
        super().__init__(word)
        self.word = word
        self.values = values
        self.status = status or self.status


class Unknown(TableError):
    """The thing does not exist, or the asker may not know of it."""

    status = 404


class Denied(TableError):
    """The thing belongs to somebody else."""

    status = 403


class Taken(TableError):
    """It is too late: somebody sits there already, or the battle has gone on."""

    status = 409


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds for a whole battle and for each reaction, and the seconds added by every answer."""

    main: float
    reaction: float = 0.0
    increment: float = 0.0


class SeatDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player of a side: the creator of the battle, the user of the link, or a bot."""

    kind: Literal["me", "link", "bot"]
    name: str = ""
    strength: Literal["greedy", "search", "script", "random"] = "greedy"


class PuzzleDraft(msgspec.Struct, frozen=True):
    """The puzzle of a battle. ``name``: the book and the file; "": a player's own."""

    name: str
    title: Told
    rules: tuple[str, ...]
    goal: Goal
    verdict: Verdict = "open"


class Draft(msgspec.Struct, frozen=True):
    """A requested battle.

    A force that is None is chosen by the player who joins. ``is_agreed``: nobody is asked to agree (a demo battle).
    ``dice``: the server's, or real ones. ``is_again``: a rematch of two players who joined the previous battle from
    different places.
    """

    book: str
    agreed: dict[str, Any]
    options: dict[str, Any]
    forces: tuple[dict[str, Any] | None, ...]
    seats: tuple[SeatDraft, ...]
    dice: Literal["server", "real"] = "server"
    clock: Clock | None = None
    is_agreed: bool = False
    language: str = "en"
    puzzle: PuzzleDraft | None = None
    is_again: bool = False

    @property
    def is_apart(self) -> bool:
        """Whether different people have the seats, as far as the server knows."""
        return self.is_again or any(seat.kind == "link" for seat in self.seats)

    def setup(self, names: tuple[str, ...]) -> Setup:
        """The set-up, once all forces are there. Raises ValueError before that."""
        forces = tuple(one for one in self.forces if one is not None)
        if len(forces) < len(self.forces):
            raise ValueError("a force has still to be brought")
        return Setup(self.book, self.options, forces, self.agreed, names)

    def with_force(self, side: int, force: dict[str, Any]) -> Draft:
        forces = tuple(force if k == side else one for k, one in enumerate(self.forces))
        return msgspec.structs.replace(self, forces=forces)


class SeatMade(msgspec.Struct, frozen=True):
    """A seat of a new battle: the token of its maker, or the code by which another may join."""

    side: int
    kind: str
    token: str | None = None
    join: str | None = None


class Created(msgspec.Struct, frozen=True):
    battle: str
    seats: tuple[SeatMade, ...]


class Joined(msgspec.Struct, frozen=True):
    battle: str
    side: int
    token: str


class Invitation(msgspec.Struct, frozen=True):
    """The invitation of a code.

    ``name``: the person for whom the seat is reserved ("": anybody); ``is_open``: nobody has joined yet.
    """

    battle: str
    side: int
    draft: Draft
    by: str
    name: str
    is_open: bool


class Mine(msgspec.Struct, frozen=True):
    """A battle of the asker's. ``updated``: seconds since the epoch; ``is_counted``: it counts for his account."""

    battle: str
    side: int
    book: str
    title: str
    stage: str
    whose_turn: tuple[int, ...]
    updated: float
    is_counted: bool = False


class Summary(msgspec.Struct, frozen=True):
    """The public data of a battle."""

    battle: str
    book: str
    title: str
    stage: str
    dice: str
    commitment: str
    seats: tuple[SeatShown, ...]
    created: float
    updated: float
    result: str | None = None


class Kept(msgspec.Struct, frozen=True):
    """A stored battle: its saved game (empty before it has begun), and the sources of its dice."""

    stage: str
    saved: bytes
    server_seed: str
    seat_seeds: tuple[str, ...]
    commitment: str
