"""The experiments that a designer asks first, as files of any book: filled in with its own armies, options, missions.

``unit`` what a unit is worth: the army as it is, and with one model fewer, or without the unit where it has but one
``first`` whether it pays to go first: an army against itself
``option`` what an option, or another reading, changes
``missions`` whether a mission favours one of two armies
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from campale.lab.errors import LabError, say
from campale.lab.plan import offers_of
from campale.lab.varying import LONGEST_LABEL
from campale.referee.offers import Offered, Offers, Title
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset
from campale.referee.telling.spoken import Spoken, told
from campale.referee.telling.words import LANGUAGES

Content = dict[str, Any]

KINDS = UNIT, FIRST, OPTION, MISSIONS = ("unit", "first", "option", "missions")
BATTLES = 400
"""Of each variant: enough to notice a difference of about a tenth."""
COUNTS, LISTS = ("size", "count"), ("units", "models")
"""The keys of a force under which an entry says of how many models it is, and under which the entries stand."""


NAMING = ("id", "unit", "profile")
"""The keys that say what an entry is."""


class Wanted(NamedTuple):
    """What is asked of a template; empty: the first that will do. ``bot`` plays both sides."""

    force: str = ""
    against: str = ""
    unit: str = ""
    option: str = ""
    bot: str = "greedy"
    battles: int = BATTLES
    language: str = "en"


def template(ruleset: Ruleset, kind: str, wanted: Wanted) -> Content:
    """The content of an experiment file. Raises LabError where the book has not what is asked for."""
    offers = offers_of(ruleset)
    first, second = forces(ruleset, offers, wanted)
    content: Content = {
        "campale": "experiment/1",
        "ruleset": ruleset.name,
        "title": "",
        "first": {"force": first.name, "player": wanted.bot},
        "second": {"force": second.name, "player": wanted.bot},
        **sizes(offers, first),
        "battles": wanted.battles + wanted.battles % 2,
        "seed": f"{kind}-{ruleset.name}",
    }
    content |= MAKERS[kind](ruleset, offers, first, wanted)
    if kind == FIRST:
        content["second"] = dict(content["first"])
    return content


def forces(ruleset: Ruleset, offers: Offers, wanted: Wanted) -> tuple[Offered, Offered]:
    """The army to examine and the other: those named, else the first two of one size that belong to different lists."""
    first = force_named(ruleset, offers, wanted.force) if wanted.force else None
    second = force_named(ruleset, offers, wanted.against) if wanted.against else None
    pairs = [
        (one, other)
        for one in offers.forces
        for other in offers.forces
        if one.name != other.name and one.points == other.points and is_of_another(one, other)
    ]
    fitting = [pair for pair in pairs if first in (None, pair[0]) and second in (None, pair[1])]
    found = fitting[0] if fitting else (offers.forces[0], offers.forces[-1])
    return first or found[0], second or found[1]


def is_of_another(one: Offered, other: Offered) -> bool:
    return not one.army_list or one.army_list != other.army_list


def force_named(ruleset: Ruleset, offers: Offers, name: str) -> Offered:
    found = offers.force(name)
    if found is None:
        known = ", ".join(one.name for one in offers.forces)
        raise LabError("no-force", book=ruleset.name, force=name[:60], known=known)
    return found


def sizes(offers: Offers, force: Offered) -> Content:
    """The size of battle that the army is for, where the book has sizes."""
    term = offers.term(offers.size) if offers.size else None
    return {"sizes": [force.points]} if term is not None and term.allows(force.points) else {}


# ---------------------------------------------------------------- the four questions


def of_unit(ruleset: Ruleset, offers: Offers, force: Offered, wanted: Wanted) -> Content:
    where, entries = entries_of(force)
    places = [place for place, entry in enumerate(entries) if wanted.unit in ("", *words_of(entry), str(place + 1))]
    if not places:
        known = ", ".join(map(name_of, entries))
        raise LabError("no-unit", force=force.name, unit=wanted.unit[:60], known=known)
    found = lessened(ruleset, offers, force, places)
    if found is None:
        raise LabError("no-fewer", force=force.name)
    place, less = found
    return compared(where, entries, place, less, titled(offers, force, place), wanted)


def entries_of(force: Offered) -> tuple[str, list[Any]]:
    """The key under which the entries of a force stand, and they."""
    where = next((name for name in LISTS if isinstance(force.plain.get(name), list)), "")
    return where, force.plain.get(where) or []


def lessened(ruleset: Ruleset, offers: Offers, force: Offered, places: Sequence[int]) -> tuple[int, Any] | None:
    """The first entry of which the book allows one model fewer, with that; else that may be left out (None)."""
    where, entries = entries_of(force)
    changes = [(place, one_fewer(entries[place])) for place in places if counted_by(entries[place])]
    for place, less in [*changes, *((place, None) for place in places)]:
        changed = entries[:place] + ([less] if less is not None else []) + entries[place + 1 :]
        if is_lawful(ruleset, offers, force, {**force.plain, where: changed}):
            return place, less
    return None


def to_spare(ruleset: Ruleset, offers: Offers, force: Offered) -> list[tuple[int, Title]]:
    """The entries of which a force may have less, by their places (from 0), each with its title."""
    places = range(len(entries_of(force)[1]))
    found = [place for place in places if lessened(ruleset, offers, force, [place]) is not None]
    return [(place, titled(offers, force, place)) for place in found]


def titled(offers: Offers, force: Offered, place: int) -> Title:
    """How the book calls an entry, looked at alone: without its ties to others."""
    where, entries = entries_of(force)
    entry, others = entries[place], [name_of(one) for one in entries]
    try:
        alone = {key: value for key, value in entry.items() if key in NAMING or value not in others}
        return offers.roster({**force.plain, where: [alone]})[2][0].unit
    except (ValueError, LookupError, TypeError, AttributeError):
        return dict.fromkeys(LANGUAGES, name_of(entry))


def one_fewer(entry: Any) -> Any:
    key = counted_by(entry)
    return {**entry, key: entry[key] - 1}


def counted_by(entry: Any) -> str:
    """The key of an entry that says of how many models it is, where there is one to spare."""
    return next((name for name in COUNTS if isinstance(entry.get(name), int) and entry[name] > 1), "")


def compared(where: str, entries: list[Any], place: int, less: Any, title: Title, wanted: Wanted) -> Content:
    """The army as it is, against the army with fewer of an entry, or without it (``less``: None)."""
    spoken = Spoken(title["en"], title["it"])
    name = told(spoken, wanted.language)[: LONGEST_LABEL // 2]
    if less is not None:
        key = counted_by(entries[place])
        counts = (entries[place][key], less[key])
        values = [{"label": f"{count} {name}", "value": count} for count in counts]
        return {
            "title": both(say("template-model", name=spoken)),
            "vary": {f"first.force.{where}[{place + 1}].{key}": values},
        }
    left = [entry for number, entry in enumerate(entries) if number != place]
    labels = [told(one, wanted.language) for one in (say("with", name=name), say("without", name=name))]
    values = [{"label": label, "value": value} for label, value in zip(labels, (entries, left), strict=True)]
    return {"title": both(say("template-unit", name=spoken)), "vary": {f"first.force.{where}": values}}


def of_first(ruleset: Ruleset, offers: Offers, force: Offered, wanted: Wanted) -> Content:
    title = Spoken(force.title["en"], force.title["it"])
    return {"title": both(say("template-first", name=title)), **every_mission(offers)}


def of_option(ruleset: Ruleset, offers: Offers, force: Offered, wanted: Wanted) -> Content:
    names = [one.name for one in ruleset.switches]
    switch = next((one for one in ruleset.switches if wanted.option in ("", one.name)), None)
    if switch is None:
        raise LabError("no-option", book=ruleset.name, option=wanted.option[:60], known=", ".join(names))
    rest = [value for value in switch.values if value != switch.default]
    return {
        "title": both(say("template-option", name=Spoken(switch.title["en"], switch.title["it"]))),
        "vary": {f"options.{switch.name}": [switch.default, *rest]},
    }


def of_missions(ruleset: Ruleset, offers: Offers, force: Offered, wanted: Wanted) -> Content:
    found = every_mission(offers)
    if not found:
        raise LabError("no-missions", book=ruleset.name)
    return {"title": both(say("template-missions")), **found}


MAKERS: Mapping[str, Callable[[Ruleset, Offers, Offered, Wanted], Content]] = {
    UNIT: of_unit,
    FIRST: of_first,
    OPTION: of_option,
    MISSIONS: of_missions,
}


def every_mission(offers: Offers) -> Content:
    term = offers.term(offers.mission) if offers.mission else None
    values = [one.value for one in term.choices if one.value is not None] if term is not None else []
    return {"missions": values} if values else {}


def is_lawful(ruleset: Ruleset, offers: Offers, force: Offered, plain: Content) -> bool:
    """Whether the book has nothing against an army of this size."""
    agreed: dict[str, Plain] = {offers.size: force.points} if offers.size else {}
    try:
        offers.roster(plain)
        return not (ruleset.check_force(plain, agreed) if ruleset.check_force is not None else ())
    except (ValueError, LookupError, TypeError, AttributeError):
        return False


def both(title: Spoken) -> dict[str, str]:
    return {tongue: told(title, tongue) for tongue in LANGUAGES}


def words_of(entry: Any) -> list[str]:
    return [value for value in entry.values() if isinstance(value, str)] if isinstance(entry, dict) else []


def name_of(entry: Any) -> str:
    """What an entry of a force is called in a label: its id, or else what it is."""
    named = next((entry[key] for key in NAMING if key in entry), "") if isinstance(entry, dict) else ""
    return str(named)[: LONGEST_LABEL // 2]


class InFull(yaml.SafeDumper):
    """What stands twice is written twice: an experiment file knows no references."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def written(content: Content, head: str) -> str:
    """An experiment file; ``head`` stands above it as a comment."""
    body = yaml.dump(content, Dumper=InFull, sort_keys=False, allow_unicode=True, width=120)
    return "".join(f"# {line}\n" for line in head.splitlines()) + body
