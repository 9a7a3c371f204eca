"""From a Wound Effect to a wound: the Armour test and Heal (armour/*, abilities/heal, cards/burn-heal)."""

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
"""The St that does not modify A."""
BURNED_HEAL = 3
MOST_HEAL = 8
FLAMES = Fire(area="FG")


def about(model: Model, hit: Hit) -> About:
    """What the conditions of abilities know of a Wound Effect on a model."""
    attacker = model.position.model(hit.by) if hit.by >= 0 else None
    fire = FLAMES if hit.flame else None
    return About(model, attacker=attacker, fire=fire, is_ranged=hit.ranged, is_power_shot=hit.power_shot)


@rule("armour/strength")
def strength(hit: Hit) -> Part:
    """A loses a point for each St above 10 and gains one for each below."""
    return raises("armour/strength", EVEN - hit.st)


@rule("armour/type-modifier", "core/damage-types")
def against_type(model: Model, hit: Hit) -> Part:
    """The modifier of the model's armour against this type of damage."""
    return raises("armour/type-modifier", model.profile.against.get(hit.type, 0))


@rule("armour/halved", "templates/flame-cover", "abilities/fireproof", "core/rounding")
def halved(model: Model, hit: Hit) -> tuple[Part, ...]:
    """A is halved once, however many causes there are. A flame does not halve Fireproof armour."""
    if not hit.halved or forbids("halving", about(model, hit)):
        return ()
    return (Part("armour/halved", 2, "divide"),)


@rule("armour/test", "abilities/fireproof", "abilities/flammable")
def armour_need(model: Model, hit: Hit) -> Need:
    """The model's A with all modifiers against the hit."""
    modifiers = (*halved(model, hit), strength(hit), against_type(model, hit), *parts("a", about(model, hit)))
    return needed(model.profile.a, modifiers)


@rule("psychic/shooting-defence")
def will_need(model: Model, hit: Hit) -> Need:
    """WP instead of A against a psychic attack, with the same St modifier."""
    return needed(model.profile.wp, (strength(hit), *parts("wp", about(model, hit))))


@rule("armour/impenetrable")
def impenetrable(model: Model) -> int:
    """The X of Impenetrable Armour, neither modified nor halved; 0 without it."""
    return int(changed("impenetrable", model.profile.impenetrable, About(model)))


@rule("armour/test", "armour/impenetrable", "psychic/shooting-defence")
def save_need(model: Model, hit: Hit) -> Need:
    """One test, on the better of modified A and Impenetrable Armour; against a psychic attack on WP only."""
    if hit.save == "wp":
        return will_need(model, hit)
    usual, fixed = armour_need(model, hit), impenetrable(model)
    if not fixed or fixed <= usual.number:
        return usual
    return needed(model.profile.a, (Part("armour/impenetrable", fixed, "set"),))


@rule("core/wound-effect")
async def resists(model: Model, hit: Hit) -> bool:
    """Whether the owner's Armour test passes. A Power Shot allows none."""
    if hit.power_shot:
        tell_power_shot(model)
        return False
    return await (by_will(model, hit) if hit.save == "wp" else by_armour(model, hit))


@rule("core/power-shot")
def tell_power_shot(model: Model) -> None:
    """Write down why the model makes no test against a hit."""
    model.position.write("power-shot", model=model.row)


@rule("armour/test")
async def by_armour(model: Model, hit: Hit) -> bool:
    return await passes(model, "armour", save_need(model, hit), by=hit.by)


@rule("psychic/shooting-defence")
async def by_will(model: Model, hit: Hit) -> bool:
    return await passes(model, "will", save_need(model, hit), by=hit.by)


# ---------------------------------------------------------------- Heal


@rule("abilities/heal", "abilities/medic", "abilities/heal-power-shot", "core/power-shot")
def heal_of(model: Model, hit: Hit) -> int:
    """The highest X of Heal (its own, of Medics nearby, of cards), at most 8; 0 means no roll."""
    if not hit.heals or hit.power_shot or model.profile.is_vehicle:
        return 0
    return min(MOST_HEAL, int(changed("heal", 0, about(model, hit))))


@rule("cards/burn-heal", "cards/burn-uses", "setup/modes")
def may_burn(model: Model, hit: Hit) -> bool:
    """Whether a Resource may be burned for Heal (3): only if that is better. This holds in the basic game too."""
    if not hit.heals or hit.power_shot:
        return False
    return heal_of(model, hit) < BURNED_HEAL and ready(model.position, model.side) > 0


@rule("abilities/heal", "armour/resolve-order", "cards/burn-heal")
async def heals(model: Model, hit: Hit) -> bool:
    """Whether a Heal roll saves the wound. A Resource card may be burned for it first."""
    x = heal_of(model, hit)
    if may_burn(model, hit) and await confirm(model.side, "burn-heal", model=model.row):
        burn(model.position, model.side, 1, "heal")
        x = BURNED_HEAL
    return x > 0 and await passes(model, "heal", needed(x))
