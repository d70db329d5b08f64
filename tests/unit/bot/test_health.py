"""Probes: alive while the loops come round, ready while all that is needed is there."""

from __future__ import annotations

import asyncio

from bot.health import STALE_SECONDS, Health, Pulse, answering
from bot.metrics import Metrics
from tests.parts.desk import free_port
from tests.parts.http import asking


async def nothing_wrong() -> str:
    """A check that passes."""
    return ""


async def nothing_to_look_at() -> None:
    """Leaves the metrics as they are."""


async def test_a_stuck_loop_is_not_alive() -> None:
    """A loop that does not come round is named; one that does, and one that has not begun, are not."""
    now = 0.0
    pulse = Pulse(lambda: now)
    worker, clock, _ = pulse.of("worker"), pulse.of("clock"), pulse.of("sender")
    worker()
    clock()
    now = STALE_SECONDS + 1
    clock()
    health = Health(pulse, {}, Metrics().text, nothing_to_look_at)
    assert await health.alive() == {"worker": "stuck"}
    assert await health.ready() == {"worker": "stuck"}
    worker()
    assert await health.ready() == {}


async def test_what_is_wrong_is_named() -> None:
    """Checks that fail, raise or hang make the process unready, each by its name; so does stopping."""

    async def refuses() -> str:
        return "answers 503"

    async def raises() -> str:
        raise ConnectionError("redis://:secret@host")

    async def hangs() -> str:
        await asyncio.Event().wait()
        return ""

    checks = {"a": nothing_wrong, "b": refuses, "c": raises, "d": hangs}
    health = Health(Pulse(), checks, Metrics().text, nothing_to_look_at)
    assert await health.ready() == {"b": "answers 503", "c": "ConnectionError", "d": "TimeoutError"}
    health = Health(Pulse(), {"a": nothing_wrong}, Metrics().text, nothing_to_look_at)
    health.stopping.set()
    assert await health.ready() == {"process": "stopping"}


async def test_probes_answer_over_http() -> None:
    """The three paths answer, with 503 when something is wrong, and metrics as Prometheus reads them."""
    metrics = Metrics()
    metrics.events.labels("handled").inc(2)
    health = Health(Pulse(), {"redis": nothing_wrong}, metrics.text, nothing_to_look_at)
    port = free_port()
    async with answering(health, "127.0.0.1", port), asking(f"http://127.0.0.1:{port}") as client:
        assert (await client.get("/healthz")).json() == {"ok": True, "wrong": {}}
        assert (await client.get("/readyz")).status_code == 200
        health.stopping.set()
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["wrong"]) == (503, {"process": "stopping"})
        told = await client.get("/metrics")
        assert told.headers["content-type"].startswith("text/plain; version=")
        assert 'sopdesk_events_total{outcome="handled"} 2.0' in told.text


def test_counters_begin_at_nothing() -> None:
    """What an alarm asks for is there before it happens first, at 0; each desk has its own."""
    one, other = Metrics(), Metrics()
    one.effects.labels("in_doubt").inc()
    assert one.value("sopdesk_effects_total", state="in_doubt") == 1
    assert b'sopdesk_effects_total{state="in_doubt"} 0.0' in other.text()
