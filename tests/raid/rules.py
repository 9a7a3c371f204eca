"""The rules of the toy book."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from campale.dice.needs import Need
from campale.referee.ask import ask, choose, roll, together
from campale.referee.position import RESERVE, Model, Position, Result
from campale.referee.question import Aim, Allot, Along, Choose, Form, Move, Number, Order, Place, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.referee.ruleset import INCH, Ruleset, Setup, Switch
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Ground, Piece, rectangle

SIZE = 20.0
EACH = 2


class Profile(msgspec.Struct, frozen=True):
    name: str = "raider"
    reach: float = 10.0


@dataclass(frozen=True)
class Options:
    short: bool = False


def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    wall = Piece("wall", "wall", rectangle(8, 9, 4, 2), 3.0)
    position = Position(ruleset, Ground(SIZE, SIZE, (wall,)))
    profile = ruleset.profile_from(ruleset.profile_key(Profile()))
    for side in (0, 1):
        unit = position.add_unit("raiders" if side else "guards", side)
        for number in range(EACH):
            position.add_model(f"{'AB'[side]}{number + 1}", profile, side, unit, RESERVE)
    position.now = {"turn": 0, "phase": "deploy", "side": 0}
    return position


def solid(model: Model) -> Solid:
    return Solid(Circle(0.5), model.x, model.y, model.z, model.facing, 1.0)


def appraise(position: Position, side: int) -> float:
    mine, theirs = position.on_table(side), position.on_table(1 - side)
    near = sum(min((math.dist(m.at, e.at) for e in theirs), default=0.0) for m in mine)
    return 100.0 * (len(mine) - len(theirs)) - near


async def step(position: Position) -> bool:
    phase = position.now["phase"]
    if phase == "deploy":
        await deploy(position)
    elif phase == "bid":
        await bid(position)
    else:
        await act(position)
    return position.result is None


@rule("setup/deploy")
async def deploy(position: Position) -> None:
    side = position.now["side"]
    models = [m for m in position.models if m.side == side]
    low, high = (1.0, 4.0) if side == 0 else (16.0, 19.0)

    def refuses(places: Any) -> Fault | None:
        for model, (x, y, _) in zip(models, places, strict=True):
            if not (low <= y <= high and 1 <= x <= SIZE - 1):
                return Fault(where=(x, y), measured=y, limit=high, model=model.row)
        gap = math.dist(places[0][:2], places[1][:2])
        return Fault(measured=gap, limit=1.0) if gap < 1 else None

    def samples(rng: Random) -> Plain:
        return [[rng.uniform(1, 9) + 10 * n, rng.uniform(low, high), 0.0] for n in range(EACH)]

    question = Place(
        side, "deploy", refuses, samples, lambda: [[[5.0 + 10 * n, low + 1, 180.0 * side] for n in range(EACH)]],
        {"regions": [[[1, low], [SIZE - 1, high]]]}, {"models": [m.row for m in models]},
    )  # fmt: skip
    for model, place in zip(models, await ask(question), strict=True):
        model.move_to(place[0], place[1], facing=place[2])
    position.now = {"turn": 1, "phase": "bid", "side": 0} if side else {"turn": 0, "phase": "deploy", "side": 1}


async def bid(position: Position) -> None:
    def form_of(side: int) -> Form:
        def fields(filled: list[Any]) -> Question | None:
            asked: list[Question] = [
                Number(side, "bid", 0, 3), Order(side, "order", [m.row for m in position.on_table(side)]),
            ]  # fmt: skip
            return asked[len(filled)] if len(filled) < 2 else None

        return Form(side, "bids", fields)

    answers = await together({side: form_of(side) for side in (0, 1)})
    position.write("bids", bids=[answers[0][0], answers[1][0]])
    for side in (0, 1):
        position.gain(side, "points", answers[side][0])
    first = int(answers[1][0] > answers[0][0])
    position.now = {"turn": position.now["turn"], "phase": "act", "side": first}


@rule("turn/sequence")
async def act(position: Position) -> None:
    side = position.now["side"]
    ready = [m.row for m in position.on_table(side) if not m.marks("acted")]
    if ready:
        model = position.model(await choose(side, "who-acts", ready, "model"))
        await one_action(model)
        model.mark("acted", 1)
    count(position)
    await next_side(position, side)


async def one_action(model: Model) -> None:
    position = model.position
    targets = [e.row for e in position.on_table(1 - model.side) if math.dist(e.at, model.at) <= model.profile.reach]
    actions = ["move", "wait", *(["shoot"] if targets else [])]
    action = await choose(model.side, "act", actions, model=model.row)
    if action == "move":
        await move(model)
    elif action == "shoot":
        await shoot(model, position.model(await choose(model.side, "target", targets, "model", model=model.row)))
    elif action == "wait":
        await pause(model)


@rule("move/allowance")
async def move(model: Model) -> None:
    def refuses(way: Any) -> Fault | None:
        points, _ = way
        length = sum(math.dist(a[:2], b[:2]) for a, b in zip((model.at, *points), points, strict=False))
        inside = all(0 <= x <= SIZE and 0 <= y <= SIZE for x, y, *_ in points)
        if inside and length <= 6.001:
            return None
        return Fault(where=points[-1][:2], measured=length, limit=6.0, model=model.row)

    def samples(rng: Random) -> Plain:
        towards = (model.x + rng.uniform(-4, 4), model.y + rng.uniform(-4, 4))
        return [[[min(SIZE, max(0.0, value)) for value in towards]], None]

    def suggests() -> list[Plain]:
        step = 3.0 if model.side == 0 else -3.0
        return [[[[model.x, min(SIZE, max(0.0, model.y + step))]], None]]

    points, facing = await ask(
        Move(model.side, "move", refuses, samples, suggests, {"allowance": 6.0}, {"model": model.row})
    )
    x, y, *_ = points[-1]
    model.move_to(x, y, facing=facing)


async def pause(model: Model) -> None:
    """Questions of the kinds that nothing else here asks."""
    side, row = model.side, model.row
    await ask(Aim(side, "aim", lambda at: None, lambda rng: [rng.uniform(0, 20), 3.0], lambda: [[1.0, 1.0]]))
    await ask(Along(side, "along", lambda at: None, lambda rng: None, lambda: [None, 1.0], about={"model": row}))
    await ask(Allot(side, "allot", ["wound"], [row], lambda given: None, lambda rng: [row]))
    await ask(Choose(side, "sure", ("yes", "no")))


@rule("fire/shoot")
async def shoot(model: Model, target: Model) -> None:
    model.position.write("shoots", model=model.row, target=target.row)
    need = Need(4).with_part("fire/far", far(model, target)) if far(model, target) else Need(4)
    if (await roll(model.side, "to-hit", needed=need, model=model.row, target=target.row)).successes:
        model.position.remove(target, "shot", model.row)


@rule("fire/far")
def far(model: Model, target: Model) -> int:
    return -1 if math.dist(model.at, target.at) > 6 else 0


async def next_side(position: Position, side: int) -> None:
    if position.result is not None:
        return
    if any(not m.marks("acted") for m in position.on_table()):
        position.now = {**position.now, "side": 1 - side}
        return
    for model in position.on_table():
        model.mark("acted", 0, quietly=True)
    position.now = {"turn": position.now["turn"] + 1, "phase": "bid", "side": 0}


def count(position: Position) -> None:
    left = [len(position.on_table(side)) for side in (0, 1)]
    if position.now["turn"] > (2 if position.options.short else 6) or 0 in left:
        winner = None if left[0] == left[1] else int(left[1] > left[0])
        position.finish(Result(winner, "turn/sequence", {"left": left}))


def card(model: Model) -> dict[str, Plain]:
    return {"name": model.name, "profile": {"reach": model.profile.reach}}


def starters() -> tuple[Setup, ...]:
    return (Setup("raid", agreed={"mission": "raid"}), Setup("raid", {"short": True}, agreed={"mission": "dash"}))


RULESET = Ruleset(
    name="raid", title={"en": "Raid", "it": "Incursione"}, unit=INCH, folder=Path(__file__).parent, set_out=set_out,
    step=step, solid=solid, turn=lambda position: position.now["turn"], appraise=appraise, profile_type=Profile,
    options=Options(), switches=(Switch("short", "turn/sequence", {"en": "Short battle", "it": "Battaglia breve"}),),
    card=card, starters=starters,
)  # fmt: skip
