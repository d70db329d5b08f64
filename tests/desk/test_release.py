"""A release reaches a running bot: what was begun goes on as it began, what is new goes by the new text."""

from __future__ import annotations

import asyncio
from pathlib import Path

from deploy.local.redis_server import RedisServer
from graph.model.releases import Release
from graph.sop import digest_of
from graph.store.releases import Releases
from tests.parts.desk import PATIENCE, live_desk
from tests.unit.graph.builders import SHIPPED

STRICT = (SHIPPED / "compensation.yaml").read_text(encoding="utf-8").replace("{max: 500, level", "{max: 100, level")


async def test_a_running_bot_takes_a_release_in(redis_server: RedisServer, tmp_path: Path) -> None:
    """Without a restart a new case asks the manager where the supervisor decided before; the open one stays with the
    supervisor and is paid."""
    async with live_desk(redis_server.url, tmp_path) as desk:
        assert desk.service is not None
        parts, slack = desk.service.parts, desk.workspace
        old = await slack.say("U0LI", "C0DESK", "@sopdesk KL-502 补 150 积分，导游迟到")
        name, card = await desk.posted(r"C-\w+/approval/1")
        channels = {each.id: each.name for each in slack.world.channels.values()}
        assert channels[card.channel] == "approvals-supervisor"
        made = {"sop": "compensation", "digest": digest_of(STRICT), "text": STRICT, "author": "U0LI", "by": "U0SUN"}
        release = Release.model_validate(made | {"note": "", "at": "2026-09-04T06:00:00+00:00"})
        assert await Releases(parts.redis, parts.keys).release(release, None, None)
        engine = parts.runner.engine
        async with asyncio.timeout(PATIENCE):
            while engine.library.sops["compensation"].digest != release.digest:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.1)
        await slack.say("U0LI", "C0DESK", "@sopdesk KL-778 补 150 积分，导游迟到")
        _, newer = await desk.posted(r"C-\w+/approval/1", {name})
        assert channels[newer.channel] == "approvals-manager"
        await slack.click("U0WANG", card.channel, card.ts, label="批准 150.00 USD")
        await desk.posted(f"{name.partition('/')[0]}/result")
        view = await desk.view(old)
        assert view is not None
        assert view.status == "done"
