"""The journal told line by line, with the rules cited and a heading at every new turn and phase.

A ruleset makes an event a heading by giving it words under ``heading.<kind>`` or ``subheading.<kind>``. The referee
has such words for the kinds ``turn``, ``round`` and ``phase``.

A ruleset's words may refine how a kind of event reads. ``parts.<kind>`` names two fields: the thing declared, and a
list; ``parts.<kind>.<declared>`` then names the parts of the list, and ``event.<kind>.<declared>`` tells them.
``rolled.<why>`` says whose dice they are and what for, with ``.at`` if somebody is aimed at; empty, they are not told.
``summed`` lists the rolls whose dice are added. Other events may have words by one of their fields:
``event.terrain.cleared``, or ``event.<kind>.no-<field>`` where the field is an empty list. ``event.turn.after`` follows
the sentence of a move when the model then turns; empty, the turn is passed over. What the models of a unit do together
may be told in one line (see ``folding``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from campale.dice.needs import Need
from campale.referee.folding import Fold, Numbered, doings, folded
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller, in_degrees

ACTORS = ("model", "shooter", "attacker", "unit")


class Line(NamedTuple):
    """One line: its text, its level (1 and 2 are headings, 0 is a sentence), its rules, and the event it tells.

    ``of`` are all the events that it tells; the dice of several rolls told together are those of one.
    """

    text: str
    level: int
    rules: tuple[str, ...]
    event: int
    of: tuple[Event, ...] = ()

    def as_text(self, citing: bool = True) -> str:
        if self.level:
            return f"\n{'#' * self.level} {self.text}"
        cited = f"  [{', '.join(self.rules)}]" if citing and self.rules else ""
        return f"{self.text}{cited}"


def lines(events: Iterable[Event], teller: Teller, first: int = 0) -> Iterator[Line]:
    """The events told, each with the last rule in force and those that modified its dice."""
    numbered = [each for each in doings(events, teller, first) if told(each.event, teller.at(each.event))[0]]
    for one in folded(without_turns_of_moves(numbered, teller), teller):
        if isinstance(one, Fold):
            text = teller.filled(one.key, one.first.event.values, **one.told)
            if text:
                run = tuple(each.event for each in one.run)
                yield Line(text, 0, cited(one.first.event), one.first.number, run)
            continue
        text, level = told(one.event, teller.at(one.event))
        yield Line(text, level, cited(one.event), one.number, (one.event,))


def transcript(game: Game, language: str = "en", side: int | None = None, public: bool = False) -> str:
    """The whole battle as text: as the referee knows it, or as a side (or the public) may know it."""
    events = game.journal
    if side is not None or public:
        events = [seen for event in events if (seen := event.as_seen_by(side)) is not None]
    teller = Teller.of(game, language)
    told = list(with_facings(lines(events, teller), events, teller))
    return "\n".join(line.as_text() for line in without_empty_chapters(told)).lstrip("\n") + "\n"


def with_facings(told: Iterable[Line], events: Sequence[Event], teller: Teller) -> Iterator[Line]:
    """Merge the lines of a model that moves and then turns, if there are words for it."""
    moved: Line | None = None
    for line in told:
        event = events[line.event]
        if moved is not None and is_a_turn_after(events[moved.event], event) and teller.words.has("event.turn.after"):
            moved = moved._replace(text=moved.text.rstrip(".") + teller.filled("event.turn.after", event.values))
            continue
        if moved is not None:
            yield moved
        moved = line
    if moved is not None:
        yield moved


def without_turns_of_moves(events: Sequence[Numbered], teller: Teller) -> list[Numbered]:
    """All but the turns that come with a model's own move, if the words for them are empty."""
    if teller.words.messages.get("event.turn.after") != "":
        return list(events)
    pairs = zip((None, *events), events, strict=False)
    return [one for before, one in pairs if before is None or not is_a_turn_after(before.event, one.event)]


def is_a_turn_after(before: Event, event: Event) -> bool:
    return before.kind == "move" and is_a_model_turning(event) and before.values["model"] == event.values["model"]


def without_empty_chapters(told: Sequence[Line], goes_on: bool = False) -> Iterator[Line]:
    """The lines without headings that have no line under them; the last heading stays if more lines follow."""
    for line, following in zip(told, (*told[1:], None), strict=False):
        is_last = following is None and not goes_on
        is_empty = line.level == 2 and (is_last or (following is not None and following.level > 0))
        if not is_empty:
            yield line


def cited(event: Event) -> tuple[str, ...]:
    needed = event.values.get("needed")
    parts = [part["rule"] for part in needed.get("parts", ())] if isinstance(needed, dict) else []
    return tuple(dict.fromkeys([*event.rules[-1:], *parts]))


def told(event: Event, teller: Teller) -> tuple[str, int]:
    """The sentence of an event and its level; the sentence is empty if the words pass over the event."""
    for level, prefix in ((1, "heading"), (2, "subheading")):
        if is_a_model_turning(event):
            break
        if teller.words.has(f"{prefix}.{event.kind}"):
            return teller.filled(f"{prefix}.{event.kind}", event.values), level
    if event.kind in DICE and teller.words.messages.get(f"rolled.{event.values['why']}") == "":
        return "", 0
    if event.kind in DICE:
        return DICE[event.kind](event.values, teller), 0
    if event.kind == "late":
        return lapse(event.values, teller), 0
    special = TELLING.get(event.kind, how_declared(event.kind))
    key = teller.key(*special(event.values, teller), f"event.{event.kind}", event.kind)
    values = unfolded(event, teller)
    return (teller.filled(key, values) if key is not None else teller.spelled(event.kind, values)), 0


def how_declared(kind: str) -> Callable[[dict[str, Plain], Teller], tuple[str, ...]]:
    """The keys for a declaration, by the thing declared and the fields present: a later target has its own words."""

    def how(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
        field = teller.words.messages.get(f"parts.{kind}", "").split()[:1]
        if not field or not isinstance(values.get(field[0]), str):
            empty = (f"event.{kind}.no-{name}" for name, value in values.items() if value in ((), []))
            return (*empty, *(f"event.{kind}.{name}" for name in values))
        told = f"event.{kind}.{values[field[0]]}"
        return (*(f"{told}.{part}" for part in reversed(unfolded(Event(kind, values), teller))), told)

    return how


def unfolded(event: Event, teller: Teller) -> dict[str, Plain]:
    """The values, and the parts of a declaration by their names; what a model carries goes by its title."""
    messages = teller.words.messages
    kind, _, listed = messages.get(f"parts.{event.kind}", "").partition(" ")
    names = messages.get(f"parts.{event.kind}.{event.values.get(kind)}", "").split()
    found = {**event.values}
    for name, part in zip(names, event.values.get(listed) or (), strict=False):
        carried = teller.carried(name, part, event.values.get("model")) if isinstance(part, int) else None
        found[name] = part if carried is None else carried
    return found


def is_a_model_turning(event: Event) -> bool:
    """Whether a turn is a change of facing and not a turn of the battle."""
    return event.kind == "turn" and "facing" in event.values


def how_marked(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    """How to tell a marker that comes, goes, or changes its number; a ruleset may have its own words."""
    if values.get("corrected"):
        return ("event.mark.corrected",)
    change = "" if values["now"] and values["before"] else (".off" if not values["now"] else ".on")
    own = f"event.mark.{values['marker']}"
    is_flag = values["now"] <= 1 and values["before"] <= 1
    kind = "mark-unit" if "unit" in values else "mark"
    return (own + change, own, *((f"event.{kind}{change}",) if is_flag else ()))


def how_pooled(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    own = f"event.pool.{values['pool']}"
    return (f"{own}.spent", own, "event.pool.spent") if values["change"] < 0 else (own, "event.pool")


def how_ended(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    by = "draw" if values["winner"] is None else "won"
    return (*((f"event.result.{by}.counted",) if values.get("counts") else ()), f"event.result.{by}")


def how_removed(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    by_whom = "by" if values.get("by", -1) >= 0 else "alone"
    own = f"event.remove.{values['cause']}"
    return (f"{own}.{by_whom}", own, f"event.remove.{by_whom}")


def how_joined(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    """How to tell that a model joins a unit; words may differ if the unit is the model itself, alone again."""
    return ("event.join.own",) if teller.model(values["model"]) == teller.unit(values["unit"]) else ()


def how_tested(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    """How to tell a test that no dice decide; words may differ if it is passed."""
    return ("event.automatic-test.passed",) if values["passed"] else ()


def how_corrected(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    return ("event.corrected.by",) if values.get("side") is not None else ()


def how_moved(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    how = "placed" if values.get("placed") else "corrected" if values.get("corrected") else values.get("how")
    if isinstance(how, str):
        return (f"event.move.{how}",)
    nearness = ("event.move.touching",) if values.get("gap") == 0.0 else ()
    return (*nearness, "event.move.near") if "near" in values else (("event.move.far",) if "far" in values else ())


def how_held(values: dict[str, Plain], teller: Teller) -> tuple[str, ...]:
    """How to tell a marker that is laid, or one that changes hands."""
    return ("event.token.side",) if "value" in values else ()


TELLING = {
    "automatic-test": how_tested,
    "token": how_held,
    "mark": how_marked,
    "mark-unit": how_marked,
    "pool": how_pooled,
    "result": how_ended,
    "remove": how_removed,
    "move": how_moved,
    "join": how_joined,
    "corrected": how_corrected,
}


class AskedThen(NamedTuple):
    """A question as an event keeps it: enough to tell the question and an answer to it."""

    kind: str
    prompt: str
    side: int
    about: dict[str, Plain]
    of: str
    is_chance: bool = False


def lapse(values: dict[str, Any], teller: Teller) -> str:
    """The side whose clock ran out, the question, and the answer given in its place, as far as they are known."""
    side, answer, own = values["side"], values.get("answer"), f"event.late.{values['clock']}"
    asked = AskedThen(side=side, **values["asked"]) if "asked" in values else None
    if asked is None or values["how"] == "lost":
        return teller.filled(own, values)
    question: Any = asked
    told: dict[str, Plain] = {"question": teller.question(question)}
    if asked.kind in TOLD_BY_ANSWER:
        return teller.filled(f"{own}.answered", values, **told, given=teller.answer(question, answer))
    return teller.filled(f"{own}.{values['how']}", values, **told)


TOLD_BY_ANSWER = ("choose", "along")
"""The kinds of question whose answers are shown without the question itself."""


def roll(values: dict[str, Plain], teller: Teller) -> str:
    """``Alda, to hit: 4+ (−1 beyond half range) → 3 5 ✓``."""
    needed = values.get("needed")
    need = msgspec.convert(needed, Need) if needed else None
    asked = f"{teller.need(need)} → " if need is not None else ""
    dice = "" if values["sides"] == 6 else f"D{values['sides']} "
    return f"{actor(values, teller)}: {asked}{dice}{faces(values, need, is_summed(values, teller))}"


def is_summed(values: dict[str, Plain], teller: Teller) -> bool:
    """Whether the dice are added."""
    return bool(values.get("total")) or values["why"] in teller.words.messages.get("summed", "").split()


def faces(values: dict[str, Plain], need: Need | None, summed: bool) -> str:
    """The faces of the dice, with successes ticked; for added dice, their sum."""
    rolled = values["answer"]
    if summed and len(rolled) > 1:
        ticked = "" if need is None else (" ✓" if need.is_met_by(sum(rolled)) else " ✗")
        return f"{' + '.join(map(str, rolled))} = {sum(rolled)}{ticked}"
    if need is None:
        return " ".join(map(str, rolled))
    if len(rolled) == 1:
        return f"{rolled[0]} {'✓' if need.is_met_by(rolled[0]) else '✗'}"
    return " ".join(f"{face} ✓" if need.is_met_by(face) else str(face) for face in rolled)


def actor(values: dict[str, Plain], teller: Teller) -> str:
    """The owner of the dice, and their purpose."""
    field = next((name for name in ACTORS if isinstance(values.get(name), int)), "side")
    who = teller.value(field, values.get(field)) if values.get(field) is not None else ""
    if field == "side" and values.get("models"):
        who = teller.several(values["models"])
    own = f"rolled.{values['why']}"
    by_field = (f"{own}.{name}" for name, value in values.items() if value is not None)
    key = teller.key(*by_field, *((f"{own}.at",) if values.get("target") is not None else ()), own)
    if key is not None:
        return teller.filled(key, values, who=who)
    why = teller.value("why", values["why"])
    return f"{who}, {uncapped(why)}" if who else why


def uncapped(text: str) -> str:
    """The text as the rest of a sentence: with a small letter, unless it begins with an abbreviation such as LD."""
    first = text.split(maxsplit=1)[0] if text else ""
    return text if len(first) > 1 and first.isupper() else f"{text[:1].lower()}{text[1:]}"


def direction(values: dict[str, Plain], teller: Teller) -> str:
    return f"{actor(values, teller)}: {in_degrees(values['answer'])}°"


def draw(values: dict[str, Plain], teller: Teller) -> str:
    drawn = values["answer"]
    words = [one for one in drawn or () if isinstance(one, str)]
    kind = values["why"] if any(teller.words.has(f"{values['why']}.{one}") for one in words) else "drawn"
    what = teller.words.say("chance.hidden") if drawn is None else teller.value(kind, drawn)
    return f"{actor(values, teller)}: {what}"


DICE = {"roll": roll, "direction": direction, "draw": draw}
