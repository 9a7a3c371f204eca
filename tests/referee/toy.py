"""A toy ruleset for the tests of the referee: two sides of two models, one of every kind of question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from campale.dice.needs import Need
from campale.referee.ask import (
    ask,
    choose,
    direction,
    draw,
    fill_in,
    number,
    order,
    reroll,
    roll,
    through,
    together,
)
from campale.referee.position import Effect, Model, Position, Result, Token
from campale.referee.question import Aim, Allot, Along, Choose, Move, MoveUnit, Number, Place, Question
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.referee.ruleset import INCH, Ruleset, Setup, Switch
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Ground, Piece, rectangle

TURNS = 12
CARDS = ("ace", "king", "queen", "king")
GROUND = Ground(48.0, 48.0, (Piece("wall", "wall", rectangle(24, 24, 6, 1), height=2.0),))


class Profile(msgspec.Struct, frozen=True):
    name: str
    allowance: float = 6.0


@dataclass(frozen=True)
class Options:
    fierce: bool = False


SOLDIER = Profile("soldier")


def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    position = Position(ruleset, GROUND)
    for side in (0, 1):
        unit = position.add_unit(f"unit {side}", side)
        for place in range(int(setup.agreed.get("models", 2))):
            model = position.add_model(f"{side}-{place}", SOLDIER, side, unit)
            position.move_to(model, 4.0 + 3 * place, 10.0 + 20 * side, facing=180.0 * side)
            position.mark(model, "wounds", 3)
        position.hold(side, "deck", CARDS)
    position.now["turn"] = 1
    position.now["active"] = 0
    return position


ACTIONS = (
    "fire",
    "move",
    "march",
    "orders",
    "card",
    "look",
    "scatter",
    "allot",
    "form",
    "tell",
    "place",
    "stop",
    "pass",
    "break",
)


@rule("toy/activation")
async def step(position: Position) -> bool:
    """One side does one thing."""
    side = int(position.now["active"])
    position.write("begins", side=side)
    models = [model.row for model in position.on_table(side)]
    model = position.model(await choose(side, "who", models, of="model"))
    action = await choose(side, "what", ACTIONS, model=model.row)
    await CARRIED_OUT[action](model)
    position.now["active"] = 1 - side
    if side == 1:
        position.now["turn"] = int(position.now["turn"]) + 1
    if not position.on_table(1 - side):
        position.finish(Result(side, "toy/victory"))
    return bool(position.now["turn"] <= TURNS)


@rule("toy/fire")
async def fire(model: Model) -> None:
    await through((hit, save, suffer(model.position, 1 - model.side)), (model.side, 4))


@rule("toy/hit")
async def hit(shots: tuple[int, int]) -> tuple[int, int]:
    side, count = shots
    rolled = await roll(side, "hit", count, needed=Need(4))
    return side, (await reroll(side, "again", rolled)).successes


@rule("toy/save")
async def save(hits: tuple[int, int]) -> tuple[int, int]:
    side, count = hits
    return side, count - (await roll(1 - side, "save", count, needed=Need(5))).successes


def suffer(position: Position, side: int) -> Any:
    @rule("toy/suffer")
    async def suffered(wounds: tuple[int, int]) -> int:
        targets = position.on_table(side)
        target = targets[0] if len(targets) == 1 else position.model(await choose(side, "sufferer", rows(targets)))
        target.mark("wounds", max(0, target.marks("wounds") - wounds[1]))
        if target.marks("wounds") == 0:
            position.remove(target, "fire")
        return wounds[1]

    return suffered


def rows(models: list[Model]) -> list[int]:
    return [model.row for model in models]


def way(model: Model) -> Move:
    def refuses(answer: Any) -> Fault | None:
        length, at = 0.0, model.at
        for point in answer[0]:
            length, at = length + abs(point[0] - at[0]) + abs(point[1] - at[1]), point[:2]
        if not (0 <= at[0] <= 48 and 0 <= at[1] <= 48):
            return Fault(where=at, word="off-table")
        limit = model.profile.allowance
        return Fault(where=at, measured=length, limit=limit) if length > limit + 0.001 else None

    def samples(rng: Random) -> Plain:
        to = [min(48.0, max(0.0, n + rng.uniform(-2, 2))) for n in model.at]
        return [[to], rng.choice([None, 90.0])]

    about = {"model": model.row}
    return Move(model.side, "way", refuses, samples, lambda: [[[[model.x, model.y]], None]], {"allowance": 6}, about)


@rule("toy/move")
async def move(model: Model) -> None:
    points, facing = await ask(way(model))
    model.move_to(points[-1][0], points[-1][1], facing=facing)
    model.position.begin(Effect("toy/moved", model.row, until="end"))
    model.jot("came", [model.x, model.y])


@rule("toy/march")
async def march(model: Model) -> None:
    position = model.position
    models = position.on_table(model.side)
    ways = [way(one) for one in models]

    def refuses(answer: Any) -> Refusal | None:
        return next((no for one, to in zip(ways, answer, strict=True) if (no := one.refusal(to)) is not None), None)

    question = MoveUnit(
        model.side, "march", refuses, lambda rng: [w.sample(rng) for w in ways], None, {}, {"models": rows(models)}
    )
    for one, (points, _) in zip(models, await ask(question), strict=True):
        one.move_to(*points[-1][:2])


@rule("toy/orders", "toy/reveal")
async def orders(model: Model) -> None:
    position = model.position
    given = await together({side: Choose(side, "order", ("hold", "charge"), about={"open": False}) for side in (0, 1)})
    for side, one in given.items():
        position.declare(f"order {side}", one)
    position.reveal("orders", orders=[given[0], given[1]])


@rule("toy/card")
async def card(model: Model) -> None:
    deck = list(model.position.hand(model.side, "deck"))
    if deck:
        drawn = await draw(model.side, "card", deck, 1, open=False)
        deck.remove(drawn[0])
        model.position.hold(model.side, "deck", deck)
        model.position.hold(model.side, "hand", (*model.position.hand(model.side, "hand"), drawn[0]))


@rule("toy/look")
async def look(model: Model) -> None:
    """Something is revealed, and then the same side decides on."""
    await number(model.side, "before", 1, 3)
    model.position.reveal("look", at=model.row)
    await number(model.side, "after", 1, 3)


@rule("toy/scatter")
async def scatter(model: Model) -> None:
    where = await ask(Aim(model.side, "aim", lambda at: None, lambda rng: [rng.uniform(0, 48), 3.5]))
    angle = await direction(model.side, "scatter", 0.1)
    far = (await roll(model.side, "far", 2, tells=())).total
    model.position.lay(Token("crater", where[0], where[1], side=model.side, value=[angle, far]))


@rule("toy/allot")
async def allot(model: Model) -> None:
    holders = rows(model.position.on_table(1 - model.side))

    def fits(taken: list[int]) -> Fault | None:
        return Fault(measured=len(set(taken)), limit=1) if len(set(taken)) > 1 else None

    question = Allot(1 - model.side, "allot", ["a", "b"], holders, fits, lambda rng: [holders[0]] * 2)
    taken = await ask(question)
    model.position.model(taken[0]).add("shock", 2)


@rule("toy/form")
async def form(model: Model) -> None:
    def fields(filled: list[Any]) -> Question | None:
        if not filled:
            return Choose(model.side, "speed", ("slow", "fast"))
        if len(filled) == 1:
            return Number(model.side, "steps", 1, 3 if filled[0] == "slow" else 6)
        return None

    filled = await fill_in(model.side, "plan", fields, model=model.row)
    ordered = await order(model.side, "sequence", ["x", ("y", 1), "z"], of="word")
    model.jot("plan", [*filled, ordered])


@rule("toy/tell")
async def tell(model: Model) -> None:
    model.position.write(
        "told", seen_by=(model.side,), open_values={"told": True}, what=await choose(model.side, "t", (1, 2))
    )
    model.position.write("whispered", seen_by=(model.side,), what="secret")


@rule("toy/place")
async def place(model: Model) -> None:
    def refuses(spots: Any) -> Fault | None:
        return None if all(0 <= x <= 48 and 0 <= y <= 48 for x, y, _ in spots) else Fault(word="off-table")

    question = Place(model.side, "place", refuses, lambda rng: [[rng.uniform(0, 48), 2.0, 0.0]], about={"models": [0]})
    ((x, y, facing),) = await ask(question)
    model.move_to(x, y, facing=facing)


@rule("toy/stop")
async def stop(model: Model) -> None:
    question = Along(1 - model.side, "stop", lambda at: None, lambda rng: None, lambda: [None, 2.5])
    at = await ask(question)
    if at is not None:
        model.add("stopped", 1)


@rule("toy/pass")
async def pass_by(model: Model) -> None:
    return None


@rule("toy/break")
async def break_down(model: Model) -> None:
    """A rule with a mistake in it, once a die has fallen and something has changed."""
    await roll(model.side, "unlucky", 2)
    model.mark("broken", 1)
    raise ZeroDivisionError("a mistake in a rule")


CARRIED_OUT = {
    "fire": fire,
    "move": move,
    "march": march,
    "orders": orders,
    "card": card,
    "look": look,
    "scatter": scatter,
    "allot": allot,
    "form": form,
    "tell": tell,
    "place": place,
    "stop": stop,
    "pass": pass_by,
    "break": break_down,
}


def seen_by(side: int | None, position: Position) -> Position:
    for other in (0, 1):
        if other != side:
            position.hold(other, "hand", ["?"] * len(position.hand(other, "hand")))
        position.hold(other, "deck", ["?"] * len(position.hand(other, "deck")))
    return position


def imagine(position: Position, side: int, rng: Random) -> Position:
    """The other side's hand and deck are shuffled together and dealt anew."""
    other = 1 - side
    held = position.hand(other, "hand")
    cards = [*held, *position.hand(other, "deck")]
    rng.shuffle(cards)
    position.hold(other, "hand", cards[: len(held)])
    position.hold(other, "deck", cards[len(held) :])
    return position


def solid(model: Model) -> Solid:
    return Solid(Circle(0.5), model.x, model.y, model.z, model.facing, 2.0)


RULESET = Ruleset(
    name="toy",
    title={"en": "Toy", "it": "Gioco"},
    unit=INCH,
    folder=Path(__file__).parent,
    set_out=set_out,
    step=step,
    solid=solid,
    turn=lambda position: (position.now["turn"],),
    appraise=lambda position, side: float(len(position.on_table(side))),
    profile_type=Profile,
    options=Options(),
    switches=(Switch("fierce", "toy/fire", {"en": "fierce"}),),
    seen_by=seen_by,
    imagine=imagine,
)

SETUP = Setup("toy")
