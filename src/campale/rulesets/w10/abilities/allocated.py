"""What a model's abilities do to an attack allocated to it (c/against-characteristic)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from campale.dice.needs import Part
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import is_psychic, signed
from campale.rulesets.w10.abilities.index import Carried, effects_on
from campale.rulesets.w10.abilities.vocabulary import Effect
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.basics.modifiers import Change


def on_allocated(model: Model, line: Line) -> Iterator[tuple[Carried, Effect]]:
    kind = "melee" if line.is_melee else "ranged"
    for one, effect in effects_on(model.unit, model):
        if one.ability.condition.psychic and not is_psychic(line):
            continue
        if one.ability.attacks == "allocated" and one.ability.weapons in ("all", kind):
            yield one, effect


@rule("modifiers/definition", "c/attack-modifiers-local")
def allocated_changes(model: Model, line: Line, name: str) -> tuple[Change, ...]:
    """Changes to the AP or the Damage of the attack."""
    found = [effect.modify for _, effect in on_allocated(model, line) if effect.modify is not None]
    return tuple(Change("c/attack-modifiers-local", one[1], one[2]) for one in found if one[0] == name)


@rule("c/against-characteristic", "c/save-against")
def save_parts(model: Model, line: Line, damage: int | None, rolls: Collection[str]) -> tuple[Part, ...]:
    """Modifiers of such saving throws; ``damage``: Damage of the attack after all changes, None if rolled."""
    found = []
    for one, effect in on_allocated(model, line):
        if effect.roll is not None and effect.roll[0] in rolls and one.ability.condition.damage in (None, damage):
            found.append(Part("c/against-characteristic", signed(effect.roll[1], effect.roll[2])))
    return tuple(found)
