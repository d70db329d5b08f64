"""A Redis client whose every command has one time limit, from the wait for its connection to its answer.

redis-py's own limit is one for each write and one for each read, and in Python 3.11 each write under a limit is a task of
its own, which costs a third of the command.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline

COMMAND_SECONDS: Final = 15.0
"""Above the longest blocking read: one that finds nothing is no failure."""

T = TypeVar("T")


async def limited(command: Awaitable[T], seconds: float = COMMAND_SECONDS) -> T:
    """The answer of a command. redis-py's TimeoutError when it does not come in time: then nobody knows whether it was
    carried out, and its connection is closed."""
    try:
        async with asyncio.timeout(seconds):
            return await command
    except TimeoutError:
        raise exceptions.TimeoutError(f"Redis did not answer within {seconds:g} s") from None


class Client(Redis):
    """redis-py's client. `seconds` is the limit of a command or of a pipeline."""

    seconds: float = COMMAND_SECONDS

    async def execute_command(self, *args: Any, **options: Any) -> Any:  # redis-py's own types
        """See redis-py; without what it does for clients that try again or are watched, which costs a fifth of a command. A
        connection that fails is closed by whoever writes to it or reads from it."""
        return await limited(self._sent(*args, **options), self.seconds)

    async def _sent(self, *args: Any, **options: Any) -> Any:
        connection = await self.connection_pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            await connection.send_command(*args)
            return await self.parse_response(connection, args[0], **options)
        finally:
            await self.connection_pool.release(connection)

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:
        """See redis-py."""
        pipe = _Pipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        pipe.seconds = self.seconds
        return pipe


class _Pipeline(Pipeline):
    seconds: float = COMMAND_SECONDS

    async def execute(self, raise_on_error: bool = True) -> list[Any]:  # redis-py's own types
        return await limited(super().execute(raise_on_error), self.seconds)
