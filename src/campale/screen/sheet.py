"""A question as a screen asks it: options with the reasons for those that are closed, a proposal, fields of a form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from campale.referee.asking import NOT_OFFERED, WRONG_SHAPE, unplain
from campale.referee.lawful import NoAnswer, is_ending, only_answer
from campale.referee.position import Position
from campale.referee.question import Choose, Form, MoveUnit, Order, Question
from campale.referee.records.record import grained
from campale.referee.refusal import Plain, Refusal
from campale.referee.rule import each_once
from campale.referee.telling.teller import Teller
from campale.screen.chaining import Chain
from campale.screen.foretelling import foretold_shown
from campale.screen.laying import is_sized, laid_by
from campale.screen.proposing import proposed
from campale.screen.shown import Field, ForetoldShown, LaidShown, Option, RefusalShown, RuleShown, Sheet
from campale.screen.telling import Marker, aimed, gap_told, summary

MOST_FIELDS = 1000
WEIGHED = "weighed"
"""The key of the words that lists the prompts whose options are all worth a forecast."""
ALIKE = "alike"
"""The key of the words that lists the prompts whose options about like models may stand together."""
OF_THE_HAND = "of-the-hand"
"""The key of the words that lists the prompts beside which the asked side's hand is shown."""

Details = dict[str, Any]
Path = Sequence[Sequence[Plain]]


class Astray(Exception):
    """A path that leads nowhere: an answer on it would be refused, or there is no question."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.word or refusal.rule)
        self.refusal = refusal


class Filled(NamedTuple):
    """A form shown whole: its fields, and why the answer just changed was refused (it then has the proposal)."""

    fields: list[Field]
    refusal: RefusalShown | None = None


# ---------------------------------------------------------------- the question


def sheet(question: Question, teller: Teller, position: Position) -> Sheet:
    """The question in the language of the teller. ``position`` is the view of the asked side."""
    marker = Marker(position, teller)
    offered = offer(question, teller, position)
    details = DETAILS.get(question.kind, nothing_more)(question, teller, marker)
    about = marker.of_fields(question.about)
    named: Details = {"models": about.actors, "targets": about.targets, "shown": question.about.get("shown", {})}
    named |= details
    named["shown"] = with_stop_told(named["shown"], teller)
    if offered is not None:
        named |= {"proposal": grained(offered[0]), "proposal_text": summary(question, offered[0], position, teller)}
        named |= {"laid": laid_by(position, question, offered[0], teller)} if question.kind == "aim" else {}
        named |= {"foretold": foretold_shown(question, offered[0], teller)}
    if isinstance(question, Form):
        named |= of_form(question, teller, position, offered)
    if question.kind in (Choose.kind, Order.kind) and is_weighed(question, teller):
        named["weighed"] = True
    if question.about.get("open") is False:
        named["closed"] = True
    heading = f"under.{question.prompt}"
    if teller.words.has(heading):
        is_known = teller.words.fields(heading) <= question.about.keys()
        named["under"] = teller.filled(heading if is_known else f"{heading}.else", question.about)
    if teller.words.has(confirm := f"confirm.{question.prompt}"):
        named["confirm"] = teller.words.say(confirm, count=len(named.get("items", ())))
    rules = [rule_shown(rule, teller) for rule in each_once(question.rules)]
    return Sheet(question.kind, question.prompt, question.side, teller.question(question), rules, **named)


def with_stop_told(shown: dict[str, Any], teller: Teller) -> dict[str, Any]:
    """The stop of an announced route, [length, kind], in words."""
    if "stop" not in shown:
        return shown
    length, kind = shown["stop"]
    return {**shown, "stop": [length, teller.word("stop", kind)]}


def offer(question: Question, teller: Teller, position: Position) -> tuple[Plain] | None:
    """The proposal, if there can be one: chance is never proposed."""
    try:
        return None if question.is_chance else (proposed(question, teller, position),)
    except NoAnswer:
        return None


def rule_shown(rule: str, teller: Teller) -> RuleShown:
    return RuleShown(rule, teller.rule(rule))


def refusal_shown(refusal: Refusal, teller: Teller) -> RefusalShown:
    """A refusal; its sentence does not cite the rule, which stands beside it."""
    text = teller.refusal(refusal).removesuffix(teller.cited(refusal.rule)).rstrip()
    where = None if refusal.where is None else (refusal.where[0], refusal.where[1])
    rule = rule_shown(refusal.rule, teller) if refusal.rule else None
    model = -1 if refusal.model is None else refusal.model
    return RefusalShown(text, rule, where, model, refusal.measured, refusal.limit)


def is_weighed(question: Question, teller: Teller) -> bool:
    """Whether the options or orders have odds, and the words list the prompt."""
    has_odds = teller.ruleset.forecast_of is not None
    return has_odds and is_listed(question, WEIGHED, teller)


def nothing_more(question: Question, teller: Teller, marker: Marker) -> Details:
    return {}


def of_choose(question: Choose, teller: Teller, marker: Marker) -> Details:
    keys = sorted(question.candidates, key=is_ending)
    options: Details = {"options": [option(question, key, teller, marker) for key in keys]}
    if is_listed(question, OF_THE_HAND, teller):
        options["shown"] = {"hand": True}
    return options | ({"alike": True} if is_listed(question, ALIKE, teller) else {})


def is_listed(question: Question, key: str, teller: Teller) -> bool:
    return question.prompt in teller.words.messages.get(key, "").split()


def option(question: Choose, key: Plain, teller: Teller, marker: Marker) -> Option:
    fault = question.why_not(key)
    refusal = None if fault is None else refusal_shown(question.citing(fault), teller)
    marked = marker.of_option(question, key)
    text = teller.option(question, key) + text_of(question, key, teller)
    text += gap_told(question, key, marker.position, teller)
    laid = laid_by(marker.position, question, key, teller)
    return Option(key, text, refusal, marked.actors, marked.targets, marked.at, laid)


def text_of(question: Choose, key: Plain, teller: Teller) -> str:
    """The text of a card, behind its name: the book's words for ``<kind>.<key>.text``, if any."""
    told = teller.key(f"{question.of}.{key}.text") if isinstance(key, str) else None
    return "" if told is None else f" – {teller.words.say(told)}"


def of_order(question: Any, teller: Teller, marker: Marker) -> Details:
    return {"items": [teller.option(question, one) for one in question.items], "keys": list(question.items)}


def of_number(question: Any, teller: Teller, marker: Marker) -> Details:
    """The bounds of a number, and the sign behind it: the book's words for ``sign.<prompt>``, if any."""
    bounds = {"low": question.low, "high": question.high, "suggested": question.suggestions()}
    sign = f"sign.{question.prompt}"
    return bounds | ({"shown": {"sign": teller.words.say(sign)}} if teller.words.has(sign) else {})


def of_allot(question: Any, teller: Teller, marker: Marker) -> Details:
    return {"items": [teller.item(one) for one in question.items], "holders": list(question.holders)}


def of_spatial(question: Any, teller: Teller, marker: Marker) -> Details:
    """The details of a spatial question; its models are exactly those with a way or place to choose, in their order."""
    shown: Details = {"shown": question.shown}
    if question.kind in ("move", "place"):
        rows = question.about.get("models")
        shown["models"] = [question.about["model"]] if rows is None else list(rows)
        shown["several"] = question.kind == "place" or isinstance(question, MoveUnit)
    return shown


def of_roll(question: Any, teller: Teller, marker: Marker) -> Details:
    """Real dice: their number, their sides, and the need of each."""
    need = "" if question.needed is None else teller.need(question.needed)
    return {"shown": {"count": question.count, "sides": question.sides, "need": need}}


def of_direction(question: Any, teller: Teller, marker: Marker) -> Details:
    return {"shown": {"step": question.step}}


def of_draw(question: Any, teller: Teller, marker: Marker) -> Details:
    """A draw; the pool is shown only if anybody may see it."""
    shown = {"shown": {"count": question.count, "of": len(question.pool)}}
    if not question.about.get("open", True):
        return shown
    return shown | {"items": [teller.value("drawn", one) for one in question.pool]}


DETAILS: dict[str, Callable[[Any, Teller, Marker], Details]] = {
    "choose": of_choose,
    "order": of_order,
    "number": of_number,
    "allot": of_allot,
    "place": of_spatial,
    "move": of_spatial,
    "along": of_spatial,
    "aim": of_spatial,
    "roll": of_roll,
    "direction": of_direction,
    "draw": of_draw,
}


# ---------------------------------------------------------------- forms


def of_form(form: Form, teller: Teller, position: Position, offered: tuple[Plain] | None) -> Details:
    """A form is shown whole if the words list it under ``whole`` and it has several fields; else its first field."""
    if is_whole(form, teller) and offered is not None and len(offered[0]) > 1:
        return {"whole": True}
    first = form.after([])
    return {"first": None if first is None else field_of(form, first, teller, position)}


def field_of(form: Question, field: Question, teller: Teller, position: Position) -> Sheet:
    """The sheet of a form's field; the fields of a chain are questions of their own."""
    found = sheet(field, teller, position)
    return msgspec.structs.replace(found, anew=True) if isinstance(form, Chain) else found


def is_whole(form: Form, teller: Teller) -> bool:
    return form.prompt in teller.words.messages.get("whole", "").split()


def at_path(question: Question, path: Path) -> Question | None:
    """The question after the answers to a form's fields, then to the fields of the form found there, and so on.

    None: the last form is complete. Raises Astray.
    """
    found: Question | None = question
    for answers in path:
        if not isinstance(found, Form):
            raise Astray(question.citing(WRONG_SHAPE))
        found = after(found, answers)
    return found


def after(form: Form, answers: Sequence[Plain]) -> Question | None:
    """The field after some answers, each of which is judged. Raises Astray."""
    filled: list[Any] = []
    for answer in answers:
        field = form.after(filled)
        if field is None:
            raise Astray(form.citing(WRONG_SHAPE))
        refusal = judged(field, answer)
        if refusal is not None:
            raise Astray(refusal)
        filled.append(field.understood(grained(answer)))
    return form.after(filled)


def judged(question: Question, answer: Plain) -> Refusal | None:
    """Why an outside answer is not allowed, as the game would judge it."""
    fault = unplain(answer)
    return question.citing(fault) if fault is not None else question.refusal_of_plain(grained(answer))


def next_field(question: Question, path: Path, teller: Teller, position: Position) -> Sheet | None:
    """The sheet of the question at the end of a path. Raises Astray."""
    field = at_path(question, path)
    form = at_path(question, path[:-1])
    return None if field is None or form is None else field_of(form, field, teller, position)


def check(question: Question, path: Path, answer: Plain) -> Refusal | None:
    """Why an answer to the question at the end of a path would be refused."""
    try:
        field = at_path(question, path)
    except Astray as astray:
        return astray.refusal
    return question.citing(NOT_OFFERED) if field is None else judged(field, answer)


def foretold_at(question: Question, path: Path, answer: Plain, teller: Teller) -> list[ForetoldShown]:
    """The costs of a lawful answer to the question at the end of a path. Raises Astray."""
    return foretold_shown(at_path(question, path), answer, teller)


def laid_at(question: Question, path: Path, answer: Plain, teller: Teller, position: Position) -> LaidShown | None:
    """The template that a lawful answer at the end of a path would lay on the table. Raises Astray."""
    field = at_path(question, path)
    return None if field is None else laid_by(position, field, answer, teller)


def laid_though_refused(
    question: Question, path: Path, answer: Plain, teller: Teller, position: Position
) -> LaidShown | None:
    """The template of a refused answer, if the player chooses its width: who could act there, how wide it may be.

    None if the answer cannot be read, or the path leads nowhere.
    """
    try:
        field = at_path(question, path)
    except Astray:
        return None
    if field is None or not is_sized(field) or unplain(answer) is not None or field.misshapen(answer) is not None:
        return None
    return laid_by(position, field, answer, teller)


def filled(
    question: Question,
    path: Path,
    answers: Sequence[Plain] | None,
    changed: int,
    teller: Teller,
    position: Position,
) -> Filled:
    """The form at a path with these answers as far as they fit, the rest as proposed. Raises Astray, NoAnswer.

    ``changed`` is the place of the answer changed last: if it is refused, the result says why.
    """
    form = at_path(question, path)
    if not isinstance(form, Form):
        raise Astray(question.citing(WRONG_SHAPE))
    given = list(answers or ())
    kept, refusal = completed(form, given, changed, teller, position)
    fields = [field_shown(field, answer, teller, position) for field, answer in kept]
    return Filled(fields, None if refusal is None else refusal_shown(refusal, teller))


def completed(
    form: Form, given: Sequence[Plain], changed: int, teller: Teller, position: Position
) -> tuple[list[tuple[Question, Plain]], Refusal | None]:
    """Every field with its answer: the given one if it fits, otherwise the proposal.

    After a changed way, the further way of the same models is proposed anew.
    """
    kept: list[tuple[Question, Plain]] = []
    understood: list[Any] = []
    problem: Refusal | None = None
    while (field := form.after(understood)) is not None and len(kept) < MOST_FIELDS:
        place = len(kept)
        refusal = judged(field, given[place]) if place < len(given) else None
        fits = place < len(given) and refusal is None and not goes_on(kept, changed, field)
        answer = grained(given[place] if fits else proposed(field, teller, position))
        problem = refusal if place == changed else problem
        kept.append((field, answer))
        understood.append(field.understood(answer))
    return kept, problem


def goes_on(kept: Sequence[tuple[Question, Plain]], changed: int, field: Question) -> bool:
    """Whether a field is the further way of the models whose way has just changed: it begins somewhere else now."""
    before = kept[changed][0] if 0 <= changed < len(kept) else None
    return (
        isinstance(field, MoveUnit)
        and isinstance(before, MoveUnit)
        and field.about.get("models") == before.about.get("models")
    )


def field_shown(field: Question, answer: Plain, teller: Teller, position: Position) -> Field:
    text = summary(field, answer, position, teller)
    aims = aimed(field, answer, Marker(position, teller))
    shown = sheet(field, teller, position)
    if field.kind == "aim":
        shown = msgspec.structs.replace(shown, laid=laid_by(position, field, answer, teller))
    return Field(shown, answer, text, only_answer(field) is not None, aims=aims)
