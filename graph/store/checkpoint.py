"""Checkpoints as langgraph-checkpoint-redis keeps them, under this desk's own prefix, and only from who holds the thread.

The stock saver writes a checkpoint and then moves the thread's "latest" pointer, whoever asks, and it keeps all that it
ever wrote. Here one script does both, for the newest fence alone and only away from the checkpoint that was loaded, and
lets go of the one before. What a worker would write that slept through the end of its lease is refused as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
)
from langgraph.checkpoint.redis.aio import AsyncRedisSaver
from langgraph.checkpoint.redis.util import to_storage_safe_id, to_storage_safe_str

from graph.errors import ThreadBusy
from graph.failpoints import around
from graph.json_text import dumps
from graph.model import JsonValue
from graph.store.cases import StoredCase
from graph.store.checkpoint_scripts import FORGET, LOOK, PUT, PUT_WRITES
from graph.store.client import Client
from graph.store.connect import pool_of
from graph.store.crypt import Codec
from graph.store.keys import Keys

FENCE: Final = "fence"
"""The key of `configurable` under which a run says for whom it writes."""
_SETUP_SECONDS: Final = 30.0
_CONNECTIONS: Final = 32
_LOOKS: Final = 256
_SEALED: Final = "sealed"
_PLAIN: Final = "plain"


class Seen(NamedTuple):
    """What is known of a thread: the turn that began a write and is not known to be stored (law 4), the checkpoint
    of its open run and, where it has none, its latest case. `claimed`: where there is no case either, the one that was
    offered was taken; `used` is the case that the event was used in before, or that it opened; '' for none."""

    begun: JsonValue
    checkpoint: CheckpointTuple | None
    latest: StoredCase | None
    claimed: bool
    used: str


class Checkpoints(AsyncRedisSaver):
    """The saver of one namespace. It has a connection pool of its own: it wants bytes where all else wants text.

    A run whose end has been worded is not written: its record is what is kept of it, and until that is written a replay
    of the turn comes to the same end, since the journal answers for its effects.
    """

    def __init__(self, url: str, namespace: str, codec: Codec | None = None) -> None:
        pool = pool_of(url, max_connections=_CONNECTIONS, decode_responses=False)
        self._namespace = namespace
        self._codec = codec or Codec()
        self._keys = Keys(namespace)
        self._client = Client.from_pool(pool)
        self._put = self._client.register_script(PUT)
        self._put_pending = self._client.register_script(PUT_WRITES)
        self._look = self._client.register_script(LOOK)
        self._forget = self._client.register_script(FORGET)
        self._looked: dict[str, tuple[int, CheckpointTuple | None]] = {}
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

    async def look(self, thread: str, fence: int, event: str, offer: tuple[str, str] | None = None) -> Seen:
        """All that whoever goes on with a thread by an event must know of it, in one reading. A thread without a case takes
        the one on `offer`: a case id and its run, as in `Cases.claim`. LangGraph, when it asks next under the same fence,
        is given the same checkpoint: nobody else may have written since, and a fence that is not the newest any more is
        refused at its first write."""
        seen = await self._seen_in(thread, "", event, offer)
        if len(self._looked) >= _LOOKS:
            self._looked.pop(next(iter(self._looked)))
        self._looked[thread] = (fence, seen.checkpoint)
        return seen

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The thread's latest checkpoint, opened. CannotOpen when it was sealed with a key that is not configured;
        ValueError when another one is asked for: going on from an old one would pay again."""
        if get_checkpoint_id(config):
            raise ValueError("only the latest checkpoint of a thread can be loaded")
        given = config["configurable"]
        fence, checkpoint = self._looked.pop(given["thread_id"], (None, None))
        if fence is not None and fence == given.get(FENCE):
            return checkpoint
        return (await self._seen_in(given["thread_id"], given.get("checkpoint_ns", ""))).checkpoint

    async def _seen_in(
        self, thread: str, namespace: str, event: str = "", offer: tuple[str, str] | None = None
    ) -> Seen:
        keys = self._keys
        pointer = self._make_redis_checkpoint_latest_key(thread, namespace)
        named = [pointer, keys.kept(thread), keys.begun(thread), keys.thread(thread), keys.used(thread)]
        case, run = offer or ("", "")
        offered = [keys.case(case), keys.archived(case)] if case else []
        looking = self._look(keys=[*named, *offered], args=[keys.case(""), event, run, case])
        begun, record, claimed, used, *found = await (around("case.claim", looking) if case else looking)
        return Seen(
            json.loads(self._codec.open(begun.decode())) if begun else None,
            self._tuple(thread, namespace, *map(json.loads, found)) if found else None,
            StoredCase.model_validate_json(self._codec.open(record.decode())) if record else None,
            claimed == 1,
            used.decode(),
        )

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        stream_mode: str = "values",
    ) -> RunnableConfig:
        """Write a checkpoint and make it the latest. ThreadBusy when the thread has gone on without us."""
        given, identity = config["configurable"], checkpoint["id"]
        thread, namespace, loaded = given["thread_id"], given.get("checkpoint_ns", ""), given.get("checkpoint_id")
        saved: RunnableConfig = {"configurable": _identity(thread, namespace, identity)}
        run = checkpoint["channel_values"].get("run")
        if isinstance(run, dict) and run.get("worded"):
            return saved
        document = {
            **_identity(to_storage_safe_id(thread), to_storage_safe_str(namespace), identity),
            "run_id": "",
            "parent_checkpoint_id": loaded or "",
            "checkpoint": self._dump_checkpoint(self._with_values(checkpoint, self._seal)),
            "metadata": self._dump_metadata(metadata),
            "has_writes": True,
        }
        key, fence = self._make_redis_checkpoint_key_cached(thread, namespace, identity), str(given.get(FENCE, ""))
        before = self._make_redis_checkpoint_key_cached(thread, namespace, loaded) if loaded else ""
        pointer = self._make_redis_checkpoint_latest_key(thread, namespace)
        reserved = self._keys.staked(thread), self._keys.claimed(thread)
        writing = self._put(
            keys=[self._keys.fence(thread), self._keys.kept(thread), pointer, key, *reserved],
            args=[fence, before, identity, dumps(document)],
        )
        if not await around("checkpoint.write", writing):
            raise ThreadBusy(f"thread {thread} has gone on; what fence {fence} wrote does not count")
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Write what a task has pending. ThreadBusy when the thread has gone on without us."""
        given = config["configurable"]
        thread, namespace, identity = given["thread_id"], given.get("checkpoint_ns", ""), given["checkpoint_id"]
        keys, documents = [self._keys.fence(thread), self._keys.kept(thread)], []
        for number, (channel, value) in enumerate(writes):
            index = WRITES_IDX_MAP.get(channel, number)
            kind, data = self.serde.dumps_typed(self._seal(value))
            document = {
                **_identity(to_storage_safe_id(thread), to_storage_safe_str(namespace), identity),
                **{"task_id": task_id, "task_path": task_path, "idx": index, "channel": channel},
                **{"type": kind, "blob": self._encode_blob(data)},
            }
            keys.append(self._make_redis_checkpoint_writes_key_cached(thread, namespace, identity, task_id, index))
            documents.append(dumps(document))
        fence = str(given.get(FENCE, ""))
        if not await around("checkpoint.pending", self._put_pending(keys=keys, args=[fence, *documents])):
            raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} is not the newest")

    async def forget(self, thread: str, fence: int) -> None:
        """Delete all that is kept of a thread. ThreadBusy, and nothing deleted, when `fence` is not the newest."""
        self._looked.pop(thread, None)
        forgetting = self._forget(keys=[self._keys.fence(thread), self._keys.kept(thread)], args=[str(fence)])
        if not await around("checkpoint.forget", forgetting):
            raise ThreadBusy(f"thread {thread} has been taken over; fence {fence} may not delete its checkpoints")

    def _tuple(self, thread: str, namespace: str, document: dict[str, Any], *pending: dict[str, Any]) -> CheckpointTuple:
        stored, parent = document["checkpoint"], document["parent_checkpoint_id"]
        values = {name: self._open(value) for name, value in stored["channel_values"].items()}
        writes = {(each["task_id"], str(each["idx"])): each for each in sorted(pending, key=lambda each: int(each["idx"]))}
        return CheckpointTuple(
            config={"configurable": _identity(thread, namespace, document["checkpoint_id"])},
            checkpoint=self._load_checkpoint(stored, self._recursive_deserialize(values), []),
            metadata=json.loads(document["metadata"]),
            parent_config={"configurable": _identity(thread, namespace, parent)} if parent else None,
            pending_writes=[
                (task, channel, self._open(value)) for task, channel, value in self._load_writes(self.serde, writes)
            ],
        )

    def _with_values(self, checkpoint: Checkpoint, change: Callable[[Any], Any]) -> Checkpoint:
        values = {name: change(value) for name, value in checkpoint["channel_values"].items()}
        return {**checkpoint, "channel_values": values}

    def _seal(self, value: Any) -> Any:
        """A value as it is stored. State goes into an envelope: neither the serializer nor RedisJSON has to take it apart,
        and where a key is configured only the key opens it."""
        if isinstance(value, dict):
            return {_SEALED: self._codec.seal(dumps([_PLAIN, value]))}
        if value is None or not self._codec.seals:
            return value
        kind, data = self.serde.dumps_typed(value)
        return {_SEALED: self._codec.seal(json.dumps([kind, data.decode("latin-1")]))}

    def _open(self, value: Any) -> Any:
        if not isinstance(value, dict) or value.keys() != {_SEALED}:
            return value
        kind, data = json.loads(self._codec.open(value[_SEALED]))
        return data if kind == _PLAIN else self.serde.loads_typed((kind, data.encode("latin-1")))

    def _make_redis_checkpoint_latest_key(self, thread_id: str, checkpoint_ns: str = "") -> str:
        return f"{self._namespace}.{super()._make_redis_checkpoint_latest_key(thread_id, checkpoint_ns)}"


def _identity(thread: str, namespace: str, checkpoint: str) -> dict[str, Any]:
    return {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint}
