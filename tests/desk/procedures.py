"""Procedures of a test's own: the shipped files, changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import sops


def shipped(directory: Path) -> Path:
    """A copy of the shipped files in this directory."""
    for each in Path(sops.__path__[0]).iterdir():
        if each.suffix in (".yaml", ".md"):
            shutil.copy(each, directory)
    return directory


def with_step(directory: Path, before: str, step: str) -> Path:
    """The shipped files, with one more step in the compensation, before the named one."""
    procedure = shipped(directory) / "compensation.yaml"
    head, mark, tail = procedure.read_text(encoding="utf-8").partition(f"\n  - id: {before}\n")
    assert mark
    procedure.write_text(f"{head}{step}{mark}{tail}", encoding="utf-8")
    return directory
