"""Chapter "hand": decks, hands, cards; and what of them a side may know."""

from __future__ import annotations

from random import Random

from campale.referee.ask import ask, choose, direction, draw, roll
from campale.referee.position import Effect, Model, Position
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.referee.spatial import Aim
from campale.table.measure import gap_to_outline, gap_to_point
from campale.table.shapes import TOLERANCE, Circle, Point, Solid, heading, rounded
from tests.conformance.drill.fire import TURN_END, wound
from tests.conformance.drill.profile import SIZE, units_of

SMOKE, BARRAGE = "smoke", "barrage"
DECK = (SMOKE, SMOKE, SMOKE, BARRAGE, BARRAGE, BARRAGE)
HIDDEN = "?"
SAFE, BLAST, STEP = 4.0, 2.0, 20.0


@rule("hand/deck")
async def shuffle(position: Position, side: int) -> None:
    """Put the deck in an order that nobody knows."""
    position.hold(side, "deck", await draw(None, "shuffle", DECK, len(DECK), open=False, deck_of=side))


@rule("hand/draw")
def take_card(position: Position, side: int) -> bool:
    """Whether there was one to take."""
    deck = position.hand(side, "deck")
    if deck:
        position.hold(side, "deck", deck[1:])
        position.hold(side, "hand", (*position.hand(side, "hand"), deck[0]))
        position.reveal("card-taken", seen_by=(side,), open_values={"side": side}, side=side, card=deck[0])
    return bool(deck)


@rule("hand/window")
async def may_play(position: Position, side: int) -> None:
    """Asked always, or the other side would learn from its not being asked."""
    hand = position.hand(side, "hand")
    card = await choose(side, "play-card", [*dict.fromkeys(hand), "pass"], always=True)
    if card == "pass":
        return
    left = list(hand)
    left.remove(card)
    position.hold(side, "hand", left)
    position.reveal("card-played", side=side, card=card)
    await CARDS[card](position, side)


@rule("hand/smoke")
async def smoke(position: Position, side: int) -> None:
    units = [unit.row for unit in units_of(position, side)]
    if units:
        bearer = await choose(side, "smoke", units, of="unit")
        position.begin(Effect("hand/smoke", bearer, until=TURN_END, on="unit"))


@rule("hand/barrage")
async def barrage(position: Position, side: int) -> None:
    """Aim, scatter, and see who is under it."""
    if not safe_points(position, side):
        return
    question = Aim(
        side,
        "barrage",
        refuses=lambda point: too_near_our_own(position, side, point[:2]),
        samples=lambda rng: rng.choice(safe_points(position, side)),
        suggests=lambda: safe_points(position, side)[:4],
    )
    aimed = await ask(question)
    angle = await direction(side, "scatter", STEP)
    far = (await roll(side, "scatter")).total
    land(position, (aimed[0] + far * heading(angle)[0], aimed[1] + far * heading(angle)[1]))


@rule("hand/barrage")
def too_near_our_own(position: Position, side: int, point: Point) -> Fault | None:
    if not (0.0 <= point[0] <= SIZE and 0.0 <= point[1] <= SIZE):
        return Fault(where=point)
    gaps = [rounded(gap_to_point(m.solid, *point)) for m in position.on_table(side)]
    nearest = min(gaps, default=SIZE)
    return None if nearest > SAFE else Fault(where=point, measured=nearest, limit=SAFE)


def safe_points(position: Position, side: int) -> list[Plain]:
    """Of the points of a grid of 2 inches, those that may be named, the nearest to an enemy first."""
    grid = [(2.0 * i, 2.0 * j) for i in range(13) for j in range(13)]
    safe = [point for point in grid if too_near_our_own(position, side, point) is None]
    enemies = position.on_table(1 - side)
    return [list(p) for p in sorted(safe, key=lambda p: min((gap_to_point(m.solid, *p) for m in enemies), default=0.0))]


def land(position: Position, point: Point) -> None:
    """What lands where it scattered to: wounds, and the end of a tower."""
    position.write("barrage-lands", x=rounded(point[0]), y=rounded(point[1]))
    for model in under(position, point):
        wound(model, "barrage")
    collapse(position, point)


@rule("hand/barrage")
def under(position: Position, point: Point) -> list[Model]:
    return [m for m in position.on_table() if rounded(gap_to_point(m.solid, *point)) <= BLAST + TOLERANCE]


@rule("terrain/collapse")
def collapse(position: Position, point: Point) -> bool:
    """Whether a tower fell."""
    for tower in position.pieces_tagged("tower"):
        if gap_to_outline(Solid(Circle(BLAST), *point), tower.outline) <= TOLERANCE:
            rubble = type(tower)("rubble", "rubble", tower.outline, height=1.0)
            position.change_ground(position.ground.replacing(tower.name, rubble), falls=tower.name)
            return True
    return False


CARDS = {SMOKE: smoke, BARRAGE: barrage}


@rule("hand/draw", "orders/secret")
def seen_by(side: int | None, position: Position) -> Position:
    """Backs of cards instead of their faces; of orders only those of one's own."""
    for other in (0, 1):
        position.hold(other, "deck", (HIDDEN,) * len(position.hand(other, "deck")))
        if other != side:
            position.hold(other, "hand", (HIDDEN,) * len(position.hand(other, "hand")))
            position.declare(f"secret-{other}", None)
    return position


@rule("hand/draw", "orders/secret")
def imagine(position: Position, side: int, rng: Random) -> Position:
    """Decks shuffled anew, the other side's hand dealt from its cards, its secret orders written at random."""
    other = 1 - side
    unknown = [*position.hand(other, "hand"), *position.hand(other, "deck")]
    rng.shuffle(unknown)
    held = len(position.hand(other, "hand"))
    position.hold(other, "hand", unknown[:held])
    position.hold(other, "deck", unknown[held:])
    position.hold(side, "deck", rng.sample(position.hand(side, "deck"), len(position.hand(side, "deck"))))
    orders = position.declared.get(f"secret-{other}")
    if orders is not None:
        position.declare(f"secret-{other}", tuple((row, rng.choice(("march", "stand"))) for row, _ in orders))
    return position
