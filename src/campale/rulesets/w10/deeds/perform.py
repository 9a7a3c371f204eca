"""An ability that is used at a moment: dice first, then what it does, effect by effect."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.ask import choose
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import Deed, Deeds, Use, deeds, name_of
from campale.rulesets.w10.abilities.uses import use_up
from campale.rulesets.w10.abilities.vocabulary import Effect
from campale.rulesets.w10.deeds import attacking, moving, simple
from campale.rulesets.w10.deeds.dice import Result, drawn_for


async def perform(use: Use) -> None:
    """It is used up, and told; then it happens, if its dice say so."""
    use_up(use.position, use.one, use.picked)
    tell(use)
    result = await drawn_for(use)
    if result.happens:
        await carry_out(use, await chosen(use), result)


def tell(use: Use) -> None:
    title = use.one.ability.title.in_both
    if use.one.ability.who == "army":
        if use.picked >= 0:
            use.position.write("ability-of-army-on", side=use.side, target=use.picked, ability=title)
        else:
            use.position.write("ability-of-army", side=use.side, ability=title)
    elif use.picked >= 0 and use.target != use.unit:
        use.position.write("ability-on", unit=use.unit.row, target=use.picked, ability=title)
    else:
        use.position.write("ability", unit=use.unit.row, ability=title)


async def chosen(use: Use) -> Sequence[Effect]:
    """All effects; or the one that its owner chooses."""
    effects = use.one.ability.do
    if not use.one.ability.choose:
        return effects
    names = [str(number) for number in range(len(effects))]
    number = await choose(use.side, "ability-way", names, of="way-of", ability=use.one.name, row=use.one.row)
    return (effects[int(number)],)


async def carry_out(use: Use, effects: Sequence[Effect], result: Result) -> None:
    """One after another; of those that ask for dice alike, as many as there are."""
    drawn = use.one.ability.drawn
    for number, effect in enumerate(effects):
        if drawn is not None and drawn.alike and result.alike < drawn.alike + number:
            return
        known = deeds(use.position)[name_of(effect)]
        if effect.table is not None:
            await carry_out(use, looked_up(effect, result.value), result)
        elif known.can(use, effect):
            await known.do(use, effect)


@rule("r/no-stated-effect")
def looked_up(effect: Effect, value: int) -> Sequence[Effect]:
    """What stands in the table by the result; nothing, if no row is printed for it."""
    rows = (row for row in effect.table or () if row.rolled[0] <= value <= row.rolled[1])
    found = next(rows, None)
    return () if found is None else found.do


async def nothing(use: Use, effect: Effect) -> None:
    """A table is looked up, not done."""


DEEDS: Deeds = {
    **simple.DEEDS,
    **moving.DEEDS,
    **attacking.DEEDS,
    "table": Deed(simple.always, nothing),
}
