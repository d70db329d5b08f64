"""The HTTP interface: reads a request, calls the queries or the ledger, writes JSON."""

import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from aiohttp import web
from aiohttp.typedefs import Handler
from pydantic import BaseModel

from deploy.local.backoffice import ledger, queries
from deploy.local.backoffice.database import Database
from deploy.local.backoffice.errors import Refusal
from deploy.local.backoffice.models import CompensationStatus, NoteRequest, PayRequest
from deploy.local.backoffice.replies import error_reply, json_reply
from deploy.local.backoffice.requests import body_of, key_of, written

_log = logging.getLogger(__name__)


class Api:
    """The JSON routes over one database. `clock` gives the current time in UTC."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def routes(self) -> list[web.RouteDef]:
        """Every route of the interface."""
        return [
            web.get("/healthz", self._health),
            web.get("/orders", self._list_orders),
            web.get("/orders/{order_id}", self._get_order),
            web.get("/orders/{order_id}/gateway-balance", self._get_balance),
            web.post("/orders/{order_id}/notes", self._add_note),
            web.get("/compensations", self._list_compensations),
            web.post("/compensations", self._pay),
            web.get("/notes", self._list_notes),
        ]

    async def _health(self, _request: web.Request) -> web.Response:
        await self._database.read(lambda c: c.execute("SELECT 1 FROM orders LIMIT 1").fetchone())
        return json_reply('{"status": "ok"}')

    async def _get_order(self, request: web.Request) -> web.Response:
        order_id = request.match_info["order_id"]
        order = await self._database.read(lambda c: queries.order(c, order_id))
        return json_reply(order.model_dump_json())

    async def _get_balance(self, request: web.Request) -> web.Response:
        order_id = request.match_info["order_id"]
        balance = await self._database.read(lambda c: queries.balance(c, order_id))
        return json_reply(balance.model_dump_json())

    async def _pay(self, request: web.Request) -> web.Response:
        key = key_of(request)
        wanted = await body_of(request, PayRequest)
        return written(await self._database.write(lambda c: ledger.pay(c, key, wanted, self._clock())))

    async def _add_note(self, request: web.Request) -> web.Response:
        key, order_id = key_of(request), request.match_info["order_id"]
        note = await body_of(request, NoteRequest)
        return written(await self._database.write(lambda c: ledger.add_note(c, key, order_id, note, self._clock())))

    async def _list_orders(self, request: web.Request) -> web.Response:
        limit, offset = _window(request.query)
        text = request.query.get("q", "")
        page = await self._database.read(lambda c: queries.orders(c, limit=limit, offset=offset, text=text))
        return _listed("orders", page.rows, page.total)

    async def _list_compensations(self, request: web.Request) -> web.Response:
        limit, offset = _window(request.query)
        order_id, status = request.query.get("order_id"), _status(request.query)
        page = await self._database.read(
            lambda c: queries.compensations(c, limit=limit, offset=offset, order_id=order_id, status=status)
        )
        return _listed("compensations", page.rows, page.total)

    async def _list_notes(self, request: web.Request) -> web.Response:
        limit, offset = _window(request.query)
        order_id = request.query.get("order_id")
        page = await self._database.read(lambda c: queries.notes(c, limit=limit, offset=offset, order_id=order_id))
        return _listed("notes", page.rows, page.total)


@web.middleware
async def errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turns refusals, unknown routes and defects into the one error form."""
    try:
        return await handler(request)
    except Refusal as refusal:
        return error_reply(refusal.status, refusal.code, refusal.message)
    except web.HTTPException as refused:
        if refused.status < 400:
            raise
        code = refused.reason.lower().replace(" ", "_")
        return error_reply(refused.status, code, f"{request.method} is not served here: {refused.reason}.")
    except Exception:  # noqa: BLE001 - the outermost edge: a defect must answer in the form that callers read
        _log.exception("A request failed: %s %s", request.method, request.match_info.route.resource)
        return error_reply(500, "internal", "The back office failed. Repeat the request with the same key.")


def _listed(name: str, rows: Sequence[BaseModel], total: int) -> web.Response:
    return json_reply(json.dumps({name: [row.model_dump(mode="json") for row in rows], "total": total}, ensure_ascii=False))


def _window(query: Mapping[str, str]) -> tuple[int, int]:
    return _number(query, "limit", 50, lowest=1, highest=500), _number(query, "offset", 0, lowest=0, highest=10**9)


def _number(query: Mapping[str, str], name: str, default: int, *, lowest: int, highest: int) -> int:
    text = query.get(name)
    if text is None:
        return default
    if not re.fullmatch(r"[0-9]{1,10}", text) or not lowest <= int(text) <= highest:
        raise Refusal("bad_request", f"{name} must be a whole number from {lowest} to {highest}.")
    return int(text)


def _status(query: Mapping[str, str]) -> CompensationStatus | None:
    match query.get("status"):
        case None:
            return None
        case "paid":
            return "paid"
        case "pending":
            return "pending"
        case _:
            raise Refusal("bad_request", "status must be paid or pending.")
