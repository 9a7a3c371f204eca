"""A word that each side writes in secret, both at once, and reveals when a rule of the book says so. It is in
``position.declared`` as ``secret-<prompt>-<side>`` and, once revealed, as ``<prompt>-<side>``. A book's own functions
carry the rules:

    ORDERS = Secret("order", ("advance", "hold"))

    @rule("orders/secret")
    async def write_orders(position: Position) -> None:
        await ORDERS.write(position)
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from campale.referee.ask import together
from campale.referee.position import Position
from campale.referee.question import Choose

SIDES = (0, 1)


class Secret(NamedTuple):
    """The prompt of the question, and the words from which each side chooses."""

    prompt: str
    words: tuple[str, ...]

    def hidden(self, side: int) -> str:
        """The declaration with a side's hidden word."""
        return f"secret-{self.prompt}-{side}"

    def open(self, side: int) -> str:
        """The declaration with a side's revealed word."""
        return f"{self.prompt}-{side}"

    async def write(self, position: Position) -> None:
        """One question to both sides; the answers are kept apart and released together."""
        asked = {side: Choose(side, self.prompt, self.words, about={"open": False}) for side in SIDES}
        for side, word in sorted((await together(dict(asked))).items()):
            position.declare(self.hidden(side), word)

    def turn_up(self, position: Position, side: int) -> bool:
        """Reveal a side's word, with the event ``<prompt>-revealed``. Returns whether there was one."""
        word = position.declared.get(self.hidden(side))
        if word is None:
            return False
        position.declare(self.hidden(side), None)
        position.declare(self.open(side), word)
        position.reveal(f"{self.prompt}-revealed", side=side, **{self.prompt: word})
        return True

    def shown(self, position: Position, side: int) -> str | None:
        """The word that a side has revealed; None while it is hidden, or if there is none."""
        word = position.declared.get(self.open(side))
        return None if word is None else str(word)

    def drop(self, position: Position) -> None:
        """Remove both words, revealed or not."""
        for side in SIDES:
            position.declare(self.hidden(side), None)
            position.declare(self.open(side), None)

    def seen_by(self, side: int | None, position: Position) -> Position:
        """The position without what the side may not know (None: without the hidden words of both)."""
        for other in SIDES:
            if other != side:
                position.declare(self.hidden(other), None)
        return position

    def imagine(self, position: Position, side: int, rng: Random) -> Position:
        """The position with the other side's hidden word drawn at random."""
        if position.declared.get(self.hidden(1 - side)) is not None:
            position.declare(self.hidden(1 - side), rng.choice(self.words))
        return position
