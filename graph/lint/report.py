"""Where findings about a procedure's steps are collected."""

from __future__ import annotations

from collections.abc import Iterable

from graph.findings import closest
from graph.sources import Source

Path = tuple[str | int, ...]


class Report:
    """The findings of one file. Paths begin at the step."""

    def __init__(self, source: Source, place: int) -> None:
        self._source = source
        self._at: Path = ("steps", place)

    def __len__(self) -> int:
        return len(self._source.found)

    def add(
        self,
        path: Path,
        message: str,
        *,
        code: str,
        text: str = "",
        part: str = "",
        allowed: Iterable[str] = (),
        hint: str = "",
    ) -> None:
        """Record a finding at `path` of the step. `text` is what is wrong there, `part` the longer name it belongs to."""
        where = (*self._at, *path)
        if where not in self._source.values and (*where[:-1], "default", where[-1]) in self._source.values:
            where = (*where[:-1], "default", where[-1])
        near = closest(text, allowed) if text else ""
        self._source.wrong(where, message, code=code, text=part or text, allowed=allowed, hint=hint or near)
