"""The forecasts of this book: shots, blows and charges, as they may be made now or as they are declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from campale.dice.bags import Bags
from campale.dice.counts import Chances
from campale.dice.odds import OddsError, first_suggestion
from campale.mechanics.script_form import as_proposed
from campale.mechanics.steps import numbers, step
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position, Unit
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.attack.attack import line_of
from campale.rulesets.w10.attack.damage import MORTAL, Harm, take_harm, take_stored
from campale.rulesets.w10.attack.resolve import ATTACK, profile_key
from campale.rulesets.w10.attack.values import Attack, Hit, Shots, Wound
from campale.rulesets.w10.basics.units import members, wounds_left
from campale.rulesets.w10.charge.charging import declaration as charges
from campale.rulesets.w10.fight.declaring import blows_as_shots, reach_of
from campale.rulesets.w10.fight.declaring import declaration as declaring
from campale.rulesets.w10.odds.charges import of_charge
from campale.rulesets.w10.shooting.declaring import HOLD, declaration, declaration_at, numbers_of
from campale.rulesets.w10.shooting.eligible import Gun, guns_of, is_eligible, lent_guns
from campale.rulesets.w10.shooting.targets import shots_of, targets_of, why_not

COUNTED = (("hits", "attack/hit-roll"), ("wounds", "attack/wound-roll"))
MOST = 4000


@rule("shooting-phase/select-targets", "fight-phase/select-targets")
def forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """Forecasts of what a model's unit may do to another's unit now: all its shots at it, all its blows."""
    model, aim = position.model(row), position.model(target)
    if model.side == aim.side or not (model.is_on_table and aim.is_on_table):
        return []
    unit, foe = model.unit, aim.unit
    found = []
    if is_eligible(unit) and foe.row in (open_to := targets_of(position, unit.side, guns_of(unit))):
        found.append(
            of_shots(unit, foe, [shots_of(gun, foe) for gun in fired(unit, foe, open_to[foe.row])], "shooting")
        )
    if blows := struck(unit, foe):
        found.append(of_shots(unit, foe, blows, "melee"))
    return found


@rule("weapon-abilities/pistol-or-others", "datasheet/several-profiles")
def fired(unit: Unit, foe: Unit, able: Sequence[Gun]) -> list[Gun]:
    """The guns as proposed: one profile of each, and no PISTOL with other guns; PISTOLs where these do not reach."""
    return as_proposed(partial(declaration_at, unit, foe.row)) or [gun for gun in able if gun.profile.has("pistol")]


@rule("fight-phase/which-models", "terrain/barricades-melee")
def struck(unit: Unit, foe: Unit) -> list[Shots]:
    """The blows of all models that reach an enemy unit, as proposed."""
    reach = {row: [foe.row] for row, targets in reach_of(unit).items() if foe.row in targets}
    if not reach:
        return []
    return [blows_as_shots(unit, blow) for blow in as_proposed(partial(declaring, unit, reach)) or ()]


def forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """The forecast for shots, blows or a charge as far as declared, the rest as proposed; None if there is none.

    Attacks are judged against their first target, those of a weapon of its own against the target that it is given.
    """
    told = TOLD.get(question.prompt)
    return None if told is None else told(position, question, answer)


def of_shooting(position: Position, question: Question, answer: Plain) -> Forecast | None:
    if not isinstance(answer, list | tuple) or list(answer[:1]) == [HOLD]:
        return None
    unit = Unit(position, int(question.about["unit"]))
    used = question.about.get("used")
    again = None if used is None else {(int(row), int(weapon)) for row, weapon in used}
    declared = as_proposed(partial(declaration, unit, again), answer) or []
    return of_all(unit, [shots_of(gun, Unit(position, target)) for gun, target in declared], "shooting")


def of_declared_charge(position: Position, question: Question, answer: Plain) -> Forecast | None:
    if not isinstance(answer, list | tuple):
        return None
    unit = Unit(position, int(question.about["unit"]))
    targets = as_proposed(partial(charges, unit), answer)
    return of_charge(unit, targets) if targets else None


def of_blows(position: Position, question: Question, answer: Plain) -> Forecast | None:
    if not isinstance(answer, list | tuple):
        return None
    unit = Unit(position, int(question.about["unit"]))
    declared = as_proposed(partial(declaring, unit, reach_of(unit)), answer) or []
    return of_all(unit, [blows_as_shots(unit, blow) for blow in declared], "melee")


@rule("stratagems/fire-overwatch")
def of_overwatch(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """("fire-overwatch", unit): all that the unit can shoot at the mover; only sixes hit."""
    if not isinstance(answer, list | tuple) or answer[0] != "fire-overwatch":
        return None
    unit, mover = Unit(position, int(answer[1])), Unit(position, int(question.about["mover"]))
    guns = as_proposed(partial(declaration_at, unit, mover.row)) or []
    return of_all(unit, [shots_of(gun, mover, True) for gun in guns], "shooting")


def of_weapon(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """The forecast for the weapons that a field of a form is about; without steps where they hold their fire."""
    model, which = position.model(int(question.about["model"])), {tuple(one) for one in question.about["guns"]}
    if answer == HOLD:
        return Forecast(model.row, model.row, (str(question.about["weapon"]),), (), ("shooting",))
    if not isinstance(answer, int):
        return None
    unit, target = model.unit, Unit(position, answer)
    own = [gun for gun in (*guns_of(unit), *lent_guns(unit)) if numbers_of(gun) in which]
    shots = [shots_of(gun, target) for gun in own if why_not(gun, target) is None]
    return of_shots(unit, target, shots, "shooting") if shots else None


TOLD: dict[str, Callable[[Position, Question, Plain], Forecast | None]] = {
    "shooting": of_shooting,
    "weapon-at": of_weapon,
    "charge": of_declared_charge,
    "fight": of_blows,
    "enemy-moves": of_overwatch,
}
"""By the prompt of the question, or of the form's field."""


def of_all(unit: Unit, shots: Sequence[Shots], way: str) -> Forecast | None:
    if not shots:
        return None
    first = shots[0].target
    found = of_shots(unit, Unit(unit.position, first), [one for one in shots if one.target == first], way)
    return found if all(one.target == first for one in shots) else replace(found, notes=("other-targets",))


# ---------------------------------------------------------------- a unit's attacks on one target


def of_shots(unit: Unit, target: Unit, shots: Sequence[Shots], way: str) -> Forecast:
    """Hits, wounds, failed saves and lost models, profile by profile in the order of the weapons."""
    position = unit.position
    weapons = tuple(dict.fromkeys(profile_key(position, one)[0] for one in shots))
    begun = Forecast(members(unit)[0].row, members(target)[0].row, weapons, (), (way,))
    striking = Striking(position, target.row, shots)
    try:
        steps = tuple(striking.steps())
    except OddsError:
        return replace(begun, gap="too-many")
    return replace(begun, steps=steps, decided=tuple(striking.decided))


class Striking:
    """The stages of attacks on one unit, enumerated from a copy of the position."""

    def __init__(self, position: Position, row: int, shots: Sequence[Shots]) -> None:
        self.position, self.row = position.copy(), row
        order = list(dict.fromkeys(profile_key(position, one) for one in shots))
        self.shots = sorted(shots, key=lambda one: order.index(profile_key(position, one)))
        self.first = {self.key(one): (one.row, one.weapon) for one in reversed(self.shots)}
        self.bags = Bags(self.position, first_suggestion, self.alike, most_bags=MOST)
        self.decided: dict[str, None] = {}

    def key(self, shots: Shots) -> tuple[Any, ...]:
        return profile_key(self.position, shots), self.position.unit_of[shots.row], shots.lender

    def alike(self, thing: Any) -> Any:
        """The same thing for a representative model: it does not matter which model of a unit uses a profile."""
        if isinstance(thing, Shots):
            row, weapon = self.first.get(self.key(thing), (thing.row, thing.weapon))
            return replace(thing, row=row, weapon=weapon)
        if isinstance(thing, Attack):
            return replace(thing, by=self.standing_for(thing))
        if isinstance(thing, Hit | Wound):
            return replace(thing, attack=replace(thing.attack, by=self.standing_for(thing.attack)))
        return thing

    def standing_for(self, attack: Attack) -> int:
        """The row of the first model with the same profile."""
        return next((one.row for one in self.shots if line_of(self.position, one) == attack.line), attack.by)

    def steps(self) -> Iterator[Step]:
        for name, id in COUNTED:
            yield step(name, id, self.numbers(name, counted))
        if not self.numbers("saves", is_open)[1:].any():
            yield step("unsaved", "attack/saving-throw", self.numbers("saves", counted))
        models, wounds = self.lost()
        if any(model.profile.w > 1 for model in members(Unit(self.position, self.row))):
            yield step("wounds-lost", "attack/inflict-damage", wounds)
        yield step("losses", "destroyed/model", models, is_main=True)

    def numbers(self, until: str, counted: Callable[[Any], int]) -> Chances:
        return self.bags.numbers(ATTACK, self.shots, counted, until)

    @rule("mortal-wounds/normal-first", "shooting-phase/resolve-order")
    def lost(self) -> tuple[Chances, Chances]:
        """The chances of models and wounds lost by the target, including stored mortal wounds."""
        ends: dict[Harm | None, float] = {None: 1.0}
        for profile in dict.fromkeys(profile_key(self.position, one) for one in self.shots):
            ends = self.after(ends, [one for one in self.shots if profile_key(self.position, one) == profile])
        found: dict[tuple[int, int], float] = {}
        for harm, chance in ends.items():
            for lost, share in self.at_the_end(harm).items():
                found[lost] = found.get(lost, 0.0) + chance * share
        return numbers(found, itemgetter(0)), numbers(found, itemgetter(1))

    def after(self, before: dict[Harm | None, float], shots: Sequence[Shots]) -> dict[Harm | None, float]:
        """The states after the attacks of one more profile, with their chances."""
        found: dict[Harm | None, float] = {}
        for harm, chance in before.items():
            position = self.position.copy()
            if harm is not None:
                take_harm(position, harm)
            bags = Bags(position, first_suggestion, self.alike, most_bags=MOST)
            for (end,), share in bags.ends(ATTACK, shots).items():
                found[end] = found.get(end, 0.0) + chance * share
            self.decided.update(bags.decided)
        return found

    def at_the_end(self, harm: Harm | None) -> dict[tuple[int, int], float]:
        """The chances of models and wounds lost once the waiting mortal wounds have been suffered."""
        position = self.position.copy()
        if harm is not None:
            take_harm(position, harm)
        bags = Bags(position, first_suggestion, most_bags=MOST)
        found: dict[tuple[int, int], float] = {}
        for (end,), share in bags.ends(MORTAL, take_stored(position)).items():
            lost = self.lost_by(end)
            found[lost] = found.get(lost, 0.0) + share
        self.decided.update(bags.decided)
        return found

    def lost_by(self, harm: Harm) -> tuple[int, int]:
        """The number of models that the target has lost, and of wounds."""
        after = dict(harm[0])
        models = members(Unit(self.position, self.row))
        left = [m.profile.w - after[m.row] for m in models if m.row in after]
        return len(models) - len(left), sum(wounds_left(m) for m in models) - sum(left)


def counted(thing: Any) -> int:
    """1 for a hit or a wound; 0 for mortal wounds in addition to those of an attack."""
    return int(not getattr(thing, "extra", 0))


def is_open(wound: Wound) -> int:
    """1 if the saving throw is still to be made, as when models of the target have different saves."""
    return int(not (wound.is_unsaved or wound.mortal))
