"""The journal of effects: begun means committed, once is once, and a late worker begins nothing."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from graph.errors import EffectMismatch, ThreadBusy, ToolRefused, ToolUnavailable
from graph.model import JsonValue
from graph.store.journal import Journal
from graph.store.keys import Keys
from graph.store.lease import Leases
from graph.tools.calling import Effect
from tests.unit.graph.builders import begun_in

EFFECT = Effect(key="k1", digest="d1", thread="T", fence=0, turn={"id": "e1"})


class Receiver:
    """Counts what is sent; the next answers can be made to fail."""

    def __init__(self) -> None:
        self.sent = 0
        self.errors: list[Exception] = []

    async def send(self) -> JsonValue:
        """One more."""
        self.sent += 1
        if self.errors:
            raise self.errors.pop(0)
        return {"no": f"RA{self.sent}", "话": "补偿 🎫"}


@pytest_asyncio.fixture
async def journal(redis: Redis, keys: Keys) -> Journal:
    """A journal of its own."""
    return Journal(redis, keys)


@pytest.fixture
def receiver() -> Receiver:
    """A receiver that has got nothing yet."""
    return Receiver()


async def entries(redis: Redis, keys: Keys) -> list[str]:
    """The states of the stream of effects, in order."""
    return [str((fields or {})["state"]) for _, fields in await redis.xrange(keys.effects()) or []]


async def test_an_effect_is_carried_out_once(journal: Journal, receiver: Receiver, redis: Redis, keys: Keys) -> None:
    """The second time the recorded result is given, and nothing is sent."""
    first = await journal.once(EFFECT, receiver.send)
    again = await journal.once(EFFECT, receiver.send)
    assert (first, receiver.sent) == (again, 1)
    assert again == {"no": "RA1", "话": "补偿 🎫"}
    await journal.finish("T")
    assert await entries(redis, keys) == ["begun", "done"]


@pytest.mark.parametrize("error", [ToolUnavailable("slow"), asyncio.CancelledError(), RuntimeError("crash")])
async def test_what_was_begun_and_never_ended_is_sent_again(
    journal: Journal, receiver: Receiver, error: BaseException
) -> None:
    """Under the same key: the receiver knows whether it was paid."""
    receiver.errors = [error]  # type: ignore[list-item]  # a cancel is no Exception, and must be survived all the same
    with pytest.raises(type(error)):
        await journal.once(EFFECT, receiver.send)
    assert await journal.once(EFFECT, receiver.send) == {"no": "RA2", "话": "补偿 🎫"}
    assert receiver.sent == 2


async def test_what_a_receiver_keeps_no_key_for_is_never_sent_again(journal: Journal, receiver: Receiver) -> None:
    """Begun and not known to have ended: in doubt, until a person has looked."""
    once_only = dataclasses.replace(EFFECT, resend=False)
    receiver.errors = [ToolUnavailable("slow")]
    with pytest.raises(ToolUnavailable):
        await journal.once(once_only, receiver.send)
    with pytest.raises(ToolUnavailable) as error:
        await journal.once(once_only, receiver.send)
    assert (error.value.code, receiver.sent) == ("in_doubt", 1)


async def test_the_same_key_with_other_arguments_is_an_error(journal: Journal, receiver: Receiver) -> None:
    """Whether it was begun or done."""
    other = dataclasses.replace(EFFECT, digest="d2")
    receiver.errors = [ToolUnavailable("down")]
    with pytest.raises(ToolUnavailable):
        await journal.once(EFFECT, receiver.send)
    with pytest.raises(EffectMismatch):
        await journal.once(other, receiver.send)
    await journal.once(EFFECT, receiver.send)
    with pytest.raises(EffectMismatch):
        await journal.once(other, receiver.send)
    assert receiver.sent == 2


async def test_a_refusal_ends_the_effect_as_never_begun(
    journal: Journal, receiver: Receiver, redis: Redis, keys: Keys
) -> None:
    """So it may be tried with other arguments."""
    receiver.errors = [ToolRefused("not_paid")]
    with pytest.raises(ToolRefused):
        await journal.once(EFFECT, receiver.send)
    assert await journal.once(dataclasses.replace(EFFECT, digest="d2"), receiver.send) == {"no": "RA2", "话": "补偿 🎫"}
    await journal.finish("T")
    assert await entries(redis, keys) == ["begun", "refused", "begun", "done"]


async def test_a_late_worker_begins_nothing(journal: Journal, receiver: Receiver, redis: Redis, keys: Keys) -> None:
    """Its fence is not the newest: ThreadBusy, and nothing is sent or recorded."""
    leases = Leases(redis, keys)
    old = await leases.take("T", "slow", 15)
    assert old is not None
    await leases.release(old)
    new = await leases.take("T", "quick", 15)
    assert new is not None
    with pytest.raises(ThreadBusy):
        await journal.once(dataclasses.replace(EFFECT, fence=old.fence), receiver.send)
    assert (receiver.sent, await entries(redis, keys), await begun_in(redis, keys, "T")) == (0, [], None)
    await journal.once(dataclasses.replace(EFFECT, fence=new.fence), receiver.send)
    assert receiver.sent == 1


async def test_a_result_that_comes_late_is_recorded_all_the_same(
    journal: Journal, receiver: Receiver, redis: Redis, keys: Keys
) -> None:
    """The money has moved, whoever holds the thread now; the newer worker finds it done."""
    leases = Leases(redis, keys)
    old = await leases.take("T", "slow", 15)
    assert old is not None

    async def overtaken() -> JsonValue:
        await leases.release(old)
        new = await leases.take("T", "quick", 15)
        assert new is not None
        return await receiver.send()

    await journal.once(dataclasses.replace(EFFECT, fence=old.fence), overtaken)
    await journal.finish("T")
    newest = int(str(await redis.get(keys.fence("T"))))
    other = Journal(redis, keys)
    assert await other.once(dataclasses.replace(EFFECT, fence=newest), receiver.send) == {"no": "RA1", "话": "补偿 🎫"}
    assert receiver.sent == 1


async def test_a_result_is_stored_with_what_its_thread_stores_next(
    journal: Journal, receiver: Receiver, redis: Redis, keys: Keys
) -> None:
    """The next beginning records it, a late one as well; where a receiver keeps no keys it is recorded at once."""
    second, third = (dataclasses.replace(EFFECT, key=key, resend=key != "k3") for key in ("k2", "k3"))
    await journal.once(EFFECT, receiver.send)
    assert await entries(redis, keys) == ["begun"]
    assert [each.key for each in journal.done("T")] == ["k1"]
    await journal.once(second, receiver.send)
    assert await entries(redis, keys) == ["begun", "done", "begun"]
    await redis.set(keys.fence("T"), "9")
    with pytest.raises(ThreadBusy):
        await journal.once(third, receiver.send)
    assert await entries(redis, keys) == ["begun", "done", "begun", "done"]
    assert journal.done("T") == ()
    await journal.once(dataclasses.replace(third, fence=9), receiver.send)
    assert (await entries(redis, keys))[-2:] == ["begun", "done"]


async def test_two_at_once_agree_on_one_result(journal: Journal, redis: Redis, keys: Keys) -> None:
    """Both may send, under one key that the receiver honours; the first result that is recorded stays."""
    both_sent = asyncio.Barrier(2)
    paid: dict[str, str] = {}

    async def send() -> JsonValue:
        await both_sent.wait()
        return {"no": paid.setdefault("k1", "RA1")}

    async with asyncio.timeout(5):
        results = await asyncio.gather(journal.once(EFFECT, send), journal.once(EFFECT, send))
    assert list(results) == [{"no": "RA1"}, {"no": "RA1"}]
    await journal.finish("T")
    assert await entries(redis, keys) == ["begun", "done"]


async def test_the_event_that_began_a_write_is_known_until_its_turn_is_stored(
    journal: Journal, receiver: Receiver, redis: Redis, keys: Keys
) -> None:
    """However the write ended. A late worker cannot say that it is stored."""
    assert await begun_in(redis, keys, "T") is None
    await journal.once(EFFECT, receiver.send)
    assert await begun_in(redis, keys, "T") == {"id": "e1"}
    assert await begun_in(redis, keys, "U") is None
    lease = await Leases(redis, keys).take("T", "quick", 15)
    assert lease is not None
    await journal.settled("T", lease.fence - 1)
    assert await begun_in(redis, keys, "T") == {"id": "e1"}
    await journal.settled("T", lease.fence)
    assert await begun_in(redis, keys, "T") is None
