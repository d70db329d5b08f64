"""What must be true when a crash run is over."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from pydantic import BaseModel, ConfigDict
from redis.asyncio import Redis
from redis.exceptions import RedisError

from graph.state import RunState
from graph.store.audit import Audit
from graph.store.cases import Cases
from graph.store.keys import Keys
from tests.crash.people import Story
from tests.crash.scene import Scene
from tests.parts.http import asking

_QUIET: Final = 20.0
_LOOK: Final = 0.1
_LEFT_OVER: Final = ("mailbox", "letters", "working", "outbox", "begun", "dead", "unsent", "marks")


class _Paid(BaseModel):
    model_config = ConfigDict(extra="ignore")

    order_id: str
    amount: Decimal


class _Listed(BaseModel):
    model_config = ConfigDict(extra="ignore")

    compensations: list[_Paid] = []
    total: int


async def _left(redis: Redis, scene: Scene) -> list[str]:
    """What is still to be done, by key."""
    keys = Keys(scene.where.namespace)
    try:
        found = [key async for key in redis.scan_iter(match=f"{keys.prefix}:*", count=1000)]
        streams = [name for name in ("ready", "sendable") if await redis.xlen(keys.stream(name))]
    except RedisError as error:
        return [type(error).__name__]
    return [str(key) for key in found if str(key).split(":")[1] in _LEFT_OVER] + streams


async def records(scene: Scene, redis: Redis) -> dict[str, str]:
    """What is kept for good of cases and effects, where notices stand, and what is read there."""
    keys = Keys(scene.where.namespace)
    kinds = ("case", "journal", "thread", "open")
    found = [str(key) async for key in redis.scan_iter(match=f"{keys.prefix}:*", count=1000)]
    found += [str(key) async for key in redis.scan_iter(match=f"{keys.prefix}.*", count=1000)]
    held: dict[str, str] = {}
    for key in sorted(found):
        name = key.split(":")[1]
        if key.startswith(f"{keys.prefix}.") or name in kinds:
            dumped = await redis.type(key)
            content = await redis.hgetall(key) if dumped == "hash" else dumped
            held[key] = repr(sorted(content.items()) if isinstance(content, dict) else content)
    for notice, messages in scene.board.standing().items():
        held[notice] = " | ".join(f"{each.channel} {each.ts} {scene.workspace.text(each)}" for each in messages)
    return held


async def paid(scene: Scene) -> list[tuple[str, Decimal]]:
    """Order and amount of every payout."""
    async with asking(scene.backoffice.url) as client:
        answer = await client.get("/compensations", params={"status": "paid", "limit": 500})
    return [(each.order_id, each.amount) for each in _Listed.model_validate_json(answer.content).compensations]


async def notes(scene: Scene) -> int:
    """How many notes the back office has taken."""
    async with asking(scene.backoffice.url) as client:
        answer = await client.get("/notes", params={"limit": 1})
    return _Listed.model_validate_json(answer.content).total


async def problems(scene: Scene, redis: Redis, stories: Sequence[Story]) -> list[str]:
    """All that is wrong once the people have gone home: nothing, if every case was paid once and is over.

    Whoever was woken has a few seconds to take back what it did too late.
    """
    deadline = asyncio.get_running_loop().time() + _QUIET
    while wrong := [f"left over: {key}" for key in await _left(redis, scene)] or await _wrong(scene, redis, stories):
        if asyncio.get_running_loop().time() > deadline:
            return wrong
        await asyncio.sleep(_LOOK)
    return []


async def _unrecorded(audit: Audit, story: Story, state: RunState) -> list[str]:
    """What the audit log of a case should say and does not: each line once, each approval, each payout."""
    length, broken = await audit.verify(story.case)
    if broken is not None:
        return [f"the audit log of {story.case} breaks at line {broken.line} ({broken.why})"]
    lines = [each.line for each in await audit.of(story.case)]
    paid = sum(each.tool == "apply_compensation" and each.outcome == "done" for each in lines)
    approved = Counter(each.by for each in lines if each.what == "approve")
    wrong = [] if len({each.id for each in lines}) == length else [f"{story.case} has a line twice in its audit log"]
    if paid != int(story.ends == "done"):
        wrong.append(f"the audit log of {story.case} knows of {paid} payouts")
    if approved != Counter(each.by for each in state.closed if each.ending == "approved"):
        wrong.append(f"the audit log of {story.case} knows of other approvals than the case: {approved}")
    return wrong


async def _wrong(scene: Scene, redis: Redis, stories: Sequence[Story]) -> list[str]:
    wrong: list[str] = []
    lost: Counter[str] = Counter()
    keys = Keys(scene.where.namespace)
    payouts = Counter(await paid(scene))
    for story in stories:
        times, due = payouts.pop((story.order, story.amount), 0), int(story.ends == "done")
        if times != due:
            wrong.append(f"{story.kind} {story.case} on {story.order}: {story.amount} was paid {times} times, not {due}")
        if story.ends == "answered":
            continue
        stored = await Cases(redis, keys).load(story.case)
        if stored is None or stored.row.status != story.ends or stored.state is None:
            wrong.append(f"{story.kind} {story.case} is {stored.row.status if stored else 'unknown'}, not {story.ends}")
        else:
            state = RunState.model_validate(stored.state)
            decided = {each.by for each in state.closed if each.ending == "approved"}
            lost.update(story.pressed - decided)
            wrong += await _unrecorded(Audit(redis, keys), story, state)
    for who, times in lost.items():
        if (told := len(scene.workspace.ephemerals(who))) < times:
            wrong.append(f"{who} clicked too late {times} times, and was told {told} times")
    wrong += [f"paid, but for nobody: {amount} on {order}" for order, amount in payouts]
    if (taken := await notes(scene)) != (due := sum(story.ends == "done" for story in stories)):
        wrong.append(f"{taken} notes for {due} payouts")
    standing = scene.board.standing().items()
    wrong += [f"{notice} stands {len(each)} times" for notice, each in standing if len(each) != 1]
    return wrong
