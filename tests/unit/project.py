"""What the tests of the house look at: the project's files, their code and the words in it."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
ROOMS: Final = ("graph", "blocks", "bot")
TOP_LEVEL: Final = {
    *("pyproject.toml", "bot", "graph", "sops", "blocks", "tests", "deploy", "docs", ".ci"),
    *("README.md", "README.zh.md", "CHANGELOG.md", "LICENSE", "Makefile", "requirements.lock"),
}


@cache
def tracked() -> tuple[str, ...]:
    """Every file of the project, by its path from the root: those that git knows, or would add."""
    found = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    if found.returncode == 0:
        names = found.stdout.split("\0")
    else:  # not a clone: an unpacked archive
        below = (path for top in TOP_LEVEL for path in [ROOT / top, *(ROOT / top).rglob("*")])
        names = [str(path.relative_to(ROOT)) for path in below]
    return tuple(sorted(name for name in set(names) if "__pycache__" not in name and (ROOT / name).is_file()))


def python(*rooms: str) -> Iterator[str]:
    """The modules of some rooms, by their paths."""
    return (name for name in tracked() if name.endswith(".py") and name.split("/")[0] in rooms)


@cache
def text(name: str) -> str:
    """A file's text."""
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def tree(name: str) -> ast.Module:
    """A module, parsed."""
    return ast.parse(text(name))


def code() -> Iterator[tuple[str, ast.AST]]:
    """Every node of the three rooms, with its file."""
    for name in python(*ROOMS):
        for node in ast.walk(tree(name)):
            yield name, node
