"""What each command does."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Coroutine

from bot.cli.session import Report, Session
from bot.settings import Settings
from bot.wiring import open_desk
from bot.wiring.laptop import on_laptop

Command = Callable[[argparse.Namespace, Settings], Coroutine[None, None, int]]


def complain(message: str) -> int:
    """One line on standard error; the exit status that goes with it."""
    print(f"sopdesk: {message}", file=sys.stderr)
    return 1


async def say(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk say THREAD TEXT`."""
    return await _with(settings, given.json, lambda session: session.say(given.thread, given.text, given.user))


async def decide(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk decide THREAD approve|reject`."""
    return await _with(
        settings, given.json, lambda session: session.decide(given.thread, given.verdict, given.user, given.reason)
    )


async def facts(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk facts THREAD`."""
    return await _with(settings, given.json, lambda session: session.look(given.thread, "facts"))


async def trail(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk trail THREAD`."""
    return await _with(settings, given.json, lambda session: session.look(given.thread, "trail"))


async def up(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk up`."""
    from bot.wiring.service import serve

    await serve(settings, given.role, allow_volatile=given.allow_volatile)
    return 0


async def demo(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk demo`."""
    from bot.wiring.demo import run_demo

    await run_demo(settings, given.port)
    return 0


async def _with(
    settings: Settings,
    as_json: bool,
    do: Callable[[Session], Coroutine[None, None, Report]],
) -> int:
    async with on_laptop(settings) as reachable, open_desk(reachable) as parts:
        report = await do(Session(parts))
    if as_json:
        print(report.model_dump_json(indent=2))
    else:
        for line in _told(report):
            print(line)
    return 0


def _told(report: Report) -> list[str]:
    lines = list(report.said)
    waits = report.waiting
    where = f"{waits.kind} {waits.step}" + (f" ({waits.level})" if waits.level else "") if waits else ""
    lines.append(f"[{report.case or report.thread}] {report.status}{': ' + where if where else ''}")
    return lines
