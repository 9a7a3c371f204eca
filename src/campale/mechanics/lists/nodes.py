"""Roster files as one tree, from XML or JSON.

Both have the same structure: an object has values, and lists of other objects (``selections``, ``profiles``, ...),
which XML wraps in an element of their own. Every value is text here, because a name made of digits is a number in JSON.
Document types and entities are refused, and depth and number are limited; a violation is a ``ListError``.
"""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import ParseError

import msgspec
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from campale.mechanics.lists.record import MOST_DEPTH, MOST_NODES, MOST_TEXT, ListError, say

LISTS = frozenset(
    {
        *("forces", "selections", "profiles", "characteristics", "attributes", "rules", "categories"),
        *("costs", "costLimits", "publications", "associations", "incomingAssociations", "tags"),
    }
)


class Node:
    """``values`` by their names, ``lists`` of nodes by their names, and the text within."""

    __slots__ = ("lists", "name", "text", "values")

    def __init__(self, name: str, values: dict[str, str] | None = None) -> None:
        self.name = name
        self.values = values or {}
        self.lists: dict[str, list[Node]] = {}
        self.text = ""

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    def all(self, name: str) -> list[Node]:
        return self.lists.get(name, [])


class Counted:
    """The number of nodes so far, and the depth of the next one."""

    def __init__(self) -> None:
        self.nodes = 0

    def one_more(self, depth: int) -> None:
        """Count a node. Raises ListError if there are too many, or if it is too deep."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise ListError(say("too-many-parts", most=MOST_NODES))
        if depth > MOST_DEPTH:
            raise ListError(say("too-deep", most=MOST_DEPTH))


# ---------------------------------------------------------------- XML


class Building:
    """The parser's target, tag by tag; nothing beyond the limits is built."""

    def __init__(self) -> None:
        self.counted = Counted()
        self.open: list[Node | list[Node]] = []
        self.texts: list[list[str]] = []
        self.root: Node | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.counted.one_more(len(self.open))
        name = tag.rpartition("}")[2]
        within = self.open[-1] if self.open else None
        self.texts.append([])
        if isinstance(within, Node) and name in LISTS:
            self.open.append(within.lists.setdefault(name, []))
            return
        node = Node(name, {key.rpartition("}")[2]: clipped(value) for key, value in attributes.items()})
        if isinstance(within, list):
            within.append(node)
        elif within is None:
            self.root = node
        self.open.append(node)

    def data(self, text: str) -> None:
        if self.texts:
            self.texts[-1].append(text)

    def end(self, tag: str) -> None:
        node, text = self.open.pop(), clipped("".join(self.texts.pop())).strip()
        if isinstance(node, Node):
            node.text = text
            within = self.open[-1] if self.open else None
            if isinstance(within, Node):
                within.values.setdefault(node.name, text)

    def close(self) -> Node | None:
        return self.root


def from_xml(text: str) -> Node:
    """The root of an XML text. Raises ListError."""
    try:
        parser = DefusedXMLParser(target=Building(), forbid_dtd=True, forbid_entities=True, forbid_external=True)
        parser.feed(text)
        root: object = parser.close()
    except DefusedXmlException:
        raise ListError(say("entities")) from None
    except ParseError as error:
        line = error.position[0] if hasattr(error, "position") else 1
        raise ListError(say("bad-xml", line=line)) from None
    if not isinstance(root, Node):
        raise ListError(say("bad-xml", line=1))
    return root


# ---------------------------------------------------------------- JSON


def from_json(text: str) -> Node:
    """The roster in a JSON text. Raises ListError."""
    try:
        content = msgspec.json.decode(text.encode())
    except RecursionError:
        raise ListError(say("too-deep", most=MOST_DEPTH)) from None
    except (msgspec.DecodeError, UnicodeError):
        raise ListError(say("bad-json")) from None
    if isinstance(content, dict) and isinstance(content.get("roster"), dict):
        return node_of("roster", content["roster"], Counted(), 1)
    raise ListError(say("no-roster"))


def node_of(name: str, content: dict[str, Any], counted: Counted, depth: int) -> Node:
    counted.one_more(depth)
    node = Node(name)
    for key, value in content.items():
        if isinstance(value, list) and key in LISTS:
            node.lists[key] = [node_of(key, one, counted, depth + 2) for one in value if isinstance(one, dict)]
            if len(node.lists[key]) < len(value):
                raise ListError(say("not-objects", name=key))
        elif key == "$text":
            node.text = clipped(as_text(value)).strip()
        elif isinstance(value, str | int | float | bool):
            node.values[key[:100]] = clipped(as_text(value))
        elif value is not None and key in LISTS:
            raise ListError(say("not-objects", name=key))
    return node


def as_text(value: Any) -> str:
    """A value as XML would write it: ``true``, ``95``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return value if isinstance(value, str) else str(value)[:40]


def clipped(text: str) -> str:
    """The text. Raises ListError if it is longer than any in a list."""
    if len(text) > MOST_TEXT:
        raise ListError(say("long-text", most=MOST_TEXT))
    return text
