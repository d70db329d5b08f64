"""Refunds over HTTP: what an order has had, what comes back by its policy, and the refund itself."""

import json
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import datetime

from aiohttp import web
from pydantic import BaseModel

from deploy.local.backoffice import refunds
from deploy.local.backoffice.database import Database
from deploy.local.backoffice.models import RefundRequest
from deploy.local.backoffice.replies import json_reply
from deploy.local.backoffice.requests import body_of, key_of, written

Query = Callable[[sqlite3.Connection, str], BaseModel]


class RefundRoutes:
    """The routes over one database. `clock` gives the current time in UTC."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def routes(self) -> list[web.RouteDef]:
        """Every route of refunds."""
        return [
            web.get("/orders/{order_id}/payouts", self._reading(refunds.payouts)),
            web.get("/orders/{order_id}/cancellation-policy", self._reading(refunds.policy)),
            web.get("/orders/{order_id}/refundable", self._reading(refunds.refundable)),
            web.post("/orders/{order_id}/refunds", self._refund),
            web.get("/order-refunds", self._list),
        ]

    def _reading(self, query: Query) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            order_id = request.match_info["order_id"]
            found = await self._database.read(lambda c: query(c, order_id))
            return json_reply(found.model_dump_json())

        return handle

    async def _refund(self, request: web.Request) -> web.Response:
        key, order_id = key_of(request), request.match_info["order_id"]
        wanted = await body_of(request, RefundRequest)
        return written(await self._database.write(lambda c: refunds.refund(c, key, order_id, wanted, self._clock())))

    async def _list(self, _request: web.Request) -> web.Response:
        found = await self._database.read(refunds.listed)
        rows = [each.model_dump(mode="json") for each in found]
        return json_reply(json.dumps({"refunds": rows, "total": len(rows)}, ensure_ascii=False))
