"""Rosters as other programs write them, made by the tests themselves: one tree, as XML, zipped, and as JSON.

squad = unit("Ash Wardens", 95, [model("Warden", 5, [upgrade("Lamp gun", 5, [gun("Lamp gun")])])], ["Infantry"])
data = as_ros(roster([squad]))
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

SYSTEM = "sys-352e-adc2-7639-d6a9"
NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
STATS = ("M", "T", "SV", "W", "LD", "OC")

Tree = dict[str, Any]


def roster(units: Sequence[Tree], name: str = "Made by hand", limit: int | None = 1000, **changes: Any) -> Tree:
    """A roster with one force of these selections; its costs are what they come to."""
    force = {
        "selections": list(units),
        "id": "f1",
        "name": "Army Roster",
        "entryId": "e1",
        "catalogueId": "c1",
        "catalogueName": "Adepts of Dust",
    }
    total = sum(points_in(one) for one in units)
    found: Tree = {
        "costs": [{"name": "pts", "typeId": "51b2", "value": total}],
        "costLimits": [] if limit is None else [{"name": "pts", "typeId": "51b2", "value": limit}],
        "forces": [force],
        "id": "r1",
        "name": name,
        "battleScribeVersion": "2.03",
        "generatedBy": "https://newrecruit.eu",
        "gameSystemId": SYSTEM,
        "gameSystemName": "Warhammer 40,000 10th Edition",
    }
    return {**found, **changes}


def points_in(selection: Tree) -> float:
    own = sum(one["value"] for one in selection.get("costs", ()) if isinstance(one["value"], int | float))
    return own + sum(points_in(one) for one in selection.get("selections", ()))


def selection(kind: str, name: str, number: Any = 1, points: Any = 0, **parts: Any) -> Tree:
    found = {"costs": [{"name": "pts", "value": points}] if points else []}
    named = {"id": f"x-{name}", "name": name, "entryId": "a::b", "number": number, "type": kind}
    return {**found, **parts, **named}


def unit(name: str, points: int, inner: Iterable[Tree], keywords: Iterable[str] = (), **parts: Any) -> Tree:
    """A squad; its profiles and rules go into ``parts``."""
    return selection("unit", name, 1, points, **{"selections": list(inner), "categories": kept(keywords), **parts})


def alone(name: str, points: int, inner: Iterable[Tree], keywords: Iterable[str] = (), **parts: Any) -> Tree:
    """A unit of one model."""
    return selection("model", name, 1, points, **{"selections": list(inner), "categories": kept(keywords), **parts})


def model(name: str, number: Any, inner: Iterable[Tree] = (), **parts: Any) -> Tree:
    return selection("model", name, number, selections=list(inner), **parts)


def upgrade(name: str, number: Any = 1, profiles: Iterable[Tree] = (), points: Any = 0, **parts: Any) -> Tree:
    return selection("upgrade", name, number, points, profiles=list(profiles), **parts)


def setting(name: str, value: str) -> Tree:
    """A selection about the army: its detachment, the size of the battle."""
    return selection("upgrade", name, categories=kept(["Configuration"]), selections=[upgrade(value)])


def kept(keywords: Iterable[str]) -> list[Tree]:
    return [{"name": one, "id": one, "entryId": one, "primary": k == 0} for k, one in enumerate(keywords)]


# ---------------------------------------------------------------- profiles


def profile(kind: str, name: str, values: dict[str, str]) -> Tree:
    written = [{"name": key, "typeId": "t", **({"$text": text} if text else {})} for key, text in values.items()]
    return {"characteristics": written, "id": "p", "name": name, "hidden": False, "typeId": "t", "typeName": kind}


def stats(name: str, written: str) -> Tree:
    """``6" 4 3+ 2 6+ 1`` in the order of the datasheet."""
    return profile("Unit", name, dict(zip(STATS, written.split(), strict=True)))


def gun(name: str, written: str = '24" 2 3+ 4 -1 1', keywords: str = "-") -> Tree:
    values = dict(zip(("Range", "A", "BS", "S", "AP", "D"), written.split(), strict=True))
    return profile("Ranged Weapons", name, {**values, "Keywords": keywords})


def blade(name: str, written: str = "3 3+ 4 0 1", keywords: str = "-") -> Tree:
    values = dict(zip(("A", "WS", "S", "AP", "D"), written.split(), strict=True))
    return profile("Melee Weapons", name, {"Range": "Melee", **values, "Keywords": keywords})


def ability(name: str, text: str) -> Tree:
    return profile("Abilities", name, {"Description": text})


def rule(name: str, text: str = "As the book says.") -> Tree:
    return {"description": text, "id": "u", "name": name, "hidden": False}


# ---------------------------------------------------------------- formats


def as_json(tree: Tree) -> bytes:
    """As New Recruit writes it: empty lists left out, what looks like a number is one."""
    return json.dumps({"roster": without_empty(tree)}, ensure_ascii=False).encode()


def without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_empty(one) for key, one in value.items() if one != []}
    return [without_empty(one) for one in value] if isinstance(value, list) else value


def as_ros(tree: Tree) -> bytes:
    root = element("roster", tree)
    root.set("xmlns", NAMESPACE)
    return b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + bytes(ElementTree.tostring(root, "utf-8"))


SINGULAR = {"categories": "category"}


def element(name: str, tree: Tree) -> ElementTree.Element:
    found = ElementTree.Element(name)
    for key, value in tree.items():
        if key == "$text":
            found.text = value
        elif key == "description":
            ElementTree.SubElement(found, key).text = value
        elif isinstance(value, list):
            around = ElementTree.SubElement(found, key)
            around.extend(element(SINGULAR.get(key, key.removesuffix("s")), one) for one in value)
        else:
            found.set(key, str(value).lower() if isinstance(value, bool) else str(value))
    return found


def as_rosz(tree: Tree, name: str = "list.ros") -> bytes:
    return zipped({name: as_ros(tree)})


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


FORMATS = {"ros": as_ros, "rosz": as_rosz, "json": as_json}
