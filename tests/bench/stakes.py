"""Stakes of cases that are each the first of their order: read, reserved and settled as always, but never added up."""

from __future__ import annotations

import secrets

from graph.model import Reserved, Stakes
from graph.store.stakes import StakeBook


class Apart(StakeBook):
    """All cases of the benchmark are about one order; here each has one of its own."""

    async def look(self, by: str, value: str) -> Stakes:
        """Nothing is at stake yet."""
        return await super().look(by, secrets.token_hex(8))

    async def reserve(self, reserved: Reserved, version: int, thread: str, fence: int) -> bool:
        """Under the run."""
        return await super().reserve(_own(reserved), version, thread, fence)

    async def settle(self, reserved: Reserved, thread: str, fence: int) -> None:
        """Under the run."""
        await super().settle(_own(reserved), thread, fence)

    async def release(self, reserved: Reserved, thread: str, fence: int) -> None:
        """Under the run."""
        await super().release(_own(reserved), thread, fence)


def _own(reserved: Reserved) -> Reserved:
    return reserved.model_copy(update={"value": reserved.stake.run})
