"""The odds of a melee attack, and of a Charge with its attack: the stages of the rules, fully enumerated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from campale.dice.bags import Bags
from campale.dice.chain import Chain, Key
from campale.dice.counts import Chances, chances_of
from campale.dice.odds import OddsError, Policy, first_suggestion
from campale.mechanics.forecasts import Counting, by_playing
from campale.mechanics.frames import Frame, drop, push, run_top, stack
from campale.mechanics.script_form import as_proposed
from campale.mechanics.steps import mixed, numbers, step
from campale.referee.looks import Forecast, Step
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.fear import fear_of_fighting
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.approach import approach
from campale.rulesets.wzr.close_combat.attack import COMBAT, Attack, any_attack, attack_script, frames_of
from campale.rulesets.wzr.close_combat.cc_test import HITS, Landed, Outcome
from campale.rulesets.wzr.close_combat.charge import CHARGE, can_reach, charge_script
from campale.rulesets.wzr.close_combat.charging import (
    CHARGE_ATTACK,
    CHARGE_FEAR,
    CHARGE_GOES,
    attacks_after,
    frames_of_charge,
    onset_after,
)
from campale.rulesets.wzr.close_combat.combat import blows_of
from campale.rulesets.wzr.close_combat.special import SPECIALS
from campale.rulesets.wzr.odds.harm import has_many, lost_by, notes_of
from campale.rulesets.wzr.structures.damage import COLLAPSE
from campale.rulesets.wzr.structures.pieces import ps_lost
from campale.rulesets.wzr.turn.sequence import PROCEDURES
from campale.rulesets.wzr.wounds.resolving import STAGES, Harm, harm_of

MELEE, SPECIAL = "melee", "special"
MOST_BAGS, MOST_RUNS = 4_000, 4_000


# ---------------------------------------------------------------- one attack


class Striking:
    """The stages of one attack from a copy of the position, with Fear passed and failed."""

    def __init__(self, position: Position, attack: Attack, policy: Policy | None = None) -> None:
        self.attack, self.policy = attack, policy or first_suggestion
        self.decided: dict[str, None] = {}
        begun = position.copy()
        if attack.approach:
            approach(begun.model(attack.row), *attack.approach)
        self.before = begun
        self.cases = list(self.after_fear(begun))

    @rule("abilities/fear")
    def after_fear(self, position: Position) -> Iterator[tuple[Position, float]]:
        """The positions after the Fear test, with their chances."""
        row = self.attack.row
        chain = Chain(position, self.policy, MOST_RUNS, lambda one: one.model(row).marks(marks.AFRAID))
        for (key, _), chance in chain.after(chain.begun, fear_of_fighting, row).items():
            yield chain.position(key), chance

    def bags(self, position: Position) -> Bags:
        return Bags(position, self.policy, most_bags=MOST_BAGS)

    def counted(self, until: str, count: Callable[[Any], int]) -> Chances:
        """The chances of each number of things counted after a stage."""
        found = []
        for position, chance in self.cases:
            bags = self.bags(position)
            found.append((chance, bags.numbers(HITS, blows_of(position, self.attack), count, until)))
            self.decided.update(bags.decided)
        return mixed(found)

    def ends(self) -> dict[Harm | None, float]:
        """The states that the hits may leave behind, with their chances."""
        found: dict[Harm | None, float] = {}
        for position, chance in self.cases:
            bags = self.bags(position)
            for (harm,), share in bags.ends((*HITS, *STAGES), blows_of(position, self.attack)).items():
                found[harm] = found.get(harm, 0.0) + chance * share
            self.decided.update(bags.decided)
        return found

    @rule("close-combat/cc-test", "core/removal")
    def steps(self) -> Iterator[Step]:
        special = self.attack.special
        if special is not None and special.effect != "hit":
            yield step("succeeds", "close-combat/cc-test", self.counted("tests", is_landed), is_main=True)
            return
        yield step("hits", "close-combat/cc-test", self.counted("tests", is_landed))
        ends = self.ends()
        lost = {harm: self.lost_by(harm) for harm in ends}
        if any(has_many(self.before.model(row)) for row in self.attack.targets if isinstance(row, int)):
            yield step("wounds-lost", "core/wound-effect", numbers(ends, lambda harm: lost[harm][1]))
        yield step("losses", "core/removal", numbers(ends, lambda harm: lost[harm][0]), is_main=True)

    def lost_by(self, harm: Harm | None) -> tuple[int, int]:
        """How many enemies are gone, and the wounds (for vehicles: PS) that they lost."""
        return lost_by(self.before, 1 - self.before.side_of[self.attack.row], harm)


def is_landed(outcome: Outcome) -> int:
    return int(isinstance(outcome, Landed))


def forecast(position: Position, attack: Attack, policy: Policy | None = None) -> Forecast:
    """Hits, wounds and losses of one attack; for a piece of terrain, the PS it loses."""
    ways = (MELEE,) if attack.name == COMBAT else (SPECIAL, attack.name)
    rows = [one for one in attack.targets if isinstance(one, int)]
    if not rows:
        return replace(on_piece(position, attack), of=(attack.arm,), ways=ways)
    begun = Forecast(attack.row, rows[0], (attack.arm,), (), ways, dice=len(rows))
    try:
        striking = Striking(position, attack, policy)
        found = tuple(striking.steps())
    except OddsError:
        return replace(begun, gap="too-many")
    return replace(begun, steps=found, decided=tuple(striking.decided), notes=notes_of(position, rows))


def everything(frame: Frame) -> bool:
    return True


async def run_up_to(position: Position, kind: str) -> None:
    """Do what is in hand, up to the first frame of a kind."""
    while stack(position) and stack(position)[-1][0] != kind:
        await run_top(position, PROCEDURES)


@rule("structures/hit-melee")
def on_piece(position: Position, attack: Attack) -> Forecast:
    """The PS that a piece of terrain loses. The collapse of a structure is left out."""
    name = str(attack.targets[0])
    before = ps_lost(position, name)

    async def play(copy: Position) -> None:
        drop(copy, everything)
        push(copy, *frames_of(attack))
        await run_up_to(copy, COLLAPSE)

    lost = Counting("ps-lost", "structures/attack-damage", lambda copy, _: max(0, ps_lost(copy, name) - before))
    return by_playing(position, attack.row, attack.row, play, (lost,))


# ---------------------------------------------------------------- a Charge


@rule("actions/charge", "close-combat/counter-charge-trigger", "abilities/fear")
def charge_forecast(position: Position, row: int, answers: Sequence[Plain]) -> Forecast | None:
    """Whether a Charge arrives, and the losses by its attack wherever it ends. Sentries are left out."""
    declared = as_proposed(partial(charge_script, position.model(row)), answers)
    if declared is None:
        return None
    target = declared[0]
    begun = Forecast(row, target, (), (), (CHARGE,), notes=("reactions",))
    chain = Chain(position, first_suggestion, MOST_RUNS, key_of)
    try:
        came = chain.after(chain.begun, comes, row, declared)
        after = [(chain.position(key), chance) for (key, _), chance in came.items()]
        arrives = sum(chance for (_, met), chance in came.items() if met == target)
        reached = step("arrives", "close-combat/counter-charge-trigger", chances_of({1: arrives, 0: 1.0 - arrives}))
        lost, decided = attack_there(after, row)
    except OddsError:
        return replace(begun, gap="too-many")
    wounds = step("wounds-lost", "core/wound-effect", numbers(lost, itemgetter(1)))
    losses = step("losses", "core/removal", numbers(lost, itemgetter(0)), is_main=True)
    found = (reached, wounds, losses) if has_many(position.model(target)) else (reached, losses)
    return replace(begun, steps=found, decided=tuple(dict.fromkeys((*chain.decided, *decided))))


async def comes(position: Position, row: int, declared: tuple[Any, ...]) -> int:
    """Play Fear and the way, up to the attack; return the row of the enemy reached, or -1.

    A charger that a jump or the ground destroys reaches nobody.
    """
    frames = frames_of_charge(position.model(row), *declared)
    drop(position, everything)
    push(position, *(frame for frame in frames if frame[0] in (CHARGE_FEAR, CHARGE_GOES)))
    await run_up_to(position, CHARGE_ATTACK)
    return int(stack(position)[-1][2]) if stack(position) and position.model(row).is_on_table else -1


def key_of(position: Position) -> Key:
    """Everything that may tell one end of a Charge from another."""
    places = tuple(zip(position.x, position.y, position.z, position.facing, strict=True))
    afraid = tuple(m.marks(marks.AFRAID) for m in position.models)
    return places, afraid, harm_of(position), stack(position)


def attack_there(after: Sequence[tuple[Position, float]], row: int) -> tuple[dict[tuple[int, int], float], list[str]]:
    """The models and the wounds lost by the attack at the end of a Charge, with their chances, over all ends."""
    found: dict[tuple[int, int], float] = {}
    decided: list[str] = []
    for position, chance in after:
        attack = attack_at_the_end(position, row)
        striking = None if attack is None else Striking(position, attack)
        ends: dict[Harm | None, float] = {None: 1.0} if striking is None else striking.ends()
        for harm, share in ends.items():
            lost = (0, 0) if striking is None else striking.lost_by(harm)
            found[lost] = found.get(lost, 0.0) + chance * share
        decided += () if striking is None else striking.decided
    return found, decided


def attack_at_the_end(position: Position, row: int) -> Attack | None:
    """The combat action that the form proposes first, or None."""
    frames = stack(position)
    model = position.model(row)
    if not frames or not model.is_on_table or COMBAT not in attacks_after(model):
        return None
    onset = onset_after(position, *frames[-1][1:])
    return as_proposed(partial(attack_script, model, COMBAT, onset))


# ---------------------------------------------------------------- forecasts on request


def melee_forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """What a model may do to another in melee now: attacks as proposed, or else a Charge."""
    model, aim = position.model(row), position.model(target)
    if model.side == aim.side or not (model.is_on_table and aim.is_on_table):
        return []
    attacks = [one for one in (at_target(model, name, target) for name in attacks_after(model)) if one is not None]
    found = [forecast(position, one) for one in attacks]
    if not found and can_reach(model, aim):
        charge = charge_forecast(position, row, [target])
        found += [] if charge is None else [charge]
    return found


def at_target(model: Model, name: str, target: int) -> Attack | None:
    """The proposed attack, all of it at one enemy; None if it cannot strike that enemy."""
    attack = as_proposed(partial(attack_script, model, name))
    if attack is None or target not in attack.targets:
        return None
    return attack._replace(targets=(target,) * len(attack.targets)) if name == COMBAT else attack


def melee_forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """The odds of an attack or Charge as far as it is declared, filled in as the form proposes."""
    if not isinstance(answer, list | tuple) or not answer or "model" not in question.about:
        return None
    row, name = int(question.about["model"]), answer[0]
    model = position.model(row)
    if question.prompt == "charge-attack":
        onset = tuple(question.about["onset"])
        attack = as_proposed(partial(any_attack, model, attacks_after(model), onset), answer)
        return None if attack is None else forecast(position, attack)
    if question.prompt != "act":
        return None
    if name == CHARGE:
        return charge_forecast(position, row, answer[1:]) if len(answer) > 1 else None
    if name == COMBAT or name in SPECIALS:
        attack = as_proposed(partial(attack_script, model, str(name)), answer[1:])
        return None if attack is None else forecast(position, attack)
    return None
