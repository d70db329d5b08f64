"""Sockets, the manifest, and the program on its own."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from deploy.local.workspace import Seed, Workspace

Json = dict[str, Any]


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    """A workspace that redelivers fast."""
    running = Workspace(retry_after=(0.0, 0.05), ack_timeout=0.3, patience=5.0)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    """A client for raw sockets."""
    async with aiohttp.ClientSession() as running:
        yield running


async def socket(workspace: Workspace, session: aiohttp.ClientSession) -> aiohttp.ClientWebSocketResponse:
    """A raw Socket Mode connection after its hello."""
    client = AsyncWebClient(token="xapp-local", base_url=workspace.api_url)
    opened = await session.ws_connect((await client.apps_connections_open(app_token="xapp-local"))["url"])
    hello = await opened.receive_json(timeout=5)
    assert hello["type"] == "hello" and hello["connection_info"]["app_id"] == "A0SOPDESK"
    return opened


async def test_what_a_lost_socket_had_not_acked_goes_to_another(
    workspace: Workspace, session: aiohttp.ClientSession
) -> None:
    """The same envelope arrives on the other socket, and is then acknowledged."""
    one, two = await socket(workspace, session), await socket(workspace, session)
    await workspace.connected(2)
    await workspace.say("U0LI", "C0DESK", "hello")
    first = await one.receive_json(timeout=5)
    await one.close()
    second = await two.receive_json(timeout=5)
    assert second["envelope_id"] == first["envelope_id"]
    await two.send_json({"envelope_id": second["envelope_id"]})
    await workspace.settled()
    assert workspace.deliveries[0].acked and workspace.deliveries[0].attempts == 1
    await two.close()


async def test_envelopes_are_shared_out_and_retries_numbered(
    workspace: Workspace, session: aiohttp.ClientSession
) -> None:
    """Each envelope goes to one socket in turn; an unacknowledged event is numbered and says why it comes again."""
    one, two = await socket(workspace, session), await socket(workspace, session)
    await workspace.connected(2)
    await workspace.say("U0LI", "C0DESK", "hello")
    first, second = await one.receive_json(timeout=5), await two.receive_json(timeout=5)
    assert (first["retry_attempt"], first["retry_reason"]) == (0, "")
    assert (second["retry_attempt"], second["retry_reason"]) == (1, "timeout")
    assert first["payload"]["event_id"] == second["payload"]["event_id"]
    assert first["envelope_id"] != second["envelope_id"]
    third = await one.receive_json(timeout=5)
    assert third["retry_attempt"] == 2
    await workspace.settled()
    assert workspace.deliveries[0].refusals == ["timeout"] * 3 and not workspace.deliveries[0].acked
    await one.close()
    await two.close()


async def test_a_ticket_is_good_once(workspace: Workspace, session: aiohttp.ClientSession) -> None:
    """The address of apps.connections.open opens one socket."""
    client = AsyncWebClient(token="xapp-local", base_url=workspace.api_url)
    url = (await client.apps_connections_open(app_token="xapp-local"))["url"]
    async with session.ws_connect(url):
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(url)


async def test_a_forged_payload_goes_out_as_it_is(workspace: Workspace, session: aiohttp.ClientSession) -> None:
    """A test can send what no person could do."""
    connection = await socket(workspace, session)
    sending = asyncio.create_task(workspace.send_raw("interactive", {"type": "block_actions", "forged": True}))
    envelope = await connection.receive_json(timeout=5)
    assert envelope["payload"] == {"type": "block_actions", "forged": True}
    await connection.send_json({"envelope_id": envelope["envelope_id"], "payload": {"text": "no"}})
    assert (await sending).response == {"text": "no"}
    await connection.close()


async def test_a_reply_can_change_its_parent(workspace: Workspace) -> None:
    """With that fault on, the parent's message_changed follows the reply, hidden and with both versions."""
    workspace.faults.parent_changed = True
    parent = await workspace.say("U0LI", "C0DESK", "hello")
    await workspace.say("U0LI", "C0DESK", "reply", parent)
    event = workspace.deliveries[-1].payload["event"]
    assert (event["subtype"], event["hidden"]) == ("message_changed", True)
    assert event["message"]["ts"] == event["previous_message"]["ts"] == parent


def test_the_manifest_decides_what_the_app_has(tmp_path: Path) -> None:
    """Commands, shortcuts, events and scopes are those of the file."""
    path = tmp_path / "manifest.yaml"
    path.write_text("""
features:
  slash_commands: [{command: /sop, description: Cases, usage_hint: facts}]
  shortcuts: [{name: Facts, type: message, callback_id: facts, description: x}]
oauth_config: {scopes: {bot: [chat:write]}}
settings: {event_subscriptions: {bot_events: [app_mention]}}
""", encoding="utf-8")
    seed = Seed().with_manifest(path)
    assert (seed.commands, seed.message_shortcuts) == ({"/sop": "facts"}, {"facts": "Facts"})
    assert (seed.scopes, seed.events) == (("chat:write",), ("app_mention",))


async def test_it_runs_alone_and_says_how_to_join() -> None:
    """The program prints the page's address and the bot's environment, and ends on a signal."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "deploy.local.workspace", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    lines = [(await asyncio.wait_for(process.stdout.readline(), 20)).decode() for _ in range(6)]
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 10) == 0
    assert lines[0].startswith("The workspace is open at http://127.0.0.1:")
    assert any(line.strip().startswith("SLACK_API_URL=http://127.0.0.1:") for line in lines)
    assert any("SLACK_APP_TOKEN=xapp-local" in line for line in lines)
