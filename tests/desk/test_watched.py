"""What operators are told of a desk: counters, readiness and traces, and no word of a customer in any of them."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from deploy.local.backoffice import Fault
from deploy.local.redis_server import RedisServer
from tests.desk.story import DESK, Story
from tests.parts.desk import LiveDesk, live_desk
from tests.parts.processes import eventually

ACCOUNT = "中国银行 6222 0000 1234，户名王女士"


async def counted(desk: LiveDesk, name: str, **labels: str) -> float:
    """One sample of the running bot."""
    assert desk.service is not None
    await desk.service.health.metrics()
    return desk.service.watch.metrics.value(f"sopdesk_{name}", **labels)


async def test_a_case_is_counted(redis_server: RedisServer, tmp_path: Path) -> None:
    """Events, notices, tool calls, writes, the case and Slack's 429 are counted as they happen; labels are our words."""
    async with live_desk(redis_server.url, tmp_path) as desk:
        desk.workspace.faults.rate_limit("chat.postMessage", 1, retry_after=1, channel=DESK)
        desk.backoffice.faults.add(Fault(mode="down", path_prefix="/orders", times=2))
        story = await Story.open(desk, "KL-778 补 60 美元，商户漏发接送")
        hold = await story.shown("load_order/1")
        assert await counted(desk, "cases_open") == 1
        desk.backoffice.faults.clear()
        await story.press(hold, "重试")
        await story.press(await story.asked("collect"), "积分")
        await story.approve("60.00 USD")
        await story.done()
        await desk.workspace.settled()
        assert await counted(desk, "events_total", outcome="stored") == 4
        assert await counted(desk, "events_total", outcome="handled") == 4
        assert await counted(desk, "slack_rate_limited_total") == 1
        assert await counted(desk, "notices_total", outcome="retried") == 1
        assert await counted(desk, "tool_calls_total", tool="get_order", outcome="unavailable") == 1
        assert await counted(desk, "tool_calls_total", tool="get_order", outcome="ok") == 1
        assert await counted(desk, "effects_total", state="begun") == await counted(desk, "effects_total", state="done")
        assert await counted(desk, "effects_total", state="in_doubt") == 0
        assert await counted(desk, "cases_total", status="done") == 1
        assert await counted(desk, "cases_open") == 0
        assert await counted(desk, "mailbox_events") == 0
        assert desk.service is not None
        text = desk.service.watch.metrics.text().decode()
        assert not [word for word in ("KL-778", story.case, story.thread, "U0LI", "商户") if word in text]


async def test_readiness_follows_the_line_to_slack(redis_server: RedisServer, tmp_path: Path) -> None:
    """While the socket to Slack is lost the process that listens is not ready, and is again when it is back."""
    async with live_desk(redis_server.url, tmp_path) as desk:
        assert desk.service is not None
        health, line = desk.service.health, desk.service.line
        assert await health.ready() == {}
        await desk.workspace.offline()
        await eventually(lambda: not line.up)
        assert await health.ready() == {"slack": "not connected"}
        await desk.workspace.online()
        await eventually(lambda: line.up)
        assert await health.ready() == {}


class Collector:
    """A place to send traces to."""

    def __init__(self) -> None:
        self.url = ""
        self.bodies: list[bytes] = []

    async def take(self, request: web.Request) -> web.Response:
        """Keep what was sent."""
        self.bodies.append(await request.read())
        return web.Response(content_type="application/x-protobuf")

    def spans(self) -> list[tuple[str, str, dict[str, str]]]:
        """Name, trace and attributes of each span."""
        found = []
        for body in self.bodies:
            for part in ExportTraceServiceRequest.FromString(body).resource_spans:
                for span in (each for scope in part.scope_spans for each in scope.spans):
                    values = {each.key: each.value.string_value for each in span.attributes}
                    found.append((span.name, span.trace_id.hex(), values))
        return found


@pytest.fixture
async def collector() -> AsyncIterator[Collector]:
    """A collector that listens."""
    made, site = Collector(), web.Application()
    site.router.add_post("/v1/traces", made.take)
    runner = web.AppRunner(site)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    made.url = f"http://{host}:{port}"
    yield made
    await runner.cleanup()


async def test_a_case_is_traced(
    redis_server: RedisServer, tmp_path: Path, collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    """Turn, tool calls and posts are spans, tool calls inside their turn; ids are attributes, what was said is not."""
    caplog.set_level(logging.WARNING)
    async with live_desk(redis_server.url, tmp_path, start=False) as desk:
        desk.settings = desk.settings.model_copy(update={"otel_exporter_otlp_endpoint": collector.url})
        await desk.start()
        story = await Story.open(desk, "KL-778 补 80 美元现金，商户漏发接送")
        await story.asked("bank_info")
        await story.say(ACCOUNT)
        await story.approve("80.00 USD")
        await story.done()
        await desk.stop()
        spans = collector.spans()
        names = [name for name, *_ in spans]
        assert set(names) == {"turn", "tool", "slack.post"}
        assert names.count("turn") == 3
        turns = {trace for name, trace, _ in spans if name == "turn"}
        assert {trace for name, trace, _ in spans if name == "tool"} <= turns
        threads = {values["sopdesk.thread"] for name, _, values in spans if name == "turn"}
        assert threads == {f"T0LOCAL:{DESK}:{story.thread}"}
        assert "apply_compensation" in {values.get("sopdesk.tool") for _, _, values in spans}
        sent = b"".join(collector.bodies)
        assert not [word for word in ("商户漏发接送", "6222", "王女士") if word.encode() in sent]
