"""YAML files whose every value knows its place, and mistakes that name file, line and key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import yaml
from pydantic import BaseModel, ValidationError
from typing_extensions import TypeVar
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graph.errors import SopMistakes
from graph.findings import Finding, Mark, closest
from graph.model import JsonValue
from graph.shapes import Path, allowed_by, follows, given, in_file, keys_at, mistake_of

M = TypeVar("M", bound=BaseModel)
_MAX_SIZE = 1_000_000
_MAX_VALUES = 100_000
_PLAIN_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_START = Mark(1, 1, 2)


class _Loader(yaml.SafeLoader):
    """YAML whose scalars stay what the file's author sees: no dates, and `on`/`no` are words."""


class _FastLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # a class of the C library
    """The same in C, where PyYAML was built with it: a sixth of the time. It words mistakes in its own way."""


_Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_FastLoader.yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


@dataclass
class Source:
    """One file: its data, the places of each key and value, and the line on which each value ends.

    `found` grows while it is checked.
    """

    name: str
    text: str
    data: JsonValue = None
    keys: dict[Path, Mark] = field(default_factory=dict)
    values: dict[Path, Mark] = field(default_factory=dict)
    ends: dict[Path, int] = field(default_factory=dict)
    found: list[Finding] = field(default_factory=list)
    _closed: set[Path] = field(default_factory=set)
    _guessed: set[str] = field(default_factory=set)

    @property
    def mistakes(self) -> list[str]:
        """What is wrong, a line for each."""
        return [str(each) for each in self.found]

    def wrong(
        self,
        path: Sequence[str | int],
        message: str,
        *,
        code: str = "wrong",
        text: str = "",
        allowed: Iterable[str] = (),
        hint: str = "",
        on_key: bool = False,
    ) -> None:
        """Record a mistake at `path`, with the place of the nearest key that the file has.

        `text` is the part of the value that is wrong, `on_key` says that the key itself is.
        """
        if text in self._guessed or any(tuple(path[: len(each)]) == each for each in self._closed):
            return
        listed = tuple(sorted(allowed))
        hint = hint or (closest(text or str(path[-1] if path else ""), listed) if listed else "")
        mark = self._mark(tuple(path), text, on_key=on_key)
        self.found.append(Finding(self.name, mark, tuple(path), code, message, listed, hint))

    def unreadable(self, line: int, message: str, column: int = 1, code: str = "unreadable") -> None:
        """Record that the file as a whole cannot be used."""
        self.found.append(Finding(self.name, Mark(line, column, column + 1), (), code, message))

    def close(self, paths: Iterable[Path], names: Iterable[str] = ()) -> None:
        """Let nothing more be said about what is under these paths, or about these names: it would only follow from what
        was said."""
        self._closed |= set(paths)
        self._guessed |= set(names)

    def read(self, model: type[M], data: JsonValue, at: Path = ()) -> M | None:
        """`data` as `model`; every validation error becomes a mistake."""
        try:
            return model.model_validate(data)
        except ValidationError as error:
            for each in error.errors():
                if follows(each):
                    continue
                where = in_file(each, data)
                code, message = mistake_of(each)
                allowed = keys_at(model, data, where) if code == "unknown-key" else allowed_by(each)
                text = given(each) if code != "unknown-key" else ""
                self.wrong((*at, *where), message, code=code, text=text, allowed=allowed, on_key=code == "unknown-key")
            return None

    def _mark(self, path: Path, text: str, *, on_key: bool) -> Mark:
        where = path
        while where and where not in self.values:
            where = where[:-1]
        key, value = self.keys.get(where), self.values.get(where, _START)
        if where != path or on_key:
            return key or value
        part = self._part(value, self.ends.get(where, value.line), text) if text else None
        if part is not None:
            return part
        return key if key is not None and value.end <= value.column else value

    def _part(self, value: Mark, last: int, text: str) -> Mark | None:
        """The first place of `text` in the value, which may go on for some lines."""
        lines = self.text.splitlines()[value.line - 1 : last]
        word = re.compile(rf"(?<![\w.]){re.escape(text)}(?!\w)")
        for number, line in enumerate(lines):
            hit = word.search(line, value.column - 1 if number == 0 else 0)
            if hit is not None:
                return Mark(value.line + number, hit.start() + 1, hit.end() + 1)
        return None


def load(name: str, text: str) -> Source:
    """Parse one file. A file that is no YAML has that as its only mistake."""
    source = Source(name=name, text=text)
    if len(text) > _MAX_SIZE:
        source.unreadable(1, f"the file has {len(text)} signs; at most {_MAX_SIZE} are read")
        return source
    try:
        node = _composed(text)
        if node is None:
            source.unreadable(1, "the file is empty", code="empty")
            return source
        source.data = _build(node, (), source, frozenset())
    except yaml.MarkedYAMLError as error:
        mark = _begun(error)
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        source.unreadable(line, f"not readable as YAML: {error.problem}", column)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        source.unreadable(line, f"not readable as YAML: {error.reason}")
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        source.unreadable(1, f"not readable as YAML: {error}")
    return source


def raise_all(sources: Sequence[Source]) -> None:
    """SopMistakes with every mistake of every file, if there is one."""
    mistakes = [mistake for source in sources for mistake in source.mistakes]
    if mistakes:
        raise SopMistakes(mistakes)


def _composed(text: str) -> Node | None:
    """The file as nodes. What the fast loader refuses the other one judges, so that mistakes are named in one way."""
    try:
        return yaml.compose(text, Loader=_FastLoader)
    except yaml.YAMLError:
        return yaml.compose(text, Loader=_Loader)


def _begun(error: yaml.MarkedYAMLError) -> yaml.Mark | None:
    """Where the mistake was made: what was never closed began earlier than where that was seen."""
    within = error.context or ""
    if error.context_mark is not None and ("flow" in within or "quoted" in within or "simple key" in within):
        return error.context_mark
    return error.problem_mark or error.context_mark


def _mark_of(node: Node) -> Mark:
    start, end = node.start_mark, node.end_mark
    same = isinstance(node, ScalarNode) and end.line == start.line
    return Mark(start.line + 1, start.column + 1, end.column + 1 if same else start.column + 1)


def _build(node: Node, path: Path, source: Source, inside: frozenset[int]) -> JsonValue:
    source.values.setdefault(path, _mark_of(node))
    source.ends[path] = node.end_mark.line + 1
    if id(node) in inside:
        raise ValueError("an alias must not contain itself")
    if len(source.values) > _MAX_VALUES:
        raise ValueError(f"the file stands for more than {_MAX_VALUES} values; use fewer aliases")
    inside = inside | {id(node)}
    if isinstance(node, MappingNode):
        found: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key is a word", problem_mark=key_node.start_mark)
            key = str(key_node.value)
            source.keys[(*path, key)] = _mark_of(key_node)
            if key in found:
                source.wrong((*path, key), "the key stands twice; keep one", code="twice", on_key=True)
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
