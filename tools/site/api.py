"""The page of the HTTP API, from the description that the server itself gives."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any

from campale.server.app import create_app
from campale.server.settings import Settings
from tools.site.words import WORDS

REF = "#/components/schemas/"
Schema = dict[str, Any]


def described() -> Schema:
    """The OpenAPI document of this version."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database=f"sqlite:///{folder}/none.db"))
        schema = app.openapi()
        app.state.hall.store.engine.dispose()
        return schema


def page(document: Schema, language: str) -> str:
    say = WORDS[language]
    parts = [f"# {say['api']}", say["api-about"]]
    groups: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            groups.setdefault(route.get("tags", ["api"])[0], []).append((path, method, route))
    for group, routes in groups.items():
        parts.append(f"## {group.capitalize()}")
        parts += [part for one in routes for part in route_of(*one, language)]
    parts.append(f"## {say['records']}")
    for name, schema in sorted(document["components"]["schemas"].items()):
        parts += record_of(name, schema, language)
    return "\n\n".join(parts) + "\n"


def route_of(path: str, method: str, route: Schema, language: str) -> Iterator[str]:
    say = WORDS[language]
    told = path.replace("{", "\\{").replace("}", "\\}")
    yield f"### {method.upper()} {told} {{ #{route['operationId'].replace('_', '-')} }}"
    yield route.get("description") or next(iter(route["responses"].values()))["description"]
    asked = [one for one in route.get("parameters", []) if one["in"] != "header"]
    if asked:
        rows = [
            f"| `{one['name']}` | {one['in']} | {kind(one['schema'], language)} | {cell(one.get('description', ''))} |"
            for one in asked
        ]
        yield table(rows, *(say[head] for head in ("parameter", "where", "kind", "meaning")))
    if "requestBody" in route:
        yield f"{say['body']}: {content(route['requestBody'], language)}"
    answers = [f"{status} {content(one, language) or say['nothing']}" for status, one in route["responses"].items()]
    yield f"{say['answer']}: {', '.join(answers)}"


def content(part: Schema, language: str) -> str:
    found = [f"{kind(one.get('schema', {}), language)} (`{media}`)" for media, one in part.get("content", {}).items()]
    return ", ".join(found)


def record_of(name: str, schema: Schema, language: str) -> Iterator[str]:
    say, needed = WORDS[language], schema.get("required", [])
    yield f"### {name.rpartition('.')[2]} {{ #{anchor(name)} }}"
    if schema.get("description"):
        yield str(schema["description"]).replace("``", "`")
    fields = schema.get("properties", {})
    if fields:
        rows = [
            f"| `{field}` | {kind(one, language)} | {say['yes'] if field in needed else ''} |"
            for field, one in fields.items()
        ]
        yield table(rows, *(say[head] for head in ("field", "kind", "needed")))
    else:
        yield kind(schema, language)


def kind(schema: Schema, language: str) -> str:
    """What a value is, in a few words; records are links."""
    say = WORDS[language]
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REF)
        return f"[{name.rpartition('.')[2]}](#{anchor(name)})"
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return f" {say['or']} ".join(kind(one, language) for one in choices)
    if "enum" in schema:
        return f" {say['or']} ".join(f"`{one}`" for one in schema["enum"])
    if isinstance(schema.get("items"), dict):
        return say["list"].format(one=kind(schema["items"], language))
    if "prefixItems" in schema:
        return "[" + ", ".join(kind(one, language) for one in schema["prefixItems"]) + "]"
    if isinstance(schema.get("additionalProperties"), dict):
        return say["map"].format(one=kind(schema["additionalProperties"], language))
    named = schema.get("type", say["anything"])
    return f" {say['or']} ".join(named) if isinstance(named, list) else str(named)


def anchor(name: str) -> str:
    return "record-" + name.replace(".", "-").lower()


def table(rows: list[str], *heads: str) -> str:
    return "\n".join([f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *rows])


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("``", "`")
