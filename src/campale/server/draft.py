"""A battle that is still being set up, what is made of it, and the errors that it answers with."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from campale.referee.puzzle import Verdict
from campale.referee.ruleset import Setup
from campale.referee.scenario_file import Goal, Told
from campale.server.wire import SeatShown

LONGEST_NAME = 40


class TableError(Exception):
    """What cannot be done: a key of the server's words, the values in its sentence, and the status of HTTP."""

    status = 400

    def __init__(self, word: str, status: int = 0, **values: Any) -> None:
        super().__init__(word)
        self.word = word
        self.values = values
        self.status = status or self.status


class Unknown(TableError):
    """There is no such thing, or nobody here may know of it."""

    status = 404


class Denied(TableError):
    """Somebody else's."""

    status = 403


class Taken(TableError):
    """It is too late: somebody sits there already, or the battle has gone on."""

    status = 409


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds for a whole battle, for each reaction, and what every answer adds."""

    main: float
    reaction: float = 0.0
    increment: float = 0.0


class SeatDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit at a side: the one who makes the battle, the one who comes by the link, a bot."""

    kind: Literal["me", "link", "bot"]
    name: str = ""
    strength: Literal["greedy", "search", "script", "random"] = "greedy"


class PuzzleDraft(msgspec.Struct, frozen=True):
    """What makes a puzzle of a battle. ``name``: the book and the file; "": one of somebody's own."""

    name: str
    title: Told
    rules: tuple[str, ...]
    goal: Goal
    verdict: Verdict = "open"


class Draft(msgspec.Struct, frozen=True):
    """A battle as it was asked for. A force that is None is brought by the player who joins.

    ``is_agreed``: nobody is asked to agree (a battle to try the table with). ``dice``: the server's, or real ones.
    ``is_again``: a rematch of two who came to the battle before from different places.
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
        """Whether different people sit at the seats, as far as can be known."""
        return self.is_again or any(seat.kind == "link" for seat in self.seats)

    def setup(self, names: tuple[str, ...]) -> Setup:
        """The set-up once all forces are there. Raises ValueError before."""
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
    """What a code invites to. ``name``: for whom the seat is kept ("": anybody); ``is_open``: nobody has come yet."""

    battle: str
    side: int
    draft: Draft
    by: str
    name: str
    is_open: bool


class Mine(msgspec.Struct, frozen=True):
    """A battle in which somebody sits. ``updated``: seconds since the epoch; ``is_counted``: for his account."""

    battle: str
    side: int
    book: str
    title: str
    stage: str
    whose_turn: tuple[int, ...]
    updated: float
    is_counted: bool = False


class Summary(msgspec.Struct, frozen=True):
    """What anybody may know of a battle."""

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
    """A battle as it is kept: its saved game (empty before it has begun), and what its dice were made of."""

    stage: str
    saved: bytes
    server_seed: str
    seat_seeds: tuple[str, ...]
    commitment: str
