"""The roles in processes of their own: one case through all, an orderly end, probes, counters and logs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.settings import Role, Settings
from bot.wiring.service import open_service
from deploy.local.backoffice import Fault
from deploy.local.redis_server import RedisServer
from graph.errors import Misconfigured
from tests.desk.story import DESK, KIM, LI, WANG, Story
from tests.parts.desk import PATIENCE, LiveDesk, live_desk
from tests.parts.processes import Up, up

SAID = "商户漏发接送"
ACCOUNT = "62220000"


@pytest.fixture
async def quiet(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[LiveDesk]:
    """A workspace, a back office and their settings, with no bot in this process."""
    async with live_desk(redis_server.url, tmp_path, start=False) as desk:
        yield desk


async def test_one_case_through_all_roles(quiet: LiveDesk, tmp_path: Path) -> None:
    """A process that listens, two that work and one that sends carry a case from words to payment, and log no words. Of
    two approvals at the same moment one counts, whichever process takes it."""
    settings = quiet.settings.model_copy(update={"sopdesk_log_level": "DEBUG"})
    bare = settings.model_copy(update={"slack_app_token": None})
    async with AsyncExitStack() as stack:
        poor = bare.model_copy(update={"backoffice_url": None})
        listens, first, second, sends = processes = [
            await stack.enter_async_context(up(given, role, tmp_path, wait=False))
            for given, role in ((settings, "listen"), (bare, "work"), (bare, "work"), (poor, "send"))
        ]
        workers = [first, second]
        await asyncio.gather(*(process.until_ready() for process in processes))
        story = await Story.open(quiet, f"KL-778 补 80 美元现金，{SAID}")
        await story.asked("bank_info")
        await story.say("中国银行 6222 0000 1234，户名王女士")
        await asyncio.gather(story.approve("80.00 USD", by=WANG), story.approve("80.00 USD", by=KIM))
        await story.done()
        assert len(await story.payouts("KL-778")) == 1
        late = await quiet.workspace.until(lambda: refusals(quiet), PATIENCE)
        assert len(late) == 1
        await quiet.workspace.settled()
        await check_counters(listens, workers, sends)
        assert await asyncio.gather(*(process.terminate() for process in processes)) == [0, 0, 0, 0]
    logged = "".join(str(entry) for process in processes for entry in process.entries())
    assert not [secret for secret in (SAID, ACCOUNT, "6222 0000", "王女士") if secret in logged]
    turns = [entry for worker in workers for entry in worker.entries() if "the turn of a" in entry["event"]]
    assert len(turns) == 4
    assert {entry["thread"] for entry in turns} == {f"T0LOCAL:{DESK}:{story.thread}"}
    assert {entry["case"] for entry in turns} == {story.case}
    assert [entry["event_id"].split(":")[0] for entry in turns].count("msg") == 2
    assert sum(entry.get("request", "").startswith(f"{story.case}/approval/") for entry in turns) == 2


def refusals(desk: LiveDesk) -> list[str]:
    """What the two supervisors were told of decisions that did not count."""
    ws = desk.workspace
    said = [ws.text(each) for user in (WANG, KIM) for each in ws.ephemerals(user)]
    return [words for words in said if re.search("王 .*已批准|Kim .*已批准|approved at", words)]


async def check_counters(listens: Up, workers: list[Up], sends: Up) -> None:
    """What the four processes counted of the case."""
    assert await listens.sample("sopdesk_events_total", outcome="stored") == 4
    handled = [await worker.sample("sopdesk_events_total", outcome="handled") for worker in workers]
    assert sum(handled) == 4
    assert sum([await worker.sample("sopdesk_effects_total", state="done") for worker in workers]) >= 1
    assert sum([await worker.sample("sopdesk_cases_total", status="done") for worker in workers]) == 1
    assert sum([await worker.sample("sopdesk_tool_calls_total", outcome="ok", tool="get_order") for worker in workers]) == 1
    assert await sends.sample("sopdesk_notices_total", outcome="sent") >= 4
    assert await sends.sample("sopdesk_notices_total", outcome="edited") >= 1
    for name in ("mailbox_events", "outbox_notices", "cases_open", "mailbox_oldest_seconds"):
        assert await sends.sample(f"sopdesk_{name}") == 0, name


async def test_a_worker_that_is_told_to_end_hands_back(quiet: LiveDesk, tmp_path: Path) -> None:
    """SIGTERM in the middle of a payment: it ends within ten seconds, another goes on at once, and it is paid once."""
    settings = quiet.settings.model_copy(update={"sopdesk_tool_timeout": 60.0})
    desk = quiet.backoffice
    desk.faults.add(Fault(mode="slow", path_prefix="/compensations", method="POST", seconds=60))
    async with inside(settings, "listen"), inside(settings, "send"):
        async with up(settings, "work", tmp_path) as first:
            await quiet.workspace.connected()
            ts = await quiet.workspace.say(LI, DESK, "@sopdesk KL-778 补 20 积分，导游迟到")
            story = Story(quiet, ts)
            calls = 0
            while not any(call.method == "POST" and call.path == "/compensations" for call in desk.calls):
                calls += 1
                await desk.until_called(calls)
            assert await first.terminate() == 0
            assert any("stopped" in line for line in first.lines)
        async with up(settings, "work", tmp_path):
            await story.opened()
            await story.done()
            assert await story.payouts("KL-778") == [{"credit": "20"}]
    sent = {call.key for call in desk.calls if (call.method, call.path) == ("POST", "/compensations")}
    assert len(sent) == 1


@asynccontextmanager
async def inside(settings: Settings, role: Role) -> AsyncIterator[None]:
    """A role in this process: to start another takes seconds."""
    stopping = asyncio.Event()
    async with open_service(settings, role=role) as service:
        running = asyncio.create_task(service.run(stopping), name=role)
        try:
            yield
        finally:
            stopping.set()
            await running


async def test_readiness_follows_what_is_needed(tmp_path: Path) -> None:
    """A worker is not ready without Redis or without the back office, says which, stays alive, and is ready again."""
    async with (
        RedisServer(tmp_path / "redis") as server,
        live_desk(server.url, tmp_path, start=False) as desk,
        up(desk.settings, "work", tmp_path) as worker,
    ):
        await server.stop()
        answer = await worker.until_ready(False)
        assert list(answer.json()["wrong"]) == ["redis"]
        assert (await worker.ask("/healthz")).status_code == 200
        assert (await worker.ask("/metrics")).status_code == 200
        await server.start()
        await worker.until_ready()
        address = desk.backoffice.url
        await desk.backoffice.stop()
        answer = await worker.until_ready(False)
        assert list(answer.json()["wrong"]) == ["backoffice"]
        await desk.backoffice.start(port=int(address.rpartition(":")[2]))
        await worker.until_ready()
        assert await worker.terminate() == 0


async def test_a_redis_that_forgets_is_refused(tmp_path: Path) -> None:
    """`up` names a Redis without append-only file and save points, unless told that this is accepted."""
    async with RedisServer(tmp_path / "redis") as server, live_desk(server.url, tmp_path, start=False) as desk:
        async with Redis.from_url(server.url) as client:
            await client.config_set("appendonly", "no")
        async with up(desk.settings, "work", tmp_path, wait=False) as refused:
            assert await refused.process.wait() == 1
        said = "".join(refused.lines)
        assert "appendonly yes" in said
        assert "--allow-volatile" in said
        async with up(desk.settings, "work", tmp_path, "--allow-volatile") as running:
            assert await running.terminate() == 0
        async with Redis.from_url(server.url) as client:
            await client.config_set("save", "3600 1")
        async with open_service(desk.settings, durable=True) as service:
            assert service.role == "all"


async def test_a_taken_port_is_named(quiet: LiveDesk) -> None:
    """A port for probes that somebody uses stops the start, and the setting is named."""
    taken = int(quiet.backoffice.url.rpartition(":")[2])
    settings = quiet.settings.model_copy(update={"sopdesk_health_port": taken})
    async with open_service(settings, role="work") as service:
        with pytest.raises(Misconfigured, match="SOPDESK_HEALTH_PORT"):
            await service.run(asyncio.Event())
