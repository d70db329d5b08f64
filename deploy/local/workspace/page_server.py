"""Serves the page and its control end points, to this machine and its own origin only."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from aiohttp import WSMsgType, web

from .errors import ActionRefused, ApiError
from .page_actions import ACTIONS
from .snapshot import Snapshots

if TYPE_CHECKING:
    from .driver import Workspace

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
FOLDER = Path(__file__).parent / "page"
SECURITY = {
    "Content-Security-Policy": "default-src 'self'; img-src * data:; frame-ancestors 'none'",
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
}
log = logging.getLogger(__name__)


def local_only(handler: Handler) -> Handler:
    """Refuse requests from other machines, other origins and other host names (DNS rebinding)."""

    async def guarded(request: web.Request) -> web.StreamResponse:
        host = urlsplit(f"//{request.host}").hostname or ""
        origin = request.headers.get("Origin")
        far = not request.remote or not ip_address(request.remote).is_loopback
        if far or host not in ("127.0.0.1", "localhost", "::1") or (origin and urlsplit(origin).netloc != request.host):
            raise web.HTTPForbidden(text="the page is served to this machine only")
        return await handler(request)

    return guarded


class PageServer:
    """The files of the page, a WebSocket that pushes what a person sees, and their actions."""

    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        self._snapshots = Snapshots(workspace.world, workspace.forms)
        self._sockets: set[web.WebSocketResponse] = set()

    def add_routes(self, app: web.Application) -> None:
        """Add the page's routes to the server."""
        app.router.add_get("/", local_only(self._index))
        app.router.add_get("/_ui/live", local_only(self._live))
        app.router.add_post("/_ui/act", local_only(self._act))
        app.router.add_get("/_ui/files/{id}", local_only(self._picture))
        app.router.add_get("/_ui/{file:[a-z0-9_]+\\.(?:js|css|svg)}", local_only(self._file))
        app.router.add_get("/archives/{channel}/p{ts:\\d{16}}", local_only(self._permalink))

    async def close(self) -> None:
        """Close the live sockets."""
        for socket in list(self._sockets):
            await socket.close(code=1001)

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(FOLDER / "index.html", headers=SECURITY)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        path = FOLDER / request.match_info["file"]
        if not path.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(path, headers=SECURITY)

    async def _picture(self, request: web.Request) -> web.StreamResponse:
        upload = self._workspace.world.uploads.get(request.match_info["id"])
        if upload is None or upload.content is None:
            raise web.HTTPNotFound
        # Only pictures are shown; anything else could be a page of its own.
        kind = upload.mimetype if upload.mimetype.startswith("image/") else "application/octet-stream"
        headers = SECURITY | {"Content-Security-Policy": "sandbox"}
        return web.Response(body=upload.content, content_type=kind, headers=headers)

    async def _permalink(self, request: web.Request) -> web.StreamResponse:
        channel, digits = request.match_info["channel"], request.match_info["ts"]
        ts = f"{digits[:-6]}.{digits[-6:]}"
        thread = request.query.get("thread_ts")
        query = {"channel": channel, "at": ts} | ({"thread": thread} if thread else {})
        raise web.HTTPFound(request.url.with_path("/").with_query(query))

    async def _act(self, request: web.Request) -> web.StreamResponse:
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="send JSON")
        body = await request.json()
        perform = ACTIONS.get(str(body.get("do")))
        if perform is None:
            return web.json_response({"ok": False, "error": f"unknown action {body.get('do')!r}"}, status=400)
        try:
            result = await perform(self._workspace, body)
        except (ActionRefused, ApiError) as error:
            return web.json_response({"ok": False, "error": str(error)})
        except KeyError as error:
            return web.json_response({"ok": False, "error": f"{error} is missing"}, status=400)
        return web.json_response({"ok": True, "result": result})

    async def _live(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(heartbeat=20)
        await socket.prepare(request)
        self._sockets.add(socket)
        looking: asyncio.Queue[dict[str, str | None]] = asyncio.Queue()
        pushing = asyncio.create_task(self._push(socket, looking))
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    looking.put_nowait(json.loads(message.data))
        finally:
            self._sockets.discard(socket)
            pushing.cancel()
            await asyncio.wait([pushing])
            if not pushing.cancelled() and (crash := pushing.exception()):
                log.error("pushing to the page failed", exc_info=crash)
        return socket

    async def _push(self, socket: web.WebSocketResponse, looking: "asyncio.Queue[dict[str, str | None]]") -> None:
        look = await looking.get()
        while not socket.closed:
            user = look.get("as") or ""
            if user not in self._workspace.world.users:
                user = self._workspace.world.seed.users[0].id
            change = asyncio.create_task(self._workspace.world.next_change())
            other = asyncio.create_task(looking.get())
            try:
                snapshot = self._snapshots.of(user, look.get("channel"), look.get("thread"))
                await socket.send_json(snapshot)
                await asyncio.wait({change, other}, return_when=asyncio.FIRST_COMPLETED)
                if other.done():
                    look = other.result()
                # Changes come in bursts; one picture of all of them is enough.
                await asyncio.sleep(0.02)
            except ConnectionError:
                return
            finally:
                for task in (change, other):
                    task.cancel()
