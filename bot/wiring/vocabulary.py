"""The procedures directory with this project's tools and rules."""

from __future__ import annotations

from pathlib import Path

from graph import rules
from graph.library import Library, open_library
from graph.rules import rules_of
from graph.tools import compensation
from graph.tools.spec import tools_of

SHIPPED = Path(__file__).resolve().parents[2] / "sops"


def load_library(directory: Path | None) -> Library:
    """The library in `directory`, or the one that is shipped. SopMistakes names every mistake at once."""
    return open_library(directory or SHIPPED, tools_of([compensation]), rules_of([rules]))
