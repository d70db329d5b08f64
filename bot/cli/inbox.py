"""`sopdesk inbox`: the events that were set aside, and what an operator does with them."""

from __future__ import annotations

import argparse
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.inbox import DeadEvent, Inbox
from bot.settings import Settings
from bot.wiring.engine import open_redis
from bot.wiring.laptop import on_laptop
from graph.errors import SopdeskError


class NotAside(SopdeskError):
    """No such event is set aside."""


async def show(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk inbox list`: one line for each, without a word of what was said."""
    async with _inbox(settings) as inbox:
        rows = sorted((_row(dead) for dead in await inbox.dead()), key=lambda row: row["when"])
    if given.json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    for row in rows:
        print("  ".join(row.values()))
    if not rows:
        print("nothing is set aside")
    return 0


async def retry(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk inbox retry EVENT`: put it back, as if it had just come."""
    async with _inbox(settings) as inbox:
        if not await inbox.revive(given.event):
            known = next((dead for dead in await inbox.dead() if dead.event == given.event), None)
            why = "cannot be read, so it cannot be tried again; park it" if known else "is not set aside"
            raise NotAside(f"event {given.event} {why}. See: sopdesk inbox list")
    print(f"event {given.event} is back in its mailbox")
    return 0


async def park(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk inbox park EVENT`: give it up, and tell its thread so."""
    async with _inbox(settings) as inbox:
        if not await inbox.park(given.event):
            raise NotAside(f"event {given.event} is not set aside. See: sopdesk inbox list")
    print(f"event {given.event} is parked; its thread is told")
    return 0


def _row(dead: DeadEvent) -> dict[str, str]:
    event = dead.letter()
    return {
        "event": dead.event,
        "thread": dead.thread,
        "kind": event.kind if event else "unreadable",
        "when": event.at.isoformat(timespec="seconds") if event else "",
        "why": f"{dead.why} ({dead.failures} failures)",
    }


@asynccontextmanager
async def _inbox(settings: Settings) -> AsyncIterator[Inbox]:
    async with somewhere(settings) as reachable, open_redis(reachable) as (redis, keys, codec):
        yield Inbox(redis, keys, codec=codec)


@asynccontextmanager
async def somewhere(settings: Settings) -> AsyncIterator[Settings]:
    """The Redis that is configured, else the laptop's. No back office is needed."""
    if settings.redis_url is not None:
        yield settings
        return
    async with on_laptop(settings) as reachable:
        yield reachable
