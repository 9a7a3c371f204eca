"""Words besides events: the parts of options, and how the battle stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from campale.mechanics.display import (
    Parts,
    Standing,
    Teller,
    length_line,
    mission_lines,
    parts_by_kind,
    place_line,
    score_line,
)
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.telling.words import LANGUAGES, Words, words
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.battle.missions import TURNS, score
from campale.rulesets.e3m.command.groups import number_in_army
from campale.rulesets.e3m.turn.sequence import BY_NAME
from campale.rulesets.e3m.view.known import may_still_act
from campale.rulesets.e3m.view.zones import QUARTER, WHERE, of_mission

Profiles = Sequence[Profile]
WORDS = Path(__file__).parents[1] / "words"


def parts(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """The parts of an option whose plain value says too little; None for any other."""
    return parts_by_kind(TELLERS, profiles, question, key)


def of_target(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """The parts of ("vehicle", row), ("model", row), ("unit", row), or a word."""
    if isinstance(key, str):
        return {"word": key}
    kind, row = key
    return {"word": str(kind), "unit" if kind == "unit" else "model": row}


def of_line(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """The parts of (mount, line) of the models asked about, or a word."""
    if isinstance(key, str):
        return {"word": key}
    mount, number = key
    weapon = profiles[int(question.about["models"][0])].mounts[mount].weapon
    return {"word": "line", "weapon": weapon.title.in_both, "line": line_shown(weapon.lines[number])}


def line_shown(line: Any) -> Plain:
    """The numbers of a weapon's line, with the letters and words of each language."""
    return {language: in_words(line, words(language, WORDS)) for language in LANGUAGES}


def in_words(line: Any, spoken: Words) -> str:
    far = spoken.say("range.template") if line.range is None else f"{spoken.shown(line.range)}″"
    strength, ap = spoken.say("field.strength"), spoken.say("field.ap")
    shots = f"D{line.die}" if line.die else line.shots
    fire = f"{spoken.say(f'fire.{line.fire}')} {shots}"
    return ", ".join(
        (
            f"{far} {strength}{line.strength} {ap}{line.ap or '-'} {fire}",
            *(spoken.say(f"weapon-rule.{one}") for one in line.specials),
        )
    )


def of_mounts(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """The parts of ("all", mounts) or ("one", mounts)."""
    mounts = profiles[int(question.about["model"])].mounts
    titles = [mounts[mount].weapon.title.in_both for mount in key[1]]
    return {"word": str(key[0]), "weapons": {one: ", ".join(title[one] for title in titles) for one in LANGUAGES}}


def of_mount(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    weapon = profiles[int(question.about["vehicle"])].mounts[int(key)].weapon
    return {"word": "mount", "weapon": weapon.title.in_both}


def of_weapon(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    return {"word": "weapon", "weapon": str(key[0]), "number": int(key[1]) + 1}


def of_group(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """A group by its number, with its units, or an independent unit by its row."""
    if int(key) < 0:
        return {"word": "alone", "unit": -1 - int(key)}
    return {"word": "group", "number": number_in_army(int(key)), "units": units_told(question, int(key))}


def of_waiting(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """The units of a group that is still to be deployed."""
    return {"word": "units", "units": units_told(question, int(key))}


def units_told(question: Question, group: int) -> Plain:
    """The rows of a group's units, as the question tells them."""
    return next((rows for of, rows in question.about.get("groups", ()) if of == group), [])


def of_attachment(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    return {"word": key} if isinstance(key, str) else {"word": "join", "unit": int(key)}


TELLERS: dict[str, Teller] = {
    "target": of_target,
    "line": of_line,
    "mounts": of_mounts,
    "mount": of_mount,
    "weapon": of_weapon,
    "group": of_group,
    "waiting": of_waiting,
    "attachment": of_attachment,
}


# ---------------------------------------------------------------- how the battle stands


def standing(position: Position) -> list[Standing]:
    """The score, the opening side and elements left, the length of the battle, the holders, the mission."""
    turn, mission = int(position.now.get("turn", 0)), mission_lines(position)
    scored = [score_line(score(position))] if turn and mission else []
    length = [length_line(turn, TURNS)] if turn else []
    held = places_held(position) if length else []
    return [*scored, *of_step(position), *length, *held, *mission]


def places_held(position: Position) -> list[Standing]:
    """The places of the mission with who holds them: a quarter by where it lies, the centre."""
    places = enumerate(of_mission(position), 1)
    return [place_line(one.kind, n, one.side, **quarter_shown(one.kind, n)) for n, one in places]


def quarter_shown(kind: str, number: int) -> dict[str, Plain]:
    return {"quarter": WHERE[number - 1]} if kind == QUARTER else {}


def of_step(position: Position) -> list[Standing]:
    """For the current step: the side whose chit was drawn, and the elements left, as far as everybody knows."""
    row = BY_NAME.get(str(position.now.get("phase")))
    if row is None or not position.now.get("begun") or position.result is not None:
        return []
    left = may_still_act(position, row)
    opens: list[Standing] = [("opens", {"side": position.now["first"]})] if row.draws else []
    return opens if left is None else [*opens, ("groups-left" if row.by_group else "units-left", {"left": list(left)})]
