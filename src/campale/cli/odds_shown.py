"""Odds in a terminal: tables, bars, the possible fields; or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from campale.cli.common import Sorry, language, say, titled
from campale.odds import comparing, form
from campale.odds.answers import Answer, Stage, VolleyOdds, answered
from campale.odds.troubles import QueryError
from campale.referee.odds_queries import Field
from campale.referee.telling.words import Words, words

if TYPE_CHECKING:
    from campale.odds.comparing import Compared, Ordered
    from campale.odds.form import Filled, Form
    from campale.referee.ruleset import Ruleset

MOST_BARS = 24
BAR = 32
LEAST = (1, 2, 3, 5)
FEW_PICKS = 40


def tell(
    ruleset: Ruleset,
    written: Mapping[str, Any],
    varied: Mapping[str, Sequence[Any]],
    aim: str,
    as_json: bool,
    listing: bool,
) -> None:
    """Print the result; an unusable query gives one sentence."""
    try:
        if listing:
            list_fields(*form.filled_as_far(ruleset, written)[:1])
            return
        found: Any = asked(ruleset, written, varied, aim)
    except QueryError as error:
        raise Sorry(error.told(language.get())) from None
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    SHOWN[type(found).__name__](Shower(ruleset), found)


def asked(ruleset: Ruleset, written: Mapping[str, Any], varied: Mapping[str, Sequence[Any]], aim: str) -> Any:
    if aim and varied:
        raise Sorry(say("odds-one-thing"))
    if aim:
        return comparing.best_order(ruleset, written, "losses" if aim == "losses" else "wipe-out")
    return comparing.side_by_side(ruleset, written, varied) if varied else answered(ruleset, written)


def as_percent(chance: float) -> str:
    """A chance in per cent with two places; it never shows a false certainty."""
    told = f"{100.0 * chance:.2f}"
    if told == "100.00" and chance < 1.0 - 1e-12:
        told = ">99.99"
    if told == "0.00" and chance > 0.0:
        told = "<0.01"
    return (told.replace(".", ",") if language.get() == "it" else told) + "%"


def as_number(value: float) -> str:
    told = f"{value:.3f}"
    return told.replace(".", ",") if language.get() == "it" else told


class Shower:
    """Prints answers of one book."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.words: Words = words(language.get(), ruleset.folder / "words")
        self.console = Console(soft_wrap=False, highlight=False)

    def say(self, text: str = "", style: str = "") -> None:
        self.console.print(Text(text, style=style))

    def title(self, stage: Stage) -> str:
        return self.words.say(f"forecast.{stage.kind}")

    # ------------------------------------------------------------------ one answer

    def answer(self, one: Answer) -> None:
        filled, _ = form.filled_as_far(self.ruleset, one.values)
        self.query(filled)
        for number, volley in enumerate(one.volleys, 1):
            self.volley(volley, number if len(one.volleys) > 1 else 0)
        if one.over and (len(one.volleys) > 1 or {s.kind for s in one.over} - {s.kind for s in one.volleys[0].stages}):
            self.stages(one.over, say("odds-over"))
        drawn = one.losses or (one.over or one.volleys[-1].stages[-1:] or (None,))[0]
        if drawn is not None:
            self.bars(drawn)
        if one.losses is not None:
            self.say(say("odds-wiped", chance=as_percent(one.wiped_out or 0.0)))
        if one.own_risk is not None:
            self.say(say("odds-own", chance=as_percent(one.own_risk)), "red")
        self.remarks(one, filled)

    def query(self, filled: Form, varied: Sequence[str] = ()) -> None:
        """Print the query: the fields that differ from their usual values and do not vary."""
        for one in filled.filled:
            if (
                one.field.name not in varied
                and one.field.part in ("attacker", "target", "table", "attack")
                and (one.field.name in ("attacker", "target", "distance", "weapons") or one.value != one.field.default)
            ):
                self.say(f"{titled(one.field.title)}: {value_told(one)}")

    def volley(self, volley: VolleyOdds, number: int) -> None:
        parts = [titled(one) for one in volley.of]
        if volley.dice:
            parts.append(self.words.say("forecast.dice", count=volley.dice))
        head = ", ".join(parts)
        self.stages(volley.stages, f"{number}. {head}" if number else head)
        if volley.gap:
            self.say(self.words.say(f"forecast.gap.{volley.gap}"), "yellow")

    def stages(self, stages: Sequence[Stage], title: str) -> None:
        table = Table(title=Text(title), title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column(overflow="fold")
        for column in ("mean", "median"):
            table.add_column(Text(say(f"odds-{column}")), justify="right", no_wrap=True)
        for number in LEAST:
            table.add_column(f"≥ {number}", justify="right", no_wrap=True)
        for one in stages:
            chances = [as_percent(least(one, number)) if most(one) >= number else "" for number in LEAST]
            figures = as_number(one.mean), str(one.median)
            cell = Text(self.title(one)) + Text(f"\n{one.rule}" if one.rule else "", style="dim")
            table.add_row(cell, *figures, *chances)
        if stages:
            self.console.print(table)

    def bars(self, stage: Stage) -> None:
        """The chance of each number, as a bar; rare ones at the ends are left out."""
        shown = [(number, chance) for number, chance in stage.chances if chance >= 0.0005][:MOST_BARS]
        if not shown:
            return
        greatest = max(chance for _, chance in shown)
        table = Table(title=Text(self.title(stage)), title_justify="left", show_header=False, box=None)
        for number, chance in shown:
            bar = "█" * max(1, round(BAR * chance / greatest))
            table.add_row(str(number), Text(bar, style="cyan"), as_percent(chance))
        self.console.print(table)

    def remarks(self, one: Answer, filled: Form) -> None:
        if one.gap:
            self.say(self.words.say(f"forecast.gap.{one.gap}"), "yellow")
        for key, rule in one.notes:
            self.say(self.words.say(key) + (f" ({rule})" if rule else ""), "yellow")
        policies = [field for field in filled.filled if field.field.part == "policy"]
        for field in policies if one.decided else ():
            self.say(f"{titled(field.field.title)}: {value_told(field)}", "dim")
        typer.echo(linked(one.link))

    # ------------------------------------------------------------------ several

    def compared(self, several: Compared) -> None:
        first, _ = form.filled_as_far(self.ruleset, several.answers[0].values)
        self.query(first, several.fields)
        table = Table()
        table.add_column()
        for values in several.columns:
            table.add_column(Text("\n".join(self.column(several, values))), justify="right")
        for title, cells in self.rows(several.answers):
            table.add_row(Text(title), *cells)
        self.console.print(table)
        typer.echo(linked(several.link))
        if len(several.answers) > 1:
            for one in several.answers:
                typer.echo(f"  {linked(one.link)}")

    def column(self, several: Compared, values: Sequence[str]) -> list[str]:
        found = []
        for name, value in zip(several.fields, values, strict=True):
            answer = several.answers[several.columns.index(tuple(values))]
            filled, _ = form.filled_as_far(self.ruleset, answer.values)
            field = next((one for one in filled.filled if one.field.name == name), None)
            others = [values_of[several.fields.index(name)] for values_of in several.columns]
            apart = comparing.told_apart(value, others)
            found.append(apart or (value_told(field) if field is not None else value))
        return found

    def rows(self, answers: Sequence[Answer]) -> list[tuple[str, list[str]]]:
        """The rows of a comparison: the mean of every stage, then the odds of losses."""
        kinds = dict.fromkeys((n, s.kind) for a in answers for n, v in enumerate(a.volleys) for s in v.stages)
        found = []
        for place, kind in kinds:
            mark = f"{place + 1}. " if max(len(one.volleys) for one in answers) > 1 else ""
            title = f"{mark}{self.words.say(f'forecast.{kind}')}, {say('odds-mean')}"
            found.append((title, [as_number_or_dash(stage_at(one, place, kind)) for one in answers]))
        losses = [one.losses for one in answers]
        found.append((say("odds-losses-mean"), [as_number_or_dash(one) for one in losses]))
        found.append((say("odds-losses-median"), ["-" if one is None else str(one.median) for one in losses]))
        for number in LEAST:
            if any(one is not None and most(one) >= number for one in losses):
                cells = ["-" if one is None else as_percent(least(one, number)) for one in losses]
                found.append((say("odds-losses-at-least", number=number), cells))
        gaps = [next((v.gap for v in one.volleys if v.gap), one.gap) for one in answers]
        if any(gaps):
            found.append((say("odds-gap"), [self.words.say(f"forecast.gap.{gap}") if gap else "" for gap in gaps]))
        wiped = ["-" if one.wiped_out is None else as_percent(one.wiped_out) for one in answers]
        return [*found, (say("odds-wiped-row"), wiped)]

    def ordered(self, found: Ordered) -> None:
        table = Table()
        table.add_column(Text(say("odds-order")))
        table.add_column(Text(say(f"odds-aim-{found.aim}")), justify="right")
        for weapons, value in found.orders[:MOST_BARS]:
            table.add_row(Text(weapons), as_number(value) if found.aim == "losses" else as_percent(value))
        self.console.print(table)
        self.say(say("odds-order-best" if found.matters else "odds-order-same", weapons=found.orders[0][0]))
        self.answer(found.best)
        typer.echo(say("odds-order-link", link=found.link) if found.link else say("odds-no-link"))


SHOWN: dict[str, Any] = {"Answer": Shower.answer, "Compared": Shower.compared, "Ordered": Shower.ordered}


def linked(link: str) -> str:
    return say("odds-link", link=link) if link else say("odds-no-link")


def least(stage: Stage, number: int) -> float:
    return sum(chance for value, chance in stage.chances if value >= number)


def most(stage: Stage) -> int:
    return stage.chances[-1][0]


def stage_at(answer: Answer, place: int, kind: str) -> Stage | None:
    stages = answer.volleys[place].stages if place < len(answer.volleys) else ()
    return next((one for one in stages if one.kind == kind), None)


def as_number_or_dash(stage: Stage | None) -> str:
    return "-" if stage is None else as_number(stage.mean)


# ---------------------------------------------------------------- fields


def value_told(one: Filled) -> str:
    """The value of a field, by the titles of its picks."""
    field, value = one.field, one.value
    if field.kind == "number":
        unit = say(f"odds-unit-{field.unit}") if field.unit else ""
        return f"{value:g} {unit}".strip() if isinstance(value, int | float) else str(value)
    if field.kind == "figure" and not isinstance(value, str):
        return form.written_out(field, value)
    if field.kind == "counted" and isinstance(value, list):
        return ", ".join(f"{many} × {pick_told(field, key)}" for key, many in value) or "-"
    several = value if isinstance(value, list) else [value]
    return ", ".join(pick_told(field, key) for key in several) or "-"


def pick_told(field: Field, value: Any) -> str:
    pick = next((one for one in field.picks if one.value == value and type(one.value) is type(value)), None)
    if pick is None:
        return str(value)
    return titled(pick.title) if not pick.under else f"{titled(pick.title)} ({titled(pick.under)})"


def list_fields(filled: Form) -> None:
    """Print every field: its name, its current value, and its possible values."""
    console = Console(highlight=False)
    for one in filled.filled:
        field = one.field
        text = form.written_out(field, one.value)
        console.print(Text(f"{field.name} = {text or '-'}", style="bold"), Text(f"  {titled(field.title)}"))
        if field.kind in ("number", "counted"):
            low, high = field.between
            console.print(Text(f"    {low:g} … {high:g}", style="dim"))
        for pick in field.picks[:FEW_PICKS] if len(field.picks) > 1 or field.kind != "choice" else ():
            console.print(Text(f"    {form.as_text(pick.value)}"), Text(pick_told(field, pick.value), style="dim"))
        if len(field.picks) > FEW_PICKS:
            more = ", ".join(form.as_text(pick.value) for pick in field.picks[FEW_PICKS:])
            console.print(Text(f"    {more}"))
        if one.trouble is not None:
            console.print(Text(f"    {one.trouble.told(language.get())}", style="yellow"))
