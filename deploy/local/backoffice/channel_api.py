"""The HTTP interface to refunds and their channels, and the switches by which a person or a test changes them."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final, TypeVar

from aiohttp import web
from pydantic import BaseModel, TypeAdapter, ValidationError

from deploy.local.backoffice import channels
from deploy.local.backoffice.channel_models import Channel, ChannelSwitch, RefundSwitch, RetryRequest
from deploy.local.backoffice.database import Database
from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.replies import error_reply, json_reply
from deploy.local.backoffice.requests import body_of, key_of, written

_SILENCE: Final = 30.0
"""Seconds for which a channel that does not answer keeps its caller waiting."""
W = TypeVar("W", bound=BaseModel)
_CHANNEL: Final[TypeAdapter[Channel]] = TypeAdapter(Channel)


class ChannelApi:
    """The routes over one database. `clock` gives the current time in UTC."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._closing = asyncio.Event()

    def add_to(self, app: web.Application) -> None:
        """Add the routes; a channel that does not answer lets its callers go when the service ends."""
        self._closing.clear()
        app.add_routes(
            [
                web.get("/orders/{order_id}/sale", self._sale),
                web.get("/refunds/{refund_no}", self._refund),
                web.get("/refunds/{refund_no}/arrival", self._arrival),
                web.post("/refunds/{refund_no}/retry", self._retry),
                web.get("/channels/{channel}/refunds/{refund_no}", self._ask),
                web.get("/channels/{channel}/settlement-rule/{refund_no}", self._rule),
                web.post("/switch/channels/{channel}", self._switch_channel),
                web.post("/switch/refunds/{refund_no}", self._switch_refund),
            ]
        )

        async def let_go(_app: web.Application) -> None:
            self._closing.set()

        app.on_shutdown.append(let_go)

    async def _sale(self, request: web.Request) -> web.Response:
        order_id = request.match_info["order_id"]
        return _reply(await self._database.read(lambda c: channels.sale(c, order_id)))

    async def _refund(self, request: web.Request) -> web.Response:
        number = request.match_info["refund_no"]
        return _reply(await self._database.read(lambda c: channels.refund(c, number)))

    async def _arrival(self, request: web.Request) -> web.Response:
        number = request.match_info["refund_no"]
        return _reply(await self._database.read(lambda c: channels.arrival(c, number)))

    async def _retry(self, request: web.Request) -> web.Response:
        key, number = key_of(request), request.match_info["refund_no"]
        wanted = await body_of(request, RetryRequest)
        return written(await self._database.write(lambda c: channels.retry(c, key, number, wanted, self._clock())))

    async def _ask(self, request: web.Request) -> web.Response:
        name, number = request.match_info["channel"], request.match_info["refund_no"]
        state = await self._database.read(lambda c: channels.channel(c, name))
        if state.behaviour == "system_error":
            return error_reply(502, "channel_error", "The payment channel failed.")
        if state.behaviour == "no_answer":
            try:
                await asyncio.wait_for(self._closing.wait(), _SILENCE)
            except TimeoutError:
                return error_reply(504, "no_answer", "The payment channel did not answer.")
        return _reply(await self._database.read(lambda c: channels.ask_channel(c, name, number)))

    async def _rule(self, request: web.Request) -> web.Response:
        name, number = request.match_info["channel"], request.match_info["refund_no"]
        return _reply(await self._database.read(lambda c: channels.settlement_rule(c, name, number, self._clock())))

    async def _switch_channel(self, request: web.Request) -> web.StreamResponse:
        try:
            name = _CHANNEL.validate_python(request.match_info["channel"])
        except ValidationError as wrong:
            raise Refusal("not_found", "There is no such channel.") from wrong
        wish = await _wish(request, ChannelSwitch)
        return _back(request, await self._database.write(lambda c: channels.switch_channel(c, name, wish)))

    async def _switch_refund(self, request: web.Request) -> web.StreamResponse:
        number = request.match_info["refund_no"]
        wish = await _wish(request, RefundSwitch)
        return _back(request, await self._database.write(lambda c: channels.switch_refund(c, number, wish, self._clock())))


async def _wish(request: web.Request, model: type[W]) -> W:
    """JSON, or the page's form, which comes from the page itself."""
    if request.content_type != "application/x-www-form-urlencoded":
        return await body_of(request, model)
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise Refusal("bad_request", "The switches are pressed on this page.")
    given = {name: value for name, value in (await request.post()).items() if isinstance(value, str) and value}
    try:
        return model.model_validate(given)
    except ValidationError as wrong:
        raise Refusal("bad_request", "This is none of the states that can be switched to.") from wrong


def _back(request: web.Request, now: BaseModel) -> web.StreamResponse:
    if request.content_type != "application/x-www-form-urlencoded":
        return _reply(now)
    return web.Response(status=303, headers={"Location": "/#refunds"})


def _reply(answer: BaseModel) -> web.Response:
    return json_reply(answer.model_dump_json())
