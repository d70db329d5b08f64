"""A real Bolt app in Socket Mode against the local workspace."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from deploy.local.workspace import ActionRefused, Seed, Workspace

Json = dict[str, Any]


def plain(text: str) -> Json:
    """A plain_text object."""
    return {"type": "plain_text", "text": text}


def button(label: str, action_id: str, **more: Any) -> Json:
    """A button."""
    return {"type": "button", "text": plain(label), "action_id": action_id, **more}


FORM: Json = {
    "type": "modal",
    "callback_id": "form",
    "title": plain("补充信息"),
    "submit": plain("提交"),
    "close": plain("返回"),
    "private_metadata": "C-7K3F",
    "blocks": [
        {
            "type": "input",
            "block_id": "amount",
            "label": plain("金额"),
            "element": {"type": "number_input", "is_decimal_allowed": True, "action_id": "value"},
        },
        {
            "type": "input",
            "block_id": "way",
            "label": plain("方式"),
            "optional": True,
            "element": {
                "type": "static_select",
                "action_id": "value",
                "options": [{"text": plain("现金"), "value": "cash"}, {"text": plain("积分"), "value": "credit"}],
            },
        },
    ],
}


class Bot:
    """A Bolt app that records what it hears; tests add listeners of their own."""

    def __init__(self, workspace: Workspace) -> None:
        token, app_token = workspace.world.seed.bot_token, workspace.world.seed.app_token
        self.client = AsyncWebClient(token=token, base_url=workspace.api_url)
        self.app = AsyncApp(client=self.client)
        web_client = AsyncWebClient(token=app_token, base_url=workspace.api_url)
        self.handler = AsyncSocketModeHandler(self.app, app_token, web_client=web_client, ping_interval=0.3)
        self.heard: list[Json] = []
        self.workspace = workspace

        @self.app.event("app_mention")
        async def mention(body: Json) -> None:
            self.heard.append(body)
            workspace.world.changed()

        @self.app.event("message")
        async def message(body: Json) -> None:
            self.heard.append(body)
            workspace.world.changed()

    def events(self, kind: str) -> list[Json]:
        """The inner events of one type."""
        return [body["event"] for body in self.heard if body["event"]["type"] == kind]


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    """A workspace that redelivers fast."""
    running = Workspace(retry_after=(0.0, 0.1, 0.1), ack_timeout=1.0)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def bot(workspace: Workspace) -> AsyncIterator[Bot]:
    """A connected bot."""
    running = Bot(workspace)
    # Bolt leaves these two untyped.
    connect: Callable[[], Awaitable[None]] = running.handler.connect_async
    close: Callable[[], Awaitable[None]] = running.handler.close_async
    await connect()
    await workspace.connected()
    yield running
    await close()


async def test_a_mention_arrives_as_both_events(workspace: Workspace, bot: Bot) -> None:
    """One typed mention reaches the bot as app_mention and as message, with the same ts."""
    ts = await workspace.say("U0LI", "C0DESK", "@sopdesk 给 KL-778 补 80 美元")
    await workspace.until(lambda: len(bot.heard) == 2)
    mention, message = bot.events("app_mention")[0], bot.events("message")[0]
    assert mention["ts"] == message["ts"] == ts
    assert mention["text"] == "<@U0BOT> 给 KL-778 补 80 美元"
    assert message["channel_type"] == "channel"
    assert len({body["event_id"] for body in bot.heard}) == 2


async def test_what_is_typed_arrives_escaped(workspace: Workspace, bot: Bot) -> None:
    """Angle brackets and ampersands are escaped; only references keep theirs."""
    await workspace.say("U0LI", "C0DESK", "a < b & <!channel> @王 #random https://x.test/?a=1&b=2")
    await workspace.until(lambda: bot.events("message"))
    assert bot.events("message")[0]["text"] == (
        "a &lt; b &amp; &lt;!channel&gt; <@U0WANG> <#C0RANDOM|random> <https://x.test/?a=1&amp;b=2>"
    )


async def test_no_event_from_a_channel_without_the_bot(workspace: Workspace, bot: Bot) -> None:
    """A channel that the bot is not in stays silent, and it cannot post there."""
    await workspace.say("U0LI", "C0RANDOM", "@sopdesk hello")
    assert workspace.deliveries == []
    with pytest.raises(SlackApiError, match="not_in_channel"):
        await bot.client.chat_postMessage(channel="C0RANDOM", text="hello")


async def test_a_lost_acknowledgement_means_redelivery(workspace: Workspace, bot: Bot) -> None:
    """An event whose ack is lost comes again with the same event id."""
    workspace.faults.drop_acks(2)
    await workspace.say("U0LI", "C0DESK", "hello")
    await workspace.until(lambda: len(bot.heard) == 3)
    assert len({body["event_id"] for body in bot.heard}) == 1
    await workspace.settled()
    assert workspace.deliveries[0].attempts == 3
    assert workspace.deliveries[0].acked


async def test_duplicates_carry_one_event_id(workspace: Workspace, bot: Bot) -> None:
    """A duplicated delivery is the same event twice."""
    workspace.faults.duplicate()
    await workspace.say("U0LI", "C0DESK", "hello")
    await workspace.until(lambda: len(bot.heard) == 2)
    assert bot.heard[0]["event_id"] == bot.heard[1]["event_id"]


async def test_replies_files_and_broadcasts(workspace: Workspace, bot: Bot) -> None:
    """A reply carries thread_ts; a file and a broadcast carry their subtype and still the text."""
    parent = await workspace.say("U0LI", "C0DESK", "hello")
    await workspace.say("U0LI", "C0DESK", "one", parent)
    await workspace.say("U0LI", "C0DESK", "two", parent, files=[{"name": "shot.png"}])
    await workspace.say("U0LI", "C0DESK", "three", parent, broadcast=True)
    await workspace.until(lambda: len(bot.heard) == 4)
    replies = sorted(bot.events("message"), key=lambda event: str(event["ts"]))[1:]
    assert [event.get("subtype") for event in replies] == [None, "file_share", "thread_broadcast"]
    assert {event["thread_ts"] for event in replies} == {parent}
    assert replies[2]["root"]["ts"] == parent


async def test_a_click_is_a_complete_block_actions_payload(workspace: Workspace, bot: Bot) -> None:
    """A click carries the action, the message, its container, a trigger and a working response_url."""
    seen: list[Json] = []

    @bot.app.action("approve")
    async def approve(ack: Any, body: Json, respond: Any) -> None:
        await ack()
        seen.append(body)
        await respond(text="done", replace_original=True)

    blocks = [
        {
            "type": "actions",
            "block_id": "b",
            "elements": [button("批准 80.00 USD", "approve", value="C-7K3F", style="primary")],
        }
    ]
    sent = await bot.client.chat_postMessage(channel="C0SUP", text="批准？", blocks=blocks)
    receipt = await workspace.click("U0WANG", "C0SUP", sent["ts"], label="批准 80.00 USD")
    assert receipt.acked
    await workspace.until(lambda: workspace.messages("C0SUP")[0].text == "done")
    body = seen[0]
    assert body["type"] == "block_actions"
    assert body["actions"][0]["value"] == "C-7K3F"
    assert body["message"]["ts"] == body["container"]["message_ts"] == sent["ts"]
    assert body["user"]["id"] == "U0WANG"
    with pytest.raises(ActionRefused, match="0 buttons fit"):
        await workspace.click("U0WANG", "C0SUP", sent["ts"], label="批准 80.00 USD")


async def test_a_person_outside_the_channel_cannot_click(workspace: Workspace, bot: Bot) -> None:
    """Only members see a message."""
    sent = await bot.client.chat_postMessage(
        channel="C0SUP", text="x", blocks=[{"type": "actions", "elements": [button("Go", "go")]}]
    )
    with pytest.raises(ActionRefused, match="not a member"):
        await workspace.click("U0LI", "C0SUP", sent["ts"], label="Go")


async def test_a_form_is_opened_refused_and_taken(workspace: Workspace, bot: Bot) -> None:
    """Errors stay under their fields until the bot takes the form; then it closes."""

    @bot.app.command("/sop")
    async def sop(ack: Any, body: Json, client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)

    @bot.app.view("form")
    async def form(ack: Any, view: Json) -> None:
        amount = view["state"]["values"]["amount"]["value"]["value"]
        if float(amount) > 100:
            await ack(response_action="errors", errors={"amount": "不能高于 100"})
        else:
            await ack()

    assert (await workspace.slash("U0LI", "C0DESK", "/sop", "facts")).acked
    await workspace.until(lambda: workspace.views("U0LI"))
    assert await workspace.submit("U0LI") == {"amount": "Please complete this required field."}
    assert await workspace.submit("U0LI", values={"金额": "abc"}) == {"amount": "Please enter a valid number."}
    assert await workspace.submit("U0LI", values={"amount": "300", "way": "现金"}) == {"amount": "不能高于 100"}
    assert "不能高于 100" in workspace.text(workspace.views("U0LI")[0], "U0LI")
    assert await workspace.submit("U0LI", values={"amount": "80"}) is None
    assert workspace.views("U0LI") == []
    state = workspace.deliveries[-1].payload["view"]["state"]["values"]
    assert state["way"]["value"]["selected_option"]["value"] == "cash"


async def test_a_submission_can_update_push_and_clear(workspace: Workspace, bot: Bot) -> None:
    """The answer to a submission replaces the view, puts one on top, or closes all."""
    answers = iter([{"response_action": "update"}, {"response_action": "push"}, {"response_action": "clear"}])

    @bot.app.shortcut("facts")
    async def facts(ack: Any, body: Json, client: AsyncWebClient) -> None:
        await ack()
        assert body["message"]["text"] == "hello"
        await client.views_open(trigger_id=body["trigger_id"], view=FORM | {"blocks": []})

    @bot.app.view("form")
    async def form(ack: Any) -> None:
        answer = next(answers)
        view = FORM | {"title": plain(answer["response_action"]), "blocks": []}
        await ack(**answer, **({"view": view} if answer["response_action"] != "clear" else {}))

    ts = await workspace.say("U0LI", "C0DESK", "hello")
    await workspace.message_shortcut("U0LI", "facts", "C0DESK", ts)
    await workspace.until(lambda: workspace.views("U0LI"))
    await workspace.submit("U0LI")
    assert [view.body["title"]["text"] for view in workspace.views("U0LI")] == ["update"]
    await workspace.submit("U0LI")
    assert [view.body["title"]["text"] for view in workspace.views("U0LI")] == ["update", "push"]
    await workspace.submit("U0LI")
    assert workspace.views("U0LI") == []


async def test_a_trigger_is_good_once_and_not_for_long(workspace: Workspace, bot: Bot) -> None:
    """A second use and a late use of a trigger id are refused, each with its own word."""
    world = workspace.world
    trigger = world.new_trigger("U0LI")
    await bot.client.views_open(trigger_id=trigger, view=FORM)
    with pytest.raises(SlackApiError, match="exchanged_trigger_id"):
        await bot.client.views_open(trigger_id=trigger, view=FORM)
    late = world.new_trigger("U0LI")
    world.expire_triggers()
    with pytest.raises(SlackApiError, match="expired_trigger_id"):
        await bot.client.views_open(trigger_id=late, view=FORM)


async def test_a_slash_command_is_refused_in_a_thread(workspace: Workspace, bot: Bot) -> None:
    """As in Slack: nothing is sent, and the words say why."""
    ts = await workspace.say("U0LI", "C0DESK", "hello")
    with pytest.raises(ActionRefused, match="not supported in threads"):
        await workspace.slash("U0LI", "C0DESK", "/sop", "facts", thread_ts=ts)


async def test_a_command_that_is_not_acknowledged_says_so(workspace: Workspace, bot: Bot) -> None:
    """Without a listener Bolt does not ack; the person reads that the command failed."""
    receipt = await workspace.slash("U0LI", "C0DESK", "/coach")
    assert not receipt.acked
    assert "operation_timeout" in workspace.ephemerals("U0LI")[0].text


async def test_an_ephemeral_is_seen_by_one(workspace: Workspace, bot: Bot) -> None:
    """Only the addressee sees it, and it cannot be updated."""
    sent = await bot.client.chat_postEphemeral(channel="C0DESK", user="U0LI", text="没有计入：…")
    assert [message.text for message in workspace.ephemerals("U0LI")] == ["没有计入：…"]
    assert workspace.ephemerals("U0CHEN") == [] and workspace.messages("C0DESK") == []
    with pytest.raises(SlackApiError, match="message_not_found"):
        await bot.client.chat_update(channel="C0DESK", ts=sent["message_ts"], text="x")


async def test_events_wait_for_a_connection_in_order(workspace: Workspace, bot: Bot) -> None:
    """What was said while the network was away arrives after the reconnect, in order."""
    await workspace.offline()
    for text in ("one", "two", "three"):
        await workspace.say("U0LI", "C0DESK", text)
    await workspace.online()
    await workspace.until(lambda: len(bot.heard) == 3, timeout=10)
    assert [event["text"] for event in bot.events("message")] == ["one", "two", "three"]


async def test_a_client_asked_to_reconnect_does(workspace: Workspace, bot: Bot) -> None:
    """After a disconnect request the next event comes over the new socket."""
    await workspace.disconnect()
    await workspace.say("U0LI", "C0DESK", "after")
    await workspace.until(lambda: bot.events("message"), timeout=10)


async def test_app_home_is_published_and_opened(workspace: Workspace, bot: Bot) -> None:
    """Opening App Home tells the bot, whose view then shows and can be clicked."""

    @bot.app.event("app_home_opened")
    async def opened(event: Json, client: AsyncWebClient) -> None:
        view = {"type": "home", "blocks": [{"type": "actions", "elements": [button("新工单…", "new")]}]}
        await client.views_publish(user_id=event["user"], view=view)

    clicked = asyncio.Event()

    @bot.app.action("new")
    async def new(ack: Any, body: Json, client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)
        clicked.set()

    await workspace.open_home("U0LI")
    await workspace.until(lambda: workspace.home("U0LI"))
    assert (await workspace.click_home("U0LI", label="新工单…")).acked
    await asyncio.wait_for(clicked.wait(), 5)
    assert workspace.views("U0LI")


async def test_scopes_and_subscriptions_are_enforced() -> None:
    """A method without its scope is refused by name, and an event without subscription is not sent."""
    seed = Seed(scopes=("chat:write",), events=("app_mention",))
    workspace = Workspace(seed)
    await workspace.start()
    client = AsyncWebClient(token=seed.bot_token, base_url=workspace.api_url)
    with pytest.raises(SlackApiError) as caught:
        await client.users_info(user="U0LI")
    assert caught.value.response["error"] == "missing_scope"
    assert caught.value.response["needed"] == "users:read"
    await workspace.say("U0LI", "C0DESK", "@sopdesk hi")
    assert [delivery.payload["event"]["type"] for delivery in workspace.deliveries] == ["app_mention"]
    await workspace.stop()
