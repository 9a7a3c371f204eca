"""The parts of a screen as plain records: the table, the questions, the lines of the journal.

Texts are in one language; lengths are in the ruleset's unit. The records hold nothing that the side may not know.
"""

from __future__ import annotations

from typing import Any

import msgspec

from campale.referee.refusal import Plain

XY = tuple[float, float]


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a screen."""


# ---------------------------------------------------------------- the table


class TableShown(Shown, frozen=True):
    """``unit`` is inch or cm; ``grid`` is the distance between the grid lines."""

    width: float
    depth: float
    unit: str
    grid: float


class FloorShown(Shown, frozen=True):
    outline: list[XY]
    z: float


class PieceShown(Shown, frozen=True):
    """A piece of terrain. ``tags`` are words for players."""

    name: str
    title: str
    kind: str
    outline: list[XY]
    z: float
    height: float
    floors: list[FloorShown] = []
    tags: list[str] = []
    is_impassable: bool = False
    is_solid: bool = False
    """It blocks all sight."""
    cover: str = ""
    """As the book writes it: 5+."""


class ShapeShown(Shown, frozen=True):
    """A base: a circle by ``radius``, an ellipse by ``half`` [width, length], a hull by ``corners`` about its centre.

    ``height`` is that of the solid that sight is judged by; ``bands`` are the heights at which one of its parts ends
    and the next begins, as the rule of sight distinguishes them (legs, torso, head); empty: the whole solid counts
    alike. ``points``: named points of a hull, about its centre ("hatch" or "fire", x, y).
    """

    radius: float = 0.0
    half: XY | None = None
    corners: list[XY] | None = None
    height: float = 0.0
    bands: list[float] = []
    points: list[tuple[str, float, float]] = []


class MarkShown(Shown, frozen=True):
    """A mark on a model or unit: a key for its picture, and its words.

    A mark with a ``sign`` is drawn beside the unit. ``is_secret``: only its own side knows it. ``state``: how it shows
    on the marked models, if it does (see ``looks.STATES``).
    """

    key: str
    text: str
    value: int = 1
    sign: str = ""
    is_secret: bool = False
    state: str = ""


class CommandShown(Shown, frozen=True):
    """How far a model leads others, from the edge of its base, in words, and which units."""

    reach: float
    text: str
    units: list[int] = []


class WatchShown(Shown, frozen=True):
    """A model waiting for enemies to act: how far from its base, and in which arc about its facing."""

    reach: float
    text: str
    arc: XY


class ModelShown(Shown, frozen=True):
    """A model. ``where``: table, aboard, reserve, fallen, gone."""

    row: int
    side: int
    unit: int
    name: str
    kind: str
    where: str
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    facing: float = 0.0
    shape: ShapeShown | None = None
    wounds: tuple[int, int] | None = None
    """Left, and in all."""
    aboard_of: int = -1
    marks: list[MarkShown] = []
    is_down: bool = False
    """On the table, but out of the fight."""
    command: CommandShown | None = None
    points: tuple[int, int] | None = None
    """The points left to act with, and in all."""
    watch: WatchShown | None = None
    likeness: str = ""
    """The look of the model (see ``looks.Likeness``)."""
    leads: bool = False
    bought_with: int = -1
    """The unit that the model was bought with, if it is in another now."""


class UnitShown(Shown, frozen=True):
    row: int
    side: int
    name: str
    models: list[int]
    marks: list[MarkShown] = []


class TokenShown(Shown, frozen=True):
    """A marker on the table, such as an objective. ``kind`` is a key for its picture."""

    kind: str
    text: str
    x: float
    y: float
    side: int = -1
    value: Plain = None
    reach: float = 0.0
    """Its reach, if the book gives one."""
    number: int = 0
    """Its number among those of its kind, if the standing has one."""


class ChitShown(Shown, frozen=True):
    """One of the chits that decide who acts, face up or still to be drawn."""

    side: int
    text: str
    is_drawn: bool = False


class ZoneShown(Shown, frozen=True):
    """A part of the table that matters now: an outline, or a circle round ``at``; its owner or holder."""

    kind: str
    text: str
    outline: list[XY] = []
    at: XY = (0.0, 0.0)
    radius: float = 0.0
    side: int = -1


class CardShown(Shown, frozen=True):
    """A card that lies face up, in words: its name, kind and text; its cost; the model or unit that it lies on."""

    title: str
    kind: str = ""
    text: str = ""
    cost: int = 0
    on: str = ""


class HeldShown(Shown, frozen=True):
    """Something that a side holds, in words: how many, out of how many (0: any number), and the cards face up."""

    side: int
    kind: str
    text: str
    count: int
    of: int = 0
    cards: list[CardShown] = []


class PlaceShown(Shown, frozen=True):
    """A place that is held, in words, and the holding side (-1: none)."""

    text: str
    side: int = -1


class StandingShown(Shown, frozen=True):
    """The state of the battle, in words: round, phase, whose turn, and the scores; chits, and parts of the table.

    ``held``: the hands, piles and pools of the sides. The score by side, the length of the battle and the holdings are
    separate fields too, ``more`` has the other lines; ``phase`` is the short name of the phase, ``phases`` its number
    and the number of phases; ``turn`` is the number of the turn that ``length`` tells.
    """

    title: str
    side: int | None
    lines: list[str]
    chits: list[ChitShown] = []
    zones: list[ZoneShown] = []
    held: list[HeldShown] = []
    score: tuple[int, int] | None = None
    length: str = ""
    phase: str = ""
    phases: tuple[int, int] | None = None
    places: list[PlaceShown] = []
    more: list[str] = []
    turn: int | None = None


# ---------------------------------------------------------------- questions


class LaidShown(Shown, frozen=True):
    """A template or marker: a circle by ``radius`` about ``at``, else an outline; and the models it hits.

    ``by``: the models that act there, ``idle``: those that were meant to and cannot. ``most``: the greatest width
    there.
    """

    at: XY
    radius: float = 0.0
    outline: list[XY] = []
    under: list[int] = []
    by: list[int] = []
    idle: list[int] = []
    most: float = 0.0
    told: list[str] = []


class RuleShown(Shown, frozen=True):
    id: str
    title: str


class RefusalShown(Shown, frozen=True):
    """A refusal: the whole sentence, the rule, where on the table, which model, the measured and the allowed value."""

    text: str
    rule: RuleShown | None = None
    where: XY | None = None
    model: int = -1
    measured: float | None = None
    limit: float | None = None


class Option(Shown, frozen=True):
    """One of the keys of a choice. An option with a ``refusal`` cannot be chosen, and says why.

    ``actors`` and ``targets`` are the models it is about, ``at`` a place on the table: to be marked and clicked there.
    """

    key: Plain
    text: str
    refusal: RefusalShown | None = None
    actors: list[int] = []
    targets: list[int] = []
    at: XY | None = None
    laid: LaidShown | None = None
    """The template that it would lay on the table."""


class ForetoldShown(Shown, frozen=True):
    """A cost of a lawful answer, as a sentence with its rule: ground that slows, a test; and where on the way."""

    text: str
    rule: RuleShown
    at: XY | None = None


class Sheet(Shown, frozen=True):
    """A question as a screen asks it.

    ``kind``: choose, order, number, form, allot, place, move, along, aim; with real dice also roll, direction, draw.
    ``several``: the answer of a move is one for each of ``models``. ``whole``: a form to be shown with all its fields.
    ``shown`` are the constraints: allowance, area [x0, y0, x1, y1], from_edges and from_others (the least distances of
    a marker from the edges of the table and from the markers there), off_impassable (no marker on impassable ground),
    turn, coherency, clear_of_enemies, and reaches: [row, how far] of each model whose reach matters to the way. They
    also say that a choice is about the asked side's hand (``hand``), and the sign behind a number (``sign``).
    ``proposal`` is what one key accepts, and is legal; ``first`` is the first field of a form. ``laid`` is the template
    that the proposal of an aim would lay: it has the same shape anywhere else. ``weighed``: the odds of its options are
    available, one by one, or those of an order. ``foretold``: the costs of the proposal. ``under``: the heading above a
    field of a form. ``alike``: options about like models may stand together. ``anew``: a field that is a question of
    its own, about none of the models of the fields before it. ``closed``: the other side may know only that there is a
    question. ``confirm``: the effect of giving the answer, if the book has words for it.
    """

    kind: str
    prompt: str
    side: int | None
    title: str
    rules: list[RuleShown] = []
    models: list[int] = []
    targets: list[int] = []
    options: list[Option] = []
    items: list[str] = []
    keys: list[Plain] = []
    """The items of an order; ``items`` has their texts."""
    holders: list[int] = []
    low: int = 0
    high: int = 0
    suggested: list[Plain] = []
    shown: dict[str, Any] = {}
    several: bool = False
    whole: bool = False
    proposal: Plain = None
    proposal_text: str = ""
    first: Sheet | None = None
    laid: LaidShown | None = None
    weighed: bool = False
    alike: bool = False
    anew: bool = False
    foretold: list[ForetoldShown] = []
    under: str = ""
    closed: bool = False
    confirm: str = ""


class Field(Shown, frozen=True):
    """One field of a form shown whole: the question, the present answer, and that answer in words."""

    sheet: Sheet
    answer: Plain
    text: str
    is_forced: bool = False
    forecast: Forecast | None = None
    """The odds of this field alone, if it has any."""
    aims: list[tuple[list[int], list[int]]] = []
    """Who is aimed at whom by the answer, for a form by its fields: the rows of models of both."""


class OrderKind(Shown, frozen=True):
    """A prompt that can have standing orders, and the possible acts: pairs of key and text.

    With ``prompts`` it stands for several, all of which can get the proposed answer.
    """

    prompt: str
    title: str
    acts: list[tuple[str, str]] = []
    prompts: list[str] = []


# ---------------------------------------------------------------- the journal


class PartShown(Shown, frozen=True):
    """A part of a roll's need: its kind and value as they are written, and its rule."""

    text: str
    rule: RuleShown


class DiceShown(Shown, frozen=True):
    """Dice as they fell. ``need``: what a die must show (4+). ``met``: which of them succeeded; a sum has one.

    ``base``: the number needed before the parts changed it, if there are any.
    """

    why: str
    sides: int
    faces: list[int]
    need: str = ""
    parts: list[PartShown] = []
    met: list[bool] = []
    total: int | None = None
    base: str = ""


class Line(Shown, frozen=True):
    """A line of the journal. ``level``: 1 and 2 are headings. ``at``: its answer in the record."""

    text: str
    level: int = 0
    rules: list[RuleShown] = []
    models: list[int] = []
    side: int | None = None
    dice: DiceShown | None = None
    at: int = 0
    phase: str = ""
    laid: LaidShown | None = None
    """The template laid on the table."""


class MotionShown(Shown, frozen=True):
    """An event on the table for a page to play, in order.

    ``kind``: move (one model, its ``way``), come, loss, leave, dice, or as ``looks.Motion`` has it. ``by`` and ``at``
    are the rows of models, or ``spot`` if there is no target. ``how``: the way a model moved, if the journal says it.
    ``counts``: the meaning of a success of the dice.
    """

    kind: str
    by: list[int] = []
    at: list[int] = []
    way: list[XY] = []
    spot: XY | None = None
    how: str = ""
    dice: DiceShown | None = None
    counts: str = ""


# ---------------------------------------------------------------- looking


class CardLine(Shown, frozen=True):
    """A value of a card: its short title, its current value, its value as bought, and why it changed."""

    key: str
    title: str
    value: str
    was: str = ""
    why: list[RuleShown] = []


class CardTable(Shown, frozen=True):
    title: str
    columns: list[str]
    rows: list[list[str]]


class Card(Shown, frozen=True):
    title: str
    subtitle: str
    line: list[CardLine]
    tables: list[CardTable] = []
    notes: list[str] = []
    marks: list[MarkShown] = []


class Ring(Shown, frozen=True):
    """How far something of a model reaches, from the edge of its base, all round or within an arc about its facing.

    ``kind``: move, melee, weapon, half-range, control, aura. ``arc``: [from, to] in degrees off the facing, null: all
    round.
    """

    kind: str
    text: str
    reach: float
    arc: XY | None = None


class Ray(Shown, frozen=True):
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    is_clear: bool
    stops: XY | None = None


class Sighting(Shown, frozen=True):
    """How one model sees another: clear, partly or not at all; how far off; the obstacles between them.

    ``barred``: the rules that forbid it although nothing blocks the view, most relevant first.
    """

    model: int
    sees: str
    text: str
    distance: float
    rays: list[Ray] = []
    blockers: list[str] = []
    rule: RuleShown | None = None
    barred: list[RefusalShown] = []


class Stage(Shown, frozen=True):
    """One stage of a forecast: its title, its mean, and the chance of each number.

    ``is_main``: it stands for all; ``is_risk``: losses of one's own that are likely enough to be mentioned. ``single``:
    the title of exactly one, if it differs.
    """

    title: str
    mean: float
    chances: list[tuple[int, float]]
    rule: RuleShown | None = None
    is_main: bool = False
    is_risk: bool = False
    single: str = ""


class Forecast(Shown, frozen=True):
    """The stages of a possible act. ``policy``: who decides on the way, and how; ``gap``: why it goes no further."""

    title: str
    stages: list[Stage]
    policy: str = ""
    gap: str = ""


class Look(Shown, frozen=True):
    model: int
    card: Card
    rings: list[Ring] = []
    sightings: list[Sighting] = []


# ---------------------------------------------------------------- afterwards


class Frame(Shown, frozen=True):
    """The changes when one more entry of the record is played. ``at``: the number of entries played then.

    ``cut``: how many lines stay before the new ones follow (null: all). The rest is as in News.
    """

    at: int
    lines: list[Line] = []
    cut: int | None = None
    pieces: list[PieceShown] | None = None
    models: list[ModelShown] = []
    units: list[UnitShown] = []
    tokens: list[TokenShown] | None = None
    standing: StandingShown | None = None
    motions: list[MotionShown] = []


class NoteShown(Shown, frozen=True):
    """A note on a battle that is no act of a side. ``place``: the number of answers in the journal before it."""

    text: str
    place: int


class Replay(Shown, frozen=True):
    """A battle: its beginning, and everything since. ``side``: whose view it is (null: the public's)."""

    book: str
    title: str
    side: int | None
    table: TableShown
    pieces: list[PieceShown]
    models: list[ModelShown]
    units: list[UnitShown]
    tokens: list[TokenShown]
    standing: StandingShown
    lines: list[Line]
    frames: list[Frame]
    result: str | None = None
    notes: list[NoteShown] = []


class Luck(Shown, frozen=True):
    """The dice of a side, or those of one kind: their number, the expected successes, and the actual ones.

    ``share``: the share of battles with the same rolls that would have brought fewer (equal results count half).
    """

    side: int
    text: str
    count: int
    expected: float
    got: int
    share: float


class Stroke(Shown, frozen=True):
    """A roll that turned out very well or very badly. ``event``: its place among the events; ``at``: in the record."""

    side: int
    text: str
    event: int
    expected: float
    got: int
    chance: float
    at: int = 0


class LuckReport(Shown, frozen=True):
    """Each side as a whole, its rolls by kind, and the least likely strokes."""

    sides: list[Luck]
    kinds: list[Luck]
    strokes: list[Stroke]
