"""Saving throws (2.3): which are available against a wound, how good each is, and rolling them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import groupby
from typing import Any, Literal

import msgspec

from campale.dice.needs import Need, Part
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import needed, pool_for
from campale.rulesets.e55.hits import attacks
from campale.rulesets.e55.hits.attacks import Covers, Wound

Kind = Literal["armour", "cover", "invulnerable"]
KINDS: tuple[Kind, ...] = ("armour", "cover", "invulnerable")
NEGATED, BEST_ROLL, SECOND_CHANCE = 7, 2, 3


class Save(msgspec.Struct, frozen=True):
    """A save against one wound: its kind, its printed value, the worsening by AP, the bonus from other saves."""

    kind: Kind
    printed: int
    worsened: int = 0
    improved: int = 0

    @property
    def value(self) -> int:
        """Return the number needed on the die if it is from 2 to 6; it may lie outside."""
        return self.printed + self.worsened - self.improved

    @property
    def needed(self) -> int:
        """Return the number needed on the die: no save is better than 2+."""
        return max(BEST_ROLL, self.value)


class Borne(msgspec.Struct, frozen=True):
    """A wound allocated to a model (row), and the save against it."""

    row: int
    wound: Wound
    save: Save | None = None
    pain: Need | None = None


class Lot(msgspec.Struct, frozen=True):
    """Wounds resolved one after another on one model, or as one batch on a group of identical models."""

    rows: tuple[int, ...]
    borne: tuple[Borne, ...]
    together: bool = False


# ---------------------------------------------------------------- available saves


@rule("2.3/ap-against-armour", "2.3/armour-per-wound")
def worsening(armour: int, ap: int | None) -> int:
    """Return by how much an AP worsens an armour save against the wound that has it."""
    return 0 if ap is None or ap > armour else armour - ap + 1


@rule("2.3/armour-negated")
def is_negated(armour: int) -> bool:
    return armour >= NEGATED


@rule("2.3/armour-and-invulnerable")
def armour_against(model: Model, wound: Wound) -> Save | None:
    """Return the armour save after the wound's AP, None if negated. AP changes no other kind of save."""
    printed = model.profile.armour_save
    if printed is None:
        return None
    save = Save("armour", printed, worsening(printed, wound.ap))
    return None if is_negated(save.value) else save


@rule("2.3.1/cover-granted")
def cover_against(model: Model, wound: Wound, covers: Covers) -> Save | None:
    """Return the cover from the unit that caused the wound, if the attack allows cover."""
    if not wound.grants_cover:
        return None
    cover = attacks.cover_against(covers, wound.by_unit, wound.by_model, model.row, wound.target == model.row)
    return None if cover is None else Save("cover", cover)


def invulnerable_against(model: Model) -> Save | None:
    printed = model.profile.invulnerable_save
    return None if printed is None else Save("invulnerable", printed)


@rule("2.3.2/multiple-save-bonus")
def bonus(available: Sequence[Save]) -> int:
    """Return one point for each other save that can be used against the wound."""
    return max(0, len(available) - 1)


@rule("1.1/saving-throws", "2.3.2/choose-save")
def saves_against(model: Model, wound: Wound, covers: Covers) -> tuple[Save, ...]:
    """Return the saves that the owner may choose from, with bonuses, the best first."""
    if wound.cannot_be_saved:
        return ()
    kinds = armour_against(model, wound), cover_against(model, wound, covers), invulnerable_against(model)
    available = [save for save in kinds if save is not None]
    if len(available) < 2:
        return tuple(available)
    better = bonus(available)
    improved = [msgspec.structs.replace(save, improved=better) for save in available]
    return tuple(sorted(improved, key=lambda save: (save.value, KINDS.index(save.kind))))


# ---------------------------------------------------------------- rolling


@rule("2.3.2/roll-save", "1.1/auto-success-failure")
def need_of(save: Save) -> Need:
    """Return the printed number with its modifiers; a 1 always fails."""
    parts = Part("2.3/ap-against-armour", -save.worsened), Part("2.3.2/multiple-save-bonus", save.improved)
    return needed(save.printed, parts)


@rule("2.3.2/no-save")
def save_needed(borne: Borne) -> Need | None:
    """Return the need of the save, None if no save is available: the wound is then unsaved without a roll."""
    return None if borne.save is None else need_of(borne.save)


@rule("2.3.2/better-than-2", "1.1/re-roll-once")
def second_chance(save: Save) -> Need | None:
    """Return the need of the one re-roll of a failed save better than 2+: three points worse than its true value."""
    return needed(max(BEST_ROLL, save.value + SECOND_CHANCE)) if save.value < BEST_ROLL else None


@rule("2.3.2/roll-save", "1.1/dice-stream")
async def unsaved_of(side: int, borne: Sequence[Borne]) -> tuple[Borne, ...]:
    """Roll saves, second chances and pain for a batch of wounds; return the wounds neither saved nor ignored."""
    apart = [(one.save, one.wound.by_unit, one.wound.cause) for one in borne]
    saved = await averted(side, "save", borne, [save_needed(one) for one in borne], apart)
    again = [None if met else another_chance(one) for met, one in zip(saved, borne, strict=True)]
    second = await averted(side, "second-chance", borne, again, apart)
    lost = [one for one, first, then in zip(borne, saved, second, strict=True) if not (first or then)]
    ignored = await averted(side, "feel-no-pain", lost, [one.pain for one in lost], [one.wound.by_unit for one in lost])
    return tuple(one for one, is_ignored in zip(lost, ignored, strict=True) if not is_ignored)


async def averted(
    side: int, why: str, borne: Sequence[Borne], needs: Sequence[Need | None], apart: Sequence[Hashable]
) -> list[bool]:
    """For each wound, return whether a die has averted it; wounds with nothing to roll for are not averted.

    Dice are rolled together only for wounds that nothing later tells ``apart``.
    """
    met = [False] * len(borne)
    rolling = [place for place, need in enumerate(needs) if need is not None]
    for _, run in groupby(rolling, key=lambda place: (needs[place], apart[place])):
        places = list(run)
        need = needs[places[0]]
        assert need is not None
        about: dict[str, Any] = {"save": kind_of(borne[places[0]])} if why != "feel-no-pain" else {}
        batch = [borne[place] for place in places]
        rolled = await pool_for(side, why, batch, need, models=[one.row for one in batch], **about)
        for place, success in zip(places, rolled.hits, strict=True):
            met[place] = success
    return met


def another_chance(borne: Borne) -> Need | None:
    return None if borne.save is None else second_chance(borne.save)


def kind_of(borne: Borne) -> str:
    return "" if borne.save is None else borne.save.kind
