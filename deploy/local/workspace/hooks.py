"""response_url: up to five answers to an interaction, without a token."""

import time
from dataclasses import replace

from aiohttp import web

from .arguments import Arguments
from .elements import with_ids
from .errors import ApiError
from .events import Events
from .faults import Faults
from .limits import require_message
from .model import Message
from .world import ResponseUrl, World


class Hooks:
    """Answers /actions/TEAM/KEY."""

    def __init__(self, world: World, events: Events, faults: Faults) -> None:
        self._world = world
        self._events = events
        self._faults = faults

    async def serve(self, request: web.Request) -> web.Response:
        """One answer of the app."""
        if self._faults.offline and request.transport is not None:
            request.transport.abort()
            return web.Response(status=503)
        url = self._world.response_urls.get(request.match_info["key"])
        if url is None or url.expires < time.monotonic():
            return web.json_response({"ok": False, "error": "expired_url"}, status=404)
        if url.uses_left <= 0:
            return web.json_response({"ok": False, "error": "used_url"}, status=404)
        try:
            args = await Arguments.of(request)
            self._answer(url, args)
        except ApiError as error:
            messages = [f"[ERROR] {text}" for text in error.messages]
            body = {"ok": False, "error": error.code, "response_metadata": {"messages": messages}}
            return web.json_response(body, status=400)
        url.uses_left -= 1
        self._world.changed()
        return web.Response(text="ok")

    def _answer(self, url: ResponseUrl, args: Arguments) -> None:
        original = self._original(url)
        if args.flag("delete_original"):
            self._delete(original)
            return
        message = self._message(url, args)
        if args.flag("replace_original") and original:
            self._replace(original, message)
        elif args.text("response_type") == "in_channel":
            message.visible_to = None
            self._world.add(message)
            self._events.posted(message)
        else:
            self._world.ephemerals.append(message)

    def _original(self, url: ResponseUrl) -> Message | None:
        private = (m for m in self._world.ephemerals if m.ts == url.ts and m.visible_to == url.user)
        public = self._world.message(url.channel, url.ts) if url.ts else None
        original = next(private, None) or public
        return original if original and original.bot else None

    def _message(self, url: ResponseUrl, args: Arguments) -> Message:
        blocks = args.objects("blocks", "invalid_blocks_format")
        text = args.text("text")
        require_message(text, blocks, None, args.objects("attachments", "invalid_attachments"), False)
        thread = args.optional("thread_ts")
        return Message(self._world.new_ts(), url.channel, self._world.seed.bot_user.id, text, with_ids(blocks),
                       thread_ts=thread, bot=True, visible_to=url.user)

    def _replace(self, original: Message, message: Message) -> None:
        previous = self._world.message_json(original)
        original.text, original.blocks = message.text, message.blocks
        if original.visible_to is None:
            original.edited = {"user": original.user, "ts": self._world.new_ts()}
            self._events.changed(replace(original), previous)

    def _delete(self, original: Message | None) -> None:
        if original is None:
            raise ApiError("message_not_found")
        if original.visible_to is not None:
            self._world.ephemerals.remove(original)
        else:
            self._world.messages[original.channel].remove(original)
            self._events.deleted(self._world.channels[original.channel], self._world.message_json(original))
