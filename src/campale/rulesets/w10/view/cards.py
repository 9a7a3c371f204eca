"""The card of a model: its characteristics, what it carries, and what may be measured."""

from __future__ import annotations

from campale.mechanics.display import at_least
from campale.referee.looks import Arm, Changed, Reach
from campale.referee.position import Model, Position, Token
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.by_hand import BY_HAND, PLAYED
from campale.rulesets.w10.abilities.effects import changes_of, characteristic, save_of
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.armies.profile import Line, Weapon
from campale.rulesets.w10.basics.characteristics import leadership_of, objective_control
from campale.rulesets.w10.basics.markers import OBJECTIVE, RADIUS, REACH
from campale.rulesets.w10.basics.sight import sees
from campale.rulesets.w10.basics.units import HOVERS, SHOCKED, distance
from campale.rulesets.w10.movement.moves import own_move

SHOCKED_EFFECTS = "command-phase/battle-shocked-effects"


@rule("datasheet/model-profile", "core-concepts/faction-keywords")
def card(model: Model) -> dict[str, Plain]:
    """The characteristics as they are now, in the order of the datasheet, keywords and abilities."""
    p, now = model.profile, characteristics(model)
    found: dict[str, Plain] = {"m": now["m"], "t": now["t"], "sv": now["sv"], "w": p.w, "ld": now["ld"]}
    found |= {"oc": now["oc"], "invulnerable": at_least(p.invulnerable)}
    found |= {"feel-no-pain": at_least(p.feel_no_pain), "points": p.points}
    found |= {"weapons": [weapon.id for weapon in p.weapons], "abilities": list(p.abilities)}
    return found | {"keywords": [*p.keywords, *p.faction]}


def characteristics(model: Model) -> dict[str, Plain]:
    """The characteristics that may change, as they are now."""
    p, unit, moves = model.profile, model.unit, own_move(model)
    return {
        "m": "-" if p.m is None and not moves else int(moves) if moves.is_integer() else moves,
        "t": characteristic(unit, "t", int(p.t), model),
        "sv": at_least(save_of(model)),
        "ld": at_least(None if p.ld is None else leadership_of(model)),
        "oc": objective_control(model),
    }


@rule("modifiers/unit-characteristic", "command-phase/battle-shocked-effects", "core-abilities/hover")
def changes(model: Model) -> dict[str, Changed]:
    """The characteristics that differ from those of the datasheet, and the rules that changed them."""
    p, unit, now = model.profile, model.unit, characteristics(model)
    printed: dict[str, Plain] = {"m": "-" if p.m is None else p.m, "t": p.t, "sv": at_least(p.sv)}
    printed |= {"ld": at_least(p.ld), "oc": p.oc}
    own = {"m": (unit.marks(HOVERS), "core-abilities/hover"), "oc": (unit.marks(SHOCKED), SHOCKED_EFFECTS)}
    found = {}
    for name, was in printed.items():
        if now[name] != was:
            by_mark = [rule for is_so, rule in (own.get(name, (0, "")),) if is_so]
            rules = dict.fromkeys((*by_mark, *(one.rule for one in changes_of(unit, name, model))))
            found[name] = Changed(was, tuple(rules))
    return found


@rule("core-concepts/measuring", "visibility/visible")
def measured(one: Model, other: Model) -> dict[str, Plain]:
    """Distance, visibility and weapon ranges between two models; anything may be measured at any time."""
    found: dict[str, Plain] = {"distance": distance(one, other), "sees": sees(one, other)}
    return found | {weapon.id: weapon.lines[0].range for weapon in one.profile.ranged}


@rule("datasheet/weapon-profile")
def arms(model: Model) -> list[Arm]:
    """Every profile of every weapon, and the abilities of the datasheet."""
    weapons = list(dict.fromkeys(model.profile.weapons))
    carried = [
        Arm("weapons", one.id, values(line), named(line), title_of(one, line)) for one in weapons for line in one.lines
    ]
    return carried + [told(id, one) for id, one in model.profile.rules.items() if not one.lent]


@rule("datasheet/wargear-ability")
def told(id: str, ability: Ability) -> Arm:
    """The text of an ability, and whether the referee plays it."""
    text: Plain = None if ability.text is None else ability.text.in_both
    return Arm("own-abilities", id, {"text": text, "played": PLAYED if ability.is_played else BY_HAND})


def title_of(weapon: Weapon, line: Line) -> dict[str, str] | None:
    """The title of a weapon with the name of one of its profiles; None for a weapon with one profile."""
    if line.name is None:
        return None
    return {language: f"{weapon.title[language]} ({name})" for language, name in line.name.in_both.items()}


def named(line: Line) -> tuple[tuple[str, str | None], ...]:
    """The abilities of a profile, each with its X if it has one: rapid fire 1, anti-vehicle 4+."""
    return tuple((name, shown(name, number)) for name, number in line.numbers.items())


def shown(name: str, number: int) -> str | None:
    sign = "+" if name.startswith("anti-") else ""
    return f"{number}{sign}" if number else None


def values(line: Line) -> dict[str, Plain]:
    skill = "-" if line.skill is None else f"{line.skill}+"
    far: Plain = "melee" if line.range is None else line.range
    return {"range": far, "attacks": line.a, "skill": skill, "strength": line.s, "ap": line.ap, "damage": line.d}


@rule("datasheet/weapon-profile")
def reaches(model: Model) -> list[Reach]:
    """The range of each ranged weapon."""
    return [Reach("weapon", range_of(one), "datasheet/weapon-profile", one.id) for one in model.profile.ranged]


def range_of(weapon: Weapon) -> float:
    return max(line.range or 0.0 for line in weapon.lines)


@rule("s/objective-range")
def counts_within(position: Position, token: Token) -> float:
    """The distance in inches from the centre of a marker within which models are in range."""
    return RADIUS + REACH if token.kind == OBJECTIVE else 0.0
