"""The procedures directory with this project's tools and rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graph import rules
from graph.findings import Finding
from graph.library import Library, open_library
from graph.lint.files import Linter
from graph.rules import rules_of
from graph.tools import compensation, sales
from graph.tools.spec import tools_of

SHIPPED = Path(__file__).resolve().parents[2] / "sops"
_TOOLS = (compensation, sales)


def load_library(directory: Path | None) -> Library:
    """The library in `directory`, or the one that is shipped. SopMistakes names every mistake at once."""
    return open_library(directory or SHIPPED, tools_of(_TOOLS), rules_of([rules]))


def lint_files(paths: Sequence[Path], directory: Path | None) -> list[Finding]:
    """Every finding about these files and directories; without any, about the directory of procedures itself."""
    home = directory or SHIPPED
    return Linter(home, tools_of(_TOOLS), rules_of([rules])).check(paths or [home])
