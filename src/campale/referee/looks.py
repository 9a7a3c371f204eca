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
    """A reach of a model from the edge of its base.

    ``kind``: move, weapon, half-range, control, command, watch. ``of``: the id of the thing with this reach, if it has
    a title of its own. ``arc``: its limits, in degrees clockwise from the facing; None: all round.
    """

    kind: str
    reach: float
    rule: str
    of: str = ""
    arc: tuple[float, float] | None = None


class Ray(msgspec.Struct, frozen=True):
    """A line of sight. ``stop``: the first point at which it is blocked (None: it is clear)."""

    start: Point3
    end: Point3
    stop: Point3 | None = None


class Sight(msgspec.Struct, frozen=True):
    """How a model sees another: clear, partly, unseen; the distance as the rules measure it; the rule that says so.

    ``blockers`` are names of pieces of terrain, ``bodies`` rows of models, that block the view. ``barred``: the rules
    that forbid seeing or targeting it although nothing blocks the view.
    """

    sees: str
    distance: float
    rule: str
    rays: tuple[Ray, ...] = ()
    blockers: tuple[str, ...] = ()
    bodies: tuple[int, ...] = ()
    barred: tuple[Refusal, ...] = ()


class Arm(msgspec.Struct, frozen=True):
    """A row of a model's equipment: its table (weapons, powers), its id, its values by column, its rules.

    ``title``: its name, if the words have none for its id.
    """

    table: str
    id: str
    values: dict[str, Plain]
    rules: tuple[tuple[str, Plain], ...] = ()
    title: dict[str, str] | None = None


class Step(msgspec.Struct, frozen=True):
    """A stage of a forecast: what it counts, its rule, and the chance of each number.

    ``kind``: hits, wounds, unsaved, losses and others; a key of the words (``forecast.<kind>``). ``is_main``: the stage
    to show if there is room for one number (otherwise the last).
    """

    kind: str
    rule: str
    chances: tuple[tuple[int, float], ...]
    is_main: bool = False

    @property
    def mean(self) -> float:
        return math.fsum(number * chance for number, chance in self.chances)


class Forecast(msgspec.Struct, frozen=True):
    """The possible results of an act on a target, stage by stage; both are given by rows, of a model or of a unit.

    ``of``: the ids of what is used (weapons); ``ways``: how, by words of the book; ``dice``: how many. ``decided``: the
    prompts that players would answer on the way; they are answered as suggested. ``gap``: a key of the words
    (``forecast.gap.<gap>``) for why it ends before the losses, if it does; ``notes`` are keys
    (``forecast.note.<note>``) for what the forecast leaves out.
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
        """The main step; the last if none is marked, None if there is none."""
        return next((one for one in self.steps if one.is_main), self.steps[-1]) if self.steps else None


class Laid(msgspec.Struct, frozen=True):
    """A template or marker on the table: an outline, or a circle of ``radius`` round ``at``.

    ``at`` is a circle's centre, otherwise the narrow end. ``under``: the rows of the models hit. ``by``: the rows of
    the models that act, ``idle`` of those that were to act and cannot. ``most``: its maximum width there (0: not a
    choice). ``told``: further remarks, by keys of the words (``laid.<kind>``) with their values.
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
    """How a model is drawn: as one of ``LIKENESSES``; and whether it is a leader or an individual."""

    kind: str
    leads: bool = False


DONE, LIES, BROKEN, ENGAGED, HIDDEN, WATCHES, STUCK, SHAKEN, FAST, ALOFT, COMMANDS, LEADS, HEADS = STATES = (
    *("done", "lies", "broken", "engaged", "hidden"),
    *("watches", "stuck", "shaken", "fast", "aloft"),
    *("commands", "leads", "heads"),
)
"""How a mark shows on a model's token: dimmed, lying flat, with an icon.

The last three show who leads an army, a group, a unit.
"""


IMPASSABLE, SOLID = "impassable", "solid"
"""How a terrain tag shows on the table; any other word is its cover, as written (5+)."""


class Motion(msgspec.Struct, frozen=True):
    """How the table shows an event: ``kind`` is one of ``MOTIONS``, or empty.

    ``by`` are the fields of the event that name who acts, ``at`` those that name the target. ``counts``: what the
    successes of a roll mean, one of ``COUNTED``.
    """

    kind: str = ""
    by: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    counts: str = ""


SHOT, BLOW, CHARGE, POWER = MOTIONS = ("shot", "blow", "charge", "power")
HITS, WOUNDS, SAVED = COUNTED = ("hits", "wounds", "saved")


class Mark(msgspec.Struct, frozen=True):
    """Something known about a unit besides its marks: a key of the words (``marker.<kind>``) and its values.

    If the words have a sign for it (``sign.<kind>``), it is drawn. ``is_secret``: only its own side knows.
    """

    kind: str
    values: dict[str, Plain] = {}
    is_secret: bool = False


class Command(msgspec.Struct, frozen=True):
    """The command range of a model, from the edge of its base, and the rows of the units that it leads."""

    reach: float
    rule: str
    units: tuple[int, ...] = ()


class Chit(msgspec.Struct, frozen=True):
    """One of the chits that decide who acts: its side, and whether it has been drawn."""

    side: int
    is_drawn: bool


class HeldCard(msgspec.Struct, frozen=True):
    """A card as the viewer may know it: its name (a key of the words: ``card.<name>``, ``card.<name>.text``), its kind
    (``card-kind.<kind>``), its cost, and the unit or model that it lies on, if any.
    """

    name: str
    kind: str = ""
    cost: int = 0
    unit: int = -1
    model: int = -1


class Held(msgspec.Struct, frozen=True):
    """Something that a side holds: a key of the words (``held.<kind>``), the number, the original number, and the
    face-up cards. ``of``: 0 if the original number does not matter.
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
    """A cost of an answer for the side that gives it: a key of the words (``foretold.<kind>``), its rule, its values.

    ``detour``: how far short of the same end a model can stop to avoid it, if known. ``at``: the point of the path at
    which it applies.
    """

    kind: str
    rule: str
    values: dict[str, Plain] = {}
    detour: float = 0.0
    at: Point | None = None


class Changed(msgspec.Struct, frozen=True):
    """A changed value of a card: the original value, and the rules that changed it."""

    was: Plain
    rules: tuple[str, ...]


Hides = Callable[[Line], Sequence[Met]]
"""What blocks a line of sight, the nearest first; empty if it is free."""


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
    """Everything that blocks any of the lines, once each, the nearest to the eye first."""
    met = sorted((one for line in look.lines for one in hides(line)), key=lambda one: one.at)
    return tuple({one.what: one for one in reversed(met)}.values())[::-1]
