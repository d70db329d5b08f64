"""The Web API: tokens, scopes, faults and limits of a call, and the way to its method."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from aiohttp import web

from .arguments import Arguments
from .errors import ApiError
from .events import Events
from .faults import ApiFault, Faults
from .forms import Forms
from .model import Channel, Json
from .socket_mode import SocketMode
from .world import World

log = logging.getLogger(__name__)


@dataclass
class Call:
    """A method call with everything a method may need."""

    world: World
    events: Events
    forms: Forms
    sockets: SocketMode
    args: Arguments
    headers: dict[str, str] = field(default_factory=dict)

    def channel(self, name: str = "channel", *, member: bool = False) -> Channel:
        """The channel argument: an id, a #name, or a person's id for the direct message with them."""
        key = self.args.text(name)
        if not key:
            raise ApiError("channel_not_found", [f"missing required field: {name} [json-pointer:/{name}]"])
        if key in self.world.users and key != self.world.seed.bot_user.id:
            return self.world.dm(key)
        channel = self.world.channels.get(key) or next(
            (c for c in self.world.channels.values() if not c.is_im and c.name == key.removeprefix("#")), None
        )
        if channel is None or (not self.world.bot_in(channel) and (channel.is_private or channel.is_im)):
            raise ApiError("channel_not_found", [f"no channel {key!r} that the bot can see [json-pointer:/{name}]"])
        if member and not self.world.bot_in(channel):
            raise ApiError("not_in_channel", [f"the bot was not invited to #{channel.name}"])
        return channel

    def user(self, name: str = "user") -> str:
        """The user argument."""
        key = self.args.required(name)
        if key not in self.world.users:
            raise ApiError("user_not_found", [f"no user {key!r} [json-pointer:/{name}]"])
        return key


Handler: TypeAlias = Callable[[Call], Awaitable[Json]]


@dataclass(frozen=True)
class Method:
    """A method with the token it takes and the scopes of which it needs one."""

    run: Handler
    scopes: tuple[str, ...] = ()
    token: Literal["bot", "app", "any", "none"] = "bot"


class WebApi:
    """Answers /api/METHOD."""

    def __init__(
        self, world: World, events: Events, forms: Forms, sockets: SocketMode, faults: Faults,
        methods: dict[str, Method],
    ) -> None:
        self._world = world
        self._parts = (events, forms, sockets)
        self._faults = faults
        self._methods = methods
        self._last_post: dict[str, float] = {}
        self.calls: list[tuple[str, Json]] = []

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One HTTP request."""
        if self._faults.offline:
            return self._cut(request)
        name = request.match_info["method"]
        try:
            args = await Arguments.of(request)
        except ApiError as error:
            return self._refusal(error)
        fault = self._faults.take(name, args.values.get("channel"))
        if fault:
            if fault.delay:
                await asyncio.sleep(fault.delay)
            if not fault.effect:
                return self._spoilt(request, fault)
        try:
            response = await self._answer(name, args)
        except ApiError as error:
            response = self._refusal(error)
        if fault and fault.status != 200:
            return self._spoilt(request, fault)
        return response

    async def _answer(self, name: str, args: Arguments) -> web.Response:
        method = self._methods.get(name)
        if method is None:
            raise ApiError("unknown_method", extra={"req_method": name})
        self._check_token(method, args.token)
        self._check_scope(method)
        if name == "chat.postMessage" and self._faults.channel_limit:
            self._check_pace(args.text("channel"))
        self.calls.append((name, dict(args.values)))
        call = Call(self._world, *self._parts, args)
        body = await method.run(call)
        return web.json_response({"ok": True} | body, headers=call.headers)

    def _check_token(self, method: Method, token: str | None) -> None:
        seed = self._world.seed
        if method.token == "none":
            return
        if not token:
            raise ApiError("not_authed")
        if token not in (seed.bot_token, seed.app_token):
            raise ApiError("invalid_auth")
        needed = {"bot": seed.bot_token, "app": seed.app_token}.get(method.token, token)
        if token != needed:
            raise ApiError("not_allowed_token_type", [f"needs the {method.token} token"])

    def _check_scope(self, method: Method) -> None:
        granted = self._world.seed.scopes
        if method.scopes and not set(method.scopes) & set(granted):
            raise ApiError("missing_scope", extra={"needed": ",".join(method.scopes), "provided": ",".join(granted)})

    def _check_pace(self, channel: str) -> None:
        now = time.monotonic()
        if now - self._last_post.get(channel, 0.0) < 1.0:
            raise ApiError("ratelimited", status=429, retry_after=1)
        self._last_post[channel] = now

    @staticmethod
    def _refusal(error: ApiError) -> web.Response:
        body: Json = {"ok": False, "error": error.code} | error.extra
        if error.messages:
            body["response_metadata"] = {"messages": [f"[ERROR] {message}" for message in error.messages]}
            if error.code == "invalid_blocks":
                body["errors"] = error.messages
        headers = {"Retry-After": str(error.retry_after)} if error.retry_after is not None else {}
        return web.json_response(body, status=error.status, headers=headers)

    def _spoilt(self, request: web.Request, fault: ApiFault) -> web.StreamResponse:
        if fault.status is None:
            return self._cut(request)
        if fault.error:
            return self._refusal(ApiError(fault.error))
        if fault.status == 429:
            return self._refusal(ApiError("ratelimited", status=429, retry_after=fault.retry_after or 1))
        return web.Response(status=fault.status, text="server error", content_type="text/html")

    @staticmethod
    def _cut(request: web.Request) -> web.StreamResponse:
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=503)
