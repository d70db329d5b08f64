"""`sopdesk test`: plays dialogues against procedures, and tells what of them none went through."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bot.settings import Settings
from bot.wiring.rehearsing import rehearse
from graph.dialogues.report import Failure, Report


async def test(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk test [DIR] [--min N] [--json]`: 1 when a dialogue went wrong, or less than N per cent was gone through."""
    report = await rehearse(settings, given.dir)
    if given.json:
        print(report.model_dump_json(indent=2))
    else:
        for line in _told(report):
            print(line)
    return 1 if report.failures or (given.min is not None and report.below(given.min)) else 0


def _told(report: Report) -> Iterator[str]:
    for failure in report.failures:
        yield from _failed(failure)
    for name, shares in report.coverage.items():
        figures = ", ".join(f"{kind} {each.percent} % ({each.covered}/{each.of})" for kind, each in shares.items())
        yield f"{name}: {figures}"
        for kind, each in shares.items():
            yield from (f"  no dialogue: {kind}: {missing}" for missing in each.missing)
            yield from (f"  cannot be reached: {kind}: {guard} ({why})" for guard, why in each.guards.items())
    count = len(report.failures)
    yield f"{report.dialogues} dialogue{'' if report.dialogues == 1 else 's'}, {count} failed"


def _failed(failure: Failure) -> Iterator[str]:
    yield f"{failure.file}:{failure.line}: {failure.dialogue} failed"
    yield from (f"  {each}" for each in failure.wrong)
