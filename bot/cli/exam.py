"""`sopdesk exam`: how well the desk reads, in figures, with every miss."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from bot.settings import Settings
from bot.wiring.examining import examine
from graph.errors import SopMistakes
from graph.exam import Figures, Mark, Report
from graph.exam.comparing import compare

_HEAD = ("language", "field", "said", "found", "recall", "unsaid", "filled", "false", "routes", "right", "accuracy")


async def exam(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk exam [--model NAME] [--file F] [--json] [--compare A B]`."""
    if given.compare:
        _print(_compared(*(_report(path) for path in given.compare)))
        return 0
    report = await examine(settings, given.model, given.file)
    if given.json:
        print(report.model_dump_json(indent=2))
    else:
        _print(_told(report))
    return 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _report(path: Path) -> Report:
    try:
        return Report.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise SopMistakes([f"{path}:1: no report; make one with: sopdesk exam --json > {path} ({error})"]) from error


def _told(report: Report) -> list[str]:
    asked = f"with the model {report.model}, {report.calls} calls" if report.model else "without a model"
    lines = [f"{report.utterances} utterances, {asked}", "", _row(_HEAD)]
    lines += [_row(_cells(each)) for each in report.figures]
    if report.misses:
        lines += ["", f"{len(report.misses)} misses", *(_miss(each) for each in report.misses)]
    return lines


def _cells(each: Figures) -> tuple[str, ...]:
    said = (each.said, each.found, _share(each.recall)) if each.said else ("", "", "")
    unsaid = (each.unsaid, each.filled, _share(each.false_fills)) if each.unsaid else ("", "", "")
    routes = (each.routes, each.routed, _share(each.accuracy)) if each.routes else ("", "", "")
    return tuple(map(str, (each.lang, each.field, *said, *unsaid, *routes)))


def _row(cells: Iterable[str]) -> str:
    return "".join(cell.ljust(14 if place == 1 else 10) for place, cell in enumerate(cells)).rstrip()


def _share(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _miss(mark: Mark) -> str:
    why = f" ({mark.why})" if mark.why else ""
    return f"{mark.file}:{mark.line}: {mark.field} {mark.verdict}: want {mark.want}, got {mark.got}{why}: {mark.text}"


def _compared(first: Report, second: Report) -> list[str]:
    held = compare(first, second)
    lines = [f"{first.model or 'no model'} -> {second.model or 'no model'}", ""]
    for before, after in held.figures:
        moves = [
            f"{name} {_share(old)} -> {_share(new)}"
            for name, old, new in (
                ("recall", before.recall, after.recall),
                ("false fills", before.false_fills, after.false_fills),
                ("routing", before.accuracy, after.accuracy),
            )
            if old is not None or new is not None
        ]
        lines.append(_row((after.lang, after.field)) + "  " + ", ".join(moves))
    for title, marks in (("better", held.better), ("worse", held.worse)):
        lines += ["", f"{title}: {len(marks)}", *(_miss(mark) for mark in marks)]
    return lines
