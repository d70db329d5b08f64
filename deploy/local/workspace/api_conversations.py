"""conversations.* and users.conversations."""

from .api import Call, Method
from .errors import ApiError
from .model import Channel, Json, Message

READ = ("channels:read", "groups:read", "im:read")
HISTORY = ("channels:history", "groups:history", "im:history")


def channel_json(call: Call, channel: Channel) -> Json:
    """The channel object."""
    base: Json = {"id": channel.id, "created": channel.created, "is_archived": channel.is_archived,
                  "is_im": channel.is_im, "is_org_shared": False, "context_team_id": call.world.seed.team_id}
    if channel.is_im:
        person = next(user for user in channel.members if user != call.world.seed.bot_user.id)
        return base | {"user": person, "is_open": True}
    return base | {
        "name": channel.name, "name_normalized": channel.name, "is_channel": not channel.is_private,
        "is_group": channel.is_private, "is_private": channel.is_private, "is_mpim": False, "is_general": False,
        "is_shared": False, "is_member": call.world.bot_in(channel), "num_members": len(channel.members),
        "topic": {"value": channel.topic, "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0}, "creator": "", "previous_names": [],
    }


def _listed(call: Call, only_member: bool) -> Json:
    types = set(call.args.text("types", "public_channel").replace(" ", "").split(","))
    found = []
    for channel in call.world.channels.values():
        kind = "im" if channel.is_im else "private_channel" if channel.is_private else "public_channel"
        hidden = kind != "public_channel" and not call.world.bot_in(channel)
        archived = channel.is_archived and call.args.flag("exclude_archived")
        if kind in types and not hidden and not archived and (call.world.bot_in(channel) or not only_member):
            found.append(channel_json(call, channel))
    page, cursor = call.args.page(found)
    return {"channels": page, "response_metadata": {"next_cursor": cursor}}


async def list_(call: Call) -> Json:
    """conversations.list"""
    return _listed(call, only_member=False)


async def of_user(call: Call) -> Json:
    """users.conversations, for the bot itself"""
    return _listed(call, only_member=True)


async def info(call: Call) -> Json:
    """conversations.info"""
    return {"channel": channel_json(call, call.channel())}


async def members(call: Call) -> Json:
    """conversations.members"""
    page, cursor = call.args.page([{"id": user} for user in sorted(call.channel().members)])
    return {"members": [item["id"] for item in page], "response_metadata": {"next_cursor": cursor}}


async def join(call: Call) -> Json:
    """conversations.join"""
    channel = call.channel()
    if channel.is_archived:
        raise ApiError("is_archived")
    if channel.is_im:
        raise ApiError("method_not_supported_for_channel_type")
    if not call.world.bot_in(channel):
        channel.members.add(call.world.seed.bot_user.id)
        call.world.changed()
        call.events.joined(channel, call.world.seed.bot_user.id, None)
    return {"channel": channel_json(call, channel)}


async def open_(call: Call) -> Json:
    """conversations.open, for one person"""
    users = [user for user in call.args.required("users").split(",") if user]
    if len(users) != 1:
        raise ApiError("invalid_user_combination", ["this workspace opens direct messages with one person only"])
    if users[0] not in call.world.users:
        raise ApiError("user_not_found")
    channel = call.world.dm(users[0])
    return {"channel": channel_json(call, channel) if call.args.flag("return_im") else {"id": channel.id}}


def _between(call: Call, messages: list[Message]) -> list[Message]:
    oldest, latest = call.args.text("oldest", "0"), call.args.text("latest", "9999999999.999999")
    inclusive = call.args.flag("inclusive")

    def inside(message: Message) -> bool:
        ts = _number(message.ts)
        low, high = _number(oldest), _number(latest)
        return low <= ts <= high if inclusive else low < ts < high

    return [message for message in messages if inside(message)]


def _number(ts: str) -> int:
    whole, _, fraction = ts.partition(".")
    try:
        return int(whole) * 1_000_000 + int((fraction + "000000")[:6])
    except ValueError:
        raise ApiError("invalid_ts_oldest", [f"{ts!r} is no timestamp"]) from None


def _page(call: Call, messages: list[Message]) -> Json:
    metadata = call.args.flag("include_all_metadata")
    items = [call.world.message_json(message, metadata) for message in messages]
    page, cursor = call.args.page(items, largest=999)
    out: Json = {"messages": page, "has_more": bool(cursor)}
    return out | {"response_metadata": {"next_cursor": cursor}} if cursor else out


async def history(call: Call) -> Json:
    """conversations.history: newest first, without replies that were not sent to the channel."""
    channel = call.channel(member=True)
    shown = [m for m in call.world.messages.get(channel.id, ()) if not m.in_thread or m.subtype == "thread_broadcast"]
    return _page(call, _between(call, shown)[::-1]) | {"pin_count": 0}


async def replies(call: Call) -> Json:
    """conversations.replies: the parent, then its replies, oldest first."""
    channel = call.channel(member=True)
    ts = call.args.required("ts")
    message = call.world.message(channel.id, ts)
    if message is None:
        raise ApiError("thread_not_found", ["no such message in this channel [json-pointer:/ts]"])
    thread = call.world.thread(channel.id, message.thread_ts or ts)
    inside = _between(call, thread)
    # Slack always gives the parent, whatever the bounds.
    return _page(call, [*(m for m in thread[:1] if m not in inside), *inside])


METHODS = {
    "conversations.list": Method(list_, READ),
    "conversations.info": Method(info, READ),
    "conversations.members": Method(members, READ),
    "conversations.join": Method(join, ("channels:join",)),
    "conversations.open": Method(open_, ("im:write",)),
    "conversations.history": Method(history, HISTORY),
    "conversations.replies": Method(replies, HISTORY),
    "users.conversations": Method(of_user, READ),
}
