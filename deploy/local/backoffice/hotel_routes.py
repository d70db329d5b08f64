"""Hotel bookings over HTTP."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field

from deploy.local.backoffice import hotels
from deploy.local.backoffice.database import Database
from deploy.local.backoffice.models import NoteRequest
from deploy.local.backoffice.replies import json_reply
from deploy.local.backoffice.requests import body_of, key_of, query_of, written


class _Kind(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    nights: int = Field(ge=1, le=30)
    room: hotels.Room


@dataclass(frozen=True)
class HotelRoutes:
    """The routes over one database. `clock` gives the current time in UTC."""

    database: Database
    clock: Callable[[], datetime]

    def routes(self) -> list[web.RouteDef]:
        """Every route of hotel bookings."""
        return [
            web.get("/bookings/{booking_id}", self._booking),
            web.get("/bookings/{booking_id}/quote", self._quote),
            web.get("/bookings/{booking_id}/change-refund", self._refund),
            web.post("/bookings/{booking_id}/changes", self._change),
            web.post("/bookings/{booking_id}/notes", self._note),
            web.get("/booking-changes", self._list),
        ]

    async def _booking(self, request: web.Request) -> web.Response:
        number = request.match_info["booking_id"]
        return json_reply((await self.database.read(lambda c: hotels.booking(c, number))).model_dump_json())

    async def _quote(self, request: web.Request) -> web.Response:
        number, stay = request.match_info["booking_id"], query_of(request, hotels.Stay)
        found = await self.database.read(lambda c: hotels.quote(c, number, stay, self.clock().date()))
        return json_reply(found.model_dump_json())

    async def _refund(self, request: web.Request) -> web.Response:
        number, kind = request.match_info["booking_id"], query_of(request, _Kind)
        found = await self.database.read(lambda c: hotels.change_refund(c, number, kind.nights, kind.room))
        return json_reply(found.model_dump_json())

    async def _change(self, request: web.Request) -> web.Response:
        key, number = key_of(request), request.match_info["booking_id"]
        wanted = await body_of(request, hotels.ChangeRequest)
        return written(await self.database.write(lambda c: hotels.change(c, key, number, wanted, self.clock())))

    async def _note(self, request: web.Request) -> web.Response:
        key, number = key_of(request), request.match_info["booking_id"]
        note = await body_of(request, NoteRequest)
        return written(await self.database.write(lambda c: hotels.add_note(c, key, number, note, self.clock())))

    async def _list(self, _request: web.Request) -> web.Response:
        rows = [each.model_dump(mode="json") for each in await self.database.read(hotels.changes)]
        return json_reply(json.dumps({"changes": rows, "total": len(rows)}, ensure_ascii=False))
