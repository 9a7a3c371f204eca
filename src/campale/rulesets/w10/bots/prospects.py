"""The wounds and points that attacks are expected to take off an enemy, by the needs of the rules themselves."""

from __future__ import annotations

from collections.abc import Sequence

from campale.dice.needs import Need, faces_met
from campale.mechanics.dice import FACES
from campale.referee.position import Model, Position, Unit
from campale.rulesets.w10.abilities.effects import feel_no_pain
from campale.rulesets.w10.armies.amounts import Amount
from campale.rulesets.w10.attack.attack import attack_of, hit_need, line_of, wound_need
from campale.rulesets.w10.attack.damage import changes_of_damage
from campale.rulesets.w10.attack.saves import save_need
from campale.rulesets.w10.attack.values import Attack, Shots, changes_to
from campale.rulesets.w10.basics.dice import read
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.units import members, price_of, wounds_left
from campale.rulesets.w10.fight.declaring import Blow, blows_as_shots, weapons_of
from campale.rulesets.w10.shooting.eligible import Gun, guns_of
from campale.rulesets.w10.shooting.targets import shots_of, targets_of, within_half

SIXTH = 1.0 / 6.0
WAYS = {total: sum(one + other >= total for one in FACES for other in FACES) / 36.0 for total in range(2, 13)}
"""The chance that two dice total at least each number."""


def share(need: Need) -> float:
    """The share of the six faces that meet a need."""
    return faces_met(need) / len(FACES)


def points_left(model: Model) -> float:
    """The points of a model, less for every wound lost."""
    return float(price_of(model) * (0.5 + 0.5 * wounds_left(model) / model.profile.w))


def taken(target: Unit, wounds: float) -> float:
    """The points that a unit loses with a number of wounds, as ``points_left`` counts them.

    A wounded model comes first, then the cheapest; a unit loses no more than it has.
    """
    total, left = 0.0, wounds
    for model in sorted(members(target), key=lambda m: (wounds_left(m) == m.profile.w, price_of(m))):
        if left <= 0.0:
            break
        total += min(1.0, left / wounds_left(model)) * points_left(model)
        left -= wounds_left(model)
    return total


def expected(position: Position, shots: Shots) -> float:
    """The wounds that the attacks of one weapon are expected to cost their target."""
    line, target = line_of(position, shots), members(Unit(position, shots.target))
    if not target:
        return 0.0
    attack, model = attack_of(shots, line), target[0]
    more = (line.number("rapid-fire") if shots.near else 0) + shots.extra
    count = mean_after("a", line.attacks, changes_to(shots, "a")) + more
    lost = min(mean_after("d", line.damage, changes_of_damage(position, attack, model)), float(model.profile.w))
    number = feel_no_pain(model)
    ignored = 0.0 if number is None else (7 - number) * SIXTH
    return float(count * unsaved(attack, model) * lost * (1.0 - ignored))


def mean_after(name: str, amount: Amount, changes: Sequence[Change]) -> float:
    """The mean of an amount after all changes; for several dice, the changes apply to their mean."""
    if not amount.is_rolled:
        return float(modified(name, amount.plus, changes))
    if amount.count > 1:
        return float(modified(name, round(amount.mean), changes))
    return sum(modified(name, amount.plus + read(face, amount.sides), changes) for face in FACES) / len(FACES)


def unsaved(attack: Attack, model: Model) -> float:
    """The expected number of wounds of one attack that get past a model's save."""
    return wounds_by(attack, share(save_need(model, attack)))


def wounds_by(attack: Attack, saved: float) -> float:
    """The expected wounds of one attack that are not saved, where ``saved`` is the share of saves that succeed."""
    line, need = attack.line, hit_need(attack)
    critical = 0.0 if need is None else (7 - attack.critical_hit) * SIXTH
    hits = (1.0 if need is None else again(attack, "hit", share(need))) + critical * line.number("sustained-hits")
    sure = critical if line.has("lethal-hits") else 0.0
    wounding = again(attack, "wound", share(wound_need(attack)))
    if line.has("twin-linked"):
        wounding += (1.0 - wounding) * wounding
    wounds = (hits - sure) * wounding + sure
    criticals = (hits - sure) * (7 - attack.critical) * SIXTH
    mortal = criticals if line.has("devastating-wounds") else 0.0
    extra = criticals * line.number("critical-mortal") / max(1.0, line.damage.mean)
    return float((wounds - mortal) * (1.0 - saved) + mortal + extra)


def again(attack: Attack, which: str, chance: float) -> float:
    """The chance of success when an ability lets the owner re-roll failures or ones."""
    if f"{which}-any" in attack.again or f"{which}-failed" in attack.again:
        return chance + (1.0 - chance) * chance
    return chance + SIXTH * chance if f"{which}-ones" in attack.again else chance


# ---------------------------------------------------------------- shooting


def shooting_values(unit: Unit, targets: Sequence[Unit] | None = None, snap: bool = False) -> dict[int, float]:
    """For the row of each enemy unit, the points that all guns able to target it are expected to take off it.

    ``targets``: look only at these. ``snap``: only sixes hit.
    """
    position = unit.position
    open_to = targets_of(position, unit.side, guns_of(unit), targets)
    return {row: values_of(position, able, Unit(position, row), snap) for row, able in open_to.items()}


def values_of(position: Position, guns: Sequence[Gun], target: Unit, snap: bool = False) -> float:
    """The points that some guns are expected to take off a target; guns of the same kind are judged once."""
    found: dict[tuple[str, bool], float] = {}
    total = 0.0
    for gun, is_near in zip(guns, within_half(position, guns, target), strict=True):
        key = gun.carried.id, is_near
        if key not in found:
            found[key] = expected(position, shots_of(gun, target, snap))
        total += found[key]
    return taken(target, total)


# ---------------------------------------------------------------- melee


def melee_value(unit: Unit, target: Unit) -> float:
    """The points that a unit is expected to take off another if all its models strike."""
    found: dict[str, float] = {}
    total = 0.0
    for model in members(unit):
        if model.profile.id not in found:
            found[model.profile.id] = blows_of(model, target)
        total += found[model.profile.id]
    return taken(target, total)


def blows_of(model: Model, target: Unit) -> float:
    """The wounds that a model's best melee weapon, and those that strike in addition, are expected to cost a unit."""
    main, extra = weapons_of(model)
    best = max((blow_of(model, target, key) for key in main), default=0.0)
    return best + sum(blow_of(model, target, key) for key in extra)


def blow_of(model: Model, target: Unit, key: Sequence[int]) -> float:
    blow = Blow(model, int(key[0]), int(key[1]), target.row)
    return expected(model.position, blows_as_shots(model.unit, blow))


def blow_value(model: Model, target: Unit, key: Sequence[int]) -> float:
    """The points that one melee weapon is expected to take off a unit."""
    return taken(target, blow_of(model, target, key))
