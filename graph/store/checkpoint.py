"""Checkpoints through langgraph-checkpoint-redis, under this desk's own prefix, and only from who holds the thread.

The stock saver writes a checkpoint and then moves the thread's "latest" pointer, whoever asks. Here the pointer is moved
by a script: only for the newest fence, and only away from the checkpoint that was loaded. What a worker writes that slept
through the end of its lease is never reached.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Final
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.redis.aio import AsyncRedisSaver
from langgraph.checkpoint.redis.util import to_storage_safe_id
from redis.asyncio import Redis
from redis.commands.search.query import Query

from graph.errors import ThreadBusy
from graph.store.connect import pool_of
from graph.store.crypt import Codec
from graph.store.keys import Keys

FENCE: Final = "fence"
"""The key of `configurable` under which a run says for whom it writes."""
_SETUP_SECONDS: Final = 30.0
_MOST: Final = 10_000
_CONNECTIONS: Final = 32
_SEALED: Final = "sealed"
_STAGED: Final[ContextVar[str | None]] = ContextVar("staged", default=None)

_MOVE: Final = """
-- KEYS[1] the thread's latest pointer  KEYS[2] staged pointer  KEYS[3] fence:{thread}
-- ARGV    fence, the pointer that was loaded ('' for none)
local staged = redis.call('GET', KEYS[2])
redis.call('DEL', KEYS[2])
local newest = redis.call('GET', KEYS[3])
if newest and newest ~= ARGV[1] then return 0 end
local latest = redis.call('GET', KEYS[1]) or ''
if latest ~= ARGV[2] and latest ~= staged then return 0 end
redis.call('SET', KEYS[1], staged)
return 1
"""

_FORGET: Final = """
-- KEYS[1] fence:{thread}  KEYS[2…] everything that is kept of the thread
-- ARGV    fence
local newest = redis.call('GET', KEYS[1])
if newest and newest ~= ARGV[1] then return 0 end
for index = 2, #KEYS do redis.call('DEL', KEYS[index]) end
return 1
"""


class Checkpoints(AsyncRedisSaver):
    """The saver of one namespace. It has a connection pool of its own: it wants bytes where all else wants text."""

    def __init__(self, url: str, namespace: str, codec: Codec | None = None) -> None:
        pool = pool_of(url, max_connections=_CONNECTIONS, decode_responses=False)
        self._namespace = namespace
        self._codec = codec or Codec()
        self._keys = Keys(namespace)
        self._client = Redis.from_pool(pool)
        self._move = self._client.register_script(_MOVE)
        self._forget = self._client.register_script(_FORGET)
        super().__init__(
            redis_client=self._client,
            checkpoint_prefix=f"{namespace}.checkpoint",
            checkpoint_write_prefix=f"{namespace}.checkpoint_write",
        )

    @property
    def saver(self) -> Checkpoints:
        """What LangGraph is given."""
        return self

    async def prepare(self) -> None:
        """Create the indexes. Several processes may do so at once; they take turns, since each looks before it creates.
        LockError when another has had its turn for half a minute."""
        lock = self._client.lock(self._keys.preparing(), timeout=_SETUP_SECONDS, blocking_timeout=_SETUP_SECONDS)
        async with lock:
            await self.asetup()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.aclose(close_connection_pool=True)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        stream_mode: str = "values",
    ) -> RunnableConfig:
        """Write a checkpoint and make it the latest. ThreadBusy when the thread has gone on without us."""
        await self._refuse_stale(config)
        checkpoint = self._with_values(checkpoint, self._seal)
        given = config["configurable"]
        thread, namespace, loaded = given["thread_id"], given.get("checkpoint_ns", ""), given.get("checkpoint_id")
        latest = self._make_redis_checkpoint_latest_key(thread, namespace)
        before = self._make_redis_checkpoint_key_cached(thread, namespace, loaded) if loaded else ""
        staged = f"{latest}.{uuid4().hex}"
        token = _STAGED.set(staged)
        try:
            saved = await super().aput(config, checkpoint, metadata, new_versions, stream_mode)
        finally:
            _STAGED.reset(token)
        fence = str(given.get(FENCE, ""))
        if not await self._move(keys=[latest, staged, self._keys.fence(thread)], args=[fence, before]):
            raise ThreadBusy(f"thread {thread} has gone on; what fence {fence} wrote does not count")
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Write what a task has pending. ThreadBusy when the thread has gone on without us."""
        await self._refuse_stale(config)
        sealed = [(channel, self._seal(value)) for channel, value in writes]
        await super().aput_writes(config, sealed, task_id, task_path)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The thread's latest checkpoint, opened. CannotOpen when it was sealed with a key that is not configured."""
        found = await super().aget_tuple(config)
        if found is None:
            return None
        writes = [(task, channel, self._open(value)) for task, channel, value in found.pending_writes or []]
        return found._replace(checkpoint=self._with_values(found.checkpoint, self._open), pending_writes=writes)

    async def forget(self, thread: str, fence: int) -> None:
        """Delete all that is kept of a thread. ThreadBusy, and nothing deleted, when `fence` is not the newest."""
        # Found before the fence is looked at: what somebody writes afterwards is not among them.
        names = {self._make_redis_checkpoint_latest_key(thread)}
        for index in (self.checkpoints_index, self.checkpoint_writes_index):
            for name, checkpoint in await self._found(index.name, thread):
                # Pending writes whose checkpoint was never written have made a stub of it, which no index knows.
                names |= {name, self._make_redis_checkpoint_key_cached(thread, "", checkpoint)}
                if self._key_registry is not None:
                    names.add(self._key_registry.make_write_keys_zset_key(thread, "", checkpoint))
        if not await self._forget(keys=[self._keys.fence(thread), *sorted(names)], args=[str(fence)]):
            raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} may not delete its checkpoints")

    async def _found(self, index: str, thread: str) -> list[tuple[str, str]]:
        """Key and checkpoint id of everything in an index that belongs to a thread."""
        wanted = to_storage_safe_id(thread)
        query = Query("@thread_id:{$thread}").return_fields("thread_id", "checkpoint_id").paging(0, _MOST).dialect(2)
        found = await self._client.ft(index).search(query, query_params={"thread": wanted})
        # The index takes T1 and t1 for the same.
        return [(str(each.id), str(each.checkpoint_id)) for each in found.docs if each.thread_id == wanted]

    def _with_values(self, checkpoint: Checkpoint, change: Callable[[Any], Any]) -> Checkpoint:
        values = {name: change(value) for name, value in checkpoint["channel_values"].items()}
        return {**checkpoint, "channel_values": values}

    def _seal(self, value: Any) -> Any:
        """A value as it is stored: where a key is configured, an envelope that only the key opens."""
        if value is None or not self._codec.seals:
            return value
        kind, data = self.serde.dumps_typed(value)
        return {_SEALED: self._codec.seal(json.dumps([kind, data.decode("latin-1")]))}

    def _open(self, value: Any) -> Any:
        if not isinstance(value, dict) or value.keys() != {_SEALED}:
            return value
        kind, data = json.loads(self._codec.open(value[_SEALED]))
        return self.serde.loads_typed((kind, data.encode("latin-1")))

    async def _refuse_stale(self, config: RunnableConfig) -> None:
        thread, fence = config["configurable"]["thread_id"], config["configurable"].get(FENCE, "")
        newest = await self._client.get(self._keys.fence(thread))
        if newest is not None and newest != str(fence).encode():
            raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")

    def _make_redis_checkpoint_latest_key(self, thread_id: str, checkpoint_ns: str = "") -> str:
        staged = _STAGED.get()
        return staged or f"{self._namespace}.{super()._make_redis_checkpoint_latest_key(thread_id, checkpoint_ns)}"
