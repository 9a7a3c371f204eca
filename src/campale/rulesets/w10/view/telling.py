"""What the words tell besides events: the parts of options by name, and how the battle stands."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.display import Parts, Standing, Teller, length_line, parts_by_kind, score_line
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.w10.armies.profile import Line, Profile
from campale.rulesets.w10.battle.only_war import ROUNDS, scores
from campale.rulesets.w10.windows.windows import CP

Profiles = Sequence[Profile]


def parts(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """Of an option whose numbers say too little; None for those that are told as they are."""
    return parts_by_kind(TELLERS, profiles, question, key)


def of_target(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    return {"word": key} if isinstance(key, str) else {"word": "unit", "unit": key}


def of_act(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """A unit by its row, a Stratagem with its target, or a word."""
    if isinstance(key, tuple | list):
        return {"word": str(key[0]), "unit": int(key[1])}
    return of_target(profiles, question, key)


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
    weapon = profiles[int(question.about["model"])].weapons[key[0]]
    return {"word": "profile", "weapon": weapon.title, "line": line_shown(weapon.lines[key[1]])}


def of_weapon_profile(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    model = profiles[int(question.about["model"])]
    weapon = next(one for one in model.weapons if one.id == question.about["weapon"])
    return {"word": "profile", "weapon": weapon.title, "line": line_shown(weapon.lines[int(key)])}


def line_shown(line: Line) -> str:
    far = "" if line.range is None else f"{line.range:g}″ "
    ap = f"−{-line.ap}" if line.ap else "0"
    return f"{far}A{line.a} S{line.s} AP{ap} D{line.d}"


TELLERS: dict[str, Teller] = {
    "shoot-at": of_target,
    "leads": of_target,
    "strike-at": of_target,
    "lent": of_lent,
    "act": of_act,
    "stratagem": of_act,
    "profile": of_profile,
    "melee-weapon": of_melee_weapon,
    "weapon-profile": of_weapon_profile,
}


# ---------------------------------------------------------------- how the battle stands


def standing(position: Position) -> list[Standing]:
    """The score, the command points, the length of the battle."""
    battle_round = int(position.now.get("round", 0))
    if not battle_round:
        return []
    points = [position.holds(side, CP) for side in (0, 1)]
    return [score_line(scores(position)), ("command-points", {"left": points}), length_line(battle_round, ROUNDS)]
