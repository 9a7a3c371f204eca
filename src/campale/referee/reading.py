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
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
import yaml

from campale.referee.telling.spoken import Spoken, joined, spoken, told

if TYPE_CHECKING:
    from jsonschema import ValidationError

SIZE_LIMIT = 256 * 1024
DEPTH_LIMIT = 12
NUMBER_LIMIT = 20
MESSAGES_LIMIT = 20
WORDS = Path(__file__).parent / "words" / "reading"

SHAPING = RLock()
"""Held while msgspec meets a type for the first time: two threads at once would crash the process."""

T = TypeVar("T")
Place = tuple[str | int, ...]

_SCALARS = yaml.constructor.SafeConstructor()
_YAML = "tag:yaml.org,2002:"


class FileError(ValueError):
    """The file cannot be used; every message says which file, where, what is wrong and what to do."""

    def __init__(self, *messages: str) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages

    def told(self, language: str) -> list[str]:
        """The messages in a language, as far as they are translated."""
        return [told(one, language) for one in self.messages]


class Written(NamedTuple):
    """The content of a file, and the line on which each part begins."""

    name: str
    content: Any
    lines: dict[Place, int]

    def where(self, place: Place) -> str:
        """File, line and path of a part, as a reader can find it."""
        known = next((place[:n] for n in range(len(place), 0, -1) if place[:n] in self.lines), ())
        line, path = self.lines.get(known, 1), as_path(place)
        return say("place" if path else "line", file=self.name, line=line, path=path)


def say(key: str, **values: Any) -> Spoken:
    """A message about a file, in both languages."""
    return spoken(WORDS, f"file.{key}", **values)


def as_path(place: Place) -> str:
    """``models[0].count``, counting from 1 as people do: ``models[1].count``."""
    steps = [f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in place]
    return "".join(steps).removeprefix(".")


def read_file(path: Path, shape: type[T], schema: Path | None = None) -> tuple[T, Written]:
    """The file as a value of ``shape``, and its content with line numbers. ``schema``: see ``shaped``."""
    try:
        if path.is_dir():
            raise FileError(say("folder", at=path.name))
        if not path.is_file():
            raise FileError(say("none", at=path.name))
        with path.open("rb") as stream:
            source = stream.read(SIZE_LIMIT + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(say("closed", at=path.name)) from None
    return shaped(read(source, path.name), shape, schema)


def shaped(written: Written, shape: type[T], schema: Path | None = None) -> tuple[T, Written]:
    """The content, checked and converted. The JSON Schema (default: that of the shape) explains what is wrong."""
    try:
        return converted(written.content, shape), written
    except msgspec.ValidationError as error:
        described = msgspec.json.schema(shape) if schema is None else json.loads(schema.read_text("utf-8"))
        messages = explained(written, described)
        raise FileError(*(messages or [f"{written.name}: {error}."])) from None


def converted(plain: Any, shape: type[T]) -> T:
    """Plain content as a value of a type. Raises msgspec.ValidationError."""
    with SHAPING:
        return msgspec.convert(plain, shape)


def read(source: bytes | str, name: str) -> Written:
    """The plain content of a YAML text."""
    raw = source.encode("utf-8", "replace") if isinstance(source, str) else source
    if len(raw) > SIZE_LIMIT:
        raise FileError(say("large", at=name, most=SIZE_LIMIT // 1024))
    try:
        text = raw.decode("utf-8-sig")
        _refuse_what_is_not_plain(text, name)
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except UnicodeDecodeError:
        raise FileError(say("no-text", at=name)) from None
    except yaml.YAMLError as error:
        raise FileError(_syntax(error, name)) from None
    if node is None:
        raise FileError(say("empty", at=name))
    lines: dict[Place, int] = {}
    return Written(name, _plain(node, (), lines, name), lines)


def _refuse_what_is_not_plain(text: str, name: str) -> None:
    """Check the parser's events one by one, before anything is built from them."""
    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise FileError(say("anchor", at=_line(event.start_mark, name)))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        documents += isinstance(event, yaml.DocumentStartEvent)
        if depth > DEPTH_LIMIT:
            raise FileError(say("deep", at=_line(event.start_mark, name), most=DEPTH_LIMIT))
        if documents > 1:
            raise FileError(say("second", at=_line(event.start_mark, name)))


def _line(mark: Any, name: str) -> str:
    """The file, and the line of a mark of the parser, if there is one."""
    return name if mark is None else say("line", file=name, line=mark.line + 1)


def _syntax(error: yaml.YAMLError, name: str) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or say("sign")
    return say("syntax", at=_line(mark, name), problem=problem)


def _plain(node: yaml.Node, place: Place, lines: dict[Place, int], name: str) -> Any:
    lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode) and node.tag == _YAML + "map":
        return dict(_entries(node, place, lines, name))
    if isinstance(node, yaml.SequenceNode) and node.tag == _YAML + "seq":
        return [_plain(one, (*place, i), lines, name) for i, one in enumerate(node.value)]
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, name)
    raise FileError(say("tag", at=_line(node.start_mark, name), tag=repr(node.tag[-40:])))


def _entries(node: yaml.MappingNode, place: Place, lines: dict[Place, int], name: str) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode) or not (key.tag == _YAML + "str" or _is_word(key)):
            raise FileError(say("key", at=_line(key.start_mark, name)))
        if key.value in seen:
            raise FileError(say("twice", at=_line(key.start_mark, name), name=repr(key.value[:40])))
        seen.add(key.value)
        yield key.value, _plain(value, (*place, key.value), lines, name)


def _is_word(node: yaml.ScalarNode) -> bool:
    """Whether a scalar is a word. ``On``, ``Off``, ``Yes`` and ``No`` are, as in YAML 1.2; true and false are not."""
    return node.tag == _YAML + "bool" and node.value.casefold() in ("on", "off", "yes", "no")


def _scalar(node: yaml.ScalarNode, name: str) -> Any:
    """Text stays text (dates too); numbers must be finite and short."""
    kind = node.tag.removeprefix(_YAML)
    if kind in ("str", "timestamp") or _is_word(node):
        return node.value
    if kind == "null":
        return None
    if kind not in ("bool", "int", "float"):
        raise FileError(say("tag-of-value", at=_line(node.start_mark, name), tag=repr(node.tag[-40:])))
    try:
        if len(node.value) > NUMBER_LIMIT:
            raise ValueError
        value = getattr(_SCALARS, f"construct_yaml_{kind}")(node)
    except (ValueError, KeyError):
        raise FileError(
            say("unusable", at=_line(node.start_mark, name), value=repr(node.value[:40]), kind=kind)
        ) from None
    if isinstance(value, float) and not math.isfinite(value):
        raise FileError(say("infinite", at=_line(node.start_mark, name), value=repr(node.value)))
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
        said = say("differs", at=written.where(place), what=_difference(error))
        messages.append((written.lines.get(place, 1), said))
    return [said for _, said in sorted(set(messages))][:MESSAGES_LIMIT]


_SORTS = ("object", "array", "string", "integer", "number", "boolean", "null")


def _sorts(kinds: Iterable[str]) -> Spoken:
    return joined([say(f"sort.{one}") for one in dict.fromkeys(kinds) if one in _SORTS], say("or"))


def _difference(error: ValidationError) -> Spoken:
    """A difference between content and schema, in plain words."""
    wanted: Any = error.validator_value
    found: Any = error.instance
    shown = repr(found) if len(repr(found)) <= 40 else repr(found)[:40] + "…"
    match error.validator:
        case "type":
            kinds = [wanted] if isinstance(wanted, str) else wanted
            return say("sort", shown=shown, kinds=_sorts(kinds))
        case "required":
            return say("missing", names=", ".join(repr(one) for one in wanted if one not in found))
        case "additionalProperties":
            schema: Any = error.schema
            return _unknown_keys(found, schema["properties"])
        case "enum" | "const":
            choices = wanted if isinstance(wanted, list) else [wanted]
            return say("choice", shown=shown, known=", ".join(repr(one) for one in choices))
        case "minimum" | "minLength" | "minItems":
            return say("least", shown=shown, least=wanted)
        case "maximum" | "maxLength" | "maxItems":
            return say("most", shown=shown, most=wanted)
        case "multipleOf":
            return say("multiple", shown=shown, of=wanted)
        case "anyOf":
            inside = [one for one in error.context or () if one.path or one.validator not in ("type", "enum", "const")]
            if inside:
                return _difference(inside[0])
            return say("form-of", shown=shown, kinds=_sorts(one.get("type", "") for one in wanted))
    return say("form", shown=shown, rule=error.validator, wanted=repr(wanted))


def _unknown_keys(found: dict[str, Any], known: dict[str, Any]) -> Spoken:
    unknown = [key[:40] for key in found if key not in known]
    return say("unknown", keys=", ".join(map(repr, unknown[:5])), advice=meant(unknown[0], known))


def meant(word: str, known: Iterable[str]) -> Spoken:
    """Advice on an unknown word: the known word it resembles, or all known words."""
    names = sorted(known)
    near = get_close_matches(word[:60], names, 1)
    return say("meant", near=repr(near[0])) if near else say("known", names=", ".join(names))
