"""The chain of an audit log: each line carries the hash of the one before, the first that of its case. Pure.

A line as stored is its hash, 64 signs, and its text: JSON with sorted keys and no spaces. The hash is SHA-256 of the
text in UTF-8. The case's record keeps the length and the last hash as well, so that a cut end is found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from graph.model import Broken, Logged, LogLine

_SIGNS: Final = 64
_GENESIS: Final = "sopdesk audit log 1\x1f"


class Head(NamedTuple):
    """How many lines there are, and the hash of the last."""

    length: int
    hash: str

    def __str__(self) -> str:
        return f"{self.length}|{self.hash}"


class _Link(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    case: str
    n: int
    prev: str
    line: LogLine


def start_of(case: str) -> Head:
    """The head of a log without a line: its hash is bound to the case."""
    return Head(0, _hash(f"{_GENESIS}{case}"))


def head_of(case: str, stored: str) -> Head:
    """The head as the record of the case keeps it; '' is the start. ValueError when it is none."""
    if not stored:
        return start_of(case)
    length, _, last = stored.partition("|")
    return Head(int(length), last)


def extend(case: str, head: Head, lines: Sequence[LogLine]) -> tuple[list[str], Head]:
    """These lines as they are to be stored after `head`, and the head they lead to."""
    rows: list[str] = []
    for line in lines:
        link = {"case": case, "n": head.length + 1, "prev": head.hash, "line": _plain(line)}
        text = _canonical(link)
        head = Head(head.length + 1, _hash(text))
        rows.append(head.hash + text)
    return rows, head


def logged(row: str) -> Logged:
    """The line that a stored row holds, whether it fits or not. ValueError when it cannot be read."""
    link = _Link.model_validate_json(row[_SIGNS:])
    return Logged(case=link.case, number=link.n, previous=link.prev, hash=row[:_SIGNS], line=link.line)


def check(case: str, rows: Sequence[str], stored: str) -> Broken | None:
    """The first line at which the log of a case does not hold; None when it holds. `stored` is the head in its record."""
    last = start_of(case)
    for row in rows:
        number, text = last.length + 1, row[_SIGNS:]
        if _hash(text) != row[:_SIGNS]:
            return Broken(case=case, line=number, why="changed")
        try:
            link = _Link.model_validate_json(text)
        except ValidationError:
            return Broken(case=case, line=number, why="unreadable")
        if link.case != case:
            return Broken(case=case, line=number, why="foreign")
        if link.n != number:
            return Broken(case=case, line=number, why="moved")
        if link.prev != last.hash:
            return Broken(case=case, line=number, why="changed")
        last = Head(number, row[:_SIGNS])
    try:
        head = head_of(case, stored)
    except ValueError:
        return Broken(case=case, line=last.length, why="changed")
    if head.length > last.length:
        return Broken(case=case, line=last.length + 1, why="missing")
    if head.length < last.length:
        return Broken(case=case, line=head.length + 1, why="added")
    return None if head.hash == last.hash else Broken(case=case, line=last.length, why="changed")


def _plain(line: LogLine) -> dict[str, object]:
    return line.model_dump(mode="json", exclude_defaults=True)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
