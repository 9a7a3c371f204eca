"""The report of an experiment: one HTML page that needs nothing else, in English or Italian.

Content from files is escaped, and the page fetches and runs nothing.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from campale.lab import charts
from campale.lab.findings import (
    CLOSE,
    ENDED,
    EVEN,
    OPEN,
    STRONGER,
    WEAKER,
    Compared,
    Findings,
    Share,
    Worth,
    findings,
)
from campale.lab.running import caught_up
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import Words, words
from campale.simulate.intervals import Interval

HERE = Path(__file__).parent
STYLE = (HERE / "report.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
MOST_CHARTED = 40


def report(folder: Path, language: str = "en") -> str:
    """The page of a folder's results. Raises LabError if it holds none, OSError if its tables are missing."""
    caught_up(folder)
    return Report(findings(folder), words_of(language)).page()


def words_of(language: str) -> Words:
    return words(language, HERE / "words")


class Report:
    """Findings told in a language, as parts of a page."""

    def __init__(self, found: Findings, known: Words) -> None:
        self.found = found
        self.words = known

    def page(self) -> str:
        title = escape(self.title())
        parts = [f"<h1>{title}</h1>", *self.verdicts(), *self.played(), *self.variants(), *self.differences()]
        parts += [*self.advantages(), *self.units(), *self.players(), *self.battles(), *self.methods()]
        head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        head += '<meta name="viewport" content="width=device-width, initial-scale=1">'
        body = "\n".join(parts)
        return (
            f'<!doctype html>\n<html lang="{self.words.language}">\n<head>{head}\n<title>{title}</title>\n'
            f"<style>\n{STYLE}</style></head>\n<body><main>\n{body}\n</main></body>\n</html>\n"
        )

    def title(self) -> str:
        title = self.found.plan.title
        told = title.get(self.words.language) or title.get("en") if isinstance(title, dict) else title
        return str(told or self.say("experiment"))

    def say(self, key: str, **values: Any) -> str:
        return self.words.say(f"lab.{key}", **values)

    # ------------------------------------------------------------------ the answer first

    def verdicts(self) -> Iterator[str]:
        """The answers: is the first stronger than the second, what does a change do, and how much could be detected."""
        yield section(self.say("answer"))
        for one in self.found.variants:
            if one.is_mirror:
                yield paragraph(self.labelled(one) + self.say("mirror"), "warning")
            else:
                yield paragraph(self.verdict(one), "verdict")
            if one.difference is not None:
                yield paragraph(self.change(one), "verdict")
        if not self.found.is_complete:
            yield paragraph(self.say("unfinished"), "warning")

    def verdict(self, one: Compared) -> str:
        key = {STRONGER: "stronger", WEAKER: "weaker", EVEN: "even", OPEN: "open"}[one.verdict]
        told = self.say(key, first=one.first, second=one.second, score=self.share(one.score), count=2 * len(one.pairs))
        ended = sum(one.counts[kind] for kind in ENDED)
        told += " " + self.say("won-of", count=one.counts["first"], ended=ended, share=self.share(one.won))
        told += self.cost(one)
        return self.labelled(one) + told + ("" if one.number else " " + self.power(one))

    def labelled(self, one: Compared) -> str:
        return f"{one.label}: " if one.label else ""

    def change(self, one: Compared) -> str:
        assert one.difference is not None
        key = {STRONGER: "gains", WEAKER: "loses", EVEN: "no-matter", OPEN: "cannot-tell"}[one.change]
        difference, base = self.share(one.difference, "+"), name_of(self.found.variants[0])
        told = self.say(key, label=one.label, base=base, difference=difference, count=len(one.apart))
        told += self.dearer(one)
        return told + (" " + self.power(one) if one.change in (OPEN, EVEN) else "")

    def cost(self, one: Compared) -> str:
        """Which of both forces cost more, and by how much: a victory at more points shows no strength."""
        if one.points is None:
            return ""
        first, second = one.points
        key = "cost-more" if first > second else "cost-less" if first < second else "cost-equal"
        numbers = {"first": first, "second": second, "apart": abs(first - second)}
        return " " + self.say(key, **{name: self.words.shown(value) for name, value in numbers.items()})

    def dearer(self, one: Compared) -> str:
        """The cost of a change in points, if any."""
        base = self.found.variants[0].points
        if one.points is None or base is None:
            return ""
        told = ""
        for who, points, before in zip(FORCES, one.points, base, strict=True):
            if points != before:
                key = "dearer" if points > before else "cheaper"
                told += " " + self.say(f"{key}-{who}", apart=self.words.shown(abs(points - before)))
        return told

    def power(self, one: Compared) -> str:
        if math.isinf(one.power.noticed):
            return self.say("power-none")
        noticed, close = self.percent(one.power.noticed), self.percent(CLOSE)
        return self.say("power", noticed=noticed, close=close, battles=one.power.battles)

    # ------------------------------------------------------------------ what was played

    def played(self) -> Iterator[str]:
        found, plan = self.found, self.found.plan
        ruleset = load_ruleset(plan.ruleset)
        yield section(self.say("played"))
        yield facts(
            (
                (self.say("book"), ruleset.title.get(self.words.language) or ruleset.name),
                (self.say("version"), f"Campale {plan.campale}, {plan.rules_hash}"),
                (self.say("seed"), plan.seed),
                (self.say("battles"), f"{found.battles}"),
                (self.say("time"), self.duration(found.seconds)),
            )
        )
        for kind in ("stalled", "failed"):
            count = sum(one.counts[kind] for one in found.variants)
            if count:
                yield paragraph(self.say(f"some-{kind}", count=count), "warning")

    def variants(self) -> Iterator[str]:
        several = self.found.variants
        yield section(self.say("scores"))
        yield chart(charts.intervals(self.say("score-chart"), [(name_of(one), one.score) for one in several], 0.5))
        heads = [self.say(head) for head in ("variant", "first", "second", "points", "score", "share-won")]
        heads += [" / ".join(map(self.say, ("won", "drawn", "lost"))), self.say("stalled")]
        yield table(heads, map(self.variant, several), words_first=3)
        yield paragraph(self.say("two-intervals"), "note")
        yield chart(charts.intervals(self.say("won-chart"), [(name_of(one), one.won) for one in several], None))
        if len(several) == 1 and len(several[0].pairs) > 2:
            yield chart(charts.running(self.say("running-chart"), several[0].pairs, 0.5, 1.0))

    def variant(self, one: Compared) -> list[str]:
        ended = " / ".join(str(one.counts[kind]) for kind in ENDED)
        told = [one.label or str(one.number), one.first, one.second, self.points(one)]
        return [*told, self.share(one.score), self.share(one.won), ended, str(one.counts["stalled"])]

    def points(self, one: Compared) -> str:
        return "–" if one.points is None else " – ".join(map(self.words.shown, one.points))

    def differences(self) -> Iterator[str]:
        several = [one for one in self.found.variants if one.difference is not None]
        if not several:
            return
        yield section(self.say("differences"))
        rows = [(name_of(one), one.difference) for one in several if one.difference is not None]
        yield chart(charts.intervals(self.say("difference-chart"), rows, 0.0))
        if len(several) == 1 and len(several[0].apart) > 2:
            yield chart(charts.running(self.say("running-chart"), several[0].apart, 0.0, 2.0))
            yield chart(charts.spread(self.say("spread-chart"), several[0].apart))

    # ------------------------------------------------------------------ sides, scenes, units, players

    def advantages(self) -> Iterator[str]:
        yield section(self.say("advantages"))
        rows = [(self.say("side", side=int(one.name) + 1), one) for one in self.found.sides]
        if self.found.starting is not None:
            rows.append((self.say("starting"), self.found.starting))
        yield self.shares(rows)
        if self.found.scenes:
            yield section(self.say("scenes"))
            yield self.shares([(one.name, one) for one in self.found.scenes])

    def shares(self, rows: Sequence[tuple[str, Share]]) -> str:
        heads = [self.say(head) for head in ("who", "score", "share-won", "battles")]
        told = ([name, self.share(one.score), self.share(one.won), str(one.battles)] for name, one in rows)
        return table(heads, told)

    def units(self) -> Iterator[str]:
        found = self.found
        if not found.units:
            return
        yield section(self.say("units"))
        for owner in ("first", "second"):
            own = [one for one in found.units if one.owner == owner]
            if own:
                yield f"<h3>{escape(self.say(owner))}</h3>"
                yield self.units_of(own)
        yield paragraph(self.say("worth-note"), "note")
        if self.found.units and "random" in self.leaders():
            yield paragraph(self.say("worth-random"), "warning")
        told = [(one.name, each(one.worth, one.points)) for one in found.units if one.worth is not None and one.points]
        if told:
            yield chart(charts.intervals(self.say("worth-chart"), told[:MOST_CHARTED], 1.0))
        if found.alive:
            yield chart(charts.lines(self.say("alive-chart"), {self.say(one): of for one, of in found.alive.items()}))

    def leaders(self) -> set[str]:
        return {one.player for variant in self.found.plan.variants for one in (variant.first, variant.second)}

    def units_of(self, own: Iterable[Worth]) -> str:
        heads = [
            "unit",
            "cost",
            "worth",
            "dealt",
            "taken",
            "survived",
            "lost-in",
            "objectives",
            "rounds-held",
            "fielded",
        ]
        return table([self.say(head) for head in heads], (self.unit(one) for one in own))

    def unit(self, one: Worth) -> list[str]:
        shown = self.words.shown
        return [
            one.name,
            shown(round(one.points, 1)),
            "–" if one.worth is None else self.between(one.worth, 0),
            self.between(one.dealt, 1),
            self.between(one.taken, 1),
            self.percent(one.survived),
            "–" if one.lost_in is None else shown(round(one.lost_in, 1)),
            shown(round(one.objectives, 2)),
            shown(round(one.rounds_held, 2)),
            str(one.fielded),
        ]

    def players(self) -> Iterator[str]:
        if not self.found.players:
            return
        yield section(self.say("players"))
        rows = ([one.name, self.between(Interval(*one[1:4]), 1), str(one.battles)] for one in self.found.players)
        yield table([self.say("player"), self.say("rating"), self.say("battles")], rows)

    def battles(self) -> Iterator[str]:
        if not self.found.remarkable:
            return
        yield section(self.say("remarkable"))
        yield paragraph(self.say("replay-note"), "note")
        heads = ["number", "variant", "winner", "rounds", "first-left", "second-left", "replay"]
        yield table(
            [self.say(head) for head in heads], (self.battle(row) for row in self.found.remarkable), words_first=3
        )

    def battle(self, row: dict[str, Any]) -> list[str]:
        left = [f"{self.words.shown(row[f'{who}_left'])} / {self.words.shown(row[f'{who}_points'])}" for who in FORCES]
        winner, number = self.say(f"winner.{row['winner']}"), row["number"]
        replay = f"campale lab replay {shlex.quote(self.found.folder)} --battle {number}"
        return [str(number), row["label"] or str(row["variant"]), winner, str(row["rounds"] or "–"), *left, replay]

    def methods(self) -> Iterator[str]:
        yield section(self.say("methods"))
        yield from (paragraph(self.say(f"method.{one}"), "note") for one in ("pairs", "intervals", "stalled", "power"))

    # ------------------------------------------------------------------ numbers

    def duration(self, seconds: float) -> str:
        return f"{seconds:.0f} s" if seconds < 120.0 else self.words.shown(round(seconds / 60.0, 1)) + " min"

    def percent(self, value: float, sign: str = "") -> str:
        return self.words.percent(value, sign)

    def share(self, found: Interval, sign: str = "") -> str:
        """A share with its interval, in per cent."""
        return f"{self.percent(found.value, sign)} [{self.percent(found.low, sign)}; {self.percent(found.high, sign)}]"

    def between(self, found: Interval, places: int) -> str:
        """A number with its interval; of a single observation there is none."""
        value, low, high = (self.words.number(one, places) for one in found)
        return value if math.isinf(found.low) else f"{value} [{low}; {high}]"


FORCES = ("first", "second")


def name_of(one: Compared) -> str:
    return one.label or f"{one.first} – {one.second}"


def each(worth: Interval, points: float) -> Interval:
    return Interval(*(one / points for one in worth))


# ---------------------------------------------------------------- HTML


def section(title: str) -> str:
    return f"<h2>{escape(title)}</h2>"


def paragraph(text: str, kind: str) -> str:
    return f'<p class="{kind}">{escape(text)}</p>'


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs) + "</dl>"


def chart(svg: str) -> str:
    """A chart that can also be scrolled by keyboard in a narrow window."""
    return f'<figure tabindex="0">{svg}</figure>'


INTERVAL = re.compile(r"^(\S+) (\[[^\[\]]+; [^\[\]]+\])$")
LONGEST_NUMBER = 36
"""The longest cell, in characters, that always stays on one line: a share with its interval, four counts."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], words_first: int = 1) -> str:
    """The first cells of a row are words, the first of all its heading; the rest are numbers."""
    kinds = ["word" if k < words_first else "number" for k in range(len(heads))]
    top = "".join(
        f'<th scope="col" class="{kind}">{escape(head)}</th>' for kind, head in zip(kinds, heads, strict=True)
    )
    body = "".join(f"<tr>{cells(row, words_first)}</tr>" for row in rows)
    return f'<div class="wide" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def cells(row: Sequence[str], words_first: int) -> str:
    first, *others = (escape(cell) for cell in row)
    told = (f'<td class="{kind_of(k, words_first, cell)}">{stacked(cell)}</td>' for k, cell in enumerate(others, 1))
    return f'<th scope="row">{first}</th>' + "".join(told)


def stacked(cell: str) -> str:
    """An interval stands under its number, to keep wide tables from scrolling sideways."""
    return INTERVAL.sub(r"\1 <small>\2</small>", cell)


def kind_of(place: int, words_first: int, cell: str) -> str:
    """The class of a cell; text too long for one line, such as a command, counts as words."""
    return "word" if place < words_first or len(cell) > LONGEST_NUMBER else "number"
