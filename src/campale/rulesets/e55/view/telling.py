"""Texts apart from events: the parts of options by name, and how the battle stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.mechanics.display import Parts, Standing, Teller, length_line, parts_by_kind, place_line, score_line
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.telling.words import LANGUAGES, words
from campale.rulesets.e55.armies import forces
from campale.rulesets.e55.armies.profile import Line, Power, Profile
from campale.rulesets.e55.battle import missions
from campale.rulesets.e55.battle.holding_back import notes_of
from campale.rulesets.e55.shooting_phase.fire import POWERS
from campale.rulesets.e55.turn.turns import MOST_TURNS, TURNS

Profiles = Sequence[Profile]

ACTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("move", "run", "shoot", "to-ground", "scout"), ("unit",)),
    **dict.fromkeys(("leave", "turn", "split"), ("unit", "model")),
    **dict.fromkeys(("embark", "disembark"), ("unit", "carrier")),
    "drive": ("unit", "model", "speed"),
    "charge": ("unit", "target"),
    "cast": ("unit", "model", "power"),
    "awaken": ("unit", "model", "weapon"),
}
SPEEDS = ("stationary", "combat-speed", "cruising-speed")
BARE: Plain = {"en": "bare hands", "it": "mani nude"}


def parts(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """Return the named parts of an option whose key says too little; None for options shown as they are."""
    return parts_by_kind(TELLERS, profiles, question, key)


def of_act(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    found: Parts = dict(zip(ACTS.get(key[0], ()), key[1:], strict=False))
    if "speed" in found:
        found["speed"] = SPEEDS[found["speed"]]
    if "power" in found:
        power = profiles[found["model"]].powers[found["power"]]
        return {"word": f"cast-{power.kind}", **found, **power_told(power)}
    if "weapon" in found:
        found["weapon"] = dict(profiles[found["model"]].mounts[found["weapon"]].weapon.title)
    return {"word": key[0], **found}


def power_told(power: Power) -> Parts:
    return {"power": dict(power.title), "cost": power.cost, "value": power.value}


def of_fire(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    """("fire", weapon, line, attacks), ("at", target, line, attacks), ("from", model, weapon, line, attacks)."""
    if key[0] in ("hold", "split"):
        return {"word": key[0]}
    about = question.about
    row = int(key[1] if key[0] == "from" else about["model"])
    weapon = int(about["weapon"] if key[0] == "at" else key[-3])
    title, line = line_told(profiles[row], weapon, key[-2])
    found: Parts = {"word": key[0], "model": row, "weapon": title, "line": line, "count": key[-1]}
    at = {"target": key[1], "distance": about["distances"][str(key[1])]} if key[0] == "at" else {}
    return found | at


def line_told(profile: Profile, weapon: int, line: int) -> tuple[Plain, Plain]:
    """Return the title of a weapon, with its profile's own title if any, and its numbers."""
    if weapon >= POWERS:
        power = profile.powers[weapon - POWERS]
        return dict(power.title), numbers(power.shooting)
    carried = profile.mounts[weapon].weapon
    chosen = carried.lines[line]
    names = {tongue: f"{name} ({chosen.title[tongue]})" for tongue, name in carried.title.items() if chosen.title}
    return names or dict(carried.title), numbers(chosen)


def numbers(line: Line | None) -> Plain:
    if line is None:
        return ""
    ap = "-" if line.ap is None else str(line.ap)
    reach = {tongue: f"{words(tongue).shown(line.range)}″ " if line.reach == "ranged" else "" for tongue in LANGUAGES}
    return {"en": f"{reach['en']}S{line.strength} AP{ap}", "it": f"{reach['it']}F{line.strength} VP{ap}"}


def of_strike(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    if isinstance(key, str):
        return {"word": key}
    number, manner, aims = key
    mounts = profiles[int(question.about["models"][0])].mounts
    title: Plain = dict(mounts[number].weapon.title) if 0 <= number < len(mounts) else BARE
    several = ".split" if len(aims) > 1 else ""
    found = {"weapon": title, "targets": [row for row, _ in aims], "count": [many for _, many in aims]}
    return {"word": f"{manner}{several}", **found}


def of_reserve(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    if isinstance(key, str):
        return {"word": key}
    if key[0] == "with":
        return {"word": "with", "host": question.about["hosts"][str(key[1])]}
    return {"word": "turn", "turn": key[0], "edge": key[1]}


def of_roster(profiles: Profiles, question: Any, key: Plain) -> Parts | None:
    return {"word": "unit", "title": question.about["titles"][question.candidates.index(key)]}


def of_save(profiles: Profiles, question: Any, key: Plain) -> Parts | None:
    value = question.about["values"][question.candidates.index(key)]
    return {"word": "save", "save": key, "value": value}


def of_lot(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    return {"word": "models", "models": list(dict.fromkeys(question.about["models"][key]))}


def of_wound(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    strength, _, ap = str(question.about["wounds"][key]).partition("/")
    return {"word": "wound", "strength": strength, "ap": ap, "by": question.about["by"][key]}


def of_cover(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    return {"word": "value" if key else "none", "value": key}


def of_fight(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    return {"word": "fight", "units": list(key)}


def of_place(profiles: Profiles, question: Question, key: Plain) -> Parts | None:
    return {"word": key[0], **({"carrier": key[1]} if len(key) > 1 else {})}


TELLERS: dict[str, Teller] = {
    "act": of_act,
    "fire": of_fire,
    "strike": of_strike,
    "reserve": of_reserve,
    "roster": of_roster,
    "choose-save": of_save,
    "order-of-models": of_lot,
    "order-of-wounds": of_wound,
    "cover-of": of_cover,
    "units": of_fight,
    "place": of_place,
}
"""By the prompt of the question, or by the kind of its keys."""


# ---------------------------------------------------------------- how the battle stands


def standing(position: Position) -> list[Standing]:
    """Return the score if the game ended now, the holders of objectives, visible reserves, and the mission."""
    now = int(position.now.get("round", 0))
    told = [score_line(missions.score(position)), *([length_line(now, TURNS, MOST_TURNS)] if now else [])]
    for n, (token, holder) in enumerate(zip(missions.objectives(position), missions.holders(position), strict=True), 1):
        worth: Parts = {"worth": list(token.value)} if token.value is not None else {}
        told.append(place_line("objective-worth" if worth else "objective", n, holder, **worth))
    for side in (0, 1):
        for note in notes_of(position, side):
            titles: Plain = [forces.decode(text).title for text, _ in note.units]
            told.append(("reserve", {"side": side, "titles": titles, "turn": note.turn, "edge": note.way}))
    return [*told, ("mission", {"mission": missions.mission_of(position)})]
