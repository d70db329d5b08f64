"""chat.* and reactions.add."""

from dataclasses import replace

from .api import Call, Method
from .elements import with_ids
from .errors import ApiError
from .files import require_files
from .limits import require_message
from .model import Channel, Json, Message


def content(call: Call) -> Message:
    """What the call wants to be said, checked; channel and ts are filled in by the caller."""
    args = call.args
    blocks = args.objects("blocks", "invalid_blocks_format")
    attachments = args.objects("attachments", "invalid_attachments")
    metadata = args.object("metadata", "invalid_metadata_format")
    text = args.text("text")
    require_message(text, blocks, metadata, attachments, False)
    require_files(call.world, blocks)
    return Message("", "", call.world.seed.bot_user.id, text, with_ids(blocks), bot=True, metadata=metadata,
                   attachments=attachments)


def writable(call: Call) -> Channel:
    """The channel argument, if the bot may post there."""
    channel = call.channel(member=True)
    if channel.is_archived:
        raise ApiError("is_archived", [f"#{channel.name} is archived"])
    return channel


def parent_of(call: Call, channel: Channel) -> str | None:
    """The thread that the call names, None for none."""
    thread = call.args.optional("thread_ts")
    if thread is None:
        return None
    parent = call.world.message(channel.id, thread)
    if parent is None:
        raise ApiError("thread_not_found", ["no such message in this channel [json-pointer:/thread_ts]"])
    return parent.thread_ts or parent.ts


async def post_message(call: Call) -> Json:
    """chat.postMessage"""
    channel = writable(call)
    message = replace(content(call), ts=call.world.new_ts(), channel=channel.id, thread_ts=parent_of(call, channel))
    if message.thread_ts and call.args.flag("reply_broadcast"):
        message.subtype = "thread_broadcast"
    call.world.add(message)
    call.events.posted(message)
    return {"channel": channel.id, "ts": message.ts, "message": call.world.message_json(message)}


async def post_ephemeral(call: Call) -> Json:
    """chat.postEphemeral"""
    channel = writable(call)
    user = call.user()
    if user not in channel.members:
        raise ApiError("user_not_in_channel", [f"{user} is not in #{channel.name} [json-pointer:/user]"])
    message = replace(content(call), ts=call.world.new_ts(), channel=channel.id, visible_to=user,
                      thread_ts=parent_of(call, channel))
    call.world.ephemerals.append(message)
    call.world.changed()
    return {"message_ts": message.ts}


def _own(call: Call, error: str) -> tuple[Channel, Message]:
    channel = call.channel(member=True)
    message = call.world.message(channel.id, call.args.required("ts"))
    if message is None:
        raise ApiError("message_not_found", ["no such message in this channel [json-pointer:/ts]"])
    if not message.bot:
        raise ApiError(error, ["only the bot's own messages"])
    return channel, message


async def update(call: Call) -> Json:
    """chat.update. What is not given stays as it was."""
    channel, message = _own(call, "cant_update_message")
    if message.streaming:
        raise ApiError("streaming_state_conflict", ["the stream of this message has not ended"])
    args, previous = call.args, call.world.message_json(message)
    text = args.text("text", message.text)
    blocks = args.objects("blocks", "invalid_blocks_format") if args.has("blocks") else message.blocks
    attachments = (
        args.objects("attachments", "invalid_attachments") if args.has("attachments") else message.attachments
    )
    metadata = args.object("metadata", "invalid_metadata_format") if args.has("metadata") else message.metadata
    require_message(text, blocks, metadata, attachments, False)
    require_files(call.world, blocks)
    message.text, message.attachments, message.metadata = text, attachments, metadata
    message.blocks = with_ids(blocks)
    message.edited = {"user": message.user, "ts": call.world.new_ts()}
    call.world.changed()
    call.events.changed(message, previous)
    return {"channel": channel.id, "ts": message.ts, "text": text, "message": call.world.message_json(message)}


async def delete(call: Call) -> Json:
    """chat.delete"""
    channel, message = _own(call, "cant_delete_message")
    previous = call.world.message_json(message)
    call.world.messages[channel.id].remove(message)
    call.world.changed()
    call.events.deleted(channel, previous)
    return {"channel": channel.id, "ts": message.ts}


def permalink(base_url: str, message: Message) -> str:
    """The address of a message, in the form that Slack gives."""
    link = f"{base_url}/archives/{message.channel}/p{message.ts.replace('.', '')}"
    return f"{link}?thread_ts={message.thread_ts}&cid={message.channel}" if message.in_thread else link


async def get_permalink(call: Call) -> Json:
    """chat.getPermalink"""
    channel = call.channel()
    message = call.world.message(channel.id, call.args.required("message_ts"))
    if message is None:
        raise ApiError("message_not_found", ["no such message in this channel [json-pointer:/message_ts]"])
    return {"channel": channel.id, "permalink": permalink(call.world.base_url, message)}


async def add_reaction(call: Call) -> Json:
    """reactions.add"""
    channel = call.channel(member=True)
    message = call.world.message(channel.id, call.args.required("timestamp"))
    if message is None:
        raise ApiError("message_not_found", ["no such message in this channel [json-pointer:/timestamp]"])
    users = message.reactions.setdefault(call.args.required("name"), [])
    if call.world.seed.bot_user.id in users:
        raise ApiError("already_reacted")
    users.append(call.world.seed.bot_user.id)
    call.world.changed()
    return {}


METHODS = {
    "chat.postMessage": Method(post_message, ("chat:write",)),
    "chat.postEphemeral": Method(post_ephemeral, ("chat:write",)),
    "chat.update": Method(update, ("chat:write",)),
    "chat.delete": Method(delete, ("chat:write",)),
    "chat.getPermalink": Method(get_permalink),
    "reactions.add": Method(add_reaction, ("reactions:write",)),
}
