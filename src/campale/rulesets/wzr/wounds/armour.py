"""From a Wound Effect to a wound: the Armour test, Heal (armour/*, abilities/heal, cards/burn-heal)."""

from __future__ import annotations

from campale.dice.needs import Need, Part
from campale.referee.ask import confirm
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed, forbids, parts
from campale.rulesets.wzr.armies.profile import Fire
from campale.rulesets.wzr.basics.dice import needed, passes, raises
from campale.rulesets.wzr.cards.resources import burn, ready
from campale.rulesets.wzr.wounds.hits import Hit

EVEN = 10
"""The St that leaves A as it is."""
BURNED_HEAL = 3
MOST_HEAL = 8
FLAMES = Fire(area="FG")


def about(model: Model, hit: Hit) -> About:
    """What abilities see of a Wound Effect on a model."""
    attacker = model.position.model(hit.by) if hit.by >= 0 else None
    fire = FLAMES if hit.flame else None
    return About(model, attacker=attacker, fire=fire, is_ranged=hit.ranged, is_power_shot=hit.power_shot)


@rule("armour/strength")
def strength(hit: Hit) -> Part:
    """A point less for each of St above 10, one more for each below."""
    return raises("armour/strength", EVEN - hit.st)


@rule("armour/type-modifier", "core/damage-types")
def against_type(model: Model, hit: Hit) -> Part:
    """What its armour is better or worse by against such damage."""
    return raises("armour/type-modifier", model.profile.against.get(hit.type, 0))


@rule("armour/halved", "templates/flame-cover", "abilities/fireproof", "core/rounding")
def halved(model: Model, hit: Hit) -> tuple[Part, ...]:
    """Once, however many causes there are; of Fireproof armour a flame does not halve it."""
    if not hit.halved or forbids("halving", about(model, hit)):
        return ()
    return (Part("armour/halved", 2, "divide"),)


@rule("armour/test", "abilities/fireproof", "abilities/flammable")
def armour_need(model: Model, hit: Hit) -> Need:
    """A of the model as it counts against a hit."""
    modifiers = (*halved(model, hit), strength(hit), against_type(model, hit), *parts("a", about(model, hit)))
    return needed(model.profile.a, modifiers)


@rule("psychic/shooting-defence")
def will_need(model: Model, hit: Hit) -> Need:
    """WP stands in for A against a psychic attack; the St modifies it in the same way."""
    return needed(model.profile.wp, (strength(hit), *parts("wp", about(model, hit))))


@rule("armour/impenetrable")
def impenetrable(model: Model) -> int:
    """X, neither modified nor halved; 0 without any."""
    return int(changed("impenetrable", model.profile.impenetrable, About(model)))


@rule("armour/test", "armour/impenetrable", "psychic/shooting-defence")
def save_need(model: Model, hit: Hit) -> Need:
    """One test, against the better of modified A and Impenetrable Armour; against a psychic attack on WP alone."""
    if hit.save == "wp":
        return will_need(model, hit)
    usual, fixed = armour_need(model, hit), impenetrable(model)
    if not fixed or fixed <= usual.number:
        return usual
    return needed(model.profile.a, (Part("armour/impenetrable", fixed, "set"),))


@rule("core/power-shot", "core/wound-effect", "armour/test")
async def resists(model: Model, hit: Hit) -> bool:
    """The Armour test of the owner; a Power Shot allows none."""
    if hit.power_shot:
        return False
    return await passes(model, "will" if hit.save == "wp" else "armour", save_need(model, hit), by=hit.by)


# ---------------------------------------------------------------- Heal


@rule("abilities/heal", "abilities/medic", "abilities/heal-power-shot", "core/power-shot")
def heal_of(model: Model, hit: Hit) -> int:
    """The highest X of its own, of Medics near by and of cards, never above 8; 0: no roll is allowed it."""
    if not hit.heals or hit.power_shot or model.profile.is_vehicle:
        return 0
    return min(MOST_HEAL, int(changed("heal", 0, about(model, hit))))


@rule("cards/burn-heal", "cards/burn-uses", "setup/modes")
def may_burn(model: Model, hit: Hit) -> bool:
    """For Heal (3), where that is more than it has; in the basic game too."""
    if not hit.heals or hit.power_shot:
        return False
    return heal_of(model, hit) < BURNED_HEAL and ready(model.position, model.side) > 0


@rule("armour/resolve-order", "abilities/heal", "cards/burn-heal")
async def heals(model: Model, hit: Hit) -> bool:
    """One roll for a wound that would be lost; before it a Resource card may be burned for it."""
    x = heal_of(model, hit)
    if may_burn(model, hit) and await confirm(model.side, "burn-heal", model=model.row):
        burn(model.position, model.side, 1, "heal")
        x = BURNED_HEAL
    return x > 0 and await passes(model, "heal", needed(x))
