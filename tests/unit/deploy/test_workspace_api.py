"""The Web API as slack_sdk sees it: tokens, limits, refusals, paging and faults."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from deploy.local.workspace import Channel, Seed, Workspace
from deploy.local.workspace.limits import check_blocks, check_view

Json = dict[str, Any]


def plain(text: str) -> Json:
    """A plain_text object."""
    return {"type": "plain_text", "text": text}


def section(text: str, **more: Any) -> Json:
    """A section block."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **more}


def row(*elements: Json) -> Json:
    """An actions block."""
    return {"type": "actions", "elements": list(elements)}


def button(text: str = "Go", **more: Any) -> Json:
    """A button."""
    return {"type": "button", "text": plain(text), **more}


def menu(count: int, kind: str = "static_select") -> Json:
    """A menu with so many options."""
    return {"type": kind, "action_id": "m", "options": [{"text": plain(f"{n}"), "value": f"{n}"} for n in range(count)]}


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    """A workspace without a bot."""
    running = Workspace()
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
def client(workspace: Workspace) -> AsyncWebClient:
    """The bot's client, without retries."""
    return AsyncWebClient(token="xoxb-local", base_url=workspace.api_url)


def error_of(caught: pytest.ExceptionInfo[SlackApiError]) -> tuple[str, list[str]]:
    """Slack's error word and the messages with pointers."""
    response = caught.value.response
    return response["error"], (response.get("response_metadata") or {}).get("messages", [])


BAD_BLOCKS: list[tuple[list[Json], str]] = [
    ([section("x" * 3001)], "must be less than 3001 characters [json-pointer:/blocks/0/text/text]"),
    ([section("x"), {"type": "header", "text": plain("x" * 151)}],
     "must be less than 151 characters [json-pointer:/blocks/1/text/text]"),
    ([{"type": "divider"}] * 51, "no more than 50 items allowed [json-pointer:/blocks]"),
    ([{"type": "section", "fields": [plain("x")] * 11}],
     "no more than 10 items allowed [json-pointer:/blocks/0/fields]"),
    ([{"type": "section", "fields": [plain("x" * 2001)]}],
     "must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]"),
    ([row(*[button(action_id=f"{n}") for n in range(26)])],
     "no more than 25 items allowed [json-pointer:/blocks/0/elements]"),
    ([row(button("x" * 76))], "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]"),
    ([row(button(value="x" * 2001))], "must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]"),
    ([row(button(action_id="x" * 256))],
     "must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]"),
    ([row(button(action_id="a"), button(action_id="a"))],
     "action_id 'a' already exists in this block [json-pointer:/blocks/0/elements/1/action_id]"),
    ([section("x", block_id="b"), section("y", block_id="b")],
     "block_id 'b' already exists [json-pointer:/blocks/1/block_id]"),
    ([{"type": "context", "elements": [plain("x")] * 11}],
     "no more than 10 items allowed [json-pointer:/blocks/0/elements]"),
    ([row(menu(101))], "no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]"),
    ([row(menu(6, "overflow"))], "no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]"),
    ([row(button(confirm={"title": plain("x" * 101), "text": plain("x"), "confirm": plain("y"), "deny": plain("n")}))],
     "must be less than 101 characters [json-pointer:/blocks/0/elements/0/confirm/title/text]"),
    ([{"type": "section"}], "missing required field: text or fields [json-pointer:/blocks/0]"),
    ([{"type": "header"}], "missing required field: text [json-pointer:/blocks/0]"),
    ([section("")], "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
    ([section("x", colour="red")], "invalid additional property: colour [json-pointer:/blocks/0]"),
]


@pytest.mark.parametrize(("blocks", "message"), BAD_BLOCKS, ids=[message[:60] for _, message in BAD_BLOCKS])
async def test_a_broken_limit_is_named_with_its_place(client: AsyncWebClient, blocks: list[Json], message: str) -> None:
    """A message over a limit is refused by invalid_blocks, a json pointer and the limit."""
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel="C0DESK", text="x", blocks=blocks)
    assert error_of(caught) == ("invalid_blocks", [f"[ERROR] {message}"])


def test_what_is_just_within_the_limits_is_taken() -> None:
    """The limits are inclusive."""
    blocks = [
        section("x" * 3000, accessory=menu(100)), row(*[button("x" * 75, action_id=f"{n}") for n in range(25)]),
        {"type": "header", "text": plain("x" * 150)}, row(menu(5, "overflow")),
        *[{"type": "divider"}] * 46,
    ]
    assert check_blocks(blocks) == []


def test_an_unknown_block_type_is_refused() -> None:
    """The refusal lists what is allowed there."""
    problem = check_blocks([{"type": "carousel"}])[0]
    assert problem.startswith("unsupported type: carousel") and "'section'" in problem


BAD_VIEWS: list[tuple[Json, str]] = [
    ({"title": plain("x" * 25)}, "must be less than 25 characters [json-pointer:/view/title/text]"),
    ({"submit": plain("x" * 25)}, "must be less than 25 characters [json-pointer:/view/submit/text]"),
    ({"private_metadata": "x" * 3001}, "must be less than 3001 characters [json-pointer:/view/private_metadata]"),
    ({"callback_id": "x" * 256}, "must be less than 256 characters [json-pointer:/view/callback_id]"),
    ({"blocks": [{"type": "divider"}] * 101}, "no more than 100 items allowed [json-pointer:/view/blocks]"),
    ({"submit": plain("ok"), "blocks": [
        {"type": "input", "label": plain("x" * 2001), "element": {"type": "plain_text_input"}}]},
     "must be less than 2001 characters [json-pointer:/view/blocks/0/label/text]"),
    ({"submit": plain("ok"), "blocks": [{"type": "input", "label": plain("x"), "element": {
        "type": "plain_text_input", "placeholder": plain("x" * 151)}}]},
     "must be less than 151 characters [json-pointer:/view/blocks/0/element/placeholder/text]"),
    ({"blocks": [{"type": "input", "label": plain("x"), "element": {"type": "plain_text_input"}}]},
     "missing required field: submit (the view has an input block) [json-pointer:/view]"),
]


@pytest.mark.parametrize(("change", "message"), BAD_VIEWS, ids=[message[:60] for _, message in BAD_VIEWS])
async def test_a_form_over_a_limit_is_refused(
    workspace: Workspace, client: AsyncWebClient, change: Json, message: str
) -> None:
    """A modal over a limit is refused by invalid_arguments with place and limit, and opens nothing."""
    view = {"type": "modal", "title": plain("x"), "blocks": []} | change
    with pytest.raises(SlackApiError) as caught:
        await client.views_open(trigger_id=workspace.world.new_trigger("U0LI"), view=view)
    assert error_of(caught) == ("invalid_arguments", [f"[ERROR] {message}"])
    assert workspace.views("U0LI") == []


def test_a_home_takes_a_hundred_blocks() -> None:
    """The limit of App Home is that of a modal."""
    assert check_view({"type": "home", "blocks": [{"type": "divider"}] * 100}) == []


async def test_long_messages_are_refused(client: AsyncWebClient) -> None:
    """40000 characters of text, about 13200 of blocks; nothing at all is refused too."""
    with pytest.raises(SlackApiError, match="msg_too_long"):
        await client.chat_postMessage(channel="C0DESK", text="x" * 40001)
    with pytest.raises(SlackApiError, match="msg_blocks_too_long"):
        await client.chat_postMessage(channel="C0DESK", text="x", blocks=[section("x" * 2900)] * 5)
    with pytest.raises(SlackApiError, match="no_text"):
        await client.chat_postMessage(channel="C0DESK")


@pytest.mark.parametrize(("token", "error"), [("xoxb-other", "invalid_auth"), ("xapp-local", "not_allowed_token_type")])
async def test_tokens_are_checked(workspace: Workspace, token: str, error: str) -> None:
    """A foreign token, and the app's token where the bot's is needed, are refused."""
    client = AsyncWebClient(token=token, base_url=workspace.api_url)
    with pytest.raises(SlackApiError, match=error):
        await client.users_list()


async def test_forms_json_and_unknown_methods(workspace: Workspace) -> None:
    """Arguments come as a form with a token field, or as JSON with a bearer token; unknown methods are named so."""
    async with aiohttp.ClientSession() as session:
        form = {"token": "xoxb-local", "channel": "C0DESK", "text": "form"}
        async with session.post(workspace.api_url + "chat.postMessage", data=form) as response:
            assert (await response.json())["message"]["text"] == "form"
        bearer = {"Authorization": "Bearer xoxb-local"}
        body = {"channel": "#cs-desk", "text": "json"}
        async with session.post(workspace.api_url + "chat.postMessage", json=body, headers=bearer) as response:
            assert (await response.json())["channel"] == "C0DESK"
        async with session.post(workspace.api_url + "chat.sing", headers=bearer) as response:
            assert (await response.json())["error"] == "unknown_method"
        async with session.post(workspace.api_url + "users.list") as response:
            assert (await response.json())["error"] == "not_authed"


async def test_auth_test_tells_who_and_which_scopes(client: AsyncWebClient) -> None:
    """auth.test names bot and team; the scopes are in a header."""
    answer = await client.auth_test()
    assert (answer["user_id"], answer["bot_id"], answer["team_id"]) == ("U0BOT", "B0BOT", "T0LOCAL")
    assert "chat:write" in answer.headers["x-oauth-scopes"].split(",")


async def test_private_archived_and_missing_channels() -> None:
    """A private channel without the bot does not exist for it; an archived one takes no messages."""
    seed = Seed(channels=[
        Channel("C1", "open", {"U0LI"}), Channel("C2", "secret", {"U0LI"}, is_private=True),
        Channel("C3", "old", {"U0LI", "U0BOT"}, is_archived=True),
    ])
    workspace = Workspace(seed)
    await workspace.start()
    client = AsyncWebClient(token="xoxb-local", base_url=workspace.api_url)
    for channel, error in (("C1", "not_in_channel"), ("C2", "channel_not_found"), ("C3", "is_archived"),
                           ("C9", "channel_not_found")):
        with pytest.raises(SlackApiError) as caught:
            await client.chat_postMessage(channel=channel, text="x")
        assert caught.value.response["error"] == error
    await client.conversations_join(channel="C1")
    assert (await client.chat_postMessage(channel="C1", text="x"))["ok"]
    await workspace.stop()


async def test_lists_come_in_pages(client: AsyncWebClient) -> None:
    """The cursor leads through all channels, each once."""
    seen, cursor = [], ""
    while True:
        answer = await client.conversations_list(limit=2, cursor=cursor)
        seen += [channel["name"] for channel in answer["channels"]]
        cursor = answer["response_metadata"]["next_cursor"]
        if not cursor:
            break
    assert seen == ["cs-desk", "approvals-supervisor", "approvals-manager", "approvals-director", "refund-review", "random"]


async def test_people_and_groups(client: AsyncWebClient) -> None:
    """Names are in the person's language, the locale on request; a group lists its people."""
    user = (await client.users_info(user="U0LI", include_locale=True))["user"]
    assert (user["profile"]["display_name"], user["locale"]) == ("李", "zh-CN")
    assert (await client.usergroups_users_list(usergroup="S0SUPERVISORS"))["users"] == ["U0WANG", "U0KIM"]
    with pytest.raises(SlackApiError, match="user_not_found"):
        await client.users_info(user="U0NOBODY")
    with pytest.raises(SlackApiError, match="no_such_subteam"):
        await client.usergroups_users_list(usergroup="S1")


async def test_history_and_replies(workspace: Workspace, client: AsyncWebClient) -> None:
    """History is newest first without replies; replies start with the parent; metadata only on request."""
    metadata = {"event_type": "notice", "event_payload": {"id": "n1"}}
    first = (await client.chat_postMessage(channel="C0DESK", text="first", metadata=metadata))["ts"]
    await client.chat_postMessage(channel="C0DESK", text="second")
    await workspace.say("U0LI", "C0DESK", "reply", first)
    history = (await client.conversations_history(channel="C0DESK", include_all_metadata=True))["messages"]
    assert [message["text"] for message in history] == ["second", "first"]
    assert history[1]["metadata"] == metadata and history[1]["reply_count"] == 1
    replies = (await client.conversations_replies(channel="C0DESK", ts=first))["messages"]
    assert [message["text"] for message in replies] == ["first", "reply"]
    assert "metadata" not in replies[0]
    with pytest.raises(SlackApiError, match="thread_not_found"):
        await client.conversations_replies(channel="C0DESK", ts="1.000001")


async def test_update_and_delete_only_ones_own(workspace: Workspace, client: AsyncWebClient) -> None:
    """The bot changes its own messages; what is not given stays; others' are refused."""
    ts = (await client.chat_postMessage(channel="C0DESK", text="a", blocks=[section("a")]))["ts"]
    await client.chat_update(channel="C0DESK", ts=ts, text="b")
    message = workspace.message("C0DESK", ts)
    assert (message.text, workspace.text(message)) == ("b", "a")
    theirs = await workspace.say("U0LI", "C0DESK", "mine")
    with pytest.raises(SlackApiError, match="cant_update_message"):
        await client.chat_update(channel="C0DESK", ts=theirs, text="x")
    with pytest.raises(SlackApiError, match="message_not_found"):
        await client.chat_delete(channel="C0DESK", ts="1.000001")
    await client.chat_delete(channel="C0DESK", ts=ts)
    assert [m.ts for m in workspace.messages("C0DESK")] == [theirs]


async def test_views_update_checks_the_hash(workspace: Workspace, client: AsyncWebClient) -> None:
    """A stale hash is refused; a closed view is not found."""
    view = {"type": "modal", "title": plain("x"), "blocks": []}
    opened = (await client.views_open(trigger_id=workspace.world.new_trigger("U0LI"), view=view))["view"]
    await client.views_update(view_id=opened["id"], view=view, hash=opened["hash"])
    with pytest.raises(SlackApiError, match="hash_conflict"):
        await client.views_update(view_id=opened["id"], view=view, hash=opened["hash"])
    await workspace.close_view("U0LI")
    with pytest.raises(SlackApiError, match="not_found"):
        await client.views_update(view_id=opened["id"], view=view)


async def test_typed_values_survive_an_update(workspace: Workspace, client: AsyncWebClient) -> None:
    """A field that keeps its ids keeps what was typed."""
    element = {"type": "plain_text_input", "action_id": "a"}
    field = {"type": "input", "block_id": "b", "label": plain("x"), "element": element}
    view = {"type": "modal", "title": plain("x"), "submit": plain("ok"), "blocks": [field]}
    opened = (await client.views_open(trigger_id=workspace.world.new_trigger("U0LI"), view=view))["view"]
    workspace.fill(workspace.views("U0LI")[0], "b", "typed")
    await client.views_update(view_id=opened["id"], view=view | {"blocks": [section("new"), field]})
    assert workspace.views("U0LI")[0].state["b"]["a"]["value"] == "typed"


async def test_a_429_is_retried_by_the_clients_handler(workspace: Workspace, client: AsyncWebClient) -> None:
    """429 carries Retry-After; slack_sdk's handler waits and the message arrives once."""
    workspace.faults.rate_limit("chat.postMessage", calls=1, retry_after=0)
    client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=2))
    await client.chat_postMessage(channel="C0DESK", text="x")
    assert len(workspace.messages("C0DESK")) == 1


async def test_a_call_can_succeed_and_answer_500(workspace: Workspace, client: AsyncWebClient) -> None:
    """The client sees a server error, the channel has the message."""
    workspace.faults.fail_after("chat.postMessage")
    with pytest.raises(SlackApiError):
        await client.chat_postMessage(channel="C0DESK", text="x")
    assert len(workspace.messages("C0DESK")) == 1
    workspace.faults.fail_before("chat.postMessage")
    with pytest.raises(SlackApiError):
        await client.chat_postMessage(channel="C0DESK", text="x")
    assert len(workspace.messages("C0DESK")) == 1


async def test_one_message_a_second_if_wanted(workspace: Workspace, client: AsyncWebClient) -> None:
    """With the channel limit on, a second post in the same second is refused, another channel's is not."""
    workspace.faults.channel_limit = True
    await client.chat_postMessage(channel="C0DESK", text="x")
    await client.chat_postMessage(channel="C0SUP", text="x")
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel="C0DESK", text="x")
    assert caught.value.response.status_code == 429
    assert caught.value.response.headers["Retry-After"] == "1"


async def test_offline_calls_fail(workspace: Workspace, client: AsyncWebClient) -> None:
    """Without a network a call raises instead of answering."""
    await workspace.offline()
    with pytest.raises(aiohttp.ClientError):
        await client.auth_test()
    await workspace.online()
    assert (await client.auth_test())["ok"]


async def test_a_response_url_is_good_five_times(workspace: Workspace) -> None:
    """The sixth answer is refused."""
    url = workspace.world.new_response_url("C0DESK", "U0LI", None)
    async with aiohttp.ClientSession() as session:
        for count in range(5):
            async with session.post(url, json={"text": f"{count}"}) as response:
                assert response.status == 200
        async with session.post(url, json={"text": "6"}) as response:
            assert (response.status, (await response.json())["error"]) == (404, "used_url")
    assert len(workspace.ephemerals("U0LI")) == 5


async def test_words_as_read(workspace: Workspace, client: AsyncWebClient) -> None:
    """References and dates are resolved for the reader, marks and entities are gone."""
    text = (
        "*80.00 USD* <@U0LI> <#C0SUP> <!subteam^S0SUPERVISORS> <!date^1767225600^{date_num} {time}|x> "
        "<https://a.b|see> &lt;!channel&gt;"
    )
    ts = (await client.chat_postMessage(channel="C0DESK", text="t", blocks=[section(text)]))["ts"]
    read = workspace.text(workspace.message("C0DESK", ts), "U0LI")
    assert read == "80.00 USD @李 #approvals-supervisor @supervisors 2026-01-01 08:00 see <!channel>"


async def test_a_picture_is_uploaded_and_shown(workspace: Workspace, client: AsyncWebClient) -> None:
    """A picture goes up in two steps; blocks may refer to it once it is complete, and to no other."""
    uploaded = await client.files_upload_v2(filename="tree.png", content=b"\x89PNG")
    picture = {"type": "image", "alt_text": "Q1", "slack_file": {"id": uploaded["files"][0]["id"]}}
    await client.chat_postMessage(channel="C0DESK", text="Q1", blocks=[picture])
    async with aiohttp.ClientSession() as session, session.get(uploaded["files"][0]["url_private"]) as response:
        assert (response.content_type, await response.read()) == ("image/png", b"\x89PNG")
    with pytest.raises(SlackApiError, match="invalid slack file"):
        await client.chat_postMessage(channel="C0DESK", text="x", blocks=[picture | {"slack_file": {"id": "F1"}}])
