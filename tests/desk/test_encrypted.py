"""A desk with a key: nothing that a customer said can be read in what Redis writes to disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr

from bot.wiring.service import open_service
from deploy.local.redis_server import RedisServer
from graph.errors import Misconfigured
from tests.desk.story import Story
from tests.parts.desk import LiveDesk, live_desk

KEY = Fernet.generate_key().decode()
ACCOUNT = "中国银行 6222 0000 1234，户名王女士"
DIGITS = (b"6222 0000", b"62220000")


async def test_the_account_is_nowhere_on_disk(tmp_path: Path) -> None:
    """With a key the account's digits never reach Redis, while the case is open or afterwards; without one they do."""
    async with RedisServer(tmp_path / "redis") as server, live_desk(server.url, tmp_path) as desk:
        plain = await begun(desk, "KL-778")
        assert digits(server, 0)
        with_key(desk, KEY)
        await desk.restart()
        start = size(server)
        story = await begun(desk, "KL-1003")
        await story.approve("80.00 USD")
        await story.done()
        assert desk.service is not None
        assert (await desk.service.parts.runner.facts(story.case))["bank_account"] == ACCOUNT
        assert not digits(server, start)
        # What was stored before the key was set goes on.
        await plain.approve("80.00 USD")
        await plain.done()
        assert len(await plain.payouts("KL-778")) == 1


async def test_a_start_with_another_key_is_refused(tmp_path: Path) -> None:
    """A desk that has sealed does not start without its key, and says so."""
    async with RedisServer(tmp_path / "redis") as server, live_desk(server.url, tmp_path, start=False) as desk:
        with_key(desk, KEY)
        async with open_service(desk.settings):
            pass
        for other in (None, Fernet.generate_key().decode()):
            with_key(desk, other)
            with pytest.raises(Misconfigured, match="SOPDESK_ENCRYPTION_KEY"):
                async with open_service(desk.settings):
                    raise AssertionError("it started")


async def begun(desk: LiveDesk, order: str) -> Story:
    """A cash compensation whose account was said, and which waits for approval."""
    story = await Story.open(desk, f"{order} 补 80 美元现金，商户漏发接送")
    await story.asked("bank_info")
    await story.say(ACCOUNT)
    await story.asked("approval")
    await desk.workspace.settled()
    return story


def with_key(desk: LiveDesk, key: str | None) -> None:
    """Give the next start of the bot this key."""
    desk.settings = desk.settings.model_copy(update={"sopdesk_encryption_key": SecretStr(key) if key else None})


def written(server: RedisServer) -> bytes:
    """All that Redis has written to its append-only file: every value that was ever stored, however briefly."""
    return b"".join(file.read_bytes() for file in sorted((server.log.parent / "appendonlydir").glob("*.aof")))


def size(server: RedisServer) -> int:
    """How much that is."""
    return len(written(server))


def digits(server: RedisServer, start: int) -> bool:
    """Whether the account can be read in what was written since."""
    return any(each in written(server)[start:] for each in DIGITS)
