"""The answer to each of the questions that come ready, in one sentence, with the few rows that it goes by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from campale.lab.findings import ENDED, EVEN, OPEN, STRONGER, WEAKER, Compared, Findings, Share, verdict
from campale.lab.plan import offers_of
from campale.lab.templates import FIRST, MISSIONS, OPTION, UNIT
from campale.referee.offers import Offers
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.words import Words, words
from campale.simulate.intervals import Interval

HERE = Path(__file__).parent


class Line(NamedTuple):
    """A row: the score and the share won of something in so many battles; ``change``: against the row before all."""

    name: str
    battles: int
    score: Interval
    won: Interval
    change: Interval | None = None


class Answer(NamedTuple):
    """What follows from the findings so far. ``head`` says whose scores the rows tell."""

    sentence: str
    head: str
    lines: list[Line]


class Answering(NamedTuple):
    """Findings, and the words to report them."""

    found: Findings
    ruleset: Ruleset
    offers: Offers
    words: Words

    def say(self, key: str, **values: str | int) -> str:
        return self.words.say(f"lab.answer.{key}", **values)

    def share(self, found: Interval) -> str:
        return self.say("share", **{name: round(100 * one) for name, one in found._asdict().items()})

    def force(self, name: str) -> str:
        """How the book calls an army that comes with it."""
        offered = self.offers.force(name)
        return name if offered is None else offered.title[self.words.language]

    @property
    def armies(self) -> tuple[str, str]:
        variant = self.found.plan.variants[0]
        return self.force(variant.first.force_name), self.force(variant.second.force_name)


def answer(found: Findings, kind: str, language: str) -> Answer:
    """The answer to a question of a kind, as far as the battles tell."""
    ruleset = load_ruleset(found.plan.ruleset)
    asked = Answering(found, ruleset, offers_of(ruleset), words(language, HERE / "words"))
    return ANSWERS[kind](asked)


# ---------------------------------------------------------------- the four questions


def of_unit(asked: Answering) -> Answer:
    whole, less = asked.found.variants
    said = asked.say(
        f"unit.{change_of(less)}",
        army=asked.armies[0],
        whole=whole.label,
        less=less.label,
        before=asked.share(whole.score),
        after=asked.share(less.score),
    )
    return Answer(said, asked.say("scores-of", army=asked.armies[0]), list(map(line_of, asked.found.variants)))


def change_of(one: Compared) -> str:
    return one.change or OPEN


def line_of(one: Compared, label: str = "") -> Line:
    return Line(label or one.label, sum(one.counts[kind] for kind in ENDED), one.score, one.won, one.difference)


def of_first(asked: Answering) -> Answer:
    starting, (one, other) = asked.found.starting, asked.found.sides
    rows = [(asked.words.say("lab.side", side=1), one), (asked.words.say("lab.side", side=2), other)]
    if starting is None or not starting.battles:
        said = asked.say("first.unknown")
    else:
        said = asked.say(f"first.{verdict(starting.score, 0.5)}", share=asked.share(starting.score))
        rows = [(asked.words.say("lab.starting"), starting), *rows]
    return Answer(said, asked.say("scores"), [Line(name, of.battles, of.score, of.won) for name, of in rows])


def of_option(asked: Answering) -> Answer:
    """Reports the value with the greatest sure change, or the first value if no change is sure."""
    usual, *others = asked.found.variants
    named = {one.number: setting(asked, asked.found.plan.variants[one.number].changes) for one in asked.found.variants}
    decided = [one for one in others if change_of(one) in (STRONGER, WEAKER)]
    told = max(decided or others[:1], key=lambda one: abs(one.difference.value) if one.difference is not None else 0.0)
    values = {"usual": named[0], "other": named[told.number], "army": asked.armies[0]}
    values |= {"before": asked.share(usual.score), "after": asked.share(told.score)}
    said = asked.say(f"option.{change_of(told)}", **values)
    lines = [line_of(one, named[one.number]) for one in asked.found.variants]
    return Answer(said, asked.say("scores-of", army=asked.armies[0]), lines)


def setting(asked: Answering, changes: Mapping[str, Plain]) -> str:
    """The name of an option with its value in a variant."""
    ((path, value),) = changes.items()
    switch = next(one for one in asked.ruleset.switches if path == f"options.{one.name}")
    title = switch.title[asked.words.language]
    if isinstance(value, bool):
        return asked.say("with" if value else "without", option=title)
    of_book = Teller(asked.ruleset, asked.words.language).words
    key = f"option.{switch.name}.{value}"
    return f"{title}: {of_book.say(key) if of_book.has(key) else value}"


def of_missions(asked: Answering) -> Answer:
    """Reports the missions that surely favour one of the armies."""
    scenes = [(mission_of(asked, one), one) for one in asked.found.scenes]
    verdicts = [verdict(one.score, 0.5) for _, one in scenes]
    unfair = [favour(asked, *scene) for scene, of in zip(scenes, verdicts, strict=True) if of in (STRONGER, WEAKER)]
    if unfair:
        said = asked.say("missions.unfair", missions=", ".join(unfair), count=len(unfair))
    else:
        said = asked.say("missions.fair" if verdicts and set(verdicts) == {EVEN} else "missions.open")
    lines = [Line(name, one.battles, one.score, one.won) for name, one in scenes]
    return Answer(said, asked.say("scores-of", army=asked.armies[0]), lines)


def mission_of(asked: Answering, scene: Share) -> str:
    """How the book calls the mission of a scene."""
    name, term = scene.name.split(" · ")[0], asked.offers.term(asked.offers.mission)
    choices = term.choices if term is not None else ()
    return next((one.title[asked.words.language] for one in choices if str(one.value) == name), name)


def favour(asked: Answering, name: str, scene: Share) -> str:
    """A mission, whom it favours, and that army's score there."""
    one, (first, second) = scene.score, asked.armies
    if one.value >= 0.5:
        return asked.say("missions.favours", mission=name, army=first, share=asked.share(one))
    return asked.say("missions.favours", mission=name, army=second, share=asked.share(others(one)))


def others(score: Interval) -> Interval:
    """The other side's score."""
    return Interval(1.0 - score.value, 1.0 - score.high, 1.0 - score.low)


ANSWERS: Mapping[str, Callable[[Answering], Answer]] = {
    UNIT: of_unit,
    FIRST: of_first,
    OPTION: of_option,
    MISSIONS: of_missions,
}
