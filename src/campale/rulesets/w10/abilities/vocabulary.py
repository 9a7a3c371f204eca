"""The vocabulary of datasheet abilities: whom they affect, when, and what they do (datasheet/wargear-ability).

    drillmaster:
      title: {en: Drillmaster, it: Istruttore}
      who: aura
      aura: {inches: 6, side: friendly, keyword: line}
      attacks: made
      do: [{reroll: [hit, ones]}]

A word that is not here is refused when the datasheet is read. Effects that only happen at some moment are in ``acts``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

import msgspec

from campale.mechanics.armies.rows import Title, Word
from campale.rulesets.w10.abilities.acts import (
    ATTACKING,
    MENUS,
    Act,
    Dice,
    Drawn,
    Moment,
    Once,
    Pick,
    Played,
    Until,
    Written,
)
from campale.rulesets.w10.basics.modifiers import Kind

Who = Literal["bearer", "unit", "led", "aura", "army"]
"""The model that has the ability; its unit; the unit it leads, including itself; units within its aura; its side."""
Of = Literal["datasheet", "wargear", "enhancement", "army-rule", "detachment", "stratagem"]
Attacks = Literal["made", "against", "allocated"]
Rolled = Literal["hit", "wound", "save", "armour", "advance", "charge", "battle-shock"]
"""``save``: every saving throw; ``armour``: those that are not invulnerable."""
Rerolled = Literal["hit", "wound", "damage"]
Again = Literal["ones", "failed", "any"]
Characteristic = Literal["a", "s", "ap", "d", "t", "ld", "oc", "m", "sv", "ws", "bs", "pile-in", "consolidate"]
Number = Annotated[int, msgspec.Meta(ge=0, le=20)]
Face = Annotated[int, msgspec.Meta(ge=2, le=6)]
Inches = Annotated[float, msgspec.Meta(gt=0, le=60)]

MOST_EFFECTS = 8
LONGEST_TEXT = 2000

Told = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]


GIVEN = frozenset(
    {
        *("cover", "stealth", "fights-first", "assault", "rapid-fire", "ignores-cover", "twin-linked", "torrent"),
        *("lethal-hits", "lance", "precision", "melta", "heavy", "hazardous", "devastating-wounds"),
        *("sustained-hits", "critical-mortal"),
    }
)
"""The abilities that another ability may give, without their numbers; ANTI besides."""

OF_UNITS = ("cover", "stealth", "fights-first", "assault")
"""Those of them that a unit has, and not an attack."""

OF_SAVES = ("save", "armour")

OF_ATTACKS = ("hit", "wound", *OF_SAVES, "a", "s", "ap", "d", "ws", "bs")
"""The rolls and characteristics of attacks."""


def is_given(written: str) -> bool:
    name = written.partition(" ")[0]
    return name in GIVEN or name.startswith("anti-")


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of an ability in each language, shown but never carried out."""

    en: Told
    it: Told

    @property
    def in_both(self) -> dict[str, str]:
        return {"en": self.en, "it": self.it}


class Aura(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units of a side with a model within so many inches. ``keyword``: only those that have it (or all of several,
    separated by spaces); ``without``: only those that lack it.
    """

    inches: Inches
    side: Literal["friendly", "enemy"] = "friendly"
    keyword: str = ""
    without: str = ""


class If(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions of an ability, all of which must hold.

    Of the unit: ``charged`` this turn, ``below_start``: below its starting strength, ``unengaged``, ``unfought`` and
    ``unshot`` in this phase, ``can``: it has this ability. ``warlord``: the bearer is the WARLORD; ``warlord_is``: the
    WARLORD has that datasheet; ``enemy_turn``: it is the other side's turn; ``phase``: it is that phase.

    Of an attack: ``stronger``: Strength exceeds Toughness; ``target``: keywords of the target, all of them;
    ``psychic``: it is a Psychic Attack; ``below_half``: the target is Below Half-strength; ``fully_visible``: the
    target is fully visible to the whole attacking unit; ``save``: the Save of the target unit is this or better;
    ``damage``: the Damage is exactly this.

    Of what has just happened: ``lost``: it destroyed a model of the unit; ``attack``: the kind of attack.
    """

    charged: bool = False
    below_start: bool = False
    unengaged: bool = False
    unfought: bool = False
    unshot: bool = False
    can: str = ""
    warlord: bool = False
    warlord_is: str = ""
    enemy_turn: bool = False
    phase: Literal["shooting", "charge", "fight", ""] = ""
    stronger: bool = False
    target: str = ""
    psychic: bool = False
    below_half: bool = False
    fully_visible: bool = False
    save: Face | None = None
    damage: Number | None = None
    lost: bool = False
    attack: Literal["melee", "shooting", ""] = ""


class Lent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ability given for a while. ``to``: the unit of its bearer, the picked unit, or the whole side.

    ``ability``: its id among the bearer's abilities, where it is marked as ``lent``.
    """

    until: Until
    ability: Word
    to: Literal["unit", "picked", "army"] = "unit"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a result table, with its first and last result."""

    rolled: tuple[int, int]
    do: Annotated[tuple[Effect, ...], msgspec.Meta(min_length=1, max_length=MOST_EFFECTS)]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An effect of an ability: exactly one of these fields is set.

    On attacks. ``roll``: a modifier of a roll. ``reroll``: the dice that may be re-rolled. ``modify``: a
    characteristic, the kind of change and its amount. ``critical``: the lowest face that is critical. ``succeeds``: the
    lowest unmodified face on which a roll always succeeds; ``only``: the face below which it never does. ``ignore``:
    the rolls and characteristics whose modifiers the attacker may ignore. ``treat``: the owner may treat a die of a
    roll as this face, as often as ``once`` of the ability allows.

    On units and models. ``fnp``, ``inv``: Feel No Pain or an invulnerable save of this number; ``ward``: Feel No Pain
    against mortal wounds only. ``grant``: a core or weapon ability, or ``cover``. ``although``: what a unit may do
    although it Advanced or disembarked. ``leadership``: the Leadership of the unit that counts. ``dice``: extra dice of
    a roll, of which the lowest or highest are discarded. ``hidden``: ranged attacks may target it only from within so
    many inches. ``bars``: the distance in inches that enemy Reinforcements must keep. ``cost``: how much more or less a
    Stratagem that targets it costs.

    While armies are mustered and deployed. ``warlord``: the bearer must or cannot be the WARLORD. ``battleline``: the
    datasheets that get the keyword. ``deploy``: it deploys after all others. ``detachment``: the bearer does not count
    against its keyword.

    At a moment (see ``acts``): ``act``, ``heals``, ``suffers``, ``returns``, ``returns_up_to``, ``comes_back``,
    ``cp``, ``lends``, ``table``.
    """

    roll: tuple[Rolled, Literal["add", "subtract"], Number] | None = None
    reroll: tuple[Rerolled, Again] | None = None
    modify: tuple[Characteristic, Kind, Number] | None = None
    critical: tuple[Literal["hit", "wound"], Number] | None = None
    succeeds: tuple[Literal["wound"], Face] | None = None
    only: tuple[Literal["wound"], Face] | None = None
    ignore: Annotated[tuple[Literal["hit", "ws", "bs"], ...], msgspec.Meta(min_length=1)] | None = None
    treat: tuple[Literal["hit"], Face] | None = None
    fnp: Face | None = None
    ward: Face | None = None
    inv: Face | None = None
    grant: Word | None = None
    although: Literal["shoot", "charge", "disembarked"] | None = None
    leadership: Literal["worst"] | None = None
    dice: Dice | None = None
    hidden: Inches | None = None
    bars: Inches | None = None
    cost: tuple[Word, Literal["add", "subtract"], Number] | None = None
    warlord: Literal["must", "cannot"] | None = None
    battleline: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=20)] | None = None
    deploy: Literal["late"] | None = None
    detachment: Literal["ignored"] | None = None
    act: Act | None = None
    heals: Written | None = None
    suffers: Written | None = None
    returns: Written | None = None
    returns_up_to: Written | None = None
    cp: Annotated[int, msgspec.Meta(ge=1, le=3)] | None = None
    comes_back: Annotated[int, msgspec.Meta(ge=1, le=60)] | None = None
    lends: Lent | None = None
    table: Annotated[tuple[Row, ...], msgspec.Meta(min_length=1, max_length=36)] | None = None

    def __post_init__(self) -> None:
        said = [name for name in self.__struct_fields__ if getattr(self, name) is not None]
        if len(said) != 1:
            raise ValueError(f"an effect does exactly one thing, not {', '.join(said) or 'nothing'}")
        if self.reroll is not None and self.reroll[0] == "damage" and self.reroll[1] != "ones":
            raise ValueError("of a damage roll only ones may be re-rolled")
        if self.grant is not None and not is_given(self.grant):
            raise ValueError(f"{self.grant[:40]!r} is no ability that can be given: {', '.join(sorted(GIVEN))}")

    @property
    def is_on_attacks(self) -> bool:
        """True if the effect is on single attacks, and not on a unit or a model."""
        if self.roll is not None or self.modify is not None:
            return (self.roll or self.modify or ("",))[0] in OF_ATTACKS
        if self.grant is not None:
            return self.grant.partition(" ")[0] not in OF_UNITS
        return any(getattr(self, name) is not None for name in ("reroll", "critical", "succeeds", "only", "ignore"))

    @property
    def is_act(self) -> bool:
        """True if the effect happens at a moment instead of applying all the time."""
        return any(getattr(self, name) is not None for name in Played)


class Ability(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An ability of a datasheet, an army or a Stratagem.

    ``of``: where it comes from. ``weapons``: the kinds of attacks it works for; ``attacks``: those that its unit makes,
    those against its unit, or those allocated to the bearer. ``text``: its wording. An ability without effects (``do``)
    has only a text, and is played by hand.

    ``moment``: when it happens, if it does not apply all the time; ``optional``: only if its owner wants it; ``once``:
    the period for which its uses are counted; ``each``: counted for each unit that it picks, whoever uses it. ``pick``:
    the units to pick from. ``drawn``: the dice rolled for it first. ``choose``: its owner chooses one of the effects.
    ``lent``: no unit has it until another ability gives it. ``uses``: the number of uses in that period; ``inches``:
    how far it lets a unit move. For a Stratagem: ``price``, and ``labels``, which include its category.
    """

    title: Title
    of: Of = "datasheet"
    who: Who = "unit"
    do: Annotated[tuple[Effect, ...], msgspec.Meta(max_length=MOST_EFFECTS)] = ()
    text: Text | None = None
    aura: Aura | None = None
    attacks: Attacks = "made"
    weapons: Literal["melee", "ranged", "all"] = "all"
    condition: If = msgspec.field(default_factory=If, name="if")
    moment: Moment | None = None
    optional: bool = False
    once: Once = ""
    each: bool = False
    pick: Pick | None = None
    drawn: Drawn | None = None
    choose: bool = False
    lent: bool = False
    uses: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    inches: Inches | None = None
    price: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    labels: Annotated[tuple[Word, ...], msgspec.Meta(max_length=4)] = ()

    def __post_init__(self) -> None:
        if (self.who == "aura") != (self.aura is not None):
            raise ValueError("an ability has an aura if, and only if, it falls on whoever is within one")
        if not self.do and self.text is None:
            raise ValueError("an ability says what it does, or has a text by which it is played by hand")
        if self.moment is None and any(one.is_act for one in self.do):
            raise ValueError("what does something at a moment says at which")
        if (self.of == "stratagem") != bool(self.labels):
            raise ValueError("a Stratagem, and nothing else, has labels")
        if self.lent and self.moment is not None:
            raise ValueError("what is lent holds all the time that it is")
        if why := self.misplaced_condition:
            raise ValueError(why)
        if self.who == "bearer" and self.attacks == "against":
            raise ValueError("attacks target units: what works against them is an ability of the unit")
        if any(row_effect.table for one in self.do for row in one.table or () for row_effect in row.do):
            raise ValueError("a row of a table has no table of its own")
        if not self.once and self.of != "stratagem" and self.might_go_on_for_ever:
            raise ValueError("what may bring about its own moment again, or stands in a menu, says how often (once)")

    @property
    def misplaced_condition(self) -> str:
        """Why a condition of the ability would never be looked at; "" if all are."""
        asked = self.condition
        if self.moment is None and not self.lent and (asked.lost or asked.attack):
            return "what has just happened may be asked only at a moment"
        if asked.damage is not None and not all(one.roll and one.roll[0] in OF_SAVES for one in self.do):
            return "only saving throws may depend on the Damage of an attack"
        of_attack = any((asked.stronger, asked.target, asked.below_half, asked.fully_visible, asked.save is not None))
        if of_attack and self.attacks == "allocated":
            return "an attack that is allocated may be asked only for its Damage, and whether it is psychic"
        if (of_attack or asked.psychic) and not all(one.is_on_attacks for one in self.do):
            return "a condition of attacks may be asked only for an effect on attacks"
        return ""

    @property
    def is_played(self) -> bool:
        """True if the referee carries the ability out; otherwise the players do, by its text."""
        return bool(self.do)

    @property
    def might_go_on_for_ever(self) -> bool:
        """True if only its number of uses ends it: its attacks may be answered, or its owner may choose it again."""
        acts = {one.act for one in self.all_effects}
        return bool(acts & set(ATTACKING)) or (self.moment in MENUS and self.is_played)

    @property
    def all_effects(self) -> Iterator[Effect]:
        """The effects, including those in the rows of tables."""
        for one in self.do:
            yield from (effect for row in one.table for effect in row.do) if one.table else (one,)

    @property
    def is_always(self) -> bool:
        """True if the ability applies all the time."""
        return self.moment is None and not self.lent


def check_lent(rules: Mapping[str, Ability]) -> None:
    """Check that every ability given by another is present and marked as lent. Raises ValueError."""
    for name, ability in rules.items():
        for given in given_by(ability.do):
            if given.ability not in rules or not rules[given.ability].lent:
                raise ValueError(f"{name!r} lends {given.ability!r}, and no ability of that name is there as lent")


def given_by(effects: Sequence[Effect]) -> Iterator[Lent]:
    for effect in effects:
        if effect.lends is not None:
            yield effect.lends
        for row in effect.table or ():
            yield from given_by(row.do)
