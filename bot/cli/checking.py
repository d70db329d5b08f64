"""`sopdesk check`: what is wrong with procedures, for eyes, for GitHub's annotations, or as JSON."""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from bot.settings import Settings
from bot.wiring.vocabulary import lint_files
from graph.errors import SopMistakes
from graph.findings import Finding


async def check(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk check [FILES]`: 1 where anything was found."""
    for path in given.files:
        if not path.exists():
            raise SopMistakes([f"{path}: there is no such directory and no such file"])
    found = lint_files(given.files, settings.sopdesk_sops)
    match given.format:
        case "json":
            print(json.dumps([_plain(each) for each in found], ensure_ascii=False, indent=2))
        case "github":
            for each in found:
                print(_annotation(each))
        case _:
            _tell(found)
    return 1 if found else 0


def _plain(finding: Finding) -> dict[str, object]:
    mark = finding.mark
    return {
        "file": finding.file,
        "line": mark.line,
        "column": mark.column,
        "end_column": mark.end,
        "key": finding.key,
        "code": finding.code,
        "message": finding.message,
        "allowed": list(finding.allowed),
        "hint": finding.hint,
    }


def _annotation(finding: Finding) -> str:
    mark = finding.mark
    place = f"file={_escaped(finding.file)},line={mark.line},col={mark.column},endColumn={mark.end}"
    message = f"{finding.message}; {finding.hint}" if finding.hint else finding.message
    return f"::error {place},title={_escaped(finding.code)}::{_line(message)}"


def _escaped(value: str) -> str:
    return _line(value).replace(":", "%3A").replace(",", "%2C")


def _line(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _tell(found: Sequence[Finding]) -> None:
    texts: dict[str, list[str]] = {}
    for each in found:
        lines = texts.setdefault(each.file, _lines(Path(each.file)))
        column = f":{each.mark.column}" if each.path else ""
        print(f"{each.file}:{each.mark.line}{column}: {each.key + ': ' if each.key else ''}{each.message} [{each.code}]")
        if 0 < each.mark.line <= len(lines):
            line = lines[each.mark.line - 1]
            start, end = each.mark.column - 1, max(each.mark.end - 1, each.mark.column)
            print(f"    {line}")
            print(f"    {' ' * _width(line[:start])}{'^' * max(1, _width(line[start:end]))}")
        if each.hint:
            print(f"    {each.hint}")
    files = len({each.file for each in found})
    print(f"{len(found)} found in {files} file{'' if files == 1 else 's'}" if found else "no mistakes")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _width(text: str) -> int:
    """How many columns a terminal gives to the text; Chinese signs take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
