"""The HTTP server: Web API, Socket Mode, response_url, permalinks, and the page."""

from typing import TYPE_CHECKING

from aiohttp import web

from .api import WebApi
from .files import receive
from .hooks import Hooks
from .page_server import PageServer
from .socket_mode import SocketMode

if TYPE_CHECKING:
    from .driver import Workspace

BODY_LIMIT = 4 * 1024 * 1024


class Server:
    """Routes, and the life of the listening socket."""

    def __init__(self, workspace: "Workspace", api: WebApi, hooks: Hooks, sockets: SocketMode) -> None:
        self._world = workspace.world
        self._page = PageServer(workspace)
        app = web.Application(client_max_size=BODY_LIMIT)
        app.router.add_route("*", "/api/{method}", api.serve)
        app.router.add_post("/actions/{team}/{key}", hooks.serve)
        app.router.add_get("/link/", sockets.serve)
        app.router.add_post("/upload/{file}", self._upload)
        self._page.add_routes(app)
        # Sockets that are still open at the end are cut, not waited for.
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)

    async def start(self, host: str, port: int) -> str:
        """Listen and return the base address."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        bound = self._runner.addresses[0]
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        return f"http://{shown}:{bound[1]}"

    async def _upload(self, request: web.Request) -> web.Response:
        return await receive(self._world, request)

    async def stop(self) -> None:
        """Close the page's sockets and the listener."""
        await self._page.close()
        await self._runner.cleanup()
