"""A roster's tree as a record: units, models, and their purchases."""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

from campale.mechanics.lists.matching import folded
from campale.mechanics.lists.nodes import Node
from campale.mechanics.lists.record import (
    MOST_UNITS,
    ArmyListed,
    Aside,
    Entry,
    Lines,
    ListError,
    ProfileListed,
    RuleListed,
    UnitListed,
    say,
)

MOST_NUMBER, MOST_COST = 500, 100_000
OTHER_ROOTS = ("catalogue", "gameSystem", "dataIndex")


class System(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The structure of a game's data files.

    ``configuration``: the category of selections that are not units; ``no_keywords``: further categories that are not
    keywords; ``detachment``, ``size``: the names of the selections for these; ``cost``: the beginning of the name of
    the costs that count.
    """

    id: str
    name: str
    cost: str
    configuration: str
    no_keywords: tuple[str, ...] = ()
    detachment: tuple[str, ...] = ()
    size: tuple[str, ...] = ()


def read_roster(root: Node, system: System) -> ArmyListed:
    """Read a roster. Raises ListError if it is none, belongs to another game, or has impossible values."""
    if root.name in OTHER_ROOTS:
        raise ListError(say("data-file"))
    if root.name != "roster" or not root.all("forces"):
        raise ListError(say("no-roster"))
    if root.get("gameSystemId") != system.id:
        raise ListError(say("other-game", found=root.get("gameSystemName")[:80] or "?", wanted=system.name))
    return Reader(system).army(root)


class Reader:
    """Goes through a roster once, and gives every named part its line."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.lines = Lines()
        self.units: list[UnitListed] = []
        self.asides: list[Aside] = []

    def army(self, root: Node) -> ArmyListed:
        forces = [one for force in root.all("forces") for one in nested(force, "forces")]
        for force in forces:
            self.force(force)
        if len(self.units) > MOST_UNITS:
            raise ListError(say("too-many-units", most=MOST_UNITS))
        return ArmyListed(
            program="New Recruit" if "newrecruit" in root.get("generatedBy").casefold() else "BattleScribe",
            lines=tuple(self.lines.found),
            units=tuple(self.units),
            asides=tuple(self.asides),
            name=root.get("name"),
            faction=next((one.get("catalogueName") for one in forces if one.get("catalogueName")), ""),
            detachment=self.said(self.system.detachment),
            system=root.get("gameSystemId"),
            system_name=root.get("gameSystemName"),
            total=self.cost(root.all("costs")),
            added=sum(self.cost(one.all("costs")) for force in forces for one in selected(force)),
            limit=max(0, self.cost(root.all("costLimits"), least=-1)),
            has_profiles=True,
        )

    def said(self, names: tuple[str, ...]) -> str:
        return next((one.value for one in self.asides if one.name in names and one.value), "")

    def force(self, force: Node) -> None:
        name = force.get("customName") or force.get("name")
        self.asides.append(Aside(self.lines.add(f"{name} – {force.get('catalogueName')}".strip(" –")), "force"))
        for rule in force.all("rules"):
            self.asides.append(Aside(self.lines.add(rule.get("name"), 1), "force-rule", rule.get("description")))
        for profile in force.all("profiles"):
            self.asides.append(Aside(self.lines.add(profile.get("name"), 1), "force-rule", text_of(profile)))
        for one in force.all("selections"):
            self.selection(one)

    def selection(self, node: Node) -> None:
        """A unit, or a selection about the army as a whole."""
        is_unit = node.get("type") in ("unit", "model") or any(is_model(one) for one in selected(node))
        if self.system.configuration in categories(node) or not is_unit or not self.number(node):
            self.aside(node)
        else:
            self.units.append(self.unit(node))

    def aside(self, node: Node, depth: int = 0) -> None:
        inner = node.all("selections")
        line = self.lines.add(written(node), depth)
        self.asides.append(Aside(line, node.get("name"), inner[0].get("name") if inner else ""))
        for rule in (*node.all("rules"), *node.all("profiles")):
            self.asides.append(Aside(self.lines.add(rule.get("name"), depth + 1), "army-rule", text_of(rule)))
        for one in inner:
            self.aside(one, depth + 1)

    # ------------------------------------------------------------ units

    def unit(self, node: Node) -> UnitListed:
        """A unit; without models inside, it is its own model."""
        line = self.lines.add(written(node))
        alone = is_model(node)
        profiles = self.profiles(node, line, 1) if not alone else ()
        rules = self.rules(node, (), 1) if not alone else ()
        if alone:
            models = self.models(node, line)
            entries = list[Entry]()
        else:
            models, entries = self.parts(node, 1)
        if not models and self.number(node):
            models, entries = [Entry(line, node.get("name"), self.number(node), entries=tuple(entries))], []
        return UnitListed(
            line,
            node.get("name"),
            count=sum(one.count for one in models),
            points=sum(self.cost(one.all("costs")) for one in selected(node, itself=True)),
            own_name=node.get("customName"),
            models=tuple(models),
            entries=tuple(entries),
            profiles=profiles,
            rules=rules,
            keywords=self.keywords(node),
        )

    def parts(self, node: Node, depth: int) -> tuple[list[Entry], list[Entry]]:
        """The models below a selection, including those in groups, and its other entries."""
        models: list[Entry] = []
        entries: list[Entry] = []
        for one in node.all("selections"):
            line = self.lines.add(written(one), depth)
            if is_model(one):
                models += self.models(one, line, depth)
            elif any(is_model(inner) for inner in selected(one)):
                inside = self.parts(one, depth + 1)
                models += inside[0]
                profiles, rules = self.profiles(one, line, depth + 1), self.rules(one, (), depth + 1)
                if inside[1] or profiles or rules:
                    entries.append(Entry(line, one.get("name"), 1, 0, profiles, rules, (), tuple(inside[1])))
            else:
                entries.append(self.entry(one, line, depth))
        return models, entries

    def models(self, node: Node, line: int, depth: int = 0) -> list[Entry]:
        """The models of a selection, and their companions."""
        profiles = self.profiles(node, line, depth + 1)
        rules = self.rules(node, profiles, depth + 1)
        companions, entries = self.parts(node, depth + 1)
        count, kept = self.number(node), self.keywords(node)
        own = Entry(line, node.get("name"), count, 0, profiles, rules, kept, tuple(entries))
        return [own, *companions] if count else companions

    def entry(self, node: Node, line: int, depth: int) -> Entry:
        profiles = self.profiles(node, line, depth + 1)
        rules = self.rules(node, profiles, depth + 1)
        inner = [self.entry(one, self.lines.add(written(one), depth + 1), depth + 1) for one in node.all("selections")]
        points, kept = self.cost(node.all("costs")), self.keywords(node)
        return Entry(line, node.get("name"), self.number(node), points, profiles, rules, kept, tuple(inner))

    # ------------------------------------------------------------ equipment

    def profiles(self, node: Node, line: int, depth: int) -> tuple[ProfileListed, ...]:
        """The profiles of a selection; one with the selection's name has the selection's line."""
        return tuple(
            ProfileListed(
                line if same(one.get("name"), node.get("name")) else self.lines.add(titled(one), depth),
                one.get("name"),
                one.get("typeName"),
                {value.get("name"): value.text for value in one.all("characteristics")},
            )
            for one in node.all("profiles")
            if one.get("hidden") != "true"
        )

    def rules(self, node: Node, beside: tuple[ProfileListed, ...], depth: int) -> tuple[RuleListed, ...]:
        """The rules of a selection, without those that only explain what a profile beside them names."""
        named = " ".join(folded(value) for one in beside for value in one.values.values() if len(value) < 200)
        return tuple(
            RuleListed(self.lines.add(one.get("name"), depth), one.get("name"), one.get("description"))
            for one in node.all("rules")
            if one.get("hidden") != "true" and not (named and folded(one.get("name")) in named)
        )

    def keywords(self, node: Node) -> tuple[str, ...]:
        left = (self.system.configuration, *self.system.no_keywords)
        return tuple(dict.fromkeys(one for one in categories(node) if one and one not in left))

    # ------------------------------------------------------------ numbers

    def number(self, node: Node) -> int:
        written_so = node.get("number") or "1"
        if not (written_so.isascii() and written_so.isdecimal()) or int(written_so[:9]) > MOST_NUMBER:
            raise ListError(say("bad-number", name=repr(node.get("name")[:60]), value=repr(written_so[:40])))
        return int(written_so[:9])

    def cost(self, costs: list[Node], least: float = 0.0) -> int:
        found = 0.0
        for one in costs:
            if folded(one.get("name")).startswith(self.system.cost):
                value = number_of(one.get("value") or "0")
                if value is None or not least <= value <= MOST_COST:
                    raise ListError(say("bad-cost", value=repr(one.get("value")[:40])))
                found += value
        return round(found)


def nested(node: Node, name: str) -> Iterator[Node]:
    """A node and those within its list of that name, and so on."""
    yield node
    for one in node.all(name):
        yield from nested(one, name)


def selected(node: Node, itself: bool = False) -> Iterator[Node]:
    """All selections within a node."""
    if itself:
        yield node
    for one in node.all("selections"):
        yield from nested(one, "selections")


def is_model(node: Node) -> bool:
    return node.get("type") == "model"


def categories(node: Node) -> list[str]:
    return [one.get("name") for one in node.all("categories")]


def written(node: Node) -> str:
    """A selection as a reader finds it in his list."""
    name, number = node.get("name"), node.get("number")
    own = f" ({node.get('customName')})" if node.get("customName") else ""
    return f"{number}× {name}{own}" if number not in ("", "1") else f"{name}{own}"


def titled(profile: Node) -> str:
    kind = profile.get("typeName")
    return f"{profile.get('name')} ({kind})" if kind else profile.get("name")


def text_of(node: Node) -> str:
    """The text of a rule, or of a profile's characteristics."""
    return node.get("description") or " ".join(one.text for one in node.all("characteristics"))


def same(one: str, other: str) -> bool:
    return folded(one) == folded(other)


def number_of(text: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(text[:30])
    except ValueError:
        return None
    return value if math.isfinite(value) else None
