"""`sopdesk inbox`: the events that were set aside, and what an operator does with them."""

from __future__ import annotations

import argparse
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.aside import CANNOT_OPEN, UNREADABLE, DeadEvent
from bot.inbox import Inbox
from bot.settings import Settings
from bot.wiring.engine import open_redis, open_used
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
        print("  ".join(value for value in row.values() if value))
    if not rows:
        print("nothing is set aside")
    return 0


async def retry(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk inbox retry EVENT`: put it back, as if it had just come. Refused as long as it cannot be read."""
    async with _inbox(settings) as inbox:
        if not await inbox.revive(given.event):
            known = next((dead for dead in await inbox.dead() if dead.event == given.event), None)
            why = "cannot be read, so it cannot be tried again; park it" if known else "is not set aside"
            raise NotAside(f"event {given.event} {why}. See: sopdesk inbox list")
    print(f"event {given.event} is back in its mailbox")
    return 0


async def park(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk inbox park EVENT`: give it up, and tell its thread so. Refused where it was carried out, or will be."""
    async with (
        somewhere(settings) as reachable,
        open_redis(reachable) as (redis, keys, codec),
        open_used(reachable, redis, keys, codec) as used_in,
    ):
        parked = await Inbox(redis, keys, codec=codec).park(given.event, used_in)
    if parked is None:
        raise NotAside(f"event {given.event} is not set aside. See: sopdesk inbox list")
    told = "its thread is told" if parked.thread else "which thread it came from is not known, so nobody is told"
    print(f"event {given.event} is parked; {told}")
    return 0


def _row(dead: DeadEvent) -> dict[str, str]:
    event = dead.letter()
    kind = event.kind if event else CANNOT_OPEN if dead.obstacle else UNREADABLE
    return {
        "event": dead.event,
        "thread": dead.thread,
        "kind": kind,
        "when": dead.at,
        "why": f"{dead.why} ({dead.failures} failures)",
        "remedy": _remedy(dead, kind),
    }


def _remedy(dead: DeadEvent, kind: str) -> str:
    if kind == CANNOT_OPEN:
        return f"{dead.obstacle}, then retry; else park it"
    return "retry with the version that stored it, or a newer one; else park it" if kind == UNREADABLE else ""


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
