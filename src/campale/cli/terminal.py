"""A battle in the terminal: questions with numbered options, typed answers, and other commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from campale.cli.common import Sorry, say, titled, write_file
from campale.cli.entries import told_entry
from campale.cli.typed import NotUnderstood, Typed
from campale.cli.whole import reasons, table_told, units_told
from campale.draw import svg
from campale.players import Player
from campale.referee.game import Game
from campale.referee.lawful import only_answer
from campale.referee.position import Position
from campale.referee.question import Choose, Form, MoveUnit, Place, Question
from campale.referee.records.saved import save
from campale.referee.refusal import Plain
from campale.referee.rule import each_once
from campale.referee.seat import Seat
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import lines, without_empty_chapters
from campale.referee.view import seen_position
from campale.screen.foretelling import foretold_shown
from campale.screen.proposing import proposed
from campale.screen.sheet import completed, is_whole
from campale.screen.telling import gap_told, summary

Ask = Callable[[str], str]
Print = Callable[[str], None]


class Back(Exception):
    """Go back to the field before."""


class Again(Exception):
    """The battle has changed during the question: ask again."""


class Quit(Exception):
    """Leave the battle as it stands."""


class Terminal:
    """People (and bots) at one terminal. ``asks`` reads a line after a prompt, ``prints`` writes one."""

    def __init__(self, game: Game, bots: Mapping[int, Player], language: str, asks: Ask, prints: Print) -> None:
        self.game, self.bots = game, dict(bots)
        self.language = language
        self.asks, self.prints = asks, prints
        self.told = 0
        self.rng = Random("terminal")
        self.people = [side for side in (0, 1) if side not in self.bots]

    # ------------------------------------------------------------------ the battle

    def play(self) -> None:
        """Play to the end of the battle, or until somebody quits (Quit)."""
        while not self.game.is_over:
            self.tell()
            side = self.game.asked[0]
            if side in self.bots and not self.game.pending[side].is_chance:
                self.game.answer(side, self.bots[side].answer(Seat(self.game, side)))
            else:
                self.turn_of(side)
        self.tell()

    def turn_of(self, side: int | None) -> None:
        """Take one answer of a person, asked until it is accepted, or one command that changes the battle."""
        question = self.game.pending[side]
        try:
            answer = self.asked(question)
            refusal = self.game.answer(side, answer)
            if refusal is not None:
                self.prints("  ✗ " + self.teller(side).refusal(refusal))
        except (Again, Back):
            return

    def tell(self) -> None:
        """Print the new events, as the people at the terminal may know them."""
        side = self.people[0] if len(self.people) == 1 else None
        self.told = min(self.told, len(self.game.journal))
        fresh = self.game.journal[self.told :]
        seen = [one for event in fresh if (one := event.as_seen_by(side)) is not None]
        for line in without_empty_chapters(list(lines(seen, self.teller(side))), goes_on=True):
            self.prints(line.as_text() if line.level else f"  {line.as_text()}")
        self.told = len(self.game.journal)

    def teller(self, side: int | None) -> Teller:
        return Teller.of(self.game, self.language, seen_position(self.game, side))

    # ------------------------------------------------------------------ asking

    def asked(self, question: Question) -> Plain:
        """A person's answer to any question; a form is asked field by field."""
        self.prints("")
        if isinstance(question, Form):
            return self.form(question)
        return self.one(question)

    def form(self, form: Form) -> list[Plain]:
        """Ask the fields one after another; those with a single answer fill themselves in, and going back skips them.

        If the words list the form under ``whole``, its whole proposal is shown, and single fields can be changed.
        """
        if is_whole(form, self.teller(form.side)):
            offered = self.offered(form)
            if len(offered) > 1:
                return self.form_shown(form, offered)
        else:
            self.prints(self.headline(form) + "  " + say("form-hint"))
        answers: list[Plain] = []
        chosen: list[int] = []
        while (field := form.field(answers)) is not None:
            only = only_answer(field)
            try:
                given = only[0] if only else self.form(field) if isinstance(field, Form) else self.one(field)
            except Back:
                if not chosen:
                    raise
                del answers[chosen.pop() :]
                continue
            if only is None:
                chosen.append(len(answers))
            answers.append(given)
        return answers

    def form_shown(self, form: Form, answers: list[Plain]) -> list[Plain]:
        """Show all fields as proposed; Enter takes them, and their numbers change them one by one."""
        while True:
            teller = self.teller(form.side)
            self.prints(self.headline(form))
            fields = [form.field(answers[:place]) for place in range(len(answers))]
            for number, (field, answer) in enumerate(zip(fields, answers, strict=True), 1):
                if field is not None:
                    told = summary(field, answer, self.game.position, teller)
                    self.prints(f"  {number:>2}  {teller.question(field)}  {told}")
            text = self.line(say("enter-all"))
            if self.command(text, form):
                continue
            refusal = form.refusal(answers) if text == "" else None
            if refusal is not None:
                self.prints("  ✗ " + teller.refusal(refusal))
            elif text == "":
                return answers
            elif text.isdecimal() and 1 <= int(text) <= len(answers):
                answers = self.changed(form, answers, int(text) - 1)
            else:
                self.prints("  ? " + say("type.whole", last=len(answers)))

    def changed(self, form: Form, answers: list[Plain], place: int) -> list[Plain]:
        """The answers with one replaced; later answers stay if they still fit."""
        field = form.field(answers[:place])
        if field is None:
            return answers
        try:
            given = [*answers[:place], self.one(field), *answers[place + 1 :]]
        except Back:
            return answers
        kept, _ = completed(form, given, place, self.teller(form.side), self.seen_by(form.side))
        return [answer for _, answer in kept]

    def one(self, question: Question) -> Plain:
        """Ask one question until its answer is legal. Raises Back, Again or Quit for commands that leave it."""
        teller = self.teller(question.side)
        self.show(question, teller)
        typed = Typed(self.game.position, teller)
        offered = None if question.is_chance else self.offered(question)
        while True:
            text = self.read(question, offered, teller)
            if self.command(text, question):
                continue
            try:
                given = self.given(question, text, offered, typed)
            except NotUnderstood as error:
                self.prints("  ? " + (str(error) or self.typing(question)))
                continue
            refusal = question.refusal(given)
            if refusal is not None:
                self.prints("  ✗ " + teller.refusal(refusal))
            elif isinstance(question, MoveUnit | Place) and text and is_partial(text):
                offered = given
            else:
                return given

    def offered(self, question: Question) -> Plain:
        """The answer that Enter takes."""
        return proposed(question, self.teller(question.side), self.seen_by(question.side))

    def seen_by(self, side: int | None) -> Position:
        return seen_position(self.game, side)

    def given(self, question: Question, text: str, offered: Plain, typed: Typed) -> Plain:
        if text == "" and not question.is_chance:
            return offered
        if text in {"roll", "tira"} and question.is_chance:
            return question.sample(self.rng)
        return typed.answer(question, text, offered)

    def read(self, question: Question, offered: Plain, teller: Teller) -> str:
        if question.is_chance:
            return self.line(say("enter-rolls"))
        for one in foretold_shown(question, offered, teller):
            self.prints(f"      ! {one.text} {teller.cited(one.rule.id)}")
        return self.line(say("enter-takes", answer=summary(question, offered, self.game.position, teller)))

    def line(self, hint: str) -> str:
        try:
            return self.asks(f"  {hint} > ").strip()
        except EOFError:
            raise Quit from None

    def show(self, question: Question, teller: Teller) -> None:
        """The question, and its options numbered."""
        self.prints(self.headline(question))
        for number, key in enumerate(self.listed(question), 1):
            self.prints(f"  {number:>2}  {teller.option(question, key)}{self.place_of(question, key)}")
        left_out = len(question.candidates) - len(question.options()) if isinstance(question, Choose) else 0
        if left_out:
            self.prints("      " + say("left-out", count=left_out))
        if isinstance(reach := getattr(question, "shown", {}).get("allowance"), int | float):
            self.prints("      " + say("reach", far=teller.words.shown(float(reach)), unit=teller.unit_of_length))
        if question.kind not in {"choose", "form"}:
            self.prints(f"      {self.typing(question)}")

    def headline(self, question: Question) -> str:
        teller = self.teller(question.side)
        who = teller.side(question.side) if question.side is not None else say("dice")
        asked = teller.question(question)
        cited = f"  [{question.rules[-1]}]" if question.rules else ""
        return f"{asked if asked.startswith(who) else f'{who}: {asked}'}{cited}"

    def listed(self, question: Any) -> list[Plain]:
        if question.kind == "choose":
            return list(question.options())
        if question.kind == "order":
            return list(question.items)
        return list(question.pool) if question.kind == "draw" and question.about.get("open", True) else []

    def place_of(self, question: Any, key: Plain) -> str:
        """The place of an offered model, or the distance of a unit from its target."""
        if getattr(question, "of", "") != "model" or not isinstance(key, int):
            return gap_told(question, key, self.game.position, self.teller(question.side))
        model = self.game.position.model(key)
        return f"  #{key} ({model.x:g}, {model.y:g})" if model.is_on_table else f"  #{key}"

    def typing(self, question: Question) -> str:
        """The forms of answer that can be typed."""
        is_several = isinstance(question, MoveUnit) and len(question.about.get("models", ())) > 1
        is_lone = isinstance(question, Place) and len(question.about.get("models", ())) == 1
        kind = "moves" if is_several else "place-one" if is_lone else question.kind
        return say(f"type.{kind}", **self.limits(question))

    def limits(self, question: Any) -> dict[str, Any]:
        told: dict[str, Any] = {"last": len(self.listed(question)), "count": len(question.about.get("models", (1,)))}
        if question.kind == "number":
            told |= {"low": question.low, "high": question.high}
        if question.kind == "allot":
            teller = self.teller(question.side)
            told |= {"holders": ", ".join(f"{row} {teller.model(row)}" for row in question.holders)}
        return told

    # ------------------------------------------------------------------ commands

    def command(self, text: str, question: Question) -> bool:
        """Carry out a command. Returns whether the text was one; commands that leave the question raise."""
        word, _, rest = text.partition(" ")
        name = COMMANDS.get(word.casefold())
        if name is None or (rest and name not in TAKING_MORE):
            return False
        getattr(self, f"do_{name}")(question, rest.strip())
        return True

    def do_why(self, question: Question, rest: str) -> None:
        """The rules in force, with text and ruling."""
        entries = self.game.ruleset.ledger.entries
        for rule in each_once(question.rules):
            entry = entries.get(rule)
            self.prints(f"  {rule}  {titled(entry.title) if entry else ''}")
            for text in told_entry(entry, self.language) if entry else ():
                self.prints(f"      {text}")

    def do_undo(self, question: Question, rest: str) -> None:
        sides = [question.side] if question.side is not None else self.people
        refusals = [self.game.undo(side) for side in sides]
        if None in refusals:
            self.told = len(self.game.journal)
            self.prints("  " + say("undone"))
            raise Again
        self.prints("  ✗ " + self.teller(question.side).refusal(next(one for one in refusals if one is not None)))

    def do_save(self, question: Question, rest: str) -> None:
        try:
            write_file(Path(rest or f"{self.game.ruleset.name}.json"), save(self.game))
            self.prints("  " + say("saved", file=rest or f"{self.game.ruleset.name}.json"))
        except Sorry as error:
            self.prints(f"  ? {error}")

    def do_map(self, question: Question, rest: str) -> None:
        position = seen_position(self.game, question.side)
        if not rest:
            for line in table_told(position, self.teller(question.side)):
                self.prints(line)
            return
        try:
            write_file(Path(rest), svg(position, title=titled(self.game.ruleset.title)))
            self.prints("  " + say("saved", file=rest))
        except Sorry as error:
            self.prints(f"  ? {error}")

    def do_list(self, question: Question, rest: str) -> None:
        """Every model on the table."""
        position, teller = seen_position(self.game, question.side), self.teller(question.side)
        for model in position.on_table():
            self.prints(f"  {told_model(model, teller)}")

    def do_units(self, question: Question, rest: str) -> None:
        """Every unit on the table, and what there is to win."""
        position, teller = seen_position(self.game, question.side), self.teller(question.side)
        for told in units_told(position, teller):
            self.prints(f"  {told}")

    def do_score(self, question: Question, rest: str) -> None:
        """The state of the battle, if the ruleset has one."""
        position, teller = seen_position(self.game, question.side), self.teller(question.side)
        standing = self.game.ruleset.standing
        for kind, values in standing(position) if standing is not None else ():
            self.prints("  " + teller.filled(f"standing.{kind}", values))

    def do_others(self, question: Question, rest: str) -> None:
        """The options closed now, with the reasons."""
        left_out = reasons(question, self.teller(question.side)) if isinstance(question, Choose) else {}
        for why, options in left_out.items():
            self.prints(f"  ✗ {why}")
            self.prints(f"      {'; '.join(options)}")
        if not left_out:
            self.prints("  " + say("nothing-left-out"))

    def do_measure(self, question: Question, rest: str) -> None:
        """The possible measurements from one model to another."""
        position, measure = seen_position(self.game, question.side), self.game.ruleset.measure
        standing = {str(model.row): model for model in position.on_table()}
        pair = [standing.get(row) for row in rest.split()]
        if measure is None or len(pair) != 2 or pair[0] is None or pair[1] is None:
            self.prints("  ? " + say("type.measure"))
            return
        teller = self.teller(question.side)
        for name, value in measure(pair[0], pair[1]).items():
            told = teller.word("measure", value) if isinstance(value, str) else f"{value:g}"
            self.prints(f"  {teller.word('measure', name)}: {told}")

    def do_help(self, question: Question, rest: str) -> None:
        self.prints(self.typing(question))
        if isinstance(question, MoveUnit):
            self.prints(say("help.moves"))
        self.prints(say("terminal-help"))

    def do_back(self, question: Question, rest: str) -> NoReturn:
        raise Back

    def do_concede(self, question: Question, rest: str) -> NoReturn:
        self.game.concede(question.side if question.side is not None else self.people[0])
        raise Again

    def do_doubt(self, question: Question, rest: str) -> None:
        side = question.side if question.side is not None else self.people[0]
        refusal = self.game.doubt(side)
        if refusal is None:
            raise Again
        self.prints("  ✗ " + self.teller(side).refusal(refusal))

    def do_quit(self, question: Question, rest: str) -> NoReturn:
        raise Quit


NAMES = {
    "undo": ("undo", "annulla"),
    "save": ("save", "salva"),
    "map": ("map", "mappa"),
    "list": ("list", "elenco"),
    "units": ("units", "unità", "unita"),
    "score": ("score", "punti"),
    "others": ("others", "altri"),
    "measure": ("measure", "misura"),
    "help": ("help", "?", "aiuto"),
    "back": ("back", "indietro"),
    "concede": ("concede", "cedi"),
    "doubt": ("doubt", "dubbio"),
    "quit": ("quit", "q", "exit", "esci"),
    "why": ("why", "why?", "perché", "perché?", "perche", "perche?"),
}
TAKING_MORE = frozenset({"save", "map", "list", "measure"})
COMMANDS = {typed: name for name, all_typed in NAMES.items() for typed in all_typed}


ONE_OF_SEVERAL = re.compile(r"\d+\s+(?:at|to|a|towards|verso|stay|resta|facing|fronte)\b(?!.*\b(?:all|tutti)$)")


def is_partial(text: str) -> bool:
    """Whether the text names one of several models, so that the places of the others must still be confirmed."""
    return ONE_OF_SEVERAL.match(text) is not None


def told_model(model: Any, teller: Teller) -> str:
    """A model in one line: row, name, side, place, marks."""
    columns = model.position.of_models.columns
    marked = [
        f"{teller.word('marker', name)} {column[model.row]}"
        for name, column in sorted(columns.items())
        if column[model.row] and teller.key(f"marker.{name}", name)
    ]
    where = f"({model.x:g}, {model.y:g}) {model.facing:g}°"
    return "  ".join([f"#{model.row}", model.name, teller.side(model.side), where, ", ".join(marked)]).rstrip()
