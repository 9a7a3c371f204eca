"""What may be said of a datasheet ability: whom it falls on, when, and what it does (datasheet/wargear-ability).

    drillmaster:
      title: {en: Drillmaster, it: Istruttore}
      who: aura
      aura: {inches: 6, side: friendly, keyword: line}
      attacks: made
      do: [{reroll: [hit, ones]}]

A word that is not here is refused when the datasheet is read. What only happens at some moment is in ``acts``.
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
"""The model that has it; its unit; the unit that it leads, itself among them; whoever is within its aura; its side."""
Of = Literal["datasheet", "wargear", "enhancement", "army-rule", "detachment", "stratagem"]
Attacks = Literal["made", "against", "allocated"]
Rolled = Literal["hit", "wound", "save", "advance", "charge", "battle-shock"]
Rerolled = Literal["hit", "wound", "damage"]
Again = Literal["ones", "failed", "any"]
Characteristic = Literal["a", "s", "ap", "d", "t", "ld", "oc", "m", "sv", "ws", "bs", "pile-in", "consolidate"]
Number = Annotated[int, msgspec.Meta(ge=0, le=20)]
Face = Annotated[int, msgspec.Meta(ge=2, le=6)]
Inches = Annotated[float, msgspec.Meta(gt=0, le=60)]

MOST_EFFECTS = 8
LONGEST_TEXT = 2000

Told = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an ability says, in each language. It is shown, and never carried out."""

    en: Told
    it: Told

    @property
    def in_both(self) -> dict[str, str]:
        return {"en": self.en, "it": self.it}


class Aura(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units of a side with a model within so many inches; ``keyword``: only those that have it, or all of several that
    stand apart by spaces; ``without``: only those that do not have that one.
    """

    inches: Inches
    side: Literal["friendly", "enemy"] = "friendly"
    keyword: str = ""
    without: str = ""


class If(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that must hold. Of the unit: ``charged`` this turn, ``below_start``: it is below its starting strength,
    ``unengaged``, ``unfought`` and ``unshot`` in this phase, ``can``: it has an ability. ``warlord``: the bearer is the
    WARLORD; ``warlord_is``: the WARLORD is of that datasheet; ``enemy_turn``: it is the other side's turn. Of an
    attack: ``stronger``: Strength exceeds Toughness; ``target``: keywords of the target, all of them; ``psychic``: it
    is a Psychic Attack; ``below_half``: the target is Below Half-strength; ``fully_visible``: the target is, to the
    whole unit that attacks; ``save``: the Save of the target unit is so much or better; ``damage``: the Damage is so
    much. Of what has just happened: ``lost``: a model of the unit was destroyed by it; ``attack``: the kind of attack.
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
    """An ability that is given for a while: ``to`` the unit of its bearer, the unit picked, or the whole side.

    ``ability``: its id among those of the bearer, where it stands as ``lent``.
    """

    until: Until
    ability: Word
    to: Literal["unit", "picked", "army"] = "unit"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a table of results: from one result to another."""

    rolled: tuple[int, int]
    do: Annotated[tuple[Effect, ...], msgspec.Meta(min_length=1, max_length=MOST_EFFECTS)]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Exactly one of these.

    Of attacks. ``roll``: what is added to a roll. ``reroll``: which dice may be rolled again. ``modify``: a
    characteristic, how and by how much. ``critical``: from which face on a roll is critical. ``succeeds``: from which
    unmodified face on a roll succeeds; ``only``: below which one it never does. ``ignore``: of which rolls and
    characteristics the attacker may ignore modifiers. ``treat``: a die of a roll is read as so much, if its owner
    wants it, once in the time that the ability names.

    Of units and models. ``fnp``, ``inv``: a save of so much; ``ward``: Feel No Pain against mortal wounds alone.
    ``grant``: a core or weapon ability, or ``cover``. ``although``: what a unit may do though it Advanced, or
    disembarked. ``leadership``: which one of the unit counts. ``dice``: so many more dice of a roll, of which the
    lowest or highest are discarded. ``hidden``: ranged attacks target it only from within so many inches. ``bars``:
    how far off enemy Reinforcements keep. ``cost``: what a Stratagem that targets it costs more or less.

    While armies are mustered and deployed. ``warlord``: whether the bearer must or cannot be. ``battleline``: the
    datasheets that have the keyword. ``deploy``: after all others. ``detachment``: the bearer does not count against
    its keyword.

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

    @property
    def is_act(self) -> bool:
        """Whether it happens at a moment, instead of holding all the time."""
        return any(getattr(self, name) is not None for name in Played)


class Ability(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``of``: where it comes from. ``weapons``: for which attacks it works; ``attacks``: those that its unit makes,
    those against it, or those allocated to the bearer. ``text``: what it says. An ability that does nothing (``do``)
    has only that, and is played by hand.

    ``moment``: when it happens, of an ability that does not hold all the time; ``optional``: only if its owner wants
    it; ``once``: how often; ``each``: on every unit that it picks, whoever uses it. ``pick``: whom its owner picks.
    ``drawn``: which dice are rolled for it first. ``choose``: its owner chooses one of the effects. ``lent``: it is
    nobody's until another gives it. ``uses``: so many times in a row; ``inches``: how far it lets a unit move. Of a
    Stratagem: ``price``, and ``labels``, its category among them.
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
        if any(row_effect.table for one in self.do for row in one.table or () for row_effect in row.do):
            raise ValueError("a row of a table has no table of its own")
        if not self.once and self.of != "stratagem" and self.might_go_on_for_ever:
            raise ValueError("what may bring about its own moment again, or stands in a menu, says how often (once)")

    @property
    def is_played(self) -> bool:
        """Whether the referee carries it out; else the players do, by its text."""
        return bool(self.do)

    @property
    def might_go_on_for_ever(self) -> bool:
        """Whether nothing but its number of uses ends it: its attacks are answered, or its owner may choose it anew."""
        acts = {one.act for one in self.all_effects}
        return bool(acts & set(ATTACKING)) or (self.moment in MENUS and self.is_played)

    @property
    def all_effects(self) -> Iterator[Effect]:
        """Those of the rows of its tables among them."""
        for one in self.do:
            yield from (effect for row in one.table for effect in row.do) if one.table else (one,)

    @property
    def is_always(self) -> bool:
        """Whether it holds all the time."""
        return self.moment is None and not self.lent


def check_lent(rules: Mapping[str, Ability]) -> None:
    """Every ability that another gives stands beside it, as lent. Raises ValueError."""
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
