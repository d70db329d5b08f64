"""`sopdesk stats`: how many cases ended, how many of them needed a person, and what waits now."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from typing import Final

from bot.backlog import backlog
from bot.cli.inbox import somewhere
from bot.settings import Settings
from bot.wiring.engine import open_redis
from graph.store.figures import Figures

_WEEKS: Final = 4


async def run(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk stats [--weeks N] [--json]`."""
    async with somewhere(settings) as reachable, open_redis(reachable) as (redis, keys, _):
        figures = await Figures(redis, keys).of(datetime.now(UTC), max(1, given.weeks or _WEEKS))
        now = await backlog(redis, keys)
    if given.json:
        weeks = [each.model_dump() | {"share": round(each.share, 4)} for each in figures]
        print(json.dumps({"weeks": weeks, "now": now.model_dump()}, indent=2))
        return 0
    for each in figures:
        print(
            f"{each.week}  {each.sop}  {each.ended} ended  {each.needed_person} needed a person  {each.share:.1%}"
        )
    if not figures:
        print("no case has ended in these weeks")
    print(f"now: {now.cases_open} open, {now.events} events wait, {now.set_aside} set aside, {now.unsent} unsent")
    for channel in now.left_alone:
        print(f"left alone since it failed: {channel}")
    return 0
