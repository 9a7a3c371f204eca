"""Compares a scenario in play with the expectations of its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist
from typing import Any

import msgspec

from campale.dice.needs import Need
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.position import ABOARD, Model
from campale.referee.question import Choose, Form, Question, same
from campale.referee.reading import Place
from campale.referee.refusal import Plain
from campale.referee.scenarios.file import Asked, Expect, Happened, ModelExpected, Offers, Rolled
from campale.referee.scenarios.names import Names
from campale.referee.scenarios.stage import ABOARD_OF, WHERE

NEAR = 0.01
"""Lengths, degrees and measures are compared to a hundredth."""

Differences = Iterator[tuple[Place, str]]


def as_asked(question: Question | None, names: Names) -> str:
    """The open question and its side, in a few words."""
    if question is None:
        return "nobody is asked anything"
    side = "chance" if question.side is None else f"side {question.side + 1}"
    about = ", ".join(f"{field} {names.told_of(field, value)}" for field, value in question.about.items())
    return f"asked is {side}: {question.kind} '{question.prompt}'" + (f" ({about})" if about else "")


class Look:
    """One look: the current game, and the events since an index in the journal."""

    def __init__(self, game: Game, names: Names, since: int) -> None:
        self.game = game
        self.names = names
        self.position = game.position
        self.events: list[Event] = game.journal[min(since, len(game.journal)) :]

    def differences(self, place: Place, expect: Expect) -> Differences:
        yield from self.asked((*place, "asked"), expect.asked)
        for k, offers in enumerate(expect.offers):
            yield from self.offered((*place, "offers", k), offers)
        for name, wanted in expect.models.items():
            yield from self.model((*place, "models", name), name, wanted)
        yield from self.units(place, expect)
        yield from self.sides(place, expect)
        yield from self.moment(place, expect)
        yield from self.history(place, expect)
        yield from self.told(place, expect)
        yield from self.rolled(place, expect)
        yield from self.lying(place, expect)
        yield from self.waiting(place, expect)
        yield from self.result(place, expect)

    # ------------------------------------------------------------------ questions and offers

    def asked(self, place: Place, asked: Asked | str | None) -> Differences:
        if asked is None:
            return
        sides = self.game.asked
        if not isinstance(asked, Asked):
            if sides:
                yield place, as_asked(self.game.question, self.names)
            return
        if asked.side == "both" and sorted(side for side in sides if side is not None) != [0, 1]:
            yield place, f"not both sides are asked; {as_asked(self.game.question, self.names)}"
            return
        question = self.game.question_for(asked.side - 1) if isinstance(asked.side, int) else self.game.question
        if question is None or not self.fits(question, asked, place):
            yield place, as_asked(self.game.question, self.names)

    def fits(self, question: Question, asked: Asked, place: Place) -> bool:
        description = question.description()
        shown: Any = description.get("shown")
        found = {**description, **(shown if isinstance(shown, dict) else {}), **question.about}
        names_fit = asked.prompt in ("", question.prompt) and asked.kind in ("", question.kind)
        return names_fit and all(
            equal(found.get(field), self.names.value(value, (*place, "about", field)))
            for field, value in asked.about.items()
        )

    def offered(self, place: Place, offers: Offers) -> Differences:
        question: Question | None = self.game.question
        if isinstance(question, Form):
            filled = self.names.answer(self.game, question, offers.filled, (*place, "filled"))
            question = self.names.field(question, filled)
        if not isinstance(question, Choose):
            yield place, f"there is no choice to look at here; {as_asked(question, self.names)}"
            return
        keys = question.options()
        for wanted, field in ((offers.has, "has"), (offers.lacks, "lacks"), (offers.only or (), "only")):
            for n, one in enumerate(wanted):
                key = self.names.answer(self.game, question, one, (*place, field, n))
                is_there = any(same(key, other) for other in keys)
                if is_there == (field == "lacks"):
                    told = ", ".join(self.names.told(other, question) for other in keys)
                    yield (*place, field), f"'{one}' is {'' if is_there else 'not '}offered; offered are {told}"
        if offers.only is not None and len(keys) != len(offers.only):
            told = ", ".join(self.names.told(other, question) for other in keys)
            yield (*place, "only"), f"offered are {told}"

    # ------------------------------------------------------------------ models, units, sides

    def model(self, place: Place, name: str, wanted: ModelExpected) -> Differences:
        self.names.known("marks", wanted.marks, (*place, "marks"))
        self.names.known("notes", wanted.notes, (*place, "notes"))
        model = self.position.model(self.names.model(name, place))
        yield from ((place, f"{name} {what}") for what in self.standing(model, wanted))
        for mark, value in wanted.marks.items():
            if model.marks(mark) != value:
                yield (*place, "marks", mark), f"{name} has {model.marks(mark)} of {mark}, not {value}"
        for note, plain in wanted.notes.items():
            if not equal(model.note(note), self.names.value(plain, (*place, "notes", note))):
                yield (*place, "notes", note), f"{name} has {self.names.told(model.note(note))} noted as {note}"

    def standing(self, model: Model, wanted: ModelExpected) -> Iterator[str]:
        if wanted.at is not None and max(abs(model.x - wanted.at[0]), abs(model.y - wanted.at[1])) > NEAR:
            yield f"stands at {model.x:g}, {model.y:g}, not at {wanted.at[0]:g}, {wanted.at[1]:g}"
        if wanted.near is not None and dist((model.x, model.y), wanted.near[:2]) > wanted.near[2] + NEAR:
            x, y, most = wanted.near
            yield f"stands at {model.x:g}, {model.y:g}, not within {most:g} of {x:g}, {y:g}"
        if wanted.facing is not None and abs((model.facing - wanted.facing + 180) % 360 - 180) > NEAR:
            yield f"faces {model.facing:g}, not {wanted.facing:g}"
        if wanted.where is not None and where(model) != wanted.where:
            yield f"is {where(model)}, not {wanted.where}"
        points = getattr(model.profile, "points", None)
        if wanted.points is not None and points != wanted.points:
            yield f"costs {points}, not {wanted.points}"
        if wanted.unit is not None and model.unit.name != wanted.unit:
            yield f"is of {model.unit.name}, not of {wanted.unit}"

    def units(self, place: Place, expect: Expect) -> Differences:
        for name, wanted in expect.units.items():
            unit = self.position.units[self.names.unit(name, (*place, "units", name))]
            self.names.known("unit-marks", wanted.marks, (*place, "units", name, "marks"))
            self.names.known("unit-notes", wanted.notes, (*place, "units", name, "notes"))
            for mark, value in wanted.marks.items():
                if unit.marks(mark) != self.names.count(mark, value, (*place, "units", name, "marks", mark)):
                    yield (*place, "units", name), f"{name} has {unit.marks(mark)} of {mark}, not {value}"
            for note, plain in wanted.notes.items():
                if not equal(unit.note(note), self.names.value(plain, (*place, "units", name))):
                    yield (*place, "units", name), f"{name} has {self.names.told(unit.note(note))} noted as {note}"

    def sides(self, place: Place, expect: Expect) -> Differences:
        for number, pools in expect.pools.items():
            self.names.known("pools", pools, (*place, "pools", number))
            for pool, points in pools.items():
                found = self.position.holds(int(number) - 1, pool)
                if found != points:
                    yield (*place, "pools", number, pool), f"side {number} holds {found} of {pool}, not {points}"
        for number, holds in expect.holds.items():
            self.names.known("holds", holds, (*place, "holds", number))
            for name, things in holds.items():
                hand = self.position.hand(int(number) - 1, name)
                if not equal(hand, self.names.value(things, (*place, "holds", number, name))):
                    yield (*place, "holds", number, name), f"side {number} holds {self.names.told(hand)} as {name}"

    # ------------------------------------------------------------------ the moment and the history

    def moment(self, place: Place, expect: Expect) -> Differences:
        for field, wanted, found in (
            ("now", expect.now, self.position.now),
            ("declared", expect.declared, self.position.declared),
        ):
            self.names.known(field, wanted, (*place, field))
            for name, value in wanted.items():
                if not equal(found.get(name), self.names.value(value, (*place, field, name))):
                    yield (*place, field, name), f"{name} is {self.names.told(found.get(name))}, not {value}"

    def history(self, place: Place, expect: Expect) -> Differences:
        there = [(e.rule, e.bearer if e.on == "model" else ~e.bearer) for e in self.position.effects]
        for field, wanted in (("effects", expect.effects), ("effects_not", expect.effects_not)):
            for k, one in enumerate(wanted):
                self.names.rules([one.rule], (*place, field, k, "rule"))
                on, row = self.names.bearer(one.bearer, one.on, (*place, field, k))
                key = (one.rule, row if on == "model" else ~row)
                if (key in there) != (field == "effects"):
                    yield (*place, field, k), f"{one.rule} is {'' if key in there else 'not '}in effect on {one.bearer}"
        if expect.losses is not None:
            self.names.known("causes", [one.cause for one in expect.losses], (*place, "losses"))
            losses = [(loss.model, loss.cause) for loss in self.position.losses]
            if losses != [(self.names.model(one.model, (*place, "losses")), one.cause) for one in expect.losses]:
                told = ", ".join(f"{self.position.names[row]} ({cause})" for row, cause in losses)
                yield (*place, "losses"), f"lost are {told or 'none'}"
        if expect.tokens is not None:
            lying = [(t.kind, t.x, t.y, t.side + 1) for t in self.position.tokens]
            if lying != [(t.kind, *t.at[:2], t.side or 0) for t in expect.tokens]:
                yield (*place, "tokens"), f"on the table lie {lying}"

    # ------------------------------------------------------------------ the journal

    def told(self, place: Place, expect: Expect) -> Differences:
        self.names.rules(expect.cites, (*place, "cites"))
        self.names.rules(expect.cites_not, (*place, "cites_not"))
        cited = {rule for event in self.events for rule in event.rules}
        cited.update(self.game.question.rules if self.game.question is not None else ())
        yield from (((*place, "cites", k), f"{id_} is not cited") for k, id_ in missing(expect.cites, cited))
        yield from (((*place, "cites_not", k), f"{id_} is cited") for k, id_ in present(expect.cites_not, cited))
        for field, wanted in (("events", expect.events), ("events_not", expect.events_not)):
            for k, one in enumerate(wanted):
                at: Place = (*place, field, k)
                happened = any(self.is_event(event, one, at) for event in self.events)
                if happened != (field == "events"):
                    yield at, f"{one if isinstance(one, str) else one.event} has {'' if happened else 'not '}happened"

    def is_event(self, event: Event, wanted: str | Happened, place: Place) -> bool:
        if isinstance(wanted, str):
            return event.kind == wanted
        values = {name: self.names.value(value, (*place, "values", name)) for name, value in wanted.values.items()}
        return event.kind == wanted.event and all(
            name in event.values and equal(event.values[name], value) for name, value in values.items()
        )

    def rolled(self, place: Place, expect: Expect) -> Differences:
        rolls = [event.values for event in self.events if event.kind == "roll"]
        for k, wanted in enumerate(expect.rolls):
            alike = [roll for roll in rolls if roll.get("why") == wanted.why]
            if not any(self.is_roll(roll, wanted, (*place, "rolls", k)) for roll in alike):
                told = "; ".join(as_rolled(roll) for roll in alike) or "none"
                yield (*place, "rolls", k), f"no such roll for {wanted.why}; of these there were: {told}"
        if expect.rolls_exactly is not None:
            wanted_all = expect.rolls_exactly
            places = [(*place, "rolls_exactly", k) for k in range(len(wanted_all))]
            fits = [
                roll.get("why") == one.why and self.is_roll(roll, one, at)
                for roll, one, at in zip(rolls, wanted_all, places, strict=False)
            ]
            if len(rolls) != len(wanted_all) or not all(fits):
                told = "; ".join(f"{roll.get('why')} {as_rolled(roll)}" for roll in rolls) or "none"
                yield (*place, "rolls_exactly"), f"the rolls were: {told}"
        whys = {str(roll.get("why")) for roll in rolls}
        yield from (((*place, "rolls_not", k), f"{why} was rolled") for k, why in present(expect.rolls_not, whys))

    def is_roll(self, roll: dict[str, Plain], wanted: Rolled, place: Place) -> bool:
        number, parts = need_of(roll)
        self.names.rules(tuple(wanted.parts or ()), (*place, "parts"))
        return (
            (wanted.side is None or roll["side"] == wanted.side - 1)
            and (wanted.count is None or roll["count"] == wanted.count)
            and (wanted.number is None or number == wanted.number)
            and (wanted.parts is None or parts == wanted.parts)
            and (wanted.faces is None or equal(roll.get("answer"), wanted.faces))
            and all(equal(roll.get(f), self.names.value(v, (*place, "about", f))) for f, v in wanted.about.items())
        )

    # ------------------------------------------------------------------ tokens and reserves

    def lying(self, place: Place, expect: Expect) -> Differences:
        pieces = {piece.name: piece for piece in self.position.ground.pieces}
        there = ", ".join(pieces) or "none"
        for name, wanted in expect.pieces.items():
            at: Place = (*place, "pieces", name)
            piece = pieces.get(name)
            if piece is None:
                yield at, f"no piece '{name}' lies on the table; there are {there}"
            elif wanted.kind not in (None, piece.kind):
                yield at, f"{name} is a {piece.kind}, not a {wanted.kind}"
            elif not set(wanted.tags) <= set(piece.tags):
                yield at, f"{name} is {', '.join(piece.tags)}"
        barred = present(expect.pieces_not, set(pieces))
        yield from (((*place, "pieces_not", k), f"{name} lies there") for k, name in barred)

    def waiting(self, place: Place, expect: Expect) -> Differences:
        stage = self.game.ruleset.stage
        for number, wanted in expect.reserves.items():
            side = int(number) - 1
            found = sorted(stage.in_reserve(self.position, side) if stage is not None and stage.in_reserve else ())
            if found != sorted(wanted):
                yield (*place, "reserves", number), f"side {number} has in reserve: {', '.join(found) or 'nobody'}"

    # ------------------------------------------------------------------ how it ended

    def result(self, place: Place, expect: Expect) -> Differences:
        result = self.position.result
        if result is None:
            if expect.winner is not None or expect.ended_by is not None:
                yield (*place, "winner"), "the battle is not over"
            return
        winner = "nobody" if result.winner is None else result.winner + 1
        if expect.winner is not None and winner != expect.winner:
            yield (*place, "winner"), f"the winner is {winner}, not {expect.winner}"
        if expect.ended_by is not None and result.rule != expect.ended_by:
            yield (*place, "ended_by"), f"the battle ended by {result.rule}, not by {expect.ended_by}"


def where(model: Model) -> str:
    carrier = model.aboard_of
    if model.where == ABOARD and carrier is not None:
        return ABOARD_OF + carrier.name
    return next(name for name, number in WHERE.items() if number == model.where)


def equal(found: Plain, wanted: Plain) -> bool:
    """Whether two plain values are the same, lists and tuples alike, numbers to a hundredth."""
    if isinstance(found, list | tuple) and isinstance(wanted, list | tuple):
        return len(found) == len(wanted) and all(equal(a, b) for a, b in zip(found, wanted, strict=True))
    if isinstance(found, dict) and isinstance(wanted, dict):
        plain = {str(key): value for key, value in found.items()}
        return plain.keys() == {str(key) for key in wanted} and all(equal(plain[str(k)], v) for k, v in wanted.items())
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, int | float) and isinstance(wanted, int | float):
        return abs(found - wanted) <= NEAR
    return bool(found == wanted)


def need_of(roll: dict[str, Plain]) -> tuple[int | None, dict[str, float]]:
    """The number to meet before modifiers that change the roll, and the modifiers by rule."""
    if not roll.get("needed"):
        return None, {}
    need = msgspec.convert(roll["needed"], Need)
    return need.number, {part.rule: part.value for part in need.parts}


def as_rolled(roll: dict[str, Plain]) -> str:
    """``2D6 at 4+ (fire/mod-half-range -1)``, or ``1D20 at ≤12`` where it is not to be exceeded."""
    number, parts = need_of(roll)
    modifiers = ", ".join(f"{rule} {value:+g}" for rule, value in parts.items())
    limit = "" if number is None else msgspec.convert(roll["needed"], Need).written(number)
    against = f" at {limit}" + (f" ({modifiers})" if modifiers else "") if limit else ""
    return f"{roll['count']}D{roll['sides']}{against}"


def missing(wanted: Sequence[str], found: set[str]) -> Iterator[tuple[int, str]]:
    return ((k, one) for k, one in enumerate(wanted) if one not in found)


def present(barred: Sequence[str], found: set[str]) -> Iterator[tuple[int, str]]:
    return ((k, one) for k, one in enumerate(barred) if one in found)
