"""A sender that slept while another went on: what it posts or edits too late is put right."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from bot.notice import Place
from bot.outbox import Outbox
from bot.timers import Clock
from graph.store.keys import Keys
from tests.unit.bot.queues import THREAD, notice, soon
from tests.unit.bot.test_outbox import Queues


@pytest.fixture
def queues(redis: Redis, keys: Keys) -> Queues:
    """Queues of this test's own."""
    return Queues(redis, keys)


async def test_a_second_post_is_taken_back(queues: Queues) -> None:
    """A post made after another has made its own does not count: its removal is queued, and the thread tells its state."""
    await queues.show(notice("a"))
    late = await soon(queues.outbox)
    other = Outbox(queues.redis, queues.keys, idle=1.0)
    async with other.joined():
        assert await other.sent(await soon(other, seconds=4), "C1", "1.1")
        assert not await queues.outbox.sent(late, "C1", "2.2")
        back = (await soon(other)).notice
        assert (back.kind, back.payload, back.once) == ("taken_back", {"of": "a"}, True)
        assert await other.place_of("a") == Place(channel="C1", ts="1.1")
        assert await queues.inbox.waiting(THREAD) == 1


async def test_the_first_post_that_is_told_counts(queues: Queues) -> None:
    """When the late one tells first where it posted, the other's post is the one that is taken back."""
    await queues.show(notice("a"))
    late = await soon(queues.outbox)
    other = Outbox(queues.redis, queues.keys, idle=1.0)
    async with other.joined():
        taken = await soon(other, seconds=4)
        assert not await queues.outbox.sent(late, "C1", "1.1")
        assert not await other.sent(taken, "C1", "2.2")
        assert await other.place_of("a") == Place(channel="C1", ts="1.1")
        assert (await soon(other)).notice.payload == {"of": "a"}


async def test_a_late_edit_is_shown_over(queues: Queues) -> None:
    """After a late edit the same content is sent once more, though nothing in it has changed."""
    await queues.show(notice("a", "old"))
    assert await queues.outbox.sent(await soon(queues.outbox), "C1", "1.1")
    await queues.show(notice("a", "new"))
    late = await soon(queues.outbox)
    other = Outbox(queues.redis, queues.keys, idle=1.0)
    async with other.joined():
        assert await other.sent(await soon(other, seconds=4), "C1", "1.1")
        assert not await queues.outbox.sent(late, "C1", "1.1")
        async with queues.leases.hold(THREAD) as lease:
            begun = await queues.inbox.next(THREAD, lease.fence)
            assert begun is not None
            assert begun.event.kind == "timer"
            await queues.outbox.put_and_finish(THREAD, begun.event.id, lease.fence, [notice("a", "new")], [])
        again = await soon(other)
        assert (again.id, again.posted) == ("a", Place(channel="C1", ts="1.1"))


async def test_a_late_post_that_nobody_lived_to_tell_of_is_looked_for(queues: Queues) -> None:
    """Some time after a sender was overtaken, and again later, what does not count is taken back and the thread tells its
    state; an ordinary post leaves nothing to look for."""
    await queues.show(notice("plain"))
    assert await queues.outbox.sent(await soon(queues.outbox), "C1", "1.0")
    assert not await queues.redis.exists(queues.keys.timers())
    await queues.show(notice("a"))
    await soon(queues.outbox)
    other = Outbox(queues.redis, queues.keys, idle=1.0, sweeps=(0.1, 600.0))
    async with other.joined():
        taken = await soon(other, seconds=4)
        assert taken.overtook
        assert await other.sent(taken, "C1", "1.1")
        assert await queues.redis.zcard(queues.keys.timers()) == 2
        clock = Clock(queues.redis, queues.keys)
        await asyncio.sleep(await clock.fire() or 0.0)
        assert (await clock.fire() or 0.0) > 60
        back = await soon(other)
        assert (back.notice.kind, back.notice.payload) == ("taken_back", {"of": "a"})
        assert await queues.inbox.waiting(THREAD) == 1


async def test_a_late_doubt_is_looked_into(queues: Queues) -> None:
    """A late sender that does not know whether it posted has the posts that do not count looked for."""
    await queues.show(notice("a"))
    late = await soon(queues.outbox)
    other = Outbox(queues.redis, queues.keys, idle=1.0)
    async with other.joined():
        assert await other.sent(await soon(other, seconds=4), "C1", "1.1")
        await queues.outbox.retry(late, 1.0, why="no_answer", in_doubt=True)
        assert (await soon(other)).notice.payload == {"of": "a"}
