"""Somebody at a page of Campale: uses it by what it shows, as people do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from playwright.sync_api import Locator, Page, TimeoutError, expect

WORDS = Path(__file__).parents[2] / "web" / "src"
SAID = {
    one: {
        key: text
        for path in sorted(WORDS.glob(f"**/words/{one}.json"))
        for key, text in json.loads(path.read_text("utf-8")).items()
    }
    for one in ("en", "it")
}
SOON = 3_000
TRIES = 5
TURNS, A_TURN = 1_500, 20
MOST = 1_500
"""So many decisions no battle of the tests has."""


def filled(found: re.Match[str], value: object) -> str:
    """What stands in a place: the value, or the word that goes by it."""
    return str(value) if found[2] is None else found[2 if value == 1 else 3]


class Player:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.language = "en"
        self.decisions = 0
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    # ------------------------------------------------------------------ what is seen

    def say(self, key: str, **values: object) -> str:
        """What the page says for a key, in the language it is in."""
        text = SAID[self.language][key]
        return re.sub(r"\{(\w+)(?:\|(.*?)\|(.*?))?\}", lambda found: filled(found, values[found[1]]), text)

    def wait_for(self, expression: str) -> None:
        """Wait until an expression of the page is true. The page forbids ``eval``, by which Playwright would poll."""
        for _ in range(TURNS):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(A_TURN)
        raise AssertionError(f"never true: {expression}")

    def button(self, key: str, **values: object) -> Locator:
        return self.page.get_by_role("button", name=self.say(key, **values), exact=True)

    def heading(self, key: str, **values: object) -> Locator:
        return self.page.get_by_role("heading", name=self.say(key, **values))

    # What is looked for at every question is looked for by how it is written: to find out the role and the name of
    # everything on the page takes the browser longer than to show it. ``test_what_is_asked_has_its_roles`` compares.

    @property
    def panel(self) -> Locator:
        return self.page.locator(f'section[aria-label="{self.say("ask.panel")}"]')

    @property
    def primary(self) -> Locator:
        """The large button of the panel: what Enter does."""
        return self.panel.locator("button[aria-keyshortcuts=Enter]")

    @property
    def refusal(self) -> Locator:
        return self.panel.locator("[role=alert]")

    @property
    def over(self) -> Locator:
        return self.page.locator(f'h2:text("{self.say("over.title")}")')

    @property
    def journal(self) -> Locator:
        return self.page.locator(f'[role=log][aria-label="{self.say("side.journal")}"]')

    @property
    def battle(self) -> str:
        """The id of the battle shown."""
        return self.page.url.split("/")[4].partition("?")[0]

    def base(self, name: str) -> Locator:
        """A model on the table by the beginning of its name."""
        table = self.page.locator(f'[role=group][aria-label="{self.say("board.title")}"]')
        return table.get_by_role("button", name=re.compile(rf"^{re.escape(name)}")).first

    # ------------------------------------------------------------------ before a battle

    def demo(self, book: str) -> None:
        """The battle that is one click away."""
        self.page.goto("/")
        card = self.page.get_by_role("article").filter(has=self.page.get_by_role("heading", name=book))
        card.get_by_role("button", name=self.say("home.demo")).click()
        self.page.wait_for_url("**/b/*")
        self.asked()

    def new(self, book: str) -> None:
        self.page.goto("/")
        card = self.page.get_by_role("article").filter(has=self.page.get_by_role("heading", name=book))
        card.get_by_role("link", name=self.say("home.new.book")).click()
        expect(self.button("new.create")).to_be_visible()

    def seat(self, side: int, who: str) -> Locator:
        """Somebody on a seat: ``me``, ``link`` or ``bot``; the seat, for more to be said of it."""
        seat = self.page.get_by_role("group", name=self.say(f"side.{side}"), exact=True)
        key = "new.seat.also" if side == 1 and who == "me" else f"new.seat.{who}"
        seat.get_by_role("radio", name=self.say(key), exact=True).check()
        return seat

    def force(self, side: int, file: Path) -> None:
        """A force of one's own."""
        seat = self.page.get_by_role("group", name=self.say(f"side.{side}"), exact=True)
        seat.locator("input[type=file]").set_input_files(file)
        expect(seat.get_by_text(self.say("force.own"))).not_to_be_visible()

    def create(self) -> None:
        self.button("new.create").click()
        self.page.wait_for_url("**/b/*")

    def agree(self) -> None:
        self.button("waiting.agree").click()

    # ------------------------------------------------------------------ play

    def asked(self) -> bool:
        """Wait until something can be answered by this player; False where the battle is over instead.

        While an answer is on its way its question still stands there, and what is read then is the one before.
        """
        self.ready()
        return not self.over.is_visible()

    @property
    def going(self) -> Locator:
        """The large button while it can be clicked."""
        return self.panel.locator("button[aria-keyshortcuts=Enter]:enabled")

    def ready(self) -> bool:
        """Wait until the large button can be clicked, or something is refused; whether it can be clicked."""
        self.going.or_(self.refusal).or_(self.over).first.wait_for()
        return self.going.is_visible()

    def go_on(self) -> None:
        """Take what the large button says; where that is refused, what can be had instead."""
        for _ in range(TRIES):
            if not self.ready():
                if self.refusal.is_visible():
                    self.otherwise()
                return
            if self.click(self.primary):
                return

    def click(self, button: Locator) -> bool:
        """Whether a click counted: the button has to be there for it still, and the panel goes on by itself, too."""
        try:
            button.click(timeout=SOON)
        except TimeoutError:
            return False
        self.decisions += 1
        return True

    def on_to(self, there: Locator) -> None:
        """Go on until something is there: a click that came too soon, or too late, is made again."""
        for _ in range(TRIES):
            if there.is_visible():
                return
            self.go_on()
            with suppress(AssertionError):
                expect(there.first).to_be_visible(timeout=SOON)
        expect(there.first).to_be_visible()

    def command(self, line: str) -> None:
        """Type a line on the command line."""
        self.page.keyboard.press("/")
        self.page.keyboard.type(line)
        self.page.keyboard.press("Enter")

    def otherwise(self) -> None:
        """Out of what is refused: another proposal, or to stay, or to begin anew."""
        for key in ("ask.another", "ask.propose", "ask.propose.place", "ask.stay", "ask.cancel"):
            button = self.panel.get_by_role("button", name=re.compile(rf"^\W*{re.escape(self.say(key))}\b"))
            if button.is_visible():
                self.click(button)
                return

    def help(self, kind: str) -> Locator:
        """What the panel says to somebody who has not begun to answer."""
        return self.panel.get_by_text(self.say(f"ask.help.{kind}"))

    @property
    def options(self) -> Locator:
        return self.panel.locator(f'[role=list][aria-label="{self.say("ask.options")}"] button')

    def choose(self, rng: Random) -> bool:
        """Click one of the options; False where there are none."""
        count = self.options.count()
        if not count:
            return False
        self.click(self.options.nth(rng.randrange(count)))
        return True

    def try_on(self) -> bool:
        """Go on, if anything is asked just now: by the time of the click it may be the other side that is asked."""
        if self.going.is_visible():
            self.click(self.primary)
        elif self.refusal.is_visible():
            self.otherwise()
        else:
            return False
        return True

    def play(self, rng: Random, until: Callable[[], bool] = lambda: False, often: float = 0.3) -> None:
        """Click on until the battle is over: mostly what is proposed, now and then an option."""
        for _ in range(MOST):
            if not self.asked() or until():
                return
            if not (rng.random() < often and self.ready() and self.choose(rng)):
                self.go_on()
        raise AssertionError("the battle does not end")

    # ------------------------------------------------------------------ the table

    def first_moved(self) -> str:
        """The name of the first of the models that are to be moved or set down."""
        row = self.panel.get_by_role("rowheader").first
        if not row.is_visible():
            self.panel.get_by_text(re.compile(self.each_of_them)).click()
        return row.inner_text().partition("#")[0].strip()

    @property
    def each_of_them(self) -> str:
        return rf"^({self.say('ask.each-model.one')}|{self.say('ask.each-model', count='.*')})$"

    def is_low(self, name: str) -> bool:
        """Whether a model stands in the lower half of the table as it is seen."""
        box = self.base(name).bounding_box()
        size = self.page.viewport_size
        assert box is not None
        assert size is not None
        return box["y"] > size["height"] / 2

    def drag(self, what: Locator, right: float, down: float) -> None:
        """Drag something of the table by so many pixels."""
        box = what.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right / 2, y + down / 2, steps=4)
        self.page.mouse.move(x + right, y + down, steps=4)
        self.page.mouse.up()

    def tab(self, key: str) -> None:
        """Turn to a part of the column beside the table."""
        self.page.get_by_role("tab", name=self.say(key)).click()

    def sit(self, battle: str, seats: dict[int, str]) -> None:
        """Open a battle in which seats are this browser's already, by their tokens."""
        held = {battle: [{"side": side, "token": token} for side, token in seats.items()]}
        name, value = json.dumps("campale.seats"), json.dumps(json.dumps(held))
        self.page.add_init_script(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, {value})")
        self.page.goto(f"/b/{battle}")

    def token(self, battle: str) -> str:
        """The token of the one seat that this browser has in a battle."""
        held = json.loads(self.page.evaluate("localStorage.getItem('campale.seats')"))
        (seat,) = held[battle]
        return str(seat["token"])
