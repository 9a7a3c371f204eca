"""What the words tell apart from events: options described in parts, and how the battle stands."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.display import Parts, Standing, Teller, length_line, parts_by_kind, place_line, score_line
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.armies.profile import Line, Profile
from campale.rulesets.w10.basics.markers import markers
from campale.rulesets.w10.battle.only_war import ROUNDS, scores
from campale.rulesets.w10.battle.secondary import card_of, has_cards
from campale.rulesets.w10.windows.windows import CP

Profiles = Sequence[Profile]
USE_LENGTH = 3


def parts(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """The parts that describe an option; None for options shown as they are."""
    return parts_by_kind(TELLERS, profiles, question, key)


def of_target(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    return {"word": key} if isinstance(key, str) else {"word": "unit", "unit": key}


def of_act(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """A unit by row, a Stratagem with its target, an ability with its owner and target, or a word."""
    if isinstance(key, str) or not isinstance(key, tuple | list):
        return of_target(profiles, question, key)
    name = str(key[0])
    if len(key) == USE_LENGTH:
        return of_use(name, profiles, int(key[1]), int(key[2]))
    ability = ability_of(profiles, name)
    if ability is not None and ability.of == "stratagem":
        title = ability.title.in_both
        return {"word": "of-detachment", "title": title, "price": ability.price, "unit": int(key[1])}
    return {"word": name, "unit": int(key[1])} if int(key[1]) >= 0 else {"word": name}


def ability_of(profiles: Profiles, name: str) -> Ability | None:
    return next((profile.rules[name] for profile in profiles if name in profile.rules), None)


def of_use(name: str, profiles: Profiles, owner: int, picked: int) -> Parts:
    """An ability, its owner (below 0: the army), and the target (below 0: none)."""
    ability = ability_of(profiles, name)
    found: Parts = {"ability": name if ability is None else ability.title.in_both}
    on = {"target": picked} if picked >= 0 else {}
    by = {"unit": owner} if owner >= 0 else {}
    return {"word": "use" + ("-by" if by else "") + ("-on" if on else ""), **found, **by, **on}


def of_ability(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """A use of an ability, an ability by id, or a word."""
    if isinstance(key, tuple | list):
        return of_use(str(key[0]), profiles, int(key[1]), int(key[2]))
    ability = ability_of(profiles, str(key))
    return {"word": str(key)} if ability is None else {"word": "use", "ability": ability.title.in_both}


def of_way(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """One effect of an ability whose owner chooses: the ability that it gives."""
    rules = profiles[int(question.about["row"])].rules
    given = rules[str(question.about["ability"])].do[int(str(key))].lends
    return {"word": "way", "number": int(str(key)) + 1} if given is None else way_to(rules[given.ability])


def way_to(ability: Ability) -> Parts:
    return {"word": "gives", "ability": ability.title.in_both}


def of_profile(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """A weapon by its id, and the number of its profile."""
    name, number = str(key[0]), int(key[1])
    found = next((w for p in profiles for w in p.weapons if w.id == name), None)
    if found is None:
        return {"word": "profile", "weapon": name, "line": str(number + 1)}
    return {"word": "profile", "weapon": found.title, "line": line_shown(found.lines[number])}


def of_lent(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """A weapon of a passenger."""
    if isinstance(key, str):
        return {"word": key}
    weapon = profiles[int(key[0])].weapons[int(key[1])]
    return {
        "word": "weapon",
        "model": int(key[0]),
        "weapon": weapon.title,
        "line": line_shown(weapon.lines[int(key[2])]),
    }


def of_melee_weapon(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    if isinstance(key, str):
        return {"word": key}
    weapon = profiles[int(question.about["model"])].weapons[key[0]]
    return {"word": "profile", "weapon": weapon.title, "line": line_shown(weapon.lines[key[1]])}


def of_weapon_profile(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    if isinstance(key, str):
        return {"word": key}
    model = profiles[int(question.about["model"])]
    weapon = next(one for one in model.weapons if one.id == question.about["weapon"])
    return {"word": "profile", "weapon": weapon.title, "line": line_shown(weapon.lines[int(key)])}


def line_shown(line: Line) -> Plain:
    """The numbers of a profile by the letters of each language's datasheets."""
    far = "" if line.range is None else f"{line.range:g}″ "
    ap = f"−{-line.ap}" if line.ap else "0"
    return {
        "en": f"{far}A {line.a} S {line.s} AP {ap} D {line.d}",
        "it": f"{far}A {line.a} F {line.s} VP {ap} D {line.d}",
    }


TELLERS: dict[str, Teller] = {
    "shoot-at": of_target,
    "leads": of_target,
    "strike-at": of_target,
    "lent": of_lent,
    "act": of_act,
    "ability": of_ability,
    "way-of": of_way,
    "stratagem": of_act,
    "profile": of_profile,
    "melee-weapon": of_melee_weapon,
    "weapon-profile": of_weapon_profile,
}


# ---------------------------------------------------------------- how the battle stands


def standing(position: Position) -> list[Standing]:
    """The score, the command points, the length of the battle, and control of the markers."""
    battle_round = int(position.now.get("round", 0))
    if not battle_round:
        return []
    points = [position.holds(side, CP) for side in (0, 1)]
    cards: list[Standing] = [("card", {"side": side, "card": card_of(position, side)}) for side in (0, 1)]
    known = [score_line(scores(position)), ("command-points", {"left": points}), length_line(battle_round, ROUNDS)]
    places = [place_line("objective", n, t.side) for n, t in enumerate(markers(position), 1)]
    return [*known, *places, *(cards if has_cards(position) else ())]
