"""Odds without a battle, for a screen: the form as far as it is filled in, and the answer, in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from campale.odds.answers import Answer, Stage, VolleyOdds, answer_of
from campale.odds.comparing import Compared, Ordered, best_order, side_by_side, told_apart
from campale.odds.form import Filled, Form, filled_as_far, understood, written_out
from campale.odds.link import AIMS, path_of, read
from campale.odds.troubles import QueryError, Trouble
from campale.referee.odds_queries import Field, Pick, Title
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset
from campale.referee.telling.teller import Teller
from campale.screen import shown
from campale.screen.scene import capital
from campale.screen.sheet import rule_shown
from campale.screen.shown import RuleShown


class PickShown(msgspec.Struct, frozen=True):
    """An option of a field; ``under``: its heading in the list."""

    value: Plain
    title: str
    under: str


class FieldShown(msgspec.Struct, frozen=True):
    """A field with its content, as a value and as a text. ``trouble``: why the written value was refused."""

    name: str
    title: str
    kind: str
    part: str
    value: Plain
    text: str
    picks: list[PickShown]
    rule: RuleShown | None
    between: tuple[float, float]
    step: float
    unit: str
    trouble: str


class Note(msgspec.Struct, frozen=True):
    """A remark that must accompany a result, with its rule."""

    text: str
    rule: RuleShown | None


class Outcome(msgspec.Struct, frozen=True):
    """The odds of one query: its volleys stage by stage, the totals, the number of models at the start.

    ``losses`` is the stage of the models lost; ``wiped_out`` the chance that nobody is left (None: unknown);
    ``own_risk`` the chance that a shot costs its own side a model, if it is more than a tenth.
    """

    link: str
    title: str
    volleys: list[shown.Forecast]
    over: list[shown.Stage]
    losses: shown.Stage | None
    all_of_them: int
    wiped_out: float | None
    own_risk: float | None
    gap: str
    notes: list[Note]


class Column(msgspec.Struct, frozen=True):
    """One of several queries side by side: its values in the differing fields, and its outcome."""

    values: list[str]
    outcome: Outcome


class Order(msgspec.Struct, frozen=True):
    """An order of fire: in words, as text, and its value."""

    title: str
    weapons: str
    value: float


class Inquiry(msgspec.Struct, frozen=True):
    """Everything that the page shows of a query. ``trouble``: why there is no outcome, if no field is to blame.

    ``written``, ``compare`` (the values as the fields have them) and ``order`` repeat the request, so the user of a
    link can continue from it. ``link`` is empty if it would be too long.
    """

    book: str
    link: str
    fields: list[FieldShown]
    outcome: Outcome | None
    columns: list[Column] = []
    varied: list[str] = []
    orders: list[Order] = []
    matters: bool = False
    trouble: str = ""
    written: dict[str, Any] = {}
    compare: dict[str, list[Any]] = {}
    order: str = ""


def inquiry(
    ruleset: Ruleset, written: Mapping[str, Any], compare: Mapping[str, Sequence[Any]], aim: str, language: str
) -> Inquiry:
    """The form with the written values, and its odds: of one query, of several, or of the orders of fire.

    An unusable value is reported at its field, and nothing is computed until it is corrected.
    """
    teller = Teller(ruleset, language)
    try:
        form, query = filled_as_far(ruleset, written)
    except QueryError as error:
        return Inquiry(ruleset.name, "", [], None, trouble=error.told(language))
    of_form = {name: value for name, value in written.items() if name in form.values}
    told = Inquiry(
        ruleset.name,
        path_of(form),
        [field_shown(one, teller) for one in form.filled],
        None,
        written=of_form,
        compare={name: values_of(form, name, values) for name, values in compare.items()},
        order=aim,
    )
    if query is None or form.troubles:
        return told
    try:
        found = several(ruleset, form, of_form, compare, aim, teller)
        return msgspec.structs.replace(told, **(found or {"outcome": outcome(answer_of(form, query), form, teller)}))
    except QueryError as error:
        return msgspec.structs.replace(told, trouble=error.told(language))


def inquiry_of_link(ruleset: Ruleset, link: str, language: str) -> Inquiry:
    """The inquiry of a link. For an unreadable link the error and the default form are shown, and nothing is
    computed."""
    try:
        linked = read(link)
        if linked.book != ruleset.name:
            raise QueryError(Trouble("link-other-book", "", {"book": ruleset.name}))
    except QueryError as error:
        teller = Teller(ruleset, language)
        form, _ = filled_as_far(ruleset, {})
        fields = [field_shown(one, teller) for one in form.filled]
        return Inquiry(ruleset.name, "", fields, None, trouble=error.told(language))
    return inquiry(ruleset, linked.written, linked.compare, linked.order, language)


def values_of(form: Form, name: str, values: Sequence[Any]) -> list[Any]:
    """The values of a field in its own form; as written if they are not valid."""
    field = fields_of(form).get(name)
    found = []
    for value in values:
        try:
            found.append(value if field is None else understood(field, value))
        except QueryError:
            found.append(value)
    return found


def several(
    ruleset: Ruleset,
    form: Form,
    written: Mapping[str, Any],
    compare: Mapping[str, Sequence[Any]],
    aim: str,
    teller: Teller,
) -> dict[str, Any] | None:
    """The columns of a comparison, or the orders of fire; None if neither is wanted."""
    if aim in AIMS:
        return ordered(best_order(ruleset, form.values, aim), form, teller)
    if any(len(values) > 1 for values in compare.values()):
        return compared(side_by_side(ruleset, written, compare), form, teller)
    return None


def compared(found: Compared, form: Form, teller: Teller) -> dict[str, Any]:
    fields = fields_of(form)
    columns = []
    for values, answer in zip(found.columns, found.answers, strict=True):
        told = [
            told_apart(text, [one[place] for one in found.columns]) or text_told(fields, name, text, teller)
            for place, (name, text) in enumerate(zip(found.fields, values, strict=True))
        ]
        columns.append(Column(told, outcome(answer, form, teller)))
    titles = [titled(fields[name].title, teller) if name in fields else name for name in found.fields]
    return {"columns": columns, "varied": titles, "link": found.link}


def ordered(found: Ordered, form: Form, teller: Teller) -> dict[str, Any]:
    fields = fields_of(form)
    orders = [Order(text_told(fields, "weapons", text, teller), text, value) for text, value in found.orders]
    best = outcome(found.best, form, teller)
    return {"orders": orders, "matters": found.matters, "outcome": best, "link": found.link}


# ---------------------------------------------------------------- the form


def field_shown(one: Filled, teller: Teller) -> FieldShown:
    field = one.field
    return FieldShown(
        field.name,
        titled(field.title, teller),
        field.kind,
        field.part,
        one.value,
        written_out(field, one.value),
        [pick_shown(pick, teller) for pick in field.picks],
        rule_of(field.rule, teller),
        field.between,
        field.step,
        field.unit,
        one.trouble.told(teller.language) if one.trouble is not None else "",
    )


def pick_shown(pick: Pick, teller: Teller) -> PickShown:
    return PickShown(pick.value, titled(pick.title, teller), titled(pick.under, teller))


def titled(title: Title, teller: Teller) -> str:
    return title.get(teller.language) or title.get("en", "")


def fields_of(form: Form) -> dict[str, Field]:
    return {one.field.name: one.field for one in form.filled}


def text_told(fields: Mapping[str, Field], name: str, text: str, teller: Teller) -> str:
    """What a field has in one of several queries, by the titles of its picks."""
    field = fields.get(name)
    titles = {} if field is None else {str(pick.value): titled(pick.title, teller) for pick in field.picks}
    parts = [part.partition("*") for part in text.split(",")] if field is not None and field.kind != "figure" else []
    if not parts:
        return titles.get(text, text)
    return ", ".join(f"{many} × {titles.get(one, one)}" if many else titles.get(one, one) for one, _, many in parts)


# ---------------------------------------------------------------- the result


def outcome(answer: Answer, form: Form, teller: Teller) -> Outcome:
    """The outcome of an answer. ``form`` is the query's, or differs from it only in the compared fields."""
    who = [text_told(fields_of(form), name, answer.values.get(name, ""), teller) for name in ("attacker", "target")]
    several = len(answer.volleys) > 1
    kinds = {one.kind for one in answer.volleys[0].stages} if answer.volleys else set()
    is_more = several or bool({one.kind for one in answer.over} - kinds)
    return Outcome(
        answer.link,
        " → ".join(filter(None, who)),
        [volley_shown(one, teller) for one in answer.volleys],
        [stage_shown(one, teller) for one in answer.over] if is_more else [],
        stage_shown(answer.losses, teller) if answer.losses is not None else None,
        answer.all_of_them,
        answer.wiped_out,
        answer.own_risk,
        gap_told(answer.gap, teller),
        [Note(teller.words.say(key), rule_of(rule, teller)) for key, rule in answer.notes],
    )


def volley_shown(volley: VolleyOdds, teller: Teller) -> shown.Forecast:
    parts = [titled(one, teller) for one in volley.of]
    if volley.dice:
        parts.append(teller.words.say("forecast.dice", count=volley.dice))
    stages = [stage_shown(one, teller) for one in volley.stages]
    return shown.Forecast(capital(", ".join(parts)), stages, "", gap_told(volley.gap, teller))


def stage_shown(stage: Stage, teller: Teller) -> shown.Stage:
    title = capital(teller.words.say(f"forecast.{stage.kind}"))
    return shown.Stage(title, stage.mean, list(stage.chances), rule_of(stage.rule, teller))


def gap_told(gap: str, teller: Teller) -> str:
    return teller.words.say(f"forecast.gap.{gap}") if gap else ""


def rule_of(rule: str, teller: Teller) -> RuleShown | None:
    return rule_shown(rule, teller) if rule else None
