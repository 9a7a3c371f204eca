"""An ability used at a moment: dice first, then its effects one by one."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.units import NOBODY
from campale.referee.ask import choose
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import Deed, Deeds, Use, deeds, name_of
from campale.rulesets.w10.abilities.uses import use_up
from campale.rulesets.w10.abilities.vocabulary import Ability, Effect
from campale.rulesets.w10.deeds import attacking, moving, simple
from campale.rulesets.w10.deeds.dice import Result, drawn_for


async def perform(use: Use) -> None:
    """Use up and announce an ability; its effects happen if its dice allow."""
    use_up(use.position, use.one, use.picked)
    tell(use, use.one.ability, use.picked)
    result = await drawn_for(use)
    if result.happens:
        await carry_out(use, await chosen(use), result)


def tell(use: Use, ability: Ability, on: int) -> None:
    """Tell of an ability, or of one that it gives by its owner's choice or by the dice; ``on``: a unit, or below 0."""
    title = ability.title.in_both
    if use.one.ability.who == "army":
        if on >= 0:
            use.position.write("ability-of-army-on", side=use.side, target=on, ability=title)
        else:
            use.position.write("ability-of-army", side=use.side, ability=title)
    elif on >= 0 and use.target != use.unit:
        use.position.write("ability-on", unit=use.unit.row, target=on, ability=title)
    else:
        use.position.write("ability", unit=use.unit.row, ability=title)


async def chosen(use: Use) -> Sequence[Effect]:
    """All effects, or the one that the owner chooses, which is told."""
    effects = use.one.ability.do
    if not use.one.ability.choose:
        return effects
    names = [str(number) for number in range(len(effects))]
    number = await choose(use.side, "ability-way", names, of="way-of", ability=use.one.name, row=use.one.row)
    tell_given(use, effects[int(number)])
    return (effects[int(number)],)


def tell_given(use: Use, effect: Effect) -> None:
    """Tell of the ability that an effect gives, if it gives one."""
    if effect.lends is not None:
        given = use.position.profiles[use.one.row].rules[effect.lends.ability]
        tell(use, given, use.picked if effect.lends.to == "picked" else NOBODY)


async def carry_out(use: Use, effects: Sequence[Effect], result: Result) -> None:
    """Carry out effects one by one; if they ask for equal dice, only as many as the dice allow."""
    drawn = use.one.ability.drawn
    for number, effect in enumerate(effects):
        if drawn is not None and drawn.alike and result.alike < drawn.alike + number:
            return
        known = deeds(use.position)[name_of(effect)]
        if effect.table is not None:
            found = looked_up(effect, result.value)
            for one in found:
                tell_given(use, one)
            await carry_out(use, found, result)
        elif known.can(use, effect):
            await known.do(use, effect)


@rule("r/no-stated-effect")
def looked_up(effect: Effect, value: int) -> Sequence[Effect]:
    """The effects in a table for a result; empty if no row covers it."""
    rows = (row for row in effect.table or () if row.rolled[0] <= value <= row.rolled[1])
    found = next(rows, None)
    return () if found is None else found.do


async def nothing(use: Use, effect: Effect) -> None:
    """Do nothing: a table is looked up instead."""


DEEDS: Deeds = {
    **simple.DEEDS,
    **moving.DEEDS,
    **attacking.DEEDS,
    "table": Deed(simple.always, nothing),
}
