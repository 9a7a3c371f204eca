"""The messages of the socket as TypeScript: ``python -m tools.wire`` writes web/src/net/wire.ts."""

from __future__ import annotations

import sys
import types
import typing
from pathlib import Path
from typing import Any

import msgspec

from campale.screen.shown import LuckReport, Replay
from campale.server.sockets import wire

TARGET = Path(__file__).parents[1] / "web" / "src" / "net" / "wire.ts"
FETCHED = (Replay, LuckReport)
"""What the page gets by HTTP and not over the socket."""

BARE = {str: "string", int: "number", float: "number", bool: "boolean", Any: "Plain", type(None): "null"}
HEAD = """// Written by `python -m tools.wire` from src/campale/server/sockets/wire.py: change that, not this.

export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };
"""


def written() -> str:
    """The whole module."""
    asks, tells = kinds_of(wire.Asks), kinds_of(wire.Tells)
    needed: dict[str, type] = {}
    for kind in (*asks, *tells, *FETCHED):
        gather(kind, needed)
    unions = [
        f"export type {name} = {' | '.join(one.__name__ for one in of)};"
        for name, of in (("Ask", asks), ("Tell", tells))
    ]
    version = f"export const PROTOCOL = {wire.PROTOCOL};"
    return "\n".join([HEAD, version, "", *(interface(kind) for kind in needed.values()), *unions, ""])


def kinds_of(base: type) -> list[type]:
    return sorted(base.__subclasses__(), key=lambda one: one.__name__)


def gather(kind: type, found: dict[str, type]) -> None:
    """The record and those that its fields are made of, the inner ones first."""
    if kind.__name__ in found:
        return
    found[kind.__name__] = kind
    for hint in typing.get_type_hints(kind).values():
        for part in records_in(hint):
            gather(part, found)


def records_in(hint: Any) -> list[type]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return [hint]
    return [part for one in typing.get_args(hint) for part in records_in(one)]


def interface(kind: type) -> str:
    config = kind.__struct_config__  # type: ignore[attr-defined]
    rows = [f"  {config.tag_field}: '{config.tag}';"] if config.tag_field is not None else []
    for field in msgspec.structs.fields(kind):
        is_given = field.required
        rows.append(f"  {field.encode_name}{'' if is_given else '?'}: {told(field.type)};")
    return "\n".join([f"export interface {kind.__name__} {{", *rows, "}", ""])


def told(hint: Any) -> str:
    if hint in BARE:
        return BARE[hint]
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint.__name__
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        inner = told(args[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(told, args))}]"
    if origin is dict:
        return f"{{ [key: string]: {told(args[1])} }}"
    if origin in (typing.Union, types.UnionType):
        if set(args) >= {dict, list} or any(typing.get_origin(one) is dict for one in args):
            return "Plain"
        return " | ".join(dict.fromkeys(told(one) for one in args))
    return "Plain"


if __name__ == "__main__":
    text = written()
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.read_text(encoding="utf-8") == text else f"{TARGET.name} is not what wire.py says: run it")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
