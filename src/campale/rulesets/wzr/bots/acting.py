"""What the actions and destinations of a model about to act are worth to a bot that plays nothing through.

This is a judgement, not a rule. An action is worth the harm it does at once, plus the worth of the place where the
model then stands: a shot still possible with the AP left, the harm it may do in the next turn, the harm it may suffer,
and how far it has come to where it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from campale.referee.position import Position
from campale.referee.ruleset import WASTE
from campale.rulesets.wzr.bots.prospects import Fighter, fighters, losses, threats
from campale.rulesets.wzr.bots.pulls import markers_for, pull
from campale.rulesets.wzr.bots.stakes import is_to_act, is_warlord, of_harm, of_warlord, turns_to_come
from campale.rulesets.wzr.psychic import powers
from campale.rulesets.wzr.shooting.shoot import AIM
from campale.rulesets.wzr.squads.morale import EXECUTION
from campale.rulesets.wzr.squads.squads import members
from campale.rulesets.wzr.turn.menu import PASS, list_of_actions
from campale.rulesets.wzr.turn.sentry import SENTRY
from campale.table.shapes import Point

NEXT, SUFFERED = 0.35, 0.1
"""Weight of the harm that the model may do in the next turn, and of the harm that all enemies together may do to it."""
HEED = 4.0
"""Factor on the harm that a Warlord may suffer, if the mission counts Warlords."""
AIMED, RAPID, STRUCK, WATCHFUL = 1.25, 1.7, 1.4, 0.3
"""Factors on expected harm: an aimed shot, Rapid Fire, a fight, fire on Sentry."""
READY, CAST = 0.05, 0.06
"""Points for being on Sentry at all, and the value of a power as a share of the squad's points."""
WAYS = ("walk", "run", "dive", "leap", "attack-move", "rapid-move", "tactical", "flat-out")
SHOTS = {"shoot": 1.0, "fire": 1.0, "rapid-fire": RAPID, "torrent": RAPID}
FIGHTS = ("charge", "combat")


class Stand(NamedTuple):
    """For one place: points the model may take off each enemy, points it may lose, and its pull (``pulls``)."""

    fire: list[float]
    blows: list[float]
    risk: float
    drawn: float


class Acting:
    """A model about to act: its enemies, its AP left, the costs of actions."""

    def __init__(self, position: Position, row: int, left: int) -> None:
        self.position, self.left, self.model = position, left, position.model(row)
        both = fighters(position)
        side = position.side_of[row]
        self.enemies = both[1 - side]
        self.army = both[side]
        self.one = next(one for one in self.army if one.row == row)
        self.rows = {enemy.row: k for k, enemy in enumerate(self.enemies)}
        self.markers = markers_for(position, row)
        goes_on = turns_to_come(position) > 0
        self.counts = of_harm(position)
        self.next = NEXT * goes_on * self.counts
        self.suffered = SUFFERED * (goes_on or is_to_act(position, 1 - side)) * self.counts
        if is_warlord(self.model) and of_warlord(position) > 0.0:
            self.suffered *= HEED
        self.known: dict[Point, Stand] = {}

    def at(self, point: Sequence[float]) -> Fighter:
        """The model at another point."""
        return self.one._replace(x=float(point[0]), y=float(point[1]))

    def worths(self, answers: Sequence[Sequence[Any]]) -> list[float]:
        """The worth of actions with their details, in points."""
        self.stands([self.moved(details) for name, *details in answers if name in WAYS])
        return [self.worth(answer) for answer in answers]

    def worth(self, answer: Sequence[Any]) -> float:
        """The worth of one action with its details, in points."""
        name, *details = answer
        left = 0 if ends(name) else self.left - list_of_actions()[name].cost
        here = self.moved(details) if name in WAYS else self.one
        if name in SHOTS or name in FIGHTS:
            return self.at_once(here, name, details) + self.place(here, 0)
        return self.beside(here, name, details) + self.place(here, left, AIMED if name == AIM else 1.0)

    def moved(self, details: Sequence[Any]) -> Fighter:
        """The model at the end of its way."""
        points = details[0][0] if details and isinstance(details[0], list | tuple) and details[0] else ()
        return self.at(points[-1]) if points else self.one

    def at_once(self, here: Fighter, name: str, details: Sequence[Any]) -> float:
        """The points that a shot, charge or combat takes off its targets."""
        struck = [self.rows[row] for row in details if isinstance(row, int) and row in self.rows]
        stand = self.stand(here)
        found = stand.fire if name in SHOTS else stand.blows
        most = max((found[k] for k in struck), default=0.0)
        return self.counts * most * SHOTS.get(name, STRUCK)

    def beside(self, here: Fighter, name: str, details: Sequence[Any]) -> float:
        """The worth of an action that neither shoots nor fights, without the place where it leaves the model."""
        if name == EXECUTION:
            return -self.counts * float(self.position.model(int(details[0])).profile.points)
        return self.kept(here) if name == SENTRY else self.cast(details) if name == powers.CAST else 0.0

    def cast(self, details: Sequence[Any]) -> float:
        """The worth of a power on a squad; ``WASTE`` if it helps the enemy or harms friends."""
        power, row = powers.named(self.model, str(details[0])), int(details[1])
        is_ours = self.position.side_of[row] == self.model.side
        if is_ours is not (power.kind == powers.BLESSING):
            return WASTE
        return CAST * self.counts * sum(float(m.profile.points) for m in members(self.position.model(row).unit))

    def kept(self, here: Fighter) -> float:
        """The points that fire on Sentry may take off enemies still to act."""
        if not is_to_act(self.position, 1 - self.model.side):
            return 0.0
        return READY + self.counts * WATCHFUL * max(self.stand(here).fire, default=0.0)

    def place(self, here: Fighter, left: int, aimed: float = 1.0) -> float:
        return self.places([here], left, aimed)[0]

    def places(self, heres: Sequence[Fighter], left: int, aimed: float = 1.0) -> list[float]:
        """The worth of standing in each place with this many AP left."""
        found = []
        for stand in self.stands(heres):
            fire, blow = max(stand.fire, default=0.0), max(stand.blows, default=0.0)
            now = self.counts * aimed * fire if left > 0 else 0.0
            found.append(now + self.next * max(fire, blow) - self.suffered * stand.risk + stand.drawn)
        return found

    def stand(self, here: Fighter) -> Stand:
        return self.stands([here])[0]

    def stands(self, heres: Sequence[Fighter]) -> list[Stand]:
        """What the model may do and suffer in each place. Kept, because many actions lead to the same place."""
        missing = list({(here.x, here.y): here for here in heres if (here.x, here.y) not in self.known}.values())
        if missing:
            ours, theirs = threats(self.position, missing, self.enemies)
            fire, blows = (losses(missing, self.enemies, wounds).tolist() for wounds in ours)
            dealt = losses(self.enemies, missing, theirs.best).T.tolist()
            for k, here in enumerate(missing):
                drawn = pull(self.position, here, self.enemies, self.markers, self.army)
                self.known[here.x, here.y] = Stand(fire[k], blows[k], min(here.worth, sum(dealt[k])), drawn)
        return [self.known[here.x, here.y] for here in heres]


def ends(name: str) -> bool:
    """Whether the model does nothing more after this action."""
    return name == PASS or list_of_actions()[name].ends
