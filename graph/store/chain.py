"""The chain of an audit log: each line carries the hash of the one before, the first that of its case. Pure.

The hash of a line is SHA-256 of its text in UTF-8: JSON with sorted keys and no spaces, of the case, the line's number, the
hash before and the line. What is stored is a row for all the lines of a turn, with what they have in common said once: the
hash before the first and that of the last are whole in it, of each line there are the first signs, which tell the line at
which a row does not hold. The case's record keeps the length and the last hash as well, so that a cut end is found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from graph.json_text import canonical
from graph.model import Broken, JsonValue, Logged, LogLine

_SIGNS: Final = 12
"""So many signs of its hash stand with each line."""
_GENESIS: Final = "sopdesk audit log 1\x1f"
_COMMON: Final = ("at", "request_id", "trace_id", "version")
_NUMBER: Final = "no"
"""In place of an id that is the event's and a number."""
_LINES: Final = TypeAdapter(list[LogLine])


class Head(NamedTuple):
    """How many lines there are, and the hash of the last."""

    length: int
    hash: str

    def __str__(self) -> str:
        return f"{self.length}|{self.hash}"


class _Row(BaseModel):
    """Lines as they are stored: the number of the first, the hashes before it and of the last, what all have in common,
    then of each line the first signs of its hash and the rest of its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    case: str
    n: int
    prev: str
    hash: str
    common: dict[str, JsonValue]
    lines: list[tuple[str, dict[str, JsonValue]]] = Field(min_length=1)

    def links(self) -> Iterator[tuple[str, dict[str, JsonValue], Head]]:
        """Each line: its signs, its fields, and the head that they lead to."""
        head = Head(self.n - 1, self.prev)
        for signs, own in self.lines:
            plain = _whole(self.common, own)
            head = _after(self.case, head, plain)
            yield signs, plain, head


def start_of(case: str) -> Head:
    """The head of a log without a line: its hash is bound to the case."""
    return Head(0, _hash(f"{_GENESIS}{case}"))


def head_of(case: str, stored: str) -> Head:
    """The head as the record of the case keeps it; '' is the start. ValueError when it is none."""
    if not stored:
        return start_of(case)
    length, _, last = stored.partition("|")
    return Head(int(length), last)


def extend(case: str, head: Head, lines: Sequence[LogLine]) -> tuple[str, Head]:
    """One or more lines as they are to be stored after `head`, and the head they lead to."""
    before, plain = head, _LINES.dump_python(list(lines), mode="json", exclude_defaults=True)
    first = plain[0]
    common: dict[str, JsonValue] = {
        name: first[name] for name in _COMMON if name in first and all(each.get(name) == first[name] for each in plain)
    }
    links: list[tuple[str, dict[str, JsonValue]]] = []
    for each in plain:
        head = _after(case, head, each)
        links.append((head.hash[:_SIGNS], _own(common, each)))
    row = {"case": case, "n": before.length + 1, "prev": before.hash, "hash": head.hash}
    return canonical(row | {"common": common, "lines": links}), head


def logged(row: str) -> list[Logged]:
    """The lines that a stored row holds, whether they fit or not. ValueError when they cannot be read."""
    stored, found = _Row.model_validate_json(row), list[Logged]()
    before = stored.prev
    for _, plain, head in stored.links():
        line = LogLine.model_validate(plain)
        found.append(Logged(case=stored.case, number=head.length, previous=before, hash=head.hash, line=line))
        before = head.hash
    return found


def check(case: str, rows: Sequence[str], stored: str) -> Broken | None:
    """The first line at which the log of a case does not hold; None when it holds. `stored` is the head in its record."""
    last = start_of(case)
    for text in rows:
        number = last.length + 1
        try:
            row = _Row.model_validate_json(text)
        except ValidationError:
            return Broken(case=case, line=number, why="unreadable")
        if row.case != case:
            return Broken(case=case, line=number, why="foreign")
        if row.n != number:
            return Broken(case=case, line=number, why="moved")
        if row.prev != last.hash:
            return Broken(case=case, line=number, why="changed")
        for signs, plain, last in row.links():
            if signs != last.hash[:_SIGNS]:
                return Broken(case=case, line=last.length, why="changed")
            try:
                LogLine.model_validate(plain)
            except ValidationError:
                return Broken(case=case, line=last.length, why="unreadable")
        if row.hash != last.hash:
            return Broken(case=case, line=last.length, why="changed")
    try:
        head = head_of(case, stored)
    except ValueError:
        return Broken(case=case, line=last.length, why="changed")
    if head.length > last.length:
        return Broken(case=case, line=last.length + 1, why="missing")
    if head.length < last.length:
        return Broken(case=case, line=head.length + 1, why="added")
    return None if head.hash == last.hash else Broken(case=case, line=last.length, why="changed")


def _own(common: Mapping[str, JsonValue], plain: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    own = {name: value for name, value in plain.items() if name not in common}
    event, _, number = str(plain["id"]).rpartition("/")
    if event and event == plain["request_id"]:
        del own["id"]
        own[_NUMBER] = number
    return own


def _whole(common: Mapping[str, JsonValue], own: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    plain = {**common, **own}
    if _NUMBER in plain:
        plain["id"] = f"{plain.get('request_id', '')}/{plain.pop(_NUMBER)}"
    return plain


def _after(case: str, head: Head, plain: Mapping[str, JsonValue]) -> Head:
    text = canonical({"case": case, "n": head.length + 1, "prev": head.hash, "line": plain})
    return Head(head.length + 1, _hash(text))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
