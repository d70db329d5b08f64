"""chat.startStream, chat.appendStream, chat.stopStream: a reply that grows before the reader's eyes."""

from .api import Call, Method
from .api_chat import parent_of, writable
from .elements import with_ids
from .errors import ApiError
from .limits import require_message
from .model import Json, Message

PIECE = 12_000
"""Characters of markdown that one call takes."""


def _piece(call: Call, required: bool) -> str:
    text = call.args.text("markdown_text")
    if required and not text:
        raise ApiError("no_text", ["missing required field: markdown_text [json-pointer:/markdown_text]"])
    if len(text) > PIECE:
        raise ApiError("msg_too_long", [f"must be less than {PIECE + 1} characters [json-pointer:/markdown_text]"])
    return text


def _growing(call: Call) -> Message:
    message = call.world.message(call.channel(member=True).id, call.args.required("ts"))
    if message is None:
        raise ApiError("message_not_found", ["no such message in this channel [json-pointer:/ts]"])
    if not message.bot:
        raise ApiError("message_not_owned_by_app", ["only the app's own messages"])
    if not message.streaming:
        raise ApiError("message_not_in_streaming_state", ["the stream of this message has ended"])
    return message


async def start(call: Call) -> Json:
    """chat.startStream. Only in a thread; in a channel it names for whom."""
    channel = writable(call)
    thread = parent_of(call, channel)
    if thread is None:
        raise ApiError("invalid_arguments", ["missing required field: thread_ts [json-pointer:/thread_ts]"])
    if not channel.is_im:
        for name in ("recipient_team_id", "recipient_user_id"):
            if not call.args.text(name):
                raise ApiError(f"missing_{name}", [f"missing required field: {name} [json-pointer:/{name}]"])
        call.user("recipient_user_id")
    message = Message(
        call.world.new_ts(), channel.id, call.world.seed.bot_user.id, _piece(call, required=False), thread_ts=thread,
        bot=True, streaming=True,
    )
    call.world.add(message)
    call.events.posted(message)
    return {"channel": channel.id, "ts": message.ts}


async def append(call: Call) -> Json:
    """chat.appendStream"""
    message = _growing(call)
    message.text += _piece(call, required=True)
    call.world.changed()
    return {"channel": message.channel, "ts": message.ts}


async def stop(call: Call) -> Json:
    """chat.stopStream. Blocks come below what was streamed."""
    message = _growing(call)
    blocks = call.args.objects("blocks", "invalid_blocks_format")
    metadata = call.args.object("metadata", "invalid_metadata_format")
    text = message.text + _piece(call, required=False)
    require_message(text, blocks, metadata, [], False)
    message.text, message.blocks, message.metadata, message.streaming = text, with_ids(blocks), metadata, False
    call.world.changed()
    return {"channel": message.channel, "ts": message.ts, "message": call.world.message_json(message)}


METHODS = {
    "chat.startStream": Method(start, ("chat:write",)),
    "chat.appendStream": Method(append, ("chat:write",)),
    "chat.stopStream": Method(stop, ("chat:write",)),
}
