"""What the blows of one step of a combat make of a unit, model by model: the living, vehicles, or both together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from campale.dice.odds import TooMany
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_vehicle
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Wound
from campale.rulesets.e55.hits.saves import Lot
from campale.rulesets.e55.odds.hull_fates import MOST_FATES, Battering, Fate, fates_of_hulls
from campale.rulesets.e55.odds.mixed_odds import few_hits, parted
from campale.rulesets.e55.odds.volley_odds import Attacks, Fire, in_floats, numbers_of
from campale.rulesets.e55.odds.wound_odds import MOST_WAYS, Losing, Wounding, fallen, lots_of, wounding_of, wounds_by


def fates_of_unit(fire: Fire, attacks: Sequence[Attacks]) -> dict[Fate, float]:
    """What becomes of the models of a unit, each by its row; those on which nothing tells are left out."""
    if is_all_vehicles(fire.target):
        return fates_of_hulls(fire, attacks)
    if is_mixed(fire.target):
        return fates_of_mixed(fire, attacks)
    return Fates(fire).of_wounding([wounding_of(fire, one) for one in attacks])


def is_mixed(unit: Unit) -> bool:
    """Vehicles and others."""
    return any(map(is_vehicle, members(unit))) and not is_all_vehicles(unit)


@rule("1.2/mixed-units", "7.17/squadron-hits")
def fates_of_mixed(fire: Fire, attacks: Sequence[Attacks]) -> dict[Fate, float]:
    """The hits are given out among vehicles and others first, then each kind takes them in its way."""
    living, vehicles = Fates(fire), Battering(fire)
    found: dict[Fate, float] = {}
    for hits, chance in few_hits(attacks).items():
        wounding, damaging = parted(fire, hits) if hits else ((), ())
        wounded = living.of_wounding([Wounding(1, wounds_by(fire, hit)) for hit in wounding])
        both = multiplied(wounded, vehicles.of(damaging))
        for fate, share in both.items():
            found[fate] = found.get(fate, 0.0) + chance * share
    return found


def multiplied(fates: Mapping[Fate, float], others: Mapping[Fate, float]) -> dict[Fate, float]:
    """The fates of models together with those of others, which do not hang on them."""
    found = {(*one, *other): p * q for one, p in fates.items() for other, q in others.items()}
    if len(found) > MOST_FATES:
        raise TooMany("too many fates")
    return found


class Fates(Losing):
    """What wounds make of the living models of a unit, one by one."""

    def __init__(self, fire: Fire) -> None:
        super().__init__(fire)
        self.of_lots: dict[Lot, dict[Fate, float]] = {}

    def of_wounding(self, attacks: Sequence[Wounding]) -> dict[Fate, float]:
        """After attacks that may wound."""
        kinds = list(dict.fromkeys(one for attack in attacks for wounds in attack.wounds for one in wounds))
        numbers = numbers_of(kinds, attacks)
        if len(numbers) > MOST_WAYS:
            raise TooMany("too many numbers of wounds")
        found: dict[Fate, float] = {}
        for number, chance in numbers.items():
            wounds = tuple(kind for kind, count in zip(kinds, number, strict=True) for _ in range(count))
            for fate, share in self.of_wounds(wounds).items():
                found[fate] = found.get(fate, 0.0) + chance * share
        return found

    def of_wounds(self, wounds: Sequence[Wound]) -> dict[Fate, float]:
        found: dict[Fate, float] = {(): 1.0}
        for lot in lots_of(self.fire, tuple(wounds)) if wounds else ():
            if lot not in self.of_lots:
                self.of_lots[lot] = self.of_group_lot(lot) if lot.together else self.of_model_lot(lot)
            found = multiplied(found, self.of_lots[lot])
        return found

    def of_group_lot(self, lot: Lot) -> dict[Fate, float]:
        found: dict[Fate, float] = {}
        for number, chance in enumerate(self.of_many(lot)):
            fate = tuple((row, None) for row in sorted(fallen(self.fire, lot, number)))
            if chance > 0:
                found[fate] = found.get(fate, 0.0) + float(chance)
        return found

    def of_model_lot(self, lot: Lot) -> dict[Fate, float]:
        row = lot.rows[0]
        runs = tuple((event, len(list(same))) for event, same in groupby(((1.0, borne),) for borne in lot.borne))
        found: dict[Fate, float] = {}
        for suffered, chance in self.suffered(self.fire.position.models[row], runs).items():
            for fate, share in self.fate_of(row, suffered.unsaved).items():
                found[fate] = found.get(fate, 0.0) + chance * share
        return found

    def fate_of(self, row: int, unsaved: tuple[Any, ...]) -> dict[Fate, float]:
        if not unsaved:
            return {(): 1.0}
        lot = Lot((row,), unsaved)
        found = self.fire.odds(
            lambda position: resolving.suffer(Unit(position, self.fire.row), lot, unsaved), partial(state_of, row)
        )
        return in_floats(found)


def state_of(row: int, position: Position, _: Any) -> Fate:
    model = position.model(row)
    if not model.is_on_table:
        return ((row, None),)
    return ((row, tuple(sorted((name, model.marks(name)) for name in model.marked()))),)
