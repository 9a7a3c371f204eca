"""The vocabulary of abilities and cards: when, on whom, if, what they do, how often (see ``abilities.yaml``).

    camouflage:
      rules: [abilities/camouflage]
      do:
        - {value: [rs, wp], who: target, if: {covered: true}, add: -1, x: times}

Reading a file refuses any other word and names its line.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from campale.mechanics.armies.rows import Title, Word, rows_from
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import Class, Damage, VehicleKind

Value = Literal[
    "rs",
    "cc",
    "wp",
    "ld",
    "con",
    "st",
    "a",
    "impenetrable",
    "strength",
    "charge-st",
    "range",
    "rof",
    "roa",
    "ccwr",
    "sight",
    "ap",
    "move-penalty",
    "move-bonus",
    "heal",
    "resources",
    "hand-limit",
]
"""A characteristic, or the highest number that passes a test; ``rs``, ``cc`` and ``wp`` stand for tests to hit.

``st`` is the characteristic, ``strength`` the St of a Wound Effect, ``charge-st`` the bonus of a charge.
``move-penalty`` shortens an act of movement, ``move-bonus`` lengthens it.
"""
Test = Literal[
    "fear",
    "pinning",
    "rout",
    "rally",
    "unpin",
    "target-identified",
    "counter-charge",
    "berserk",
    "rapid-deployment",
]
Moment = Literal["eliminates", "wounds", "played"]
"""The model removes an enemy; a model suffers a Wound Effect of its attack; the card is played."""
Thing = Literal[
    "charge-unseen",
    "charge-bent",
    "fire-all-round",
    "whole-ld",
    "nearest-cover",
    "priority",
    "substitute",
    "heal",
    "stun",
    "sentry",
    "halving",
]
"""The things that a row can allow, ignore or forbid.

In order: a charge at an enemy out of sight; a charge along a bent path; shots out of the Front; coherency by the whole
LD; the nearest piece of cover; target priority; the malus of a Substitute; the Heal roll; a Stun token; the Sentry
action; Armour halved by cover.
"""
Ground = Literal["light", "heavy"]
Who = Literal["self", "target", "attacker", "aura"]
"""Whose value or test a row changes: the bearer, the target or attacker of the attack, or models in the aura."""
On = Literal["battle", "friendly-squad", "enemy-squad", "friendly-model", "self"]
"""What a card is played on: everything, a squad, a model, or its own player."""
Once = Literal["activation", "turn", "next", ""]
"""How often a row works: once in the bearer's activation, once in a turn, or the next time only."""
Act = Literal[
    "walk",
    "run",
    "charge",
    "leap",
    "dive",
    "trample",
    "tactical",
    "attack-move",
    "rapid-move",
    "ram",
    "flat-out",
]

Inches = Annotated[float, msgspec.Meta(gt=0, le=72)]
Amount = Annotated[float, msgspec.Meta(ge=-20, le=72)]


class Aura(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An aura on models of one side within ``inches`` (None: within X), not on the bearer."""

    inches: Inches | None = None
    side: Literal["friendly", "enemy"] = "friendly"


class If(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions that must all hold; a field that is None does not matter.

    On the attack: ``ranged``, ``aimed``, ``covered`` (the target is), ``charging``, ``special`` (action), ``flame``
    (from a flamethrower), ``power_shot``, ``template``; ``first``: its first test; ``first_shot``: also the model's
    first of this turn; ``types`` of damage; ``classes`` of the weapon; ``beyond``: the gap in inches is greater;
    ``heavy``: the attacker carries a heavy weapon; ``chosen``: the weapon was chosen with the card. On the charge:
    ``freed``: it is bent, or began without sight. On the models: ``faction_x``: the target is of the faction X;
    ``not_larger``: the target's base is no larger; ``kinds``, ``not_kinds``: the kind of the vehicle whose value it is;
    ``commander``: the model is its squad's Commander or Substitute; ``mark``: the bearer has this mark. ``acts``,
    ``tests``: one of these.
    """

    ranged: bool | None = None
    aimed: bool | None = None
    covered: bool | None = None
    charging: bool | None = None
    special: bool | None = None
    flame: bool | None = None
    power_shot: bool | None = None
    template: bool | None = None
    first: bool | None = None
    first_shot: bool | None = None
    heavy: bool | None = None
    freed: bool | None = None
    commander: bool | None = None
    faction_x: bool | None = None
    not_larger: bool | None = None
    chosen: bool | None = None
    beyond: Inches | None = None
    types: tuple[Damage, ...] = ()
    classes: tuple[Class, ...] = ()
    not_classes: tuple[Class, ...] = ()
    kinds: tuple[VehicleKind, ...] = ()
    not_kinds: tuple[VehicleKind, ...] = ()
    acts: tuple[Act, ...] = ()
    tests: tuple[Test, ...] = ()
    mark: str = ""


CHANGES = ("add", "times", "set", "at_least", "at_most", "reroll")
"""The fields that change values."""
DEEDS = (*CHANGES, "succeed", "allow", "ignore", "forbid", "treat", "cause", "restore")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that an ability does: to values, in tests, at a moment, or always.

    ``add``, ``times``, ``set``, ``at_least``, ``at_most`` change each ``value``; ``least``: an addition never brings it
    lower. ``x``: the number is X itself, or times X. ``reroll``: one failed die of the value may be rolled again.
    ``succeed``: the tests pass without a die. ``allow``, ``ignore``, ``forbid``: see ``Thing``. ``treat``: the bearer
    moves in such terrain as in the open. ``cause``: the test that follows. ``restore``: so many lost wounds, or PS.
    """

    value: tuple[Value, ...] = ()
    test: tuple[Test, ...] = ()
    moment: Moment | None = None
    who: Who = "self"
    aura: Aura | None = None
    condition: If = msgspec.field(default_factory=If, name="if")
    add: Amount | None = None
    times: Annotated[float, msgspec.Meta(gt=0, le=4)] | None = None
    set: Amount | None = None
    at_least: Amount | None = None
    at_most: Amount | None = None
    least: Amount | None = None
    x: Literal["", "is", "times"] = ""
    reroll: bool | None = None
    succeed: bool | None = None
    allow: Thing | None = None
    ignore: Thing | None = None
    forbid: Thing | None = None
    treat: tuple[Ground, ...] | None = None
    cause: Test | None = None
    restore: Annotated[int, msgspec.Meta(ge=1, le=10)] | None = None
    once: Once = ""

    def __post_init__(self) -> None:
        said = [name for name in DEEDS if getattr(self, name) is not None]
        if len(said) != 1:
            raise ValueError(f"a row does exactly one thing, not {', '.join(said) or 'nothing'}")
        if (self.who == "aura") != (self.aura is not None):
            raise ValueError("a row has an aura if, and only if, it falls on whoever is within one")
        if (said[0] in CHANGES) != bool(self.value):
            raise ValueError(f"{said[0]!r} goes with the values that it changes, and nothing else does")
        if (said[0] == "succeed") != bool(self.test):
            raise ValueError("'succeed' goes with the tests that pass, and nothing else does")
        if (said[0] in ("cause", "restore")) != (self.moment is not None):
            raise ValueError(f"{said[0]!r} happens at a moment, and nothing else does")

    def amount(self, written: float, x: int) -> float:
        """A number of the row for an ability with this X."""
        return {"": written, "is": float(x), "times": written * x}[self.x]


class Ability(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``rules``: its ids in the ledger. ``do``: its rows; an ability without rows is implemented in code."""

    rules: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=4)]
    title: Title | None = None
    do: Annotated[tuple[Row, ...], msgspec.Meta(max_length=8)] = ()
    most: Annotated[int, msgspec.Meta(ge=1, le=20)] | None = None
    """The highest X that counts."""

    def __hash__(self) -> int:
        return hash(self.rules)

    @property
    def rule(self) -> str:
        return self.rules[0]


@rule("abilities/generic-and-squad")
def abilities_of(path: Path) -> dict[str, Ability]:
    """The abilities of a file by id. Raises FileError with the line of a word outside the vocabulary."""
    return rows_from(path, Ability)
