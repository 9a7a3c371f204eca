"""The messages over the socket, in both directions, as JSON objects.

A page's message names the action in ``do``; one that wants an answer carries a number of the page's own in ``n``, and
the server's reply carries it in ``re``. A server's message names its kind in ``is``. Texts are in the language of the
seat. Lengths are in the ruleset's unit, angles in degrees, clockwise from the table's far edge; y grows away from the
near edge. ``tools/wire.py`` writes the same as TypeScript.
"""

from __future__ import annotations

from typing import Any

import msgspec

from campale.referee.refusal import Plain
from campale.screen.shown import (
    Field,
    Forecast,
    ForetoldShown,
    LaidShown,
    Line,
    Look,
    ModelShown,
    MotionShown,
    OrderKind,
    PieceShown,
    RefusalShown,
    RuleShown,
    Sheet,
    StandingShown,
    TableShown,
    TokenShown,
    UnitShown,
)

PROTOCOL = 2


# ---------------------------------------------------------------- from the page


class Asks(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="do", forbid_unknown_fields=True):
    """A request of a page."""


class Hello(Asks, frozen=True, tag="hello"):
    """The first message: who sits here (no token: a spectator), in which language, and how much the page knows.

    ``veiled``: somebody else looks at this screen too, so it shows only what everybody may see.
    """

    protocol: int
    token: str = ""
    language: str = "en"
    seen: int = 0
    veiled: bool = False


class Veil(Asks, frozen=True, tag="veil"):
    """Switch to what the seat alone may see (``on`` false), or to what everybody may; everything is sent again."""

    n: int
    on: bool


class Answer(Asks, frozen=True, tag="answer"):
    """The answer to the question with this number. An answer to a closed question changes nothing."""

    n: int
    question: int
    answer: Any = None


class Check(Asks, frozen=True, tag="check"):
    """Is this answer allowed? ``path``: the answers already given in a form, and in the forms within it."""

    n: int
    question: int
    answer: Any = None
    path: list[list[Any]] = []


class Next(Asks, frozen=True, tag="next"):
    """Get the field of a form that follows these answers."""

    n: int
    question: int
    path: list[list[Any]]


class Fill(Asks, frozen=True, tag="fill"):
    """Fill a form shown whole: all its fields, with these answers as far as they still fit, the rest as proposed.

    Without ``answers`` all of it is proposed; ``changed`` is the place of the answer that the player has just changed.
    """

    n: int
    question: int
    answers: list[Any] | None = None
    changed: int = -1
    path: list[list[Any]] = []


class Plan(Asks, frozen=True, tag="plan"):
    """How can the models come near their wanted places? ``wish`` is [row, x, y, facing or null] of each dragged model.

    The question's other models go along as the server's planner decides, or keep ``kept``. With a ``formation``
    ("line", "two-ranks", "block", "wedge", "loose") all models that are set down stand in it about the point wished for
    one of them, with ``spacing`` between their bases (null: the usual gap).
    """

    n: int
    question: int
    wish: list[list[float | None]]
    kept: Any = None
    path: list[list[Any]] = []
    formation: str | None = None
    spacing: float | None = None


class Lift(Asks, frozen=True, tag="lift"):
    """The player has taken up a model: which answers lead to where it may be moved?"""

    n: int
    question: int
    model: int


class LookAt(Asks, frozen=True, tag="look"):
    """Everything that may be known about a model: card, rings, sight to every other model."""

    n: int
    model: int


class Odds(Asks, frozen=True, tag="odds"):
    """The odds of everything that a model can do to another now, stage by stage."""

    n: int
    model: int
    target: int


class Weigh(Asks, frozen=True, tag="weigh"):
    """The odds of one option of a question, or of the field at the end of a path; sent once they are known."""

    n: int
    question: int
    answer: Any
    path: list[list[Any]] = []


class Say(Asks, frozen=True, tag="say"):
    text: str


class Agree(Asks, frozen=True, tag="agree"):
    """Agree to the set-up as shown (``version``).

    ``seal`` is the SHA-256, in small hexadecimal digits, of the seat's own seed for the dice, which nobody learns
    before all have agreed; "": without one. A player who agrees again with another seal, before he has revealed his
    seed, makes everybody agree again.
    """

    n: int
    version: int
    seal: str = ""


class Reveal(Asks, frozen=True, tag="reveal"):
    """Reveal the seed under the seat's seal, once all have agreed."""

    n: int
    seed: str


class Undo(Asks, frozen=True, tag="undo"):
    n: int


class Concede(Asks, frozen=True, tag="concede"):
    n: int


class Doubt(Asks, frozen=True, tag="doubt"):
    """Let a die settle a doubt at the table, if the book provides one."""

    n: int


class Propose(Asks, frozen=True, tag="propose"):
    """{"draw": true}, {"undo": true} (one decision further back), {"correction": [...]}, or {"rematch": true}."""

    n: int
    what: dict[str, Any]


class Consent(Asks, frozen=True, tag="consent"):
    n: int


class Decline(Asks, frozen=True, tag="decline"):
    n: int


class Standing(Asks, frozen=True, tag="standing"):
    """Standing orders: the answers given for the player, by kind of question. See ``screen.orders``."""

    n: int
    orders: dict[str, Any]


class Speak(Asks, frozen=True, tag="speak"):
    """Continue in another language."""

    language: str


class Ping(Asks, frozen=True, tag="ping"):
    n: int = 0


Message = (
    Hello
    | Veil
    | Answer
    | Check
    | Next
    | Fill
    | Plan
    | Lift
    | LookAt
    | Odds
    | Weigh
    | Say
    | Agree
    | Reveal
    | Undo
    | Concede
    | Doubt
    | Propose
    | Consent
    | Decline
    | Standing
    | Speak
    | Ping
)


# ---------------------------------------------------------------- from the server


class Tells(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is"):
    """A message of the server to a page."""


class SeatShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The player of a side. ``kind``: person, bot, or open (waits for a player to join by the link)."""

    side: int
    name: str
    kind: str
    colour: str
    is_here: bool = False
    has_agreed: bool = False
    has_revealed: bool = False
    """Whether its seal has been opened, or it has none."""
    clock: float | None = None
    """Seconds left, if the battle has clocks."""
    reaction: float | None = None
    """Seconds for the reaction that the seat is asked for now: that clock then runs instead."""
    is_timed: bool = False
    """Whether one of the clocks runs."""


class SetupShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The agreement before the first die, as this seat may see it: lines of (title, value, rule)."""

    version: int
    lines: list[tuple[str, str, str]]
    commitment: str = ""
    """The hash of the server's seed, published before any player's seed is known."""
    seals: list[str] = []
    """The hashes of the seats' seeds, by side ("": none, or none yet)."""
    fairness: str = ""
    """How players can check the dice, in two sentences."""


class ProposalShown(msgspec.Struct, frozen=True, omit_defaults=True):
    side: int
    kind: str
    text: str


class Spoken(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of chat. ``at``: seconds since the epoch.

    ``kind`` is empty for a line that a player wrote; "declined" says that the side declined a proposal of the side
    ``of``, "renewed" that the battle continues under another version, after ``place`` answers of the journal.
    """

    side: int | None
    name: str
    text: str
    at: float
    kind: str = ""
    of: int | None = None
    place: int | None = None


class PuzzleShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The goal of a puzzle, and its state: open, solved or failed. ``name`` is empty for a player's own puzzle."""

    name: str
    title: str
    text: str
    hints: list[str] = []
    rules: list[RuleShown] = []
    verdict: str = "open"


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """The parts that may change with every message. ``News`` has only the changed ones; the rest is left out (null).

    A ``sheet`` is gone with its question, and while ``veil`` is "secret". ``stage``: open, agreeing, playing, over.
    ``question`` 0: this seat has no question, and ``sheet`` is null. ``veil`` is empty if the seat gets everything that
    it may know. Otherwise it gets what everybody may see: "open" (the book has no secrets), "secrets" (it may have
    some), or "secret": the question is for this seat alone, and ``sheet`` is null.
    """

    stage: str | None = None
    seats: list[SeatShown] | None = None
    setup: SetupShown | None = None
    standing: StandingShown | None = None
    waiting_for: list[int] | None = None
    question: int | None = None
    sheet: Sheet | None = None
    veil: str | None = None
    proposal: ProposalShown | None = None
    has_proposal: bool | None = None
    may_undo: bool | None = None
    may_doubt: bool | None = None
    may_try: bool | None = None
    may_test: bool | None = None
    result: str | None = None
    puzzle: PuzzleShown | None = None


class State(Tells, frozen=True, tag="state"):
    """Everything that a seat may know. ``side`` is null for a spectator."""

    seq: int
    battle: str
    book: str
    title: str
    side: int | None
    language: str
    table: TableShown
    pieces: list[PieceShown]
    models: list[ModelShown]
    units: list[UnitShown]
    tokens: list[TokenShown]
    lines: list[Line]
    moment: Moment
    chat: list[Spoken] = []
    orders: dict[str, Any] = {}
    """The standing orders in force."""
    order_kinds: list[OrderKind] = []
    """The prompts for which orders can be given."""


class News(Tells, frozen=True, tag="news"):
    """The changes since ``seq`` - 1. ``cut``: how many lines stay before the new ones follow."""

    seq: int
    moment: Moment
    pieces: list[PieceShown] | None = None
    models: list[ModelShown] = []
    units: list[UnitShown] = []
    tokens: list[TokenShown] | None = None
    cut: int | None = None
    lines: list[Line] = []
    motions: list[MotionShown] = []


class Done(Tells, frozen=True, tag="done"):
    re: int


class Refused(Tells, frozen=True, tag="refused"):
    """The attempt is not allowed. It changed nothing."""

    re: int
    refusal: RefusalShown


class Checked(Tells, frozen=True, tag="checked"):
    """``laid``: the template that the answer lays, and whom it hits; ``foretold``: its other consequences."""

    re: int
    refusal: RefusalShown | None = None
    forecast: Forecast | None = None
    laid: LaidShown | None = None
    foretold: list[ForetoldShown] = []


class NextField(Tells, frozen=True, tag="next"):
    """The next field of a form; null: the form is complete."""

    re: int
    sheet: Sheet | None = None


class Filled(Tells, frozen=True, tag="filled"):
    re: int
    fields: list[Field]
    refusal: RefusalShown | None = None
    forecast: Forecast | None = None
    """The odds of the whole form."""


class Planned(Tells, frozen=True, tag="planned"):
    """An answer to the question, legal unless ``refusal`` says why none was found.

    ``instead``: the answer that the last field before it gets, so that the models come so far; ``sheet`` is then that
    of the question which the answer is for.
    """

    re: int
    answer: Plain = None
    text: str = ""
    refusal: RefusalShown | None = None
    forecast: Forecast | None = None
    foretold: list[ForetoldShown] = []
    instead: Plain = None
    sheet: Sheet | None = None


class Lifted(Tells, frozen=True, tag="lifted"):
    """``path``: the answers, form by form; null: there are none, and ``refusal`` may say why."""

    re: int
    path: list[list[Plain]] | None = None
    refusal: RefusalShown | None = None


class Looked(Tells, frozen=True, tag="looked"):
    re: int
    look: Look


class Forecasted(Tells, frozen=True, tag="forecasted"):
    """``too_long``: the server gave up."""

    re: int
    forecasts: list[Forecast]
    too_long: bool = False


class Weighed(Tells, frozen=True, tag="weighed"):
    """The forecast; null: nothing is known. ``too_long``: the server gave up."""

    re: int
    forecast: Forecast | None = None
    too_long: bool = False


class Again(Tells, frozen=True, tag="again"):
    """A rematch is agreed: the new battle, the seat's side in it, its token ("": the seat belongs to the account)."""

    battle: str
    side: int
    token: str


class Chat(Tells, frozen=True, tag="chat"):
    line: Spoken


class Failed(Tells, frozen=True, tag="failed"):
    """A message that could not be understood or carried out; ``word`` is a key of the page's words."""

    word: str
    text: str
    re: int = 0


class Pong(Tells, frozen=True, tag="pong"):
    re: int = 0
