"""A mistake in a file: where it stands, what is wrong, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True)
class Mark:
    """A place on one line. Lines and columns count from 1; `end` is the column after the last sign."""

    line: int
    column: int
    end: int


@dataclass(frozen=True)
class Finding:
    """One mistake. `path` leads to the file's key, `allowed` and `hint` say what would be right."""

    file: str
    mark: Mark
    path: tuple[str | int, ...]
    code: str
    message: str
    allowed: tuple[str, ...] = ()
    hint: str = ""

    @property
    def key(self) -> str:
        """The path as it is shown: `steps[3].args.amount`."""
        return dotted(self.path)

    def __str__(self) -> str:
        return f"{self.file}:{self.mark.line}: {self.key + ': ' if self.key else ''}{self.message}"


def closest(name: str, allowed: Iterable[str]) -> str:
    """`did you mean …?` for the allowed name that is most like `name`; empty when none is."""
    near = get_close_matches(name, list(allowed), n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else ""


def dotted(path: Sequence[str | int]) -> str:
    """A path as it is shown: `steps[3].args.amount`."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text
