"""What a model does with its AP, in the eyes of a bot that plays nothing through. It is a judgement and no rule.

An action is worth what it takes off the enemy at once, and what the place is worth where the model then stands: a shot
that is still to come with the AP left, what it may do in the next turn, what it may suffer, where it is drawn to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.wzr.bots.prospects import Fighter, Threat, fighters, threats
from campale.rulesets.wzr.bots.pulls import pull

NEXT, SUFFERED = 0.35, 0.3
"""What harm counts for that it may do in the next turn, and that it may suffer."""
AIMED, RAPID, STRUCK, WATCHFUL = 1.25, 1.7, 1.4, 0.3
"""What a shot counts for that was aimed, and Rapid Fire beside one; a fight beside its expectation; fire on Sentry."""
WAYS = ("walk", "run", "dive", "leap", "attack-move", "rapid-move", "tactical")
SHOTS = {"shoot": 1.0, "fire": 1.0, "rapid-fire": RAPID, "torrent": RAPID}
COSTS = {"run": 2, "rapid-fire": 2, "charge": 2, "rapid-move": 2, "torrent": 2}
FIGHTS = ("charge", "combat")
LAST = ("sentry", "pass")
"""After these it does nothing more."""


class Acting:
    """A model about to act: its enemies, the AP that it has left."""

    def __init__(self, position: Position, row: int, left: int) -> None:
        self.position, self.left = position, left
        self.mission = str(position.now.get("mission"))
        both = fighters(position)
        side = position.side_of[row]
        self.enemies = both[1 - side]
        self.one = next(one for one in both[side] if one.row == row)
        self.rows = {enemy.row: k for k, enemy in enumerate(self.enemies)}

    def worth(self, answer: Sequence[Any]) -> float:
        """Of an action with its details, in points."""
        name, *details = answer
        left = 0 if name in LAST else self.left - COSTS.get(name, 1)
        here = self.moved(details) if name in WAYS else self.one
        shot = self.at_once(here, name, details)
        if name in SHOTS or name in FIGHTS:
            return shot + self.place(here, 0)
        return shot + self.place(here, left, AIMED if name == "aim" else 1.0) + self.kept(here, name)

    def moved(self, details: Sequence[Any]) -> Fighter:
        """It at the end of a way."""
        points = details[0][0] if details and isinstance(details[0], list | tuple) and details[0] else ()
        return self.one._replace(x=float(points[-1][0]), y=float(points[-1][1])) if points else self.one

    def at_once(self, here: Fighter, name: str, details: Sequence[Any]) -> float:
        """What a shot, a charge or a combat takes off whom it is at."""
        if name not in SHOTS and name not in FIGHTS:
            return 0.0
        struck = [self.rows[row] for row in details if isinstance(row, int) and row in self.rows]
        found = self.harms(here, self.threats(here), by_fire=name in SHOTS)
        most = max((found[k] for k in struck), default=0.0)
        return most * SHOTS.get(name, STRUCK)

    def kept(self, here: Fighter, name: str) -> float:
        if name != "sentry":
            return 0.0
        return WATCHFUL * max(self.harms(here, self.threats(here), by_fire=True), default=0.0)

    def threats(self, here: Fighter) -> list[Threat]:
        return threats(self.position, [here], self.enemies)[0] if self.enemies else []

    def harms(self, here: Fighter, found: Sequence[Threat], by_fire: bool) -> list[float]:
        return [
            enemy.worth * min(1.0, here.able * (what.fire if by_fire else what.blows) / enemy.left)
            for enemy, what in zip(self.enemies, found, strict=True)
        ]

    def place(self, here: Fighter, left: int, aimed: float = 1.0) -> float:
        """What it is worth to stand in a place with so many AP left."""
        ours = self.threats(here)
        fire, blow = (max(self.harms(here, ours, by_fire), default=0.0) for by_fire in (True, False))
        theirs = [row[0] for row in threats(self.position, self.enemies, [here])]
        suffered = sum(
            here.worth * min(1.0, enemy.able * max(what.fire, what.blows) / here.left)
            for enemy, what in zip(self.enemies, theirs, strict=True)
        )
        now = aimed * fire if left > 0 else 0.0
        risk = SUFFERED * min(here.worth, suffered)
        return now + NEXT * max(fire, blow) - risk + pull(self.position, self.mission, here, self.enemies)


def which_act(position: Position, question: Question, about: About) -> Advice:
    """The proposals, each by what it is worth; nothing to say of who is about to do anything else."""
    if not position.model(int(about["model"])).is_on_table:
        return ()
    acting = Acting(position, int(about["model"]), int(about["left"]))
    return list(valued(acting, question.suggestions()))


def valued(acting: Acting, answers: Sequence[Plain]) -> Iterator[tuple[Plain, float]]:
    for answer in answers:
        if isinstance(answer, list) and answer and answer[0] != "third-ap":
            yield answer, acting.worth(answer)


ADVICE = {"act": which_act}
