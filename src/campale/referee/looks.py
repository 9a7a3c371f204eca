"""What a book shows of a model: how far it reaches, what it sees, which values have changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from campale.referee.refusal import Plain, Refusal
from campale.table.shapes import Point, Point3, rounded
from campale.table.sight import Line, Look, Met

CLEAR, PARTLY, UNSEEN = "clear", "partly", "unseen"


class Reach(msgspec.Struct, frozen=True):
    """How far something of a model reaches from the edge of its base.

    ``kind``: move, weapon, half-range, control, command, watch. ``of``: the id of what reaches, where it has a title
    of its own. ``arc``: from where to where, in degrees clockwise off the facing; None: all round.
    """

    kind: str
    reach: float
    rule: str
    of: str = ""
    arc: tuple[float, float] | None = None


class Ray(msgspec.Struct, frozen=True):
    """A line of sight. ``stop``: where it is first blocked (None: it goes through)."""

    start: Point3
    end: Point3
    stop: Point3 | None = None


class Sight(msgspec.Struct, frozen=True):
    """How a model sees another: clear, partly, unseen; how far it is off as the rules read it; the rule that says so.

    ``blockers`` are names of pieces of terrain, ``bodies`` rows of models, that stand in the way. ``barred``: what the
    rules have against it besides, where nothing stands in the way: that it is seen at all, or that it is acted upon.
    """

    sees: str
    distance: float
    rule: str
    rays: tuple[Ray, ...] = ()
    blockers: tuple[str, ...] = ()
    bodies: tuple[int, ...] = ()
    barred: tuple[Refusal, ...] = ()


class Arm(msgspec.Struct, frozen=True):
    """A row of what a model carries: in which table (weapons, powers), its id, its values by column, its rules.

    ``title``: how it is called, where the words do not tell it by its id.
    """

    table: str
    id: str
    values: dict[str, Plain]
    rules: tuple[tuple[str, Plain], ...] = ()
    title: dict[str, str] | None = None


class Step(msgspec.Struct, frozen=True):
    """A stage of a forecast: what is counted after it, its rule, and the chance of each number.

    ``kind``: hits, wounds, unsaved, losses and others; a key of the words (``forecast.<kind>``). ``is_main``: the stage
    that stands for the whole where there is room for one number (else the last).
    """

    kind: str
    rule: str
    chances: tuple[tuple[int, float], ...]
    is_main: bool = False

    @property
    def mean(self) -> float:
        return math.fsum(number * chance for number, chance in self.chances)


class Forecast(msgspec.Struct, frozen=True):
    """What may come of something done to a target, stage by stage; both told by rows, of a model or of a unit.

    ``of``: the ids of what it is done with (weapons); ``ways``: how, by words of the book; with how many ``dice``.
    ``decided``: the prompts that players would answer on the way; they are answered as suggested. ``gap``: a key of
    the words (``forecast.gap.<gap>``) for why it ends before the losses, where it does; ``notes`` are keys
    (``forecast.note.<note>``) of what is left out though it goes on.
    """

    actor: int
    target: int
    of: tuple[str, ...]
    steps: tuple[Step, ...]
    ways: tuple[str, ...] = ()
    dice: int = 0
    decided: tuple[str, ...] = ()
    gap: str = ""
    notes: tuple[str, ...] = ()

    @property
    def main(self) -> Step | None:
        """The step that stands for the whole; the last where none does, None where there is none."""
        return next((one for one in self.steps if one.is_main), self.steps[-1]) if self.steps else None


class Laid(msgspec.Struct, frozen=True):
    """A template or marker on the table, by its outline or, of a circle, its ``radius`` round ``at``.

    ``at`` is a circle's centre, else the narrow end. ``under``: the rows of those whom it hits. ``by``: the rows of
    those who act there, ``idle`` of those who were to and cannot. ``most``: how wide it may be there at most (0: that
    is not chosen). ``told``: what else is to be said, by keys of the words (``laid.<kind>``) with their values.
    """

    at: Point
    radius: float = 0.0
    outline: tuple[Point, ...] = ()
    under: tuple[int, ...] = ()
    by: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()
    most: float = 0.0
    told: tuple[tuple[str, dict[str, Plain]], ...] = ()


RIFLE, BLADE, GUN, RIDER, BIKE, BEAST, MONSTER, WALKER, TANK, FLYER, HERO, PSYKER = LIKENESSES = (
    *("rifle", "blade", "gun", "rider", "bike", "beast"),
    *("monster", "walker", "tank", "flyer", "hero", "psyker"),
)


class Likeness(msgspec.Struct, frozen=True):
    """How a model is drawn: as one of ``LIKENESSES``; and whether it leads others, or is somebody by himself."""

    kind: str
    leads: bool = False


DONE, LIES, BROKEN, ENGAGED, HIDDEN, WATCHES, STUCK, SHAKEN, FAST, ALOFT = STATES = (
    *("done", "lies", "broken", "engaged", "hidden"),
    *("watches", "stuck", "shaken", "fast", "aloft"),
)
"""What the table shows of a mark by how models are drawn: dimmed, lying flat, with a small picture."""


IMPASSABLE, SOLID = "impassable", "solid"
"""What the table shows of a tag of terrain by how it is drawn; any other word is its cover, as it is written (5+)."""


class Motion(msgspec.Struct, frozen=True):
    """What is to be seen on the table of an event: ``kind`` is one of ``MOTIONS``, or nothing.

    ``by`` are the fields of the event that name who does it, ``at`` those that name to whom. ``counts``: what the
    successes of a roll are, one of ``COUNTED``.
    """

    kind: str = ""
    by: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    counts: str = ""


SHOT, BLOW, CHARGE, POWER = MOTIONS = ("shot", "blow", "charge", "power")
HITS, WOUNDS, SAVED = COUNTED = ("hits", "wounds", "saved")


class Mark(msgspec.Struct, frozen=True):
    """What is known of a unit besides its marks: a key of the words (``marker.<kind>``) and its values.

    Where the words have a sign for it (``sign.<kind>``), it is drawn. ``is_secret``: only its own side knows.
    """

    kind: str
    values: dict[str, Plain] = {}
    is_secret: bool = False


class Command(msgspec.Struct, frozen=True):
    """How far a model leads others, from the edge of its base, and the rows of the units that it leads."""

    reach: float
    rule: str
    units: tuple[int, ...] = ()


class Chit(msgspec.Struct, frozen=True):
    """One of the chits by which it is decided who acts: of which side, and whether it has been drawn."""

    side: int
    is_drawn: bool


class HeldCard(msgspec.Struct, frozen=True):
    """A card as whoever looks may know it: its name (a key of the words: ``card.<name>``, ``card.<name>.text``), its
    kind (``card-kind.<kind>``), what it costs, and on which unit or model it lies, if it lies on one.
    """

    name: str
    kind: str = ""
    cost: int = 0
    unit: int = -1
    model: int = -1


class Held(msgspec.Struct, frozen=True):
    """What a side holds: a key of the words (``held.<kind>``), how many, out of how many, and those lying face up.

    ``of``: 0 where it does not matter how many there were.
    """

    side: int
    kind: str
    count: int
    of: int = 0
    cards: tuple[HeldCard, ...] = ()


class Zone(msgspec.Struct, frozen=True):
    """A part of the table that matters now: an outline, or a circle of a ``radius`` round ``at``.

    ``kind`` is a key of the words (``zone.<kind>``); ``side`` whose it is, or who holds it (-1: nobody).
    """

    kind: str
    rule: str
    outline: tuple[Point, ...] = ()
    at: Point = (0.0, 0.0)
    radius: float = 0.0
    side: int = -1


class Foretold(msgspec.Struct, frozen=True):
    """What an answer would cost the side that gives it: a key of the words (``foretold.<kind>``), its rule, its values.

    ``detour``: how far short of the same end one may as well stop to be spared it, where that can be told. ``at``:
    where on the way it falls due.
    """

    kind: str
    rule: str
    values: dict[str, Plain] = {}
    detour: float = 0.0
    at: Point | None = None


class Changed(msgspec.Struct, frozen=True):
    """A value of a card that is not as it was bought: what it was, and the rules that changed it."""

    was: Plain
    rules: tuple[str, ...]


Hides = Callable[[Line], Sequence[Met]]
"""What on a line of sight blocks it, the nearest first; nothing where it is free."""


def rays_of(look: Look, hides: Hides) -> tuple[Ray, ...]:
    """The lines of a look, each with the point at which it is first blocked."""
    return tuple(Ray(line.start, line.end, stop_of(line, hides(line))) for line in look.lines)


def stop_of(line: Line, hiding: Sequence[Met]) -> Point3 | None:
    if not hiding:
        return None
    way = [b - a for a, b in zip(line.start, line.end, strict=True)]
    length = math.sqrt(sum(step * step for step in way))
    share = min(1.0, min(met.at for met in hiding) / length) if length else 0.0
    x, y, z = (rounded(a + share * step) for a, step in zip(line.start, way, strict=True))
    return x, y, z


def met_by(look: Look, hides: Hides) -> tuple[Met, ...]:
    """What blocks any of the lines, each once, the nearest to the eye first."""
    met = sorted((one for line in look.lines for one in hides(line)), key=lambda one: one.at)
    return tuple({one.what: one for one in reversed(met)}.values())[::-1]
