"""A ruleset is a record of functions and data. House rules and optional rules make a new record of it."""

from __future__ import annotations

import gc
import hashlib
import importlib
import importlib.metadata
import math
import pkgutil
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec

import campale.rulesets
from campale.referee.armies.building import ArmyList
from campale.referee.armies.lists import ListAsked, ListRead
from campale.referee.ledgers.ledger import Ledger, read_ledger
from campale.referee.looks import (
    Arm,
    Changed,
    Chit,
    Command,
    Forecast,
    Held,
    Laid,
    Likeness,
    Mark,
    Motion,
    Reach,
    Sight,
    Zone,
)
from campale.referee.marches import March
from campale.referee.odds_queries import Script
from campale.referee.offers import Offers
from campale.referee.position import Model, Position, Token, Unit
from campale.referee.question import Question
from campale.referee.records.tally import Tally
from campale.referee.refusal import Plain, Refusal
from campale.table.shapes import Solid
from campale.table.sight import Sampling
from campale.table.terrain import Piece

Advised = tuple[Plain, float]
"""An answer and its worth to a bot: the highest is the best."""
WASTE = -math.inf
"""The worth of a wasted answer, such as a shot out of range: no bot tries one of its own accord."""

INCH, CM = "inch", "cm"
MOST_KEYS = 4096
"""The number of profiles whose bytes are cached."""


class Switch(msgspec.Struct, frozen=True):
    """An optional rule, or a ruling that could be settled otherwise: the entry, the readings, the default one."""

    name: str
    rule: str
    title: dict[str, str]
    values: tuple[Plain, ...] = (False, True)
    default: Plain = False


class Setup(msgspec.Struct, frozen=True):
    """The agreement before the first die: options, forces, and everything that the book leaves to the players."""

    ruleset: str
    options: dict[str, Plain] = {}
    forces: tuple[dict[str, Plain], ...] = ()
    agreed: dict[str, Plain] = {}
    players: tuple[str, ...] = ("1", "2")


def everything(side: int | None, position: Position) -> Position:
    """The view of a book without secrets."""
    return position


def as_it_is(position: Position, side: int, rng: Random) -> Position:
    """The imagined position of a book without secrets."""
    return position


def in_the_open(side: int | None, setup: Setup) -> Setup:
    """The set-up as a side may know it, for a book in which forces are no secret."""
    return setup


def flat(position: Position, x: float, y: float) -> float:
    return 0.0


def at_its_end(position: Position) -> bool:
    """Whether an activation is under way at a boundary, for a book in which each activation is one run of ``step``."""
    return False


@dataclass(frozen=True)
class Stage:
    """How a ruleset sets out scenario files: profiles and pieces in its own terms, and what every battle has.

    ``profile`` and ``piece`` raise KeyError, TypeError or ValueError; ``prepare`` fills in the omissions of a file, and
    raises the same for impossible values. ``words`` are the ruleset's names of marks, notes, pools, holds, now,
    declared and, for units, unit-marks and unit-notes, so that misspelt names are found; a name that ends in ``-`` is a
    prefix. A kind that is left out has no closed vocabulary. ``naming``: the marks of units whose value is the row of a
    unit plus 1. A profile may carry the weapons and powers that a file describes itself (by id). ``in_reserve``: the
    units that a side has yet to bring. ``held`` makes the things that a side holds under a name (an army yet to come)
    from their form in a file. ``profiles``: the profiles that a file may name, by name; ``moments``: the values of
    ``now`` with which a file begins in a phase, first those for a test table. ``alone``: every model is its own unit.
    """

    profile: Callable[[dict[str, Any], Mapping[str, dict[str, Any]]], Any]
    piece: Callable[[dict[str, Any]], Piece]
    prepare: Callable[[Position], None]
    size: tuple[float, float]
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    naming: tuple[str, ...] = ()
    held: Callable[[str, tuple[Any, ...]], tuple[Any, ...]] | None = None
    in_reserve: Callable[[Position, int], Sequence[str]] | None = None
    profiles: Callable[[], Mapping[str, Any]] | None = None
    moments: Mapping[str, Mapping[str, Plain]] = field(default_factory=dict)
    alone: bool = False


class DoubtDie(NamedTuple):
    """A die that either player may roll at any time: it settles a doubt, and changes nothing on the table.

    ``may`` gives the reason why a side may not roll it now; ``fall(position, side)`` rolls it and tells the result.
    """

    may: Callable[[Position, int], Refusal | None]
    fall: Callable[[Position, int], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class Ruleset:
    """One book.

    The course of a battle: ``set_out(ruleset, setup)`` makes the first position; ``step(position)`` is a coroutine that
    carries out one activation and returns whether more is left. ``solid(model)`` is the solid of a model.
    ``seen_by(side, position)`` hides what a side may not know; ``imagine(position, side, rng)`` draws it anew.
    ``measure(one, other)`` gives what anybody may measure at any time. ``may_overlap`` tells which bases may
    lie on each other. ``turn`` names the turn of a position, for the hashes in the record. ``is_amid`` tells at a
    boundary whether the current activation still goes on: players look ahead to its end. ``heeds`` names the changes
    that empty ``position.cache`` (see ``Position.dropped``; None: any change). ``authors`` tells whether losses and
    harms name the model or the unit that caused them (``Loss.by``, ``Harm.by``, events with ``by``). ``doubt`` is the
    die that settles a doubt at the table (None: the book has none). ``patience``: the seconds that the rules may take
    for an answer (None: no limit).

    For bots: ``appraise(position, side)`` judges how well a side stands; ``terms(position, side)`` gives the parts of
    that sum while nobody has won (None: the book does not tell). ``advise(position, question, about)`` judges the worth
    of answers to a question, or to a field of a form, from what its side may know (empty: no advice); ``about`` is that
    of the question and of the form. ``offhand(position, question)`` is the answer that bots give without playing
    anything through: for questions that come too often, or whose effect comes later than bots look ahead (None: they
    think). ``horizon``: the activations that a searching bot looks ahead beyond the current one, for its decisions to
    take effect (None: to the end of the turn). ``far_reaching``: the prompts of forms that decide the whole turn, such
    as orders for all units; a searching bot plays these to the end of the turn, whatever ``offhand`` says.

    For screens: ``arms``, ``reaches``, ``sight`` and ``changes`` tell what a model carries, how far it reaches, how it
    sees another, and which values of its card have changed (``referee.looks``). ``terrain`` tells how tags of terrain
    show: ``looks.IMPASSABLE``, ``looks.SOLID``, or the cover they give. ``likeness(profile)`` tells how a model is
    drawn; ``states(position)`` which marks of models and units show on it, by name, as which of the ``STATES``.
    ``sampling`` gives the points of a model to which lines of sight are drawn; pictures divide a model in the same way.
    ``laid(position, question, answer)`` is the template that an answer would lay on the table, with the models it would
    hit (the answer is lawful, unless the question allows a choice of width); ``landed(kind, values)`` the template that
    an event laid (None: none). ``motions`` tell by kind of event (``roll.<why>`` for a roll) what the table shows of
    it, besides the motions of every book: models that move, come and go, and dice.
    ``standing`` tells how the battle stands, by kinds of line (``standing.<kind>`` in the words) and their values.
    ``unit_marks`` gives further marks of a unit, in a position as somebody sees it; ``commands`` how far a model leads
    others (None: it leads nobody); ``chits`` the chits that decide who acts; ``zones`` the parts of the table that
    matter now; ``held`` the hands, piles and pools of the sides, as somebody sees them. ``points`` gives the points
    that a model can still act with in its turn, and their full number (None: nothing is counted); ``watches`` the reach
    in which it waits for acting enemies (None: it does not); ``health`` its remaining wounds, or whatever keeps it
    going, and their full number (None: it has none). ``counts_within`` is the reach of a marker on the table (0: none).
    ``parts`` names the parts of an option made of several numbers and words (see ``Teller.option``).
    ``needless(position, question)`` is an answer that changes nothing, if no other lawful answer could either as far as
    the asked side can see (None: the answer can matter); standing orders give it. ``vain(position, question, option)``
    tells whether a lawful option is pointless; screens do not propose it. ``march(position, question)`` sends several
    models on their ways at once where the rules ask for one after another (``referee.marches``; None: not here).

    Odds and statistics: ``forecasts(position, row, target)`` are the odds of what a model (row) may do to another now;
    ``forecast_of(position, question, answer)`` those of an answer, for a form also of one filled in so far (None: it
    has none). Both run the rules on copies and leave the position unchanged. ``odds_form(ruleset)`` is the form of
    queries about odds without a battle, under the options of that ruleset (``referee.odds_queries``; None: none).
    ``tally(position, setup)`` counts how a battle went, by side and by unit (with the harm that ``position.harms``
    kept; see ``referee.records.tally``).

    Before a battle: ``offers`` are the choices; ``setup_seen_by(side, setup)`` leaves out the forces that a side may
    not know. ``army_lists`` are the lists from which players build armies. ``read_list`` makes an army of a list that
    another program wrote, and tells the fate of each line (None: the book reads none). ``book`` is the ruleset's own
    record of the parts that options may replace.
    """

    name: str
    title: dict[str, str]
    unit: str
    folder: Path
    set_out: Callable[[Ruleset, Setup], Position]
    step: Callable[[Position], Coroutine[Any, Any, bool]]
    solid: Callable[[Model], Solid]
    turn: Callable[[Position], Plain]
    appraise: Callable[[Position, int], float]
    profile_type: Any
    terms: Callable[[Position, int], Mapping[str, float]] | None = None
    options: Any = None
    switches: tuple[Switch, ...] = ()
    book: Any = None
    advise: Callable[[Position, Question, Mapping[str, Plain]], Sequence[Advised]] | None = None
    offhand: Callable[[Position, Question], tuple[Plain] | None] | None = None
    seen_by: Callable[[int | None, Position], Position] = everything
    imagine: Callable[[Position, int, Random], Position] = as_it_is
    level: Callable[[Position, float, float], float] = flat
    card: Callable[[Model], dict[str, Plain]] | None = None
    measure: Callable[[Model, Model], dict[str, Plain]] | None = None
    arms: Callable[[Model], Sequence[Arm]] | None = None
    reaches: Callable[[Model], Sequence[Reach]] | None = None
    sight: Callable[[Model, Model], Sight] | None = None
    changes: Callable[[Model], dict[str, Changed]] | None = None
    likeness: Callable[[Any], Likeness] | None = None
    states: Callable[[Position], Mapping[str, str]] | None = None
    laid: Callable[[Position, Question, Plain], Laid | None] | None = None
    landed: Callable[[str, Mapping[str, Any]], Laid | None] | None = None
    terrain: Mapping[str, str] = field(default_factory=dict, compare=False)
    motions: Mapping[str, Motion] = field(default_factory=dict, compare=False)
    sampling: Callable[[Model], Sampling] | None = None
    forecasts: Callable[[Position, int, int], Sequence[Forecast]] | None = None
    forecast_of: Callable[[Position, Question, Plain], Forecast | None] | None = None
    odds_form: Callable[[Any], Script] | None = None
    needless: Callable[[Position, Question], tuple[Plain] | None] | None = None
    vain: Callable[[Position, Question, Plain], bool] | None = None
    march: Callable[[Position, Question], March | None] | None = None
    doubt: DoubtDie | None = None
    starters: Callable[[], tuple[Setup, ...]] | None = None
    offers: Callable[[], Offers] | None = None
    setup_seen_by: Callable[[int | None, Setup], Setup] = in_the_open
    check_force: Callable[[dict[str, Plain], dict[str, Plain]], list[Any]] | None = None
    army_lists: Callable[[], tuple[ArmyList, ...]] | None = None
    read_list: Callable[[ListAsked], ListRead] | None = None
    standing: Callable[[Position], Sequence[tuple[str, dict[str, Plain]]]] | None = None
    unit_marks: Callable[[Unit], Sequence[Mark]] | None = None
    commands: Callable[[Model], Command | None] | None = None
    points: Callable[[Model], tuple[int, int] | None] | None = None
    watches: Callable[[Model], Reach | None] | None = None
    chits: Callable[[Position], Sequence[Chit]] | None = None
    zones: Callable[[Position], Sequence[Zone]] | None = None
    held: Callable[[Position], Sequence[Held]] | None = None
    parts: Callable[[Sequence[Any], Question, Plain], dict[str, Plain] | None] | None = None
    health: Callable[[Model], tuple[int, int] | None] | None = None
    tally: Callable[[Position, Setup], Tally] | None = None
    counts_within: Callable[[Position, Token], float] | None = None
    may_overlap: Callable[[Model, Model], bool] | None = None
    heeds: frozenset[str] | None = None
    is_amid: Callable[[Position], bool] = at_its_end
    horizon: int | None = 2
    far_reaching: frozenset[str] = frozenset()
    authors: Literal["model", "unit"] = "model"
    stage: Stage | None = None
    is_complete: bool = False
    patience: float | None = None
    profiles: dict[bytes, Any] = field(default_factory=dict, compare=False, repr=False)
    keys: dict[int, tuple[bytes, Any]] = field(default_factory=dict, compare=False, repr=False)

    def replacing(self, **changes: Any) -> Ruleset:
        """A new record with some parts replaced; this one is unchanged."""
        return replace(self, **changes)

    def with_options(self, chosen: dict[str, Plain]) -> Ruleset:
        """The ruleset under these options. Raises ValueError naming an option or value that it does not have."""
        for name, value in chosen.items():
            switch = next((s for s in self.switches if s.name == name), None)
            if switch is None:
                known = ", ".join(s.name for s in self.switches) or "none"
                raise ValueError(f"{self.name} has no option '{name}' (it has: {known})")
            if value not in switch.values:
                raise ValueError(f"option '{name}' of {self.name} cannot be {value!r}, only one of {switch.values}")
        return self.replacing(options=replace(self.options, **chosen)) if chosen else self

    def health_of(self, model: Model) -> tuple[int, int]:
        """The wounds left and the full number, as ``health`` tells them; 1 of 1 for a model without wounds."""
        return (self.health(model) if self.health is not None else None) or (1, 1)

    @cached_property
    def ledger(self) -> Ledger:
        return read_ledger(self.folder / "rules.yaml")

    def profile_key(self, profile: Any) -> bytes:
        """The bytes of a profile. The cache keeps the profile too, so that its id cannot be reused."""
        known = self.keys.get(id(profile))
        if known is None:
            if len(self.keys) >= MOST_KEYS:
                self.keys.clear()
            known = self.keys[id(profile)] = msgspec.msgpack.encode(profile), profile
        return known[0]

    def profile_from(self, key: bytes) -> Any:
        """The profile of a key; equal keys give the same object."""
        if key not in self.profiles:
            self.profiles[key] = msgspec.msgpack.decode(key, type=self.profile_type)
        return self.profiles[key]

    @property
    def content_hash(self) -> str:
        """A hash over the files of the ruleset, by which a record tells which version it was played under."""
        return content_hash(self.folder)


@lru_cache(maxsize=64)
def content_hash(folder: Path) -> str:
    """The hash of a folder's files, computed once per process: loaded code does not change during a battle."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".py", ".yaml", ".json"} and "__pycache__" not in path.parts:
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


# ---------------------------------------------------------------- finding rulesets

EXTRA_PACKAGES: list[str] = []
"""Ruleset packages in addition to campale.rulesets (tests and authors add theirs)."""

GROUP = "campale.rulesets"
"""The group of entry points by which installed packages name their rulesets: ``mybook = "mybook"``."""


class Broken(NamedTuple):
    """An installed ruleset that cannot be played, and the reason."""

    name: str
    package: str
    why: str


SWITCHED_OFF: list[Broken] = []
"""Installed rulesets that misbehaved in this process. Their battles stay as they were; no new ones begin."""

PATIENCE = 20.0
"""The seconds that the rules of an installed ruleset may take for one answer."""


def switch_off(name: str, why: str) -> None:
    """Let no new battle of an installed ruleset begin in this process."""
    if name in installed().packages and all(one.name != name for one in SWITCHED_OFF):
        SWITCHED_OFF.append(Broken(name, installed().packages[name], why))


def unplayable() -> tuple[Broken, ...]:
    """The installed rulesets that cannot be played, or no longer, with the reasons."""
    return (*installed().broken, *SWITCHED_OFF)


class Installed(NamedTuple):
    """The packages of installed rulesets, by name, and the broken ones."""

    packages: dict[str, str]
    broken: tuple[Broken, ...]


@lru_cache(maxsize=1)
def installed() -> Installed:
    """The installed rulesets, searched once per process. A broken one is reported; the others stay playable."""
    packages: dict[str, str] = {}
    broken: list[Broken] = []
    for point in sorted(importlib.metadata.entry_points(group=GROUP)):
        taken = (*shipped(), *packages)
        why = f"there is a ruleset '{point.name}' already" if point.name in taken else why_not_playable(point)
        if why:
            broken.append(Broken(point.name, point.value, why))
        else:
            packages[point.name] = point.value
    return Installed(packages, tuple(broken))


def why_not_playable(point: importlib.metadata.EntryPoint) -> str:
    """The reason why an installed ruleset cannot be played; empty if it can."""
    if point.value.rpartition(".")[2] != point.name:
        return f"its package {point.value} must end in its name"
    try:
        ruleset = getattr(importlib.import_module(point.value), "RULESET", None)
        if not isinstance(ruleset, Ruleset):
            return f"{point.value} has no RULESET"
        return "" if ruleset.ledger.name == point.name else f"its ledger is that of '{ruleset.ledger.name}'"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def shipped() -> tuple[str, ...]:
    """The rulesets that come with Campale, without folders that begin with _."""
    found = pkgutil.iter_modules(campale.rulesets.__path__)
    return tuple(sorted(info.name for info in found if info.ispkg and not info.name.startswith("_")))


def ruleset_names() -> tuple[str, ...]:
    """The names of all rulesets: shipped with Campale, installed, and from packages added."""
    added = (package.rpartition(".")[2] for package in EXTRA_PACKAGES)
    off = {one.name for one in SWITCHED_OFF}
    return tuple(dict.fromkeys((*shipped(), *(name for name in installed().packages if name not in off), *added)))


def package_named(name: str) -> str:
    """The dotted package of a ruleset. Raises KeyError listing the names there are."""
    for package in EXTRA_PACKAGES:
        if package.rpartition(".")[2] == name:
            return package
    if name in installed().packages:
        return installed().packages[name]
    if name not in ruleset_names():
        raise KeyError(f"there is no ruleset '{name}'; there are: {', '.join(ruleset_names())}")
    return f"campale.rulesets.{name}"


@lru_cache(maxsize=64)
def load_ruleset(name: str) -> Ruleset:
    """The ruleset of a name. Raises KeyError listing the names there are."""
    ruleset: Ruleset = importlib.import_module(package_named(name)).RULESET
    if name in installed().packages:
        ruleset = ruleset.replacing(patience=PATIENCE)
    gc.freeze()  # modules and compiled functions stay: the collector need not walk through them after every few clones
    return ruleset
