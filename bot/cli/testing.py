"""`sopdesk test` and `sopdesk record`: dialogues that procedures are held to, and dialogues from real cases."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from pathlib import Path

from bot.cli.commands import complain
from bot.settings import Settings
from bot.wiring.recording import record as record_case
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


async def record(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk record CASE [--out FILE]`: 1 where the dialogue, played at once, does not come to the same."""
    written, wrong = await record_case(settings, given.case.upper())
    if given.out is None:
        print(written, end="")
    else:
        target: Path = given.out
        await asyncio.to_thread(target.write_text, written, encoding="utf-8")
        print(target)
    for each in wrong:
        complain(f"played again, it is not the same: {each}")
    return 1 if wrong else 0


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
