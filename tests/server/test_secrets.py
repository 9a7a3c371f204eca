"""Of two battles that differ in one side's secret, the other side and the public receive the same bytes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from campale.dice.sources import Seeded, Source
from campale.referee.fair import commitment
from campale.referee.game import Game
from campale.referee.question import Form, Question
from campale.referee.ruleset import load_ruleset
from campale.server.battle.seats import Keys
from campale.server.database.schema import BATTLE
from campale.server.database.store import Store
from tests.server.conftest import TOY, Serve, Served, draft
from tests.server.page import WAIT, Page


@dataclass(frozen=True)
class Known(Keys):
    """Nothing is drawn by chance, and the clock stands still."""

    numbers: Any = field(default_factory=count)

    def battle(self) -> str:
        return f"battle-{next(self.numbers)}"

    def code(self) -> str:
        return f"code-{next(self.numbers)}"

    def token(self) -> str:
        return f"token-{next(self.numbers)}"

    def seed(self) -> str:
        return "a seed that is known"

    def now(self) -> float:
        return 1_000_000.0


LOOKING_BACK = ("replay", "luck", "report.md", "export")


class Table:
    """A battle on a server of its own: the side with a secret, the other side, the public, and a screen at which the
    side with the secret does not sit alone."""

    def __init__(self, server: Served, book: str, force: dict[str, Any] | None = None, is_agreed: bool = True) -> None:
        self.server = server
        wanted = draft(book, "me", "me", is_agreed=is_agreed)
        made = server.create(wanted if force is None else wanted.with_force(0, force))
        self.pages: list[Page] = []
        for side in (0, 1, None):
            self.pages.append(server.page(made, side))
            self.pages[-1].until("state")
        self.pages.append(server.page(made, 0, veiled=True))
        self.pages[-1].until("state")
        self.pages[2].sync(*self.pages)
        self.made, self.battle = made, made.battle

    @property
    def game(self) -> Game:
        game = self.server.hall.lives[self.battle].game
        assert game is not None
        return game

    @property
    def asked(self) -> Page | None:
        return next((page for page in self.pages[:2] if page.question), None)

    def open_question(self, page: Page) -> Question:
        question = self.game.question_for(int(page.state["side"]))
        assert question is not None
        return question

    def answer(self, page: Page, answer: Any) -> str:
        reply = page.answer(answer)
        page.sync(*self.pages)
        return str(reply["is"])

    def begin(self) -> None:
        """Both agree, and one after the other tells a seed."""
        for page in self.pages[:2]:
            version = page.moment["setup"]["version"]
            assert page.reply(do="agree", version=version, seal=commitment("seed"))["is"] == "done"
            page.sync(*self.pages)
        for page in self.pages[:2]:
            assert page.reply(do="reveal", seed="seed")["is"] == "done"
            page.sync(*self.pages)
        until = time.monotonic() + WAIT
        while any(page.moment["stage"] != "playing" for page in self.pages):
            assert time.monotonic() < until
            self.pages[0].sync(*self.pages)

    def asks(self, page: Page, what: str, method: str = "GET", **how: Any) -> httpx2.Response:
        """What a route says to whoever sits at a page."""
        headers = {"Authorization": f"Bearer {page.token}"} if page.token else {}
        url = f"http://{self.server.address}/api/battles/{how.pop('battle', self.battle)}/{what}"
        return httpx2.request(method, url, headers=headers, timeout=120, **how)

    def looks_back(self) -> list[bytes]:
        """All that the others are told of the battle so far when they ask."""
        found = [self.asks(page, what) for page in self.pages[1:3] for what in LOOKING_BACK]
        assert {one.status_code for one in found} == {200}
        return [one.content for one in found]

    def branches(self, at: int) -> list[bytes]:
        """What the other side finds in a battle that goes on from a moment of this one, the saved game included."""
        made = self.asks(self.pages[1], "branch", "POST", json={"at": at, "side": 1, "against": "random"})
        assert made.status_code == 201, made.text
        battle, token = made.json()["battle"], made.json()["seats"][1]["token"]
        with Page(self.server.address, battle, token) as page:
            page.until("state")
            while page.moment["waiting_for"] != [1]:
                page.hear()
            shown = repr((page.lines, page.models, page.moment)).encode()
            assert page.reply(do="concede")["is"] == "done"
            assert page.reply(do="propose", what={"rematch": True})["word"] == "rematch.unknown-force"
            replay = self.asks(page, "replay", battle=battle)
            assert replay.status_code == 200
            return [made.content, shown, replay.content, self.asks(page, "export", battle=battle).content]

    def seen(self) -> list[list[str]]:
        """All that the others have received."""
        return [page.raw for page in self.pages[1:]]

    def upgraded(self, serve: Serve) -> Table:
        """The same battle on a newer server, which goes on from the last boundary."""
        self.close()
        self.server.end()
        database = self.server.settings.database
        store = Store(database)
        with store.writing() as connection:
            connection.execute(update(BATTLE).values(campale="0.0.0-before"))
        store.close()
        self.server = serve(Known(), database=database)
        tokens = [page.token for page in self.pages]
        self.pages = []
        for number, token in enumerate(tokens):
            self.pages.append(Page(self.server.address, self.battle, token, veiled=number == 3))
            self.pages[-1].until("state")
        self.pages[2].sync(*self.pages)
        return self

    def close(self) -> None:
        for page in self.pages:
            page.__exit__()


def alike(one: Table, two: Table) -> None:
    """The others have received the same, message by message."""
    for mine, theirs in zip(one.seen(), two.seen(), strict=True):
        for number, (this, that) in enumerate(zip(mine, theirs, strict=False)):
            assert this == that, number
        assert len(mine) == len(theirs)


def both(serve: Serve, folder: Path, book: str, *forces: dict[str, Any], **how: Any) -> tuple[Table, Table]:
    servers = [serve(Known(), database=f"sqlite:///{folder}/{name}.db") for name in "ab"]
    one, two = (
        Table(server, book, force, **how) for server, force in zip(servers, forces or (None, None), strict=True)
    )
    return one, two


def is_secret(question: Question) -> bool:
    return question.about.get("open") is False


@pytest.mark.parametrize("book", [TOY, "drill"])
def test_a_secret_order_shows_in_nothing(serve: Serve, tmp_path: Path, book: str) -> None:
    one, two = both(serve, tmp_path, book)
    rng, differing, revealed = Random(4), 0, 0
    for _ in range(40):
        page, other = one.asked, two.asked
        assert page is not None
        assert other is not None
        question = one.open_question(page)
        answer = page.proposal(rng)
        instead = answer
        if page is one.pages[0] and is_secret(question) and not differing:
            answer, instead = two_answers(question)
            differing, revealed = 1, one.game.position.revealed
        assert (one.answer(page, answer), two.answer(other, instead)) == ("done", "done")
        if answer != instead:
            assert asked_back(one) == asked_back(two)
        if differing and one.game.position.revealed != revealed:
            break
        alike(one, two)
    assert differing
    assert one.game.record != two.game.record
    one.close()
    two.close()


def asked_back(table: Table) -> list[Any]:
    """What the others are told where somebody asks to take back what he has answered in secret."""
    reply = table.pages[0].reply(do="propose", what={"undo": True})
    table.pages[0].sync(*table.pages)
    told = [page.moment.get("proposal") for page in table.pages[1:]]
    table.pages[0].reply(do="decline")
    table.pages[0].sync(*table.pages)
    return [reply["is"], *told]


def two_answers(question: Question) -> tuple[Any, Any]:
    found = {repr(one): one for one in (question.sample(Random(n)) for n in range(30))}
    first, second, *_ = found.values()
    return first, second


def reserves(question: Form, turn: int) -> list[Any]:
    """Every second unit that may is kept back until a turn."""
    answers: list[Any] = []
    while (field := question.field(answers)) is not None:
        keys = field.options() or ()
        alone = next((key for key in keys if isinstance(key, tuple) and key[0] == turn), None)
        answers.append("deploy" if alone is None or len(answers) % 2 else list(alone))
    return answers


class Apart:
    """Dice of a seed; those that are rolled in secret all fall alike, and take nothing from the others."""

    def __init__(self, face: int, open_dice: Seeded) -> None:
        self.face, self.open_dice = face, open_dice

    def copy(self) -> Source:
        return Apart(self.face, self.open_dice.copy())

    def answer(self, question: Any) -> Any:
        return [self.face] * question.count if question.about.get("secret") else self.open_dice.answer(question)


def test_reserves_written_in_secret_show_in_nothing_until_they_come(serve: Serve, tmp_path: Path) -> None:
    """One army's reserves are due in the second round and all fail; the other's are due in the third, and all come."""
    one, two = both(serve, tmp_path, "e55")
    one.game.dice, two.game.dice = Apart(1, Seeded("open")), Apart(6, Seeded("open"))
    is_written, rolled, further = False, (0, 0), 12
    while further:
        page, other = one.asked, two.asked
        assert page is not None
        assert other is not None
        question = one.open_question(page)
        if page is one.pages[0] and isinstance(question, Form) and is_secret(question):
            answers = reserves(question, 2), reserves(question, 3)
            assert answers[0] != answers[1]
            is_written = True
        else:
            answers = page.proposal(), other.proposal()
            assert answers[0] == answers[1]
        assert (one.answer(page, answers[0]), two.answer(other, answers[1])) == ("done", "done")
        alike(one, two)
        further -= bool(one.game.unseen and two.game.unseen)
        if (fallen := (len(one.game.unseen), len(two.game.unseen))) != rolled:
            rolled = fallen
            assert one.looks_back() == two.looks_back()
    assert is_written
    assert min(rolled) > 0
    assert any("reserve" in str(line.get("rules")) for line in one.pages[1].lines), "nobody came"
    assert one.game.record != two.game.record
    assert one.looks_back() == two.looks_back()
    known = max(line.get("at", 0) for line in one.pages[1].lines)
    for moment in (0, 2, known):
        assert one.branches(moment) == two.branches(moment), moment
    one, two = one.upgraded(serve), two.upgraded(serve)
    alike(one, two)
    assert one.looks_back() == two.looks_back()
    one.close()
    two.close()


def test_an_army_that_is_not_placed_shows_in_nothing(serve: Serve, tmp_path: Path) -> None:
    offers = load_ruleset("e55").offers
    assert offers is not None
    first, second = [one.plain for one in offers().forces if one.points == 750][:2]
    assert first != second
    one, two = both(serve, tmp_path, "e55", first, second, is_agreed=False)
    alike(one, two)
    for table in (one, two):
        table.begin()
    for _ in range(2):
        alike(one, two)
        assert one.looks_back() == two.looks_back()
        for table in (one, two):
            asked = table.asked
            assert asked is not None
            assert table.answer(asked, asked.proposal()) == "done"
    assert one.branches(0) == two.branches(0)
    one.close()
    two.close()


# ---------------------------------------------------------------- two at one screen


def test_under_a_veil_a_seat_is_told_what_everybody_may_see(serve: Serve) -> None:
    """Of what is asked in secret it is told that it is asked; what lay under the veil comes when it is lifted."""
    table = Table(serve(), TOY)
    own, veiled = table.pages[0], table.pages[3]
    while not own.question or not is_secret(table.open_question(own)):
        asked = table.asked
        assert asked is not None
        assert table.answer(asked, asked.proposal()) == "done"
    assert (veiled.question, veiled.moment["veil"], veiled.moment.get("sheet")) == (own.question, "secret", None)
    assert veiled.reply(do="veil", on=False)["is"] == "done"
    shown = veiled.until("state")
    assert (shown["moment"]["veil"], shown["moment"]["sheet"]) == ("", own.moment["sheet"])
    assert veiled.reply(do="veil", on=True)["is"] == "done"
    covered = veiled.until("state")
    assert (covered["moment"]["veil"], covered["moment"].get("sheet")) == ("secret", None)
    table.close()


def test_what_everybody_may_see_is_asked_under_the_veil_too(serve: Serve, tmp_path: Path) -> None:
    """Its answers and refusals are those of the seat; the book says whether there is anything else to look at."""
    for book, veil in (("ragnarok", "open"), ("e55", "secrets")):
        server = serve(database=f"sqlite:///{tmp_path}/{book}.db")
        made = server.create(draft(book, "me", "me", is_agreed=True))
        pages = [server.page(made, side, veiled=True) for side in (0, 1)]
        for page in pages:
            page.until("state")
        asked = next(page for page in pages if page.question)
        assert (asked.moment["veil"], bool(asked.moment["sheet"])) == (veil, True)
        assert asked.answer(asked.proposal())["is"] == "done"


def test_after_the_veil_is_drawn_nothing_secret_comes_any_more(serve: Serve, tmp_path: Path) -> None:
    """Whoever took the screen and gave it back is told again what everybody is told, message by message."""
    one, two = both(serve, tmp_path, "e55")
    for table in (one, two):
        veiled = table.pages[3]
        for on in (False, True):
            assert veiled.reply(do="veil", on=on)["is"] == "done"
            veiled.until("state")
        veiled.raw.clear()
    further, written = 30, False
    while further:
        asked, other = one.asked, two.asked
        assert asked is not None
        assert other is not None
        page, question = asked, one.open_question(asked)
        answers = page.proposal(), other.proposal()
        if page is one.pages[0] and isinstance(question, Form) and is_secret(question):
            answers, written = (reserves(question, 2), reserves(question, 3)), True
        assert (one.answer(page, answers[0]), two.answer(other, answers[1])) == ("done", "done")
        assert one.pages[3].raw == two.pages[3].raw
        further -= 1
    assert written
    one.close()
    two.close()


def test_a_line_that_comes_back_stays_veiled(serve: Serve) -> None:
    table = Table(serve(), TOY)
    with table.server.page(table.made, 0, veiled=True, seen=table.pages[3].seq) as again:
        again.sync()
        assert not [one for one in again.raw if '"sheet"' in one]
    table.close()


def test_the_orders_of_edition_3m_show_in_nothing_until_they_are_shown(serve: Serve, tmp_path: Path) -> None:
    """Ready or March: until step 4 the other side is told, asked and refused the same; then it shows who may move."""
    one, two = both(serve, tmp_path, "e3m")
    for table in (one, two):
        for seat in table.pages[:2]:
            assert seat.reply(do="standing", orders={"default": "ask"})["is"] == "done"
    written: list[list[str]] = []
    refused = 0
    for _ in range(120):
        asked, other = one.asked, two.asked
        assert asked is not None
        assert other is not None
        page, question = asked, one.open_question(asked)
        answers = [page.proposal(Random(1))] * 2
        if question.prompt == "orders":
            rows = len(question.about["units"])
            answers = [["ready"] * rows, ["march"] * rows] if page is one.pages[0] else [["ready"] * rows] * 2
            written += answers if page is one.pages[0] else []
        elif page is one.pages[1]:
            assert one.answer(page, "nonsense") == two.answer(other, "nonsense") == "refused"
            refused += bool(written)
        assert one.answer(page, answers[0]) == two.answer(other, answers[1]) == "done"
        if one.game.position.now["phase"] == "movement":
            break
        alike(one, two)
    assert one.game.position.now["phase"] == two.game.position.now["phase"] == "movement"
    assert written[0] != written[1]
    assert refused
    one.close()
    two.close()
