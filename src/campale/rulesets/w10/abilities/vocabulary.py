"""What may be said of a datasheet ability: whom it falls on, when, and what it does (datasheet/wargear-ability).

    drillmaster:
      title: {en: Drillmaster, it: Istruttore}
      who: aura
      aura: {inches: 6, side: friendly, keyword: line}
      attacks: made
      do: [{reroll: [hit, ones]}]

A word that is not here is refused when the datasheet is read.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from campale.mechanics.armies.rows import Title, Word
from campale.rulesets.w10.basics.modifiers import Kind

Who = Literal["bearer", "unit", "led", "aura"]
"""The model that has it; its unit; the unit that it leads, itself among them; whoever is within its aura."""
Attacks = Literal["made", "against"]
Rolled = Literal["hit", "wound", "advance", "charge", "battle-shock"]
Again = Literal["ones", "failed"]
Characteristic = Literal["a", "s", "ap", "d", "t", "ld", "oc", "m"]
Number = Annotated[int, msgspec.Meta(ge=0, le=20)]

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
    """Units of a side with a model within so many inches; ``keyword``: only those that have it."""

    inches: Annotated[float, msgspec.Meta(gt=0, le=60)]
    side: Literal["friendly", "enemy"] = "friendly"
    keyword: str = ""


class If(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that must hold. ``charged``: the unit has, this turn. ``stronger``: Strength exceeds Toughness. ``target``: a
    keyword of the target.
    """

    charged: bool = False
    stronger: bool = False
    target: str = ""


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Exactly one of these. ``roll``: what is added to a roll. ``reroll``: which dice may be rolled again.
    ``modify``: a characteristic, how and by how much. ``critical``: from which face on a roll is critical.
    ``fnp``, ``inv``: a save of so much. ``grant``: a core or weapon ability. ``although``: what a unit may do though it
    Advanced.
    """

    roll: tuple[Rolled, Literal["add", "subtract"], Number] | None = None
    reroll: tuple[Rolled, Again] | None = None
    modify: tuple[Characteristic, Kind, Number] | None = None
    critical: tuple[Literal["hit", "wound"], Number] | None = None
    fnp: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None
    inv: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None
    grant: Word | None = None
    although: Literal["shoot", "charge"] | None = None

    def __post_init__(self) -> None:
        said = [name for name in self.__struct_fields__ if getattr(self, name) is not None]
        if len(said) != 1:
            raise ValueError(f"an effect does exactly one thing, not {', '.join(said) or 'nothing'}")


class Ability(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``weapons``: for which attacks it works; ``attacks``: those that its unit makes, or those against it.

    ``text``: what it says. An ability that does nothing (``do``) has only that, and is played by hand.
    """

    title: Title
    who: Who = "unit"
    do: Annotated[tuple[Effect, ...], msgspec.Meta(max_length=MOST_EFFECTS)] = ()
    text: Text | None = None
    aura: Aura | None = None
    attacks: Attacks = "made"
    weapons: Literal["melee", "ranged", "all"] = "all"
    condition: If = msgspec.field(default_factory=If, name="if")

    def __post_init__(self) -> None:
        if (self.who == "aura") != (self.aura is not None):
            raise ValueError("an ability has an aura if, and only if, it falls on whoever is within one")
        if not self.do and self.text is None:
            raise ValueError("an ability says what it does, or has a text by which it is played by hand")

    @property
    def is_played(self) -> bool:
        """Whether the referee carries it out; else the players do, by its text."""
        return bool(self.do)
