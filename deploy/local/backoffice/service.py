"""Puts the parts together and runs them as an HTTP service."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web

from deploy.local.backoffice.api import Api, errors_as_json
from deploy.local.backoffice.changing import OrderWish, change_order
from deploy.local.backoffice.channel_api import ChannelApi
from deploy.local.backoffice.database import Database
from deploy.local.backoffice.faults import Call, Faults, TestAids
from deploy.local.backoffice.hotel_routes import HotelRoutes
from deploy.local.backoffice.page import BackOfficePage
from deploy.local.backoffice.refund_routes import RefundRoutes
from deploy.local.backoffice.sales import Sales

_GRACE_SECONDS = 3.0


def _utc_now() -> datetime:
    return datetime.now(UTC)


class BackOffice:
    """The back office as a service on one port.

    `database` is the SQLite file; it is created and seeded where missing. With `faults=True` the test aids are
    there: `faults`, `calls`, `reset()`, and `/_faults`, `/_calls`, `/_reset` over HTTP. Never use that outside tests.
    `clock` returns the current time in UTC.
    """

    def __init__(self, database: Path, *, faults: bool = False, clock: Callable[[], datetime] = _utc_now) -> None:
        self._database = Database(database)
        self._clock = clock
        self._aids = TestAids(self.reset) if faults else None
        self._runner: web.AppRunner | None = None
        self._url = ""

    @property
    def url(self) -> str:
        """`http://host:port` without a slash at the end; it stays known after `stop`."""
        if not self._url:
            raise RuntimeError("The back office has no address yet. Call start() first.")
        return self._url

    @property
    def faults(self) -> Faults:
        """The faults to come; raises RuntimeError unless started with `faults=True`."""
        return self._test_aids().faults

    @property
    def calls(self) -> list[Call]:
        """Every API call so far, oldest first; raises RuntimeError unless started with `faults=True`."""
        return self._test_aids().calls

    async def until_called(self, count: int) -> None:
        """Return as soon as `calls` holds `count` calls; has no time limit of its own. Needs `faults=True`."""
        await self._test_aids().until_called(count)

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Open the database and listen; port 0 takes any free port. Raises OSError if the port is taken."""
        if self._runner is not None:
            raise RuntimeError("The back office is already running.")
        await self._database.prepare()
        runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=_GRACE_SECONDS)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError:
            await runner.cleanup()
            await self._database.close()
            raise
        self._runner = runner
        bound: int = runner.addresses[0][1]
        self._url = f"http://{host}:{bound}"

    async def stop(self) -> None:
        """Finish the requests that run, at most three seconds, and close the port. Harmless when not running."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()
            await self._database.close()

    async def reset(self) -> None:
        """Back to the seeded orders, no calls logged, no fault waiting."""
        aids = self._test_aids()
        await self._database.reseed()
        aids.calls.clear()
        aids.faults.clear()

    async def change_order(self, order_id: str, wish: OrderWish) -> None:
        """Make an order otherwise than it was seeded; one that is not there is made. Needs `faults=True`."""
        self._test_aids()
        await self._database.write(lambda connection: change_order(connection, order_id, wish))

    def _app(self) -> web.Application:
        aids = self._aids
        app = web.Application(middlewares=[errors_as_json] if aids is None else [aids.middleware(), errors_as_json])
        app.add_routes(Api(self._database, self._clock).routes())
        app.add_routes(RefundRoutes(self._database, self._clock).routes())
        app.add_routes(HotelRoutes(self._database, self._clock).routes())
        app.add_routes(Sales(self._database, self._clock).routes())
        ChannelApi(self._database, self._clock).add_to(app)
        BackOfficePage(self._database).add_to(app)
        if aids is not None:
            app.add_routes(aids.routes())

            aids.faults.open()

            async def let_go(_app: web.Application) -> None:
                aids.faults.close()

            app.on_shutdown.append(let_go)
        return app

    def _test_aids(self) -> TestAids:
        if self._aids is None:
            raise RuntimeError("This back office has no test aids. Create it with faults=True.")
        return self._aids
