"""A real Bolt app over signed HTTP requests."""

import time
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.signature import SignatureVerifier
from slack_sdk.web.async_client import AsyncWebClient

from deploy.local.workspace import BotUnreachable, Workspace
from deploy.local.workspace.http_mode import signature

Json = dict[str, Any]


class HttpBot:
    """A Bolt app behind an aiohttp server; `lazy` requests are answered by 503."""

    def __init__(self, workspace: Workspace, secret: str) -> None:
        client = AsyncWebClient(token="xoxb-local", base_url=workspace.api_url)
        self.app = AsyncApp(client=client, signing_secret=secret)
        self.headers: list[dict[str, str]] = []
        self.refusals = 0
        self.heard: list[Json] = []
        server = web.Application()
        server.router.add_post("/slack/events", self._serve)
        self._runner = web.AppRunner(server, shutdown_timeout=0.1)

        @self.app.event("message")
        async def message(event: Json) -> None:
            self.heard.append(event)
            workspace.world.changed()

    async def _serve(self, request: web.Request) -> web.Response:
        self.headers.append(dict(request.headers))
        if self.refusals:
            self.refusals -= 1
            return web.Response(status=503)
        return await to_aiohttp_response(await self.app.async_dispatch(await to_bolt_request(request)))

    async def start(self) -> str:
        """Listen; returns the request URL."""
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}/slack/events"

    async def stop(self) -> None:
        """Stop listening."""
        await self._runner.cleanup()


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    """A workspace that redelivers fast."""
    running = Workspace(retry_after=(0.0, 0.05), ack_timeout=1.0)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def bot(workspace: Workspace) -> AsyncIterator[HttpBot]:
    """A bot that has answered the handshake."""
    running = HttpBot(workspace, "local-signing-secret")
    await workspace.use_http(await running.start())
    yield running
    await running.stop()


async def test_events_arrive_signed(workspace: Workspace, bot: HttpBot) -> None:
    """Bolt's own check of the signature lets the event through."""
    await workspace.say("U0LI", "C0DESK", "hello")
    await workspace.until(lambda: bot.heard)
    assert bot.heard[0]["text"] == "hello"
    assert "X-Slack-Retry-Num" not in bot.headers[-1]


async def test_a_refused_event_comes_again_with_its_number(workspace: Workspace, bot: HttpBot) -> None:
    """A 503 leads to a retry that says its number and reason."""
    bot.refusals = 1
    await workspace.say("U0LI", "C0DESK", "hello")
    await workspace.until(lambda: bot.heard)
    assert bot.headers[-1]["X-Slack-Retry-Num"] == "1"
    assert bot.headers[-1]["X-Slack-Retry-Reason"] == "http_error"


async def test_clicks_and_commands_arrive_as_forms(workspace: Workspace, bot: HttpBot) -> None:
    """A command's answer in the response body is shown to the person; a click reaches its listener."""
    clicked: list[Json] = []

    @bot.app.command("/sop")
    async def sop(ack: Any, command: Json) -> None:
        await ack(f"heard {command['text']}")

    @bot.app.action("go")
    async def go(ack: Any, action: Json) -> None:
        await ack()
        clicked.append(action)

    await workspace.slash("U0LI", "C0DESK", "/sop", "facts <C-1>")
    assert workspace.ephemerals("U0LI")[0].text == "heard facts &lt;C-1&gt;"
    button = {"type": "button", "action_id": "go", "value": "v", "text": {"type": "plain_text", "text": "Go"}}
    sent = await bot.app.client.chat_postMessage(channel="C0DESK", text="x", blocks=[
        {"type": "actions", "elements": [button]}])
    assert (await workspace.click("U0LI", "C0DESK", sent["ts"], label="Go")).acked
    assert clicked[0]["value"] == "v"


async def test_a_wrong_secret_fails_the_handshake(workspace: Workspace) -> None:
    """The workspace says which address did not answer."""
    other = HttpBot(workspace, "another-secret")
    url = await other.start()
    with pytest.raises(BotUnreachable, match="/slack/events"):
        await workspace.use_http(url)
    await other.stop()


async def test_a_forged_request_is_told_apart(workspace: Workspace, bot: HttpBot) -> None:
    """The signature is the one that slack_sdk computes, and a changed body does not fit it."""
    stamp, body = str(int(time.time())), b'{"type":"event_callback"}'
    made = signature("local-signing-secret", stamp, body)
    assert SignatureVerifier("local-signing-secret").is_valid(body, stamp, made)
    assert not SignatureVerifier("local-signing-secret").is_valid(body + b" ", stamp, made)


async def test_the_page_is_served_to_this_machine_only(workspace: Workspace) -> None:
    """Another host name or origin is refused, so no web site can act in the workspace."""
    async with aiohttp.ClientSession() as session:
        async with session.get(workspace.url + "/") as response:
            assert response.status == 200
        async with session.get(workspace.url + "/", headers={"Host": "evil.test"}) as response:
            assert response.status == 403
        act = {"do": "say", "as": "U0LI", "channel": "C0DESK", "text": "hi"}
        async with session.post(workspace.url + "/_ui/act", json=act, headers={"Origin": "http://evil.test"}) as response:
            assert response.status == 403
        async with session.post(workspace.url + "/_ui/act", json=act) as response:
            assert (await response.json())["ok"]
    assert [message.text for message in workspace.messages("C0DESK")] == ["hi"]
