"""Reading YAML files, written by its authors or by strangers.

Only plain text, numbers, yes/no, lists and tables are taken: no anchors, aliases, tags, repeated keys or
infinite numbers, at most 256 kB and twelve levels. Whatever is wrong is a ``FileError``, never a traceback.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
import yaml

if TYPE_CHECKING:
    from jsonschema import ValidationError

SIZE_LIMIT = 256 * 1024
DEPTH_LIMIT = 12
NUMBER_LIMIT = 20
MESSAGES_LIMIT = 20

T = TypeVar("T")
Place = tuple[str | int, ...]

_SCALARS = yaml.constructor.SafeConstructor()
_YAML = "tag:yaml.org,2002:"


class FileError(ValueError):
    """The file cannot be used; every message says which file, where, what is wrong and what to do."""

    def __init__(self, *messages: str) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


class Written(NamedTuple):
    """What a file says, and the line each part of it begins on."""

    name: str
    content: Any
    lines: dict[Place, int]

    def where(self, place: Place) -> str:
        """File, line and path of a part, as a reader can find it."""
        known = next((place[:n] for n in range(len(place), 0, -1) if place[:n] in self.lines), ())
        line, path = self.lines.get(known, 1), as_path(place)
        return f"{self.name}, line {line}" + (f", {path}" if path else "")


def as_path(place: Place) -> str:
    """``models[0].count``, counting from 1 as people do: ``models[1].count``."""
    steps = [f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in place]
    return "".join(steps).removeprefix(".")


def read_file(path: Path, shape: type[T], schema: Path) -> tuple[T, Written]:
    """The file as a value of ``shape``, with what stands on which line."""
    try:
        if path.is_dir():
            raise FileError(f"{path.name}: this is a folder. Give a file in it.")
        if not path.is_file():
            raise FileError(f"{path.name}: there is no such file. Check its name and folder.")
        with path.open("rb") as stream:
            source = stream.read(SIZE_LIMIT + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{path.name}: it cannot be opened. Check that it may be read.") from None
    return shaped(read(source, path.name), shape, schema)


def shaped(written: Written, shape: type[T], schema: Path) -> tuple[T, Written]:
    """The content checked and given its type; the schema is opened only to explain what is wrong."""
    try:
        return msgspec.convert(written.content, shape), written
    except msgspec.ValidationError as error:
        messages = explained(written, json.loads(schema.read_text("utf-8")))
        raise FileError(*(messages or [f"{written.name}: {error}."])) from None


def read(source: bytes | str, name: str) -> Written:
    """The plain content of a YAML text."""
    raw = source.encode("utf-8", "replace") if isinstance(source, str) else source
    if len(raw) > SIZE_LIMIT:
        raise FileError(f"{name}: it is larger than {SIZE_LIMIT // 1024} kB. Split it or shorten it.")
    try:
        text = raw.decode("utf-8-sig")
        _refuse_what_is_not_plain(text, name)
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except UnicodeDecodeError:
        raise FileError(f"{name}: it is not UTF-8 text. Save it as UTF-8.") from None
    except yaml.YAMLError as error:
        raise FileError(_syntax(error, name)) from None
    if node is None:
        raise FileError(f"{name}: it is empty. See the schema beside the shipped files for what it holds.")
    lines: dict[Place, int] = {}
    return Written(name, _plain(node, (), lines, name), lines)


def _refuse_what_is_not_plain(text: str, name: str) -> None:
    """Look at the events one by one, before anything is built of them."""
    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        mark = event.start_mark
        at = name if mark is None else f"{name}, line {mark.line + 1}"
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise FileError(f"{at}: anchors (&) and aliases (*) are not taken. Write the value out.")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        documents += isinstance(event, yaml.DocumentStartEvent)
        if depth > DEPTH_LIMIT:
            raise FileError(f"{at}: more than {DEPTH_LIMIT} levels deep. Close the brackets or indent less.")
        if documents > 1:
            raise FileError(f"{at}: a second document begins (---). Put it in a file of its own.")


def _syntax(error: yaml.YAMLError, name: str) -> str:
    mark = getattr(error, "problem_mark", None)
    at = f"{name}, line {mark.line + 1}" if mark is not None else name
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "a character is not allowed"
    return f"{at}: not well-formed YAML ({problem}). Check indentation, colons and quotes."


def _plain(node: yaml.Node, place: Place, lines: dict[Place, int], name: str) -> Any:
    lines[place] = node.start_mark.line + 1
    at = f"{name}, line {node.start_mark.line + 1}"
    if isinstance(node, yaml.MappingNode) and node.tag == _YAML + "map":
        return dict(_entries(node, place, lines, name))
    if isinstance(node, yaml.SequenceNode) and node.tag == _YAML + "seq":
        return [_plain(one, (*place, i), lines, name) for i, one in enumerate(node.value)]
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, at)
    raise FileError(f"{at}: the tag {node.tag[-40:]!r} is not taken. Remove it.")


def _entries(node: yaml.MappingNode, place: Place, lines: dict[Place, int], name: str) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for key, value in node.value:
        at = f"{name}, line {key.start_mark.line + 1}"
        if not isinstance(key, yaml.ScalarNode) or key.tag != _YAML + "str":
            raise FileError(f"{at}: a key must be a word. Write it as text, in quotes if need be.")
        if key.value in seen:
            raise FileError(f"{at}: the key {key.value[:40]!r} is there twice. Keep one of the two.")
        seen.add(key.value)
        yield key.value, _plain(value, (*place, key.value), lines, name)


def _scalar(node: yaml.ScalarNode, at: str) -> Any:
    """Text stays text (dates too); numbers must be finite and short."""
    kind = node.tag.removeprefix(_YAML)
    if kind in ("str", "timestamp"):
        return node.value
    if kind == "null":
        return None
    if kind not in ("bool", "int", "float"):
        raise FileError(f"{at}: the tag {node.tag[-40:]!r} is not taken. Remove it, or put the value in quotes.")
    try:
        if len(node.value) > NUMBER_LIMIT:
            raise ValueError
        value = getattr(_SCALARS, f"construct_yaml_{kind}")(node)
    except (ValueError, KeyError):
        raise FileError(f"{at}: {node.value[:40]!r} is no usable {kind}. Write it plainly.") from None
    if isinstance(value, float) and not math.isfinite(value):
        raise FileError(f"{at}: {node.value!r} is not a finite number. Write a finite one.")
    return value


def explained(written: Written, schema: dict[str, Any]) -> list[str]:
    """Every difference from the schema, in the order of the file, each with what to do."""
    from jsonschema import Draft202012Validator, validators  # costs more to import than a good file to read

    whole = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, one: type(one) is int)
    # 200.0 is no count of models
    strict = validators.extend(Draft202012Validator, type_checker=whole)  # type: ignore[no-untyped-call]
    found = strict(schema).iter_errors(written.content)
    messages: list[tuple[int, str]] = []
    for error in found:
        place: Place = tuple(error.absolute_path)
        said = f"{written.where(place)}: {_difference(error)}"
        messages.append((written.lines.get(place, 1), said))
    return [said for _, said in sorted(set(messages))][:MESSAGES_LIMIT]


_SORTS = {
    "object": "a table of keys and values",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def _difference(error: ValidationError) -> str:
    """What the content has and the schema does not want, in plain words."""
    wanted: Any = error.validator_value
    found: Any = error.instance
    schema: Any = error.schema
    shown = repr(found) if len(repr(found)) <= 40 else repr(found)[:40] + "…"
    match error.validator:
        case "type":
            kinds = [wanted] if isinstance(wanted, str) else wanted
            return f"{shown} is not {' or '.join(_SORTS[one] for one in kinds)}. Change it."
        case "required":
            missing = [one for one in wanted if one not in found]
            return f"{', '.join(map(repr, missing))} missing. Add what is missing."
        case "additionalProperties":
            return _unknown_keys(found, schema["properties"])
        case "enum" | "const":
            choices = wanted if isinstance(wanted, list) else [wanted]
            return f"{shown} is not one of {', '.join(repr(one) for one in choices)}. Choose one of them."
        case "minimum" | "minLength" | "minItems":
            return f"{shown} is below the least allowed, {wanted}. Give more."
        case "maximum" | "maxLength" | "maxItems":
            return f"{shown} is above the most allowed, {wanted}. Give less."
        case "multipleOf":
            return f"{shown} is no multiple of {wanted}. Change it."
        case "anyOf":
            inside = [one for one in error.context or () if one.validator not in ("type", "enum", "const")]
            if inside:
                return _difference(inside[0])
            kinds = [_SORTS[one["type"]] for one in wanted if one.get("type") in _SORTS]
            return f"{shown} is not {' or '.join(dict.fromkeys(kinds))} of the right form. See the schema."
    return f"{shown} does not have the right form ({error.validator}: {wanted!r}). See the schema."


def _unknown_keys(found: dict[str, Any], known: dict[str, Any]) -> str:
    unknown = [key[:40] for key in found if key not in known]
    return f"{', '.join(map(repr, unknown[:5]))} is not known here. " + meant(unknown[0], known)


def meant(word: str, known: Iterable[str]) -> str:
    """Advice on a word that is not known: the one it looks like, or all there are."""
    names = sorted(known)
    near = get_close_matches(word[:60], names, 1)
    return f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(names)}."
