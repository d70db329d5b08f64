"""`sopdesk sim`: a dry run."""

from __future__ import annotations

import argparse

from bot.settings import Settings
from bot.wiring.simulating import simulate


async def sim(given: argparse.Namespace, settings: Settings) -> int:
    """`sopdesk sim SOP --facts FILE [--lang zh|en] [--json]`: 1 where it could not go to the end of the procedure."""
    found = await simulate(given.sop, given.facts, settings)
    if given.json:
        print(found.model_dump_json(indent=2, exclude_defaults=True))
    else:
        print("\n".join(found.told(given.lang)))
    return 0 if found.ending == "done" else 1
