"""The records that the routes of a club take and give. Times are seconds since the epoch."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from campale.server.club.standings import Result

Role = Literal["member", "organiser"]
Short = Annotated[str, msgspec.Meta(max_length=400)]


# ---------------------------------------------------------------- requests


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to a club."""


class SignInAsked(Asked, frozen=True):
    name: Short
    phrase: Short


class ComeAsked(Asked, frozen=True):
    """A request to join by an invitation. One for a new pass phrase has no name."""

    code: Short
    phrase: Short
    name: Short = ""


class PhraseAsked(Asked, frozen=True):
    old: Short
    new: Short


class SignOutAsked(Asked, frozen=True):
    everywhere: bool = False


class LeaveAsked(Asked, frozen=True):
    """A request to remove the account, with its pass phrase."""

    phrase: Short


class ClaimAsked(Asked, frozen=True):
    """The token of a seat that should count for the account."""

    seat: Short


class InviteAsked(Asked, frozen=True):
    """``account``: the account that may choose a new pass phrase; without it the invitation is for a new member."""

    role: Role = "member"
    days: Annotated[int, msgspec.Meta(ge=1, le=90)] = 14
    note: Annotated[str, msgspec.Meta(max_length=40)] = ""
    account: Short | None = None


class RoleAsked(Asked, frozen=True):
    role: Role


class SeasonAsked(Asked, frozen=True):
    """``kind``: Swiss, with the number of rounds in ``rounds``, or a round robin.

    ``missions``: the short names of the rulebook's missions, round by round (then from the first again); "": the two
    players agree on one. ``points``: the size of its battles; null: the usual one.
    """

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    book: Short
    kind: Literal["swiss", "robin"] = "swiss"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=30)] = 5
    missions: Annotated[list[Short], msgspec.Meta(max_length=30)] = []
    about: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    points: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None


class RoundAsked(Asked, frozen=True):
    """A request for the next round; ``deadline``: the end of its time for playing, or null."""

    deadline: Annotated[float, msgspec.Meta(ge=0, le=1e11)] | None = None


class PairingAsked(Asked, frozen=True):
    round: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    place: Annotated[int, msgspec.Meta(ge=1, le=1000)]


class ResultAsked(PairingAsked, frozen=True):
    """The winner: the first of the pairing, the second, or neither; ``none``: it was not played."""

    result: Result


class PlayAsked(PairingAsked, frozen=True):
    """A battle that counts for both players."""

    battle: Short


# ---------------------------------------------------------------- answers


class Me(msgspec.Struct, frozen=True):
    """The signed-in account."""

    id: str
    name: str
    role: str
    created: float


class SignedIn(msgspec.Struct, frozen=True):
    """``token`` goes with all requests to the club (``Authorization: Bearer``)."""

    token: str
    me: Me


class ClubShown(msgspec.Struct, frozen=True):
    """``is_there``: whether anybody has an account; ``me``: null if nobody is signed in with this token."""

    is_there: bool
    me: Me | None


class InvitationTo(msgspec.Struct, frozen=True):
    """The purpose of an invitation; with a ``name`` it is for a new pass phrase of that account."""

    role: str
    until: float
    name: str | None


class OpenInvitation(msgspec.Struct, frozen=True):
    id: str
    note: str
    role: str
    name: str | None
    until: float


class Invited(msgspec.Struct, frozen=True):
    """A new invitation: its code is shown only once."""

    code: str
    until: float


class MemberShown(msgspec.Struct, frozen=True):
    """``seen``: the time of the last visit, to the hour; null: not for a month."""

    id: str
    name: str
    role: str
    created: float
    seen: float | None


class PlayerShown(msgspec.Struct, frozen=True):
    """A side of a battle. ``account``: the account it counts for, if any; ``is_open``: nobody sits there yet."""

    name: str
    account: str | None
    is_open: bool


class ClubTable(msgspec.Struct, frozen=True):
    """A battle of a member. ``result`` is a sentence once it is over."""

    battle: str
    book: str
    title: str
    stage: str
    players: list[PlayerShown]
    winner: int | None
    result: str | None
    created: float
    updated: float


class SeatHeld(msgspec.Struct, frozen=True):
    """The seat of the account in a battle; null: none."""

    side: int | None


class SeatFound(msgspec.Struct, frozen=True):
    """The way to the account's seat in a battle. ``code``: the code to take it with; null: it is already taken."""

    battle: str
    code: str | None


class RungShown(msgspec.Struct, frozen=True):
    account: str
    name: str
    rating: int
    won: int
    drawn: int
    lost: int


class Export(msgspec.Struct, frozen=True):
    """Everything that the club knows of a member."""

    format: str
    version: int
    account: Me
    sessions: list[dict[str, Any]]
    battles: list[ClubTable]
    chat: list[dict[str, Any]]
    seasons: list[dict[str, Any]]
    invitations: list[OpenInvitation]


class SeasonMade(msgspec.Struct, frozen=True):
    season: str


class SeasonLine(msgspec.Struct, frozen=True):
    """``stage``: joining, running, over."""

    season: str
    title: str
    book: str
    book_title: str
    kind: str
    stage: str


class EntrantShown(msgspec.Struct, frozen=True):
    """An entrant. Without a ``name`` he has deleted his account."""

    number: int
    account: str | None
    name: str | None
    has_left: bool


class PairingShown(msgspec.Struct, frozen=True):
    """Entrants by their numbers; without ``two`` a bye. ``by``: the entrant who entered the result.

    ``counts``: both have said so, or a battle played here, or an organiser.
    """

    place: int
    one: int
    two: int | None
    result: Result | None
    by: int | None
    counts: bool
    battle: str | None


class RoundShown(msgspec.Struct, frozen=True):
    """``mission``: its title; "" if the two players agree on one."""

    number: int
    mission: str
    begun: float
    deadline: float | None
    pairings: list[PairingShown]


class PlacedShown(msgspec.Struct, frozen=True):
    """``against``: the points of all opponents; ``beaten``: those of beaten opponents, half of drawn ones."""

    place: int
    number: int
    points: int
    against: float
    beaten: float
    played: int
    won: int
    drawn: int
    lost: int


class SeasonShown(msgspec.Struct, frozen=True):
    """``rounds``: the planned number of rounds; ``mine``: the asker's own number, if he has entered.

    ``points``: the size of its battles; null: the usual one.
    """

    season: str
    title: str
    about: str
    book: str
    book_title: str
    kind: str
    stage: str
    rounds: int
    missions: list[str]
    entrants: list[EntrantShown]
    played: list[RoundShown]
    standings: list[PlacedShown]
    mine: int | None
    points: int | None
