"""The procedures directory with this project's tools and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from graph import rules
from graph.authority import Authority
from graph.findings import Finding
from graph.library import Library, open_library
from graph.lint import lint
from graph.lint.files import Linter
from graph.lint.schema import schema_of
from graph.model import JsonValue
from graph.rules import rules_of
from graph.sources import load
from graph.tools.modules import MODULES
from graph.tools.spec import ToolSpec, tools_of
from graph.tools.stubs import stubs_of

SHIPPED = Path(__file__).resolve().parents[2] / "sops"


def load_library(directory: Path | None, *, stubs: bool = False) -> Library:
    """The library in `directory`, or the one that is shipped. SopMistakes names every mistake at once. `stubs`: interfaces
    that only stand in count as well, as they must nowhere that serves."""
    home = directory or SHIPPED
    return open_library(home, {**tools_of(MODULES), **(stubs_of(home) if stubs else {})}, rules_of([rules]))


def lint_files(paths: Sequence[Path], directory: Path | None) -> list[Finding]:
    """Every finding about these files and directories; without any, about the directory of procedures itself."""
    found: list[Finding] = []
    for path in paths or [directory or SHIPPED]:
        stubs = stubs_of(path if path.is_dir() else path.parent)
        found += _linter(directory, stubs).check([path])
    return list(dict.fromkeys(found))


def lint_text(name: str, text: str, directory: Path) -> list[Finding]:
    """Every finding about a procedure's text that is to stand in this directory."""
    return lint(load(name, text), _linter(directory).words(directory))


def authority_of(directory: Path) -> Authority:
    """Who may do what, by the approvals of this directory; nobody where they have mistakes."""
    return _linter(directory).words(directory).authority


def procedure_schema(directory: Path | None) -> dict[str, JsonValue]:
    """The JSON Schema of a procedure that is to stand in this directory."""
    home = directory or SHIPPED
    return schema_of(_linter(home).words(home))


def _linter(directory: Path | None, stubs: Mapping[str, ToolSpec] | None = None) -> Linter:
    return Linter(directory or SHIPPED, {**tools_of(MODULES), **(stubs or {})}, rules_of([rules]))
