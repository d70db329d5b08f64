"""YAML files whose every value knows its line, and mistakes that name file, line and key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import yaml
from pydantic import BaseModel, ValidationError
from typing_extensions import TypeVar
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graph.errors import SopMistakes
from graph.model import JsonValue

Path = tuple[str | int, ...]
M = TypeVar("M", bound=BaseModel)
_MAX_SIZE = 1_000_000
_MAX_VALUES = 100_000
_PLAIN_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")


class _Loader(yaml.SafeLoader):
    """YAML whose scalars stay what the file's author sees: no dates, and `on`/`no` are words."""


_Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


@dataclass
class Source:
    """One file: its data, and the line on which each key stands. `mistakes` grows while it is checked."""

    name: str
    text: str
    data: JsonValue = None
    lines: dict[Path, int] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)

    def wrong(self, path: Sequence[str | int], message: str) -> None:
        """Record a mistake at `path`, with the line of the nearest key that the file has."""
        where = tuple(path)
        while where and where not in self.lines:
            where = where[:-1]
        key = _dotted(path)
        self.mistakes.append(f"{self.name}:{self.lines.get(where, 1)}: {key + ': ' if key else ''}{message}")

    def read(self, model: type[M], data: JsonValue, at: Path = ()) -> M | None:
        """`data` as `model`; every validation error becomes a mistake."""
        try:
            return model.model_validate(data)
        except ValidationError as error:
            for each in error.errors():
                context = each.get("ctx", {})
                where = _in_file(each["loc"], data)
                if each["type"].startswith("union_tag"):
                    where.append(str(context.get("discriminator", "")).strip("'"))
                self.wrong((*at, *where), _in_words(each["type"], each["msg"], context))
            return None


def load(name: str, text: str) -> Source:
    """Parse one file. A file that is no YAML has that as its only mistake."""
    source = Source(name=name, text=text)
    if len(text) > _MAX_SIZE:
        source.mistakes.append(f"{name}:1: the file has {len(text)} signs; at most {_MAX_SIZE} are read")
        return source
    try:
        node = yaml.compose(text, Loader=_Loader)
        if node is None:
            source.mistakes.append(f"{name}:1: the file is empty")
            return source
        source.data = _build(node, (), source, frozenset())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        source.mistakes.append(f"{name}:{mark.line + 1 if mark else 1}: not readable as YAML: {error.problem}")
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        source.mistakes.append(f"{name}:{line}: not readable as YAML: {error.reason}")
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        source.mistakes.append(f"{name}:1: not readable as YAML: {error}")
    return source


def raise_all(sources: Sequence[Source]) -> None:
    """SopMistakes with every mistake of every file, if there is one."""
    mistakes = [mistake for source in sources for mistake in source.mistakes]
    if mistakes:
        raise SopMistakes(mistakes)


def _build(node: Node, path: Path, source: Source, inside: frozenset[int]) -> JsonValue:
    source.lines.setdefault(path, node.start_mark.line + 1)
    if id(node) in inside:
        raise ValueError("an alias must not contain itself")
    if len(source.lines) > _MAX_VALUES:
        raise ValueError(f"the file stands for more than {_MAX_VALUES} values; use fewer aliases")
    inside = inside | {id(node)}
    if isinstance(node, MappingNode):
        found: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key is a word", problem_mark=key_node.start_mark)
            key = str(key_node.value)
            source.lines[(*path, key)] = key_node.start_mark.line + 1
            if key in found:
                source.wrong((*path, key), "the key stands twice; keep one")
            found[key] = _build(value_node, (*path, key), source, inside)
        return found
    if isinstance(node, SequenceNode):
        return [_build(item, (*path, index), source, inside) for index, item in enumerate(node.value)]
    return _scalar(node)


def _scalar(node: Node) -> JsonValue:
    if not isinstance(node, ScalarNode):
        raise ValueError(f"unexpected {node.tag}")
    written: str = node.value
    match node.tag.removeprefix("tag:yaml.org,2002:"):
        case "null":
            return None
        case "bool" if written in ("true", "false"):
            return written == "true"
        case "int" if _PLAIN_INTEGER.fullmatch(written):
            return int(written)
        case "int" | "float" | "str":
            # The digits stay as they stand: a float is money or a bound, and YAML takes 0500 for 320 and 1:30 for 90.
            return written
        case tag:
            raise yaml.MarkedYAMLError(problem=f"the tag {tag!r} is not used here", problem_mark=node.start_mark)


def _in_file(loc: Sequence[str | int], data: JsonValue) -> list[str | int]:
    """The part of pydantic's location that the file has too; tags of unions and models are left out."""
    found: list[str | int] = []
    here: JsonValue = data
    for index, key in enumerate(loc):
        if isinstance(here, dict) and isinstance(key, str):
            if key in here:
                found.append(key)
                here = here[key]
            elif index == len(loc) - 1:
                found.append(key)
        elif isinstance(here, list) and isinstance(key, int) and key < len(here):
            found.append(key)
            here = here[key]
    return found


def _in_words(kind: str, message: str, context: Mapping[str, object]) -> str:
    match kind:
        case "extra_forbidden":
            return "this key is not known here"
        case "missing":
            return "this key is missing"
        case "union_tag_invalid":
            return f"{context.get('tag')!r} is not allowed; allowed: {context.get('expected_tags')}"
        case "union_tag_not_found":
            return "this key is missing"
        case "model_type" | "model_attributes_type" | "dict_type":
            return "a map of keys is wanted here"
        case "list_type" | "tuple_type":
            return "a list is wanted here"
        case "string_type":
            return "text is wanted here"
        case "literal_error":
            return f"not allowed; allowed: {context.get('expected')}"
        case _:
            return message.removeprefix("Value error, ")


def _dotted(path: Sequence[str | int]) -> str:
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text
